"""Which armies go by convoy under `rsp`, and which convoys stand (rsp R7): a question of fleets alone, settled before any contest.

A convoying fleet holds its sea; only fleets can attack it, and no fleet is convoyed. So whether it is lost follows from the
orders and characteristics of fleets, and nothing else is waited for.
"""

from collections.abc import Mapping

from adjudicator.games.diplomacy.convoys import Chain, chains
from adjudicator.games.diplomacy.fray import Fray, arrive, winner
from adjudicator.games.diplomacy.geography import Province, Unit
from adjudicator.games.diplomacy.orders import Convoy, Move
from adjudicator.games.diplomacy.outcomes import CONVOYED, Fate

Fleets = Mapping[Province, Unit]
Routes = tuple[Chain, ...]

NO_ROUTE = Fate("void", "no convoy")


def cross(fray: Fray) -> None:
    """Settle how every doubtful move goes, by convoy, by land or not at all, and what came of every convoy order."""
    offers: dict[tuple[Unit, Province], dict[Province, Unit]] = {}
    for convoy in fray.convoys:
        offers.setdefault((convoy.of, convoy.to), {})[fray.province[convoy.unit]] = convoy.unit
    for move in fray.doubtful:
        _send(fray, move, offers.get((move.unit, fray.province[move.to]), {}))
    for convoy in fray.convoys:
        if convoy.unit not in fray.sea_fates:
            fray.sea_fates[convoy.unit] = _idle(fray, convoy)


def _send(fray: Fray, move: Move, offered: Fleets) -> None:
    ways = chains(fray.world, fray.province[move.unit], fray.province[move.to])
    routes = tuple(chain for chain in ways if chain <= offered.keys())
    by_land = move.to in fray.reach[move.unit]
    if by_land and not _asks_for_convoy(fray, move, offered):
        arrive(fray, move)
    elif not routes:
        _go_without(fray, move, NO_ROUTE, by_land=by_land)
    else:
        _sail(fray, move, offered, routes=routes)


def _asks_for_convoy(fray: Fray, move: Move, offered: Fleets) -> bool:
    """Whether an army should go to its neighbour by convoy rather than by land (rsp R7)."""
    policy = fray.edition.neighbour
    if policy == "swap":
        back = fray.orders.get(fray.at.get(fray.province[move.to], ""))
        return isinstance(back, Move) and fray.province[back.to] == fray.province[move.unit]
    own = fray.owner[move.unit]
    return move.via or (policy == "intent" and any(fray.owner[fleet] == own for fleet in offered.values()))


def _sail(fray: Fray, move: Move, offered: Fleets, *, routes: Routes) -> None:
    seas = sorted(frozenset().union(*routes))
    lost = {sea for sea in seas if sea in fray.rivals and winner(fray, sea, left=False)}
    whole = [chain.isdisjoint(lost) for chain in routes]
    stands = all(whole) if fray.edition.convoy == "all" else any(whole)
    broken = Fate("convoy disrupted", "convoy broken", tuple(sorted(offered[sea] for sea in lost)))
    for sea in seas:
        fray.sea_fates[offered[sea]] = CONVOYED if stands else broken
    if stands:
        fray.sailing.add(move.unit)
        arrive(fray, move)
    else:
        _go_without(fray, move, broken, by_land=move.to in fray.reach[move.unit])


def _go_without(fray: Fray, move: Move, fate: Fate, *, by_land: bool) -> None:
    """Let an army hold whose convoy does not stand; one that only wanted to change places goes by land (edition 1976)."""
    if by_land and fray.edition.neighbour == "swap":
        arrive(fray, move)
    else:
        fray.sea_fates[move.unit] = fate


def _idle(fray: Fray, convoy: Convoy) -> Fate:
    """Return what came of a convoy that is on no ordered route of an army that wanted one."""
    army = fray.orders.get(convoy.of)
    agreed = isinstance(army, Move) and fray.province[army.to] == fray.province[convoy.to]
    by_land = convoy.of in fray.aims and convoy.of not in fray.sailing
    return Fate("void", "no such order" if by_land or not agreed else "no convoy", (convoy.of,))
