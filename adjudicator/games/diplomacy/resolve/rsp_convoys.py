"""Decides which armies go by convoy under `rsp`, and which convoys succeed, before any other contest (rsp R7).

A convoying fleet stays in its sea. Only fleets can attack it, and no fleet is convoyed. So the orders and characteristics of
fleets alone decide whether it is dislodged.
"""

from adjudicator.games.diplomacy.map.convoys import Chain
from adjudicator.games.diplomacy.model.orders import Convoy, Move
from adjudicator.games.diplomacy.model.outcomes import CONVOYED, Fate
from adjudicator.games.diplomacy.resolve.routes import Fleets, Routes, goes_by_convoy, offers, stands, ways
from adjudicator.games.diplomacy.resolve.rsp_contest import Fray, arrive, winner

NO_ROUTE = Fate("void", "no convoy")


def cross(fray: Fray) -> None:
    """Decide whether each doubtful move goes by convoy, by land or not at all, and enter the result of every convoy order."""
    fleets = offers(fray)
    for move in fray.doubtful:
        _send(fray, move, fleets.get((move.unit, fray.province[move.to]), {}))
    for convoy in fray.convoys:
        if convoy.unit not in fray.sea_fates:
            fray.sea_fates[convoy.unit] = _idle(fray, convoy)


def _send(fray: Fray, move: Move, offered: Fleets) -> None:
    routes = tuple(chain for chain in ways(fray, move) if chain <= offered.keys())
    by_land = move.to in fray.reach[move.unit]
    if by_land and not goes_by_convoy(fray, move, offered, routes=routes):
        arrive(fray, move)
    elif not routes:
        _go_without(fray, move, NO_ROUTE, by_land=by_land)
    else:
        _sail(fray, move, offered, routes=routes)


def _sail(fray: Fray, move: Move, offered: Fleets, *, routes: Routes) -> None:
    seas: Chain = frozenset().union(*routes)
    lost = {sea for sea in seas if sea in fray.rivals and winner(fray, sea, left=False)}
    fray.sea_fates |= {offered[sea]: CONVOYED for sea in seas}  # the result of a lost fleet is `dislodged` nevertheless
    if stands(fray.edition, routes, lost):
        fray.sailing.add(move.unit)
        arrive(fray, move)
    else:
        broken = Fate("convoy disrupted", "convoy broken", tuple(sorted(offered[sea] for sea in lost)))
        _go_without(fray, move, broken, by_land=move.to in fray.reach[move.unit])


def _go_without(fray: Fray, move: Move, fate: Fate, *, by_land: bool) -> None:
    """Enter the failure of a convoyed move; in edition 1976 a move to a neighbour goes by land instead."""
    if by_land and fray.edition.neighbour == "swap":
        arrive(fray, move)
    else:
        fray.sea_fates[move.unit] = fate


def _idle(fray: Fray, convoy: Convoy) -> Fate:
    """Return the result of a convoy order that is on no ordered route of an army that goes by convoy."""
    army = fray.orders.get(convoy.of)
    agreed = isinstance(army, Move) and fray.province[army.to] == fray.province[convoy.to]
    by_land = convoy.of in fray.aims and convoy.of not in fray.sailing
    return Fate("void", "no such order" if by_land or not agreed else "no convoy", (convoy.of,))
