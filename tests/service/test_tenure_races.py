"""Seats that change hands at the same moment as something else, on both databases."""

import pytest
from sqlmodel import select

from adjudicator.service.base.errors import Refused
from adjudicator.service.base.tables import FormerTenure, Seat
from adjudicator.service.handover import leaving, substitutes, takeovers
from adjudicator.service.phases import closing
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness
from tests.service.changing_hands import DAVE, ERIN, begin, lend, seat
from tests.service.test_races import at_once


@pytest.mark.both_databases
def test_of_two_takers_at_once_one_has_the_seat(harness: Harness) -> None:
    uid = begin(harness)
    leaving.resign(harness.database, uid, harness.player(CHARLIE), now=harness.now)
    people = {who: harness.player(who) for who in (DAVE, ERIN)}

    def take(who: str) -> str:
        try:
            return takeovers.take_seat(
                harness.database, uid, people[who], "3", now=harness.now
            ).address.row
        except Refused:
            return ""

    got = dict(zip(people, at_once(lambda: take(DAVE), lambda: take(ERIN)), strict=True))
    winner = next(who for who in got if got[who])
    assert sum(map(bool, got.values())) == 1
    taken = seat(harness, uid, "3")
    assert (taken.player_id, taken.tenure, f"{uid}/{taken.id}") == (people[winner], 2, got[winner])


@pytest.mark.both_databases
def test_a_seat_that_changes_hands_while_its_phase_is_worked_out_keeps_the_orders_and_drops_the_plan(
    harness: Harness,
) -> None:
    uid = begin(harness)
    for who, text in ((ALICE, "B3"), (BOB, "C3"), (CHARLIE, "W3 THEN W2")):
        harness.order(uid, who, text)
    write = closing._write

    def late(*arguments: object, **more: object) -> bool:
        closing._write = write
        leaving.resign(harness.database, uid, harness.player(CHARLIE), now=harness.now)
        return write(*arguments, **more)  # type: ignore[arg-type]

    closing._write = late  # type: ignore[assignment]
    try:
        assert harness.close(uid)
    finally:
        closing._write = write
    assert next(each for each in harness.story(uid, 1).orders if each.seat == "3").lines == ("W3",)
    takeovers.take_seat(harness.database, uid, harness.player(DAVE), now=harness.now)
    owed = harness.page(uid, DAVE).owed
    assert owed is not None and not owed.inherited and owed.handed_in_at is None, (
        "the plan was not carried"
    )


@pytest.mark.both_databases
def test_a_substitutes_end_in_the_moment_of_a_close_returns_the_seat_once(harness: Harness) -> None:
    uid = begin(harness)
    lend(harness, uid, CHARLIE, DAVE, days=2)
    harness.order(uid, DAVE, "W3")
    harness.later(days=2, minutes=10)
    harness.order(uid, ALICE, "B3")
    works = (
        lambda: substitutes.return_seats(harness.database, uid, now=harness.now),
        lambda: harness.close(uid),
        lambda: substitutes.return_seats(harness.database, uid, now=harness.now),
    )
    returned, closed, again = at_once(*works)
    assert (returned + again, closed) == (1, True)
    assert next(each for each in harness.story(uid, 1).orders if each.seat == "3").lines == ("W3",)
    with harness.database.read_tx() as session:
        assert len(session.exec(select(FormerTenure)).all()) == 2
        assert session.exec(select(Seat).where(Seat.name == "3")).one().player_id == harness.player(
            CHARLIE
        )
