"""What one seat may know of a match of RPS Phoenix: everything."""

from collections.abc import Mapping
from dataclasses import dataclass

from adjudicator.core.game import Seat
from adjudicator.games.kit.records import record_like
from adjudicator.games.phoenix.model.events import Ended, Part, Side
from adjudicator.games.phoenix.model.grid import Bird, Dice
from adjudicator.games.phoenix.model.state import Modes, Purse, State, Turn


@dataclass(frozen=True)
class TableView:
    """The table as `seat` (None: an observer) sees it."""

    seat: Seat | None
    phase: str  # "Turn 12, Red", "Turn 12, Red after the roll", "The end"
    part: Part
    turn: int  # completed turns
    # how many completed turns bring the Escalation (never before the opening is over)
    escalation_at: int
    limit_at: int  # how many completed turns end the match; 0 for no limit
    modes: Modes
    seats: tuple[Seat, ...]
    sides: tuple[Side, ...]  # the seats that win together
    birds: tuple[Bird, ...]  # three of each seat, in seat order: Rock, Paper, Scissors
    scores: Mapping[Seat, int]
    purses: Mapping[Seat, Purse]  # casino only: all zero without it
    pot: int
    on_turn: Seat | None  # the seat that decides; None at the end
    dice: Dice | None  # those the seat on turn is to use
    last: Turn | None
    ended: Ended | None


def phase_name(state: State) -> str:
    """Return the name of the decision point."""
    if state.ended:
        return "The end"
    after = " after the roll" if state.dice and state.part != "opening" else ""
    return f"Turn {state.turn + 1}, {state.on_turn}{after}"


def look(state: State, seat: Seat | None, *, reveal: bool = False) -> TableView:
    """Return the view of `seat`; everything is public, so `reveal` adds nothing."""
    return record_like(
        TableView,
        state,
        seat=seat,
        phase=phase_name(state),
        escalation_at=state.modes.escalation * len(state.seats),
        limit_at=state.modes.turn_limit * len(state.seats),
        on_turn=None if state.ended else state.on_turn,
    )
