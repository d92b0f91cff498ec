"""The cells for a duty deed: after one given turn, and after any turn a seat may order."""

from collections.abc import Iterator
from dataclasses import dataclass

from adjudicator.core.game import Seat
from adjudicator.games.genesis.model.duties import duty_cells, free_cells, under_duty
from adjudicator.games.genesis.model.orders import Throw
from adjudicator.games.genesis.model.state import State
from adjudicator.games.genesis.model.terms import NAMES
from adjudicator.games.genesis.model.world import CELLS, CORNERS, Square, in_order, neighbours
from adjudicator.games.genesis.resolve.execution import carry_out
from adjudicator.games.genesis.resolve.legal_orders import Turn, pairs_of_moves, possible_turns
from adjudicator.games.genesis.resolve.turns import judge_tombs


@dataclass(frozen=True)
class Owed:
    """Where a seat may owe a duty deed in this turn."""

    # those that at least one possible turn allows; () if no turn leaves a deed owed
    cells: tuple[Square, ...] = ()
    always: bool = False  # whether a deed is owed after every possible turn


def state_after_turn(state: State, seat: Seat, orders: Turn) -> State:
    """Return the state in which the duty deed after these orders is judged."""
    return judge_tombs(carry_out(state, seat, orders)).state


def cells_owed(state: State, seat: Seat, orders: Turn) -> tuple[Square, ...]:
    """Return the cells for the duty deed after `orders`, () where none is owed; none is after a
    throw, which does not end the turn.
    """
    if not under_duty(state, seat) or not orders or isinstance(orders[-1], Throw):
        return ()
    return duty_cells(state_after_turn(state, seat, orders), seat)


def owed_after_any(state: State, seat: Seat) -> Owed:
    """Return where a duty deed is owed after any turn that `seat` may order: orders free cells,
    gain deeds and use deeds up.
    """
    if state.turn != seat or not under_duty(state, seat):
        return Owed()
    owed = [cells_owed(state, seat, turn) for turn in possible_turns(state, seat)]
    known = {cell for each in owed for cell in each}
    owed += [cells_owed(state, seat, pair) for pair in _decisive_pairs(state, seat, known)]
    cells = in_order({cell for each in owed for cell in each})
    return Owed(cells, always=bool(cells) and all(owed))


def _decisive_pairs(state: State, seat: Seat, known: set[Square]) -> Iterator[Turn]:
    """Yield the pairs of moves that may change what single orders leave owed; trying all pairs is
    slow.

    A pair may add a cell that is free or that a piece leaves. It may leave nothing owed if it
    buries both pieces or few cells are free.
    """
    side, free = state.side(seat), set(free_cells(state)) - set(state.side(seat).tomb_cells)
    left = {
        piece.square
        for piece in side.pieces
        if piece.life == "alive" and piece.square in CELLS and piece.square not in state.blocks
    }
    everything = not (free | left) <= known or len(free) <= len(NAMES)
    near_corner = side.anubis.square is not None and any(
        square in CORNERS for square in neighbours(side.anubis.square)
    )
    if everything or near_corner:
        yield from (
            pair
            for pair in pairs_of_moves(state, seat)
            if everything or all(move.end in CORNERS for move in pair)
        )
