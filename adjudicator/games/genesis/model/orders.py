"""The orders of Genesis; `str(order)` is the canonical spelling that is sealed."""

from adjudicator.core.game import Tagged
from adjudicator.games.genesis.model.terms import Name
from adjudicator.games.genesis.model.world import Square


class Birth(Tagged, kind="birth"):
    """Place two pyramids and name which gives birth to whom."""

    anubis: Square
    bastet: Square

    def __str__(self) -> str:
        return f"birth anubis {self.anubis} bastet {self.bastet}"


class Move(Tagged, kind="move"):
    """Move one piece; a Bastet who enters the Centre may generate an idea (`idea`) or destroy one
    (`destroy`) on a corner.
    """

    piece: Name
    end: Square
    idea: Square | None = None
    destroy: Square | None = None
    # where the player says the piece is; dropped once the order is found legal
    start: Square | None = None

    def __str__(self) -> str:
        way = f"{self.start}-{self.end}" if self.start else self.end
        return f"{self.piece} {way}{_work(self)}"


class Pyramid(Tagged, kind="pyramid"):
    """Place a pyramid."""

    square: Square

    def __str__(self) -> str:
        return f"pyramid {self.square}"


class Lay(Tagged, kind="lay"):
    """Place a deed: as the turn's order once both pieces are buried, or as the duty deed after a
    turn's order.
    """

    square: Square

    def __str__(self) -> str:
        return f"deed {self.square}"


class Throw(Tagged, kind="throw"):
    """Throw the die; the next decision is how to use it."""

    def __str__(self) -> str:
        return "throw"


class Return(Tagged, kind="return"):
    """Return deeds to every corner without an idea, for a rebirth in the Centre."""

    def __str__(self) -> str:
        return "return deeds"


class Pass(Tagged, kind="pass"):
    """Do nothing."""

    def __str__(self) -> str:
        return "pass"


class Rebirth(Tagged, kind="rebirth"):
    """After a 1: let Bastet be reborn from a pyramid or on a corner."""

    square: Square

    def __str__(self) -> str:
        return f"rebirth {self.square}"


class Leap(Tagged, kind="leap"):
    """After a 3 or 6: leap with Bastet to `end` (R5)."""

    end: Square
    idea: Square | None = None
    destroy: Square | None = None

    def __str__(self) -> str:
        return f"leap {self.end}{_work(self)}"


class Decline(Tagged, kind="decline"):
    """After a throw: do not use it."""

    def __str__(self) -> str:
        return "decline"


Order = Birth | Move | Pyramid | Lay | Throw | Return | Pass | Rebirth | Leap | Decline
AFTER_THROW = (Rebirth, Leap, Decline)


def _work(order: Move | Leap) -> str:
    """Return the end of an order that says what Bastet does in the Centre, "" for nothing."""
    idea = f" idea {order.idea}" if order.idea else ""
    return idea + (f" destroy {order.destroy}" if order.destroy else "")
