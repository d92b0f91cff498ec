"""Rock, Scissors, Paper Diplomacy by brute force, from the text of the rules alone: every
assignment of success is tried.

`python -m tests.games.diplomacy.oracle_rsp 20000 7` compares that many random positions with the
game's own adjudication.
"""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from random import Random

from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Power,
    Province,
    Spot,
    Unit,
    World,
    province_at,
    province_of,
)
from adjudicator.games.diplomacy.model.orders import BEATS, Convoy, Move, Trait
from adjudicator.games.diplomacy.model.outcomes import Battle, Fate
from tests.games.diplomacy.convoy_positions import random_convoy
from tests.games.diplomacy.oracle_convoys import Convoys
from tests.games.diplomacy.positions import Position, random_position
from tests.games.diplomacy.ring_positions import random_ring

Results = Mapping[Unit, bool]
MAKERS = (random_position, random_position, random_ring, random_convoy)


@dataclass(frozen=True)
class Found:
    """The results of a position according to the text."""

    moved: Mapping[Unit, Spot]
    dislodged: Mapping[Unit, tuple[Unit, bool]]  # the attacker, and whether it was convoyed
    contested: frozenset[Province]  # vacant after the moves, but closed to retreats
    clashes: Mapping[Province, frozenset[Unit]]  # R5
    void: frozenset[Unit]  # convoyed moves without an ordered route
    broken: frozenset[Unit]  # moves whose convoy failed
    carried: frozenset[Unit]  # armies that go by a successful convoy
    # the fleets of all ordered routes of each army that goes by convoy or would have
    served: Mapping[Unit, frozenset[Unit]]
    facing: Mapping[Unit, Unit]  # head to head
    # the rings that were left, and how many consistent results each has
    rings: tuple[tuple[tuple[Unit, ...], int], ...] = ()


@dataclass(frozen=True)
class Ground:
    """A position with the decision which moves are void and which go by convoy."""

    owner: Mapping[Unit, Power]
    traits: Mapping[Unit, Trait]
    going: Mapping[Unit, Province]  # the moves that are not void
    carried: frozenset[Unit]
    at: Mapping[Province, Unit] = field(default_factory=dict)

    def opponent(self, unit: Unit) -> Unit | None:
        """Return the head-to-head opponent: the two ordered to each other's province, neither
        convoyed.
        """
        other = self.at.get(self.going[unit])
        if (
            other is None
            or self.going.get(other) != province_of(unit)
            or {unit, other} & self.carried
        ):
            return None
        return other

    def contenders(self, place: Province, results: Results) -> list[Unit]:
        """Return the units whose moves are not void, without one whose head-to-head opponent
        moves.
        """
        bound = sorted(unit for unit, to in self.going.items() if to == place)
        return [
            unit for unit in bound if (other := self.opponent(unit)) is None or not results[other]
        ]

    def defender(self, place: Province, results: Results) -> Unit | None:
        """Return the unit in a province if it was not ordered to move, or if its move is void or
        fails.
        """
        unit = self.at.get(place)
        return None if unit is None or (unit in self.going and results[unit]) else unit

    def enters(self, place: Province, results: Results) -> Unit | None:
        """Return the unit that enters, by "The contest for a province"."""
        rivals, defender = self.contenders(place, results), self.defender(place, results)
        if defender is not None:
            return self._dislodger(rivals, defender)
        present = {self.traits[unit] for unit in rivals}
        if len(present) == 3:
            return None
        strongest = [
            unit
            for unit in rivals
            if not any(BEATS[other] == self.traits[unit] for other in present)
        ]
        return strongest[0] if len(strongest) == 1 else None

    def _dislodger(self, rivals: list[Unit], defender: Unit) -> Unit | None:
        winners = [unit for unit in rivals if BEATS[self.traits[unit]] == self.traits[defender]]
        if len(winners) != 1 or self.owner[winners[0]] == self.owner[defender]:
            return None
        return winners[0]

    def succeeds(self, unit: Unit, results: Results) -> bool:
        """Return whether this move succeeds by the rules, given the `results` of the others."""
        return self.enters(self.going[unit], results) == unit


# --- moves that depend on each other


