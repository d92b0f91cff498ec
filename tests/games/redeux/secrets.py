"""Deals anew what a reader of RPS Redeux may not know: the other hands and the deck."""

import random
from dataclasses import replace

from adjudicator.core.game import Seat
from adjudicator.games.redeux.state import RISK_DECK, State, by_kind


def scramble(state: State, reader: Seat | None, dice: random.Random) -> State:
    """Return the state with every card that `reader` may not know shuffled among the hands and the
    deck.

    The Primary game has no deck yet, so the cards left in the box take its place: a player can
    count the other hand there, but no view may contain it. At the end nothing is hidden.
    """
    if state.part == "over":
        return state
    hidden = [side for side in state.sides if side.seat != reader]
    unknown = [*(state.deck or RISK_DECK), *(card for side in hidden for card in side.hand)]
    dice.shuffle(unknown)
    hands = {side.seat: by_kind(unknown.pop() for _ in side.hand) for side in hidden}
    sides = tuple(replace(side, hand=hands.get(side.seat, side.hand)) for side in state.sides)
    return replace(state, sides=sides, deck=tuple(unknown) if state.deck else ())
