"""The rules of movement under `rsp`: there is no support, characteristics alone decide every contest (rsp-diplomacy.md)."""

from collections.abc import Mapping

from adjudicator.games.diplomacy.map.geography import Power, Province, Spot, Unit, World
from adjudicator.games.diplomacy.model.editions import Edition
from adjudicator.games.diplomacy.model.orders import Move, MovementOrder, Trait
from adjudicator.games.diplomacy.model.outcomes import HELD, MOVED, NO_ORDER, Attack, Battle, Fate, fate_of
from adjudicator.games.diplomacy.resolve.circular_movement import settle
from adjudicator.games.diplomacy.resolve.rsp_contest import Fray, beaters, contenders, enter, head_to_head
from adjudicator.games.diplomacy.resolve.rsp_convoys import cross


def resolve(
    world: World, edition: Edition, owner: Mapping[Unit, Power], orders: Mapping[Unit, MovementOrder], traits: Mapping[Unit, Trait]
) -> Battle:
    """Resolve a movement phase under `rsp`.

    `owner` and `traits` have every unit on the board, `orders` only orders for which `legality.fault` is "". A unit without
    an order holds, and so does one ordered to support (rsp R6). The result does not depend on the order of the mappings.
    No result or reason names a characteristic; `clashes` has the units whose characteristics are revealed (rsp R5).
    """
    fray = enter(world, edition, owner, orders=orders, traits=traits)
    if fray.doubtful or fray.convoys:
        cross(fray)
    settle(fray)
    return _battle(fray)


def _battle(fray: Fray) -> Battle:
    taker, province, orders, aims = fray.taker, fray.province, fray.orders, fray.aims
    fates: dict[Unit, Fate] = {}
    moved: dict[Unit, Spot] = {}
    dislodged: dict[Unit, Attack] = {}
    for unit in fray.owner:
        order = orders.get(unit)
        by = taker.get(province[unit])
        if unit in aims and isinstance(order, Move) and taker[aims[unit]] == unit:
            fates[unit] = MOVED
            moved[unit] = order.to
        elif by:
            fates[unit] = fate_of("dislodged", "attacked", (by,))
            dislodged[unit] = Attack(by, convoyed=by in fray.sailing)
        elif unit in aims:
            fates[unit] = _fate_of_bounce(fray, unit)
        else:
            fates[unit] = fray.sea_fates.get(unit, HELD) if order else NO_ORDER
    clashes = _clashes(fray, moved)
    return Battle(fates, moved, dislodged, _contested(fray, clashes), clashes)


def _clashes(fray: Fray, moved: Mapping[Unit, Spot]) -> dict[Province, tuple[Unit, ...]]:
    """Return the contenders and the defender, if any, of every province for which at least two units fought (rsp R5)."""
    found: dict[Province, tuple[Unit, ...]] = {}
    for code in sorted(fray.rivals):
        holder = fray.at.get(code)
        if holder and holder not in moved:
            found[code] = tuple(sorted((*fray.rivals[code], holder)))
        elif len(fray.rivals[code]) > 1 and len(units := contenders(fray, code, left=True)) > 1:
            found[code] = tuple(sorted(units))
    return found


def _contested(fray: Fray, clashes: Mapping[Province, tuple[Unit, ...]]) -> frozenset[Province]:
    """Return the provinces left vacant by a standoff (R2): no unit entered, and no unit stayed there."""
    return frozenset(code for code, units in clashes.items() if not fray.taker[code] and fray.at.get(code) not in units)


# --- the reasons of failed moves, without characteristics (rsp R5)


def _fate_of_bounce(fray: Fray, unit: Unit) -> Fate:
    code = fray.aims[unit]
    holder = fray.at.get(code)
    if holder and (holder not in fray.aims or fray.taker[fray.aims[holder]] != holder):
        return _fate_at_a_holder(fray, unit, holder)
    best = fray.taker[code]
    if best:
        return fate_of("bounced", "beaten", (best,))
    return _standoff(unit, contenders(fray, code, left=True))


def _fate_at_a_holder(fray: Fray, unit: Unit, holder: Unit) -> Fate:
    """Return why a move failed against a unit that did not leave; a unit in a failed ring counts as one that stayed."""
    beating = beaters(fray, fray.aims[unit], holder)
    if unit in beating and len(beating) > 1:
        return _standoff(unit, beating)
    if unit in beating and fray.owner[unit] == fray.owner[holder]:
        return fate_of("bounced", "own unit", (holder,))
    return fate_of("bounced", "head to head" if head_to_head(fray, unit) else "defended", (holder,))


def _standoff(unit: Unit, units: list[Unit]) -> Fate:
    return fate_of("bounced", "standoff", tuple(sorted(other for other in units if other != unit)))