def settle(ground: Ground) -> tuple[dict[Unit, bool], list[tuple[tuple[Unit, ...], int]]]:
    """Return the result of every move that is not void, and the remaining rings with their number
    of consistent results.
    """
    settled: dict[Unit, bool] = {}
    rings: list[tuple[tuple[Unit, ...], int]] = []
    while len(settled) < len(ground.going):
        sure = _sure(ground, settled)
        if not sure:
            ring = _a_ring(ground, settled)
            sure, count = _choose(ground, settled, ring)
            rings.append((ring, count))
        settled |= sure
    return settled, rings


def _assignments(units: Iterable[Unit], settled: Results) -> Iterable[dict[Unit, bool]]:
    names = sorted(units)
    return (
        dict(settled) | dict(zip(names, values, strict=True))
        for values in product((True, False), repeat=len(names))
    )


def _sure(ground: Ground, settled: Results) -> dict[Unit, bool]:
    open_moves = sorted(set(ground.going) - set(settled))
    verdicts: dict[Unit, set[bool]] = {unit: set() for unit in open_moves}
    for results in _assignments(open_moves, settled):
        for unit, seen in verdicts.items():
            if len(seen) < 2:
                seen.add(ground.succeeds(unit, results))
        if all(len(seen) == 2 for seen in verdicts.values()):
            break
    return {unit: seen.pop() for unit, seen in verdicts.items() if len(seen) == 1}


def _a_ring(ground: Ground, settled: Results) -> tuple[Unit, ...]:
    """Return the first ring of unsettled moves; each of them waits for another one, so every chain
    leads to a ring.
    """
    for first in sorted(set(ground.going) - set(settled)):
        walk = [first]
        while (ahead := ground.at[ground.going[walk[-1]]]) not in walk:
            walk.append(ahead)
        if ahead == first:
            return tuple(walk)
    raise AssertionError("moves that wait, and no ring")


def _choose(
    ground: Ground, settled: Results, ring: tuple[Unit, ...]
) -> tuple[dict[Unit, bool], int]:
    """Return the ring's result and its number of consistent results; assert what the text says
    about rings.
    """
    waiting = set(ground.going) - set(settled) - set(ring)
    consistent: list[dict[Unit, bool]] = []
    for trial in _assignments(ring, {}):
        verdicts = {
            all(ground.succeeds(unit, rest | trial) == trial[unit] for unit in ring)
            for rest in _assignments(waiting, settled)
        }
        assert len(verdicts) == 1, "a ring depends on nothing that waits for it"
        consistent += [trial] if verdicts == {True} else []
    opposite = len(consistent) == 2 and all(
        consistent[0][unit] != consistent[1][unit] for unit in ring
    )
    assert not consistent or opposite, (
        "a ring has two results, each the opposite of the other, or none"
    )
    counts = sorted((sum(trial.values()) for trial in consistent), reverse=True)
    if not consistent or counts[0] == counts[1]:
        return dict.fromkeys(ring, False), len(consistent)
    return max(consistent, key=lambda trial: sum(trial.values())), 2


# --- the whole


def judge(position: Position, world: World = STANDARD) -> Found:
    """Return the results of a position according to the text."""
    moves = {unit: order for unit, order in position.orders.items() if isinstance(order, Move)}
    convoys = Convoys(world, position.edition, position.owner, position.orders, position.traits)
    by_convoy = {unit: province_at(move.to) for unit, move in moves.items() if convoys.chosen(move)}
    void = frozenset(unit for unit, to in by_convoy.items() if not convoys.routes(unit, to))
    broken = frozenset(
        unit for unit, to in by_convoy.items() if unit not in void and not convoys.stands(unit, to)
    )
    going = {
        unit: province_at(move.to) for unit, move in moves.items() if unit not in void | broken
    }
    at = {province_of(unit): unit for unit in position.owner}
    ground = Ground(
        position.owner, position.traits, going, frozenset(by_convoy) - void - broken, at
    )
    results, rings = settle(ground)
    moved = {unit: moves[unit].to for unit, success in results.items() if success}
    return Found(
        moved=moved,
        dislodged=_dislodged(ground, results),
        contested=_contested(ground, results),
        clashes=_clashes(ground, results),
        void=void,
        broken=broken,
        carried=ground.carried,
        served={unit: convoys.serving(moves[unit]) for unit in moves},
        facing={unit: other for unit in going if (other := ground.opponent(unit)) is not None},
        rings=tuple(rings),
    )


