"""The useful movement orders of each unit, with the ids to click on the map."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from adjudicator.core.game import Choice
from adjudicator.games.diplomacy.map.convoys import find_chains
from adjudicator.games.diplomacy.map.geography import (
    Province,
    Unit,
    World,
    kind_of,
    place_name,
    province_of,
)
from adjudicator.games.diplomacy.matching.unit_lookup import Field
from adjudicator.games.diplomacy.model.marks import spot_mark, unit_mark
from adjudicator.games.diplomacy.model.orders import Convoy, Hold, Move, Support
from adjudicator.games.diplomacy.model.state import RuleSet

HOLD, MOVE, BY_CONVOY, HOLD_SUPPORT, MOVE_SUPPORT, CONVOY = (
    "Hold",
    "Move",
    "Move by convoy",
    "Support to hold",
    "Support a move",
    "Convoy",
)
"""The groups of choices in a unit's menu on the page."""

KEPT = 4096  # choices of each kind

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
    def movers(self) -> Mapping[Province, Sequence[Unit]]:
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
            *_by_itself(self.field.rules.rule_set, self.world, unit),
            *self._convoyed(unit),
            *support,
            *self._convoys(unit),
        )

    # --- the kinds of orders

    def _convoyed(self, unit: Unit) -> Iterator[Choice]:
        """Yield the moves by convoy. If the army can go by land too, the order says `VIA`, which
        edition 1976 ignores (R9).
        """
        by_land, rules = self.world.reach[unit], self.field.rules
        for to in self.routes.get(unit, ()):
            if to not in by_land or rules.edition.name != "1976":
                yield _convoyed(rules.rule_set, self.world, unit, to, via=to in by_land)

    def _hold_supports(self, unit: Unit) -> Iterator[Choice]:
        for code in self.world.entered[unit]:
            of = self.field.there.get(code)
            if of:
                yield _hold_support(self.world, unit, of)

    def _move_supports(self, unit: Unit) -> Iterator[Choice]:
        sea = province_of(unit)
        for code in self.world.entered[unit]:
            for of in self.movers[code]:
                if of != unit and self._goes_without(of, code, sea):
                    yield _move_support(self.world, unit, of, code)

    def _convoys(self, unit: Unit) -> Iterator[Choice]:
        sea = province_of(unit)
        if self.world.places[sea].kind != "sea":
            return
        for of, routes in self.routes.items():
            for to, chains in routes.items():
                if any(sea in chain for chain in chains):
                    yield _convoy(self.field.rules.rule_set, self.world, unit, of, to)

    def _goes_without(self, of: Unit, to: Province, sea: Province) -> bool:
        """Whether a unit could move to a province without a convoy by the supporting fleet in
        `sea`.
        """
        return to in self.world.entered[of] or any(
            sea not in chain for chain in self.routes.get(of, {}).get(to, ())
        )


# --- choices, the same on every board


@lru_cache(maxsize=256)
def _by_itself(rules: RuleSet, world: World, unit: Unit) -> tuple[Choice, ...]:
    """Return a unit's choices to hold and to move by itself."""
    mark = unit_mark(rules, unit)
    moves = (
        Choice(
            str(Move(unit, to)), f"to {place_name(world, to)}", MOVE, (mark, spot_mark(rules, to))
        )
        for to in world.reach[unit]
    )
    return Choice(str(Hold(unit)), "holds", HOLD, (mark, mark)), *moves


@lru_cache(maxsize=KEPT)
def _convoyed(rules: RuleSet, world: World, unit: Unit, to: Province, *, via: bool) -> Choice:
    return Choice(
        str(Move(unit, to, via=via)),
        f"to {place_name(world, to)}, by convoy",
        BY_CONVOY,
        (unit_mark(rules, unit), spot_mark(rules, to)),
    )


@lru_cache(maxsize=KEPT)
def _hold_support(world: World, unit: Unit, of: Unit) -> Choice:
    return Choice(
        str(Support(unit, of)),
        f"supports {place_name(world, province_of(of))}",
        HOLD_SUPPORT,
        (unit_mark("standard", unit), unit_mark("standard", of)),
    )


@lru_cache(maxsize=KEPT)
def _move_support(world: World, unit: Unit, of: Unit, to: Province) -> Choice:
    return Choice(
        str(Support(unit, of, to)),
        f"supports {place_name(world, province_of(of))} to {place_name(world, to)}",
        MOVE_SUPPORT,
        (unit_mark("standard", unit), unit_mark("standard", of), spot_mark("standard", to)),
    )


@lru_cache(maxsize=KEPT)
def _convoy(rules: RuleSet, world: World, unit: Unit, of: Unit, to: Province) -> Choice:
    return Choice(
        str(Convoy(unit, of, to)),
        f"convoys {place_name(world, province_of(of))} to {place_name(world, to)}",
        CONVOY,
        (unit_mark(rules, unit), unit_mark(rules, of), spot_mark(rules, to)),
    )


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
def _movers(world: World, units: tuple[Unit, ...]) -> Mapping[Province, Sequence[Unit]]:
    convoyable = _convoyable(world, units)
    found: dict[Province, list[Unit]] = {code: [] for code in world.places}
    for unit in units:
        for code in {*world.entered[unit], *convoyable.get(unit, ())}:
            found[code].append(unit)
    return found


@lru_cache(maxsize=1024)
def _routes(world: World, frm: Province, seas: frozenset[Province]) -> Routes:
    found = {
        code: tuple(chain for chain in find_chains(world, frm, code) if chain <= seas)
        for code in sorted(_landings(world, frm, seas))
    }
    return {code: whole for code, whole in found.items() if whole}


def _landings(world: World, frm: Province, seas: frozenset[Province]) -> set[Province]:
    """Return the provinces that touch any of `seas` which can be reached from a coast over these
    alone.
    """
    found: set[Province] = set()
    edge = world.touching[frm] & seas
    while edge:
        near = frozenset[Province]().union(*(world.touching[sea] for sea in edge))
        edge = (near & seas) - found
        found |= near
    return found
