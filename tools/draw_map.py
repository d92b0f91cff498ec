"""Draws the map of Diplomacy: writes adjudicator/games/diplomacy/maps/standard_art.json and
compares its borders with the map's data.

It needs shapely and numpy (`pip install shapely numpy`) and the public-domain coasts of Natural
Earth (`npm install world-atlas`), which the project itself does not: `python -m tools.draw_map
node_modules/world-atlas/land-50m.json`.
"""

import json
import sys
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import shapely
from shapely.geometry import MultiPolygon
from shapely.geometry.base import BaseGeometry

from tools import map_arcs, map_cells, map_places
from tools.map_arcs import BARRED, STILL, Arc
from tools.map_hand import COASTS, FIXED
from tools.map_seeds import LAND

MAPS = Path(__file__).parent.parent / "adjudicator" / "games" / "diplomacy" / "map" / "data"
_SHORTEST = 2.0  # a shorter border is not visible as one
_PLAIN = 1.2  # how far a sea's outline may be from the coast, which is drawn over it
_SHALLOW = 2.2  # how far the line of shallow water may be from the coast

Shapes = dict[str, BaseGeometry]


def main(atlas: str) -> int:
    """Write the drawing; return 1 if its borders differ from the map's data."""
    about = json.loads((MAPS / "standard.json").read_text(encoding="utf-8"))
    land, seas, still = map_cells.province_cells(Path(atlas))
    exact = map_arcs.arcs_of({**land, **seas, STILL: still})
    arcs = [map_arcs.smooth_arc(arc, {*land, STILL}) for arc in exact]
    arcs = [arc for arc in arcs if not map_arcs.is_islet(arc)]
    wrong = list(differences(arcs, about))
    sys.stdout.write(
        "".join(f"{line}\n" for line in [*wrong, f"{len(wrong)} differences from the map's data"])
    )
    if wrong:
        return 1
    shapes, plain = _shapes(arcs), _shapes(map_arcs.simplify_arcs(arcs, {*land, STILL}, _PLAIN))
    drawn = json.dumps(art(shapes, plain, about), separators=(",", ":"))
    (MAPS / "standard_art.json").write_text(drawn + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(drawn)} bytes\n")
    return 0


def _shapes(arcs: list[Arc]) -> Shapes:
    return {label: MultiPolygon(parts) for label, parts in map_arcs.rebuild_shapes(arcs).items()}


def differences(arcs: list[Arc], about: dict[str, Any]) -> list[str]:
    """Return where the drawn borders differ from the data: for armies, for fleets at sea, and for
    fleets along coasts.
    """
    sea = {code for code, place in about["provinces"].items() if place["kind"] == "sea"}
    army = {frozenset(border.split("-")) for border in about["army_borders"]}
    fleet = {frozenset(spot[:3] for spot in border.split("-")) for border in about["fleet_borders"]}
    drawn = {
        pair
        for pair, length in map_arcs.border_lengths(arcs).items()
        if length >= _SHORTEST and not pair & {None, STILL, BARRED}
    }
    meetings = defaultdict(set)
    for arc in arcs:
        for end in (arc.points[0], arc.points[-1]):
            meetings[end] |= {arc.left, arc.right}
    coastal = {
        pair
        for pair in drawn
        if not pair & sea and any(pair <= labels and labels & sea for labels in meetings.values())
    }
    found = (
        ("by land", {pair for pair in drawn if not pair & sea} ^ army),
        ("by sea", {pair for pair in drawn if pair & sea} ^ {pair for pair in fleet if pair & sea}),
        ("along the coast", coastal ^ {pair for pair in fleet if not pair & sea}),
    )
    return [
        f"{'-'.join(sorted(pair))} {how}"
        for how, pairs in found
        for pair in sorted(pairs, key=sorted)
    ]


# --- output


