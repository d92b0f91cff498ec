"""Outages: a deadline moves once by as long as nothing could be handed in, or nothing was read,
before it.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

import pytest
from sqlmodel import Session, select

from adjudicator.service.base.tables import PhaseRow, ServiceStamp
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.phases import stamps
from adjudicator.service.phases.stamps import DOORS, INBOX, WEB, WORKER
from tests.harness import Harness
from tests.service.test_masters import context, open_phase, told

NAMES = ("Alice", "Bob", "Charlie")
MINUTE = timedelta(minutes=1)
ALL = (*DOORS, WORKER)


@pytest.fixture
def uid(harness: Harness) -> str:
    """A match of three people in Round 1, due in two days, with a grace of ten minutes."""
    return harness.match(*NAMES)


def run(harness: Harness, first: float, last: float, roles: Iterable[str] = ALL) -> None:
    """Stamp the roles from minute `first` to minute `last` after the open phase's deadline; minus
    is before it.
    """
    with harness.database.write_tx() as session:
        deadline = session.exec(select(PhaseRow.deadline).order_by(PhaseRow.number.desc())).first()  # type: ignore[attr-defined]
        assert deadline is not None
        _stamp(
            session,
            [deadline + minute * MINUTE for minute in range(int(first), int(last) + 1)],
            roles,
        )


def _stamp(session: Session, minutes: list[datetime], roles: Iterable[str]) -> None:
    for minute in minutes:
        for role in roles:
            stamps.write_stamp(session, role, minute)


def close_after(harness: Harness, uid: str, minutes: float) -> bool:
    """Close the phase so many minutes after its deadline, if it then is due."""
    deadline = open_phase(harness, uid).deadline
    assert deadline is not None
    harness.now = deadline + minutes * MINUTE
    return harness.close(uid)


def moved(harness: Harness, uid: str, act: float = 10) -> timedelta:
    """Return by how much an attempt to close `act` minutes after the deadline moved it; zero if it
    closed the phase.
    """
    before = open_phase(harness, uid)
    if close_after(harness, uid, act):
        return timedelta(0)
    after = open_phase(harness, uid)
    assert (
        before.deadline is not None and after.deadline is not None and after.number == before.number
    )
    return after.deadline - before.deadline


def test_a_gap_of_all_roles_before_the_deadline_moves_it_by_its_length_and_everybody_is_told(
    harness: Harness, uid: str
) -> None:
    run(harness, -120, -31), run(harness, -5, 10)
    before = open_phase(harness, uid).deadline
    assert before is not None and moved(harness, uid) == 25 * MINUTE
    phase = open_phase(harness, uid)
    assert phase.closes_at == before + 35 * MINUTE and phase.moved_for_outage
    note = harness.page(uid).notes[0]
    assert (
        note.who == "the service"
        and "moved the deadline of Round 1 from Wed 4 Nov 2026 12:00 (UTC)" in note.what
    )
    assert "to Wed 4 Nov 2026 12:25 (UTC), as the service was down for 25 minutes" in note.what
    assert told(harness, "notice") == [f"{name.lower()}@example.org" for name in NAMES]
    assert context(harness, "notice")["who"] == "the service"
    harness.later(minutes=5)
    assert harness.order(uid, "Alice", "B3").disposition == "accepted"


@pytest.mark.parametrize(
    ("last", "first", "by"),
    [
        (-13, 0, 12),  # twelve minutes without a stamp, up to the deadline
        (-12, 0, 0),  # eleven
        (-61, -47, 13),  # from the hour's beginning: -60 .. -48
        (-62, -48, 13),  # twelve of its thirteen minutes are within the hour
        (-63, -49, 0),  # eleven of its thirteen minutes are within the hour
        (-90, -10, 79),  # it began before the hour and counts whole
        (-12, 200, 0),  # it is long, but only eleven minutes of it are before the deadline
        (-31, 120, 150),  # down from half an hour before the deadline until two hours after it
    ],
)
def test_a_gap_counts_if_twelve_minutes_of_it_are_in_the_hour_before_the_deadline(
    harness: Harness, uid: str, last: int, first: int, by: int
) -> None:
    run(harness, -120, last), run(harness, first, max(first, 10))
    assert moved(harness, uid, max(first, 10)) == by * MINUTE


def test_site_and_inbox_stand_in_for_each_other_and_nothing_for_the_worker(
    harness: Harness, uid: str
) -> None:
    run(harness, -120, -50), run(harness, -49, 10, (INBOX, WORKER))
    assert moved(harness, uid) == timedelta(0), "the inbox was up"
    run(harness, -120, -40), run(harness, -39, -20, (WEB, WORKER)), run(harness, -19, 10)
    assert moved(harness, uid) == timedelta(0), "the site was up"
    run(harness, -120, -40), run(harness, -39, -20, DOORS), run(harness, -19, 10)
    assert moved(harness, uid) == 20 * MINUTE, "no worker ran"


def test_gaps_of_both_kinds_count_once_where_they_overlap(harness: Harness, uid: str) -> None:
    run(harness, -120, -51, DOORS), run(harness, -30, 10, DOORS)
    run(harness, -120, -41, (WORKER,)), run(harness, -20, 10, (WORKER,))
    assert moved(harness, uid) == 30 * MINUTE


def test_a_deadline_moves_once_for_an_outage_and_at_most_by_a_day(
    harness: Harness, uid: str
) -> None:
    run(harness, -120, -31), run(harness, 1412, 1412)
    assert moved(harness, uid, 1412) == timedelta(days=1)
    run(harness, -60, -31), run(harness, 0, 10)
    assert close_after(harness, uid, 10)


def test_a_deadline_that_would_be_past_leaves_twelve_minutes(harness: Harness, uid: str) -> None:
    run(harness, -120, -31), run(harness, 5000, 5000)
    assert moved(harness, uid, 5000) == (5000 + 12) * MINUTE


def test_a_short_gap_long_after_which_nobody_closed_leaves_time_to_hand_in(
    harness: Harness,
) -> None:
    uid = harness.match(*NAMES, wish=Wish("pyramid", "Table", {}, grace_minutes=600))
    run(harness, -120, -31), run(harness, -15, 700)
    assert moved(harness, uid, 700) == 712 * MINUTE


def test_while_nothing_can_be_handed_in_the_phase_waits_for_a_day_at_most(
    harness: Harness, uid: str
) -> None:
    run(harness, -120, 10, (WORKER,)), run(harness, -120, -31, DOORS)
    before = open_phase(harness, uid)
    assert moved(harness, uid) == timedelta(0) and open_phase(harness, uid).number == 1
    assert (
        open_phase(harness, uid).closes_at == harness.now + MINUTE and told(harness, "notice") == []
    )
    run(harness, 11, 100, (WORKER,)), run(harness, 90, 100, DOORS)
    assert moved(harness, uid, 100) == 120 * MINUTE
    assert open_phase(harness, uid).deadline == (before.deadline or harness.now) + 120 * MINUTE


def test_a_site_that_never_comes_back_holds_a_phase_for_a_day(harness: Harness, uid: str) -> None:
    run(harness, -120, 1500, (WORKER,)), run(harness, -120, -31, DOORS)
    assert moved(harness, uid, 1409) == timedelta(0) and open_phase(harness, uid).number == 1
    assert moved(harness, uid, 1410) == timedelta(days=1)
    assert close_after(harness, uid, 10)


def test_no_stamps_at_all_or_none_before_the_deadline_are_no_outage(
    harness: Harness, uid: str
) -> None:
    run(harness, 5, 20)
    assert close_after(harness, uid, 20), "the service was upgraded, or is new"


def test_one_role_that_never_stamped_is_not_missed(harness: Harness, uid: str) -> None:
    run(harness, -120, -30, (WORKER,)), run(harness, -29, 10, (WORKER,))
    assert close_after(harness, uid, 10), "neither site nor inbox ever stamped"


def test_minutes_before_the_phase_opened_do_not_count(harness: Harness) -> None:
    uid = harness.match(*NAMES, wish=Wish("pyramid", "Table", {}, every_seconds=1200))
    run(harness, -120, -30), run(harness, -9, 10)
    assert close_after(harness, uid, 10), "eleven minutes of the gap are within the phase of twenty"
    run(harness, -7, 10)
    assert moved(harness, uid) == 12 * MINUTE, "what was before it is not given back"


def test_clocks_that_were_set_back_make_no_outage(harness: Harness, uid: str) -> None:
    run(harness, -120, 60), run(harness, -50, 10)
    assert moved(harness, uid) == timedelta(0)


def test_a_phase_that_is_ready_or_closed_by_the_master_is_not_delayed(
    harness: Harness, uid: str
) -> None:
    run(harness, -120, -31), run(harness, -5, 10)
    for name in NAMES:
        harness.order(uid, name, "B3")
    assert close_after(harness, uid, 10)
    run(harness, -120, -31), run(harness, -5, 10)
    deadline = open_phase(harness, uid).deadline
    assert deadline is not None
    harness.now = deadline - MINUTE
    masters.close_now(harness.database, uid, None, now=harness.now)
    assert harness.close(uid)


def test_closing_twice_moves_the_deadline_once(harness: Harness, uid: str) -> None:
    run(harness, -120, -31), run(harness, -5, 10)
    assert moved(harness, uid) == 25 * MINUTE
    first = open_phase(harness, uid)
    assert not harness.close(uid)
    again = open_phase(harness, uid)
    assert (first.deadline, len(told(harness, "notice"))) == (again.deadline, 3) and len(
        harness.page(uid).notes
    ) == 1


def test_it_moves_by_its_length_off_the_hours_of_a_timetable(harness: Harness) -> None:
    uid = harness.match(*NAMES, wish=Wish("pyramid", "Table", {}, timetable="12:00 UTC"))
    run(harness, -120, -31), run(harness, -5, 10)
    assert moved(harness, uid) == 25 * MINUTE


def test_old_stamps_are_erased_but_the_newest_of_each_role(harness: Harness) -> None:
    with harness.database.write_tx() as session:
        _stamp(session, [harness.now - timedelta(days=days) for days in (9, 7, 1)], (WEB, WORKER))
        _stamp(session, [harness.now - timedelta(days=8)], (INBOX,))
    stamps.erase_old(harness.database, harness.now)
    with harness.database.read_tx() as session:
        kept = sorted(
            (row.role, (harness.now - row.minute).days)
            for row in session.exec(select(ServiceStamp))
        )
    assert kept == [(INBOX, 8), (WEB, 1), (WEB, 7), (WORKER, 1), (WORKER, 7)]


def test_a_stamper_writes_a_minute_once_and_survives_a_lost_database(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(harness.database, "now", lambda: harness.now)
    stamper = stamps.Stamper(harness.database, WEB)
    for _ in range(5):
        stamper.stamp()
        harness.later(seconds=20)
    with harness.database.read_tx() as session:
        assert len(session.exec(select(ServiceStamp)).all()) == 2
    with harness.database.write_tx() as session:
        ServiceStamp.__table__.drop(session.connection())  # type: ignore[attr-defined]
    harness.later(minutes=5)
    stamper.stamp()
    assert told(harness, "notice") == [], "nothing was raised"
