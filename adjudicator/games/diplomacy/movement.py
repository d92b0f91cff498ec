"""The standard rules of movement: supports, convoys, dislodgement by strength (R1, R9, DATC)."""

from collections.abc import Mapping

from adjudicator.games.diplomacy.carriage import embark, settle_convoys
from adjudicator.games.diplomacy.editions import Edition
from adjudicator.games.diplomacy.field import Field, sort
from adjudicator.games.diplomacy.geography import Power, Province, Spot, Unit, World
from adjudicator.games.diplomacy.orders import Move, MovementOrder
from adjudicator.games.diplomacy.outcomes import Attack, Battle, Fate
from adjudicator.games.diplomacy.reasons import fate_in_place
from adjudicator.games.diplomacy.strengths import effective, settle
from adjudicator.games.diplomacy.supports import judge, match

MOVED = Fate("moved")


def resolve(world: World, edition: Edition, owner: Mapping[Unit, Power], orders: Mapping[Unit, MovementOrder]) -> Battle:
    """Return what comes of a movement phase under the standard rules.

    `owner` has every unit on the board, `orders` only orders for which `legality.fault` is ""; a unit without one holds.
    The order in which either is stored decides nothing.
    """
    field = sort(world, edition, owner, orders)
    at_risk = embark(field) if field.doubtful or field.convoys else {}
    match(field)
    if at_risk:
        settle_convoys(field, at_risk)
    field.backers.clear()
    judge(field)
    settle(field)
    return _battle(field)


def _battle(field: Field) -> Battle:
    taker, province = field.taker, field.province
    fates: dict[Unit, Fate] = {}
    moved: dict[Unit, Spot] = {}
    dislodged: dict[Unit, Attack] = {}
    for unit in field.owner:
        by = taker.get(province[unit])
        order = field.orders.get(unit)
        if isinstance(order, Move) and taker.get(province[order.to]) == unit:
            fates[unit] = MOVED
            moved[unit] = order.to
        elif by:
            fates[unit] = Fate("dislodged", "attacked", (by,))
            dislodged[unit] = Attack(by, convoyed=by in field.sailing)
        else:
            fates[unit] = fate_in_place(field, unit)
    return Battle(fates, moved, dislodged, frozenset(_contested(field, moved)))


def _contested(field: Field, moved: Mapping[Unit, Spot]) -> list[Province]:
    """Return the provinces left vacant by a standoff (R2)."""
    empty = [code for code, taker in field.taker.items() if not taker and field.at.get(code) not in field.owner.keys() - moved.keys()]
    return [code for code in empty if len(effective(field, code, left=True)) > 1]
