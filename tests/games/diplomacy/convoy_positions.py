"""Random positions around one army that several fleets convoy, if possible by several routes, with
attacks on the fleets.
"""

from functools import cache
from random import Random

from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Province,
    Unit,
    World,
    province_at,
    province_of,
)
from adjudicator.games.diplomacy.model.editions import EDITIONS
from adjudicator.games.diplomacy.model.orders import TRAITS, Convoy, Move, MovementOrder
from tests.games.diplomacy.positions import Position, chains, shuffled


@cache
def _crossings(world: World) -> list[tuple[Province, Province]]:
    """Return the pairs of coasts joined by two chains or more of at most three seas."""
    coasts = [place.code for place in world.places.values() if place.kind == "coast"]
    return [
        (frm, to)
        for frm in coasts
        for to in coasts
        if frm != to and len(chains(world, frm, to, 3)) > 1
    ]


def random_convoy(chance: Random, world: World = STANDARD) -> Position:
    """Return an army's convoy by one or two chains of seas, up to three fleets that attack these
    seas, and perhaps the way back.
    """
    frm, to = chance.choice(_crossings(world))
    army = f"A {frm}"
    seas = sorted(
        frozenset().union(*chance.sample(chains(world, frm, to, 3), chance.choice((1, 2, 2))))
    )
    orders: dict[Unit, MovementOrder] = {army: Move(army, to, via=chance.random() < 0.4)}
    orders |= {f"F {sea}": Convoy(f"F {sea}", army, to) for sea in seas}
    if (back := f"A {to}") in world.units and chance.random() < 0.6:
        orders[back] = Move(
            back, frm if frm in world.reach[back] else chance.choice(world.reach[back])
        )
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        taken = {province_of(unit) for unit in orders}
        ways = [
            (unit, goal)
            for unit in world.units
            for goal in world.reach[unit]
            if province_at(goal) in seas
        ]
        if free := [way for way in ways if province_of(way[0]) not in taken]:
            stranger, goal = chance.choice(free)
            orders[stranger] = Move(stranger, goal)
    powers = chance.sample(world.powers, chance.choice((2, 3, 5)))
    return Position(
        EDITIONS[chance.choice(("1976", "1976", "2023", "via"))],
        {unit: chance.choice(powers) for unit in sorted(orders)},
        shuffled(chance, orders),
        {unit: chance.choice(TRAITS) for unit in sorted(orders)},
    )
