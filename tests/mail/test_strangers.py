"""Letters to people who never asked for any: each tells how to have no more, and an answer to it is enough."""

from sqlmodel import select

from adjudicator.service.base.tables import Stranger
from adjudicator.service.letters import suppression
from adjudicator.service.matches.creation import Wish
from adjudicator.service.people import block_list
from tests.mail.mail_harness import ALICE, BOB, SERVICE, MailHarness, part

VICTIM = "victim@example.net"


def invite(office: MailHarness) -> None:
    office.prepare_match(Wish("pyramid", "Table", {}, invited=(VICTIM,)), ALICE)


def token(office: MailHarness) -> str:
    with office.database.read_tx() as session:
        return session.exec(select(Stranger.token)).one()


def barred(office: MailHarness) -> bool:
    with office.database.read_tx() as session:
        return suppression.why_suppressed(session, VICTIM) == "reader"


def test_an_invitation_says_how_to_have_no_more_in_words_and_for_programs(office: MailHarness) -> None:
    invite(office)
    message = office.message(office.newest(VICTIM, "invitation").name)
    page, mail = f"https://orders.example.org/letters/never/{token(office)}", f"orders+n-{token(office)}@example.org"
    assert message["List-Unsubscribe"] == f"<{page}>, <mailto:{mail}>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    for body in (part(message, "plain"), part(message, "html")):
        assert "Never write to me again" in body and page in body and mail in body


def test_any_letter_to_that_address_ends_all_letters(both_offices: MailHarness) -> None:
    office = both_offices
    invite(office)
    office.newest(VICTIM, "invitation")
    outcome = office.write("somebody@example.com", f"orders+n-{token(office)}@example.org", "")
    assert outcome.disposition == "commands" and barred(office)
    office.write(VICTIM, SERVICE, "join pyramid")
    assert office.post_all() == 0


def test_stop_in_answer_to_an_invitation_means_never(office: MailHarness) -> None:
    invite(office)
    office.answer(office.newest(VICTIM, "invitation"), "stop")
    assert barred(office) and office.post_all() == 0


def test_a_letter_that_only_claims_to_come_from_there_is_answered_with_the_way_out(office: MailHarness) -> None:
    office.write(VICTIM, SERVICE, "join pyramid")
    message = office.message(office.newest(VICTIM).name)
    assert f"/letters/never/{token(office)}" in message["List-Unsubscribe"] and "Never write to me again" in part(message, "plain")


def test_letters_of_a_blocked_address_are_not_read(office: MailHarness) -> None:
    office.begin(ALICE, BOB, "charlie@example.org")
    report = office.newest(BOB, "report")
    block_list.block_address(office.database, BOB, now=office.now)
    assert office.answer(report, "B3").disposition == "discarded"
    assert office.write("x@sub.evil.example", SERVICE, "help").disposition != "discarded"
    block_list.block_address(office.database, "evil.example", now=office.now)
    assert office.write("y@sub.evil.example", SERVICE, "help").disposition == "discarded"
    assert "blocks" in (office.came_in()[-1].reason or "")
