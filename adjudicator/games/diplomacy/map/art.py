"""The shapes of the map: outlines, and the points of each province for its unit, its code and its
supply centre.

The file was made from the coasts of Natural Earth, which are in the public domain.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from adjudicator.games.diplomacy.map import geography
from adjudicator.games.diplomacy.map.geography import Province, province_at
from adjudicator.games.kit.shapes import Size, Spot


@dataclass(frozen=True)
class Shape:
    """One province in the picture; the path of a sea follows the coasts only roughly, as the land
    is drawn over it.
    """

    path: str
    code: Spot  # the middle of its three letters
    unit: Spot
    away: Spot  # for a dislodged unit
    centre: Spot | None  # of a supply centre
    coasts: Mapping[str, Spot]  # for a fleet, by coast


@dataclass(frozen=True)
class Art:
    """A map that can be drawn."""

    size: Size
    shapes: Mapping[Province, Shape]  # in alphabetical order
    still: str  # the path of the islands that no unit can enter
    barred: str  # the path of the land that no unit can enter
    hatch: str  # the lines over it
    shallows: str  # the simplified path of all coasts

    def at(self, place: geography.Spot) -> Spot:
        """Return the point at which the unit of a province, or of one coast of it, is drawn."""
        shape = self.shapes[province_at(place)]
        return shape.coasts[place[4:]] if "/" in place else shape.unit


@cache
def load_art(name: str) -> Art:
    """Return the drawing of the map of this name; raises FileNotFoundError for an unknown one."""
    data = json.loads(
        files(__package__).joinpath("data", f"{name}_art.json").read_text(encoding="utf-8")
    )
    shapes = {code: _shape(about) for code, about in sorted(data["places"].items())}
    return Art(
        Size(data["width"], data["height"]),
        shapes,
        data["still"],
        data["barred"],
        data["hatch"],
        data["shallows"],
    )


def _shape(about: Mapping[str, Any]) -> Shape:
    return Shape(
        path=about["path"],
        code=Spot(*about["code"]),
        unit=Spot(*about["unit"]),
        away=Spot(*about["away"]),
        centre=Spot(*about["centre"]) if "centre" in about else None,
        coasts={coast: Spot(*at) for coast, at in sorted(about.get("coasts", {}).items())},
    )
