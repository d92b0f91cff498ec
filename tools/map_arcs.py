"""The borders as arcs shared by two provinces: cut from the exact shapes, stretched, smoothed, and
reassembled.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry import LineString, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.geometry.polygon import orient
from shapely.ops import polygonize

CROP = box(-8, -118, 1200, 1002)  # of the projected map
WIDTH = 1000  # of the picture
STILL, BARRED = "still", "SWI"

# knots of the stretching along each side, which give the crowded middle of Europe more room
_ACROSS = {
    -8: 0.72,
    60: 0.75,
    150: 0.85,
    270: 1.2,
    360: 1.2,
    700: 1.15,
    900: 1.12,
    960: 0.75,
    1080: 0.6,
    1200: 0.6,
}
_DOWN = {-118: 0.52, 150: 0.56, 280: 0.85, 380: 1.15, 900: 1.15, 960: 0.95, 1002: 0.8}
_GRID = 0.1
_SLIVER = 0.6
_SMALLEST_ISLAND = 9.0  # in the picture's square units
_COAST, _INNER = 0.5, 0.2  # how far a simplified line may be from the exact one

Point = tuple[float, float]
Label = str | None


@dataclass(frozen=True)
class Arc:
    """A line between two nodes, or a closed one; None is what lies outside the frame."""

    points: tuple[Point, ...]
    left: Label
    right: Label

    @property
    def closed(self) -> bool:
        """Whether it ends where it begins."""
        return self.points[0] == self.points[-1]


# --- from shapes to arcs


def arcs_of(cells: Mapping[str, BaseGeometry]) -> list[Arc]:
    """Return the borders of the shapes, cropped, each once."""
    shapes = {label: shape.intersection(CROP) for label, shape in cells.items()}
    lines = shapely.unary_union(
        [shape.boundary for shape in shapes.values()] + [CROP.boundary], grid_size=_GRID
    )
    faces = list(polygonize(lines))
    labels = _labels(faces, shapes)
    sides: dict[tuple[Point, Point], Label] = {}
    for face, label in zip(faces, labels, strict=True):
        for ring in _turned(face):
            sides |= dict.fromkeys(pairwise(ring), label)
    return list(_chained(sides))


def _labels(faces: list[Polygon], shapes: Mapping[str, BaseGeometry]) -> list[str]:
    names = list(shapes)
    tree = shapely.STRtree([shapes[name] for name in names])
    found = [names[tree.nearest(face.representative_point())] for face in faces]
    for place, face in enumerate(faces):
        if face.area < _SLIVER:
            near = [
                other
                for other in range(len(faces))
                if faces[other].area >= _SLIVER and faces[other].intersects(face)
            ]
            found[place] = (
                found[max(near, key=lambda other: faces[other].intersection(face).length)]
                if near
                else found[place]
            )
    return found


def _chained(sides: Mapping[tuple[Point, Point], Label]) -> Iterator[Arc]:
    borders = {(a, b) for a, b in sides if sides[a, b] != sides.get((b, a))}
    steps = defaultdict(set)
    for a, b in borders:
        steps[a].add(b)
        steps[b].add(a)
    used: set[tuple[Point, Point]] = set()
    nodes = sorted(at for at, near in steps.items() if len(near) != 2)
    for start in (*nodes, *sorted(steps)):
        for step in sorted(steps[start]):
            if (start, step) not in used:
                points = _walk(start, step, steps, used)
                yield Arc(
                    tuple(points),
                    sides.get((points[0], points[1])),
                    sides.get((points[1], points[0])),
                )


def _walk(
    start: Point, step: Point, steps: Mapping[Point, set[Point]], used: set[tuple[Point, Point]]
) -> list[Point]:
    points = [start, step]
    used |= {(start, step), (step, start)}
    while points[-1] != start and len(steps[points[-1]]) == 2:
        ahead = next(at for at in steps[points[-1]] if at != points[-2])
        used |= {(points[-1], ahead), (ahead, points[-1])}
        points.append(ahead)
    return points


# --- stretching


def _stretching(knots: Mapping[float, float]) -> tuple[np.ndarray, np.ndarray]:
    at = np.arange(min(knots), max(knots) + 0.5, 0.5)
    pace = np.interp(at, list(knots), list(knots.values()))
    kernel = np.hanning(161)
    smooth = np.convolve(np.pad(pace, 80, mode="edge"), kernel / kernel.sum(), mode="valid")
    return at, np.concatenate([[0], np.cumsum((smooth[1:] + smooth[:-1]) / 4)])


_X, _Y = _stretching(_ACROSS), _stretching(_DOWN)
_SCALE = WIDTH / _X[1][-1]
HEIGHT = round(float(_Y[1][-1] * _SCALE))


def stretch(at: Point) -> Point:
    """Return the position in the picture of a point of the projected map."""
    return float(np.interp(at[0], *_X) * _SCALE), float(np.interp(at[1], *_Y) * _SCALE)


# --- smoothing


def smooth_arc(arc: Arc, land: set[str]) -> Arc:
    """Return an arc in the picture's units: sharp along a coast, smooth between seed points."""
    points = [stretch(at) for at in arc.points]
    if None in (arc.left, arc.right):
        points = points if len(points) == 2 else list(LineString(points).simplify(0.05).coords)
    elif (arc.left in land) == (arc.right in land):
        points = _flowing(
            points, f"{min(arc.left, arc.right)}{max(arc.left, arc.right)}", wobble=arc.left in land
        )
    else:
        points = list(LineString(points).simplify(_COAST).coords)
    return Arc(tuple(_rounded(points)), arc.left, arc.right)


