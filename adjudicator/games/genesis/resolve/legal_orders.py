"""Every turn that a seat can order now."""

from collections.abc import Iterator

from adjudicator.core.game import Seat
from adjudicator.games.genesis.model.duties import free_cells, placing_cells
from adjudicator.games.genesis.model.orders import (
    Birth,
    Decline,
    Lay,
    Leap,
    Move,
    Order,
    Pass,
    Pyramid,
    Rebirth,
    Return,
    Throw,
)
from adjudicator.games.genesis.model.state import State
from adjudicator.games.genesis.model.terms import NAMES
from adjudicator.games.genesis.model.view import current_moment
from adjudicator.games.genesis.model.world import CENTRE, CORNERS, SQUARES
from adjudicator.games.genesis.resolve.legal import (
    leaving_orders,
    moves_after,
    moves_of,
    rebirth_squares,
    why_not,
)

Turn = tuple[Order, ...]
"""The orders of one turn: a single one, or two moves."""


def turn_text(turn: Turn) -> str:
    """Return the orders of a turn on one line, as forms and letters write them."""
    return ", ".join(map(str, turn))


def possible_turns(state: State, seat: Seat) -> tuple[Turn, ...]:
    """Return every turn `seat` can order now, without the duty deed.

    Each is a single order. While Bastet must leave the Centre, pairs of moves are listed too.
    """
    moment = current_moment(state)
    if moment == "over" or state.turn != seat:
        return ()
    if moment == "birth":
        cells = free_cells(state)
        return tuple(
            (Birth(anubis, bastet),) for anubis in cells for bastet in cells if anubis != bastet
        )
    if moment == "thrown":
        return tuple((order,) for order in _after_throw(state, seat))
    leaving = leaving_orders(state, seat) if state.side(seat).must_leave else ()
    return (
        (*leaving, *_leaving_with_anubis(state, seat, leaving))
        if leaving
        else tuple((order,) for order in _free(state, seat))
    )


def pairs_of_moves(state: State, seat: Seat) -> Iterator[tuple[Move, Move]]:
    """Yield every legal pair of moves; none while Bastet must leave the Centre, as `possible_turns`
    lists those.
    """
    if current_moment(state) == "turn" and not (
        state.side(seat).must_leave and leaving_orders(state, seat)
    ):
        for name in NAMES:
            yield from (
                (first, second)
                for first in moves_of(state, seat, name)
                for second in moves_after(state, seat, first)
            )


def possible_moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """Return the moves of both pieces, with each idea that Bastet may generate or destroy in the
    Centre.
    """
    plain = (move for name in NAMES for move in moves_of(state, seat, name))
    return tuple(each for move in plain for each in (move, *_works(state, seat, move)))


def _works(state: State, seat: Seat, move: Move) -> Iterator[Move]:
    if move.piece != "bastet" or move.end != CENTRE:
        return
    variants = [Move("bastet", CENTRE, idea=corner) for corner in CORNERS] + [
        Move("bastet", CENTRE, destroy=corner) for corner in CORNERS
    ]
    yield from (variant for variant in variants if not why_not(state, seat, variant))


def _after_throw(state: State, seat: Seat) -> Iterator[Order]:
    yield from (
        Rebirth(square)
        for square in rebirth_squares(state)
        if not why_not(state, seat, Rebirth(square))
    )
    for end in SQUARES:
        leaps = [Leap(end)]
        if end == CENTRE:
            leaps += [Leap(end, idea=corner) for corner in CORNERS] + [
                Leap(end, destroy=corner) for corner in CORNERS
            ]
        yield from (leap for leap in leaps if not why_not(state, seat, leap))
    yield Decline()


def _free(state: State, seat: Seat) -> Iterator[Order]:
    side, cells = state.side(seat), placing_cells(state, seat)
    yield from possible_moves(state, seat)
    yield from (Pyramid(cell) for cell in cells if side.pyramids)
    yield from (Lay(cell) for cell in cells if side.buried and side.deeds)
    yield from (order for order in (Throw(), Return(), Pass()) if not why_not(state, seat, order))


def _leaving_with_anubis(
    state: State, seat: Seat, leaving: tuple[tuple[Move, ...], ...]
) -> Iterator[Turn]:
    """Yield the pairs of moves by which Bastet leaves the Centre; Anubis first only where the
    reverse pair is not possible.
    """
    alone = [turn[0] for turn in leaving if len(turn) == 1]
    if not alone:
        return
    bastet_first = [
        (bastet, anubis) for bastet in alone for anubis in moves_after(state, seat, bastet)
    ]
    yield from bastet_first
    alike = {(anubis, bastet) for bastet, anubis in bastet_first}
    anubis_first = (
        (anubis, bastet)
        for anubis in moves_of(state, seat, "anubis")
        for bastet in moves_after(state, seat, anubis)
    )
    yield from (pair for pair in anubis_first if pair not in alike)
