"""The map as data: provinces, coasts, borders and home centres, read once from the package's
files.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Literal

Power = str
"""One of the seven: `FRANCE`."""

Province = str
"""A province by its code of three letters: `PAR`, `STP`."""

Spot = str
"""The place of a unit: a province, for a fleet with its coast if the province has two: `PAR`,
`STP/SC`.
"""

Unit = str
"""A unit with its place, in the notation of the research tools: `A PAR`, `F STP/SC`; unique on a
board.
"""

Kind = Literal["sea", "coast", "inland"]

KINDS = {"A": "army", "F": "fleet"}
COASTS = {"EC": "east coast", "NC": "north coast", "SC": "south coast"}


def kind_of(unit: Unit) -> str:
    """Return `A` or `F`."""
    return unit[0]


def spot_of(unit: Unit) -> Spot:
    """Return the place of a unit with its coast: `STP/SC`."""
    return unit[2:]


def province_of(unit: Unit) -> Province:
    """Return the province of a unit: `STP`."""
    return unit[2:5]


def province_at(spot: Spot) -> Province:
    """Return the province of a spot: `STP` of `STP/SC`."""
    return spot[:3]


def unit_at(unit: Unit, spot: Spot) -> Unit:
    """Return a unit of the same kind at `spot`."""
    return f"{unit[0]} {spot}"


@dataclass(frozen=True)
class Place:
    """One province."""

    code: Province
    name: str  # "St Petersburg"
    kind: Kind
    centre: bool = False
    home: Power | None = None
    coasts: tuple[str, ...] = ()  # ("NC", "SC"); () if it has at most one


@dataclass(frozen=True, eq=False)  # hashed by identity, so that functions of it can be cached
class World:
    """A map: the data that never changes in a match."""

    name: str
    victory_centres: int
    powers: tuple[Power, ...]  # in alphabetical order
    opening: Mapping[Power, tuple[Unit, ...]]
    homes: Mapping[Power, tuple[Province, ...]]
    places: Mapping[Province, Place]  # in alphabetical order of their codes
    army_borders: frozenset[tuple[Province, Province]]  # both ways
    fleet_borders: frozenset[tuple[Spot, Spot]]  # both ways

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """Every possible place of a unit, coasts included, in alphabetical order."""
        coasts = (
            f"{place.code}/{coast}" for place in self.places.values() for coast in place.coasts
        )
        return tuple(sorted((*self.places, *coasts)))

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Every possible unit: an army in each land province, a fleet in each sea and on each
        coast.
        """
        armies = (f"A {place.code}" for place in self.places.values() if place.kind != "sea")
        fleets = (f"F {spot}" for spot in self.spots if self._holds_fleet(spot))
        return (*armies, *fleets)

    @cached_property
    def units_in(self) -> Mapping[Province, tuple[Unit, ...]]:
        """The possible units in each province, in the order of `units`."""
        return {
            code: tuple(unit for unit in self.units if province_of(unit) == code)
            for code in self.places
        }

    def _holds_fleet(self, spot: Spot) -> bool:
        place = self.places[province_at(spot)]
        return place.kind != "inland" and bool(place.coasts) == ("/" in spot)

    @cached_property
    def reach(self) -> Mapping[Unit, tuple[Spot, ...]]:
        """The spots that each possible unit can move to without a convoy, in alphabetical order,
        coasts named.
        """
        borders = {"A": self.army_borders, "F": self.fleet_borders}
        return {
            unit: tuple(sorted(to for at, to in borders[kind_of(unit)] if at == spot_of(unit)))
            for unit in self.units
        }

    @cached_property
    def entered(self) -> Mapping[Unit, tuple[Province, ...]]:
        """The provinces that each possible unit can move to without a convoy, on any coast."""
        return {
            unit: tuple(dict.fromkeys(map(province_at, spots)))
            for unit, spots in self.reach.items()
        }

    @cached_property
    def touching(self) -> Mapping[Province, frozenset[Province]]:
        """The neighbours of each province by land or sea, on any coast."""
        pairs = {
            (province_at(a), province_at(b)) for a, b in self.army_borders | self.fleet_borders
        }
        return {code: frozenset(to for at, to in pairs if at == code) for code in self.places}

    @cached_property
    def centres(self) -> tuple[Province, ...]:
        """Every supply centre, in alphabetical order of the codes."""
        return tuple(code for code, place in self.places.items() if place.centre)

    def distances(self, goals: frozenset[Province]) -> Mapping[Province, int]:
        """Return the steps over land and sea from each province to the nearest of `goals` (R3); {}
        for no goals.
        """
        return _distances(self.touching, goals)


def _distances(
    touching: Mapping[Province, frozenset[Province]], goals: frozenset[Province]
) -> Mapping[Province, int]:
    found = dict.fromkeys(goals, 0)
    edge = set(goals)
    while edge:
        steps = 1 + max(found.values(), default=0)
        edge = {near for code in edge for near in touching[code]} - set(found)
        found |= dict.fromkeys(edge, steps)
    return found


def place_name(world: World, spot: Spot) -> str:
    """Return `Paris`, or `St Petersburg (south coast)`."""
    name = world.places[province_at(spot)].name
    return f"{name} ({COASTS[spot[4:]]})" if "/" in spot else name


def the_place(world: World, spot: Spot) -> str:
    """Return a place with the article it needs after a preposition: `Paris`, `the North Sea`, `St
    Petersburg (south coast)`.
    """
    return f"{'the ' if world.places[province_at(spot)].kind == 'sea' else ''}{place_name(world, spot)}"


@cache
def load_world(name: str) -> World:
    """Return the map of this name; raises FileNotFoundError for an unknown one."""
    data = json.loads(
        files(__package__).joinpath("data", f"{name}.json").read_text(encoding="utf-8")
    )
    places = {
        code: Place(
            code,
            about["name"],
            about["kind"],
            about.get("centre", False),
            about.get("home"),
            tuple(about.get("coasts", ())),
        )
        for code, about in sorted(data["provinces"].items())
    }
    powers = dict(sorted(data["powers"].items()))
    return World(
        name=data["name"],
        victory_centres=data["victory_centres"],
        powers=tuple(powers),
        opening={power: tuple(sorted(about["units"])) for power, about in powers.items()},
        homes={power: tuple(sorted(about["homes"])) for power, about in powers.items()},
        places=places,
        army_borders=_both_ways(data["army_borders"]),
        fleet_borders=_both_ways(data["fleet_borders"]),
    )


def _both_ways(borders: list[str]) -> frozenset[tuple[str, str]]:
    pairs = [border.split("-") for border in borders]
    return frozenset((a, b) for a, b in pairs) | frozenset((b, a) for a, b in pairs)


STANDARD = load_world("standard")
