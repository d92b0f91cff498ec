"""Battles for the tests of movement: written in a line, or random crowded boards made from a
seed.
"""

from dataclasses import dataclass
from random import Random

from adjudicator.games.diplomacy.map.convoys import find_chains
from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Power,
    Unit,
    province_at,
    province_of,
)
from adjudicator.games.diplomacy.model.editions import EDITIONS
from adjudicator.games.diplomacy.model.orders import Convoy, Hold, Move, MovementOrder, Support
from adjudicator.games.diplomacy.model.outcomes import Battle
from adjudicator.games.diplomacy.resolve import movement
from adjudicator.games.diplomacy.resolve.legality import can_enter, find_fault
from tests.games.diplomacy.table import parse_order

POWERS = ("ENGLAND", "FRANCE", "GERMANY")


@dataclass
class Battlefield:
    """The units of a board with their owners and orders."""

    owner: dict[Unit, Power]
    orders: dict[Unit, MovementOrder]

    def __str__(self) -> str:
        return "; ".join(f"{self.owner[unit]} {self.orders.get(unit, unit)}" for unit in self.owner)


def fight(*lines: str, edition: str = "2023") -> Battle:
    """Return the battle of lines like `FRANCE A PAR - BUR; A GAS H` and `ITALY F TUN`; a unit alone
    has no order.
    """
    field = written(*lines)
    return movement.resolve(STANDARD, EDITIONS[edition], field.owner, field.orders)


def written(*lines: str) -> Battlefield:
    """Return the battlefield of such lines."""
    field = Battlefield({}, {})
    for line in lines:
        power, _, rest = line.partition(" ")
        for text in rest.split("; "):
            unit = " ".join(text.split()[:2])
            field.owner[unit] = power
            if text != unit:
                order = parse_order(text)
                assert isinstance(order, MovementOrder)
                field.orders[unit] = order
    assert not any(
        find_fault(STANDARD, EDITIONS["1976"], field.owner, order)
        for order in field.orders.values()
    )
    return field


def made_by(number: int, *, at_sea: bool = False) -> Battlefield:
    """Return a random battlefield of legal orders. `at_sea`: with convoys under attack."""
    chance = Random(number)
    field = Battlefield({unit: chance.choice(POWERS) for unit in _units(chance, at_sea=at_sea)}, {})
    for _ in range(chance.randint(1, 5) if at_sea or chance.random() < 0.5 else 0):
        _convoy(chance, field)
    for unit in field.owner:
        if unit not in field.orders and chance.random() < 0.45:
            field.orders[unit] = _move(chance, field, unit)
    for unit in field.owner:
        if unit not in field.orders and chance.random() < 0.9:
            field.orders[unit] = _support(chance, field, unit)
    return field


def _units(chance: Random, *, at_sea: bool) -> list[Unit]:
    """Return neighbouring units, one in a province."""
    near = [
        chance.choice(
            ["NTH", "ENG", "ION", "TYS", "BAL", "SKA"] if at_sea else list(STANDARD.places)
        )
    ]
    for code in near:
        near += [
            other
            for other in sorted(STANDARD.touching[code])
            if other not in near and len(near) < (16 if at_sea else 24)
        ]
    chosen = chance.sample(near, chance.randint(9, 16) if at_sea else chance.randint(3, 18))
    return [
        chance.choice([unit for unit in STANDARD.units if province_of(unit) == code])
        for code in chosen
    ]


def _move(chance: Random, field: Battlefield, unit: Unit) -> Move:
    carriers = {
        province_of(order.unit) for order in field.orders.values() if isinstance(order, Convoy)
    }
    reach = STANDARD.reach[unit]
    hunted = [spot for spot in reach if spot in carriers]
    to = chance.choice(hunted or reach)
    via = unit[0] == "A" and chance.random() < 0.1
    return Move(
        unit, to, via=via and bool(find_chains(STANDARD, province_of(unit), province_at(to)))
    )


def _convoy(chance: Random, field: Battlefield) -> None:
    """Order some army on a convoy over the fleets there are, if any can go."""
    seas = {
        province_of(unit): unit
        for unit in field.owner
        if STANDARD.places[province_of(unit)].kind == "sea"
    }
    armies = [unit for unit in field.owner if unit[0] == "A"]
    ways = [
        (army, to, chain)
        for army in armies
        for to in STANDARD.places
        for chain in find_chains(STANDARD, province_of(army), to)
        if chain <= seas.keys()
    ]
    if ways:
        held = {province_of(unit) for unit in field.owner}
        ways = [way for way in ways if way[1] in held] or ways
        army, to, chain = chance.choice(
            sorted(ways, key=lambda way: (way[0], way[1], sorted(way[2])))
        )
        field.orders[army] = Move(army, to, via=chance.random() < 0.5)
        for sea in sorted(chain):
            if not isinstance(field.orders.get(seas[sea]), Convoy) and chance.random() < 0.95:
                field.orders[seas[sea]] = Convoy(seas[sea], army, to)


def _support(chance: Random, field: Battlefield, unit: Unit) -> MovementOrder:
    """Return a support of a unit's order, mostly of a move."""
    offers: list[MovementOrder] = []
    for other, order in field.orders.items():
        if isinstance(order, Move) and can_enter(STANDARD, unit, province_at(order.to)):
            offers += [Support(unit, other, order.to)] * 3
    offers += [
        Support(unit, other)
        for other in field.owner
        if can_enter(STANDARD, unit, province_of(other))
    ]
    legal = [
        order for order in offers if not find_fault(STANDARD, EDITIONS["2023"], field.owner, order)
    ]
    return chance.choice(legal) if legal else Hold(unit)
