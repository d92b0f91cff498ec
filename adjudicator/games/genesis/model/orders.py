"""The orders of Genesis; `str(order)` is the canonical spelling that is sealed."""

from dataclasses import dataclass
from typing import Literal

from adjudicator.games.genesis.model.terms import Name
from adjudicator.games.genesis.model.world import Square


@dataclass(frozen=True)
class Birth:
    """Place two pyramids and name which gives birth to whom."""

    anubis: Square
    bastet: Square
    kind: Literal["birth"] = "birth"

    def __str__(self) -> str:
        return f"birth anubis {self.anubis} bastet {self.bastet}"


@dataclass(frozen=True)
class Move:
    """Move one piece; a Bastet who enters the Centre may generate an idea (`idea`) or destroy one
    (`destroy`) on a corner.
    """

    piece: Name
    end: Square
    idea: Square | None = None
    destroy: Square | None = None
    # where the player says the piece is; dropped once the order is found legal
    start: Square | None = None
    kind: Literal["move"] = "move"

    def __str__(self) -> str:
        way = f"{self.start}-{self.end}" if self.start else self.end
        return f"{self.piece} {way}{_work(self)}"


@dataclass(frozen=True)
class Pyramid:
    """Place a pyramid."""

    square: Square
    kind: Literal["pyramid"] = "pyramid"

    def __str__(self) -> str:
        return f"pyramid {self.square}"


@dataclass(frozen=True)
class Lay:
    """Place a deed: as the turn's order once both pieces are buried, or as the duty deed after a
    turn's order.
    """

    square: Square
    kind: Literal["lay"] = "lay"

    def __str__(self) -> str:
        return f"deed {self.square}"


@dataclass(frozen=True)
class Throw:
    """Throw the die; the next decision is how to use it."""

    kind: Literal["throw"] = "throw"

    def __str__(self) -> str:
        return "throw"


@dataclass(frozen=True)
class Return:
    """Return deeds to every corner without an idea, for a rebirth in the Centre."""

    kind: Literal["return"] = "return"

    def __str__(self) -> str:
        return "return deeds"


@dataclass(frozen=True)
class Pass:
    """Do nothing."""

    kind: Literal["pass"] = "pass"

    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True)
class Rebirth:
    """After a 1: let Bastet be reborn from a pyramid or on a corner."""

    square: Square
    kind: Literal["rebirth"] = "rebirth"

    def __str__(self) -> str:
        return f"rebirth {self.square}"


@dataclass(frozen=True)
class Leap:
    """After a 3 or 6: leap with Bastet to `end` (R5)."""

    end: Square
    idea: Square | None = None
    destroy: Square | None = None
    kind: Literal["leap"] = "leap"

    def __str__(self) -> str:
        return f"leap {self.end}{_work(self)}"


@dataclass(frozen=True)
class Decline:
    """After a throw: do not use it."""

    kind: Literal["decline"] = "decline"

    def __str__(self) -> str:
        return "decline"


Order = Birth | Move | Pyramid | Lay | Throw | Return | Pass | Rebirth | Leap | Decline
AFTER_THROW = (Rebirth, Leap, Decline)


def _work(order: Move | Leap) -> str:
    """Return the end of an order that says what Bastet does in the Centre, "" for nothing."""
    idea = f" idea {order.idea}" if order.idea else ""
    return idea + (f" destroy {order.destroy}" if order.destroy else "")
