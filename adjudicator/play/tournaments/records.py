"""The values of a tournament: entrants, rounds, and rounds with their results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

# an id; its rank is its place in the entry order, the order of every `entrants`
Entrant = int | str
Table = tuple[Entrant, ...]  # in seat order: the first plays the game's first seat
Points = int | Fraction
# draws the entrants of a round in random order; asked at most once a round
Lots = Callable[[], tuple[Entrant, ...]]


class TournamentError(ValueError):
    """A format, a list of entrants or a history that cannot be paired; the message is a sentence
    for the director.
    """


@dataclass(frozen=True)
class Round:
    """Who meets whom in one round.

    Each entrant is at one table or sits out. Of a knock-out, only those still in it are: who sits
    out has a bye.
    """

    tables: tuple[Table, ...]
    sitting_out: tuple[Entrant, ...] = ()
    # the drawn order that later rounds go on from: a circle, a grid or a bracket
    order: tuple[Entrant | None, ...] = ()
    turn: int = 0  # how far the circle or grid has turned


@dataclass(frozen=True)
class Played:
    """A round and its points: for each table one number a seat, or None while it has no result; ()
    while no table has one.

    `given` are points that directors gave up to this round besides, by entrant.

    Raises TournamentError if the points do not fit the tables.
    """

    round: Round
    points: tuple[tuple[Points, ...] | None, ...] = ()
    given: tuple[tuple[Entrant, Points], ...] = ()

    def __post_init__(self) -> None:
        sizes = [len(table) for table in self.round.tables]
        if self.points and len(self.points) != len(sizes):
            raise TournamentError(
                f"The round has {len(sizes)} tables, but points of {len(self.points)}."
            )
        for number, (size, points) in enumerate(zip(sizes, self.points, strict=False), 1):
            if points is not None and len(points) != size:
                raise TournamentError(
                    f"Table {number} has {size} seats, but {len(points)} numbers of points."
                )

    @property
    def results(self) -> tuple[tuple[Table, tuple[Points, ...]], ...]:
        """The tables that have a result, with the points in seat order."""
        pairs = zip(self.round.tables, self.points, strict=False)
        return tuple((table, points) for table, points in pairs if points is not None)


# the rounds so far, the first one first; tables of entrants who left stay in it
History = Sequence[Played]
