"""A sensible player of RPS Phoenix: the order after which its side stands best; a roll is worth what its 36 squares are on the average."""

from dataclasses import replace

from adjudicator.core.game import Pick, Seat, Slots
from adjudicator.games.phoenix.language.parsing import parse
from adjudicator.games.phoenix.model.events import Side
from adjudicator.games.phoenix.model.grid import SIDE
from adjudicator.games.phoenix.model.orders import Move, Order, Phoenix, Roll
from adjudicator.games.phoenix.model.state import State
from adjudicator.games.phoenix.model.view import TableView
from adjudicator.games.phoenix.resolve.legal import default_order, why_not
from adjudicator.games.phoenix.resolve.turn import carry_out

POINT, BIRD, WIN = 1.0, 1.5, 20.0
"""What a point, a Bird on the grid and a won match are worth to each other."""


def choose_orders(view: TableView, slots: Slots, pick: Pick) -> str:
    """Return the order that is worth most, one of them where several are."""
    if not slots or view.seat is None:
        return ""
    state = _state(view, view.seat)
    worths = {choice.text: _worth(state, order) for choice in slots[0].choices for order in parse(state, view.seat, choice.text).orders}
    best = max(worths.values())
    return pick([text for text, worth in worths.items() if worth == best])


def _state(view: TableView, seat: Seat) -> State:
    """Return the open table of the view, with its reader on turn."""
    return State(
        modes=view.modes,
        seats=view.seats,
        birds=view.birds,
        scores=view.scores,
        purses=view.purses,
        on_turn=seat,
        turn=view.turn,
        dice=view.dice,
    )


def _worth(state: State, order: Order) -> float:
    if not isinstance(order, Roll):
        return _standing(carry_out(state, order).settle(), state.on_turn)
    rolls = [replace(state, dice=(x, y)) for x in range(1, SIDE + 1) for y in range(1, SIDE + 1)]
    return sum(max(_worth(rolled, each) for each in _after_roll(rolled)) for rolled in rolls) / len(rolls)


def _after_roll(state: State) -> list[Order]:
    """Return what the seat could do with these dice, one Bird at a time."""
    mine = [bird for bird in state.birds if bird.seat == state.on_turn]
    raised: list[Order] = [Phoenix(bird.kind) for bird in mine if bird.place == "ashes"]
    moved: list[Order] = [Move(bird.kind) for bird in mine if bird.stands]
    return [order for order in raised + moved if not why_not(state, state.on_turn, order)] or [default_order(state)]


# --- how a side stands


def _standing(state: State, seat: Seat) -> float:
    """Return how much better the seat's side stands than the best of the others."""
    strengths = {side: _strength(state, side) for side in state.sides}
    mine = next(side for side in state.sides if seat in side)
    return strengths[mine] - max(strength for side, strength in strengths.items() if side != mine) + _won(state, mine)


def _strength(state: State, side: Side) -> float:
    birds = [bird for bird in state.birds if bird.seat in side]
    if state.modes.give_away:
        return sum(BIRD for bird in birds if bird.place == "ashes")
    return POINT * sum(state.scores[each] for each in side) + sum(BIRD for bird in birds if bird.place != "ashes")


def _won(state: State, mine: Side) -> float:
    """Return what the end of the match is worth to a side, were it to come with this turn (rulings R11, R13)."""
    if state.part == "opening":
        return 0
    out = {side: all(not bird.stands for bird in state.birds if bird.seat in side) for side in state.sides}
    if state.modes.give_away:
        return WIN * (out[mine] - any(gone for side, gone in out.items() if side != mine))
    others_out = all(gone for side, gone in out.items() if side != mine)
    return WIN * (others_out and not out[mine])
