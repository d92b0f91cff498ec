"""The drawn map, as shipped, against the map's data: its shapes, its borders and the positions of
its marks.
"""

from collections import Counter
from functools import cache
from itertools import combinations, pairwise
from math import dist

import pytest

from adjudicator.games.diplomacy.drawing.crop import parse_path
from adjudicator.games.diplomacy.map import art
from adjudicator.games.diplomacy.map.geography import STANDARD, Province, province_at
from adjudicator.games.kit.shapes import Spot

DRAWN = art.load_art("standard")
LANDS = [code for code, place in STANDARD.places.items() if place.kind != "sea"]
SEAS = [code for code, place in STANDARD.places.items() if place.kind == "sea"]
# half the width and height of each mark
ARMY, FLEET, CODE, CENTRE = (13, 15.5), (18.5, 15.5), (17, 6), (8, 8)

Box = tuple[Spot, tuple[float, float]]


def lines(code: Province) -> set[frozenset[tuple[float, float]]]:
    """Return the segments of a province's outline, each as its two ends."""
    found = set()
    for ring in parse_path(DRAWN.shapes[code].path):
        ends = [(round(at.x, 1), round(at.y, 1)) for at in ring]
        found |= {frozenset(pair) for pair in pairwise([*ends, ends[0]])}
    return found


@cache
def inland() -> Counter[frozenset[tuple[float, float]]]:
    """Return the number of outlines with each segment: two between two lands, one at a coast."""
    barred = {
        frozenset(pair)
        for ring in parse_path(DRAWN.barred)
        for pair in pairwise([(at.x, at.y) for at in [*ring, ring[0]]])
    }
    rounded = {frozenset((round(x, 1), round(y, 1)) for x, y in pair) for pair in barred}
    return Counter(line for code in LANDS for line in lines(code)) + Counter(rounded)


def coast(code: Province) -> list[list[tuple[float, float]]]:
    """Return the segments of a land's outline that are neither a border to land nor at the
    frame.
    """
    outlines = (sorted(line) for line in lines(code) if inland()[line] == 1 and len(line) == 2)
    return sorted([one, two] for one, two in outlines if not (at_frame(one) and at_frame(two)))


def at_frame(end: tuple[float, float]) -> bool:
    """Whether a point lies on the edge of the map."""
    return end[0] in (0, DRAWN.size.width) or end[1] in (0, DRAWN.size.height)


def shores() -> set[frozenset[Province]]:
    """Return the pairs of land and sea that touch: the sea is just off the middle of a segment of
    the land's coast.
    """
    found = set()
    for code in LANDS:
        for (x, y), (to_x, to_y) in coast(code):
            across = 2 / dist((x, y), (to_x, to_y))
            for side in (across, -across):
                at = Spot((x + to_x) / 2 - side * (to_y - y), (y + to_y) / 2 + side * (to_x - x))
                if not inside(at, DRAWN.shapes[code].path):
                    found |= {
                        frozenset((code, sea))
                        for sea in SEAS
                        if near(at, sea) and inside(at, DRAWN.shapes[sea].path)
                    }
    return found


@cache
def frame(code: Province) -> tuple[float, float, float, float]:
    """Return the left, right, upper and lower edge of a province's bounding box."""
    spots = [at for ring in parse_path(DRAWN.shapes[code].path) for at in ring]
    return (
        min(at.x for at in spots),
        max(at.x for at in spots),
        min(at.y for at in spots),
        max(at.y for at in spots),
    )


def near(at: Spot, code: Province) -> bool:
    """Whether a point lies in the bounding box of a province."""
    left, right, top, low = frame(code)
    return left <= at.x <= right and top <= at.y <= low


def inside(at: Spot, path: str) -> bool:
    """Whether a point lies in a shape."""
    odd = False
    for ring in parse_path(path):
        for one, two in pairwise([*ring, ring[0]]):
            if (one.y > at.y) != (two.y > at.y) and at.x < one.x + (at.y - one.y) / (
                two.y - one.y
            ) * (two.x - one.x):
                odd = not odd
    return odd