def _dislodged(ground: Ground, results: Results) -> dict[Unit, tuple[Unit, bool]]:
    entered = [
        (unit, ground.defender(to, results)) for unit, to in ground.going.items() if results[unit]
    ]
    return {loser: (unit, unit in ground.carried) for unit, loser in entered if loser is not None}


def _contested(ground: Ground, results: Results) -> frozenset[Province]:
    """Return the provinces, vacant after the moves, that two or more contended for and none entered
    (`diplomacy.md` R2).
    """
    entered = {to for unit, to in ground.going.items() if results[unit]}
    free = {
        to
        for to in ground.going.values()
        if to not in entered and ground.defender(to, results) is None
    }
    return frozenset(to for to in free if len(ground.contenders(to, results)) > 1)


def _clashes(ground: Ground, results: Results) -> dict[Province, frozenset[Unit]]:
    found = {}
    for place in sorted(set(ground.going.values())):
        rivals, defender = ground.contenders(place, results), ground.defender(place, results)
        if rivals and (len(rivals) > 1 or defender is not None):
            found[place] = frozenset(rivals) | ({defender} if defender else set())
    return found


# --- the comparison


def differences(position: Position, found: Found, battle: Battle) -> list[str]:
    """Return the differences between a battle and the oracle's results as expressions; [] if there
    are none.
    """
    pairs: dict[str, tuple[object, object]] = {
        "moved": (dict(found.moved), dict(battle.moved)),
        "dislodged": (
            dict(found.dislodged),
            {unit: (attack.by, attack.convoyed) for unit, attack in battle.dislodged.items()},
        ),
        "contested": (found.contested, battle.contested),
        "clashes": (
            dict(found.clashes),
            {place: frozenset(units) for place, units in battle.clashes.items()},
        ),
        "results": (
            _words(position, found),
            {unit: fate.result for unit, fate in battle.fates.items()},
        ),
        "reasons": (
            set(),
            {unit for unit, fate in battle.fates.items() if not _explained(found, unit, fate)},
        ),
    }
    return [
        f"{name}: by the text {ours}, the game says {theirs}"
        for name, (ours, theirs) in pairs.items()
        if ours != theirs
    ]


def _explained(found: Found, unit: Unit, fate: Fate) -> bool:
    """Return whether the units in a reason are other units of the same conflict; a bounce reveals
    all of them (R5).
    """
    if fate.result == "dislodged":
        return unit in found.dislodged and fate.by == (found.dislodged[unit][0],)
    if fate.result == "bounced":
        facing = fate.why == "head to head" and found.facing.get(unit) not in fate.by
        return (
            bool(fate.by)
            and not facing
            and any({unit, *fate.by} <= clash for clash in found.clashes.values())
        )
    return fate.result not in ("moved", "convoyed", "held") or not fate.by


def _words(position: Position, found: Found) -> dict[Unit, str]:
    return {unit: _word(position, found, unit) for unit in position.owner}


def _word(position: Position, found: Found, unit: Unit) -> str:
    order = position.orders.get(unit)
    if unit in found.dislodged:
        return "dislodged"
    if isinstance(order, Convoy):
        served = next((army for army, fleets in found.served.items() if unit in fleets), None)
        return "void" if served is None else "convoyed"
    if not isinstance(order, Move):
        return "held"
    words = {unit: "bounced"} | dict.fromkeys(found.moved, "moved")
    words |= dict.fromkeys(found.void, "void") | dict.fromkeys(found.broken, "convoy disrupted")
    return words[unit]


def compare(count: int, seed: int) -> int:
    """Print one line for each difference in `count` random positions and a last one; return how
    many positions differ.
    """
    # imported only here, so that the oracle cannot use it
    from adjudicator.games.diplomacy.resolve import contests

    wrong = 0
    for number in range(seed, seed + count):
        position = MAKERS[number % len(MAKERS)](Random(number))
        battle = contests.resolve(
            STANDARD, position.edition, position.owner, position.orders, position.traits
        )
        said = differences(position, judge(position), battle)
        wrong += bool(said)
        for line in said:
            sys.stdout.write(f"{number}: {position}: {line}\n")
    sys.stdout.write(f"{wrong} of {count} positions differ\n")
    return wrong


if __name__ == "__main__":
    sys.exit(bool(compare(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)))
