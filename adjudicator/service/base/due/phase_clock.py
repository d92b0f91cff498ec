"""When a phase closes: its last call, its overtime, and who is waited for."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Protocol

from sqlmodel import Session

from adjudicator.core.game import Seat as SeatName
from adjudicator.platform import wakeups
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.rows import dues_of, house_players, seats_of
from adjudicator.service.base.state import conceded_in
from adjudicator.service.base.storing import change_row
from adjudicator.service.base.tables import Due, Match, PhaseRow, Seat


def last_call(phase: PhaseRow) -> datetime:
    """Return the deadline plus grace, or the end of the overtime; later orders do not count. Raises
    NotNow without a deadline.
    """
    if phase.deadline is None:
        raise NotNow("Nobody owes orders in this phase.")
    if phase.overtime_until is not None and in_overtime(phase):
        return phase.overtime_until
    return phase.deadline + timedelta(seconds=phase.grace_seconds)


def in_overtime(phase: PhaseRow) -> bool:
    """Whether overtime has followed the deadline; a deadline that moved since has ended it."""
    return phase.overtime_until is not None and phase.overtime_after == phase.deadline


def on_its_clock(match: Match, at: datetime) -> datetime:
    """Return the time to compare with a match's deadlines: `at`, or the start of the pause if that
    is earlier.
    """
    return at if match.paused_at is None else min(at, match.paused_at)


def set_closing(
    session: Session, match: Match, phase: PhaseRow, now: datetime, *, ready: bool | None = None
) -> None:
    """Set when the phase closes, in a match that the caller has locked; `ready` is `all_ready`
    where the caller knows it.

    1. A paused match: not at all.
    2. Every due seat is ready, or the phase was forced, closed by the master or stopped: now.
    3. Otherwise: after the deadline and grace.
    """
    at_once = phase.why in ("forced", "master", "stopped") or (
        all_ready(session, match, phase) if ready is None else ready
    )
    closes_at = None if match.paused_at is not None else now if at_once else last_call(phase)
    if closes_at is not None and closes_at <= now:
        wakeups.wake(session, wakeups.CLOSE, match.uid)
    change_row(
        session,
        phase,
        closes_at=closes_at,
        remind_at=None if match.paused_at is not None else next_reminder(match, phase),
    )


def next_reminder(match: Match, phase: PhaseRow) -> datetime | None:
    """Return when those who owe orders are next reminded, None if they are not.

    No reminder falls into the first quarter of its phase, and each comes once. It follows a
    deadline that moves.
    """
    if phase.deadline is None or phase.why is not None:
        return None
    first = phase.opened_at + (phase.deadline - phase.opened_at) / 4
    moments = [phase.deadline - timedelta(minutes=minutes) for minutes in match.reminders]
    return min(
        (
            at
            for at in moments
            if at >= first and (phase.reminded_until is None or at > phase.reminded_until)
        ),
        default=None,
    )


def all_ready(session: Session, match: Match, phase: PhaseRow) -> bool:
    """Whether every due seat is ready, in overtime every late one; False where no seat is due."""
    dues = [due for due in dues_of(session, phase) if due.late or not in_overtime(phase)]
    return bool(dues) and all(is_ready(match.ready_rule, due) for due in dues)


def owing_seats(
    session: Session, match: Match, phase: PhaseRow, *, inherited: Collection[SeatName] = ()
) -> list[Seat]:
    """Return the seats of people who owe orders and have handed in nothing, in seat order.

    A seat that said `ready` wants the default. Nobody waits for one that conceded or looks for a
    new player. `inherited` are seats that owe although orders count, as only a former player handed
    in.
    """
    dues = dues_of(session, phase)
    silent = {due.seat for due in dues if due.handed_in_at is None or due.seat in inherited}
    owing = silent - {due.seat for due in dues if due.says == "ready"} - conceded_in(match).keys()
    bots = house_players(session, match)
    return [
        seat
        for seat in seats_of(session, match)
        if seat.name in owing and seat.open_since is None and seat.player_id not in {None, *bots}
    ]


class Readiness(Protocol):
    """What a seat has said, by its row or by its signed requests."""

    @property
    def complete(self) -> bool: ...

    @property
    def says(self) -> str | None: ...


def is_ready(rule: str, due: Readiness) -> bool:
    """Whether one seat is ready: it said `ready`, or rule `complete` applies, its orders are
    complete and it did not say `wait`.
    """
    return due.says == "ready" or (rule == "complete" and due.complete and due.says != "wait")


def is_silent(due: Due) -> bool:
    """Whether a due seat gave no sign: it handed in nothing and said neither `ready` nor `wait`
    (NMR).
    """
    return due.handed_in_at is None and due.says is None
