"""Crops the drawing of the map to a small part, so that a page can show many parts."""

import re
from dataclasses import dataclass

from adjudicator.games.kit.shapes import Spot, number

_NUMBER = re.compile(r"-?\d*\.?\d+")
_AREA = re.compile(
    r'<path([^>]*?) ?d="(M[^"A-LN-Z]*z)"([^>]*?)(?:/>|>(<title>[^<]*</title>)</path>)'
)
_UNSEEN = re.compile(r'<circle[^>]* class="at-coast".*?</circle>')
_ID = re.compile(r' id="[^"]*"')
# margin around a part in which shapes are kept, so that the clipped edges are invisible
_BEYOND = 8


@dataclass(frozen=True)
class Part:
    """A rectangle of the map."""

    left: float
    top: float
    width: float
    height: float

    @property
    def box(self) -> str:
        """The attribute `viewBox`."""
        return f"{number(self.left)} {number(self.top)} {number(self.width)} {number(self.height)}"

    def holds(self, at: Spot) -> bool:
        """Whether a point lies in it, far enough from its edge for a label."""
        return (
            self.left + 20 < at.x < self.left + self.width - 20
            and self.top + 10 < at.y < self.top + self.height - 10
        )


def parse_path(path: str) -> list[list[Spot]]:
    """Return the closed polygons of an SVG path of relative coordinates."""
    found = []
    for part in path.split("M")[1:]:
        numbers = [float(value) for value in _NUMBER.findall(part)]
        x, y = 0.0, 0.0
        ring = []
        for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
            x, y = x + dx, y + dy
            ring.append(Spot(x, y))
        found.append(ring)
    return found


def strip_ids(drawn: str) -> str:
    """Return a drawing of the map without ids and click areas."""
    return _UNSEEN.sub("", _ID.sub("", drawn))


def cut_out(drawn: str, part: Part) -> str:
    """Return a drawing of the map clipped to a part, without ids and click areas."""
    return _AREA.sub(lambda found: _kept(found, part), strip_ids(drawn))


def _kept(found: re.Match[str], part: Part) -> str:
    before, path, after, _ = found.groups()
    kept = [ring for ring in (_clipped(ring, part) for ring in parse_path(path)) if len(ring) > 2]
    return f'<path{before} d="{"".join(map(_path, kept))}"{after}/>' if kept else ""


def _path(ring: list[Spot]) -> str:
    return "M" + " ".join(f"{number(at.x)} {number(at.y)}" for at in ring) + "z"


def _clipped(ring: list[Spot], part: Part) -> list[Spot]:
    """Return the polygon clipped to each side of the part in turn (Sutherland and Hodgman)."""
    low, high = (
        (part.left - _BEYOND, part.top - _BEYOND),
        (
            part.left + part.width + _BEYOND,
            part.top + part.height + _BEYOND,
        ),
    )
    for axis in (0, 1):
        ring = _cut(ring, axis, low[axis], 1)
        ring = _cut(ring, axis, high[axis], -1)
    return ring


def _cut(ring: list[Spot], axis: int, edge: float, side: int) -> list[Spot]:
    kept = []
    for one, two in zip(ring, [*ring[1:], *ring[:1]], strict=True):
        start, end = ((at.x, at.y)[axis] for at in (one, two))
        if (start - edge) * side >= 0:
            kept.append(one)
        if (start - edge) * (end - edge) < 0:
            share = (edge - start) / (end - start)
            kept.append(Spot(one.x + (two.x - one.x) * share, one.y + (two.y - one.y) * share))
    return kept
