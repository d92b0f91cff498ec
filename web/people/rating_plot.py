"""The plot of a player's rating over time, as coordinates of an SVG picture that the page's
template writes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from adjudicator.play.scoring.rating import BASE
from adjudicator.service.ratings.ladders import RatedMatch

WIDTH, HEIGHT = 640, 160  # of the plot itself
MOST_DOTS = 40  # matches that are marked one by one
_STEPS = (50, 100, 200, 500, 1000, 2000, 5000)  # points between two lines
_MOST_LINES = 4


@dataclass(frozen=True)
class GridLine:
    """A horizontal line with its label."""

    y: float
    points: int


@dataclass(frozen=True)
class Plot:
    """A rating over time: the matches stand by their ends, and each rating holds until the next
    one.
    """

    path: str  # of the line through all matches
    dots: tuple[tuple[float, float], ...]
    lines: tuple[GridLine, ...]
    first: datetime
    last: datetime
    now: int  # points
    most: int
    least: int


def draw_plot(matches: Sequence[RatedMatch]) -> Plot | None:
    """Return the plot of the ratings after these matches, the oldest first; None for fewer than
    two.
    """
    if len(matches) < 2:
        return None
    points = [each.points for each in matches]
    lines = _lines(min(*points, BASE), max(*points, BASE))
    low, high = lines[0], lines[-1]
    begin, whole = matches[0].ended_at, (matches[-1].ended_at - matches[0].ended_at).total_seconds()
    at = [
        (
            round(WIDTH * (each.ended_at - begin).total_seconds() / whole, 1) if whole else 0.0,
            _height(each.points, low, high),
        )
        for each in matches
    ]
    steps = "".join(f"H{right:g}V{y:g}" for (_, _), (right, y) in pairwise(at))
    marked = tuple(at) if len(at) <= MOST_DOTS else (at[-1],)
    shown = tuple(GridLine(_height(each, low, high), each) for each in lines)
    return Plot(
        f"M{at[0][0]:g} {at[0][1]:g}{steps}",
        marked,
        shown,
        begin,
        matches[-1].ended_at,
        points[-1],
        max(points),
        min(points),
    )


def _height(points: int, low: int, high: int) -> float:
    return round(HEIGHT * (high - points) / (high - low), 1)


def _lines(least: int, most: int) -> list[int]:
    """Return round numbers of points from below `least` to above `most`, the lowest first; at least
    two.
    """
    step = next(
        (step for step in _STEPS if -(-most // step) - least // step <= _MOST_LINES), _STEPS[-1]
    )
    return [
        number * step
        for number in range(least // step, max(-(-most // step), least // step + 1) + 1)
    ]
