"""The World of Genesis: 25 squares, five of them places, and the ways between them."""

from functools import cache

Square = str
"""A square by its file and rank: `a1` to `e5`; `c3` is the Centre."""

FILES, RANKS = "abcde", "12345"
SQUARES: tuple[Square, ...] = tuple(file + rank for rank in RANKS for file in FILES)
CORNERS: tuple[Square, ...] = ("a1", "e1", "a5", "e5")  # the Places of Ideas
CENTRE: Square = "c3"
PLACES: tuple[Square, ...] = (*CORNERS, CENTRE)
CELLS: tuple[Square, ...] = tuple(square for square in SQUARES if square not in PLACES)

Step = tuple[int, int]
ORTHOGONALS: tuple[Step, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONALS: tuple[Step, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
DIRECTIONS: tuple[Step, ...] = ORTHOGONALS + DIAGONALS


def in_order(squares: set[Square] | frozenset[Square]) -> tuple[Square, ...]:
    """Return squares in board order: a1 b1 .. e1 a2 .. e5."""
    return tuple(square for square in SQUARES if square in squares)


def step_from(square: Square, step: Step) -> Square | None:
    """Return the square one step away, None beyond the edge of the World."""
    file, rank = FILES.index(square[0]) + step[0], RANKS.index(square[1]) + step[1]
    return FILES[file] + RANKS[rank] if 0 <= file < 5 and 0 <= rank < 5 else None


@cache
def _ray(square: Square, step: Step) -> tuple[Square, ...]:
    """Return the squares from `square` (without it) to the edge, the nearest first."""
    after = step_from(square, step)
    return () if after is None else (after, *_ray(after, step))


@cache
def neighbours(square: Square) -> tuple[Square, ...]:
    """Return the up to eight squares around one, in board order."""
    return in_order({near for step in DIRECTIONS if (near := step_from(square, step))})


@cache
def straight_line(start: Square, end: Square) -> tuple[Square, ...]:
    """Return the squares from `start` (without it) to `end` where that is a straight line, else
    ().
    """
    for step in DIRECTIONS:
        squares = _ray(start, step)
        if end in squares:
            return squares[: squares.index(end) + 1]
    return ()
