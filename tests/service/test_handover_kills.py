"""A process that is killed while a seat changes hands: it changed hands or it did not, and doing it
again does it once.
"""

import os
import signal
from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlmodel import col, select

from adjudicator.platform.db import Database
from adjudicator.platform.failpoints import TEST_SETTING
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.tables import FormerTenure, Letter
from adjudicator.service.handover import leaving, substitutes, takeovers
from tests.cast import CHARLIE
from tests.harness import Harness
from tests.service.changing_hands import DAVE, begin, lend, notes, seat

WHEN = ("before", "after")
Act = Callable[[Database], object]


def kill_at(harness: Harness, point: str, act: Act) -> None:
    """Act in a process that is killed at a named point."""
    pid = os.fork()
    if not pid:
        try:
            os.environ[TEST_SETTING] = point
            act(
                harness.keychain.bind(
                    Database(harness.database.engine.url.render_as_string(hide_password=False))
                )
            )
        finally:
            os._exit(1)
    assert os.WTERMSIG(os.waitpid(pid, 0)[1]) == signal.SIGKILL


def again(harness: Harness, act: Act) -> None:
    """Act again, as somebody does who got no answer; it may be refused by now."""
    try:
        act(harness.database)
    except Refused:
        return


def first_letters(harness: Harness, who: str) -> int:
    """Return how many reports of seat 3 were written to somebody in a later tenure than the
    first.
    """
    with harness.database.read_tx() as session:
        found = select(Letter.id).where(
            Letter.kind == "report", Letter.seat == "3", Letter.tenure > 1
        )
        return len(session.exec(found.where(Letter.address == f"{who.lower()}@example.org")).all())


def ended(harness: Harness) -> list[str]:
    """Return why each former tenure ended, in order."""
    with harness.database.read_tx() as session:
        return list(session.exec(select(FormerTenure.why).order_by(col(FormerTenure.id))))


@pytest.mark.both_databases
@pytest.mark.parametrize("when", WHEN)
def test_a_seat_is_taken_once_by_who_was_killed_while_taking_it(
    harness: Harness, when: str
) -> None:
    uid, now, dave = begin(harness), harness.later(minutes=1), harness.player(DAVE)
    leaving.resign(harness.database, uid, harness.player(CHARLIE), now=now)
    told = len(notes(harness, uid))

    def take(database: Database) -> object:
        return takeovers.take_seat(database, uid, dave, "3", now=now)

    kill_at(harness, f"take_seat.{when}_commit", take)
    assert (seat(harness, uid, "3").player_id, first_letters(harness, DAVE)) == (
        (None, 0) if when == "before" else (dave, 1)
    )
    again(harness, take)
    assert (
        seat(harness, uid, "3").player_id,
        seat(harness, uid, "3").tenure,
        first_letters(harness, DAVE),
    ) == (dave, 2, 1)
    assert sum("took over" in each for each in notes(harness, uid)[told:]) == 1


@pytest.mark.both_databases
@pytest.mark.parametrize("when", WHEN)
def test_a_seat_is_resigned_once_by_who_was_killed_while_leaving_it(
    harness: Harness, when: str
) -> None:
    uid, now, charlie = begin(harness), harness.later(minutes=1), harness.player(CHARLIE)

    def resign(database: Database) -> object:
        return leaving.resign(database, uid, charlie, now=now)

    kill_at(harness, f"resign.{when}_commit", resign)
    assert seat(harness, uid, "3").player_id == (charlie if when == "before" else None)
    again(harness, resign)
    left = seat(harness, uid, "3")
    assert (left.player_id, left.tenure, left.open_since, ended(harness)) == (
        None,
        2,
        now,
        ["resigned"],
    )
    assert sum("resigned" in each for each in notes(harness, uid)) == 1


@pytest.mark.both_databases
@pytest.mark.parametrize("when", WHEN)
def test_a_lent_seat_is_returned_once_by_workers_of_whom_one_was_killed(
    harness: Harness, when: str
) -> None:
    uid, charlie = begin(harness), harness.player(CHARLIE)
    lend(harness, uid, CHARLIE, DAVE, days=1)
    now = harness.later(days=1) + timedelta(seconds=1)

    def give_back(database: Database) -> object:
        return substitutes.return_seats(database, uid, now=now)

    kill_at(harness, f"return.{when}_commit", give_back)
    assert seat(harness, uid, "3").player_id == harness.player(
        DAVE if when == "before" else CHARLIE
    )
    assert substitutes.return_seats(harness.database, uid, now=now) == (
        1 if when == "before" else 0
    )
    kept = seat(harness, uid, "3")
    assert (kept.player_id, kept.owner_id, kept.tenure, ended(harness)) == (
        charlie,
        None,
        3,
        ["lent", "returned"],
    )
    assert (
        first_letters(harness, CHARLIE) == 1
        and sum("back" in each for each in notes(harness, uid)) == 1
    )
