"""The parts of scoring systems: each is data, and gives every seat its points for one thing. All
points are exact fractions.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, Protocol

from adjudicator.core.game import Finish, Seat

Finishes = Mapping[Seat, Finish]
Points = dict[Seat, Fraction]
Among = Literal["draw", "survivors", "top", "first"]
"""`draw`: those who share it; `top`: those with the most centres; `first`: those in the first place
of the game's own result.
"""

Rank = Callable[[Finish], tuple[int, ...]]


class Policy(Protocol):
    """One thing that a scoring system gives points for."""

    def __call__(self, finishes: Finishes, /) -> Points:
        """Return the points of every seat."""
        ...


def add_up(policies: Collection[Policy], finishes: Finishes) -> Points:
    """Return the sum of what some policies give to every seat."""
    given = [policy(finishes) for policy in policies]
    return {seat: sum((points[seat] for points in given), Fraction(0)) for seat in finishes}


def members(among: Among, finishes: Finishes) -> tuple[Seat, ...]:
    """Return the seats of a group, in seat order."""
    if among == "top":
        most = max((each.centres for each in finishes.values()), default=0)
        return tuple(seat for seat, each in finishes.items() if each.centres == most)
    belongs: Callable[[Finish], bool] = {
        "draw": lambda each: each.drew,
        "survivors": lambda each: not each.out,
        "first": lambda each: each.place == 1,
    }[among]
    return tuple(seat for seat, each in finishes.items() if belongs(each))


# --- for each seat by itself


@dataclass(frozen=True)
class Each:
    """The same to every seat."""

    points: Fraction | int

    def __call__(self, finishes: Finishes, /) -> Points:
        return dict.fromkeys(finishes, Fraction(self.points))


@dataclass(frozen=True)
class ToWinner:
    """Points for a solo."""

    points: int

    def __call__(self, finishes: Finishes, /) -> Points:
        return {seat: Fraction(self.points if each.solo else 0) for seat, each in finishes.items()}


@dataclass(frozen=True)
class PerCentre:
    """Points for each centre; with `losers` only to those who did not win alone."""

    points: Fraction | int
    losers: bool = False

    def __call__(self, finishes: Finishes, /) -> Points:
        return {
            seat: Fraction(0 if self.losers and each.solo else self.points * each.centres)
            for seat, each in finishes.items()
        }


@dataclass(frozen=True)
class BySize:
    """Points by the number of centres: the first for one centre; the last for so many and more."""

    points: tuple[int, ...]

    def __call__(self, finishes: Finishes, /) -> Points:
        steps = (0, *self.points)
        return {
            seat: Fraction(steps[min(each.centres, len(self.points))])
            for seat, each in finishes.items()
        }


@dataclass(frozen=True)
class ToSurvivors:
    """Points for each seat that is not out."""

    points: int

    def __call__(self, finishes: Finishes, /) -> Points:
        return {seat: Fraction(0 if each.out else self.points) for seat, each in finishes.items()}


@dataclass(frozen=True)
class PerYear:
    """Points to seats that are out, or that lost to a solo, for each year that they played.

    `whole`: the year in which it ended for them does not count.
    """

    points: Fraction | int
    most: int | None = None  # years that count
    whole: bool = False

    def __call__(self, finishes: Finishes, /) -> Points:
        solo = any(each.solo for each in finishes.values())
        return {
            seat: Fraction(self._points(each) if each.out or (solo and not each.solo) else 0)
            for seat, each in finishes.items()
        }

    def _points(self, finish: Finish) -> Fraction | int:
        years = max(0, finish.years - self.whole)
        return self.points * (years if self.most is None else min(years, self.most))


@dataclass(frozen=True)
class OwnScore:
    """The game's own score."""

    def __call__(self, finishes: Finishes, /) -> Points:
        return {seat: Fraction(each.score) for seat, each in finishes.items()}


# --- among all seats


@dataclass(frozen=True)
class Pool:
    """Points that a group shares equally."""

    points: int
    among: Among

    def __call__(self, finishes: Finishes, /) -> Points:
        sharers = members(self.among, finishes)
        return {
            seat: Fraction(self.points, len(sharers)) if seat in sharers else Fraction(0)
            for seat in finishes
        }


@dataclass(frozen=True)
class Share:
    """Points that the survivors share in proportion to `square` S² + `centre` S + `each`, S being
    their centres.

    Seats that are out count in the sum, but get nothing. Without any centres nobody gets anything.
    """

    points: int
    square: int = 0
    centre: int = 0
    each: int = 0

    def __call__(self, finishes: Finishes, /) -> Points:
        weights = {
            seat: self.square * one.centres**2 + self.centre * one.centres + self.each
            for seat, one in finishes.items()
        }
        total = sum(weights.values()) or 1
        return {
            seat: Fraction(0 if finishes[seat].out else self.points * weight, total)
            for seat, weight in weights.items()
        }