def _flowing(points: list[Point], seed: str, *, wobble: bool) -> list[Point]:
    line = list(LineString(points).simplify(2.2).coords)
    if wobble:
        line = _wobbled(line, random.Random(seed))  # noqa: S311 a drawing needs no secret
    for _ in range(3):
        line = [line[0], *(at for a, b in pairwise(line) for at in _quarters(a, b)), line[-1]]
    return list(LineString(line).simplify(_INNER).coords)


def _quarters(a: Point, b: Point) -> tuple[Point, Point]:
    return (a[0] * 0.75 + b[0] * 0.25, a[1] * 0.75 + b[1] * 0.25), (
        a[0] * 0.25 + b[0] * 0.75,
        a[1] * 0.25 + b[1] * 0.75,
    )


def _wobbled(line: list[Point], dice: random.Random) -> list[Point]:
    found = [line[0]]
    for (x, y), (to_x, to_y) in pairwise(line):
        length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
        count = max(1, round(length / 11))
        for part in range(1, count):
            off = dice.uniform(-2.4, 2.4) / length
            share = part / count
            found.append(
                (
                    x + (to_x - x) * share - (to_y - y) * off,
                    y + (to_y - y) * share + (to_x - x) * off,
                )
            )
        found.append((to_x, to_y))
    return found


def _rounded(points: list[Point]) -> list[Point]:
    found = [(round(x, 1), round(y, 1)) for x, y in points]
    return [found[0], *(b for a, b in pairwise(found) if a != b)]


# --- from arcs to shapes


def rebuild_shapes(arcs: list[Arc]) -> dict[str, list[Polygon]]:
    """Return the shapes enclosed by the arcs. Raises ValueError if arcs meet anywhere but at their
    ends.
    """
    sides: dict[tuple[Point, Point], Label] = {}
    for arc in arcs:
        sides |= dict.fromkeys(pairwise(arc.points), arc.left) | dict.fromkeys(
            pairwise(arc.points[::-1]), arc.right
        )
    found = defaultdict(list)
    for face in polygonize(shapely.unary_union([LineString(arc.points) for arc in arcs])):
        labels = {sides.get(step, "?") for ring in _turned(face) for step in pairwise(ring)}
        if len(labels) != 1 or "?" in labels:
            raise ValueError(
                f"Borders cross around {face.representative_point()}: {sorted(map(str, labels))}"
            )
        found[str(labels.pop())].append(face)
    return dict(found)


def _turned(face: Polygon) -> Iterator[list[Point]]:
    """Yield the rings of a polygon, oriented so that it lies to their left."""
    face = orient(face, 1.0)
    yield list(face.exterior.coords)
    for ring in face.interiors:
        yield list(ring.coords)


def is_islet(arc: Arc, smallest: float = _SMALLEST_ISLAND) -> bool:
    """Whether an arc is the shore of an island too small to be drawn."""
    return arc.closed and (len(arc.points) < 4 or Polygon(arc.points).area < smallest)


def simplify_arcs(arcs: list[Arc], land: set[str], by: float) -> list[Arc]:
    """Return arcs with coasts simplified by up to `by` and without small islands; other borders are
    unchanged.
    """
    found = [arc for arc in arcs if not is_islet(arc, 40)]
    lines = [LineString(arc.points) for arc in found]
    for place, arc in enumerate(found):
        if None not in (arc.left, arc.right) and (arc.left in land) != (arc.right in land):
            plain = LineString(_rounded(list(lines[place].simplify(by).coords)))
            if plain.is_simple and not any(
                _cross(plain, line) for other, line in enumerate(lines) if other != place
            ):
                lines[place] = plain
    return [
        Arc(tuple(line.coords), arc.left, arc.right) for arc, line in zip(found, lines, strict=True)
    ]


def _cross(one: LineString, two: LineString) -> bool:
    ends = shapely.MultiPoint([one.coords[0], one.coords[-1]])
    return one.intersects(two) and not one.intersection(two).difference(ends).is_empty


def border_lengths(arcs: list[Arc]) -> dict[frozenset[Label], float]:
    """Return the length of the border between each two neighbours."""
    found: dict[frozenset[Label], float] = defaultdict(float)
    for arc in arcs:
        found[frozenset((arc.left, arc.right))] += LineString(arc.points).length
    return dict(found)
