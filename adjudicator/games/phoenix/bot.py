"""The house bot of RPS Phoenix: it evaluates the board after each order, one order deep; a roll
counts as the mean of its 36 squares.
"""

from dataclasses import replace

from adjudicator.core.game import Pick, Seat, Slots
from adjudicator.games.kit.records import record_like
from adjudicator.games.phoenix.language.parsing import parse
from adjudicator.games.phoenix.model.events import Side
from adjudicator.games.phoenix.model.grid import SIDE, Bird
from adjudicator.games.phoenix.model.orders import Move, Order, Phoenix, Roll
from adjudicator.games.phoenix.model.state import State, beats
from adjudicator.games.phoenix.model.view import TableView
from adjudicator.games.phoenix.resolve.execution import carry_out
from adjudicator.games.phoenix.resolve.legal import default_order, why_not

POINT, BIRD, WIN = 1.0, 1.5, 20.0
"""The relative values of a point, a Bird and a won match."""
EXPOSED = 0.5  # what a Bird is worth less that an opponent can attack in the next turn
TWO_STEPS = ((0, 2), (2, 0), (0, -2), (-2, 0), (2, 2), (2, -2), (-2, 2), (-2, -2))
"""What two diagonal steps add up to, those there and back left out: such Birds meet when they land.
"""


def choose_orders(view: TableView, slots: Slots, pick: Pick) -> str:
    """Return the highest-valued order as text, ties picked at random."""
    if not slots or view.seat is None:
        return ""
    state = record_like(State, view, on_turn=view.seat)
    values = {
        choice.text: _order_value(state, order)
        for choice in slots[0].choices
        for order in parse(state, view.seat, choice.text).orders
    }
    best = max(values.values())
    return pick([text for text, value in values.items() if value == best])


def capture_most(view: TableView, slots: Slots, pick: Pick) -> str:
    """Return the order that eliminates most opponents' Birds at once, before a roll without regard
    to what it brings; ties at random.
    """
    if not slots or view.seat is None:
        return ""
    state = record_like(State, view, on_turn=view.seat)
    prey = {
        choice.text: _eliminated(state, order)
        for choice in slots[0].choices
        for order in parse(state, view.seat, choice.text).orders
    }
    return pick([text for text, birds in prey.items() if birds == max(prey.values())])


def _eliminated(state: State, order: Order) -> int:
    """Return how many Birds of other sides an order sends to the Ashes; a roll none."""
    if isinstance(order, Roll):
        return 0
    mine = next(side for side in state.sides if state.on_turn in side)
    pairs = zip(state.birds, carry_out(state, order).settle().birds, strict=True)
    return sum(
        before.place != "ashes" and after.place == "ashes"
        for before, after in pairs
        if before.seat not in mine
    )


def _order_value(state: State, order: Order) -> float:
    if not isinstance(order, Roll):
        return _state_value(carry_out(state, order).settle(), state.on_turn)
    rolls = [replace(state, dice=(x, y)) for x in range(1, SIDE + 1) for y in range(1, SIDE + 1)]
    return sum(
        max(_order_value(rolled, each) for each in _after_roll(rolled)) for rolled in rolls
    ) / len(rolls)


def _after_roll(state: State) -> list[Order]:
    """Return the legal orders for these dice that use one Bird; the default order if there are
    none.
    """
    mine = [bird for bird in state.birds if bird.seat == state.on_turn]
    raised: list[Order] = [Phoenix(bird.kind) for bird in mine if bird.place == "ashes"]
    moved: list[Order] = [Move(bird.kind) for bird in mine if bird.stands]
    return [order for order in raised + moved if not why_not(state, state.on_turn, order)] or [
        default_order(state)
    ]


# --- the value of a state


def _state_value(state: State, seat: Seat) -> float:
    """Return the value of a state for the seat's side, less that of the best other side."""
    values = {side: _side_value(state, side) for side in state.sides}
    mine = next(side for side in state.sides if seat in side)
    return (
        values[mine]
        - max(value for side, value in values.items() if side != mine)
        + _win_value(state, mine)
    )


def _side_value(state: State, side: Side) -> float:
    birds = [bird for bird in state.birds if bird.seat in side]
    if state.modes.give_away:
        return sum(BIRD for bird in birds if bird.place == "ashes")
    safe = sum(BIRD for bird in birds if bird.place != "ashes") - EXPOSED * _exposed(
        state, side, birds
    )
    return POINT * sum(state.scores[each] for each in side) + safe


def _exposed(state: State, side: Side, birds: list[Bird]) -> int:
    """Return how many Birds a diagonal move of an opponent's Bird would bring next to one that
    beats them (rulings R4, R5).
    """
    if state.part != "main" or state.on_turn not in side:
        return 0
    foes = {bird.square: bird for bird in state.birds if bird.stands and bird.seat not in side}
    return sum(
        any(
            (foe := foes.get((bird.square[0] + x, bird.square[1] + y))) is not None
            and beats(foe, bird)
            for x, y in TWO_STEPS
        )
        for bird in birds
        if bird.stands
    )


def _win_value(state: State, mine: Side) -> float:
    """Return the value of winning or losing the match with this turn, 0 if neither happens (rulings
    R11, R13).
    """
    if state.part == "opening":
        return 0
    out = {
        side: all(not bird.stands for bird in state.birds if bird.seat in side)
        for side in state.sides
    }
    if state.modes.give_away:
        return WIN * (out[mine] - any(gone for side, gone in out.items() if side != mine))
    others_out = all(gone for side, gone in out.items() if side != mine)
    return WIN * (others_out and not out[mine])
