"""Decides who enters each province by strength (DATC chapter 5): hold, attack, head to head,
prevention, rings.
"""

from adjudicator.games.diplomacy.map.geography import Province, Unit
from adjudicator.games.diplomacy.resolve.movement_orders import Field


def settle_contests(field: Field) -> None:
    """Enter the `taker` of each province that some unit tries to enter.

    A move depends on at most one other: that of the unit in its destination. So the provinces form
    chains. Each chain is followed to its end and settled backwards from there.
    """
    at, taker, aims, backers = field.at, field.taker, field.aims, field.backers
    for code, rivals in field.rivals.items():
        if code in taker:
            continue
        if len(rivals) == 1 and code not in at:
            taker[code] = rivals[0]
        elif len(rivals) == 1 and at[code] not in aims and rivals[0] not in backers:
            taker[code] = None  # without support no unit dislodges one that stays
        else:
            _settle_chain(field, code)


def _settle_chain(field: Field, code: Province) -> None:
    taker, at, aims = field.taker, field.at, field.aims
    chain: list[Province] = []
    while code not in taker:
        unit = at.get(code)
        if unit is None or not is_leaving(field, unit):
            taker[code] = winner(field, code, left=False)
        elif head_to_head(field, unit):
            taker[code] = winner(field, code, left=winner(field, aims[unit], left=False) == unit)
        elif code in chain:
            _settle_ring(field, chain[chain.index(code) :])
        else:
            chain.append(code)
            code = aims[unit]
    _settle_backwards(field, chain)


def _settle_backwards(field: Field, chain: list[Province]) -> None:
    """Settle a chain of provinces backwards; each unit moves to the next one, the last unit to one
    that is settled.
    """
    for code in reversed(chain):
        if code not in field.taker:
            unit = field.at[code]
            field.taker[code] = winner(field, code, left=field.taker[field.aims[unit]] == unit)


def _settle_ring(field: Field, ring: list[Province]) -> None:
    """Settle a ring of provinces, in which each unit moves to the next province.

    All moves succeed unless one of them fails even if the unit in its destination leaves. A move
    can only be harder if that unit stays, so such a failure is certain. It breaks the ring into a
    chain.
    """
    for place, code in enumerate(ring):
        unit = field.at[code]
        if winner(field, field.aims[unit], left=True) != unit:
            field.taker[code] = winner(field, code, left=False)
            _settle_backwards(field, ring[place + 1 :] + ring[:place])
            return
    for code in ring:
        field.taker[field.aims[field.at[code]]] = field.at[code]


def is_leaving(field: Field, unit: Unit) -> bool:
    """Whether a unit tries to leave: it has a possible move and is not stranded."""
    return unit in field.aims and unit not in field.stranded


def head_to_head(field: Field, unit: Unit) -> Unit | None:
    """Return the unit that moves the other way if neither goes by convoy, else None."""
    other = field.at.get(field.aims[unit])
    if other is None or not is_leaving(field, other) or field.aims[other] != field.province[unit]:
        return None
    return None if unit in field.sailing or other in field.sailing else other


def winner(field: Field, code: Province, *, left: bool) -> Unit | None:
    """Return the unit that enters a province if the unit there leaves (`left`) or stays; None if no
    unit does.
    """
    holder = field.at.get(code)
    rivals = effective_rivals(field, code, left=left)
    if len(rivals) == 1:
        best, prevention = rivals[0], 0
    elif rivals:
        ranked = sorted(rivals, key=lambda unit: -strength(field, unit))
        best, prevention = ranked[0], strength(field, ranked[1])
    else:
        return None
    attack = strength(field, best)
    if holder is not None and not left:
        attack = _attack_on(field, best, holder)
        prevention = max(prevention, defence(field, holder, best))
    return best if attack > prevention else None


def effective_rivals(field: Field, code: Province, *, left: bool) -> list[Unit]:
    """Return the rivals for a province, without a unit that its head-to-head opponent dislodged by
    leaving (`left`, DATC 6.E.1).
    """
    rivals = field.rivals[code]
    holder = field.at.get(code)
    loser = head_to_head(field, holder) if left and holder else None
    return [unit for unit in rivals if unit != loser] if loser else rivals


def strength(field: Field, unit: Unit) -> int:
    """Return the strength of a unit with all its uncut supports."""
    return 1 + len(field.backers.get(unit, ()))


def defence(field: Field, holder: Unit, attacker: Unit) -> int:
    """Return the defending strength of a unit; supports count if it had no possible move, or moves
    head to head with the attacker.
    """
    if is_leaving(field, holder):
        return strength(field, holder) if head_to_head(field, holder) == attacker else 1
    return 1 if holder in field.aims else strength(field, holder)


def _attack_on(field: Field, unit: Unit, holder: Unit) -> int:
    """Return the attacking strength against a unit that stays; units of that unit's power add
    nothing to it.
    """
    victim = field.owner[holder]
    if field.owner[unit] == victim:
        return 0
    return 1 + sum(field.owner[backer] != victim for backer in field.backers.get(unit, ()))
