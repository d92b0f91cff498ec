"""Sending over a real socket: success, retries, permanent refusals, and no password in the
clear.
"""

import math
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from adjudicator.mail.composing.compose import compose_letter
from adjudicator.mail.composing.mime import WrittenLetter
from adjudicator.mail.sending import post as posting
from adjudicator.mail.sending import smtp
from adjudicator.mail.sending.smtp import NotSent
from adjudicator.platform import clock
from adjudicator.platform.config import Settings, read_settings
from adjudicator.service.base.tables import Letter
from adjudicator.service.letters import outbox
from adjudicator.service.letters.outbox import LetterToSend
from adjudicator.service.people import sessions
from tests import letters_out
from tests.mail.mail_harness import ALICE, BOB, MailHarness
from tests.mail.test_mailbox import letter as some_letter
from tests.mail_sink import BREAK, PASSWORD, MailSink, self_signed
from tests.servers import free_port


@pytest.fixture
def sink() -> Iterator[MailSink]:
    with MailSink() as listening:
        yield listening


@pytest.fixture
def online(post_harness: MailHarness, sink: MailSink) -> Iterator[MailHarness]:
    """A harness whose letters go to the sink; one letter waits."""
    use(post_harness, sink.url)
    sessions.ask_link(post_harness.database, ALICE, zone="UTC", now=post_harness.now)
    yield post_harness


def use(post_harness: MailHarness, url: str) -> None:
    post_harness.settings = read_settings(
        data_dir=post_harness.settings.data_dir,
        smtp_url=url,
        mail_address="orders@example.org",
        site_url="https://orders.example.org",
    )


def send(url: str) -> None:
    """Send a letter over a connection of its own."""
    with closing(smtp.MailServer(url)) as server:
        letters_out.send(server, some_letter().content, recipient=ALICE)


def row(post_harness: MailHarness) -> Letter:
    return post_harness.rows()[-1]


def test_a_letter_that_is_taken_is_marked_and_forgotten(
    online: MailHarness, sink: MailSink
) -> None:
    assert online.post_all() == 1
    (taken,) = sink.taken
    assert taken.message["Message-ID"] == f"<{row(online).uid}@example.org>"
    assert taken.recipients == [ALICE]
    assert (row(online).state, row(online).context, row(online).sent_at) == (
        "sent",
        None,
        online.now,
    )
    assert not online.mailbox.folder.exists()


@pytest.mark.parametrize(
    ("step", "answer"), [("RCPT", "451 later, please"), ("dot", "452 no room")]
)
def test_a_passing_trouble_is_tried_again_and_then_sent(
    online: MailHarness, sink: MailSink, step: str, answer: str
) -> None:
    sink.script[step] = [answer]
    assert online.post_all() == 0
    assert (row(online).state, row(online).tries) == ("waiting", 1)
    assert answer in str(row(online).trouble)
    assert online.post_all() == 0, "the back-off is kept"
    online.later(seconds=11)
    assert online.post_all() == 1
    assert (row(online).state, row(online).trouble, len(sink.taken)) == ("sent", None, 1)


@pytest.mark.parametrize(
    ("step", "answer"),
    [("RCPT", "550 no such person: alice@example.org"), ("dot", "554 not this letter")],
)
def test_a_final_answer_holds_the_letter_at_once(
    online: MailHarness, sink: MailSink, step: str, answer: str
) -> None:
    sink.script[step] = [answer]
    assert online.post_all() == 0
    assert row(online).state == "held"
    assert answer[:3] in str(row(online).trouble)
    assert ALICE not in str(row(online).trouble)


def test_a_server_that_breaks_off_after_the_letter_gets_it_again_under_the_same_message_id(
    online: MailHarness, sink: MailSink
) -> None:
    sink.script["dot"] = [BREAK]
    assert online.post_all() == 0
    assert row(online).state == "waiting"
    online.later(seconds=11)
    assert online.post_all() == 1
    first, second = (letter.message for letter in sink.taken)
    assert first["Message-ID"] == second["Message-ID"]
    assert first.as_bytes() == second.as_bytes()


def test_a_server_that_is_away_is_waited_for(post_harness: MailHarness) -> None:
    use(post_harness, f"smtp://127.0.0.1:{free_port()}")
    sessions.ask_link(post_harness.database, ALICE, zone="UTC", now=post_harness.now)
    assert post_harness.post_all() == 0
    assert row(post_harness).state == "waiting"
    assert "cannot be reached" in str(row(post_harness).trouble)


