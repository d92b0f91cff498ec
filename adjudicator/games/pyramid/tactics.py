"""Ways to choose a piece of Rock Paper Pyramid from what everybody sees; the house bot mixes them
(`mixture.json`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Literal

from adjudicator.games.pyramid.pieces import Piece, pips
from adjudicator.games.pyramid.state import open_round

Pool = tuple[Piece, ...]
Habit = Literal["colour", "mixed", "size"]
"""What a seat's pieces have shown so far: it plays off all of one colour, or of one size, before
the next; or neither.
"""


@dataclass(frozen=True)
class Sight:
    """What a seat sees of the two others."""

    pools: tuple[Pool, Pool]  # what they hold; of a hidden red piece all that it can be (ruling R4)
    played: tuple[Pool, Pool]  # the piece of round 1 first
    keeps_own: bool = False  # the option take=all

    @property
    def habits(self) -> tuple[Habit, Habit]:
        """The habit of each of the others."""
        return habit_of(self.played[0]), habit_of(self.played[1])


def habit_of(played: Sequence[Piece]) -> Habit:
    """Return the habit of a seat that showed these pieces, the first one first; red ones say
    nothing.
    """
    shown = [piece for piece in played if piece[0] != "R"]
    if len(shown) < 2:
        return "mixed"
    if _in_groups([piece[1] for piece in shown]):
        return "size"
    return "colour" if _in_groups([piece[0] for piece in shown]) else "mixed"


def _in_groups(marks: Sequence[str]) -> bool:
    """Whether each three marks from the first one on are equal, the last ones so far as they go."""
    return all(len(set(marks[start : start + 3])) == 1 for start in range(0, len(marks), 3))


# --- the tactics

Tactic = Callable[[Pool, Sight], Pool]
"""Returns the pieces of the own pool among which it has no preference."""


def _any(mine: Pool, sight: Sight) -> Pool:
    return mine


def _largest(mine: Pool, sight: Sight) -> Pool:
    return _of_size(mine, max(map(pips, mine)))


def _medium(mine: Pool, sight: Sight) -> Pool:
    return _of_size(mine, 2) or mine


def _smallest(mine: Pool, sight: Sight) -> Pool:
    return _of_size(mine, min(map(pips, mine)))


def _of_size(pool: Pool, size: int) -> Pool:
    return tuple(piece for piece in pool if pips(piece) == size)


def _taking(mine: Pool, sight: Sight) -> Pool:
    """The piece that gains most on average, without regard to later rounds."""
    return _best({piece: worth(piece, *sight.pools, keeps_own=sight.keeps_own) for piece in mine})


def _against_large(mine: Pool, sight: Sight) -> Pool:
    one, other = (_largest(pool, sight) for pool in sight.pools)
    return _reply(mine, sight, (one, other))


def _against_taking(mine: Pool, sight: Sight) -> Pool:
    one, other = sight.pools
    guesses = tuple(
        _taking(pool, Sight((mine, rest), sight.played, sight.keeps_own))
        for pool, rest in ((one, other), (other, one))
    )
    return _reply(mine, sight, (guesses[0], guesses[1]))


def _against_habits(mine: Pool, sight: Sight) -> Pool:
    one, other = map(_expected, sight.pools, sight.played, sight.habits)
    return _reply(mine, sight, (one, other))


def _expected(pool: Pool, played: Pool, habit: Habit) -> Pool:
    """Return the pieces of the last one's colour or size, whichever the habit is; all where none is
    left or the habit is mixed.
    """
    if habit == "mixed":
        return pool
    place = 0 if habit == "colour" else 1
    return tuple(piece for piece in pool if piece[place] == played[-1][place]) or pool


def _reply(mine: Pool, sight: Sight, guesses: tuple[Pool, Pool]) -> Pool:
    """Return the piece that gains most above its average against everything that the others hold.

    Every piece is played sooner or later, so a piece is worth playing now only if it does better
    than later.
    """
    keeps = sight.keeps_own
    return _best(
        {
            piece: (
                worth(piece, *guesses, keeps_own=keeps)
                - worth(piece, *sight.pools, keeps_own=keeps)
            )
            for piece in mine
        }
    )


def _best(worths: Mapping[Piece, float]) -> Pool:
    highest = max(worths.values()) - 1e-9
    return tuple(piece for piece, worth in worths.items() if worth >= highest)


TACTICS: Mapping[str, Tactic] = {
    "any": _any,
    "largest": _largest,
    "medium": _medium,
    "smallest": _smallest,
    "taking": _taking,
    "against large": _against_large,
    "against taking": _against_taking,
    "against habits": _against_habits,
}


@lru_cache(maxsize=100_000)
def worth(piece: Piece, ones: Pool, others: Pool, *, keeps_own: bool) -> float:
    """Return the mean gain in pips of a piece against two random pieces of these pools, less half
    the gains of the others.
    """
    total = sum(_net(piece, one, other, keeps_own) for one, other in product(ones, others))
    return total / (len(ones) * len(others))


@lru_cache(maxsize=4096)
def _net(mine: Piece, one: Piece, other: Piece, keeps_own: bool) -> float:
    opened = open_round(1, {"1": mine, "2": one, "3": other}, keeps_own=keeps_own)
    points = sum(map(pips, opened.haul))
    return points if opened.taker == "1" else -points / 2
