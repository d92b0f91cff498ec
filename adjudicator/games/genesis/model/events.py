"""The events of Genesis; all are public (genesis R15)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from adjudicator.core.game import Event, Seat
from adjudicator.games.genesis.model.terms import Gift, Name, Verdict
from adjudicator.games.genesis.model.world import Square


@dataclass(frozen=True, kw_only=True)
class FirstDrawn(Event):
    """The match opened: the seat that begins was drawn (R2)."""

    kind: Literal["first drawn"] = "first drawn"
    seat: Seat


@dataclass(frozen=True, kw_only=True)
class HandThrown(Event):
    """The match opened: a seat threw for its pyramids until the die showed 2, 4 or 5; `faces` lists
    every throw in order.
    """

    kind: Literal["hand thrown"] = "hand thrown"
    seat: Seat
    faces: tuple[int, ...]
    pyramids: int


@dataclass(frozen=True, kw_only=True)
class Born(Event):
    """A dipole was born from two pyramids, which went back to the hand."""

    kind: Literal["born"] = "born"
    seat: Seat
    anubis: Square
    bastet: Square


@dataclass(frozen=True, kw_only=True)
class Moved(Event):
    """A piece moved; a separate event follows for what it met on `end`."""

    kind: Literal["moved"] = "moved"
    seat: Seat
    piece: Name
    start: Square
    end: Square


@dataclass(frozen=True, kw_only=True)
class Leapt(Event):
    """A Bastet leapt over the pyramid on `over`, or onto it where `end` is the same square (R5)."""

    kind: Literal["leapt"] = "leapt"
    seat: Seat
    start: Square
    over: Square
    end: Square


@dataclass(frozen=True, kw_only=True)
class Killed(Event):
    """The other seat's Bastet was killed on `square` by a piece of `seat`."""

    kind: Literal["killed"] = "killed"
    seat: Seat
    piece: Name
    of: Seat
    square: Square


@dataclass(frozen=True, kw_only=True)
class TookIdea(Event):
    """A piece entered a corner with an idea, which became a deed in its seat's hand; the hand now
    has `deeds`.
    """

    kind: Literal["took idea"] = "took idea"
    seat: Seat
    piece: Name
    square: Square
    deeds: int


@dataclass(frozen=True, kw_only=True)
class Generated(Event):
    """A Bastet in the Centre generated an idea on a corner; `outside` are left. `woke`: the corner
    was asleep before (R16).
    """

    kind: Literal["generated"] = "generated"
    seat: Seat
    square: Square
    outside: int
    woke: bool = False


@dataclass(frozen=True, kw_only=True)
class Destroyed(Event):
    """A Bastet in the Centre destroyed the idea on a corner; `outside` are now outside the
    World.
    """

    kind: Literal["destroyed"] = "destroyed"
    seat: Seat
    square: Square
    outside: int


@dataclass(frozen=True, kw_only=True)
class MustLeave(Event):
    """A Bastet entered the Centre before the tombs began: she must leave it on her seat's next turn
    (R7).
    """

    kind: Literal["must leave"] = "must leave"
    seat: Seat


@dataclass(frozen=True, kw_only=True)
class SitsStill(Event):
    """`seat` sits still for the other seat's next `turns`, and loses the `given_up` turns in a row
    that it still had (R3).
    """

    kind: Literal["sits still"] = "sits still"
    seat: Seat
    turns: int
    given_up: int = 0


@dataclass(frozen=True, kw_only=True)
class PlacedPyramid(Event):
    """A pyramid was placed; `left` remain in the hand."""

    kind: Literal["placed pyramid"] = "placed pyramid"
    seat: Seat
    square: Square
    left: int
    tomb: Seat | None = None  # the seat whose tomb cell it is, if any


@dataclass(frozen=True, kw_only=True)
class PlacedDeed(Event):
    """A deed was placed, as the turn's order or as the duty deed after it; `left` remain in the
    hand.
    """

    kind: Literal["placed deed"] = "placed deed"
    seat: Seat
    square: Square
    left: int
    duty: bool = False
    tomb: Seat | None = None  # the seat whose tomb cell it is, if any


@dataclass(frozen=True, kw_only=True)
class Thrown(Event):
    """The die was thrown in play; `possible` says whether the seat can use what the face gives."""

    kind: Literal["thrown"] = "thrown"
    seat: Seat
    face: int
    gift: Gift
    possible: bool


@dataclass(frozen=True, kw_only=True)
class Reborn(Event):
    """A Bastet was reborn: from the pyramid on `square` (now in hand), on a corner, or in the
    Centre by the deeds `returned` to corners.
    """

    kind: Literal["reborn"] = "reborn"
    seat: Seat
    square: Square
    way: Literal["pyramid", "corner", "deeds"]
    returned: tuple[Square, ...] = ()
    woke: tuple[Square, ...] = ()  # those of them that were asleep (R16)


@dataclass(frozen=True, kw_only=True)
class Declined(Event):
    """A seat did not use its throw; `possible` says whether it could have."""

    kind: Literal["declined"] = "declined"
    seat: Seat
    face: int
    possible: bool


@dataclass(frozen=True, kw_only=True)
class Passed(Event):
    """A seat did nothing."""

    kind: Literal["passed"] = "passed"
    seat: Seat


@dataclass(frozen=True, kw_only=True)
class TombsBegan(Event):
    """This seat's order brought in the last idea: from now on a piece that enters a corner without
    an idea is buried (R9).
    """

    kind: Literal["tombs began"] = "tombs began"
    seat: Seat


@dataclass(frozen=True, kw_only=True)
class Buried(Event):
    """A piece was buried on a corner; `cells` are its seat's six tomb cells if both its pieces are
    now buried, else ().
    """

    kind: Literal["buried"] = "buried"
    seat: Seat
    piece: Name
    square: Square
    cells: tuple[Square, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TombsCompleted(Event):
    """A seat completed its tombs, permanently; `owes` is the seat whose turns include a duty deed
    from now on.
    """

    kind: Literal["tombs completed"] = "tombs completed"
    seat: Seat
    cells: tuple[Square, ...]
    owes: Seat | None = None


@dataclass(frozen=True, kw_only=True)
class SeatOver(Event):
    """Both pieces of a seat are buried, and it can place nothing more."""

    kind: Literal["seat over"] = "seat over"
    seat: Seat


@dataclass(frozen=True, kw_only=True)
class Ended(Event):
    """The match is over: it is over for both seats, or the turn limit is reached."""

    kind: Literal["ended"] = "ended"
    why: Literal["over for both", "turn limit"]
    verdicts: Mapping[Seat, Verdict]
    deeds: Mapping[Seat, int]  # those that count (R12)
    places: Mapping[Seat, int]


Happened = (
    FirstDrawn
    | HandThrown
    | Born
    | Moved
    | Leapt
    | Killed
    | TookIdea
    | Generated
    | Destroyed
    | MustLeave
    | SitsStill
    | PlacedPyramid
    | PlacedDeed
    | Thrown
    | Reborn
    | Declined
    | Passed
    | TombsBegan
    | Buried
    | TombsCompleted
    | SeatOver
    | Ended
)
