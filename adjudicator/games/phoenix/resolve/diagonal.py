"""Where a diagonal move leads: how far a Bird can go, what is in the way, and how long a chain
reaction runs (rulings R7, R8).
"""

from dataclasses import dataclass

from adjudicator.games.phoenix.model.grid import (
    SIDE,
    STEPS,
    Bird,
    Direction,
    Square,
    diagonal_between,
    on_grid,
    step_from,
)
from adjudicator.games.phoenix.model.orders import Diagonal
from adjudicator.games.phoenix.model.position import Position


@dataclass(frozen=True)
class Way:
    """The squares of a diagonal move, from the first after the Bird's own to the one it lands
    on.
    """

    direction: Direction
    squares: tuple[Square, ...]

    @property
    def end(self) -> Square:
        """The square it lands on, before any chain reaction."""
        return self.squares[-1]


def is_diagonal(bird: Bird, order: Diagonal) -> bool:
    """Whether an order for a Bird on the grid names a diagonal at all."""
    return _named_way(bird, order) is not None


def way_of(bird: Bird, order: Diagonal) -> Way:
    """Return the way an order names for a Bird on the grid; it may lead off the grid. Raises
    LookupError if it is no diagonal.
    """
    found = _named_way(bird, order)
    if found is None:
        raise LookupError(f"{order} is no diagonal from {bird.square}")
    direction, count = found
    return Way(
        direction, tuple(step_from(bird.square, direction, away) for away in range(1, count + 1))
    )


def _named_way(bird: Bird, order: Diagonal) -> tuple[Direction, int] | None:
    first, second = order.way
    return (
        diagonal_between(bird.square, (first, second))
        if isinstance(first, int)
        else (first, second)
    )


def open_ways(position: Position, bird: Bird) -> tuple[Way, ...]:
    """Return every diagonal move a Bird can make, the nearest squares first: one empty square, in
    the Escalation as a bishop (R7).
    """
    return tuple(way for direction in STEPS for way in _along(position, bird, direction))


def _along(position: Position, bird: Bird, direction: Direction) -> list[Way]:
    ways: list[Way] = []
    squares: tuple[Square, ...] = ()
    farthest = SIDE - 1 if position.part == "escalation" else 1
    for square in (step_from(bird.square, direction, away) for away in range(1, farthest + 1)):
        taken = position.at(square)
        if not on_grid(square) or (taken and not can_capture(position, bird, square)):
            break
        squares = (*squares, square)
        ways.append(Way(direction, squares))
        if taken:
            break
    return ways


def can_capture(position: Position, bird: Bird, square: Square) -> bool:
    """Whether a diagonal move may end on this occupied square: in the Escalation, if the Bird on it
    is an opponent's (ruling R7).
    """
    return position.part == "escalation" and position.foe_at(square, bird.seat) is not None


def chain_squares(position: Position, bird: Bird, way: Way) -> tuple[Square, ...]:
    """Return the squares of the longest chain reaction after a move (ruling R8).

    Each step needs an opponent's Bird on the square before it; the chain stops on the first empty
    square.
    """
    squares: list[Square] = []
    square = way.end
    while position.foe_at(square, bird.seat):
        square = step_from(square, way.direction)
        if not on_grid(square) or position.friend_at(square, bird.seat):
            break
        squares.append(square)
    return tuple(squares)
