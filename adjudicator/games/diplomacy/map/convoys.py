"""Which seas carry an army from coast to coast: a question of the map alone, asked by both rule sets (rsp R7)."""

from collections.abc import Iterator
from functools import cache

from adjudicator.games.diplomacy.map.geography import Province, World

Chain = frozenset[Province]
"""Seas that together carry an army, none of which can be left out."""


@cache
def chains(world: World, frm: Province, to: Province) -> tuple[Chain, ...]:
    """Return every chain of seas between two coasts of which no link can be left out; () where none leads there.

    A fleet in each sea of one chain, all ordered to convoy that very move, is an ordered route (rsp R7).
    """
    if frm == to or world.places[frm].kind != "coast" or world.places[to].kind != "coast":
        return ()
    found = {frozenset(chain) for first in _seas_at(world, frm) for chain in _onwards(world, (first,), frm, to)}
    return tuple(sorted(found, key=sorted))


def useful(world: World, sea: Province, frm: Province, to: Province) -> bool:
    """Whether a fleet there could be needed to convoy an army between two coasts, on the map alone (DATC 6.F.12, rsp R7)."""
    return any(sea in chain for chain in chains(world, frm, to))


@cache
def _seas_at(world: World, code: Province) -> Chain:
    return frozenset(near for near in world.touching[code] if world.places[near].kind == "sea")


def _onwards(world: World, chain: tuple[Province, ...], frm: Province, to: Province) -> Iterator[tuple[Province, ...]]:
    """Yield what `chain` can become without a short cut: no sea touches any but its two neighbours, or an end that is not its own."""
    if to in world.touching[chain[-1]]:
        yield chain
        return
    near_earlier = _seas_at(world, frm).union(*(_seas_at(world, sea) for sea in chain[:-1]))
    for sea in sorted(_seas_at(world, chain[-1]) - near_earlier - set(chain)):
        yield from _onwards(world, (*chain, sea), frm, to)