def art(shapes: Shapes, plain: Shapes, about: dict[str, Any]) -> dict[str, Any]:
    """Return the drawing as data: paths, those of the seas from the plain shapes, and the centres
    of the marks.
    """
    lands = shapely.union_all(
        [shape for label, shape in shapes.items() if label in LAND or label == STILL]
    )
    found = {}
    taken: BaseGeometry = MultiPolygon()
    for code in sorted(about["provinces"], key=lambda code: shapes[code].area):
        room = _room(shapes, code, taken)
        found[code] = _province(code, room, about["provinces"][code])
        taken = shapely.union_all([taken, *_boxes(found[code], about["provinces"][code]["kind"])])
        found[code]["path"] = svg_path(shapes[code] if code in LAND else plain[code])
    for code, marks in found.items():
        others = shapely.difference(
            taken, shapely.union_all(_boxes(marks, about["provinces"][code]["kind"]))
        )
        marks["away"] = FIXED.get(code, {}).get("away") or map_places.place_dislodged(
            marks, _room(shapes, code, others), map_places.FLEET
        )
    return {
        "width": map_arcs.WIDTH,
        "height": map_arcs.HEIGHT,
        "places": {code: found[code] for code in sorted(found)},
        "still": svg_path(shapes[STILL]),
        "barred": svg_path(shapes[BARRED]),
        "hatch": hatch_path(shapes[BARRED]),
        "shallows": svg_path(lands.simplify(_SHALLOW)),
    }


def _room(shapes: Shapes, code: str, taken: BaseGeometry) -> map_places.Room:
    near = shapely.box(*shapes[code].bounds).buffer(60)
    lands = shapely.union_all(
        [
            shape
            for label, shape in shapes.items()
            if label in LAND and label != code and shape.intersects(near)
        ]
    )
    return map_places.Room(shapes[code], lands.intersection(near), taken.intersection(near))


def _unit_box(kind: str) -> map_places.Box:
    return map_places.ARMY if kind == "inland" else map_places.FLEET


def _province(code: str, room: map_places.Room, place: dict[str, Any]) -> dict[str, Any]:
    unit = _unit_box(place["kind"])
    marks = map_places.place_marks(
        room, unit, centre=place.get("centre", False), fixed=FIXED.get(code, {})
    )
    found: dict[str, Any] = {"unit": marks.unit, "code": marks.code}
    if marks.centre:
        found["centre"] = marks.centre
    if place.get("coasts"):
        found["coasts"] = {coast: COASTS[f"{code}/{coast}"] for coast in place["coasts"]}
    return found


def _boxes(marks: dict[str, Any], kind: str) -> list[BaseGeometry]:
    found = [
        map_places.mark_box(marks["unit"], _unit_box(kind)),
        map_places.mark_box(marks["code"], map_places.CODE),
    ]
    return [
        *found,
        *([map_places.mark_box(marks["centre"], map_places.CENTRE)] if "centre" in marks else []),
    ]


def hatch_path(shape: BaseGeometry) -> str:
    """Return hatching over a shape as an SVG path."""
    left, top, right, low = shape.bounds
    slants = [
        shapely.LineString([(x, low), (x + low - top, top)])
        for x in range(int(left - (low - top)), int(right), 7)
    ]
    found = [
        part
        for slant in slants
        for part in shapely.get_parts(slant.intersection(shape))
        if part.length > 1
    ]
    ends = [[(round(x * 10), round(y * 10)) for x, y in part.coords] for part in found]
    return "".join(
        f"M{_tenths(a[0])}{_joined(a[1])}L{_tenths(b[0])}{_joined(b[1])}" for a, b in ends
    )


def svg_path(shape: BaseGeometry) -> str:
    """Return a shape as an SVG path: relative steps of tenths."""
    rings = [
        ring for part in map_cells.polygons_of(shape) for ring in (part.exterior, *part.interiors)
    ]
    return "".join(
        _ring_path([(round(x * 10), round(y * 10)) for x, y in ring.coords])
        for ring in rings
        if ring.length > 8
    )


def _ring_path(ring: list[tuple[int, int]]) -> str:
    start = f"M{_tenths(ring[0][0])}{_joined(ring[0][1])}"
    steps = "".join(
        _joined(b[0] - a[0]) + _joined(b[1] - a[1]) for a, b in pairwise(ring[:-1]) if a != b
    )
    return f"{start}l{steps.lstrip()}z"


def _tenths(value: int) -> str:
    return f"{value / 10:g}".replace("0.", ".", 1) if abs(value) < 10 else f"{value / 10:g}"


def _joined(value: int) -> str:
    text = _tenths(value)
    return text if text.startswith("-") else f" {text}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
