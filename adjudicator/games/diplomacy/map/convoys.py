"""The chains of seas by which fleets can convoy an army from coast to coast; they depend on the map
alone (rsp R7).
"""

from collections.abc import Iterator
from functools import cache

from adjudicator.games.diplomacy.map.geography import Province, World

Chain = frozenset[Province]
"""Seas that together carry an army, all of them necessary."""


@cache
def find_chains(world: World, frm: Province, to: Province) -> tuple[Chain, ...]:
    """Return every minimal chain of seas between two coastal provinces, () if there is none.

    Fleets in all seas of one chain that are ordered to convoy this move are an ordered route (rsp
    R7).
    """
    if frm == to or world.places[frm].kind != "coast" or world.places[to].kind != "coast":
        return ()
    found = {
        frozenset(chain)
        for first in _seas_at(world, frm)
        for chain in _onwards(world, (first,), frm, to)
    }
    return tuple(sorted(found, key=sorted))


def is_on_chain(world: World, sea: Province, frm: Province, to: Province) -> bool:
    """Whether a fleet in `sea` is part of any minimal chain between two coastal provinces (DATC
    6.F.12, rsp R7).
    """
    return any(sea in chain for chain in find_chains(world, frm, to))


@cache
def _seas_at(world: World, code: Province) -> Chain:
    return frozenset(near for near in world.touching[code] if world.places[near].kind == "sea")


def _onwards(
    world: World, chain: tuple[Province, ...], frm: Province, to: Province
) -> Iterator[tuple[Province, ...]]:
    """Yield the minimal chains that begin with `chain`: each sea touches only the seas or coast
    before and after it.
    """
    if to in world.touching[chain[-1]]:
        yield chain
        return
    near_earlier = _seas_at(world, frm).union(*(_seas_at(world, sea) for sea in chain[:-1]))
    for sea in sorted(_seas_at(world, chain[-1]) - near_earlier - set(chain)):
        yield from _onwards(world, (*chain, sea), frm, to)
