"""Which unit of the board a line means, and what is wrong where it means none."""

from collections.abc import Mapping
from dataclasses import dataclass
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
from adjudicator.games.diplomacy.resolve.resolve_adjustments import Account, accounts


@dataclass(frozen=True)
class Fault:
    """Why an order that was understood cannot be taken now."""

    piece: str  # the smallest part that is wrong, in canonical spelling
    reason: str  # a sentence for the player
    like: tuple[str, ...] = ()  # what may be right instead, the nearest first
    kind: Literal["invalid", "illegal", "ambiguous"] = "illegal"
    why: Why = "not possible"  # the same in a word, for the exchange


@dataclass(frozen=True)
class Found:
    """The unit a line means."""

    unit: Unit
    remark: str = ""  # what was read otherwise than it was written


@dataclass(frozen=True)
class Field:
    """The board as one seat orders on it."""

    rules: Rules
    position: Position
    powers: tuple[Power, ...]  # of the seat
    owner: Mapping[Unit, Power]  # of every unit; in a retreat phase of those that have to go
    there: Mapping[Province, Unit]
    world: World = STANDARD
    idle: str = ""  # why the seat orders nothing now, a sentence

    @property
    def edition(self) -> Edition:
        """The edition of the match."""
        return self.rules.edition

    def account(self, power: Power) -> Account:
        """Return what a power has in a Winter."""
        return accounts(self.rules, self.position)[power]

    @property
    def own(self) -> tuple[Unit, ...]:
        """The units the seat orders now, in the order of its powers."""
        return tuple(unit for power in self.powers for unit, whose in self.owner.items() if whose == power)

    def is_own(self, unit: Unit) -> bool:
        """Whether the seat orders this unit."""
        return self.owner.get(unit) in self.powers

    def meant(self, written: Unit) -> Unit:
        """Return the unit of that kind in that province as the board has it, whatever coast was written (DATC 6.B.10); else `written`."""
        unit = self.there.get(province_of(written))
        return unit if unit and kind_of(written) in (kind_of(unit), ANY_KIND) else written

    def find(self, written: Unit) -> Found | Fault:
        """Return the unit that stands where a line says; its coast may be missing or wrong, its kind may be missing."""
        code = province_of(written)
        unit = self.there.get(code)
        if unit is None:
            return Fault(spelled(written), self._nobody(code), why="no such unit")
        if kind_of(written) not in (kind_of(unit), ANY_KIND):
            place = self.world.places[code].name
            return Fault(spelled(written), f"In {place} stands {a_kind(unit)}, no {KINDS[kind_of(written)]}.", (unit,), why="no such unit")
        if "/" in written and spot_of(written) != spot_of(unit):
            return Found(unit, f"{spelled(written)} was read as {unit}, which is the coast it is on.")
        return Found(unit)

    def _nobody(self, code: Province) -> str:
        place = self.world.places[code].name
        retreats = self.position.stage == "R"
        if retreats and any(province_of(unit) == code for unit in self.position.owner):
            return f"The unit in {place} was not dislodged; only dislodged units are ordered now."
        return f"There is no {'dislodged ' if retreats else ''}unit in {place}."


def field_of(state: State, seat: Seat) -> Field:
    """Return the board as a seat of a match orders on it."""
    return field_on(rules_of_match(state), position_of(state), state.powers_of(seat))


def field_on(rules: Rules, position: Position, powers: tuple[Power, ...]) -> Field:
    """Return a board as somebody orders on it who plays these powers."""
    owner = {unit: each.power for unit, each in position.homeless.items()} if position.stage == "R" else position.owner
    return Field(rules, position, powers, owner, {province_of(unit): unit for unit in owner})


def spelled(written: Unit) -> str:
    """Return a unit as a player may write it: `A PAR`, or `PAR` where its kind was left out."""
    return written.removeprefix(f"{ANY_KIND} ")


def a_kind(unit: Unit) -> str:
    """Return `an army` or `a fleet`."""
    return "an army" if kind_of(unit) == "A" else "a fleet"


def called(unit: Unit, world: World = STANDARD) -> str:
    """Return `the army in Paris`, `the fleet in Spain (north coast)`."""
    return f"the {KINDS[kind_of(unit)]} in {the_place(world, spot_of(unit))}"
