"""The 6x6 grid, its four diagonal directions, and the Birds on it, not yet placed, or in the
Ashes.
"""

from dataclasses import dataclass
from typing import Literal

from adjudicator.core.game import Seat
from adjudicator.games.kit.glyphs import Kind

SIDE = 6
Square = tuple[int, int]
"""`x, y`, both from 1 to 6: x is the black die and grows to the east, y the white one and grows to
the north.
"""

Place = Square | Literal["unplaced", "ashes"]
"""Where a Bird is: on a square, not placed yet, or in the Ashes."""

Dice = tuple[int, int]
"""The black and the white die; together they name a square."""

Direction = Literal["NE", "SE", "SW", "NW"]
STEPS: dict[Direction, tuple[int, int]] = {
    "NE": (1, 1),
    "SE": (1, -1),
    "SW": (-1, -1),
    "NW": (-1, 1),
}
"""The four diagonals, in the order a landed Bird looks at them (ruling R5)."""
COMPASS: dict[Direction, str] = {
    "NE": "north-east",
    "SE": "south-east",
    "SW": "south-west",
    "NW": "north-west",
}


@dataclass(frozen=True)
class Bird:
    """One Bird and where it is; in an event, where it was just before."""

    seat: Seat
    kind: Kind
    place: Place = "unplaced"

    @property
    def stands(self) -> bool:
        """Whether it is on the grid."""
        return not isinstance(self.place, str)

    @property
    def square(self) -> Square:
        """The square it is on; raises LookupError for a Bird that is not on the grid."""
        if isinstance(self.place, str):
            raise LookupError(f"{self.seat}'s {self.kind} is not on the grid but {self.place}")
        return self.place


def on_grid(square: Square) -> bool:
    """Whether the square is on the grid at all."""
    return 1 <= square[0] <= SIDE and 1 <= square[1] <= SIDE


def step_from(square: Square, direction: Direction, squares: int = 1) -> Square:
    """Return the square `squares` diagonal steps away, which may be off the grid."""
    across, up = STEPS[direction]
    return square[0] + across * squares, square[1] + up * squares


def diagonal_between(start: Square, end: Square) -> tuple[Direction, int] | None:
    """Return the direction and length of the diagonal between two squares, None if they share
    none.
    """
    across, up = end[0] - start[0], end[1] - start[1]
    if not across or abs(across) != abs(up):
        return None
    direction = next(
        name for name, (x, y) in STEPS.items() if (x > 0) == (across > 0) and (y > 0) == (up > 0)
    )
    return direction, abs(across)


def is_beside(square: Square, other: Square) -> bool:
    """Whether two squares touch, orthogonally or diagonally."""
    return max(abs(square[0] - other[0]), abs(square[1] - other[1])) == 1


def is_gold(square: Square) -> bool:
    """Whether the square is one of the six that doubles name."""
    return square[0] == square[1]


def square_text(square: Square) -> str:
    """Return `3,4`."""
    return f"{square[0]},{square[1]}"