@dataclass(frozen=True)
class Scaled:
    """What some policies give, scaled so that all seats together have `points`; nothing where they
    give nothing.
    """

    points: int
    policies: tuple[Policy, ...]

    def __call__(self, finishes: Finishes, /) -> Points:
        raw = add_up(self.policies, finishes)
        total = sum(raw.values()) or Fraction(1)
        return {seat: self.points * points / total for seat, points in raw.items()}


def by_centres(finish: Finish) -> tuple[int, ...]:
    """Rank by centres; all without centres are equal."""
    return (finish.centres,)


def by_elimination(finish: Finish) -> tuple[int, ...]:
    """Rank by centres; seats that are out follow, the latest first."""
    return (0, 0, finish.years) if finish.out else (1, finish.centres, 0)


def by_draw(finish: Finish) -> tuple[int, ...]:
    """Rank a solo or all who share the draw first, then by centres, then seats that are out, the
    latest first.
    """
    return (2, 0, 0) if finish.solo or finish.drew else by_elimination(finish)


def by_place(finish: Finish) -> tuple[int, ...]:
    """Rank by the places of the game's own result."""
    return (-finish.place,)


@dataclass(frozen=True)
class Ranks:
    """Points for the places of a ranking, the first place's first; places that are not listed give
    none.

    `points` None: so many as there are seats after it. Equal seats split the points of all their
    places, or each get those of the lowest.
    """

    points: tuple[int, ...] | None
    rank: Rank
    ties: Literal["split", "lowest"] = "split"

    def __call__(self, finishes: Finishes, /) -> Points:
        ranks = {seat: self.rank(each) for seat, each in finishes.items()}
        listed = tuple(range(len(finishes)))[::-1] if self.points is None else self.points
        places = [*listed, *[0] * len(finishes)]
        worth: dict[Any, Fraction] = {}
        for rank, equal in sorted(Counter(ranks.values()).items(), reverse=True):
            own, places = places[:equal], places[equal:]
            worth[rank] = Fraction(own[-1]) if self.ties == "lowest" else Fraction(sum(own), equal)
        return {seat: worth[rank] for seat, rank in ranks.items()}


@dataclass(frozen=True)
class Lead:
    """Points to the seat that alone has the most centres: for each of them, and for each more than
    the second has.
    """

    centre: int = 0
    gap: int = 0

    def __call__(self, finishes: Finishes, /) -> Points:
        counts = sorted((each.centres for each in finishes.values()), reverse=True)
        bonus = {seat: Fraction(0) for seat in finishes}
        first = members("top", finishes)
        if len(first) == 1:
            bonus[first[0]] += self.centre * counts[0] + self.gap * (
                counts[0] - (counts[1] if len(counts) > 1 else 0)
            )
        return bonus


@dataclass(frozen=True)
class Domination:
    """Points that the leaders share: those at the top have as many shares as `reach`, one less for
    each centre behind.
    """

    points: int
    reach: int

    def __call__(self, finishes: Finishes, /) -> Points:
        most = max((each.centres for each in finishes.values()), default=0)
        shares = {
            seat: 0 if each.out else max(0, self.reach - (most - each.centres))
            for seat, each in finishes.items()
        }
        total = sum(shares.values()) or 1
        return {seat: Fraction(self.points * share, total) for seat, share in shares.items()}


@dataclass(frozen=True)
class Tribute:
    """Each survivor below the top pays for each centre that the top has over `free`, but no more
    than its share of `pool`.

    Equal seats at the top split what is paid.
    """

    rate: Fraction | int
    pool: int
    free: int

    def __call__(self, finishes: Finishes, /) -> Points:
        alive, first = members("survivors", finishes), members("top", finishes)
        over = max(0, max((each.centres for each in finishes.values()), default=0) - self.free)
        paid = min(Fraction(self.rate * over), Fraction(self.pool, len(alive) or 1))
        payers = [seat for seat in alive if seat not in first]
        got = paid * len(payers) / (len(first) or 1)
        return {
            seat: got if seat in first else -paid if seat in payers else Fraction(0)
            for seat in finishes
        }


@dataclass(frozen=True)
class OpenTribute:
    """Each seat pays one point for each centre that it is behind the top; seats that are out pay
    too, and keep nothing.

    N equal seats at the top each receive what was paid, divided by N².
    """

    each: int
    centre: int

    def __call__(self, finishes: Finishes, /) -> Points:
        first = members("top", finishes)
        most = max((one.centres for one in finishes.values()), default=0)
        paid = sum(most - one.centres for one in finishes.values())
        kept = {
            seat: Fraction(
                0 if one.out else self.each + self.centre * one.centres - (most - one.centres)
            )
            for seat, one in finishes.items()
        }
        return {
            seat: points + (Fraction(paid, len(first) ** 2) if seat in first else 0)
            for seat, points in kept.items()
        }
