"""Matches of Rock Paper Pyramid for tests, written as the pieces of each round: `after("B3 B2 W2",
"W3 C2 W1")`.
"""

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.game import Adjudication
from adjudicator.core.options import complete_options
from adjudicator.games.pyramid.orders import Pick
from adjudicator.games.pyramid.rules import PYRAMID
from adjudicator.games.pyramid.state import State

SEATS = ("1", "2", "3")
DEAL = ("R1", "R2", "R3")


def opening(*, take: str = "captured", deal: tuple[str, ...] = ()) -> State:
    """Return a new match; `deal` names the red pieces of seats 1, 2 and 3 and turns the red stack
    on.
    """
    options = complete_options(PYRAMID.about, {"take": take, "red": bool(deal)})
    return PYRAMID.start(SEATS, options, ScriptedChance([list(deal)] if deal else []))


def show(state: State, pieces: str) -> Adjudication[State]:
    """Return the adjudication of a round in which seats 1, 2 and 3 show these pieces."""
    orders = {seat: (Pick(piece),) for seat, piece in zip(SEATS, pieces.split(), strict=True)}
    return PYRAMID.adjudicate(state, orders, ScriptedChance([]))


def after(*rounds: str, take: str = "captured", deal: tuple[str, ...] = ()) -> State:
    """Return the state after these rounds."""
    state = opening(take=take, deal=deal)
    for pieces in rounds:
        state = show(state, pieces).state
    return state


def scores(state: State) -> str:
    """Return the pips of seats 1, 2 and 3: `4 0 0`."""
    return " ".join(str(hand.score) for hand in state.hands)


# Nine rounds in which every seat shows the same piece: nobody ever takes anything.
MIRRORED = tuple(
    f"{piece} {piece} {piece}" for piece in ("B3", "B2", "B1", "W3", "W2", "W1", "C3", "C2", "C1")
)
