"""The greedy house bot's evaluation of a board for one seat: centres to take, centres to guard,
distances, chances of attacks.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Power,
    Province,
    Spot,
    Unit,
    province_at,
    province_of,
    unit_at,
)
from adjudicator.games.diplomacy.phases.view import BoardView

PRIZE_NOW, PRIZE_LATER, GUARD = 10.0, 8.0, 5.0
"""The worth of a unit on a foreign centre in Fall, on one in Spring, and on an own centre that an
enemy can enter.
"""
NEARER = 0.55  # the worth of a centre falls to this share with every step of distance
STRONG = {1: 0.35, 2: 0.75, 3: 0.9}
"""The estimated probability that an attack of a strength dislodges a unit."""
FIRST = {0: 1.0, 1: 0.7, 2: 0.6}
"""The estimated probability that an unsupported unit enters an empty province, by the number of
enemies that could enter it too.
"""


@cache
def count_steps(unit: Unit) -> Mapping[Province, int]:
    """Return the number of moves in which a unit reaches each province without a convoy;
    unreachable provinces are missing.
    """
    found, edge, far = {province_of(unit): 0}, {unit}, 0
    seen = set(edge)
    while edge:
        far += 1
        edge = {unit_at(unit, to) for each in edge for to in STANDARD.reach[each]} - seen
        seen |= edge
        for each in edge:
            found.setdefault(province_of(each), far)
    return found


@dataclass(frozen=True)
class Outlook:
    """The board as one seat evaluates it."""

    owner: Mapping[Unit, Power]
    mine: frozenset[Power]
    owned: frozenset[Province]  # its centres
    fall: bool  # centres are taken at the end of this phase's season

    @cached_property
    def own(self) -> tuple[Unit, ...]:
        """Its units, in alphabetical order."""
        return tuple(sorted(unit for unit, power in self.owner.items() if power in self.mine))

    @cached_property
    def standing(self) -> Mapping[Province, Unit]:
        """The units by province."""
        return {province_of(unit): unit for unit in self.owner}

    @cached_property
    def dangers(self) -> Mapping[Province, int]:
        """The number of enemy units that could enter each province; provinces that none could enter
        are missing.
        """
        found: dict[Province, int] = {}
        for unit, power in self.owner.items():
            if power not in self.mine:
                for code in {province_at(to) for to in STANDARD.reach[unit]}:
                    found[code] = found.get(code, 0) + 1
        return found

    @cached_property
    def goals(self) -> tuple[Province, ...]:
        """The centres it does not own."""
        return tuple(code for code in STANDARD.centres if code not in self.owned)

    def reach(self, unit: Unit) -> tuple[Spot, ...]:
        """Return the spots that a unit can reach in one move without a convoy."""
        return STANDARD.reach[unit]

    def worth(self, unit: Unit) -> float:
        """Return the worth of having `unit` on the board when the phase is over."""
        code, far = province_of(unit), count_steps(unit)
        pull = sum(NEARER ** far[goal] for goal in self.goals if far.get(goal))
        if code in self.owned:
            return pull + (GUARD if self.dangers.get(code) else 0)
        if STANDARD.places[code].centre:
            return pull + (PRIZE_NOW if self.fall else PRIZE_LATER)
        return pull

    def chance(self, code: Province, strength: int) -> float:
        """Return the estimated probability that an attack of a strength enters a province."""
        dangers = min(self.dangers.get(code, 0), 2)
        if code in self.standing and self.standing[code] not in self.own:
            return STRONG[min(strength, 3)]
        return FIRST[dangers] if strength == 1 else 1 - (1 - FIRST[dangers]) / (2 * strength)


def assess_board(view: BoardView) -> Outlook:
    """Return the evaluation of the board for the seat of `view`."""
    mine = frozenset(
        power for realm in view.realms if realm.seat == view.seat for power in realm.powers
    )
    return Outlook(
        owner={unit: power for power, units in sorted(view.units.items()) for unit in units},
        mine=mine,
        owned=frozenset(code for power in sorted(mine) for code in view.centres.get(power, ())),
        fall=view.phase[0] == "F",
    )
