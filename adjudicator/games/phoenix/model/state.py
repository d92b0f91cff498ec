"""The state of a match of RPS Phoenix between two decisions; all of it is public."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from adjudicator.core.game import Seat
from adjudicator.games.kit.glyphs import winner
from adjudicator.games.phoenix.model.events import Ended, Happened, Part, Side
from adjudicator.games.phoenix.model.grid import Bird, Dice


@dataclass(frozen=True)
class Modes:
    """The options of the match."""

    escalation: int  # turns per seat before it begins
    turn_limit: int  # turns per seat, 0 for none
    team: bool = False
    give_away: bool = False
    casino: bool = False


@dataclass(frozen=True)
class Purse:
    """Casino: the chips a seat has put in the pot, and those it took out at the end; they never
    change the score (ruling R13).
    """

    paid: int = 0
    taken: int = 0


@dataclass(frozen=True)
class Turn:
    """The last completed turn with all its events; turn 0 is the roll for who begins."""

    number: int
    seat: Seat
    dice: Dice | None  # None if the seat moved a Bird diagonally
    events: tuple[Happened, ...]


@dataclass(frozen=True)
class State:
    """A match between two decisions."""

    modes: Modes
    seats: tuple[Seat, ...]
    birds: tuple[Bird, ...]  # three of each seat, in seat order: Rock, Paper, Scissors
    scores: Mapping[Seat, int]
    purses: Mapping[Seat, Purse]
    on_turn: Seat
    turn: int = 0  # completed turns
    dice: Dice | None = None  # those the seat on turn is to use
    last: Turn | None = None
    ended: Ended | None = None

    @property
    def part(self) -> Part:
        """The part of the game that the current turn belongs to (rulings R1, R7)."""
        if any(bird.place == "unplaced" for bird in self.birds):
            return "opening"
        return "escalation" if self.turn >= self.modes.escalation * len(self.seats) else "main"

    @property
    def sides(self) -> tuple[Side, ...]:
        """The seats that win together: each alone, or Red+Pink and Blue+Green (ruling R13)."""
        return _sides_of(self.seats, team=self.modes.team)

    @property
    def pot(self) -> int:
        """The chips in the pot."""
        return sum(purse.paid - purse.taken for purse in self.purses.values())


@cache
def _sides_of(seats: tuple[Seat, ...], *, team: bool) -> tuple[Side, ...]:
    """Return the seats that win together; partners sit opposite each other (ruling R13)."""
    return (seats[0::2], seats[1::2]) if team else tuple((seat,) for seat in seats)


def beats(one: Bird, other: Bird) -> bool:
    """Whether the type of one Bird beats that of the other."""
    return winner(one.kind, other.kind) == one.kind
