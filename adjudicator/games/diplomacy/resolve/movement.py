"""The standard rules of movement: supports, convoys, dislodgement by strength (R1, R9, DATC)."""

from collections.abc import Mapping

from adjudicator.games.diplomacy.map.geography import Power, Province, Spot, Unit, World
from adjudicator.games.diplomacy.model.editions import Edition
from adjudicator.games.diplomacy.model.orders import MovementOrder
from adjudicator.games.diplomacy.model.outcomes import MOVED, Attack, Battle, Fate, fate_of
from adjudicator.games.diplomacy.resolve.convoy_resolution import embark_armies, settle_convoys
from adjudicator.games.diplomacy.resolve.movement_orders import Field, move_of, sort_orders
from adjudicator.games.diplomacy.resolve.reasons import fate_in_place
from adjudicator.games.diplomacy.resolve.strengths import effective_rivals, settle_contests
from adjudicator.games.diplomacy.resolve.supports import judge_supports, match_supports


def resolve(world: World, edition: Edition, owner: Mapping[Unit, Power], orders: Mapping[Unit, MovementOrder]) -> Battle:
    """Resolve a movement phase under the standard rules.

    `owner` has every unit on the board, `orders` only orders for which `legality.find_fault` is "". A unit without an order
    holds. The result does not depend on the order of the mappings.

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
    return _battle(field)


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
            fates[unit] = supported.get(unit) or fate_in_place(field, unit)
    return Battle(fates, moved, dislodged, _contested(field, moved))


def _contested(field: Field, moved: Mapping[Unit, Spot]) -> frozenset[Province]:
    """Return the provinces left vacant by a standoff (R2)."""
    vacant = [code for code, unit in field.taker.items() if unit is None and (code not in field.at or field.at[code] in moved)]
    return frozenset(code for code in vacant if len(effective_rivals(field, code, left=True)) > 1)
