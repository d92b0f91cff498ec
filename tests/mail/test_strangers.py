"""Letters to people who never asked for any: each says how to stop them, and an answer is
enough.
"""

from adjudicator.service.letters import suppression
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import block_list
from adjudicator.service.tokens.references import Reference
from tests.mail.mail_harness import ALICE, BOB, SERVICE, MailHarness, part

VICTIM = "victim@example.net"


def invite(harness: MailHarness) -> None:
    harness.prepare_match(Wish("pyramid", "Table", {}, invited=(VICTIM,)), ALICE)


def token(harness: MailHarness) -> str:
    return harness.token(Reference("never", suppression.address_hash(VICTIM)))


def barred(harness: MailHarness) -> bool:
    with harness.database.read_tx() as session:
        return suppression.why_suppressed(session, VICTIM) == "reader"


def test_an_invitation_says_how_to_have_no_more_in_words_and_for_programs(
    harness: MailHarness,
) -> None:
    invite(harness)
    message = harness.message(harness.newest(VICTIM, "invitation").name)
    page, mail = (
        f"https://orders.example.org/letters/never/{token(harness)}",
        f"orders+n-{token(harness)}@example.org",
    )
    assert message["List-Unsubscribe"] == f"<{page}>, <mailto:{mail}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    for body in (part(message, "plain"), part(message, "html")):
        assert "Never write to me again" in body and page in body and mail in body


def test_any_letter_to_that_address_ends_all_letters(harness_on_both: MailHarness) -> None:
    harness = harness_on_both
    invite(harness)
    harness.newest(VICTIM, "invitation")
    outcome = harness.write("somebody@example.com", f"orders+n-{token(harness)}@example.org", "")
    assert outcome.disposition == "commands" and barred(harness)
    harness.write(VICTIM, SERVICE, "join pyramid")
    assert harness.post_all() == 0


def test_stop_in_answer_to_an_invitation_means_never(harness: MailHarness) -> None:
    invite(harness)
    harness.answer(harness.newest(VICTIM, "invitation"), "stop")
    assert barred(harness) and harness.post_all() == 0


def test_a_letter_that_only_claims_to_come_from_there_is_answered_with_the_way_out(
    harness: MailHarness,
) -> None:
    harness.write(VICTIM, SERVICE, "join pyramid")
    message = harness.message(harness.newest(VICTIM).name)
    assert f"/letters/never/{token(harness)}" in message[
        "List-Unsubscribe"
    ] and "Never write to me again" in part(message, "plain")


def test_letters_of_a_blocked_address_are_not_read(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, "charlie@example.org")
    report = harness.newest(BOB, "report")
    block_list.block_address(harness.database, BOB, now=harness.now)
    assert harness.answer(report, "B3").disposition == "discarded"
    assert harness.write("x@sub.evil.example", SERVICE, "help").disposition != "discarded"
    block_list.block_address(harness.database, "evil.example", now=harness.now)
    assert harness.write("y@sub.evil.example", SERVICE, "help").disposition == "discarded"
    assert "blocks" in (harness.came_in()[-1].reason or "")
