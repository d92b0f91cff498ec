"""The geometry of lines on the map: slightly curved from one point to another or by way of several,
and shortened at the ends.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import dist

from adjudicator.games.kit.shapes import Spot, number

# how far a line leaves the straight one: share of its length, and maximum; it keeps head-to-head
# lines apart
_BOW, _MOST = 0.09, 15


@dataclass(frozen=True)
class Bow:
    """A part of a line: a quadratic Bézier curve."""

    start: Spot
    pull: Spot  # its control point
    end: Spot

    def at(self, share: float) -> Spot:
        """Return the point at a share of the curve, from 0 to 1."""
        one, two = (
            point_between(self.start, self.pull, share),
            point_between(self.pull, self.end, share),
        )
        return point_between(one, two, share)

    def cut(self, begin: float, end: float) -> "Bow":
        """Return the part between two shares of the curve."""
        start, stop = self.at(begin), self.at(end)
        one, two = (
            point_between(self.start, self.pull, begin),
            point_between(self.pull, self.end, begin),
        )
        return Bow(start, point_between(one, two, end), stop)

    @property
    def length(self) -> float:
        """Its approximate length."""
        return (
            distance(self.start, self.end)
            + distance(self.start, self.pull)
            + distance(self.pull, self.end)
        ) / 2


@dataclass(frozen=True)
class Line:
    """A line across the map."""

    bows: tuple[Bow, ...]

    @property
    def tip(self) -> Spot:
        """Where it ends."""
        return self.bows[-1].end

    @property
    def before_tip(self) -> Spot:
        """The control point before its end, which gives the direction of its tip."""
        return self.bows[-1].pull

    def at(self, share: float) -> Spot:
        """Return the point at a share of the line, from 0 to 1."""
        place = min(int(share * len(self.bows)), len(self.bows) - 1)
        return self.bows[place].at(share * len(self.bows) - place)

    def cut(self, begin: float, end: float) -> "Line":
        """Return the line shortened by `begin` and `end` units, at most by a third of its first and
        of its last part.
        """
        first, last = self.bows[0], self.bows[-1]
        head, tail = (
            min(begin / max(first.length, 1), 0.33),
            1 - min(end / max(last.length, 1), 0.33),
        )
        if len(self.bows) == 1:
            return Line((first.cut(head, tail),))
        return replace(self, bows=(first.cut(head, 1), *self.bows[1:-1], last.cut(0, tail)))

    @property
    def path(self) -> str:
        """The data of an SVG path."""
        return f"M{_pair(self.bows[0].start)}" + "".join(
            f"Q{_pair(bow.pull)} {_pair(bow.end)}" for bow in self.bows
        )


def straight_line(start: Spot, end: Spot) -> Line:
    """Return the straight line."""
    return Line((Bow(start, point_between(start, end, 0.5), end),))


def curved_line(start: Spot, end: Spot) -> Line:
    """Return a line with a slight bow to one side."""
    middle, share = (
        point_between(start, end, 0.5),
        2 * min(_BOW, _MOST / max(distance(start, end), 1)),
    )
    pull = Spot(middle.x + (end.y - start.y) * share, middle.y - (end.x - start.x) * share)
    return Line((Bow(start, pull, end),))


def line_through(start: Spot, stops: Sequence[Spot], end: Spot) -> Line:
    """Return a line by way of `stops`: through a single one, near each of several ones."""
    if not stops:
        return curved_line(start, end)
    if len(stops) == 1:
        middle = point_between(start, end, 0.5)
        return Line((Bow(start, Spot(2 * stops[0].x - middle.x, 2 * stops[0].y - middle.y), end),))
    joints = [start, *(point_between(one, two, 0.5) for one, two in pairwise(stops)), end]
    return Line(
        tuple(Bow(joints[place], stop, joints[place + 1]) for place, stop in enumerate(stops))
    )


def point_between(one: Spot, two: Spot, share: float) -> Spot:
    """Return the point at a share of the straight line from one to two."""
    return Spot(one.x + (two.x - one.x) * share, one.y + (two.y - one.y) * share)


def distance(one: Spot, two: Spot) -> float:
    """Return the distance of two points."""
    return dist((one.x, one.y), (two.x, two.y))


def _pair(at: Spot) -> str:
    return f"{number(at.x)} {number(at.y)}"
