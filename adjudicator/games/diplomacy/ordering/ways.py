"""The useful movement orders of each unit, with the ids to click on the map."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from adjudicator.core.game import Choice
from adjudicator.games.diplomacy.map.convoys import find_chains
from adjudicator.games.diplomacy.map.geography import (
    Province,
    Spot,
    Unit,
    World,
    kind_of,
    place_name,
    province_at,
    province_of,
)
from adjudicator.games.diplomacy.matching.unit_lookup import Field
from adjudicator.games.diplomacy.model.marks import spot_mark, unit_mark
from adjudicator.games.diplomacy.model.orders import Convoy, Hold, Move, Support

HOLD, MOVE, BY_CONVOY, HOLD_SUPPORT, MOVE_SUPPORT, CONVOY = (
    "Hold",
    "Move",
    "Move by convoy",
    "Support to hold",
    "Support a move",
    "Convoy",
)
"""The groups of choices in a unit's menu on the page."""

Routes = Mapping[Province, tuple[frozenset[Province], ...]]
"""By destination: the chains of seas that could carry an army, with a fleet in each sea."""


@dataclass(frozen=True)
class Ways:
    """The useful movement orders on one board."""

    field: Field

    @property
    def world(self) -> World:
        """The map."""
        return self.field.world

    @cached_property
    def routes(self) -> Mapping[Unit, Routes]:
        """The armies that fleets of any power could convoy, with their routes."""
        return _convoyable(self.world, tuple(self.field.owner))

    @cached_property
    def movers(self) -> Mapping[Province, tuple[Unit, ...]]:
        """The units of any power that could move to each province, by convoys of the fleets on the
        board too.
        """
        return _movers(self.world, tuple(self.field.owner))

    def choices(self, unit: Unit) -> tuple[Choice, ...]:
        """Return every useful order of a unit, the simplest first."""
        support = (
            (*self._hold_supports(unit), *self._move_supports(unit))
            if self.field.rules.rule_set == "standard"
            else ()
        )
        return (
            self._hold(unit),
            *self._moves(unit),
            *self._convoyed(unit),
            *support,
            *self._convoys(unit),
        )

    # --- the kinds of orders

    def _hold(self, unit: Unit) -> Choice:
        return Choice(str(Hold(unit)), "holds", HOLD, (self._unit(unit), self._unit(unit)))

    def _moves(self, unit: Unit) -> Iterator[Choice]:
        for to in self.world.reach[unit]:
            yield Choice(
                str(Move(unit, to)),
                f"to {place_name(self.world, to)}",
                MOVE,
                (self._unit(unit), self._spot(to)),
            )

    def _convoyed(self, unit: Unit) -> Iterator[Choice]:
        """Yield the moves by convoy. If the army can go by land too, the order says `VIA`, which
        edition 1976 ignores (R9).
        """
        by_land = self.world.reach[unit]
        for to in self.routes.get(unit, ()):
            if to not in by_land or self.field.edition.name != "1976":
                order = Move(unit, to, via=to in by_land)
                label = f"to {place_name(self.world, to)}, by convoy"
                yield Choice(str(order), label, BY_CONVOY, (self._unit(unit), self._spot(to)))

    def _hold_supports(self, unit: Unit) -> Iterator[Choice]:
        for code in self._provinces(unit):
            of = self.field.there.get(code)
            if of:
                label = f"supports {place_name(self.world, code)}"
                yield Choice(
                    str(Support(unit, of)), label, HOLD_SUPPORT, (self._unit(unit), self._unit(of))
                )

    def _move_supports(self, unit: Unit) -> Iterator[Choice]:
        for code in self._provinces(unit):
            for of in self.movers[code]:
                if of != unit and self._goes_without(of, code, province_of(unit)):
                    label = (
                        f"supports {place_name(self.world, province_of(of))} to"
                        f" {place_name(self.world, code)}"
                    )
                    marks = (self._unit(unit), self._unit(of), self._spot(code))
                    yield Choice(str(Support(unit, of, code)), label, MOVE_SUPPORT, marks)

    def _convoys(self, unit: Unit) -> Iterator[Choice]:
        sea = province_of(unit)
        if self.world.places[sea].kind != "sea":
            return
        for of, routes in self.routes.items():
            for to in (
                to for to, chains_to in routes.items() if any(sea in chain for chain in chains_to)
            ):
                label = (
                    f"convoys {place_name(self.world, province_of(of))} to"
                    f" {place_name(self.world, to)}"
                )
                yield Choice(
                    str(Convoy(unit, of, to)),
                    label,
                    CONVOY,
                    (self._unit(unit), self._unit(of), self._spot(to)),
                )

    # --- queries

    def _provinces(self, unit: Unit) -> tuple[Province, ...]:
        return tuple(dict.fromkeys(province_at(spot) for spot in self.world.reach[unit]))

    def _goes_without(self, of: Unit, to: Province, sea: Province) -> bool:
        """Whether a unit could move to a province without a convoy by the supporting fleet in
        `sea`.
        """
        if any(province_at(spot) == to for spot in self.world.reach[of]):
            return True
        return any(sea not in chain for chain in self.routes.get(of, {}).get(to, ()))

    def _unit(self, unit: Unit) -> str:
        return unit_mark(self.field.rules.rule_set, unit)

    def _spot(self, spot: Spot) -> str:
        return spot_mark(self.field.rules.rule_set, spot)


# Every seat, and every parse on a board, asks for the same.


@lru_cache(maxsize=64)
def _convoyable(world: World, units: tuple[Unit, ...]) -> Mapping[Unit, Routes]:
    seas = frozenset(
        province_of(unit) for unit in units if world.places[province_of(unit)].kind == "sea"
    )
    armies = [
        unit
        for unit in units
        if kind_of(unit) == "A" and world.places[province_of(unit)].kind == "coast"
    ]
    found = {army: _routes(world, province_of(army), seas) for army in armies}
    return {army: routes for army, routes in found.items() if routes}


@lru_cache(maxsize=64)
def _movers(world: World, units: tuple[Unit, ...]) -> Mapping[Province, tuple[Unit, ...]]:
    convoyable = _convoyable(world, units)
    found: dict[Province, dict[Unit, None]] = {code: {} for code in world.places}
    for unit in units:
        for code in (*(province_at(spot) for spot in world.reach[unit]), *convoyable.get(unit, ())):
            found[code][unit] = None
    return {code: tuple(movers) for code, movers in found.items()}


@lru_cache(maxsize=1024)
def _routes(world: World, frm: Province, seas: frozenset[Province]) -> Routes:
    found = {
        code: tuple(chain for chain in find_chains(world, frm, code) if chain <= seas)
        for code, place in world.places.items()
    }
    return {code: whole for code, whole in found.items() if whole}
