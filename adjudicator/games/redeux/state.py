"""The state of RPS Redeux between two picks, and its events."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from adjudicator.core.game import Event, Seat
from adjudicator.games.kit.glyphs import KINDS, Kind

STEP = 5  # bets are multiples of it, and a round won without a bet brings as much
FRESH_HAND: tuple[Kind, ...] = tuple(kind for kind in KINDS for _ in range(3))
RISK_DECK: tuple[Kind, ...] = tuple(kind for kind in KINDS for _ in range(18))

Part = Literal["primary", "question", "risk", "over"]
Ending = Literal["primary", "declined", "target", "limit"]
RiskOption = Literal["ask", "always", "never"]


def by_kind(cards: Iterable[Kind]) -> tuple[Kind, ...]:
    """Return the cards in the order in which the rules list them: rock, paper, scissors."""
    return tuple(sorted(cards, key=KINDS.index))


@dataclass(frozen=True)
class Terms:
    """What was chosen when the match was made (rulings R8, R10, R11); a limit of 0 is none."""

    rounds: int
    risk: RiskOption
    target: int
    tie_limit: int
    risk_limit: int


@dataclass(frozen=True)
class Side:
    """One seat's cards and points."""

    seat: Seat
    # in the order of `by_kind`; the owner alone may know it (ruling R7)
    hand: tuple[Kind, ...] = FRESH_HAND
    score: int = 0
    pile: int = 0  # cards in its match pile, won in the Primary game
    # cards played in this part that did not return to its hand, the first one first
    spent: tuple[Kind, ...] = ()


@dataclass(frozen=True)
class Showing:
    """Two cards shown at once, and the result."""

    part: Literal["primary", "risk"]
    number: int  # of the round in its part
    cards: Mapping[Seat, Kind]
    bets: Mapping[Seat, int]  # 0 is no bet
    winner: Seat | None  # None where the round is tied and done again
    gains: Mapping[Seat, int]  # what each score changed by
    ties: int  # how many times in a row the round was tied, this time included
    named: bool = False  # the winner of a tie was named by chance (ruling R10)


@dataclass(frozen=True)
class State:
    """A match between two picks; the coming pick and bet are never part of it."""

    terms: Terms
    sides: tuple[Side, ...]  # in seat order
    part: Part = "primary"
    number: int = 1  # of the coming round in its part
    ties: int = 0  # how many times in a row that round was tied
    picks: int = 0  # made in the Risk Rounds, ties included
    deck: tuple[Kind, ...] = ()  # hidden; the first one is drawn first
    discard: tuple[Kind, ...] = ()
    # to the Risk Rounds question, once they are given
    answers: Mapping[Seat, bool] = field(default_factory=dict)
    ending: Ending | None = None  # what ended the match
    last: Showing | None = None

    def side(self, seat: Seat) -> Side:
        """Return the cards and points of `seat`."""
        return next(side for side in self.sides if side.seat == seat)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Both seats in their order."""
        return tuple(side.seat for side in self.sides)

    @property
    def scores(self) -> dict[Seat, int]:
        """The points of each seat."""
        return {side.seat: side.score for side in self.sides}


# --- what happened


class Played(Event, kind="played"):
    """Both cards of a round were shown."""

    showing: Showing
    scores: Mapping[Seat, int]  # after it


class Reshuffled(Event, kind="reshuffled"):
    """The deck was empty when a card had to be drawn, so the discard became the deck (ruling
    R4).
    """

    cards: int


class Drew(Event, kind="drew"):
    """A seat drew a card from the Risk deck; nobody else may know which."""

    seat: Seat
    card: Kind


class PrimaryOver(Event, kind="primary over"):
    """The last round of the Primary game is decided."""

    winner: Seat
    scores: Mapping[Seat, int]
    asks: bool  # whether the Risk Rounds question comes next


class Answered(Event, kind="answered"):
    """Both answers to the Risk Rounds question (ruling R5)."""

    answers: Mapping[Seat, bool]


class RiskBegan(Event, kind="risk began"):
    """Both seats took a fresh hand, and the Risk deck was shuffled."""

    target: int
    deck: int


class Ended(Event, kind="ended"):
    """The match is over."""

    winner: Seat
    scores: Mapping[Seat, int]
    why: Ending
    # the target reached, or the picks after which the higher score wins; 0 for the other endings
    bound: int


Happened = Played | Reshuffled | Drew | PrimaryOver | Answered | RiskBegan | Ended