def touching(codes: list[Province]) -> set[frozenset[Province]]:
    """Return the pairs of these provinces that share a segment of their outlines."""
    outlines = {code: lines(code) for code in codes}
    return {frozenset((a, b)) for a, b in combinations(codes, 2) if outlines[a] & outlines[b]}


def test_every_province_is_drawn_and_nothing_else() -> None:
    assert set(DRAWN.shapes) == set(STANDARD.places)
    assert all(parse_path(shape.path) for shape in DRAWN.shapes.values())


def test_lands_share_a_border_exactly_where_an_army_can_go() -> None:
    assert touching(LANDS) == {frozenset(border) for border in STANDARD.army_borders}


def test_seas_share_a_border_exactly_where_a_fleet_can_go() -> None:
    assert touching(SEAS) == {
        frozenset(border) for border in STANDARD.fleet_borders if set(border) <= set(SEAS)
    }


def test_lands_have_a_shore_at_a_sea_exactly_where_a_fleet_can_go() -> None:
    waters = {frozenset(map(province_at, border)) for border in STANDARD.fleet_borders}
    assert shores() == {pair for pair in waters if len(pair & set(SEAS)) == 1}


def test_a_border_of_two_lands_ends_at_the_sea_exactly_where_a_fleet_can_follow_it() -> None:
    coasts = {code: {end for line in coast(code) for end in line} for code in LANDS}
    found = {frozenset(pair) for pair in STANDARD.army_borders if coasts[pair[0]] & coasts[pair[1]]}
    along = {frozenset(map(province_at, border)) for border in STANDARD.fleet_borders}
    assert found == {pair for pair in along if not pair & set(SEAS)}


@pytest.mark.parametrize("code", list(STANDARD.places))
def test_units_codes_and_centres_stand_in_their_own_province(code: Province) -> None:
    shape = DRAWN.shapes[code]
    assert inside(shape.unit, shape.path)
    assert inside(shape.code, shape.path)
    assert shape.centre is None or inside(shape.centre, shape.path)


def test_only_supply_centres_have_the_mark_of_one() -> None:
    assert tuple(code for code, shape in DRAWN.shapes.items() if shape.centre) == STANDARD.centres


def test_a_fleet_on_one_of_two_coasts_stands_at_a_sea_it_can_reach() -> None:
    for spot in (spot for spot in STANDARD.spots if "/" in spot):
        near = {province_at(to) for to in STANDARD.reach[f"F {spot}"]} | {province_at(spot)}
        corners = [
            Spot(DRAWN.at(spot).x + x, DRAWN.at(spot).y + y)
            for x in (-18, 0, 18)
            for y in (-15, 0, 15)
        ]
        found = {
            code
            for code in STANDARD.places
            for at in corners
            if inside(at, DRAWN.shapes[code].path)
        }
        assert found & set(SEAS) and found & set(SEAS) <= near


def test_no_mark_covers_a_code_or_a_centre() -> None:
    units = [
        (shape.unit, ARMY if STANDARD.places[code].kind == "inland" else FLEET)
        for code, shape in DRAWN.shapes.items()
    ]
    codes: list[Box] = [(shape.code, CODE) for shape in DRAWN.shapes.values()]
    centres: list[Box] = [(shape.centre, CENTRE) for shape in DRAWN.shapes.values() if shape.centre]
    assert [pair for pair in combinations([*units, *codes, *centres], 2) if over(*pair)] == []


def over(one: Box, two: Box) -> bool:
    """Whether two marks overlap."""
    return all(
        abs(a - b) < half + other
        for a, b, half, other in zip(
            (one[0].x, one[0].y), (two[0].x, two[0].y), one[1], two[1], strict=True
        )
    )


def test_a_dislodged_unit_waits_beside_the_one_that_came_and_within_the_frame() -> None:
    for shape in DRAWN.shapes.values():
        assert not over((shape.away, (9, 9)), (shape.unit, (9, 9)))
        assert (
            18 < shape.away.x < DRAWN.size.width - 18 and 15 < shape.away.y < DRAWN.size.height - 15
        )
