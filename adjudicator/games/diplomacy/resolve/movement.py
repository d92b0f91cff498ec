"""The standard rules of movement: supports, convoys, dislodgement by strength (R1, R9, DATC)."""

from collections.abc import Mapping

from adjudicator.games.diplomacy.map.geography import Power, Province, Spot, Unit, World
from adjudicator.games.diplomacy.model.editions import Edition
from adjudicator.games.diplomacy.model.orders import Convoy, Move, MovementOrder
from adjudicator.games.diplomacy.model.outcomes import (
    CONVOYED,
    HELD,
    MOVED,
    NO_ORDER,
    Attack,
    Battle,
    Fate,
    fate_of,
)
from adjudicator.games.diplomacy.resolve.convoy_resolution import embark_armies, settle_convoys
from adjudicator.games.diplomacy.resolve.movement_orders import Field, move_of, sort_orders
from adjudicator.games.diplomacy.resolve.strengths import (
    defence,
    effective_rivals,
    head_to_head,
    is_leaving,
    settle_contests,
    strength,
)
from adjudicator.games.diplomacy.resolve.supports import judge_supports, match_supports


def resolve(
    world: World,
    edition: Edition,
    owner: Mapping[Unit, Power],
    orders: Mapping[Unit, MovementOrder],
) -> Battle:
    """Resolve a movement phase under the standard rules.

    `owner` has every unit on the board, `orders` only orders for which `legality.find_fault` is "".
    A unit without an order holds. The result does not depend on the order of the mappings.
    """
    return _battle(settle_field(world, edition, owner, orders))


def settle_field(
    world: World,
    edition: Edition,
    owner: Mapping[Unit, Power],
    orders: Mapping[Unit, MovementOrder],
) -> Field:
    """Return the resolved field of a movement phase: who enters which province, without the results
    of single orders.

    1. Sort the orders; moves that need no convoy contend at once.
    2. Decide which armies go by convoy; match supports to the orders they support.
    3. Decide which of the convoys under attack succeed.
    4. Decide which supports are cut, then who enters each province.
    """
    field = sort_orders(world, edition, owner, orders)
    at_risk = embark_armies(field) if field.doubtful or field.convoys else {}
    match_supports(field)
    if at_risk:
        settle_convoys(field, at_risk)
    field.backers.clear()
    judge_supports(field)
    settle_contests(field)
    return field


def _battle(field: Field) -> Battle:
    """Return the results of a resolved field for every unit."""
    taker, province, supported = field.taker, field.province, field.supported
    moved: dict[Unit, Spot] = {unit: move_of(field, unit).to for unit in taker.values() if unit}
    fates: dict[Unit, Fate] = {}
    dislodged: dict[Unit, Attack] = {}
    for unit in field.owner:
        if unit in moved:
            fates[unit] = MOVED
        elif by := taker.get(province[unit]):
            fates[unit] = fate_of("dislodged", "attacked", (by,))
            dislodged[unit] = Attack(by, convoyed=by in field.sailing)
        else:
            fates[unit] = supported.get(unit) or _fate_in_place(field, unit)
    return Battle(fates, moved, dislodged, _contested(field, moved))


def _contested(field: Field, moved: Mapping[Unit, Spot]) -> frozenset[Province]:
    """Return the provinces left vacant by a standoff (R2)."""
    vacant = [
        code
        for code, unit in field.taker.items()
        if unit is None and (code not in field.at or field.at[code] in moved)
    ]
    return frozenset(code for code in vacant if len(effective_rivals(field, code, left=True)) > 1)


# --- units that neither moved nor were dislodged


def _fate_in_place(field: Field, unit: Unit) -> Fate:
    """Return the result for a unit that stays in its province and was not ordered to support."""
    order = field.orders.get(unit)
    if order is None:
        return NO_ORDER
    if isinstance(order, Convoy):
        return _fate_of_convoy(field, order)
    if isinstance(order, Move):
        return field.stranded.get(unit) or _fate_of_bounce(field, unit)
    return HELD


def _fate_of_convoy(field: Field, order: Convoy) -> Fate:
    army = field.orders.get(order.of)
    if not isinstance(army, Move) or army.to != order.to:
        return fate_of("void", "no such order", (order.of,))
    fate = field.stranded.get(order.of)
    if fate and fate.why == "paradox":
        return fate_of("convoy disrupted", "paradox", (order.of,))
    if fate and fate.why == "no convoy":
        return fate_of("void", "no convoy", (order.of,))
    return CONVOYED


def _fate_of_bounce(field: Field, unit: Unit) -> Fate:
    code = field.aims[unit]
    taker, holder = field.taker[code], field.at.get(code)
    left = (
        holder is not None
        and holder in field.aims
        and field.taker.get(field.aims[holder]) == holder
    )
    if taker:
        return fate_of("bounced", "beaten", (taker,))
    power = strength(field, unit)
    stronger = tuple(
        sorted(
            other
            for other in effective_rivals(field, code, left=left)
            if other != unit and strength(field, other) >= power
        )
    )
    if holder is None or left:
        return fate_of("bounced", "standoff", stronger)
    return _fate_at_a_holder(field, unit, holder, stronger)


def _fate_at_a_holder(field: Field, unit: Unit, holder: Unit, stronger: tuple[Unit, ...]) -> Fate:
    """Return why a move failed against a unit that stayed and was not dislodged."""
    own = field.owner[unit] == field.owner[holder]
    if not own and head_to_head(field, unit) == holder:
        return fate_of("bounced", "head to head", (holder,))
    if stronger and (
        is_leaving(field, holder) or strength(field, unit) > defence(field, holder, unit)
    ):
        return fate_of("bounced", "standoff", stronger)
    return fate_of("bounced", "own unit" if own else "defended", (holder,))
