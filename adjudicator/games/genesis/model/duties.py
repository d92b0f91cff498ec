"""Where a seat may place, when its turn includes a duty deed, and when it can only pass."""

from adjudicator.core.game import Seat
from adjudicator.games.genesis.model.state import State
from adjudicator.games.genesis.model.world import CELLS, Square


def free_cells(state: State) -> tuple[Square, ...]:
    """Return the empty cells."""
    return tuple(cell for cell in CELLS if state.bare(cell))


def placing_cells(state: State, seat: Seat) -> tuple[Square, ...]:
    """Return the free cells for a turn's pyramid or deed: while the seat builds its tombs, only its
    own tomb cells.
    """
    side = state.side(seat)
    own = side.tomb_cells
    return tuple(cell for cell in free_cells(state) if not side.building or cell in own)


def has_to_place(state: State, seat: Seat) -> bool:
    """Whether the seat may not pass: both its pieces are buried and it can place something as its
    turn (R10).
    """
    side = state.side(seat)
    return side.buried and bool(side.pyramids or side.deeds) and bool(placing_cells(state, seat))


def under_duty(state: State, seat: Seat) -> bool:
    """Whether a turn of `seat` that begins in `state` includes a duty deed: the other's tombs are
    complete, its own are not.
    """
    return state.other(seat).completed and not state.side(seat).completed


def duty_cells(state: State, seat: Seat) -> tuple[Square, ...]:
    """Return the cells on which a duty deed may be placed in `state`, the state after the turn's
    order.

    The result is () if that order completed the seat's tombs, or the seat has no deed in hand.
    """
    side = state.side(seat)
    if side.completed or not side.deeds:
        return ()
    return tuple(cell for cell in free_cells(state) if cell not in side.tomb_cells)


def over_for(state: State, seat: Seat) -> bool:
    """Whether both pieces of a seat are buried and it can place nothing, not even a duty deed."""
    if not state.side(seat).buried or has_to_place(state, seat):
        return False
    return not (under_duty(state, seat) and duty_cells(state, seat))
