"""Resolves moves under `rsp` that depend on each other: in chains, and in rings, which may have
several results or none.
"""

from collections.abc import Iterator, Sequence

from adjudicator.games.diplomacy.map.geography import Province
from adjudicator.games.diplomacy.resolve.rsp_contest import RspField, winner


def settle_contests(field: RspField) -> None:
    """Enter the `taker` of each province that some unit tries to enter.

    A move depends on at most one other: that of the unit in its destination. So the provinces form
    chains. Each chain ends in a province whose unit stays, in an empty one or in a ring, and is
    settled backwards from there.
    """
    at, taker = field.at, field.taker
    for code, rivals in field.rivals.items():
        if code not in taker:
            if len(rivals) == 1 and code not in at:
                taker[code] = rivals[0]
            else:
                _settle_chain(field, code)


def _settle_chain(field: RspField, code: Province) -> None:
    taker, at, aims = field.taker, field.at, field.aims
    chain: list[Province] = []
    while code not in taker:
        unit = at.get(code)
        if unit is None or unit not in aims:
            taker[code] = winner(field, code, left=False)
        elif code in chain:
            _settle_ring(field, chain[chain.index(code) :])
        else:
            chain.append(code)
            code = aims[unit]
    for code in reversed(chain):
        if code not in taker:
            unit = at[code]
            taker[code] = winner(field, code, left=taker[aims[unit]] == unit)


def _settle_ring(field: RspField, ring: Sequence[Province]) -> None:
    """Settle a ring of provinces, in which each unit moves to the next province."""
    goals = [*ring[1:], ring[0]]
    units = [field.at[code] for code in ring]
    if_left = [winner(field, goal, left=True) for goal in goals]
    if_held = [winner(field, goal, left=False) for goal in goals]
    moves = _chosen(
        [best == unit for best, unit in zip(if_left, units, strict=True)],
        [best == unit for best, unit in zip(if_held, units, strict=True)],
    )
    for i, goal in enumerate(goals):
        best = if_left[i] if moves[(i + 1) % len(ring)] else if_held[i]
        field.taker[goal] = None if best == units[i] and not moves[i] else best


def _chosen(if_left: Sequence[bool], if_held: Sequence[bool]) -> Sequence[bool]:
    """Return which moves of a ring succeed; `if_left` and `if_held`: whether each does if the next
    unit leaves, and if it stays.

    1. If some move has the same result in both cases, exactly one result of the ring is consistent.
    2. Otherwise two are, or none. Of two the one with more successes is taken.
    3. If there is none, or both have equally many successes, every move fails.
    """
    results = sorted(_consistent(if_left, if_held), key=sum)
    if not results or (len(results) == 2 and sum(results[0]) == sum(results[1])):
        return [False] * len(if_left)
    return results[-1]


def _consistent(if_left: Sequence[bool], if_held: Sequence[bool]) -> Iterator[Sequence[bool]]:
    """Yield every consistent result of a ring: each move succeeds if and only if it wins the
    contest for its destination.
    """
    for first in (True, False):
        result, following = [], first
        for left, held in zip(reversed(if_left), reversed(if_held), strict=True):
            following = left if following else held
            result.append(following)
        if following == first:
            yield result[::-1]
