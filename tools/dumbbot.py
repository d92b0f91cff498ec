"""An opponent to measure the house bots of Diplomacy against: DumbBot, written anew from its
published description.

The description is David Norman's summary of 2003 for the Diplomacy AI Development Environment
(daide.org.uk, “DumbBot Algorithm”). It says what is computed and how orders follow from it, but
gives no weights; those here are the ones commonly named for it. A unit in a province counts as one
next to it, as an attack on it needs support.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from adjudicator.core.game import AnyGame, Pick, Seat
from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Power,
    Province,
    Unit,
    province_at,
    province_of,
    spot_of,
    unit_at,
)
from adjudicator.games.diplomacy.model.orders import (
    Build,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Retreat,
    Support,
    Waive,
)
from adjudicator.games.diplomacy.phases.view import BoardView
from adjudicator.games.diplomacy.resolve.resolve_adjustments import account_of

WEIGHTS: Mapping[str, Sequence[int]] = {
    "S": (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1),
    "F": (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1),
    "W": (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1),
}
"""The weight of each step of proximity, by season."""
ATTACK: Mapping[str, int] = {"S": 700, "F": 600, "W": 700}
DEFENCE: Mapping[str, int] = {"S": 300, "F": 400, "W": 300}
STRENGTH = COMPETITION = 1000
SPREAD = 5  # by which each step of proximity is divided
NEXT_BEST = 50  # the chance in percent that an equally good choice is passed over
STEEPNESS = 500  # how fast that chance falls with the difference, in percent


@dataclass(frozen=True)
class Valuation:
    """The value of every possible unit of one power on the board of its view."""

    view: BoardView
    mine: frozenset[Power]

    @cached_property
    def owner(self) -> dict[Unit, Power]:
        """The owner of each unit."""
        return {unit: power for power, units in self.view.units.items() for unit in units}

    @cached_property
    def near(self) -> dict[Province, dict[Power, int]]:
        """The number of units of each power that could move to each province, or are there."""
        found: dict[Province, dict[Power, int]] = {code: {} for code in STANDARD.places}
        for unit, power in self.owner.items():
            for code in {province_of(unit), *(province_at(to) for to in STANDARD.reach[unit])}:
                found[code][power] = found[code].get(power, 0) + 1
        return found

    def size(self, power: Power | None) -> int:
        """Return the size of a power, that of nobody for None."""
        owned = len(self.view.centres.get(power, ())) if power else 0
        return owned * owned + 4 * owned + 16

    def competition(self, code: Province) -> int:
        """Return the most units that any one other power has next to a province."""
        return max(
            (count for power, count in self.near[code].items() if power not in self.mine), default=0
        )

    def strength(self, code: Province) -> int:
        """Return the number of own units next to a province."""
        return sum(count for power, count in self.near[code].items() if power in self.mine)

    @cached_property
    def values(self) -> dict[Unit, float]:
        """The value of each possible unit, from the proximity of centres, the strength and the
        competition.
        """
        season = self.view.phase[0]
        proximity = {unit: float(self._worth(province_of(unit), season)) for unit in STANDARD.units}
        values = dict.fromkeys(STANDARD.units, 0.0)
        for weight in WEIGHTS[season]:
            for unit in values:
                values[unit] += weight * proximity[unit]
            proximity = {
                unit: (
                    (
                        proximity[unit]
                        + sum(proximity[unit_at(unit, to)] for to in STANDARD.reach[unit])
                    )
                    / SPREAD
                )
                for unit in values
            }
        for unit in values:
            code = province_of(unit)
            values[unit] += STRENGTH * self.strength(code) - COMPETITION * self.competition(code)
        return values

    def _worth(self, code: Province, season: str) -> int:
        if not STANDARD.places[code].centre:
            return 0
        holder = next((power for power, codes in self.view.centres.items() if code in codes), None)
        if holder not in self.mine:
            return ATTACK[season] * self.size(holder)
        return DEFENCE[season] * max(
            (self.size(power) for power in self.near[code] if power not in self.mine), default=0
        )


def dumbbot(game: AnyGame, state: Any, seat: Seat, pick: Pick) -> str:
    """Return DumbBot's orders for a due seat, as a player of `tools.playing`."""
    view = game.view(state, seat)
    valuation = Valuation(view, frozenset(state.powers_of(seat)))
    if view.phase[5] == "M":
        return "\n".join(map(str, _moves(valuation, pick)))
    if view.phase[5] == "R":
        return "\n".join(map(str, _retreats(valuation, pick)))
    return "\n".join(
        str(order)
        for power in sorted(valuation.mine)
        for order in _adjustments(valuation, account_of(state, power), pick)
    )


