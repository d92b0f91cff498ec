"""Deals anew what a reader of Rock Paper Pyramid may not know: the sizes of the others' red
pieces.
"""

import random
from dataclasses import replace

from adjudicator.core.game import Seat
from adjudicator.games.pyramid.pieces import RED_STACK
from adjudicator.games.pyramid.state import State


def scramble(state: State, reader: Seat | None, dice: random.Random) -> State:
    """Return the state with the hidden red pieces of the other seats rotated among these seats."""
    if not state.hidden:
        return state
    hidden = {
        hand.seat: piece
        for hand in state.hands
        for piece in hand.pool
        if piece in RED_STACK and hand.seat != reader
    }
    turn = dice.randrange(1, len(hidden)) if len(hidden) > 1 else 0
    pieces = list(hidden.values())
    dealt = dict(zip(hidden, pieces[turn:] + pieces[:turn], strict=True))
    hands = (
        replace(hand, pool=(*hand.pool[:-1], dealt[hand.seat])) if hand.seat in dealt else hand
        for hand in state.hands
    )
    return replace(state, hands=tuple(hands))
