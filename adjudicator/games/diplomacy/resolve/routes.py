"""Convoys for both rule sets: the ordered fleets, the choice between land and convoy, and intact
routes (R9, rsp R7).
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from adjudicator.games.diplomacy.map.convoys import Chain, find_chains
from adjudicator.games.diplomacy.map.geography import Power, Province, Unit, World
from adjudicator.games.diplomacy.model.editions import Edition
from adjudicator.games.diplomacy.model.orders import Convoy, Move, MovementOrder

Fleets = Mapping[Province, Unit]
Routes = tuple[Chain, ...]


class Phase(Protocol):
    """The part of a movement phase that both resolvers have."""

    world: World
    edition: Edition
    owner: Mapping[Unit, Power]
    orders: Mapping[Unit, MovementOrder]
    province: Mapping[str, Province]
    at: dict[Province, Unit]
    convoys: list[Convoy]


def offered_fleets(phase: Phase) -> dict[tuple[Unit, Province], dict[Province, Unit]]:
    """Return the fleets ordered to convoy, by (army, destination) and then by sea."""
    fleets: dict[tuple[Unit, Province], dict[Province, Unit]] = {}
    for convoy in phase.convoys:
        fleets.setdefault((convoy.of, convoy.to), {})[phase.province[convoy.unit]] = convoy.unit
    return fleets


def possible_routes(phase: Phase, move: Move) -> Routes:
    """Return every minimal chain of seas that could carry the army."""
    return find_chains(phase.world, phase.province[move.unit], phase.province[move.to])


def goes_by_convoy(phase: Phase, move: Move, offered: Fleets, *, routes: Routes) -> bool:
    """Whether an army goes to its neighbour by convoy rather than by land (R9, rsp R7, DATC 4.A.3);
    `routes` are the ordered ones.
    """
    policy = phase.edition.neighbour
    if policy == "swap":
        back = phase.orders.get(phase.at.get(phase.province[move.to], ""))
        return (
            bool(routes)
            and isinstance(back, Move)
            and phase.province[back.to] == phase.province[move.unit]
        )
    own = phase.owner[move.unit]
    return move.via or (
        policy == "intent" and any(phase.owner[fleet] == own for fleet in offered.values())
    )


def convoy_succeeds(edition: Edition, routes: Iterable[Chain], lost: Collection[Province]) -> bool:
    """Whether a convoy succeeds if the fleets in `lost` are dislodged: any ordered route is intact,
    or all are (DATC 4.A.1).
    """
    whole = [chain.isdisjoint(lost) for chain in routes]
    return all(whole) if edition.convoy == "all" else any(whole)
