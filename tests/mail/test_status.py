"""`status` by letter: what a seat sees of its own sealed orders, and who sees nothing sealed."""

from adjudicator.service.base.rows import by_uid, seats_of
from adjudicator.service.orders import disclosure
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_commands import flat


def listed(harness: MailHarness, seat: str) -> int:
    with harness.database.read_tx() as session:
        row = next(
            each for each in seats_of(session, by_uid(session, harness.uid)) if each.name == seat
        )
        return len(disclosure.list_disclosures(session, harness.uid, row.player_id or 0))


def test_status_to_a_seats_own_address_tells_what_it_sealed_and_lists_a_reading(
    harness_on_both: MailHarness,
) -> None:
    harness = harness_on_both
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(ALICE, "report")
    harness.answer(report, "B3", "THEN", "W2 OR W1")
    assert listed(harness, "1") == 0
    harness.later(seconds=1)
    assert harness.answer(report, "status").disposition == "commands"
    answer = harness.newest(ALICE, "answer")
    assert (
        "What you have sealed" in answer.text
        and "Round 1: B3 Then: W2 OR W1" in flat(answer)
        and "B3" in answer.html
    )
    assert (listed(harness, "1"), listed(harness, "2")) == (1, 0)


def test_status_tells_nothing_sealed_where_nothing_is(harness: MailHarness) -> None:
    harness.begin(ALICE, BOB, CHARLIE)
    harness.answer(harness.newest(ALICE, "report"), "status")
    assert (
        "What you have sealed" not in harness.newest(ALICE, "answer").text
        and listed(harness, "1") == 0
    )


def test_status_from_an_address_alone_opens_nothing(harness: MailHarness) -> None:
    """Nor does another match's address: only the reader of a seat's own letters is shown its
    orders.
    """
    harness.begin(ALICE, BOB, CHARLIE)
    first = harness.uid
    harness.answer(harness.newest(ALICE, "report"), "B3", "wait")
    harness.later(seconds=1)
    harness.begin(ALICE, BOB, CHARLIE, name="Morning Pyramid")
    harness.write(ALICE, SERVICE, f"status {first}")
    harness.answer(harness.newest(ALICE, "report"), f"status {first}")
    harness.uid = first
    harness.post_all()
    assert all(
        "; your receipt shows them" in flat(each) for each in harness.letters("answer", ALICE)
    )
    assert len(harness.letters("answer", ALICE)) == 2 and listed(harness, "1") == 0


def test_a_plan_of_a_seat_that_owes_nothing_is_told_as_what_comes_then(
    harness: MailHarness,
) -> None:
    harness.begin(ALICE, BOB, game="phoenix")
    waiting = next(who for who in (ALICE, BOB) if "owe orders" not in harness.newest(who).text)
    seat = harness.newest(waiting).text.partition("You are seat ")[2].partition(".")[0]
    harness.answer(harness.newest(waiting, "report"), "roll")
    harness.later(seconds=1)
    harness.answer(harness.newest(waiting, "report"), "status")
    assert "Then: roll" in flat(harness.newest(waiting, "answer")) and listed(harness, seat) == 1
