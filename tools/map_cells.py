"""The provinces as exact shapes: Natural Earth's coasts, divided into the cells of the seed points.
Needs shapely.
"""

import json
import math
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import shapely
from shapely.geometry import LineString, MultiPoint, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union, voronoi_diagram

from tools.map_seeds import CAUSEWAYS, LAND, SEA, STILL

FRAME = box(-40, -120, 1240, 1010)
_MIDDLE = (14.0, 50.0)  # of the projection, in degrees
_SCALE = 1700
_EDGE = box(-45, 26, 115, 79)  # the visible region, in degrees
_SMALLEST_ISLAND = 6
_LARGEST_STILL = 9000

Ring = list[tuple[float, float]]
Cells = dict[str, BaseGeometry]


def project_point(longitude: float, latitude: float) -> tuple[float, float]:
    """Return a point of the Earth in Lambert's azimuthal equal-area projection around 14 E 50 N, y
    downwards.
    """
    across, up, left, low = map(math.radians, (longitude, latitude, *_MIDDLE))
    turn = across - left
    away = math.sqrt(
        2 / (1 + math.sin(low) * math.sin(up) + math.cos(low) * math.cos(up) * math.cos(turn))
    )
    x = away * math.cos(up) * math.sin(turn)
    y = away * (math.cos(low) * math.sin(up) - math.sin(low) * math.cos(up) * math.cos(turn))
    return 560 + _SCALE * x, 560 - _SCALE * y


def province_cells(atlas: Path) -> tuple[Cells, Cells, BaseGeometry]:
    """Return the land provinces, the seas and the neutral land, from `land-50m.json` of
    world-atlas.
    """
    parts = polygons_of(
        unary_union([_projected(part) for part in _land(atlas)]).intersection(FRAME)
    )
    parts = [part for part in parts if part.area > _SMALLEST_ISLAND]
    points = [Point(project_point(*at)) for at in STILL]
    still = [
        part
        for part in parts
        if part.area < _LARGEST_STILL and any(part.buffer(2).contains(point) for point in points)
    ]
    causeways = [
        LineString([project_point(*end) for end in ends]).buffer(1.3) for ends in CAUSEWAYS
    ]
    land = unary_union([part for part in parts if part not in still] + causeways)
    sea = FRAME.difference(unary_union(parts + causeways))
    return _whole(_nearest(LAND, land), LAND), _whole(_nearest(SEA, sea), SEA), unary_union(still)


def polygons_of(shape: BaseGeometry) -> list[Polygon]:
    """Return the polygons of a shape."""
    return [
        part
        for part in getattr(shape, "geoms", [shape])
        if part.geom_type == "Polygon" and not part.is_empty
    ]


# --- Natural Earth


def _land(atlas: Path) -> list[Polygon]:
    topology = json.loads(atlas.read_text(encoding="utf-8"))
    arcs = [_decoded(arc, topology["transform"]) for arc in topology["arcs"]]
    found = []
    for geometry in topology["objects"]["land"]["geometries"]:
        for rings in geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]:
            outer = _unwrapped(_ring(arcs, rings[0]))
            if (
                max(x for x, _ in outer) < -44
                or min(x for x, _ in outer) > 115
                or max(y for _, y in outer) < 27
            ):
                continue
            found += polygons_of(
                Polygon(outer, [_ring(arcs, ring) for ring in rings[1:]])
                .buffer(0)
                .intersection(_EDGE)
            )
    return found


def _decoded(arc: list[list[int]], transform: dict[str, list[float]]) -> Ring:
    (step_x, step_y), (left, low) = transform["scale"], transform["translate"]
    x = y = 0
    found = []
    for dx, dy in arc:
        x, y = x + dx, y + dy
        found.append((x * step_x + left, y * step_y + low))
    return found


def _ring(arcs: list[Ring], numbers: list[int]) -> Ring:
    found: Ring = []
    for number in numbers:
        arc = arcs[number] if number >= 0 else arcs[~number][::-1]
        found += arc[1:] if found else arc
    return found


def _unwrapped(ring: Ring) -> Ring:
    """Return a ring that crosses the date line in one piece, on Europe's side."""
    found, off = [ring[0]], 0
    for (before, _), (x, y) in pairwise(ring):
        off -= 360 * ((x - before > 180) - (x - before < -180))
        found.append((x + off, y))
    across = [x for x, _ in found]
    turns = (
        turn
        for turn in (0, 360, -360)
        if max(across) - min(across) > 60 and min(across) + turn < 20 < max(across) + turn
    )
    turn = next(turns, 0)
    return [(x + turn, y) for x, y in found]


def _projected(shape: Polygon) -> Polygon:
    rings = [
        [project_point(*at) for at in _dense(list(ring.coords))]
        for ring in (shape.exterior, *shape.interiors)
    ]
    return Polygon(rings[0], rings[1:]).buffer(0)


def _dense(ring: Ring, step: float = 0.5) -> Ring:
    found: Ring = []
    for (x, y), (to_x, to_y) in pairwise(ring):
        count = max(1, int(max(abs(to_x - x), abs(to_y - y)) / step))
        found += [
            (x + (to_x - x) * part / count, y + (to_y - y) * part / count) for part in range(count)
        ]
    return [*found, ring[-1]]


# --- cells


def _nearest(seeds: dict[str, Ring], area: BaseGeometry) -> Cells:
    named = [(code, Point(project_point(*at))) for code, places in seeds.items() for at in places]
    tree = shapely.STRtree([at for _, at in named])
    found = defaultdict(list)
    for cell in voronoi_diagram(
        MultiPoint([at for _, at in named]), envelope=FRAME.buffer(200)
    ).geoms:
        code = next(named[place][0] for place in tree.query(cell) if cell.contains(named[place][1]))
        found[code].append(cell)
    return {code: unary_union(parts).intersection(area).buffer(0) for code, parts in found.items()}


def _whole(found: Cells, seeds: dict[str, Ring]) -> Cells:
    """Return the provinces without stray pieces: a piece without a seed goes to the neighbour it
    touches most.
    """
    strays = []
    for code in found:
        at = [Point(project_point(*seed)) for seed in seeds[code]]
        kept = [
            part
            for part in polygons_of(found[code])
            if any(part.buffer(0.5).contains(seed) for seed in at)
        ]
        strays += [(code, part) for part in polygons_of(found[code]) if part not in kept]
        found[code] = unary_union(kept)
    for code, part in strays:
        near = {other: part.buffer(0.3).intersection(found[other]).area for other in found}
        best = max(near, key=lambda other: near[other])
        owner = best if near[best] > 0 else code
        found[owner] = found[owner].union(part.buffer(0.01))
    return found
