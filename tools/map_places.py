"""Positions of each province's unit, code and centre: the best of many candidates, some set by
hand.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import dist

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tools.map_arcs import HEIGHT, WIDTH, Point

Box = tuple[float, float]
# the boxes of the marks, in the picture's units
ARMY, FLEET, CODE, CENTRE = (30, 31), (38, 31), (36, 16), (18, 18)
_STEP = 2.5
_UNITS, _MARKS = 80, 220  # candidates tried together
_AWAY = (36, 31)  # offset of a dislodged unit from its old position


@dataclass(frozen=True)
class Places:
    """The centres of a province's marks."""

    unit: Point
    code: Point
    centre: Point | None = None


@dataclass(frozen=True)
class Room:
    """A province and its surroundings."""

    shape: BaseGeometry
    lands: BaseGeometry  # the other land provinces, which marks must not cover
    taken: BaseGeometry  # by marks of provinces placed before


Tried = list[tuple[float, Point]]


def place_marks(room: Room, unit: Box, *, centre: bool, fixed: dict[str, Point]) -> Places:
    """Return the best positions that do not cover each other; `fixed` ones are kept."""
    units = [(0.0, fixed["unit"])] if "unit" in fixed else rank_places(room, unit)[:_UNITS]
    codes = [(0.0, fixed["code"])] if "code" in fixed else rank_places(room, CODE)[:_MARKS]
    marks = [(0.0, fixed["centre"])] if "centre" in fixed else rank_places(room, CENTRE)[:_MARKS]
    found = []
    for bad, at in units:
        code = _beside(codes, CODE, [(at, unit)])
        mark = _beside(marks, CENTRE, [(at, unit), (code[1], CODE)]) if centre else (0.0, None)
        found.append((1.5 * bad + code[0] + mark[0], Places(at, code[1], mark[1])))
    return min(found, key=lambda each: each[0])[1]


def _beside(places: Tried, size: Box, others: list[tuple[Point, Box]]) -> tuple[float, Point]:
    """Return the best position that covers no other mark, near the first of them; else the best of
    all.
    """
    rated = (
        (
            bad
            + dist(at, others[0][0]) / 70
            + 20 * sum(_overlap(at, size, other, box) for other, box in others),
            at,
        )
        for bad, at in places
    )
    return min(rated)


def _overlap(a: Point, size: Box, b: Point, box: Box) -> float:
    wide = (size[0] + box[0]) / 2 - abs(a[0] - b[0])
    high = (size[1] + box[1]) / 2 - abs(a[1] - b[1])
    return max(0.0, wide) * max(0.0, high) / (size[0] * size[1])


def rank_places(room: Room, size: Box) -> Tried:
    """Return the candidates for a mark of this size in a province, best first, each with its
    penalty.
    """
    main = max(shapely.get_parts(room.shape), key=lambda part: part.area)
    left, top, right, low = main.bounds
    xs, ys = np.meshgrid(np.arange(left, right, _STEP), np.arange(top, low, _STEP))
    dots = shapely.points(xs.ravel(), ys.ravel())
    dots = dots[shapely.contains(main, dots)]
    x, y = shapely.get_x(dots), shapely.get_y(dots)
    boxes = shapely.box(x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2)
    out, wrong, taken = (_share(boxes, area, size) for area in (room.shape, room.lands, room.taken))
    frame = (
        (x < size[0] / 2 + 5)
        | (x > WIDTH - size[0] / 2 - 5)
        | (y < size[1] / 2 + 5)
        | (y > HEIGHT - size[1] / 2 - 5)
    )
    reach = np.sqrt(shapely.distance(dots, main.exterior)) / 6
    bad = 4 * (1 - out) + 5 * wrong + 14 * taken + 9 * frame - 0.9 * reach
    return [
        (float(bad[place]), (round(float(x[place]), 1), round(float(y[place]), 1)))
        for place in np.argsort(bad, kind="stable")
    ]


def _share(boxes: np.ndarray, area: BaseGeometry, size: Box) -> np.ndarray:
    return shapely.area(shapely.intersection(boxes, area)) / (size[0] * size[1])


def mark_box(at: Point, size: Box) -> BaseGeometry:
    """Return the box of a mark centred at `at`."""
    return shapely.box(
        at[0] - size[0] / 2, at[1] - size[1] / 2, at[0] + size[0] / 2, at[1] + size[1] / 2
    )


def place_dislodged(marks: dict[str, Point], room: Room, unit: Box) -> Point:
    """Return the position of a dislodged unit: beside its old one, where it covers least; `marks`
    are the centres by name.
    """
    standing = marks["unit"]
    own = [
        (marks[name], size) for name, size in (("code", CODE), ("centre", CENTRE)) if name in marks
    ]
    rated = []
    for x, y in _ring():
        at = (standing[0] + _AWAY[0] * x, standing[1] + _AWAY[1] * y)
        covered = sum(_overlap(other, box, at, unit) for other, box in own)
        box = mark_box(at, unit)
        out = 1 - shapely.area(shapely.intersection(box, room.shape)) / box.area
        frame = 3 * (not shapely.box(0, 0, WIDTH, HEIGHT).contains(box))
        rated.append(
            (
                covered
                + out
                + frame
                + shapely.area(shapely.intersection(box, room.taken)) / box.area,
                at,
            )
        )
    return round(min(rated)[1][0], 1), round(min(rated)[1][1], 1)


def _ring() -> Iterable[Point]:
    return ((float(np.cos(turn)), float(np.sin(turn))) for turn in np.arange(0.3, 6.5, 0.3))
