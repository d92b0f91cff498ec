"""What lies on the table between two rounds of Skeleton, what can be ordered, and what can
happen.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from adjudicator.core.game import Event, Seat


@dataclass(frozen=True)
class Side:
    """One seat's cards and points."""

    seat: Seat
    hand: tuple[int, ...]  # ascending
    score: int = 0


@dataclass(frozen=True)
class Round:
    """A round that was played."""

    number: int
    cards: Mapping[Seat, int]
    winner: Seat | None  # None: equal cards


@dataclass(frozen=True)
class State:
    """The table before a round."""

    cards: int  # that each seat was given
    sides: tuple[Side, ...]  # in seat order
    last: Round | None = None

    @property
    def number(self) -> int:
        """The number of the coming round."""
        return self.last.number + 1 if self.last else 1

    @property
    def scores(self) -> dict[Seat, int]:
        """The points of each seat."""
        return {side.seat: side.score for side in self.sides}

    def hand(self, seat: Seat) -> tuple[int, ...]:
        """Return the cards a seat still holds."""
        return next(side.hand for side in self.sides if side.seat == seat)


def phase_name(state: State) -> str:
    """Return what the coming phase is called."""
    return f"Round {state.number}" if any(side.hand for side in state.sides) else "The end"


@dataclass(frozen=True)
class Play:
    """The one kind of order: a card of the hand."""

    card: int

    def __str__(self) -> str:
        return f"play {self.card}"


# --- what can happen


class Played(Event, kind="played"):
    """Both cards were shown."""

    number: int
    cards: Mapping[Seat, int]
    winner: Seat | None
    scores: Mapping[Seat, int]


class Ended(Event, kind="ended"):
    """All cards are played."""

    winner: Seat | None  # None: a draw
    scores: Mapping[Seat, int]


Happened = Played | Ended
