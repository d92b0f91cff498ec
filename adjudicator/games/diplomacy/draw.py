"""The map as a picture of a position: provinces, centres, units, and the orders of the last phase."""

from adjudicator.games.diplomacy import art
from adjudicator.games.diplomacy.geography import STANDARD, kind_of, province_of, spot_of
from adjudicator.games.diplomacy.marks import KEYS, homeless_mark, spot_mark, unit_mark
from adjudicator.games.diplomacy.view import BoardView
from adjudicator.games.kit.shapes import Spot, fill, frame, number, stroke, text


def draw(view: BoardView) -> str:
    """Return the picture of what `view` shows; its ids are the marks of provinces, coasts, units and dislodged units."""
    return frame(KEYS[view.rule_set], f"Diplomacy, {view.title}.", art.load(STANDARD.name).size, _places(view) + _units(view))


def _places(view: BoardView) -> str:
    shapes = art.load(STANDARD.name).shapes
    paths = (
        f'<path id="{spot_mark(view.rule_set, code)}" d="{shape.path}" {fill("sea" if STANDARD.places[code].kind == "sea" else "paper")}'
        f' stroke="#6B6F78" stroke-width="1"><title>{STANDARD.places[code].name}</title></path>'
        for code, shape in shapes.items()
    )
    coasts = (
        f'<circle id="{spot_mark(view.rule_set, f"{code}/{coast}")}" cx="{number(at.x)}" cy="{number(at.y)}" r="16" fill="none"'
        f' pointer-events="all"><title>{STANDARD.places[code].name}, {coast}</title></circle>'
        for code, shape in shapes.items()
        for coast, at in shape.coasts.items()
    )
    return "".join(paths) + "".join(coasts)


def _units(view: BoardView) -> str:
    standing = [(unit_mark(view.rule_set, unit), unit, power) for power, units in sorted(view.units.items()) for unit in units]
    standing += [(homeless_mark(view.rule_set, each.unit), each.unit, each.power) for each in view.homeless]
    return "".join(_unit(mark, unit, power) for mark, unit, power in standing)


def _unit(mark: str, unit: str, power: str) -> str:
    drawn = art.load(STANDARD.name)
    at = drawn.shapes[province_of(unit)].away if "-homeless-" in mark else drawn.at(spot_of(unit))
    kind = "Army" if kind_of(unit) == "A" else "Fleet"
    disc = f'<circle cx="{number(at.x)}" cy="{number(at.y)}" r="11" {fill("sheet")}/>'
    ring = f'<circle cx="{number(at.x)}" cy="{number(at.y)}" r="11" {stroke("ink-line", 1.5)}/>'
    letter = text(Spot(at.x, at.y + 5), power[0], 14, anchor="middle", bold=True)
    return f'<g id="{mark}" class="piece"><title>{kind} in {spot_of(unit)}, {power.title()}</title>{disc}{ring}{letter}</g>'