def test_a_letter_is_not_handed_over_once_its_time_is_over(
    sink: MailSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = iter((0.0, *[smtp.LONGEST + 1] * 20))
    monkeypatch.setattr(clock, "monotonic", lambda: next(seconds))
    monkeypatch.setattr(smtp.MailServer, "_left", lambda _: 5.0)  # an answer that came just in time
    with pytest.raises(NotSent, match="too long") as fault:
        send(sink.url)
    assert (sink.taken, fault.value.for_good) == ([], False)


def test_after_the_last_try_a_letter_is_held(post_harness: MailHarness) -> None:
    use(post_harness, f"smtp://127.0.0.1:{free_port()}")
    post_harness.begin(ALICE, house=2)
    begun = post_harness.now
    while row(post_harness).state == "waiting":
        post_harness.post_all()
        tried, post_harness.now = (
            post_harness.now,
            max(row(post_harness).next_try, post_harness.now),
        )
    assert row(post_harness).tries == len(outbox.BACK_OFF) + 1
    assert 5 <= (tried - begun).total_seconds() / 86400 < 5.2, (
        "RFC 5321, 4.5.4.1: four or five days at least"
    )
    assert list(outbox.BACK_OFF) == sorted(outbox.BACK_OFF) and outbox.BACK_OFF[-1] <= 6 * 3600, (
        "the pauses grow, to a quarter of a day"
    )


# --- the next letter is composed while the server takes one


def post_together(post_harness: MailHarness, *people: str, until: float = math.inf) -> list[Letter]:
    """Ask for a sign-in link for each, post them in one task, and return their rows."""
    for who in people:
        sessions.ask_link(post_harness.database, who, zone="UTC", now=post_harness.now)
    rows = post_harness.rows()[-len(people) :]
    with closing(posting.Carrier(post_harness.settings)) as carrier:
        room = posting.PostRoom(
            post_harness.settings,
            post_harness.database,
            post_harness.keyring,
            carrier,
            lambda: post_harness.now,
        )
        posting.post_letters(room, [row.id or 0 for row in rows], until=until)
    return list(post_harness.rows()[-len(people) :])


def test_a_letter_is_composed_while_the_server_takes_the_one_before(
    post_harness: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = list[str]()

    def compose(settings: Settings, letter: LetterToSend, *show: Any) -> WrittenLetter:
        done.append("composed")
        return compose_letter(settings, letter, *show)

    monkeypatch.setattr(posting, "compose_letter", compose)
    monkeypatch.setattr(posting.Carrier, "await_answer", lambda _: done.append("answered"))
    rows = post_together(post_harness, ALICE, BOB)
    assert [row.state for row in rows] == ["sent"] * 2
    assert done == ["composed", "composed", "answered", "answered"]


def test_each_answer_is_of_the_letter_that_it_answers(post_harness: MailHarness) -> None:
    for answer, state in (
        ("452 no room", "waiting"),
        ("554 not this letter", "held"),
        ("421 busy", "waiting"),
        (BREAK, "waiting"),
    ):
        with MailSink(dot=[answer]) as sink:
            use(post_harness, sink.url)
            refused, taken = post_together(post_harness, f"a{state}@example.org", BOB)
            assert (refused.state, taken.state) == (state, "sent"), answer
            assert (refused.trouble is None, taken.trouble) == (False, None), answer
            assert [letter.recipients for letter in sink.arrived] == [
                [refused.address],
                [taken.address],
            ], answer
            post_harness.later(hours=1)  # a new link for each


def test_no_letter_is_handed_over_once_its_task_is_over_while_the_server_took_one(
    post_harness: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = [0.0]
    monkeypatch.setattr(clock, "monotonic", lambda: seconds[0])
    monkeypatch.setattr(
        posting.Carrier, "await_answer", lambda _: seconds.__setitem__(0, seconds[0] + 3)
    )
    first, second = post_together(post_harness, ALICE, BOB, until=2.0)
    assert [letter.name for letter in post_harness.mailbox.letters()] == [first.uid]
    assert (first.state, second.state, second.tries) == ("sent", "waiting", 0)
    assert second.next_try <= post_harness.now, "any worker may send it at once"


# --- encryption and passwords


def test_encryption_is_used_where_it_is_offered(tmp_path: Path) -> None:
    with MailSink(tls=self_signed(tmp_path)) as sink:
        send(sink.url)
    assert [letter.encrypted for letter in sink.taken] == [True]


def test_a_password_is_not_given_to_a_server_nobody_vouches_for(tmp_path: Path) -> None:
    with (
        MailSink(tls=self_signed(tmp_path), asks_password=True) as sink,
        pytest.raises(NotSent, match="CERTIFICATE_VERIFY_FAILED") as refused,
    ):
        send(f"smtp://orders:open%20sesame@{sink.place}")
    assert (sink.logins, refused.value.for_good) == ([], False)


def test_a_password_is_not_sent_in_the_clear_to_another_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(smtp, "THIS_MACHINE", frozenset())
    with MailSink(asks_password=True) as sink, pytest.raises(NotSent, match="no encryption"):
        send(f"smtp://orders:open%20sesame@{sink.place}")
    assert sink.logins == []


def test_the_password_opens_and_a_wrong_one_is_no_fault_of_the_letter() -> None:
    with MailSink(asks_password=True) as sink:
        send(f"smtp://orders:open%20sesame@{sink.place}")
        with pytest.raises(NotSent, match="refused us: 535") as refused:
            send(f"smtp://orders:wrong@{sink.place}")
    assert (len(sink.taken), refused.value.for_good) == (1, False)
    assert sink.logins[0] == ("orders", PASSWORD)
