"""The events of Genesis; all are public (genesis R15)."""

from collections.abc import Mapping
from typing import Literal

from adjudicator.core.game import Event, Seat
from adjudicator.games.genesis.model.terms import Gift, Name, Verdict
from adjudicator.games.genesis.model.world import Square


class FirstDrawn(Event, kind="first drawn"):
    """The match opened: the seat that begins was drawn (R2)."""

    seat: Seat


class HandThrown(Event, kind="hand thrown"):
    """The match opened: a seat threw for its pyramids until the die showed 2, 4 or 5; `faces` lists
    every throw in order.
    """

    seat: Seat
    faces: tuple[int, ...]
    pyramids: int


class Born(Event, kind="born"):
    """A dipole was born from two pyramids, which went back to the hand."""

    seat: Seat
    anubis: Square
    bastet: Square


class Moved(Event, kind="moved"):
    """A piece moved; a separate event follows for what it met on `end`."""

    seat: Seat
    piece: Name
    start: Square
    end: Square


class Leapt(Event, kind="leapt"):
    """A Bastet leapt over the pyramid on `over`, or onto it where `end` is the same square (R5)."""

    seat: Seat
    start: Square
    over: Square
    end: Square


class Killed(Event, kind="killed"):
    """The other seat's Bastet was killed on `square` by a piece of `seat`."""

    seat: Seat
    piece: Name
    of: Seat
    square: Square


class TookIdea(Event, kind="took idea"):
    """A piece entered a corner with an idea, which became a deed in its seat's hand; the hand now
    has `deeds`.
    """

    seat: Seat
    piece: Name
    square: Square
    deeds: int


class Generated(Event, kind="generated"):
    """A Bastet in the Centre generated an idea on a corner; `outside` are left. `woke`: the corner
    was asleep before (R16).
    """

    seat: Seat
    square: Square
    outside: int
    woke: bool = False


class Destroyed(Event, kind="destroyed"):
    """A Bastet in the Centre destroyed the idea on a corner; `outside` are now outside the
    World.
    """

    seat: Seat
    square: Square
    outside: int


class MustLeave(Event, kind="must leave"):
    """A Bastet entered the Centre before the tombs began: she must leave it on her seat's next turn
    (R7).
    """

    seat: Seat


class SitsStill(Event, kind="sits still"):
    """`seat` sits still for the other seat's next `turns`, and loses the `given_up` turns in a row
    that it still had (R3).
    """

    seat: Seat
    turns: int
    given_up: int = 0


class PlacedPyramid(Event, kind="placed pyramid"):
    """A pyramid was placed; `left` remain in the hand."""

    seat: Seat
    square: Square
    left: int
    tomb: Seat | None = None  # the seat whose tomb cell it is, if any


class PlacedDeed(Event, kind="placed deed"):
    """A deed was placed, as the turn's order or as the duty deed after it; `left` remain in the
    hand.
    """

    seat: Seat
    square: Square
    left: int
    duty: bool = False
    tomb: Seat | None = None  # the seat whose tomb cell it is, if any


class Thrown(Event, kind="thrown"):
    """The die was thrown in play; `possible` says whether the seat can use what the face gives."""

    seat: Seat
    face: int
    gift: Gift
    possible: bool


class Reborn(Event, kind="reborn"):
    """A Bastet was reborn: from the pyramid on `square` (now in hand), on a corner, or in the
    Centre by the deeds `returned` to corners.
    """

    seat: Seat
    square: Square
    way: Literal["pyramid", "corner", "deeds"]
    returned: tuple[Square, ...] = ()
    woke: tuple[Square, ...] = ()  # those of them that were asleep (R16)


class Declined(Event, kind="declined"):
    """A seat did not use its throw; `possible` says whether it could have."""

    seat: Seat
    face: int
    possible: bool


class Passed(Event, kind="passed"):
    """A seat did nothing."""

    seat: Seat


class TombsBegan(Event, kind="tombs began"):
    """This seat's order brought in the last idea: from now on a piece that enters a corner without
    an idea is buried (R9).
    """

    seat: Seat


class Buried(Event, kind="buried"):
    """A piece was buried on a corner; `cells` are its seat's six tomb cells if both its pieces are
    now buried, else ().
    """

    seat: Seat
    piece: Name
    square: Square
    cells: tuple[Square, ...] = ()


class TombsCompleted(Event, kind="tombs completed"):
    """A seat completed its tombs, permanently; `owes` is the seat whose turns include a duty deed
    from now on.
    """

    seat: Seat
    cells: tuple[Square, ...]
    owes: Seat | None = None


class SeatOver(Event, kind="seat over"):
    """Both pieces of a seat are buried, and it can place nothing more."""

    seat: Seat


class Ended(Event, kind="ended"):
    """The match is over: it is over for both seats, or the turn limit is reached."""

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
