"""Which orders of one text count together: the turn's order or two moves, and the duty deed after
it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from adjudicator.core.game import Seat
from adjudicator.games.genesis.model.duties import under_duty
from adjudicator.games.genesis.model.orders import Lay, Move, Order, Throw
from adjudicator.games.genesis.model.state import State
from adjudicator.games.genesis.model.view import current_moment
from adjudicator.games.genesis.model.world import Square
from adjudicator.games.genesis.resolve.duty_cells import owed_after_any, state_after_turn
from adjudicator.games.genesis.resolve.execution import carry_out
from adjudicator.games.genesis.resolve.legal import Fault, leaving_orders, why_not, why_not_on

Placed = tuple[int, Order]
"""The index of an order in the text, and the order."""


@dataclass
class Fitted:
    """The orders of a text that count, and the faults of the others."""

    # the turn's order or two moves, in the order they are carried out
    turn: list[Placed] = field(default_factory=list)
    duty: tuple[int, Lay] | None = None
    faults: dict[int, Fault] = field(default_factory=dict)
    # an order, and the later one that counts instead (G8)
    replaced: list[tuple[Order, Order]] = field(default_factory=list)

    @property
    def turn_orders(self) -> tuple[Order, ...]:
        """The orders of the turn, without the duty deed."""
        return tuple(order for _, order in self.turn)

    @property
    def orders(self) -> tuple[Order, ...]:
        """All orders that count, the duty deed last."""
        return (*self.turn_orders, *((self.duty[1],) if self.duty else ()))


def fit_orders(state: State, seat: Seat, orders: Sequence[Order]) -> Fitted:
    """Return which of `orders` count.

    1. Of two orders of a turn the later one counts (G8); of moves, one of each piece, the second
       judged after the first (R8).
    2. The last move of each piece counts if it failed only because of an earlier move.
    3. A move of Anubis alone is refused while Bastet must leave the Centre (R7).
    4. Duty deeds are judged after the turn; without a turn, after all turns the seat may order.
    """
    fitted, duties = Fitted(), []
    for at, order in enumerate(orders):
        if isinstance(order, Lay) and is_duty(state, seat, order):
            duties.append((at, order))
        else:
            _fit_turn(state, seat, fitted, (at, order))
    _let_last_moves_count(state, seat, fitted, orders)
    _refuse_half_a_turn(state, seat, fitted)
    anywhere = owed_after_any(state, seat).cells if duties and not fitted.turn else ()
    for at, lay in duties:
        reason = (
            _why_not_duty(state, seat, fitted.turn_orders, lay)
            if fitted.turn
            else _why_not_any(state, seat, lay, anywhere)
        )
        _fit_duty(fitted, (at, lay), reason)
    return fitted


def is_duty(state: State, seat: Seat, order: Lay) -> bool:
    """Whether a deed is a duty deed: one is owed this turn, and the square is not the seat's tomb
    cell, as for a turn's own deed.
    """
    side = state.side(seat)
    moment = current_moment(state)
    return (
        state.turn == seat
        and moment in ("turn", "thrown")
        and under_duty(state, seat)
        and order.square not in side.tomb_cells
    )


# --- the order of the turn


def _fit_turn(state: State, seat: Seat, fitted: Fitted, given: Placed) -> None:
    at, order = given
    beside = [each for each in fitted.turn if _goes_with(each[1], order)]
    for turn in _arrangements(fitted.turn, beside, given):
        if not _after(state, seat, turn)[1]:
            _take(fitted, turn, order)
            return
    board, broken = _after(state, seat, beside)
    fault = why_not(board, seat, order)
    if fault:
        fitted.faults[at] = fault
        return
    fitted.faults |= broken
    _take(fitted, [*(each for each in beside if each[0] not in broken), given], order)


def _arrangements(
    turn: list[Placed], beside: list[Placed], given: Placed
) -> tuple[list[Placed], ...]:
    """Return the possible sequences: the order after the move that is kept, or first if it replaces
    the first move.
    """
    replaces_first = beside and turn[0] not in beside
    return ([*beside, given], [given, *beside]) if replaces_first else ([*beside, given],)


def _take(fitted: Fitted, turn: list[Placed], order: Order) -> None:
    """Make `turn` count; record the orders it drops as replaced by `order`, unless they have a
    fault.
    """
    left = [old for at, old in fitted.turn if (at, old) not in turn and at not in fitted.faults]
    fitted.replaced += [(old, _settled(order)) for old in left if old != _settled(order)]
    fitted.turn = [(at, _settled(each)) for at, each in turn]


def _let_last_moves_count(
    state: State, seat: Seat, fitted: Fitted, orders: Sequence[Order]
) -> None:
    """Make the last move of each piece count if they are possible together and one failed because
    of an earlier move.
    """
    last = {order.piece: (at, order) for at, order in enumerate(orders) if isinstance(order, Move)}
    both: list[Placed] = sorted(last.values(), key=lambda placed: placed[0])
    both_named = len(both) == 2 and all(
        isinstance(order, Move | Lay) for order in orders[both[0][0] :]
    )
    if (
        both_named
        and any(at in fitted.faults for at, _ in both)
        and not _after(state, seat, both)[1]
    ):
        _take(fitted, both, both[-1][1])
        for at, _ in both:
            fitted.faults.pop(at, None)


def _goes_with(one: Order, other: Order) -> bool:
    return isinstance(one, Move) and isinstance(other, Move) and one.piece != other.piece


def _settled(order: Order) -> Order:
    return (
        Move(order.piece, order.end, order.idea, order.destroy)
        if isinstance(order, Move)
        else order
    )


def _after(state: State, seat: Seat, kept: Sequence[Placed]) -> tuple[State, dict[int, Fault]]:
    """Return the state after the orders kept so far, and the faults of those that are no longer
    possible.
    """
    broken: dict[int, Fault] = {}
    for at, order in kept:
        fault = why_not(state, seat, order)
        if fault:
            broken[at] = fault
        else:
            state = carry_out(state, seat, (order,)).state
    return state, broken


def _refuse_half_a_turn(state: State, seat: Seat, fitted: Fitted) -> None:
    """Refuse a move of Anubis alone where Bastet must leave the Centre (R7)."""
    moves = [order for order in fitted.turn_orders if isinstance(order, Move)]
    if not moves or any(move.piece == "bastet" for move in moves):
        return
    if state.side(seat).must_leave and leaving_orders(state, seat):
        reason = (
            "Your Bastet must leave the Centre in this turn, so Anubis moves only together with"
            " her."
        )
        fitted.faults |= {at: Fault(reason) for at, _ in fitted.turn}
        fitted.turn = []


# --- the duty deed


def _fit_duty(fitted: Fitted, given: tuple[int, Lay], reason: str) -> None:
    at, lay = given
    if reason:
        fitted.faults[at] = Fault(reason, lay.square)
        return
    if fitted.duty and fitted.duty[1] != lay:
        fitted.replaced.append((fitted.duty[1], lay))
    fitted.duty = (at, lay)


def _why_not_duty(state: State, seat: Seat, turn: tuple[Order, ...], lay: Lay) -> str:
    if isinstance(turn[-1], Throw):
        return "The throw does not end your turn: the duty deed is laid after what you do with it."
    after = state_after_turn(state, seat, turn)
    side = after.side(seat)
    if side.completed:
        return "Your tombs are complete with this order, so you owe no duty deed any more."
    if not side.deeds:
        return "You have no deed in hand for a duty deed."
    return _why_not_there(after, seat, lay.square)


def _why_not_any(state: State, seat: Seat, lay: Lay, cells: tuple[Square, ...]) -> str:
    """Return why a duty deed given without a turn is impossible after every turn; `cells` are those
    that some turn allows.
    """
    if lay.square in cells:
        return ""
    if not cells and not state.side(seat).deeds:
        return "You have no deed in hand for a duty deed."
    return (
        _why_not_there(state, seat, lay.square)
        or "Whatever you order in this turn, no duty deed is owed there after it."
    )


def _why_not_there(state: State, seat: Seat, square: Square) -> str:
    if square in state.side(seat).tomb_cells:
        return f"{square} is one of your own tomb cells; a duty deed is laid elsewhere."
    return why_not_on(state, seat, square)
