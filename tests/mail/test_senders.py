"""Envelope senders: empty for answers, else an address that identifies the letter."""

import pytest

from adjudicator.platform.config import read_settings
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_orders_by_letter import begun
from tests.mail_sink import MailSink

NOBODY, OF_ITS_OWN = "", "orders+b-"


def sent(harness: MailHarness, sink: MailSink) -> list[tuple[str, str]]:
    """Send what waits, and return for each letter its Auto-Submitted and the sender of its
    envelope.
    """
    with sink:
        harness.settings = read_settings(
            data_dir=harness.settings.data_dir,
            smtp_url=sink.url,
            mail_address=SERVICE,
            site_url="https://orders.example.org",
            inbox_url="smtp://127.0.0.1:2525",
        )
        harness.post_all()
    return [(str(each.message["Auto-Submitted"]), each.sender) for each in sink.taken]


@pytest.mark.parametrize(
    "lines", [("B3",), ("B3", "nonsense of mine"), ("status",), ("join chess",)]
)
def test_an_answer_to_a_letter_is_from_nobody(harness: MailHarness, lines: tuple[str, ...]) -> None:
    report = begun(harness)
    harness.write(ALICE, harness.reply_to(report), *lines, answers=report)
    assert sent(harness, MailSink()) == [("auto-replied", NOBODY)]


def test_a_question_to_an_address_that_only_from_names_is_from_nobody(harness: MailHarness) -> None:
    harness.write("dora@example.net", SERVICE, "join pyramid")
    assert sent(harness, MailSink()) == [("auto-replied", NOBODY)]


def test_a_letter_that_answers_none_is_from_its_own_address(harness: MailHarness) -> None:
    harness.post_all()
    harness.begin(ALICE, BOB, CHARLIE)
    letters = sent(harness, MailSink())
    assert letters
    assert all(
        kind == "auto-generated" and sender.startswith(OF_ITS_OWN) for kind, sender in letters
    )


def test_a_relay_that_takes_nothing_from_nobody_is_given_the_letters_own_address(
    harness: MailHarness,
) -> None:
    report = begun(harness)
    harness.write(ALICE, harness.reply_to(report), "B3", answers=report)
    sink = MailSink(mail=["553 5.7.1 <>: sender address rejected: not owned by user"])
    ((kind, sender),) = sent(harness, sink)
    assert kind == "auto-replied"
    assert sender.startswith(OF_ITS_OWN)
