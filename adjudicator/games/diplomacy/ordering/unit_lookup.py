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
from adjudicator.games.diplomacy.model.editions import EDITIONS, Edition
from adjudicator.games.diplomacy.model.state import State
from adjudicator.games.diplomacy.phases.stages import owners


@dataclass(frozen=True)
class Fault:
    """Why an order that was understood cannot be taken now."""

    piece: str  # the smallest part that is wrong, in canonical spelling
    reason: str  # a sentence for the player
    like: tuple[str, ...] = ()  # what may be right instead, the nearest first
    kind: Literal["invalid", "illegal", "ambiguous"] = "illegal"


@dataclass(frozen=True)
class Found:
    """The unit a line means."""

    unit: Unit
    remark: str = ""  # what was read otherwise than it was written


@dataclass(frozen=True)
class Field:
    """The board as one seat orders on it."""

    state: State
    seat: Seat
    powers: tuple[Power, ...]  # of the seat
    owner: Mapping[Unit, Power]  # of every unit; in a retreat phase of those that have to go
    there: Mapping[Province, Unit]
    world: World = STANDARD

    @property
    def edition(self) -> Edition:
        """The edition of the match."""
        return EDITIONS[self.state.setup.edition]

    @property
    def own(self) -> tuple[Unit, ...]:
        """The units the seat orders now, in the order of its powers."""
        return tuple(unit for power in self.powers for unit, whose in self.owner.items() if whose == power)

    def is_own(self, unit: Unit) -> bool:
        """Whether the seat orders this unit."""
        return self.owner.get(unit) in self.powers

    def find(self, written: Unit) -> Found | Fault:
        """Return the unit that stands where a line says; its coast may be missing or wrong, its kind may be missing."""
        code = province_of(written)
        unit = self.there.get(code)
        if unit is None:
            return Fault(spelled(written), self._nobody(code))
        if kind_of(written) not in (kind_of(unit), ANY_KIND):
            place = self.world.places[code].name
            return Fault(spelled(written), f"In {place} stands {a_kind(unit)}, no {KINDS[kind_of(written)]}.", (unit,))
        if "/" in written and spot_of(written) != spot_of(unit):
            return Found(unit, f"{spelled(written)} was read as {unit}, which is the coast it is on.")
        return Found(unit)

    def _nobody(self, code: Province) -> str:
        place = self.world.places[code].name
        if self.state.stage == "R" and any(province_of(unit) == code for units in self.state.units.values() for unit in units):
            return f"The unit in {place} was not dislodged; only dislodged units are ordered now."
        return f"There is no {'dislodged ' if self.state.stage == 'R' else ''}unit in {place}."


def field_of(state: State, seat: Seat) -> Field:
    """Return the board as a seat orders on it."""
    owner = {each.unit: each.power for each in state.homeless} if state.stage == "R" else owners(state)
    return Field(state, seat, state.powers_of(seat), owner, {province_of(unit): unit for unit in owner})


def spelled(written: Unit) -> str:
    """Return a unit as a player may write it: `A PAR`, or `PAR` where its kind was left out."""
    return written.removeprefix(f"{ANY_KIND} ")


def a_kind(unit: Unit) -> str:
    """Return `an army` or `a fleet`."""
    return "an army" if kind_of(unit) == "A" else "a fleet"


def called(unit: Unit, world: World = STANDARD) -> str:
    """Return `the army in Paris`, `the fleet in Spain (north coast)`."""
    return f"the {KINDS[kind_of(unit)]} in {the_place(world, spot_of(unit))}"
