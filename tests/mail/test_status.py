"""`status` by letter: what a seat is told of its own sealed orders, and to whom nothing sealed is told."""

from adjudicator.service.orders import disclosure
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_commands import flat


def listed(office: MailHarness, seat: str) -> int:
    with office.database.read_tx() as session:
        return len(disclosure.list_disclosures(session, office.uid, seat))


def test_status_to_a_seats_own_address_tells_what_it_sealed_and_lists_a_reading(both_offices: MailHarness) -> None:
    office = both_offices
    office.begin(ALICE, BOB, CHARLIE)
    report = office.newest(ALICE, "report")
    office.answer(report, "B3", "THEN", "W2 OR W1")
    assert listed(office, "1") == 0
    office.later(seconds=1)
    assert office.answer(report, "status").disposition == "commands"
    answer = office.newest(ALICE, "answer")
    assert "What you have sealed" in answer.text and "Round 1: B3 Then: W2 OR W1" in flat(answer) and "B3" in answer.html
    assert (listed(office, "1"), listed(office, "2")) == (1, 0)


def test_status_tells_nothing_sealed_where_nothing_is(office: MailHarness) -> None:
    office.begin(ALICE, BOB, CHARLIE)
    office.answer(office.newest(ALICE, "report"), "status")
    assert "What you have sealed" not in office.newest(ALICE, "answer").text and listed(office, "1") == 0


def test_status_from_an_address_alone_opens_nothing(office: MailHarness) -> None:
    """Nor does another match's address: only the reader of a seat's own letters is shown its orders."""
    office.begin(ALICE, BOB, CHARLIE)
    first = office.uid
    office.answer(office.newest(ALICE, "report"), "B3", "wait")
    office.later(seconds=1)
    office.begin(ALICE, BOB, CHARLIE, name="Morning Pyramid")
    office.write(ALICE, SERVICE, f"status {first}")
    office.answer(office.newest(ALICE, "report"), f"status {first}")
    office.uid = first
    office.post_all()
    assert all("they are sealed, and your receipt shows them" in flat(each) for each in office.letters("answer", ALICE))
    assert len(office.letters("answer", ALICE)) == 2 and listed(office, "1") == 0


def test_a_plan_of_a_seat_that_owes_nothing_is_told_as_what_comes_then(office: MailHarness) -> None:
    office.begin(ALICE, BOB, game="phoenix")
    waiting = next(who for who in (ALICE, BOB) if "owe orders" not in office.newest(who).text)
    seat = office.newest(waiting).text.partition("You are seat ")[2].partition(".")[0]
    office.answer(office.newest(waiting, "report"), "roll")
    office.later(seconds=1)
    office.answer(office.newest(waiting, "report"), "status")
    assert "Then: roll" in flat(office.newest(waiting, "answer")) and listed(office, seat) == 1
