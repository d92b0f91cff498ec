"""Matches of RPS Redeux for tests: a pick is `R/S`, seat 1's card before seat 2's, and with bets
`R10/S5`.
"""

from collections.abc import Sequence
from dataclasses import replace

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.game import Adjudication
from adjudicator.core.options import OptionValue, complete_options
from adjudicator.games.kit.glyphs import KINDS, Kind
from adjudicator.games.redeux.orders import Answer, Order, Play
from adjudicator.games.redeux.rules import REDEUX
from adjudicator.games.redeux.state import RISK_DECK, Side, State, by_kind

SEATS = ("1", "2")
LETTERS: dict[str, Kind] = {kind[0].upper(): kind for kind in KINDS}
FRESH = "RRRPPPSSS"
# a script's shuffle that leaves the Risk deck as it is: 18 rock on top
UNSHUFFLED = list(RISK_DECK)


def cards(letters: str) -> tuple[Kind, ...]:
    """Return the cards of `RRPS`."""
    return tuple(LETTERS[letter] for letter in letters)


def opening(**options: OptionValue) -> State:
    """Return a new match."""
    return REDEUX.start(SEATS, complete_options(REDEUX.about, options), ScriptedChance([]))


def risk(
    scores: str,
    *,
    hands: str = f"{FRESH}/{FRESH}",
    deck: str = "RRRRRRRR",
    discard: str = "",
    picks: int = 0,
    **options: OptionValue,
) -> State:
    """Return a match in the Risk Rounds at these scores, `10-5`; the first letter of the deck is
    drawn first.
    """
    points = (int(score) for score in scores.split("-"))
    sides = tuple(
        Side(seat, by_kind(cards(hand)), score=score)
        for seat, hand, score in zip(SEATS, hands.split("/"), points, strict=True)
    )
    return replace(
        opening(**options),
        part="risk",
        sides=sides,
        deck=cards(deck),
        discard=cards(discard),
        picks=picks,
    )


def order(text: str) -> Order:
    """Return the order of `R`, `R10`, `yes` or `no`."""
    if text in ("yes", "no"):
        return Answer(yes=text == "yes")
    return Play(LETTERS[text[0]], int(text[1:] or 0))


def play(state: State, pick: str, script: Sequence[object] = ()) -> Adjudication[State]:
    """Return the adjudication of `R10/S5`, or of the answers `yes/no`; a seat with `-` submits
    nothing.
    """
    orders = {
        seat: (order(text),)
        for seat, text in zip(SEATS, pick.split("/"), strict=True)
        if text != "-"
    }
    return REDEUX.adjudicate(state, orders, ScriptedChance(script))


def after(state: State, picks: str) -> State:
    """Return the state after several picks, separated by blanks; a Risk deck is not shuffled."""
    for pick in picks.split():
        state = play(state, pick, [UNSHUFFLED] if pick == "yes/yes" else []).state
    return state


def scores(state: State) -> str:
    """Return the points of seats 1 and 2: `10-5`."""
    return "-".join(str(side.score) for side in state.sides)


def hand(state: State, seat: str) -> str:
    """Return a hand as letters: `RRPPPSS`."""
    return "".join(card[0].upper() for card in state.side(seat).hand)
