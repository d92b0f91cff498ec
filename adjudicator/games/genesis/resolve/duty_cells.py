"""On which cells a duty deed is owed: after one order of a turn, and after whatever a seat may order."""

from collections.abc import Iterator
from dataclasses import dataclass

from adjudicator.core.game import Seat
from adjudicator.games.genesis.model.duties import duty_cells, free_cells, under_duty
from adjudicator.games.genesis.model.orders import Throw
from adjudicator.games.genesis.model.state import State
from adjudicator.games.genesis.model.terms import NAMES
from adjudicator.games.genesis.model.world import CELLS, CORNERS, Square, in_order, neighbours
from adjudicator.games.genesis.resolve.execution import played
from adjudicator.games.genesis.resolve.legal_orders import Turn, pairs_of_moves, possible_turns
from adjudicator.games.genesis.resolve.turns import judge_tombs


@dataclass(frozen=True)
class Owed:
    """What a seat may have to lay a duty deed on in this turn."""

    cells: tuple[Square, ...] = ()  # on which one is owed after some order; () where none is owed whatever it orders
    always: bool = False  # whether one is owed after every order


def after_turn(state: State, seat: Seat, orders: Turn) -> State:
    """Return the board on which the duty deed after these orders is judged."""
    return judge_tombs(played(state, seat, orders)).state


def cells_owed(state: State, seat: Seat, orders: Turn) -> tuple[Square, ...]:
    """Return the cells for the duty deed that is owed after `orders`, () where none is: a throw does not end the turn."""
    if not under_duty(state, seat) or not orders or isinstance(orders[-1], Throw):
        return ()
    return duty_cells(after_turn(state, seat, orders), seat)


def owed_after_any(state: State, seat: Seat) -> Owed:
    """Return where a duty deed is owed by what `seat` may order now: its orders free cells, take ideas and use deeds up."""
    if state.turn != seat or not under_duty(state, seat):
        return Owed()
    owed = [cells_owed(state, seat, turn) for turn in possible_turns(state, seat)]
    thought_of = {cell for each in owed for cell in each}
    owed += [cells_owed(state, seat, pair) for pair in _telling_pairs(state, seat, thought_of)]
    cells = in_order({cell for each in owed for cell in each})
    return Owed(cells, always=bool(cells) and all(owed))


def _telling_pairs(state: State, seat: Seat, thought_of: set[Square]) -> Iterator[Turn]:
    """Yield the pairs of moves after which more may be owed than after single orders, or less: to weigh all takes long.

    More: a cell that is free, or left by a piece. Less: where both pieces are buried by it, or hardly a cell is free.
    """
    side, free = state.side(seat), set(free_cells(state)) - set(state.side(seat).tomb_cells)
    left = {piece.square for piece in side.pieces if piece.life == "alive" and piece.square in CELLS and piece.square not in state.blocks}
    everything = not (free | left) <= thought_of or len(free) <= len(NAMES)
    near_corner = side.anubis.square is not None and any(square in CORNERS for square in neighbours(side.anubis.square))
    if everything or near_corner:
        yield from (pair for pair in pairs_of_moves(state, seat) if everything or all(move.end in CORNERS for move in pair))
