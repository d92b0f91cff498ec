"""The house bots of Genesis: they evaluate the board after each order, one turn deep; a throw
counts as the mean of its faces.
"""

from collections.abc import Iterable
from dataclasses import replace

from adjudicator.core.game import Pick, Seat, Slots
from adjudicator.games.genesis.judging import Value, greedy_value, planned_value, steps_between
from adjudicator.games.genesis.model.orders import Birth, Lay, Move, Throw
from adjudicator.games.genesis.model.state import Side, Sitting, State
from adjudicator.games.genesis.model.view import TableView
from adjudicator.games.genesis.model.world import CORNERS
from adjudicator.games.genesis.resolve.duty_cells import cells_owed
from adjudicator.games.genesis.resolve.legal import moves_after
from adjudicator.games.genesis.resolve.legal_orders import Turn, possible_turns
from adjudicator.games.genesis.resolve.turns import give_birth, take_turn
from adjudicator.games.kit.records import record_like


def choose_orders(view: TableView, slots: Slots, pick: Pick) -> str:
    """Return the orders that are best by `planned_value`: it gathers what both seats need for their
    tombs.
    """
    return _choose(view, slots, pick, planned_value)


def take_most(view: TableView, slots: Slots, pick: Pick) -> str:
    """Return the orders that are best by `greedy_value`: it gathers deeds, and withholds them from
    the other seat.
    """
    return _choose(view, slots, pick, greedy_value)


def _choose(view: TableView, slots: Slots, pick: Pick, value: Value) -> str:
    """Return the highest-valued orders as text, ties picked at random.

    If the best order is a single move, each second move of the other piece is tried after it.
    """
    if not slots or view.seat is None:
        return ""
    state, seat = _state_of(view), view.seat
    turn = _best(state, seat, _to_weigh(possible_turns(state, seat), pick), pick, value)
    if isinstance(turn[0], Move) and len(turn) == 1:
        turn = _best(
            state,
            seat,
            [turn, *((turn[0], second) for second in moves_after(state, seat, turn[0]))],
            pick,
            value,
        )
    return "\n".join(map(str, (*turn, *_duty(state, seat, turn, pick, value))))


def _to_weigh(turns: tuple[Turn, ...], pick: Pick) -> list[Turn]:
    """Return the turns to evaluate: single orders if there are any; births only with Anubis on one
    random cell next to a corner.
    """
    births = [turn[0] for turn in turns if isinstance(turn[0], Birth)]
    if births:
        anubis = pick(
            [
                birth.anubis
                for birth in births
                if any(steps_between(birth.anubis, corner) == 1 for corner in CORNERS)
            ]
        )
        return [(birth,) for birth in births if birth.anubis == anubis]
    return [turn for turn in turns if len(turn) == 1] or list(turns)


def _best(state: State, seat: Seat, turns: Iterable[Turn], pick: Pick, value: Value) -> Turn:
    values = {turn: _turn_value(state, seat, turn, value) for turn in turns}
    highest = max(values.values())
    return pick([turn for turn, worth in values.items() if worth == highest])


def _duty(state: State, seat: Seat, turn: Turn, pick: Pick, value: Value) -> tuple[Lay, ...]:
    """Return the highest-valued duty deed, () where none is owed."""
    cells = cells_owed(state, seat, turn)
    values = {cell: value(take_turn(state, seat, turn, Lay(cell)).state, seat) for cell in cells}
    return (
        (Lay(pick([cell for cell in cells if values[cell] == max(values.values())])),)
        if cells
        else ()
    )


def _turn_value(state: State, seat: Seat, turn: Turn, value: Value) -> float:
    if isinstance(turn[0], Birth):
        return value(give_birth(state, seat, turn[0]).state, seat)
    if isinstance(turn[0], Throw):
        return sum(_throw_value(replace(state, die=face), seat, value) for face in range(1, 7)) / 6
    return value(take_turn(state, seat, turn, None).state, seat)


def _throw_value(state: State, seat: Seat, value: Value) -> float:
    return max(_turn_value(state, seat, turn, value) for turn in possible_turns(state, seat))


# --- the state behind a view


def _state_of(view: TableView) -> State:
    """Return the state a view was made from; nothing is hidden (R15)."""
    return record_like(
        State,
        view,
        sides=tuple(record_like(Side, side) for side in view.sides),
        turn=view.turn or view.first,
        sitting=Sitting(view.sits, view.sits_for) if view.sits else None,
        over=view.moment == "over",
    )
