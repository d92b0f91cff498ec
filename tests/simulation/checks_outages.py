"""Outages: a deadline moves by the time that the service was down before it, once, with a note;
nothing else moves it.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise

from sqlmodel import Session, select

from adjudicator.service.base.tables import MasterNote, PhaseRow, ServiceStamp
from adjudicator.service.matches.notes import SERVICE
from adjudicator.service.phases import stamps
from tests.simulation.ledger import ClockReading
from tests.simulation.scene import Check, Scene, ends

_DOORS, _WORKER = ("web", "inbox"), ("worker",)
# of docs/timetables.md
_HOUR, _LEAST, _MOST = timedelta(hours=1), timedelta(minutes=12), timedelta(days=1)
_ABOUT = timedelta(minutes=2)  # stamps tell minutes
_WEEKENDS_OFF = "UTC; not on Saturday and Sunday"  # in `clocks`
_NOTED = "as the service was down"

Stamps = frozenset[tuple[str, datetime]]


def a_deadline_moves_by_the_outage(_: Session, scene: Scene) -> Iterator[str]:
    """It moves by the length of the gap in the stamps, at most by a day, if twelve minutes of it
    are in its last hour.

    Then on to a day that has deadlines, at the same time of the day.
    """
    for phase, before, after in _moves(scene):
        assert before.deadline is not None and after.deadline is not None
        gap = _gap(after.stamps, before.opened, before.deadline, after.at)
        wanted = before.deadline + min(gap, _MOST)
        if wanted <= after.at:
            wanted = after.at + _LEAST
        # in UTC, as its hours
        while _WEEKENDS_OFF in (
            scene.matches[phase.match_id].timetable or ""
        ) and wanted.weekday() in (5, 6):
            wanted += timedelta(days=1)
        where = f"the deadline {before.deadline} of phase {phase.number} of match {phase.match_id}"
        if gap == timedelta(0):
            yield f"{where} was moved at {after.at}, and nothing was down before it"
        elif abs(after.deadline - wanted) > _ABOUT:
            yield (
                f"{where} was moved at {after.at} to {after.deadline}, and the service was down for"
                f" {gap}"
            )


def _moves(scene: Scene) -> list[tuple[PhaseRow, ClockReading, ClockReading]]:
    """Return the deadlines that moved for an outage, with the clock before and after."""
    found = []
    for (uid, number), readings in scene.ledger.clocks.items():
        phase = scene.phase(uid, number)
        moved = [
            (one, other)
            for one, other in pairwise(readings)
            if other.moved_for_outage and not one.moved_for_outage
        ]
        if phase is not None and uid not in scene.ledger.run_by_hand:
            found += [
                (phase, one, other)
                for one, other in moved
                if one.deadline is not None and other.deadline is not None
            ]
    return found


def _gap(known: Stamps, opened: datetime, deadline: datetime, now: datetime) -> timedelta:
    """Return for how long the service was down around a deadline, zero if it was for less than
    twelve minutes of the last hour.
    """
    down: set[datetime] = set()
    for roles in (_DOORS, _WORKER):
        minutes = sorted({minute for role, minute in known if role in roles and minute <= now})
        for one, other in pairwise([*minutes, now]):
            start, end = one + timedelta(minutes=1), other
            within = min(end, deadline) - max(start, deadline - _HOUR, opened)
            if within >= _LEAST:
                first = max(start, opened)
                down |= {
                    first + timedelta(minutes=number)
                    for number in range(max(0, round((end - first) / timedelta(minutes=1))))
                }
    return timedelta(minutes=len({minute.replace(second=0, microsecond=0) for minute in down}))


def nothing_closes_right_after_an_outage(session: Session, scene: Scene) -> Iterator[str]:
    """A phase that closed because its time was over, and whose deadline did not move, had no outage
    before it.
    """
    known = frozenset(
        (role, minute)
        for role, minute in session.exec(select(ServiceStamp.role, ServiceStamp.minute))
    )
    for phase in scene.phases:
        if (
            phase.closed_at is None
            or phase.why != "deadline"
            or phase.deadline is None
            or phase.moved_for_outage
        ):
            continue
        if (
            phase.overtime_until is not None
            or scene.matches[phase.match_id].uid in scene.ledger.run_by_hand
        ):
            continue
        seen = frozenset(each for each in known if each[1] <= phase.closed_at - _ABOUT)
        gap = _gap(
            seen, phase.opened_at, phase.deadline - timedelta(minutes=1), phase.closed_at - _ABOUT
        )
        if gap:
            yield (
                f"phase {phase.number} of match {phase.match_id} was closed at {phase.closed_at},"
                f" and the service had been down for {gap}"
            )


def the_service_was_down_where_it_says_so(_: Session, scene: Scene) -> Iterator[str]:
    """What moves a deadline is a time in which processes were ended or stood still, by the world's
    own record.
    """
    for phase, before, after in _moves(scene):
        assert before.deadline is not None
        around = [
            each
            for each in scene.ledger.outages
            if each.since < before.deadline and each.until > before.deadline - _HOUR
        ]
        if (
            not any(each.until - each.since >= timedelta(minutes=5) for each in around)
            and not scene.world.fired["freeze"]
        ):
            yield (
                f"the deadline {before.deadline} of phase {phase.number} was moved at {after.at},"
                " and nothing was down"
            )


def an_outage_moves_a_deadline_once_and_is_told(session: Session, scene: Scene) -> Iterator[str]:
    """There is one note of it for each phase that it moved, and one letter for each seat: those are
    counted with the masters'.
    """
    for match in scene.matches.values():
        rows = session.exec(
            select(MasterNote).where(MasterNote.match_id == match.id, MasterNote.who == SERVICE)
        )
        told = [row.what for row in rows if _NOTED in row.what]
        names = sorted(phase.name for phase in scene.of_match[match.uid] if phase.moved_for_outage)
        said = sorted(
            what.removeprefix("moved the deadline of ").partition(" from ")[0] for what in told
        )
        if said != names:
            yield f"{match.uid} tells of outages in {said}, and they moved {names}"


def orders_count_until_the_moved_deadline(_: Session, scene: Scene) -> Iterator[str]:
    """Nobody who hands in after a deadline was moved, and before the new one, is told that it has
    passed.
    """
    moved = {(phase.match_id, phase.number): after for phase, _, after in _moves(scene)}
    for told in scene.ledger.told:
        phase = scene.phase(told.uid, told.answer.phase)
        after = moved.get((phase.match_id, phase.number)) if phase is not None else None
        if phase is None or after is None or not told.answer.reason.startswith("The deadline"):
            continue
        if after.at <= told.at and told.answer.at < ends(phase):
            yield (
                f"seat {told.seat} of {told.uid} was told at {told.answer.at} that phase"
                f" {phase.number} was over"
            )


def those_that_run_leave_stamps(session: Session, scene: Scene) -> Iterator[str]:
    """No stamp is of a minute in which its role was down."""
    kept = {
        (role, minute)
        for role, minute in session.exec(select(ServiceStamp.role, ServiceStamp.minute))
    }
    for down in scene.ledger.outages:
        roles = [role for role, slots in _SLOTS.items() if slots <= set(down.slots)]
        for role, minute in sorted(kept):
            if role in roles and down.since + stamps.MINUTE < minute < down.until - stamps.MINUTE:
                yield f"the {role} left a stamp at {minute}, when it was down"


_SLOTS = {"web": {"web"}, "inbox": {"inbox"}, "worker": {"worker 1", "worker 2"}}

CHECKS: tuple[Check, ...] = (
    a_deadline_moves_by_the_outage,
    nothing_closes_right_after_an_outage,
    the_service_was_down_where_it_says_so,
    an_outage_moves_a_deadline_once_and_is_told,
    orders_count_until_the_moved_deadline,
    those_that_run_leave_stamps,
)
