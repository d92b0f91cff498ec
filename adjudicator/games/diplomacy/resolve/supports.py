"""Decides which supports match the order they support, and which of these are cut."""

from adjudicator.games.diplomacy.map.convoys import find_chains
from adjudicator.games.diplomacy.map.geography import Unit, kind_of
from adjudicator.games.diplomacy.model.orders import Support
from adjudicator.games.diplomacy.model.outcomes import SUPPORTED, Fate
from adjudicator.games.diplomacy.resolve.movement_orders import Field, move_of
from adjudicator.games.diplomacy.resolve.strengths import winner


def match_supports(field: Field) -> None:
    """Match each support to the order it supports, before convoys at risk are resolved; one without
    a match is void.
    """
    for order in field.supports:
        if not _agrees(field, order):
            field.supported[order.unit] = Fate("void", "no such order", (order.of,))
        elif order.to and order.of in field.stranded and not _could_sail(field, order):
            field.supported[order.unit] = Fate("void", "no convoy", (order.of,))
        else:
            field.matched.setdefault(order.of, []).append(order)


def _agrees(field: Field, order: Support) -> bool:
    """Whether the supported unit has this order; a coast that the support names must be that of the
    move (DATC 6.B.9).
    """
    if order.to is None:
        return order.of not in field.aims
    if field.aims.get(order.of) != field.province[order.to]:
        return False
    return (
        "/" not in order.to or kind_of(order.of) == "A" or move_of(field, order.of).to == order.to
    )


def _could_sail(field: Field, order: Support) -> bool:
    """Whether fleets on the board could have carried the supported army without the supporter (DATC
    6.D.31).
    """
    seas = {code for code, unit in field.at.items() if kind_of(unit) == "F" and unit != order.unit}
    return any(
        chain <= seas
        for chain in find_chains(field.world, field.province[order.of], field.aims[order.of])
    )


def judge_supports(field: Field) -> None:
    """Enter the result of every matched support, when all convoys are resolved.

    1. Settle each support that the unit it is directed at does not attack. An attack by another
       power cuts it.
    2. Settle the rest, which only dislodgement can cut (DATC 6.D.17). That contest depends on
       supports of step 1 alone, since these are directed at the supporter, which does not move.
    """
    returned = []
    for orders in field.matched.values():
        for order in orders:
            if field.province[order.unit] not in field.rivals:
                _give(field, order)
            elif by := cutters(field, order):
                field.supported[order.unit] = Fate("cut", "attacked", tuple(sorted(by)))
            elif attacker := _returning_target(field, order):
                returned.append((order, attacker))
            else:
                _give(field, order)
    for order, attacker in returned:
        _judge_dislodgement(field, order, attacker)


def _returning_target(field: Field, order: Support) -> Unit | None:
    """Return the unit that a support is directed at, if it attacks the supporter."""
    target = field.at.get(field.province[order.to]) if order.to else None
    return target if target in field.rivals[field.province[order.unit]] else None


def _give(field: Field, order: Support) -> None:
    field.backers.setdefault(order.of, []).append(order.unit)
    unordered = (
        order.to and order.of in field.stranded and field.stranded[order.of].result == "void"
    )
    field.supported[order.unit] = (
        Fate("support failed", "no convoy", (order.of,)) if unordered else SUPPORTED
    )


def cutters(field: Field, order: Support) -> list[Unit]:
    """Return the units whose attack cuts a support even if it fails: of other powers, not from the
    province it is directed at.
    """
    target = field.province[order.to] if order.to else None
    power = field.owner[order.unit]
    return [
        unit
        for unit in field.rivals.get(field.province[order.unit], ())
        if field.owner[unit] != power
        and field.province[unit] != target
        and not is_spared(field, order, unit)
    ]


def is_spared(field: Field, order: Support, army: Unit) -> bool:
    """Whether a convoyed attack does not cut a support, because it supports an attack on a fleet of
    that convoy (R9, XII.5).
    """
    if not field.edition.spares_attack_on_convoy or order.to is None or army not in field.sailing:
        return False
    return field.province[order.to] in field.sailing[army]


def _judge_dislodgement(field: Field, order: Support, attacker: Unit) -> None:
    """Cut a support if the unit it is directed at dislodges the supporter, else give it."""
    if winner(field, field.province[order.unit], left=False) == attacker:
        field.supported[order.unit] = Fate("cut", "attacked", (attacker,))
    else:
        _give(field, order)
