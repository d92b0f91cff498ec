"""Decides which armies go by convoy, and which convoys succeed, before any other contest (R9).

A convoy depends only on the attacks on its fleets. Only fleets make such attacks. A convoyed army
can influence them only by cutting the support of the unit in its destination. So each convoy
influences at most one other. Convoys that cannot be resolved one after another form rings: the
paradoxes.
"""

from collections.abc import Mapping

from adjudicator.games.diplomacy.map.convoys import Chain
from adjudicator.games.diplomacy.map.geography import Province, Unit, kind_of
from adjudicator.games.diplomacy.model.orders import Move, Support
from adjudicator.games.diplomacy.model.outcomes import Fate
from adjudicator.games.diplomacy.resolve.movement_orders import Field
from adjudicator.games.diplomacy.resolve.routes import (
    Routes,
    convoy_succeeds,
    goes_by_convoy,
    offered_fleets,
    possible_routes,
)
from adjudicator.games.diplomacy.resolve.strengths import winner
from adjudicator.games.diplomacy.resolve.supports import cutters


def embark_armies(field: Field) -> dict[Unit, Routes]:
    """Decide by land or convoy for the armies that need, ask for or were offered one; return the
    ordered routes of convoys at risk.

    An army without an ordered route is stranded. If no fleets on the board could have carried it,
    its move is void, and it can be supported to hold (DATC 4.E.1, 6.D.8, 6.D.32).
    """
    fleets = offered_fleets(field)
    at_risk: dict[Unit, Routes] = {}
    for order in (*field.doubtful, *_recalled(field, fleets)):
        offered = fleets.get((order.unit, field.province[order.to]), {})
        possible = possible_routes(field, order)
        routes = tuple(chain for chain in possible if chain <= offered.keys())
        if order.to in field.reach[order.unit] and not goes_by_convoy(
            field, order, offered, routes=routes
        ):
            enter_move(field, order.unit, field.province[order.to])
        elif routes:
            _sail(field, order, routes, at_risk)
        else:
            _strand(field, order, possible)
    return at_risk


def _recalled(field: Field, fleets: Mapping[tuple[Unit, Province], object]) -> list[Move]:
    """Take back and return the moves to a neighbour for which a convoy is ordered, since they may
    go by land or by convoy.
    """
    found = []
    for unit, to in fleets:
        order = field.orders.get(unit)
        if isinstance(order, Move) and field.aims.get(unit) == to:
            field.rivals[to].remove(unit)
            if not field.rivals[to]:
                del field.rivals[to]
            found.append(order)
    return found


def enter_move(field: Field, unit: Unit, to: Province) -> None:
    """Enter a move that contends for its destination."""
    field.aims[unit] = to
    field.rivals.setdefault(to, []).append(unit)


def _sail(field: Field, order: Move, routes: Routes, at_risk: dict[Unit, Routes]) -> None:
    unit, to = order.unit, field.province[order.to]
    field.sailing[unit] = frozenset().union(*routes)
    # even if all attacks on its fleets succeed
    if convoy_succeeds(field.edition, routes, field.rivals):
        enter_move(field, unit, to)
    else:
        field.aims[unit] = to
        at_risk[unit] = routes


def _strand(field: Field, order: Move, possible: Routes) -> None:
    field.stranded[order.unit] = Fate("void", "no convoy")
    seas = {code for code, unit in field.at.items() if kind_of(unit) == "F"}
    if any(chain <= seas for chain in possible):
        field.aims[order.unit] = field.province[order.to]


def settle_convoys(field: Field, at_risk: dict[Unit, Routes]) -> None:
    """Decide which of the convoys at risk succeed.

    1. Resolve, one by one, the convoys that no unresolved convoy influences.
    2. If only rings are left, resolve a convoy whose result is the same either way.
    3. If there is none, all remaining convoys fail as paradoxes (Szykman, DATC 4.A.2 f).
    """
    deciders = {
        unit: [other for other in at_risk if _matters(field, other, unit)] for unit in at_risk
    }
    overland: list[Unit] = []
    while at_risk:
        waits = {unit: [other for other in deciders[unit] if other in at_risk] for unit in at_risk}
        settled = next((unit for unit in at_risk if not waits[unit]), None)
        if settled is None:  # only rings are left, in which each convoy waits for one other
            settled = next(
                (unit for unit in at_risk if _decided_anyway(field, at_risk[unit], waits[unit][0])),
                None,
            )
        if settled is None:
            _give_up(field, at_risk)
        elif not _conclude(field, settled, at_risk.pop(settled)):
            overland.append(settled)
    # the unit that was to change places with it goes by land too (DATC 6.H.12 with 4.A.5 a)
    for unit in overland:
        field.sailing.pop(field.at.get(field.aims[unit], ""), None)


def _matters(field: Field, army: Unit, convoyed: Unit) -> bool:
    """Whether `army`, if its convoy succeeds, cuts a support for or against a fleet that carries
    `convoyed`.
    """
    order = field.orders.get(field.at.get(field.aims[army], ""))
    if not isinstance(order, Support) or field.owner[order.unit] == field.owner[army]:
        return False
    return field.province[order.to or order.of] in field.sailing[convoyed]


def _decided_anyway(field: Field, routes: Routes, other: Unit) -> bool:
    """Whether a convoy has the same result with and without the attack of the army that influences
    it.
    """
    without = _stands(field, routes)
    landing = field.rivals.setdefault(field.aims[other], [])
    landing.append(other)
    with_it = _stands(field, routes)
    landing.pop()
    if not landing:
        del field.rivals[field.aims[other]]
    return with_it == without


def _stands(field: Field, routes: Routes) -> bool:
    return convoy_succeeds(field.edition, routes, _lost(field, frozenset().union(*routes)))


def _lost(field: Field, seas: Chain) -> frozenset[Province]:
    return frozenset(code for code in seas if code in field.rivals and _taken(field, code))


def _taken(field: Field, code: Province) -> bool:
    """Whether the fleet in a province is dislodged, as far as convoys are resolved."""
    for unit in (*field.rivals[code], field.at[code]):
        field.backers[unit] = [
            order.unit for order in field.matched.get(unit, ()) if not cutters(field, order)
        ]
    return winner(field, code, left=False) is not None


def _conclude(field: Field, unit: Unit, routes: Routes) -> bool:
    """Enter the army's move, or strand it; return False if it goes by land because its convoy is
    broken (edition 1976).
    """
    to = field.aims[unit]
    if _stands(field, routes):
        enter_move(field, unit, to)
        return True
    lost = _lost(field, field.sailing.pop(unit))
    if field.edition.neighbour == "swap" and to in field.reach[unit]:
        enter_move(field, unit, to)
        return False
    field.stranded[unit] = Fate(
        "convoy disrupted", "convoy broken", tuple(sorted(field.at[code] for code in lost))
    )
    return True


def _give_up(field: Field, at_risk: dict[Unit, Routes]) -> None:
    for unit in at_risk:
        field.sailing.pop(unit)
        field.stranded[unit] = Fate("convoy disrupted", "paradox", (field.at[field.aims[unit]],))
    at_risk.clear()
