"""Decides which armies go by convoy under `rsp`, and which convoys succeed, before any other
contest (rsp R7).

A convoying fleet stays in its sea. Only fleets can attack it, and no fleet is convoyed. So the
orders and characteristics of fleets alone decide whether it is dislodged.
"""

from adjudicator.games.diplomacy.map.convoys import Chain
from adjudicator.games.diplomacy.model.orders import Convoy, Move
from adjudicator.games.diplomacy.model.outcomes import CONVOYED, Fate
from adjudicator.games.diplomacy.resolve.routes import (
    Fleets,
    Routes,
    convoy_succeeds,
    goes_by_convoy,
    offered_fleets,
    possible_routes,
)
from adjudicator.games.diplomacy.resolve.rsp_contest import RspField, enter_move, winner

NO_ROUTE = Fate("void", "no convoy")


def settle_convoys(field: RspField) -> None:
    """Decide whether each doubtful move goes by convoy, by land or not at all, and enter the result
    of every convoy order.
    """
    fleets = offered_fleets(field)
    for move in field.doubtful:
        _send(field, move, fleets.get((move.unit, field.province[move.to]), {}))
    for convoy in field.convoys:
        if convoy.unit not in field.sea_fates:
            field.sea_fates[convoy.unit] = _idle(field, convoy)


def _send(field: RspField, move: Move, offered: Fleets) -> None:
    routes = tuple(chain for chain in possible_routes(field, move) if chain <= offered.keys())
    by_land = move.to in field.reach[move.unit]
    if by_land and not goes_by_convoy(field, move, offered, routes=routes):
        enter_move(field, move)
    elif not routes:
        _go_without(field, move, NO_ROUTE, by_land=by_land)
    else:
        _sail(field, move, offered, routes=routes)


def _sail(field: RspField, move: Move, offered: Fleets, *, routes: Routes) -> None:
    seas: Chain = frozenset().union(*routes)
    lost = {sea for sea in seas if sea in field.rivals and winner(field, sea, left=False)}
    # the result of a lost fleet is `dislodged` nevertheless
    field.sea_fates |= {offered[sea]: CONVOYED for sea in seas}
    if convoy_succeeds(field.edition, routes, lost):
        field.sailing.add(move.unit)
        enter_move(field, move)
    else:
        broken = Fate(
            "convoy disrupted", "convoy broken", tuple(sorted(offered[sea] for sea in lost))
        )
        _go_without(field, move, broken, by_land=move.to in field.reach[move.unit])


def _go_without(field: RspField, move: Move, fate: Fate, *, by_land: bool) -> None:
    """Enter the failure of a convoyed move; in edition 1976 a move to a neighbour goes by land
    instead.
    """
    if by_land and field.edition.neighbour == "swap":
        enter_move(field, move)
    else:
        field.sea_fates[move.unit] = fate


def _idle(field: RspField, convoy: Convoy) -> Fate:
    """Return the result of a convoy order that is on no ordered route of an army that goes by
    convoy.
    """
    army = field.orders.get(convoy.of)
    agreed = isinstance(army, Move) and field.province[army.to] == field.province[convoy.to]
    by_land = convoy.of in field.aims and convoy.of not in field.sailing
    return Fate("void", "no such order" if by_land or not agreed else "no convoy", (convoy.of,))
