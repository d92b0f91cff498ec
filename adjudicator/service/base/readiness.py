"""Whom an open phase still waits for: ready and wait, and the moment it closes at."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlmodel import Session, col, select

from adjudicator.platform.db import Database
from adjudicator.service.base.errors import NotAllowed, NotNow
from adjudicator.service.base.rows import locked, seats_of, sitting
from adjudicator.service.base.tables import Due, Match, PhaseRow, Seat


@dataclass(frozen=True)
class Desk:
    """Where orders are handed in: a match that the caller has locked, its phase and the seat."""

    match: Match
    phase: PhaseRow
    seat: Seat


def open_phase(session: Session, match: Match) -> PhaseRow | None:
    """Return the phase of a running match that waits for orders."""
    if match.status != "running":
        return None
    return session.exec(select(PhaseRow).where(PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_(None))).first()


def why_not_open(match: Match) -> str:
    """Return the sentence for a player who hands something in while no phase of the match is open."""
    if match.status in ("making", "open"):
        return "This match has not begun; orders can be handed in once every seat is taken."
    if match.status == "stuck":
        return "This match stands still because of a fault; its master was told. Nothing was lost."
    return "This match is over; no orders are owed any more."


def last_call(phase: PhaseRow) -> datetime:
    """Return deadline and grace: from that moment on nothing counts."""
    if phase.deadline is None:
        raise NotNow("Nobody owes orders in this phase.")
    return phase.deadline + timedelta(seconds=phase.grace_seconds)


def on_its_clock(match: Match, at: datetime) -> datetime:
    """Return a moment as a match's deadlines are compared with: while it is paused its clock stands at the moment of the pause."""
    return at if match.paused_at is None else min(at, match.paused_at)


def set_closing(session: Session, match: Match, phase: PhaseRow, now: datetime) -> None:
    """Let the phase close now when every due seat is ready, else at deadline and grace, not at all while the match is paused.

    The match is locked by the caller.
    """
    at_once = phase.why in ("forced", "master") or all_ready(session, match, phase)
    phase.closes_at = None if match.paused_at is not None else now if at_once else last_call(phase)


def all_ready(session: Session, match: Match, phase: PhaseRow) -> bool:
    """Whether no due seat has to be waited for."""
    dues = session.exec(select(Due).where(Due.phase_id == phase.id)).all()
    return bool(dues) and all(is_ready(match.ready_rule, due) for due in dues)


def is_ready(rule: str, due: Due) -> bool:
    """Whether one seat is ready: it said so, or its orders are complete and it did not say wait."""
    return due.says == "ready" or (rule == "complete" and due.complete and due.says != "wait")


def say_readiness(database: Database, uid: str, player_id: int, word: Literal["ready", "wait"], *, now: datetime) -> bool:
    """Say `ready` or `wait` without changing the orders; returns whether the phase can close at once.

    Raises NotAllowed without a due seat, NotNow after the deadline and grace.
    """
    with database.write_tx() as session:
        match = locked(session, uid)
        seat = sitting(seats_of(session, match), player_id)
        phase = open_phase(session, match)
        if seat is None or phase is None:
            raise (NotNow(why_not_open(match)) if seat else NotAllowed("You have no seat in this match."))
        return say_in(session, Desk(match, phase, seat), word, now=now)


def say_in(session: Session, desk: Desk, word: Literal["ready", "wait"], *, now: datetime) -> bool:
    """Say it in a match that the caller has locked; returns whether the phase can close at once. Raises NotNow."""
    phase = desk.phase
    due = session.exec(select(Due).where(Due.phase_id == phase.id, Due.seat == desk.seat.name)).first()
    if due is None:
        raise NotNow("You owe no orders in this phase.")
    if on_its_clock(desk.match, now) >= last_call(phase):
        raise NotNow(f"The deadline of {phase.name} has passed.")
    due.says = word
    session.flush()
    set_closing(session, desk.match, phase, now)
    return phase.closes_at is not None and phase.closes_at <= now
