"""The events of RPS Phoenix; all are public. The Birds in an event are where they were just before
it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from adjudicator.core.game import Event, Seat
from adjudicator.games.phoenix.model.grid import Bird, Dice, Direction, Square

Part = Literal["opening", "main", "escalation"]
Side = tuple[Seat, ...]
"""Seats that win together: one seat, or the two of a team (ruling R13)."""


@dataclass(frozen=True)
class FirstRoll:
    """One seat's roll for the first turn."""

    seat: Seat
    dice: Dice


class Began(Event, kind="began"):
    """The seats rolled for who begins; in each round after the first, those tied for the highest
    total rolled again.
    """

    rounds: tuple[tuple[FirstRoll, ...], ...]
    first: Seat


class Rolled(Event, kind="rolled"):
    """The dice of a turn: rolled as the turn began (opening), or because the seat chose to roll."""

    turn: int
    seat: Seat
    dice: Dice
    part: Part


class Placed(Event, kind="placed"):
    """A Bird came to the grid for the first time, on the square of the dice."""

    bird: Bird
    to: Square


class Moved(Event, kind="moved"):
    """A Bird moved: a diagonal, a jump to the square of the dice, or one more step of a chain
    reaction (ruling R8).
    """

    bird: Bird  # its place is where it came from
    to: Square
    how: Literal["diagonal", "roll", "chain"]


class Raised(Event, kind="raised"):
    """A Phoenix: a Bird came back from the Ashes, worth 2 points to its seat."""

    bird: Bird
    to: Square
    second: bool = False  # the one beside the first (ruling R10)
    forced: bool = False  # in give-away a seat must (ruling R13)


class Eliminated(Event, kind="eliminated"):
    """A Bird landed on an opponent's Bird, which went to the Ashes whatever the types; the seat of
    `by` scores the point.

    It follows the event of the landing; both `bird.place` and `by.place` are the square itself.
    """

    bird: Bird
    by: Bird
    why: Literal["placed", "roll", "phoenix", "diagonal", "chain"]


class Met(Event, kind="met"):
    """A Bird that had just landed looked in `direction` and found an opponent's Bird (rulings R5,
    R9).

    won: `other` went to the Ashes and `bird` took its square. lost: `bird` went to the Ashes and
    `other` took its square. mutual (Escalation): both went to the Ashes. Each Bird eliminated is a
    point for the seat of the other one (ruling R6).
    """

    bird: Bird
    other: Bird
    direction: Direction
    outcome: Literal["won", "lost", "mutual"]
    named: bool = False  # the mover asked to look there first


class Stayed(Event, kind="stayed"):
    """The seat did nothing: a Bird of its side is `at` the rolled square, or it has none to place
    or on the grid (R2, R3, R11).
    """

    seat: Seat
    why: Literal["blocked", "none-to-place", "none-on-grid"]
    at: Square
    blocker: Bird | None = None


class ChipPaid(Event, kind="chip-paid"):
    """Casino: a seat put a chip in the pot for each of its Birds eliminated in this turn; the pot
    now holds `pot`.
    """

    seat: Seat
    chips: int
    pot: int


class OpeningEnded(Event, kind="opening-ended"):
    """Every Bird has been placed or lies in the Ashes; the main game begins with the next turn."""

    turn: int  # the turn that ended it


class EscalationBegan(Event, kind="escalation-began"):
    """The Escalation holds from the next turn on (rulings R7-R10)."""

    turn: int  # the turn after which it holds


class Scored(Event, kind="scored"):
    """The running score after a turn that changed it."""

    scores: Mapping[Seat, int]


class Ended(Event, kind="ended"):
    """The match is over.

    survivor: one side alone has Birds on the grid (R11). given-away: all of a side's Birds are in
    the Ashes (R13). limit: the turn limit was reached (R12).
    """

    why: Literal["survivor", "given-away", "limit"]
    turn: int  # completed turns
    winners: tuple[Side, ...]  # more than one if sides share the victory
    # the 3 points, by the seat whose score they are added to; empty at the limit
    bonus: Mapping[Seat, int]
    shares: Mapping[Seat, int]  # casino: the chips each winning seat takes out of the pot
    pot: int  # casino: the chips that stay in it
    places: Mapping[Seat, int]
    scores: Mapping[Seat, int]


Happened = (
    Began
    | Rolled
    | Placed
    | Moved
    | Raised
    | Eliminated
    | Met
    | Stayed
    | ChipPaid
    | OpeningEnded
    | EscalationBegan
    | Scored
    | Ended
)


def fallen_birds(event: Happened) -> tuple[Bird, ...]:
    """Return the Birds that the event sent to the Ashes, each where it was before."""
    if isinstance(event, Eliminated):
        return (event.bird,)
    if isinstance(event, Met):
        return {"won": (event.other,), "lost": (event.bird,), "mutual": (event.bird, event.other)}[
            event.outcome
        ]
    return ()


def scored_points(event: Happened) -> tuple[tuple[Seat, int], ...]:
    """Return the points that the event scores: 1 for a Bird eliminated, 2 for one raised, the bonus
    of the end (ruling R6).
    """
    if isinstance(event, Eliminated):
        return ((event.by.seat, 1),)
    if isinstance(event, Met):
        won, lost = (event.bird.seat, 1), (event.other.seat, 1)
        return {"won": (won,), "lost": (lost,), "mutual": (won, lost)}[event.outcome]
    if isinstance(event, Raised):
        return ((event.bird.seat, 2),)
    return tuple(event.bonus.items()) if isinstance(event, Ended) else ()