def _choose(ranked: Sequence[Unit], values: Mapping[Unit, float], pick: Pick) -> Unit:
    """Return the best of ranked places, or with some chance the next, and so on."""
    at = 0
    while at + 1 < len(ranked):
        best, following = values[ranked[at]], values[ranked[at + 1]]
        lead = (best - following) / best * STEEPNESS if best > 0 else 100
        if pick(range(100)) >= NEXT_BEST - lead:
            break
        at += 1
    return ranked[at]


def _ranked(units: Sequence[Unit], values: Mapping[Unit, float]) -> list[Unit]:
    return sorted(units, key=lambda unit: (-values[unit], unit))


# --- movement


def _moves(valuation: Valuation, pick: Pick) -> Iterator[MovementOrder]:
    """Yield an order for each own unit, in random order; a unit waits for an own one that stands in
    its way.
    """
    waiting = sorted(unit for unit, power in valuation.owner.items() if power in valuation.mine)
    own, orders = frozenset(waiting), dict[Unit, MovementOrder]()
    waited: set[Unit] = set()
    while waiting:
        unit = pick(waiting)
        while unit not in orders:
            after = _order(valuation, unit, orders, own - waited, pick)
            if isinstance(after, str):
                waited.add(unit)
                unit = after
            else:
                orders[unit] = after
                waiting.remove(unit)
    yield from orders.values()


def _order(
    valuation: Valuation,
    unit: Unit,
    orders: dict[Unit, MovementOrder],
    first: frozenset[Unit],
    pick: Pick,
) -> MovementOrder | Unit:
    """Return the order of a unit, or the own unit that has to be ordered before it."""
    ranked = _ranked([unit, *(unit_at(unit, to) for to in STANDARD.reach[unit])], valuation.values)
    while True:
        best = _choose(ranked, valuation.values, pick)
        code = province_of(best)
        mover = next(
            (
                each
                for each, order in orders.items()
                if isinstance(order, Move) and province_at(order.to) == code
            ),
            None,
        )
        holder = next(
            (
                each
                for each, power in valuation.owner.items()
                if province_of(each) == code and power in valuation.mine
            ),
            None,
        )
        if mover:
            if valuation.competition(code) > 0 and best != unit:
                return Support(unit, mover, code)
        elif best == unit:
            return Hold(unit)
        elif holder and holder not in orders and holder in first:
            return holder
        elif holder is None or isinstance(orders.get(holder), Move):
            return Move(unit, spot_of(best))
        elif valuation.competition(code) > 1:
            return Support(unit, holder)
        ranked.remove(best)
        if not ranked:
            return Hold(unit)


# --- retreats, builds and removals


def _retreats(valuation: Valuation, pick: Pick) -> Iterator[Retreat | Disband]:
    taken: set[Province] = set()
    for each in valuation.view.homeless:
        if each.power in valuation.mine:
            free = [unit_at(each.unit, to) for to in each.retreats if province_at(to) not in taken]
            if free:
                to = _choose(_ranked(free, valuation.values), valuation.values, pick)
                taken.add(province_of(to))
                yield Retreat(each.unit, spot_of(to))
            else:
                yield Disband(each.unit)


def _adjustments(
    valuation: Valuation, account: Any, pick: Pick
) -> Iterator[Build | Disband | Waive]:
    """Yield builds where units are worth most, or removals where they are worth least."""
    if account.due < 0:
        yield from (
            Disband(unit)
            for unit in reversed(_ranked(account.units, valuation.values)[account.due :])
        )
        return
    ranked, left = _ranked(account.buildable, valuation.values), account.due
    while ranked and left > 0:
        unit = _choose(ranked, valuation.values, pick)
        yield Build(unit)
        ranked, left = [each for each in ranked if province_of(each) != province_of(unit)], left - 1
    yield from [Waive(account.power)] * left
