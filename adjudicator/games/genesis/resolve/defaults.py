"""The default orders of a seat that sends none (genesis R14)."""

from adjudicator.core.game import Seat
from adjudicator.games.genesis.model.duties import free_cells, has_to_place, placing_cells
from adjudicator.games.genesis.model.orders import Birth, Decline, Lay, Order, Pass, Pyramid
from adjudicator.games.genesis.model.state import State
from adjudicator.games.genesis.model.view import moment
from adjudicator.games.genesis.resolve.duty_cells import cells_owed
from adjudicator.games.genesis.resolve.legal import leaving_orders


def default_turn(state: State, seat: Seat) -> tuple[Order, ...]:
    """Return the default for the open decision, without the duty deed."""
    asked = moment(state)
    if asked == "birth":
        anubis, bastet, *_ = free_cells(state)
        return (Birth(anubis, bastet),)
    if asked == "thrown":
        return (Decline(),)
    leaving = leaving_orders(state, seat) if state.side(seat).must_leave else ()
    if leaving:
        return leaving[0]
    if not has_to_place(state, seat):
        return (Pass(),)
    cell = placing_cells(state, seat)[0]
    return (Pyramid(cell) if state.side(seat).pyramids else Lay(cell),)


def default_orders(state: State, seat: Seat) -> tuple[Order, ...]:
    """Return the default with the duty deed, on the first cell, where one is owed after it."""
    turn = default_turn(state, seat)
    return (*turn, *(Lay(cell) for cell in cells_owed(state, seat, turn)[:1]))
