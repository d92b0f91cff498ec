"""Random dense positions made from a seed: few powers close together, most units attacked, supports
that depend on each other.
"""

from random import Random

from adjudicator.games.diplomacy.map.convoys import find_chains
from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Power,
    Province,
    Unit,
    province_at,
    province_of,
)
from adjudicator.games.diplomacy.model.editions import EDITIONS
from adjudicator.games.diplomacy.model.orders import Convoy, Hold, Move, Support
from adjudicator.games.diplomacy.resolve.legality import can_enter, find_fault
from tests.games.diplomacy.battlefields import Battlefield

POWERS = ("ENGLAND", "FRANCE", "GERMANY", "ITALY")


def dense_position(number: int) -> Battlefield:
    """Return a random position of legal orders.

    1. Fill a part of the board with units of two to four powers.
    2. Let an attacked unit attack the supporter of that attack, with a helper that its own ally
       attacks.
    3. Order some convoys, and all other units to move, mostly to occupied provinces, or to support.
    """
    chance = Random(number)
    field = Battlefield(_units(chance), {})
    for _ in range(chance.randint(0, 2)):
        _strike_back(chance, field)
    for _ in range(chance.choice((0, 0, 1, 3))):
        _sail(chance, field)
    share = chance.choice((0.35, 0.5, 0.65))
    for unit in field.owner:
        if unit not in field.orders and chance.random() < share:
            _attack(chance, field, unit)
    for unit in field.owner:
        if unit not in field.orders:
            _support(chance, field, unit)
    return field


def _units(chance: Random) -> dict[Unit, Power]:
    part = [chance.choice(sorted(STANDARD.places))]
    size = chance.randint(6, 20)
    for code in part:
        part += [
            near
            for near in sorted(STANDARD.touching[code])
            if near not in part and len(part) < size
        ]
    powers = POWERS[: chance.randint(2, 4)]
    chance.shuffle(part)
    there = [
        chance.choice([unit for unit in STANDARD.units if province_of(unit) == code])
        for code in part
        if chance.random() < 0.9
    ]
    return {unit: chance.choice(powers) for unit in there}


def _strike_back(chance: Random, field: Battlefield) -> None:
    """Order a supported attack, an attack of its target on the supporter, and supports of this one,
    each of them attacked.
    """
    supporter, target = _pair(chance, field)
    if not supporter:
        return
    field.owner[target] = chance.choice(
        [power for power in POWERS if power != field.owner[supporter]]
    )
    field.orders[target] = Move(target, _spot(target, province_of(supporter)))
    field.orders[supporter] = Hold(supporter)
    for mover in _free(field, province_of(target))[:1]:
        field.orders[mover] = Move(mover, _spot(mover, province_of(target)))
        field.orders[supporter] = Support(supporter, mover, province_of(target))
    for helper in _free(field, province_of(supporter))[: chance.randint(0, 2)]:
        attack = chance.random() < 0.7
        field.orders[helper] = (
            Support(helper, target, province_of(supporter))
            if attack
            else Support(helper, supporter)
        )
        for ally in _free(field, province_of(helper))[:1]:
            field.owner[ally] = field.owner[helper]
            field.orders[ally] = Move(ally, _spot(ally, province_of(helper)))


def _pair(chance: Random, field: Battlefield) -> tuple[Unit, Unit]:
    """Return two free units that can each move to the other's province, ("", "") if there are
    none.
    """
    free = [unit for unit in field.owner if unit not in field.orders]
    pairs = [
        (one, other)
        for one in free
        for other in free
        if can_enter(STANDARD, one, province_of(other))
        and can_enter(STANDARD, other, province_of(one))
    ]
    return chance.choice(pairs) if pairs else ("", "")


def _free(field: Battlefield, code: Province) -> list[Unit]:
    return [
        unit for unit in field.owner if unit not in field.orders and can_enter(STANDARD, unit, code)
    ]


def _spot(unit: Unit, code: Province) -> str:
    return next(spot for spot in STANDARD.reach[unit] if province_at(spot) == code)


def _sail(chance: Random, field: Battlefield) -> None:
    free = [unit for unit in field.owner if unit not in field.orders]
    seas = {
        province_of(unit): unit for unit in free if STANDARD.places[province_of(unit)].kind == "sea"
    }
    armies = [unit for unit in free if unit[0] == "A"]
    near = {code for unit in armies for code in STANDARD.touching[province_of(unit)]}
    goals = sorted(near.union(map(province_of, field.owner)))
    ways = [
        (army, to, chain)
        for army in armies
        for to in goals
        for chain in find_chains(STANDARD, province_of(army), to)
    ]
    ways = [way for way in ways if way[2] <= seas.keys()]
    if ways:
        army, to, chain = chance.choice(ways)
        field.orders[army] = Move(army, to, via=chance.random() < 0.5)
        field.orders |= {seas[sea]: Convoy(seas[sea], army, to) for sea in sorted(chain)}


def _attack(chance: Random, field: Battlefield, unit: Unit) -> None:
    held = {province_of(other) for other in field.owner}
    reach = STANDARD.reach[unit]
    field.orders[unit] = Move(
        unit, chance.choice([spot for spot in reach if province_at(spot) in held] or reach)
    )


def _support(chance: Random, field: Battlefield, unit: Unit) -> None:
    moves = [
        order
        for order in field.orders.values()
        if isinstance(order, Move) and can_enter(STANDARD, unit, province_at(order.to))
    ]
    offers = [Support(unit, order.unit, order.to) for order in moves] * 3
    offers += [
        Support(unit, other)
        for other in field.owner
        if can_enter(STANDARD, unit, province_of(other))
    ]
    legal = [
        order for order in offers if not find_fault(STANDARD, EDITIONS["2023"], field.owner, order)
    ]
    field.orders[unit] = chance.choice(legal) if legal else Hold(unit)
