"""The refusals of illegal movement orders (R1): the wrong piece, the reason, and what would be
right.
"""

from dataclasses import replace

from adjudicator.games.diplomacy.map.convoys import find_chains
from adjudicator.games.diplomacy.map.geography import (
    Unit,
    kind_of,
    province_at,
    province_of,
    spot_of,
    the_place,
)
from adjudicator.games.diplomacy.matching.unit_lookup import Fault, Field, a_kind, describe_unit
from adjudicator.games.diplomacy.model.orders import Convoy, Hold, Move, MovementOrder, Support
from adjudicator.games.diplomacy.resolve.legality import can_enter, find_fault
from adjudicator.games.kit.words import capital, listing


def fault_of(field: Field, order: MovementOrder) -> Fault | None:
    """Return why an order is illegal, None if it is legal; all units in it are on the board."""
    why = find_fault(field.world, field.edition, field.owner, order)
    if not why or isinstance(order, Hold):
        return None
    if isinstance(order, Move):
        return replace(_move(field, order), why=why)
    return replace(
        _support(field, order) if isinstance(order, Support) else _convoy(field, order), why=why
    )


def _move(field: Field, order: Move) -> Fault:
    world, code = field.world, province_at(order.to)
    unit, place = capital(describe_unit(order.unit)), the_place(world, order.to)
    if code == province_of(order.unit):
        return Fault(
            order.to, f"{unit} is there already; to stay it holds.", (str(Hold(order.unit)),)
        )
    spots = [spot for spot in world.reach[order.unit] if province_at(spot) == code]
    if order.to in spots:
        return Fault(
            "via convoy",
            f"{unit} cannot go to {place} by convoy, no seas lead there; without these words it"
            " goes by land.",
            _moves(order, [order.to]),
        )
    if spots:
        return Fault(
            order.to,
            f"{unit} can reach {listing([the_place(world, spot) for spot in spots], 'or')} only.",
            _moves(order, spots),
        )
    return Fault(order.to, f"{unit} cannot get to {place}: {_why_not(field, order.unit, code)}.")


def _why_not(field: Field, unit: Unit, code: str) -> str:
    kind = field.world.places[code].kind
    if kind_of(unit) == "A":
        return (
            "an army does not go to sea"
            if kind == "sea"
            else "it is not next to it, and no fleets could convoy it there"
        )
    return (
        "a fleet does not go inland"
        if kind == "inland"
        else "a fleet moves to a neighbouring sea or along a coast"
    )


def _moves(order: Move, spots: list[str]) -> tuple[str, ...]:
    return tuple(str(Move(order.unit, spot)) for spot in spots)


def coast_missing(field: Field, order: Move) -> Fault | None:
    """Return the question for the coast if a fleet can reach two coasts of a province and names
    none, else None (R1).
    """
    spots = [
        spot
        for spot in field.world.reach[order.unit]
        if province_at(spot) == order.to and spot != order.to
    ]
    if len(spots) < 2:
        return None
    names = listing([the_place(field.world, spot) for spot in spots], "or")
    return Fault(
        order.to,
        f"It is not said which coast: {names}.",
        _moves(order, spots),
        "ambiguous",
        "coast",
    )


def _support(field: Field, order: Support) -> Fault:
    world = field.world
    goal = province_at(order.to) if order.to else province_of(order.of)
    unit = capital(describe_unit(order.unit))
    if order.of == order.unit:
        return Fault(
            order.of, f"{unit} cannot support itself; to stay it holds.", (str(Hold(order.unit)),)
        )
    if not can_enter(world, order.unit, goal):
        reason = f"{unit} cannot support there: it could not go to {the_place(world, goal)} itself."
        return Fault(goal, reason, _supports(order) if order.to else ())
    if order.to and goal == province_of(order.of):
        return Fault(
            order.to,
            f"{capital(describe_unit(order.of))} is there already; it is supported to hold.",
            _supports(order),
        )
    others = (
        " without the fleet that supports it"
        if kind_of(order.unit) == "F" and find_chains(world, province_of(order.of), goal)
        else ""
    )
    return Fault(
        f"{order.of} - {order.to}",
        f"{capital(describe_unit(order.of))} could never make that move{others}.",
        _supports(order),
    )


def _supports(order: Support) -> tuple[str, ...]:
    return (str(Support(order.unit, order.of)),) if order.to else ()


def _convoy(field: Field, order: Convoy) -> Fault:
    world, sea = field.world, province_of(order.unit)
    unit = capital(describe_unit(order.unit))
    if kind_of(order.of) != "A":
        return Fault(
            order.of,
            f"Only armies are convoyed, and in {the_place(world, spot_of(order.of))} stands"
            f" {a_kind(order.of)}.",
        )
    if kind_of(order.unit) == "A":
        return Fault(order.unit, f"{unit} cannot convoy; only fleets at sea do.")
    if world.places[sea].kind != "sea":
        return Fault(order.unit, f"{unit} lies at a coast; only fleets at sea convoy.")
    way = f"from {the_place(world, province_of(order.of))} to {the_place(world, order.to)}"
    if not find_chains(world, province_of(order.of), order.to):
        return Fault(f"{order.of} - {order.to}", f"No convoy leads {way}.")
    return Fault(order.unit, f"{unit} is of no use to a convoy {way}: no way there needs it.")
