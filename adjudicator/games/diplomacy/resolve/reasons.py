"""The results and reasons for units that neither moved nor were dislodged (standard rules)."""

from adjudicator.games.diplomacy.map.geography import Unit
from adjudicator.games.diplomacy.model.orders import Convoy, Move
from adjudicator.games.diplomacy.model.outcomes import CONVOYED, HELD, NO_ORDER, Fate, fate_of
from adjudicator.games.diplomacy.resolve.movement_orders import Field
from adjudicator.games.diplomacy.resolve.strengths import defence, effective_rivals, head_to_head, is_leaving, strength


def fate_in_place(field: Field, unit: Unit) -> Fate:
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
    left = holder is not None and holder in field.aims and field.taker.get(field.aims[holder]) == holder
    if taker:
        return fate_of("bounced", "beaten", (taker,))
    power = strength(field, unit)
    stronger = tuple(
        sorted(other for other in effective_rivals(field, code, left=left) if other != unit and strength(field, other) >= power)
    )
    if holder is None or left:
        return fate_of("bounced", "standoff", stronger)
    return _fate_at_a_holder(field, unit, holder, stronger)


def _fate_at_a_holder(field: Field, unit: Unit, holder: Unit, stronger: tuple[Unit, ...]) -> Fate:
    """Return why a move failed against a unit that stayed and was not dislodged."""
    own = field.owner[unit] == field.owner[holder]
    if not own and head_to_head(field, unit) == holder:
        return fate_of("bounced", "head to head", (holder,))
    if stronger and (is_leaving(field, holder) or strength(field, unit) > defence(field, holder, unit)):
        return fate_of("bounced", "standoff", stronger)
    return fate_of("bounced", "own unit" if own else "defended", (holder,))
