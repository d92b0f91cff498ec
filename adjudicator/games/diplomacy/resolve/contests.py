"""The rules of movement under `rsp`: there is no support, characteristics alone decide every
contest (rsp-diplomacy.md).
"""

from collections.abc import Mapping

from adjudicator.games.diplomacy.map.geography import Power, Province, Spot, Unit, World
from adjudicator.games.diplomacy.model.editions import Edition
from adjudicator.games.diplomacy.model.orders import Move, MovementOrder, Trait
from adjudicator.games.diplomacy.model.outcomes import (
    HELD,
    MOVED,
    NO_ORDER,
    Attack,
    Battle,
    Fate,
    fate_of,
)
from adjudicator.games.diplomacy.resolve.circular_movement import settle_contests
from adjudicator.games.diplomacy.resolve.rsp_contest import (
    RspField,
    beaters,
    contenders,
    head_to_head,
    sort_orders,
)
from adjudicator.games.diplomacy.resolve.rsp_convoys import settle_convoys


def resolve(
    world: World,
    edition: Edition,
    owner: Mapping[Unit, Power],
    orders: Mapping[Unit, MovementOrder],
    traits: Mapping[Unit, Trait],
) -> Battle:
    """Resolve a movement phase under `rsp`.

    `owner` and `traits` have every unit on the board, `orders` only orders for which
    `legality.find_fault` is "". A unit without an order holds, and so does one ordered to support
    (rsp R6). The result does not depend on the order of the mappings. No result or reason names a
    characteristic; `clashes` has the units whose characteristics are revealed (rsp R5).
    """
    return _battle(settle_field(world, edition, owner, orders=orders, traits=traits))


def settle_field(
    world: World,
    edition: Edition,
    owner: Mapping[Unit, Power],
    *,
    orders: Mapping[Unit, MovementOrder],
    traits: Mapping[Unit, Trait],
) -> RspField:
    """Return the resolved field of a movement phase: who enters which province, without the results
    of single orders.
    """
    field = sort_orders(world, edition, owner, orders=orders, traits=traits)
    if field.doubtful or field.convoys:
        settle_convoys(field)
    settle_contests(field)
    return field


def _battle(field: RspField) -> Battle:
    taker, province, orders, aims = field.taker, field.province, field.orders, field.aims
    fates: dict[Unit, Fate] = {}
    moved: dict[Unit, Spot] = {}
    dislodged: dict[Unit, Attack] = {}
    for unit in field.owner:
        order = orders.get(unit)
        by = taker.get(province[unit])
        if unit in aims and isinstance(order, Move) and taker[aims[unit]] == unit:
            fates[unit] = MOVED
            moved[unit] = order.to
        elif by:
            fates[unit] = fate_of("dislodged", "attacked", (by,))
            dislodged[unit] = Attack(by, convoyed=by in field.sailing)
        elif unit in aims:
            fates[unit] = _fate_of_bounce(field, unit)
        else:
            fates[unit] = field.sea_fates.get(unit, HELD) if order else NO_ORDER
    clashes = _clashes(field, moved)
    return Battle(fates, moved, dislodged, _contested(field, clashes), clashes)


def _clashes(field: RspField, moved: Mapping[Unit, Spot]) -> dict[Province, tuple[Unit, ...]]:
    """Return the contenders and the defender, if any, of every province for which at least two
    units fought (rsp R5).
    """
    found: dict[Province, tuple[Unit, ...]] = {}
    for code in sorted(field.rivals):
        holder = field.at.get(code)
        if holder and holder not in moved:
            found[code] = tuple(sorted((*field.rivals[code], holder)))
        elif len(field.rivals[code]) > 1 and len(units := contenders(field, code, left=True)) > 1:
            found[code] = tuple(sorted(units))
    return found


def _contested(
    field: RspField, clashes: Mapping[Province, tuple[Unit, ...]]
) -> frozenset[Province]:
    """Return the provinces left vacant by a standoff (R2): no unit entered, and no unit stayed
    there.
    """
    return frozenset(
        code
        for code, units in clashes.items()
        if not field.taker[code] and field.at.get(code) not in units
    )


# --- the reasons of failed moves, without characteristics (rsp R5)


def _fate_of_bounce(field: RspField, unit: Unit) -> Fate:
    code = field.aims[unit]
    holder = field.at.get(code)
    if holder and (holder not in field.aims or field.taker[field.aims[holder]] != holder):
        return _fate_at_a_holder(field, unit, holder)
    best = field.taker[code]
    if best:
        return fate_of("bounced", "beaten", (best,))
    return _standoff(unit, contenders(field, code, left=True))


def _fate_at_a_holder(field: RspField, unit: Unit, holder: Unit) -> Fate:
    """Return why a move failed against a unit that did not leave; a unit in a failed ring counts as
    one that stayed.
    """
    beating = beaters(field, field.aims[unit], holder)
    if unit in beating and len(beating) > 1:
        return _standoff(unit, beating)
    if unit in beating and field.owner[unit] == field.owner[holder]:
        return fate_of("bounced", "own unit", (holder,))
    return fate_of(
        "bounced", "head to head" if head_to_head(field, unit) else "defended", (holder,)
    )


def _standoff(unit: Unit, units: list[Unit]) -> Fate:
    return fate_of("bounced", "standoff", tuple(sorted(other for other in units if other != unit)))
