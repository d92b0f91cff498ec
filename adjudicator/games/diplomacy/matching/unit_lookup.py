"""Finds the unit of the board that a line means, or the reason why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from adjudicator.core.game import Seat
from adjudicator.games.diplomacy.language.spelling import ANY_KIND
from adjudicator.games.diplomacy.map.geography import (
    KINDS,
    STANDARD,
    Power,
    Province,
    Unit,
    World,
    kind_of,
    province_of,
    spot_of,
    the_place,
)
from adjudicator.games.diplomacy.model.editions import Edition, Rules, rules_of_match
from adjudicator.games.diplomacy.model.outcomes import Why
from adjudicator.games.diplomacy.model.state import Position, State, position_of
from adjudicator.games.diplomacy.resolve.resolve_adjustments import Account, accounts_of
from adjudicator.games.kit.parsing import Misread


@dataclass(frozen=True)
class Fault(Misread):
    """Why a parsed order is refused; its piece is in canonical spelling."""

    kind: Literal["invalid", "illegal", "ambiguous"] = "illegal"
    why: Why = "not possible"  # the reason as a code, for the exchange


@dataclass(frozen=True)
class Found:
    """The unit that a line means."""

    unit: Unit
    remark: str = ""  # a correction of the written unit


@dataclass(frozen=True)
class Field:
    """The board from the side of one seat that gives orders."""

    rules: Rules
    position: Position
    powers: tuple[Power, ...]  # of the seat
    world: World = STANDARD
    idle: str = ""  # a sentence that says why the seat has nothing to order now

    @property
    def edition(self) -> Edition:
        """The edition of the match."""
        return self.rules.edition

    @property
    def owner(self) -> Mapping[Unit, Power]:
        """The owner of every unit; in a retreat phase of the dislodged ones only."""
        return self.position.ordered

    @property
    def there(self) -> Mapping[Province, Unit]:
        """Every unit of `owner` by its province."""
        return self.position.there

    @cached_property
    def accounts(self) -> Mapping[Power, Account]:
        """The builds and removals of each power in a Winter."""
        return accounts_of(self.rules, self.position)

    @cached_property
    def moves(self) -> bool:
        """Whether the seat gives orders of movement now."""
        return not self.idle and self.position.stage == "M"

    @cached_property
    def own(self) -> tuple[Unit, ...]:
        """The units that the seat orders now, in the order of its powers."""
        return tuple(
            unit for power in self.powers for unit, whose in self.owner.items() if whose == power
        )

    def is_own(self, unit: Unit) -> bool:
        """Whether the seat orders this unit."""
        return self.owner.get(unit) in self.powers

    def meant(self, written: Unit) -> Unit:
        """Return the unit of that kind in that province, whatever the written coast (DATC 6.B.10);
        `written` if there is none.
        """
        unit = self.there.get(province_of(written))
        return unit if unit and kind_of(written) in (kind_of(unit), ANY_KIND) else written

    def find(self, written: Unit) -> Found | Fault:
        """Return the unit in the written province; the written coast may be missing or wrong, the
        kind may be missing.
        """
        code = province_of(written)
        unit = self.there.get(code)
        if unit is None:
            return Fault(spell_unit(written), self._nobody(code), why="no such unit")
        if kind_of(written) not in (kind_of(unit), ANY_KIND):
            place = self.world.places[code].name
            return Fault(
                spell_unit(written),
                f"In {place} stands {a_kind(unit)}, no {KINDS[kind_of(written)]}.",
                (unit,),
                why="no such unit",
            )
        if "/" in written and spot_of(written) != spot_of(unit):
            return Found(
                unit, f"{spell_unit(written)} was read as {unit}, which is the coast it is on."
            )
        return Found(unit)

    def _nobody(self, code: Province) -> str:
        place = self.world.places[code].name
        retreats = self.position.stage == "R"
        if retreats and any(province_of(unit) == code for unit in self.position.owner):
            return f"The unit in {place} was not dislodged; only dislodged units are ordered now."
        return f"There is no {'dislodged ' if retreats else ''}unit in {place}."


def field_of(state: State, seat: Seat, *, idle: str = "") -> Field:
    """Return the board of a match from the side of a seat."""
    return Field(rules_of_match(state), position_of(state), state.powers_of(seat), idle=idle)


def spell_unit(written: Unit) -> str:
    """Return a unit as a player may write it: `A PAR`, or `PAR` if its kind is not known."""
    return written.removeprefix(f"{ANY_KIND} ")


def a_kind(unit: Unit) -> str:
    """Return `an army` or `a fleet`."""
    return "an army" if kind_of(unit) == "A" else "a fleet"


def describe_unit(unit: Unit, world: World = STANDARD) -> str:
    """Return `the army in Paris`, `the fleet in Spain (north coast)`."""
    return f"the {KINDS[kind_of(unit)]} in {the_place(world, spot_of(unit))}"
