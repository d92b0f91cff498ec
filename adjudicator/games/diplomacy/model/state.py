"""The state between two phases: of a match with its setup (`State`), and of the board alone
(`Position`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from adjudicator.core.game import Seat
from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Power,
    Province,
    Spot,
    Unit,
    province_of,
)
from adjudicator.games.diplomacy.model.orders import Trait
from adjudicator.games.diplomacy.model.outcomes import Fate
from adjudicator.games.kit.keeping import keep

RuleSet = Literal["standard", "rsp"]
Season = Literal["S", "F", "W"]
How = Literal["victory", "draw", "year", "conceded", "alone"]
"""How a match ended; `alone`: only one seat had a unit or a centre left."""


@dataclass(frozen=True)
class Setup:
    """The options with which the match was created."""

    rule_set: RuleSet
    edition: str  # a key of EDITIONS
    victory_centres: int
    year_limit: int  # the match ends after this year's Fall; 0: never
    build_anywhere: bool
    unplayed: Literal["disorder", "absent"]
    # a draw is shared by all survivors, or by those that a proposal names (R12)
    draws: Literal["all", "named"] = "all"
    # secret: only which draws are proposed is told, not by whom (R12)
    votes: Literal["open", "secret"] = "open"


@dataclass(frozen=True)
class Realm:
    """The powers of one seat."""

    seat: Seat
    powers: tuple[Power, ...]


@dataclass(frozen=True)
class Homeless:
    """A unit that was dislodged and has to retreat or disband."""

    unit: Unit  # at its place before
    power: Power
    by: Unit  # the attacker at its place before
    barred: Province | None  # where the attacker came from, if it may not go there (R2)
    retreats: tuple[Spot, ...]  # where it may go; never empty in a retreat phase of a match
    trait: Trait | None = None  # rsp


@dataclass(frozen=True)
class Seen:
    """The characteristic of a unit when it was last revealed (rsp R5)."""

    trait: Trait
    phase: str  # "F1903M"


@dataclass(frozen=True)
class Told:
    """One order of a closed phase in its public form, without a characteristic."""

    power: Power
    unit: Unit | None  # at its place before; None: a waived build
    order: str  # canonical; "" if there was none
    fate: Fate


@dataclass(frozen=True)
class Last:
    """The last adjudicated phase, for the picture and the board; all of it is public."""

    phase: str  # "F1903M"
    units: Mapping[Power, tuple[Unit, ...]]  # at their places before it
    told: tuple[Told, ...]
    contested: tuple[Province, ...] = ()
    # rsp R5, by the units at their places before
    revealed: Mapping[Unit, Trait] = field(default_factory=dict)


@dataclass(frozen=True)
class End:
    """How the match ended."""

    how: How
    winners: tuple[Seat, ...]  # in seat order


@dataclass(frozen=True)
class State:
    """A match of either rule set between two phases. Units are sorted; a power without units may be
    missing.
    """

    setup: Setup
    realms: tuple[Realm, ...]  # in seat order
    phase: str  # "S1901M", "S1901R", "W1901A": the phase to be ordered now
    units: Mapping[Power, tuple[Unit, ...]]
    centres: Mapping[Power, tuple[Province, ...]]  # by owner; neutral ones are missing
    homeless: tuple[Homeless, ...] = ()  # in the order of power and unit; only in retreat phases
    contested: tuple[Province, ...] = ()  # only in retreat phases
    # rsp: of units on the board; for dislodged ones see `Homeless.trait`
    traits: Mapping[Unit, Trait] = field(default_factory=dict)
    # rsp: the last revealed characteristics, by the units at their present places
    seen: Mapping[Unit, Seen] = field(default_factory=dict)
    voted: tuple[Seat, ...] = ()  # the seats that agree to a draw
    # by agreeing seat: the sharers, unless all survivors (R12)
    among: Mapping[Seat, tuple[Seat, ...]] = field(default_factory=dict)
    conceded: tuple[Seat, ...] = ()
    last: Last | None = None
    end: End | None = None
    # the year in which a centre last changed hands; None in a match older than this field
    taken: int | None = None

    def powers_of(self, seat: Seat) -> tuple[Power, ...]:
        """Return the powers of a seat."""
        return next(realm.powers for realm in self.realms if realm.seat == seat)

    def seat_of(self, power: Power) -> Seat | None:
        """Return the seat of a power, None for an unplayed one."""
        return next((realm.seat for realm in self.realms if power in realm.powers), None)

    @property
    def season(self) -> Season:
        """`S`, `F` or `W`."""
        return "S" if self.phase[0] == "S" else "F" if self.phase[0] == "F" else "W"

    @property
    def year(self) -> int:
        """The year: 1901."""
        return int(self.phase[1:5])

    @property
    def stage(self) -> str:
        """`M` movement, `R` retreats, `A` adjustments."""
        return self.phase[5]


# --- the board alone


@dataclass(frozen=True)
class Position:
    """The board, or a part of it, before or after one phase. The order of its entries has no
    meaning.
    """

    phase: str  # "S1901M"
    owner: Mapping[Unit, Power]
    # the dislodged units, at their places before
    homeless: Mapping[Unit, Homeless] = field(default_factory=dict)
    centres: Mapping[Province, Power] = field(default_factory=dict)
    contested: frozenset[Province] = frozenset()
    # rsp: of units on the board; for dislodged ones see `Homeless.trait`
    traits: Mapping[Unit, Trait] = field(default_factory=dict)

    @property
    def stage(self) -> str:
        """`M` movement, `R` retreats, `A` adjustments."""
        return self.phase[5]

    @cached_property
    def ordered(self) -> Mapping[Unit, Power]:
        """The units that can be ordered now: in a retreat phase the dislodged ones only."""
        if self.stage == "R":
            return {unit: each.power for unit, each in self.homeless.items()}
        return self.owner

    @cached_property
    def there(self) -> Mapping[Province, Unit]:
        """The units that can be ordered now, by their provinces."""
        return {province_of(unit): unit for unit in self.ordered}


@keep
def position_of(state: State) -> Position:
    """Return the board of a match."""
    homeless = {each.unit: each for each in state.homeless}
    centres = {code: power for power, codes in state.centres.items() for code in codes}
    return Position(
        state.phase, owners_of(state), homeless, centres, frozenset(state.contested), state.traits
    )


def group_by_power(pairs: Iterable[tuple[str, Power]]) -> dict[Power, tuple[str, ...]]:
    """Return units or centres by power, in alphabetical order; powers without any are left out."""
    by_power: dict[Power, list[str]] = {}
    for name, power in pairs:
        by_power.setdefault(power, []).append(name)
    return {power: tuple(sorted(by_power[power])) for power in STANDARD.powers if power in by_power}


@keep
def owners_of(state: State) -> dict[Unit, Power]:
    """Return the owner of every unit on the board, power by power."""
    return {unit: power for power in STANDARD.powers for unit in state.units.get(power, ())}
