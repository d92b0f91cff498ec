"""The formats of tournaments, as records of policies."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Literal

from adjudicator.play.tournaments.leagues import form_divisions
from adjudicator.play.tournaments.records import Points, TournamentError

MOST_ROUNDS = 200  # of a new tournament


@dataclass(frozen=True)
class RoundRobin:
    """Tables of two: each meets each once a cycle, and every other cycle exchanges the seats."""

    cycles: int = 1


@dataclass(frozen=True)
class Mixer:
    """Rounds at tables of any size, in which each meets as many different opponents as possible;
    points do not matter.
    """

    rounds: int
    sizes: tuple[int, ...]  # of tables: what the director chose of what the game allows
    best: int | None = None  # of the rounds of each entrant, those that count; None: all


@dataclass(frozen=True)
class Swiss:
    """Rounds in which those with equal points meet."""

    rounds: int
    sizes: tuple[int, ...] = (2,)
    sitting_out: Points = 0  # what an entrant gets for each round of sitting out
    # of the rounds of each entrant, those that count in the standings; None: all
    best: int | None = None
    # after the rounds, the first ones in the standings meet at one more table of so many seats; 0:
    # they do not
    top: int = 0


@dataclass(frozen=True)
class KnockOut:
    """Tables of two: the winner goes on, the loser is out. Seeds are the entry order, or drawn."""

    seeds: Literal["entry", "draw"] = "entry"
    # who wins a tied table
    tie: Literal["higher seed", "lower seed", "first seat", "second seat"] = "higher seed"


@dataclass(frozen=True)
class League:
    """A season of divisions, cut from the order of entry, with a round robin in each or, at other
    tables than of two, a mixer.
    """

    size: int  # of a division
    moving: int = 1  # how many go up and down where two divisions touch
    cycles: int = 1  # at tables of two: how often each meets each of the division
    rounds: int = 1  # at other tables
    sizes: tuple[int, ...] = (2,)  # of tables

    @property
    def of_two(self) -> bool:
        """Whether each division is a round robin."""
        return self.sizes == (2,)

    @property
    def least(self) -> int:
        """The entrants of the smallest division that can play; fewer join the one above."""
        return min(self.sizes, default=2)


Format = RoundRobin | Mixer | Swiss | KnockOut | League
FORMATS: dict[str, type[Format]] = {
    "round robin": RoundRobin,
    "mixer": Mixer,
    "swiss": Swiss,
    "knock-out": KnockOut,
    "league": League,
}


def count_rounds(format_: Format, count: int) -> int:
    """Return the rounds that `count` entrants play if nobody comes or leaves.

    A round robin of 2n entrants takes 2n - 1 rounds a cycle, one of 2n - 1 as many; a knock-out the
    logarithm, rounded up.
    """
    if isinstance(format_, RoundRobin):
        return format_.cycles * turns_of_circle(count)
    if isinstance(format_, KnockOut):
        return ceil(log2(count)) if count else 0
    if isinstance(format_, League) and format_.of_two:
        divisions = form_divisions(range(count), format_.size, least=format_.least)
        return format_.cycles * turns_of_circle(max(map(len, divisions), default=0))
    return format_.rounds + (isinstance(format_, Swiss) and format_.top > 0)


def turns_of_circle(count: int) -> int:
    """Return the rounds of one cycle of the circle method."""
    return 0 if count < 2 else count - 1 + count % 2


def table_sizes(count: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes of the tables for `count` entrants, the largest first.

    As few as possible sit out; then the tables are as few as possible, then as even as possible. So
    with one size chosen, up to size - 1 entrants sit out. Raises TournamentError if no size, or one
    below 2, was chosen.
    """
    if not sizes or min(sizes) < 2:
        raise TournamentError(
            "Choose the seats of a table: at least one number, each of them 2 or more."
        )
    best = {0: (0, 0, 0)}  # seated: the number of tables, the sum of their squares, the last table
    for seated in range(1, count + 1):
        ways = [
            (*_with_table(best[seated - size], size), size)
            for size in sizes
            if seated - size in best
        ]
        if ways:
            best[seated] = min(ways)
    seated, found = max(best), []
    while seated:
        found.append(best[seated][2])
        seated -= found[-1]
    return tuple(sorted(found, reverse=True))


def _with_table(before: tuple[int, int, int], size: int) -> tuple[int, int]:
    return before[0] + 1, before[1] + size * size
