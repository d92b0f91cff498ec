"""What a viewer's seat owes in the open phase, or may plan for."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from adjudicator.core.game import Slots
from adjudicator.service.base.due.phase_clock import is_ready, last_call
from adjudicator.service.base.state import conceded_in, game_of, load_state
from adjudicator.service.base.tables import Match, PhaseRow
from adjudicator.service.base.tables import Seat as SeatRow
from adjudicator.service.orders.envelopes import is_inherited, newest_envelope
from adjudicator.service.phases import reports
from adjudicator.service.views.match_list import due_of
from adjudicator.service.views.table.closed_phases import ClosedPhase


@dataclass(frozen=True)
class Owed:
    """What the viewer owes in the open phase."""

    number: int
    phase: str
    seat: str
    slots: Slots
    deadline: datetime
    last_call: datetime
    handed_in_at: datetime | None
    says: str
    ready: bool
    complete: bool  # whether the orders leave nothing open and no line was refused
    late: bool  # whether the seat had handed in nothing when the overtime began
    notes: tuple[str, ...]
    inherited: bool = False  # whether a former player's orders count, which nobody is shown


@dataclass(frozen=True)
class Planning:
    """A seat that owes nothing in the open phase, and may plan for its next one (ruling G5)."""

    number: int
    phase: str
    seat: str
    # when the current plan was handed in; for a plan carried over, when this phase opened
    planned_at: datetime | None


@dataclass(frozen=True)
class Here:
    """Where a viewer sits."""

    match: Match
    phase: PhaseRow | None  # the open one
    seat: SeatRow | None
    # the closed phases that the viewer's page retells, oldest first
    newest: tuple[ClosedPhase, ...]


def owed(session: Session, here: Here) -> Owed | None:
    """Return what the viewer's seat owes, None if it owes nothing."""
    phase, seat = here.phase, here.seat
    due = due_of(session, phase, seat.name if seat else None)
    if phase is None or due is None or seat is None or phase.deadline is None:
        return None
    dropped: list[ClosedPhase | PhaseRow] = [
        *(each for each in here.newest if each.has_dropped(seat.name)),
        *([phase] if seat.name in phase.dropped else []),
    ]
    own = [each for each in dropped if seat.tenure == 1 or _since(seat, each)]
    inherited, game = is_inherited(session, phase, seat), game_of(here.match)
    notes = [reports.dropped_line(each.name) for each in own] + (
        [reports.INHERITED.format(phase=phase.name)] if inherited else []
    )
    return Owed(
        phase.number,
        phase.name,
        seat.name,
        game.slots(load_state(game, phase.before), seat.name),
        phase.deadline,
        last_call(phase),
        None if inherited else due.handed_in_at,
        due.says or "",
        is_ready(here.match.ready_rule, due),
        due.complete,
        due.late,
        tuple(notes),
        inherited,
    )


def _since(seat: SeatRow, phase: PhaseRow | ClosedPhase) -> bool:
    """Whether a phase was opened in the present tenure of a seat."""
    return seat.taken_at is not None and phase.opened_at >= seat.taken_at


def planning(session: Session, here: Here) -> Planning | None:
    """Return what the viewer's seat may plan for; None if it owes orders, if no phase is open, or
    without a seat that plays.
    """
    phase, seat = here.phase, here.seat
    if (
        phase is None
        or seat is None
        or seat.name in conceded_in(here.match)
        or due_of(session, phase, seat.name) is not None
    ):
        return None
    planned = newest_envelope(session, phase, seat)
    return Planning(phase.number, phase.name, seat.name, planned.at if planned else None)
