"""What a reader of RPS Redeux may not know, dealt anew: the other hands and the deck."""

import random
from dataclasses import replace

from adjudicator.core.game import Seat
from adjudicator.games.redeux.state import RISK_DECK, State, by_kind


def scramble(state: State, reader: Seat | None, dice: random.Random) -> State:
    """Return the state with every card that `reader` may not know shuffled among the hands and the deck.

    In the Primary game, where the deck is not out yet, the cards left in the box take its place: the other hand can be counted
    there, yet no view may carry it. At the end nothing is hidden.
    """
    if state.part == "over":
        return state
    hidden = [side for side in state.sides if side.seat != reader]
    unknown = [*(state.deck or RISK_DECK), *(card for side in hidden for card in side.hand)]
    dice.shuffle(unknown)
    hands = {side.seat: by_kind(unknown.pop() for _ in side.hand) for side in hidden}
    sides = tuple(replace(side, hand=hands.get(side.seat, side.hand)) for side in state.sides)
    return replace(state, sides=sides, deck=tuple(unknown) if state.deck else ())
