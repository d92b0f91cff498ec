"""What a seat owes and where it may place: the tombs' cells, the duty deed, and when it is over for a seat."""

from adjudicator.core.game import Seat
from adjudicator.games.genesis.model.state import State
from adjudicator.games.genesis.model.world import CELLS, Square


def free_cells(state: State) -> tuple[Square, ...]:
    """Return the cells on which nothing is."""
    return tuple(cell for cell in CELLS if state.bare(cell))


def placing_cells(state: State, seat: Seat) -> tuple[Square, ...]:
    """Return the cells on which the order of a turn may place: while building, a seat's own tomb cells only."""
    side = state.side(seat)
    own = side.tomb_cells
    return tuple(cell for cell in free_cells(state) if not side.building or cell in own)


def has_to_place(state: State, seat: Seat) -> bool:
    """Whether a seat with both pieces buried can place something as its turn, and so may not pass (R10)."""
    side = state.side(seat)
    return side.buried and bool(side.pyramids or side.deeds) and bool(placing_cells(state, seat))


def under_duty(state: State, seat: Seat) -> bool:
    """Whether a turn of `seat` that begins in `state` is one with a duty deed: the other's tombs are complete, its own are not."""
    return state.other(seat).completed and not state.side(seat).completed


def duty_cells(state: State, seat: Seat) -> tuple[Square, ...]:
    """Return the cells for a duty deed, `state` being the one after the turn's order; () where none is owed.

    None is owed by a seat whose tombs that order completed, or that has no deed in hand.
    """
    side = state.side(seat)
    if side.completed or not side.deeds:
        return ()
    return tuple(cell for cell in free_cells(state) if cell not in side.tomb_cells)


def over_for(state: State, seat: Seat) -> bool:
    """Whether both pieces of a seat are buried and it can place nothing, the duty deed included."""
    if not state.side(seat).buried or has_to_place(state, seat):
        return False
    return not (under_duty(state, seat) and duty_cells(state, seat))
