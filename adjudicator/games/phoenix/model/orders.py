"""The orders of RPS Phoenix; `str(order)` is the canonical spelling that is sealed."""

from dataclasses import dataclass
from typing import Literal

from adjudicator.core.game import Tagged
from adjudicator.games.kit.glyphs import Kind
from adjudicator.games.phoenix.model.grid import Direction, Square, square_text

Chain = int | Literal["all"]
"""Steps of a chain reaction: 0 for none, `all` for as many as there are (ruling R8)."""


class Place(Tagged, kind="place"):
    """Opening: place this Bird on the square of the dice."""

    bird: Kind

    def __str__(self) -> str:
        return f"place {self.bird}"


class Roll(Tagged, kind="roll"):
    """Main game: roll the dice."""

    def __str__(self) -> str:
        return "roll"


class Diagonal(Tagged, kind="diagonal"):
    """Main game, before a roll: move a Bird diagonally; `way` is a direction and distance, or a
    square, as the player wrote it.
    """

    bird: Kind
    way: tuple[Direction, int] | Square
    chain: Chain = 0
    meeting: tuple[Direction, ...] = ()

    def __str__(self) -> str:
        return (
            f"{self.bird} {_way_text(self.way)}{chain_text(self.chain)}{meeting_text(self.meeting)}"
        )


class Move(Tagged, kind="move"):
    """After a roll: move a Bird to the square of the dice."""

    bird: Kind
    meeting: tuple[Direction, ...] = ()

    def __str__(self) -> str:
        return f"move {self.bird}{meeting_text(self.meeting)}"


@dataclass(frozen=True)
class Second:
    """The second Bird of a Phoenix in the Escalation, and its square (ruling R10)."""

    bird: Kind
    to: Square


class Phoenix(Tagged, kind="phoenix"):
    """On doubles: raise a Bird from the Ashes, or two."""

    bird: Kind
    second: Second | None = None
    meeting: tuple[Direction, ...] = ()

    def __str__(self) -> str:
        return f"phoenix {self.bird}{second_text(self.second)}{meeting_text(self.meeting)}"


class Stay(Tagged, kind="stay"):
    """Do nothing; legal only if nothing can be moved or placed (ruling R3)."""

    def __str__(self) -> str:
        return "stay"


Order = Place | Roll | Diagonal | Move | Phoenix | Stay


def _way_text(way: tuple[Direction, int] | Square) -> str:
    start, end = way
    if isinstance(start, int):
        return square_text((start, end))
    return start if end == 1 else f"{start} {end}"


def chain_text(chain: Chain) -> str:
    """Return ` chain 2`, "" for none."""
    if not chain:
        return ""
    return " chain" if chain == "all" else f" chain {chain}"


def second_text(second: Second | None) -> str:
    """Return ` and rock 3,5`, "" for none."""
    return f" and {second.bird} {square_text(second.to)}" if second else ""


def meeting_text(meeting: tuple[Direction, ...]) -> str:
    """Return ` meeting SW SE`, "" for none."""
    return f" meeting {' '.join(meeting)}" if meeting else ""
