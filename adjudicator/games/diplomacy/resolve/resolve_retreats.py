"""The possible retreats of dislodged units, and the resolution of retreat orders, for both rule
sets (R2, rsp R4).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set

from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Power,
    Province,
    Spot,
    Unit,
    World,
    province_at,
    province_of,
    spot_of,
)
from adjudicator.games.diplomacy.model.editions import Edition
from adjudicator.games.diplomacy.model.orders import Disband, Retreat, Trait
from adjudicator.games.diplomacy.model.outcomes import Attack, Battle, Fate
from adjudicator.games.diplomacy.model.state import Homeless


def find_homeless(
    world: World,
    edition: Edition,
    owner: Mapping[Unit, Power],
    battle: Battle,
    *,
    traits: Mapping[Unit, Trait] | None = None,
) -> tuple[Homeless, ...]:
    """Return the dislodged units of a battle in the order of power and unit, each with its possible
    retreats, () for some (R2).

    `owner`, and under `rsp` `traits`, have every unit at its place before the battle.
    """
    if not battle.dislodged:
        return ()
    closed = occupied_after(owner, battle) | battle.contested
    found = []
    for unit in sorted(battle.dislodged, key=lambda unit: (owner[unit], unit)):
        attack = battle.dislodged[unit]
        barred = _barred(attack, edition)
        found.append(
            Homeless(
                unit,
                owner[unit],
                attack.by,
                barred,
                open_to(world, unit, closed, barred),
                (traits or {}).get(unit),
            )
        )
    return tuple(found)


def homeless_on(
    owner: Mapping[Unit, Power],
    lost: Mapping[Unit, Power],
    *,
    contested: Set[Province],
    barred: Mapping[Province, Province],
    traits: Mapping[Unit, Trait],
) -> dict[Unit, Homeless]:
    """Return the dislodged units of a position, each with its possible retreats as far as the
    position shows them (R2).

    `lost` has their owners; `barred` has, by the province of a dislodged unit, the province from
    which its attacker came.
    """
    closed = {province_of(unit) for unit in owner} | contested
    found = {}
    for unit in sorted(lost):
        origin = barred.get(province_of(unit))
        found[unit] = Homeless(
            unit, lost[unit], "", origin, open_to(STANDARD, unit, closed, origin), traits.get(unit)
        )
    return found


def open_to(
    world: World, unit: Unit, closed: Set[Province], barred: Province | None
) -> tuple[Spot, ...]:
    """Return the possible retreats: neighbours that are not `closed` by a unit or a standoff, nor
    `barred` by the attacker (R2).
    """
    return tuple(
        to
        for to in world.reach[unit]
        if province_at(to) not in closed and province_at(to) != barred
    )


def occupied_after(owner: Mapping[Unit, Power], battle: Battle) -> frozenset[Province]:
    """Return the occupied provinces after a battle; a dislodged unit's province counts, since its
    attacker is there.
    """
    moved = battle.moved
    return frozenset([province_at(moved.get(unit) or spot_of(unit)) for unit in owner])


def _barred(attack: Attack, edition: Edition) -> Province | None:
    """Return the province from which the attacker came, None if a retreat there is allowed (DATC
    4.A.5).
    """
    return None if attack.convoyed and edition.back_to_convoyed else province_of(attack.by)


def resolve(
    homeless: Sequence[Homeless], orders: Mapping[Unit, Retreat | Disband]
) -> Mapping[Unit, Fate]:
    """Return the result for every dislodged unit.

    Two or more that retreat to one province, on any coast, are all disbanded. A forbidden or
    missing retreat disbands its unit and affects no other (R2, R7, rsp R4).
    """
    rivals: defaultdict[Province, list[Unit]] = defaultdict(list)
    for each in homeless:
        to = _goal(each, orders.get(each.unit))
        if to:
            rivals[province_at(to)].append(each.unit)
    return {each.unit: _fate(each, orders.get(each.unit), rivals) for each in homeless}


def _goal(each: Homeless, order: Retreat | Disband | None) -> Spot | None:
    """Return the spot of an allowed retreat, else None."""
    return order.to if isinstance(order, Retreat) and order.to in each.retreats else None


def _fate(
    each: Homeless, order: Retreat | Disband | None, rivals: Mapping[Province, Sequence[Unit]]
) -> Fate:
    to = _goal(each, order)
    if to:
        others = tuple(sorted(unit for unit in rivals[province_at(to)] if unit != each.unit))
        return Fate("disbanded", "several retreats", others) if others else Fate("retreated")
    if isinstance(order, Retreat):
        return Fate("disbanded", "not allowed")
    if isinstance(order, Disband):
        return Fate("disbanded")
    return Fate("disbanded", "no order" if each.retreats else "no retreat")
