"""Validates the retreat of a dislodged unit (R2)."""

from adjudicator.games.diplomacy.map.geography import province_at, province_of, the_place
from adjudicator.games.diplomacy.matching.unit_lookup import Fault, Field, describe_unit
from adjudicator.games.diplomacy.model.orders import Disband, Move, Retreat
from adjudicator.games.diplomacy.model.state import Homeless
from adjudicator.games.kit.words import capital, listing


def judge_retreat(field: Field, order: Move | Retreat) -> Retreat | Fault:
    """Return the retreat of a dislodged unit with its coast, or why it is not allowed."""
    each = field.position.homeless[order.unit]
    code = province_at(order.to)
    spots = [spot for spot in each.retreats if spot == order.to] or [spot for spot in each.retreats if province_at(spot) == code]
    if len(spots) == 1 and order.to in (spots[0], code):
        return Retreat(order.unit, spots[0])
    if order.to == code and spots:
        names = listing([the_place(field.world, spot) for spot in spots], "or")
        like = tuple(str(Retreat(order.unit, to)) for to in spots)
        return Fault(order.to, f"It is not said which coast: {names}.", like, "ambiguous", "not allowed")
    ways = (*(str(Retreat(order.unit, to)) for to in (*spots, *(to for to in each.retreats if to not in spots))), str(Disband(order.unit)))
    reason = f"{capital(describe_unit(order.unit))} may not retreat to {the_place(field.world, order.to)}: {_why(field, each, code)}."
    return Fault(order.to, reason, ways, why="not allowed")


def _why(field: Field, each: Homeless, code: str) -> str:
    if not any(province_at(spot) == code for spot in field.world.reach[each.unit]):
        return "it is not next to it"
    if code == each.barred:
        return "its attacker came from there"
    if any(province_of(unit) == code for unit in field.position.owner):
        return "a unit stands there"
    return "a standoff left it vacant" if code in field.position.contested else "it cannot reach that coast"
