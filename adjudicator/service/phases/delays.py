"""What keeps a phase open when its time is over: an outage of the service, or overtime for seats
that are late.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from adjudicator.platform.db import Database
from adjudicator.platform.words import format_duration
from adjudicator.service.base import public_keys
from adjudicator.service.base.due.phase_clock import last_call, owing_seats, set_closing
from adjudicator.service.base.rows import plays, seats_of
from adjudicator.service.base.state import progress_of
from adjudicator.service.base.tables import Due, Match, PhaseRow, Player, Seat
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.match_content import LateLetter
from adjudicator.service.matches import timetables
from adjudicator.service.matches.notes import SERVICE, add_note, in_utc
from adjudicator.service.matches.tenure_letters import ClockChange
from adjudicator.service.phases import stamps
from adjudicator.service.phases.opening import Clock, as_written, lock_unchanged
from adjudicator.service.phases.reminders import write_reminder
from adjudicator.service.phases.stamps import MINUTE, Outage


def is_delayed(session: Session, match: Match, phase: PhaseRow, now: datetime) -> bool:
    """Whether a phase whose time is over stays open all the same; `delay_closing` decides it under
    the match's lock.
    """
    return _outage(session, phase, now) is not None or bool(_late_seats(session, match, phase))


def delay_closing(
    database: Database, seen: Match, phase: PhaseRow, *, now: datetime, clock: Clock | None = None
) -> bool:
    """Keep a phase open that is due only because its time is over; returns whether it stays open.

    1. After an outage the deadline moves by its length, once. While nothing can be handed in still,
       the phase waits: it is looked at again each minute.
    2. Where the match grants overtime and a seat is late, its overtime begins, once.

    Returns False if the match changed since it was `seen`, or if nothing delays the phase any more.
    """
    with database.write_tx() as session:
        match = lock_unchanged(session, seen)
        if match is None:
            return False
        stored, at = session.get_one(PhaseRow, phase.id), as_written(now, clock)
        outage = _outage(session, stored, at)
        if outage is not None:
            _move(session, match, stored, outage, at)
            return True
        late = _late_seats(session, match, stored)
        if late:
            _begin_overtime(session, match, stored, late, at)
        return bool(late)


# --- outages


def _outage(session: Session, phase: PhaseRow, now: datetime) -> Outage | None:
    """Return the outage that delays a phase, None if there was none, the deadline moved for one
    already, or had its overtime.
    """
    if phase.deadline is None or phase.moved_for_outage or phase.overtime_until is not None:
        return None
    return stamps.find_outage(session, phase.opened_at, phase.deadline, now)


def _move(session: Session, match: Match, phase: PhaseRow, outage: Outage, now: datetime) -> None:
    assert phase.deadline is not None  # noqa: S101 `_outage` looked
    if not outage.over:
        phase.closes_at = now + MINUTE
        return
    was, new = phase.deadline, phase.deadline + outage.length
    phase.moved_for_outage = True
    phase.deadline = timetables.past_days_off(
        match, new if new > now else now + stamps.SHORTEST_OUTAGE
    )
    set_closing(session, match, phase, now)
    why = f"as the service was down for {format_duration(outage.length.total_seconds())}"
    add_note(
        session,
        match,
        now,
        SERVICE,
        f"moved the deadline of {phase.name} from {in_utc(was)} to {in_utc(phase.deadline)}, {why}",
        news=ClockChange("deadline", was=was, outage=True),
    )


# --- overtime


def _late_seats(session: Session, match: Match, phase: PhaseRow) -> list[Seat]:
    """Return the seats for which overtime begins: those that owe, where the match grants it and the
    phase had none.
    """
    return (
        owing_seats(session, match, phase)
        if match.overtime_seconds and phase.overtime_until is None
        else []
    )


def _begin_overtime(
    session: Session, match: Match, phase: PhaseRow, late: Sequence[Seat], now: datetime
) -> None:
    """Keep the phase open for its late seats, and write to them. The public note names nobody.

    The overtime is at most half as long as the phase. It begins with the end of the grace, after a
    delay of the closing now.
    """
    assert phase.deadline is not None  # noqa: S101 it has passed
    over, length = (
        last_call(phase),
        min(timedelta(seconds=match.overtime_seconds), (phase.deadline - phase.opened_at) / 2),
    )
    phase.overtime_after, phase.overtime_until = (
        phase.deadline,
        (over if now - over < MINUTE else now) + length,
    )
    for due in session.exec(
        select(Due).where(Due.phase_id == phase.id, col(Due.seat).in_([seat.name for seat in late]))
    ):
        due.late = True
    session.flush()
    set_closing(session, match, phase, now)
    add_note(
        session,
        match,
        now,
        SERVICE,
        f"granted {phase.name} overtime until {in_utc(phase.overtime_until)}",
    )
    for seat in late:
        write_reminder(session, match, phase, seat, now=now, overtime=True)
    _tell_master(session, match, phase, late, now)


def _tell_master(
    session: Session, match: Match, phase: PhaseRow, late: Sequence[Seat], now: datetime
) -> None:
    """Write to the master who is late, unless the master plays too or the match shows no progress,
    as an anonymous one.
    """
    master = session.get_one(Player, match.master_id)
    if (
        progress_of(match) == "none"
        or plays(seats_of(session, match), master.id)
        or master.address is None
        or not master.letters
    ):
        return
    assert phase.overtime_until is not None  # noqa: S101 it has begun
    letter = LateLetter(
        match=match.name,
        uid=match.uid,
        game_key=match.game,
        zone=master.zone,
        phase=phase.name,
        seats=tuple(seat.name for seat in late),
        until=phase.overtime_until,
    )
    keys, about = public_keys.current_keys(session), outbox.LetterReference(match.id)
    outbox.write_to(session, master, letter, now=now, about=about, keys=keys)
