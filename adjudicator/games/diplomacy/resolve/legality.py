"""Decides whether an order is legal: whether its unit can ever carry it out on this map and board,
whatever else is ordered (R1).
"""

from collections.abc import Mapping

from adjudicator.games.diplomacy.map.convoys import find_chains, is_on_chain
from adjudicator.games.diplomacy.map.geography import (
    Power,
    Province,
    Spot,
    Unit,
    World,
    kind_of,
    province_at,
    province_of,
)
from adjudicator.games.diplomacy.model.editions import Edition
from adjudicator.games.diplomacy.model.orders import Convoy, Move, MovementOrder, Support
from adjudicator.games.diplomacy.model.outcomes import Why


def find_fault(
    world: World, edition: Edition, owner: Mapping[Unit, Power], order: MovementOrder
) -> Why:
    """Return why an order is illegal on this board, "" if it is legal (R1, DATC 4.E.1).

    A useless order is legal: a move without fleets for its convoy, a support of a move that was not
    ordered. `unreachable` and `coast` concern the ordered unit; `not possible` concerns the
    supported or convoyed unit, or `via convoy`.
    """
    if order.unit not in owner:
        return "no such unit"
    if isinstance(order, Move):
        return _fault_of_move(world, edition, order)
    if isinstance(order, Support):
        return _fault_of_support(world, owner, order)
    if isinstance(order, Convoy):
        return _fault_of_convoy(world, owner, order)
    return ""


def _via_nowhere(world: World, edition: Edition, order: Move) -> bool:
    """Whether an army is to go `via convoy` without a chain of seas; edition 1976 ignores these
    words (R9, rsp R7).
    """
    if not order.via or edition.neighbour == "swap" or kind_of(order.unit) == "F":
        return False
    return not find_chains(world, province_of(order.unit), province_at(order.to))


def can_enter(world: World, unit: Unit, code: Province) -> bool:
    """Whether a unit can go to a province without a convoy, on any coast."""
    return code in world.entered[unit]


def with_coast(world: World, unit: Unit, to: Spot) -> Spot:
    """Return `to`, for a fleet with the only coast that it can reach there, for an army without a
    coast (DATC 6.B.2, 6.B.12).
    """
    if kind_of(unit) == "A":
        return province_at(to)
    reached = [spot for spot in world.reach.get(unit, ()) if province_at(spot) == to]
    return reached[0] if len(reached) == 1 else to


def _fault_of_move(world: World, edition: Edition, order: Move) -> Why:
    if order.to in world.reach[order.unit]:
        return "not possible" if _via_nowhere(world, edition, order) else ""
    if kind_of(order.unit) == "A":
        if "/" in order.to:
            return "coast"  # parsers drop the coast of an army's move (DATC 6.B.12)
        return (
            ""
            if find_chains(world, province_of(order.unit), province_at(order.to))
            else "unreachable"
        )
    return "coast" if can_enter(world, order.unit, province_at(order.to)) else "unreachable"


def _fault_of_support(world: World, owner: Mapping[Unit, Power], order: Support) -> Why:
    if order.of not in owner:
        return "no such unit"
    goal = province_at(order.to) if order.to else province_of(order.of)
    if order.of == order.unit:
        return "not possible"
    if not can_enter(world, order.unit, goal):
        return "unreachable"
    return (
        ""
        if order.to is None or _could_go(world, order.of, order.to, without=province_of(order.unit))
        else "not possible"
    )


def _could_go(world: World, unit: Unit, to: Spot, *, without: Province) -> bool:
    """Whether a unit can ever get to a spot without a convoy by the fleet in `without` (DATC
    6.D.31).
    """
    if kind_of(unit) == "F":
        return to in world.reach[unit] or ("/" not in to and can_enter(world, unit, to))
    goal = province_at(to)
    return goal in world.reach[unit] or any(
        without not in chain for chain in find_chains(world, province_of(unit), goal)
    )


def _fault_of_convoy(world: World, owner: Mapping[Unit, Power], order: Convoy) -> Why:
    if order.of not in owner:
        return "no such unit"
    sea = province_of(order.unit)
    if kind_of(order.of) != "A" or world.places[sea].kind != "sea":
        return "not possible"
    return "" if is_on_chain(world, sea, province_of(order.of), order.to) else "not possible"
