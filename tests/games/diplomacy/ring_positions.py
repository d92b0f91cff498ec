"""Random positions around one ring of armies with foreign units at its edge, which cover every rule
about rings.
"""

from random import Random

from adjudicator.games.diplomacy.map.geography import STANDARD, Province, Unit, World
from adjudicator.games.diplomacy.model.editions import EDITIONS
from adjudicator.games.diplomacy.model.orders import TRAITS, Move, MovementOrder
from tests.games.diplomacy.positions import Position, shuffled


def random_ring(chance: Random, world: World = STANDARD) -> Position:
    """Return three to five armies in a ring, foreign units that attack most of their provinces, and
    units that follow these.
    """
    ring = _ring(chance, world)
    orders: dict[Unit, MovementOrder] = {
        f"A {here}": Move(f"A {here}", to)
        for here, to in zip(ring, ring[1:] + ring[:1], strict=True)
    }
    taken = set(ring)
    goals = chance.sample(ring, len(ring))
    while goals and len(orders) < 10:
        goal = goals.pop(0)
        near = sorted(
            code for code in world.touching[goal] - taken if (code, goal) in world.army_borders
        )
        for stranger in chance.sample(near, min(len(near), chance.choice((0, 1, 1, 2)))):
            taken.add(stranger)
            orders[f"A {stranger}"] = Move(f"A {stranger}", goal)
            goals += [stranger] if chance.random() < 0.4 else []
    powers = chance.sample(world.powers, chance.choice((2, 3, 5)))
    units = sorted(orders)
    return Position(
        EDITIONS[chance.choice(sorted(EDITIONS))],
        {unit: chance.choice(powers) for unit in units},
        shuffled(chance, orders),
        {unit: chance.choice(TRAITS) for unit in units},
    )


def _ring(chance: Random, world: World) -> list[Province]:
    """Return three to five provinces, each a neighbour of the next and the last of the first."""
    size = chance.choice((3, 3, 4, 4, 5))
    while True:
        ring = [
            chance.choice(
                sorted(code for code, place in world.places.items() if place.kind == "inland")
            )
        ]
        while len(ring) < size and (
            ways := sorted(to for at, to in world.army_borders if at == ring[-1] and to not in ring)
        ):
            ring.append(chance.choice(ways))
        if len(ring) == size and (ring[-1], ring[0]) in world.army_borders:
            return ring
