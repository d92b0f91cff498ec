"""Builds and removals of one power in a Winter, and the removals of civil disorder (R3, R7, R9)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Power,
    Province,
    Unit,
    World,
    province_of,
)
from adjudicator.games.diplomacy.model.editions import Edition, Rules, rules_of_match
from adjudicator.games.diplomacy.model.orders import Build, Disband, Waive
from adjudicator.games.diplomacy.model.outcomes import Fate
from adjudicator.games.diplomacy.model.state import Position, State, group_by_power
from adjudicator.games.kit.keeping import keep


@dataclass(frozen=True)
class Account:
    """The centres and units of one power in a Winter, before or between its adjustments."""

    world: World
    edition: Edition
    power: Power
    owned: tuple[Province, ...]  # its centres
    units: tuple[Unit, ...]  # its own, in alphabetical order
    occupied: frozenset[Province]  # by units of any power
    anywhere: bool = False  # option `build_anywhere`
    waived: int = 0  # number of waived builds

    @property
    def sites(self) -> tuple[Province, ...]:
        """The provinces in which it may build now: its own empty home centres, or any empty own
        centre, in alphabetical order (R3).
        """
        homes = self.owned if self.anywhere else self.world.homes.get(self.power, ())
        return tuple(
            code for code in sorted(homes) if code in self.owned and code not in self.occupied
        )

    @property
    def over(self) -> int:
        """Its number of centres minus its units and its waived builds; negative if units have to be
        removed.
        """
        return len(self.owned) - len(self.units) - self.waived

    @property
    def due(self) -> int:
        """The number of builds it can still make, limited by its sites; if negative, the number of
        removals.
        """
        return min(self.over, len(self.sites)) if self.over > 0 else self.over

    @property
    def buildable(self) -> tuple[Unit, ...]:
        """Every unit it may build now, armies before fleets, coasts named; () if no build is
        due.
        """
        sites = self.sites if self.due > 0 else ()
        return tuple(unit for unit in self.world.units if province_of(unit) in sites)

    @property
    def disorder(self) -> tuple[Unit, ...]:
        """The units that civil disorder removes now, in order: the farthest first, fleets before
        armies, then by name.

        The distance is the number of steps over land and sea from the nearest centre that the
        edition counts (R3, R9, DATC 4.D.8).
        """
        if self.due >= 0:
            return ()
        goals = (
            self.owned if self.edition.removal == "owned" else self.world.homes.get(self.power, ())
        )
        steps = self.world.distances(frozenset(goals))

        def turn(unit: Unit) -> tuple[int, bool, str]:
            code = province_of(unit)
            return -steps.get(code, 0), unit[0] == "A", self.world.places[code].name

        return tuple(sorted(self.units, key=turn)[: -self.due])

    def has_choice(self) -> bool:
        """Whether there is something to decide: a build, or which units are removed."""
        due = self.due
        return due > 0 or 0 < -due < len(self.units)


@dataclass(frozen=True)
class Adjustments:
    """The results of one power's adjustments."""

    orders: tuple[Build | Disband | Waive, ...]  # as written
    fates: tuple[Fate, ...]  # one for each order
    removed: tuple[Unit, ...]  # by civil disorder, in order of removal
    units: tuple[Unit, ...]  # after the adjustments, in alphabetical order
    unused: int  # builds without an order


def resolve(account: Account, orders: Sequence[Build | Disband | Waive]) -> Adjustments:
    """Carry out the orders one by one, each if it is legal at its turn and still due, then civil
    disorder (R3).

    Waives come after all builds. Of too many orders the first legal ones count (DATC 4.D.4 b, 4.D.6
    b).
    """
    account, fates = carry_out(account, orders)
    removed = account.disorder
    left = tuple(unit for unit in account.units if unit not in removed)
    return Adjustments(tuple(orders), tuple(fates), removed, left, max(account.due, 0))


def carry_out(
    account: Account, orders: Sequence[Build | Disband | Waive]
) -> tuple[Account, list[Fate]]:
    """Return the account after a list of orders, and the result of each (R3)."""
    fates: dict[int, Fate] = {}
    for at in sorted(range(len(orders)), key=lambda at: isinstance(orders[at], Waive)):
        account, fates[at] = _carry_out(account, orders[at])
    return account, [fates[at] for at in range(len(orders))]


def _carry_out(account: Account, order: Build | Disband | Waive) -> tuple[Account, Fate]:
    if isinstance(order, Build):
        return _build(account, order.unit)
    if isinstance(order, Disband):
        return _disband(account, order.unit)
    if order.power != account.power or account.over <= 0:
        return account, Fate("void", "too many")
    return replace(account, waived=account.waived + 1), Fate("waived")


def _build(account: Account, unit: Unit) -> tuple[Account, Fate]:
    if unit not in account.world.units or province_of(unit) not in account.sites:
        return account, Fate("void", "not allowed")
    if account.due <= 0:
        return account, Fate("void", "too many")
    units, occupied = tuple(sorted((*account.units, unit))), account.occupied | {province_of(unit)}
    return replace(account, units=units, occupied=occupied), Fate("built")


def _disband(account: Account, unit: Unit) -> tuple[Account, Fate]:
    if unit not in account.units:
        return account, Fate("void", "no such unit")
    if account.due >= 0:
        return account, Fate("void", "too many")
    units = tuple(each for each in account.units if each != unit)
    return replace(account, units=units, occupied=account.occupied - {province_of(unit)}), Fate(
        "disbanded"
    )


def account_of(state: State, power: Power) -> Account:
    """Return the account of a power in a match."""
    return _accounts_of_match(state)[power]


@keep
def _accounts_of_match(state: State) -> Mapping[Power, Account]:
    occupied = frozenset(province_of(unit) for units in state.units.values() for unit in units)
    return _accounts(rules_of_match(state), state.centres, state.units, occupied)


def accounts_of(rules: Rules, position: Position) -> Mapping[Power, Account]:
    """Return the account of each power in a position."""
    owned, units = group_by_power(position.centres.items()), group_by_power(position.owner.items())
    return _accounts(rules, owned, units, frozenset(map(province_of, position.owner)))


def _accounts(
    rules: Rules,
    owned: Mapping[Power, tuple[Province, ...]],
    units: Mapping[Power, tuple[Unit, ...]],
    occupied: frozenset[Province],
) -> Mapping[Power, Account]:
    return {
        power: Account(
            STANDARD,
            rules.edition,
            power,
            owned.get(power, ()),
            units.get(power, ()),
            occupied,
            rules.anywhere,
        )
        for power in STANDARD.powers
    }
