"""Sentences on failed orders: one for all units of a standoff, one for each other failure."""

from adjudicator.games.diplomacy.map.geography import Power, Unit, province_of
from adjudicator.games.diplomacy.model.events import Done
from adjudicator.games.diplomacy.story.phase_record import Tale, carrying, goal, helped, is_move, supporting, target, that
from adjudicator.games.diplomacy.story.wording import is_own, kind_name, power_name, spot_name, unit_name, whose


def crowd(tale: Tale, event: Done) -> tuple[Unit, ...]:
    """Return the units whose failure one sentence covers: in a standoff, head to head, or retreating to one province."""
    result, why = event.fate.result, event.fate.why
    if event.unit is None:
        return ()
    if why == "standoff":
        alike = [each for each in tale.done if each.fate.why == "standoff" and goal(each) == goal(event)]
        return tuple(dict.fromkeys(unit for each in alike for unit in (each.unit or "", *each.fate.by)))
    if why == "head to head":
        other = tale.of.get(event.fate.by[0])
        return (event.unit, *event.fate.by) if other and other.fate.by == (event.unit,) else (event.unit,)
    return (event.unit, *event.fate.by) if why == "several retreats" and result == "disbanded" else (event.unit,)


def told_together(tale: Tale, event: Done, units: tuple[Unit, ...]) -> str:
    """Return the sentence on several units that failed together."""
    names = tale.names(tale.ordered(units))
    each = "both" if len(units) == 2 else "all"
    if event.fate.why == "standoff":
        return f"{names} {each} tried to enter {spot_name(goal(event))} and stopped each other."
    if event.fate.why == "head to head":
        return f"{names} met head on and stopped each other."
    return f"{names} {each} retreated to {spot_name(goal(event))}, so {'both' if each == 'both' else 'all of them'} were disbanded."


def told_alone(tale: Tale, event: Done) -> str:
    """Return the sentence on one unit's failure, "" if its order did not fail."""
    unit = unit_name(event.unit) if event.unit else "unit"
    mine = f"{whose(tale.view, event.power)} {unit}"
    tell = {"cut": _cut, "support failed": _not_carried, "dislodged": _dislodged, "disbanded": _disbanded}.get(event.fate.result)
    if tell is not None:
        return tell(tale, event, mine)
    return f"{mine} {_failed(tale, event)}." if event.fate.result in ("bounced", "convoy disrupted", "void") else ""


def _cut(tale: Tale, event: Done, mine: str) -> str:
    return f"{mine} {supporting(tale, event, 'supported')}, but the support was cut by {tale.names(event.fate.by, event.power)}."


def _not_carried(tale: Tale, event: Done, mine: str) -> str:
    return f"{mine} {supporting(tale, event, 'supported')}, but nobody carried {that(event)}."


def _dislodged(tale: Tale, event: Done, mine: str) -> str:
    by = event.fate.by
    backed = tale.support_of(by[0], province_of(event.unit or "")) if by else ""
    return f"{mine}{_busy(tale, event)} was driven out by {tale.names(by, event.power)}{backed}."


def _busy(tale: Tale, event: Done) -> str:
    """Return a clause on the order of a dislodged unit, "" for a hold."""
    if is_move(event.order):
        return f", on its way to {spot_name(target(event.order))},"
    if " S " in event.order:
        return f", which was to {supporting(tale, event, 'support')},"
    return f", which was to {carrying(tale, event, 'carry')}," if " C " in event.order else ""


def _disbanded(tale: Tale, event: Done, mine: str) -> str:
    if not event.fate.why:
        return ""
    if event.fate.why == "civil disorder":
        return f"{mine} was removed by civil disorder, as too few removals were ordered."
    if event.fate.why == "no order":
        return f"{mine} had no order to retreat and was disbanded."
    return f"{mine} could not retreat to {spot_name(target(event.order))} and was disbanded."


# --- bounced moves and void orders


def _failed(tale: Tale, event: Done) -> str:
    """Return the predicate on a failed order, with its reason."""
    order = event.order
    if " S " in order:
        return f"was to {supporting(tale, event, 'support')}, but {_mismatch(event)}"
    if " C " in order:
        return f"was to {carrying(tale, event, 'carry')}, but {_mismatch(event)}"
    if order.endswith((" B", " D")):
        verb = "could not be built" if order.endswith(" B") else "could not be removed"
        return f"{verb}: {'no more were due' if event.fate.why == 'too many' else 'it is not possible there'}"
    return f"did not get into {spot_name(target(order))}: {_why_not_in(tale, event)}" if is_move(order) else "held"


def _mismatch(event: Done) -> str:
    why, moves = event.fate.why, " - " in event.order
    if why == "no such order":
        return f"{that(event)} was not ordered to go there" if moves else f"{that(event)} was ordered to move"
    if why == "no convoy":
        return f"no whole chain of fleets was ordered to carry {that(event) if helped(event.order) else 'it'}"
    return "that convoy would have decided over itself" if why == "paradox" else "that was not possible"


def _why_not_in(tale: Tale, event: Done) -> str:
    why, by = event.fate.why, event.fate.by
    if by and why in ("own unit", "defended") and tale.owner(by[0]) == event.power:
        return f"{_possessive(tale, event.power)} own {kind_name(by[0])} stayed there"
    others = tale.names(by, event.power)
    if why == "beaten":
        return f"{others} got in{tale.support_of(by[0], goal(event))}"
    if why == "defended":
        return f"{whose(tale.view, tale.owner(by[0]))} {kind_name(by[0])} could not be driven out"
    return {
        "head to head": f"{others} came the other way and could not be driven back",
        "own unit": f"{others} stayed there",
        "convoy broken": f"its convoy broke when {others} was driven out",
        "paradox": "its convoy would have decided over itself",
        "no convoy": "no whole chain of fleets was ordered to carry it",
    }.get(why, "it cannot go there")


def _possessive(tale: Tale, power: Power) -> str:
    return "your" if is_own(tale.view, power) else f"{power_name(power)}’s"
