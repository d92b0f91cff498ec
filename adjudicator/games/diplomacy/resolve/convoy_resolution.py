"""Which armies go by convoy, and which convoys stand, settled before any other contest (R9).

Whether a convoy stands depends on the attacks on its fleets alone. Those are made by fleets; all that a convoyed army can do
about them is to cut the one support that the unit in its destination gives. So each convoy matters to one convoy at most, and
what cannot be settled one after another are rings of convoys: the paradoxes.
"""

from collections.abc import Mapping

from adjudicator.games.diplomacy.map.convoys import Chain
from adjudicator.games.diplomacy.map.geography import Province, Unit, kind_of
from adjudicator.games.diplomacy.model.orders import Move, Support
from adjudicator.games.diplomacy.model.outcomes import Fate
from adjudicator.games.diplomacy.resolve.movement_orders import Field
from adjudicator.games.diplomacy.resolve.routes import Routes, goes_by_convoy, offers, stands, ways
from adjudicator.games.diplomacy.resolve.strengths import winner
from adjudicator.games.diplomacy.resolve.supports import cutters


def embark(field: Field) -> dict[Unit, Routes]:
    """Send on their way the armies that need, want or were offered a convoy; return the ordered routes of those that may yet fail.

    An army whose convoy nobody ordered is stranded; if no fleets on the board could have carried it, its order counts for
    nothing and it can be supported where it is (DATC 4.E.1, 6.D.8, 6.D.32).
    """
    fleets = offers(field)
    at_risk: dict[Unit, Routes] = {}
    for order in (*field.doubtful, *_recalled(field, fleets)):
        offered = fleets.get((order.unit, field.province[order.to]), {})
        possible = ways(field, order)
        routes = tuple(chain for chain in possible if chain <= offered.keys())
        if order.to in field.reach[order.unit] and not goes_by_convoy(field, order, offered, routes=routes):
            arrive(field, order.unit, field.province[order.to])
        elif routes:
            _sail(field, order, routes, at_risk)
        else:
            _strand(field, order, possible)
    return at_risk


def _recalled(field: Field, fleets: Mapping[tuple[Unit, Province], object]) -> list[Move]:
    """Take back the moves to a neighbour that somebody offers to convoy: it has to be seen how they go."""
    found = []
    for unit, to in fleets:
        order = field.orders.get(unit)
        if isinstance(order, Move) and field.aims.get(unit) == to:
            field.rivals[to].remove(unit)
            if not field.rivals[to]:
                del field.rivals[to]
            found.append(order)
    return found


def arrive(field: Field, unit: Unit, to: Province) -> None:
    """Enter a move among those that reach their destination."""
    field.aims[unit] = to
    field.rivals.setdefault(to, []).append(unit)


def _sail(field: Field, order: Move, routes: Routes, at_risk: dict[Unit, Routes]) -> None:
    unit, to = order.unit, field.province[order.to]
    field.sailing[unit] = frozenset().union(*routes)
    if stands(field.edition, routes, field.rivals):  # even if all attacks on its fleets succeed
        arrive(field, unit, to)
    else:
        field.aims[unit] = to
        at_risk[unit] = routes


def _strand(field: Field, order: Move, possible: Routes) -> None:
    field.stranded[order.unit] = Fate("void", "no convoy")
    seas = {code for code, unit in field.at.items() if kind_of(unit) == "F"}
    if any(chain <= seas for chain in possible):
        field.aims[order.unit] = field.province[order.to]


def settle_convoys(field: Field, at_risk: dict[Unit, Routes]) -> None:
    """Find out which of the convoys under attack stand; those that would decide over themselves fail (Szykman, DATC 4.A.2 f)."""
    deciders = {unit: [other for other in at_risk if _matters(field, other, unit)] for unit in at_risk}
    overland: list[Unit] = []
    while at_risk:
        waits = {unit: [other for other in deciders[unit] if other in at_risk] for unit in at_risk}
        settled = next((unit for unit in at_risk if not waits[unit]), None)
        if settled is None:  # only rings are left, each convoy waiting for one
            settled = next((unit for unit in at_risk if _decided_anyway(field, at_risk[unit], waits[unit][0])), None)
        if settled is None:
            _give_up(field, at_risk)
        elif not _conclude(field, settled, at_risk.pop(settled)):
            overland.append(settled)
    for unit in overland:  # who was to change places with it goes by land too (DATC 6.H.12 with 4.A.5 a)
        field.sailing.pop(field.at.get(field.aims[unit], ""), None)


def _matters(field: Field, army: Unit, convoyed: Unit) -> bool:
    """Whether `army`, should it arrive, cuts a support for or against a fleet that carries `convoyed`."""
    order = field.orders.get(field.at.get(field.aims[army], ""))
    if not isinstance(order, Support) or field.owner[order.unit] == field.owner[army]:
        return False
    return field.province[order.to or order.of] in field.sailing[convoyed]


def _decided_anyway(field: Field, routes: Routes, other: Unit) -> bool:
    """Whether a convoy stands, or fails, whether the one army that matters to it arrives or not."""
    without = _stands(field, routes)
    landing = field.rivals.setdefault(field.aims[other], [])
    landing.append(other)
    with_it = _stands(field, routes)
    landing.pop()
    if not landing:
        del field.rivals[field.aims[other]]
    return with_it == without


def _stands(field: Field, routes: Routes) -> bool:
    return stands(field.edition, routes, _lost(field, frozenset().union(*routes)))


def _lost(field: Field, seas: Chain) -> frozenset[Province]:
    return frozenset(code for code in seas if code in field.rivals and _taken(field, code))


def _taken(field: Field, code: Province) -> bool:
    """Whether the fleet there is driven out, as things are known so far."""
    for unit in (*field.rivals[code], field.at[code]):
        field.backers[unit] = [order.unit for order in field.matched.get(unit, ()) if not cutters(field, order)]
    return winner(field, code, left=False) is not None


def _conclude(field: Field, unit: Unit, routes: Routes) -> bool:
    """Let an army land or strand it; return False where it goes by land instead, since its convoy is broken (edition 1976)."""
    to = field.aims[unit]
    if _stands(field, routes):
        arrive(field, unit, to)
        return True
    lost = _lost(field, field.sailing.pop(unit))
    if field.edition.neighbour == "swap" and to in field.reach[unit]:
        arrive(field, unit, to)
        return False
    field.stranded[unit] = Fate("convoy disrupted", "convoy broken", tuple(sorted(field.at[code] for code in lost)))
    return True


def _give_up(field: Field, at_risk: dict[Unit, Routes]) -> None:
    for unit in at_risk:
        field.sailing.pop(unit)
        field.stranded[unit] = Fate("convoy disrupted", "paradox", (field.at[field.aims[unit]],))
    at_risk.clear()
