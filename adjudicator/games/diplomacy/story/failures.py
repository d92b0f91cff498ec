"""Sentences on failed orders: one for all units of a standoff, one for each other failure."""

from adjudicator.games.diplomacy.map.geography import Power, Unit, province_of
from adjudicator.games.diplomacy.model.events import Done
from adjudicator.games.diplomacy.story.phase_record import (
    PhaseRecord,
    convoy_clause,
    goal_of,
    helped_unit,
    is_move,
    support_clause,
    target_of,
    that_unit,
)
from adjudicator.games.diplomacy.story.wording import (
    is_own,
    kind_name,
    power_name,
    spot_name,
    unit_name,
    whose,
)


def failed_together(record: PhaseRecord, event: Done) -> tuple[Unit, ...]:
    """Return the units whose failure one sentence covers: in a standoff, head to head, or
    retreating to one province.
    """
    result, why = event.fate.result, event.fate.why
    if event.unit is None:
        return ()
    if why == "standoff":
        alike = [
            each
            for each in record.done
            if each.fate.why == "standoff" and goal_of(each) == goal_of(event)
        ]
        return tuple(
            dict.fromkeys(unit for each in alike for unit in (each.unit or "", *each.fate.by))
        )
    if why == "head to head":
        other = record.of.get(event.fate.by[0])
        return (
            (event.unit, *event.fate.by)
            if other and other.fate.by == (event.unit,)
            else (event.unit,)
        )
    return (
        (event.unit, *event.fate.by)
        if why == "several retreats" and result == "disbanded"
        else (event.unit,)
    )


def told_together(record: PhaseRecord, event: Done, units: tuple[Unit, ...]) -> str:
    """Return the sentence on several units that failed together."""
    names = record.names(record.ordered(units))
    each = "both" if len(units) == 2 else "all"
    if event.fate.why == "standoff":
        return f"{names} {each} tried to enter {spot_name(goal_of(event))} and stopped each other."
    if event.fate.why == "head to head":
        return f"{names} met head on and stopped each other."
    return (
        f"{names} {each} retreated to {spot_name(goal_of(event))}, so"
        f" {'both' if each == 'both' else 'all of them'} were disbanded."
    )


def told_alone(record: PhaseRecord, event: Done) -> str:
    """Return the sentence on one unit's failure, "" if its order did not fail."""
    unit = unit_name(event.unit) if event.unit else "unit"
    mine = f"{whose(record.view, event.power)} {unit}"
    tell = {
        "cut": _cut,
        "support failed": _not_carried,
        "dislodged": _dislodged,
        "disbanded": _disbanded,
    }.get(event.fate.result)
    if tell is not None:
        return tell(record, event, mine)
    return (
        f"{mine} {_failed(record, event)}."
        if event.fate.result in ("bounced", "convoy disrupted", "void")
        else ""
    )


def _cut(record: PhaseRecord, event: Done, mine: str) -> str:
    return (
        f"{mine} {support_clause(record, event, 'supported')}, but the support was cut by"
        f" {record.names(event.fate.by, event.power)}."
    )


def _not_carried(record: PhaseRecord, event: Done, mine: str) -> str:
    return (
        f"{mine} {support_clause(record, event, 'supported')}, but nobody carried"
        f" {that_unit(event)}."
    )


def _dislodged(record: PhaseRecord, event: Done, mine: str) -> str:
    by = event.fate.by
    backed = record.support_of(by[0], province_of(event.unit or "")) if by else ""
    return (
        f"{mine}{_busy(record, event)} was driven out by {record.names(by, event.power)}{backed}."
    )


def _busy(record: PhaseRecord, event: Done) -> str:
    """Return a clause on the order of a dislodged unit, "" for a hold."""
    if is_move(event.order):
        return f", on its way to {spot_name(target_of(event.order))},"
    if " S " in event.order:
        return f", which was to {support_clause(record, event, 'support')},"
    return (
        f", which was to {convoy_clause(record, event, 'carry')}," if " C " in event.order else ""
    )


def _disbanded(record: PhaseRecord, event: Done, mine: str) -> str:
    if not event.fate.why:
        return ""
    if event.fate.why == "civil disorder":
        return f"{mine} was removed by civil disorder, as too few removals were ordered."
    if event.fate.why == "no order":
        return f"{mine} had no order to retreat and was disbanded."
    return f"{mine} could not retreat to {spot_name(target_of(event.order))} and was disbanded."


# --- bounced moves and void orders


def _failed(record: PhaseRecord, event: Done) -> str:
    """Return the predicate on a failed order, with its reason."""
    order = event.order
    if " S " in order:
        return f"was to {support_clause(record, event, 'support')}, but {_mismatch(event)}"
    if " C " in order:
        return f"was to {convoy_clause(record, event, 'carry')}, but {_mismatch(event)}"
    if order.endswith((" B", " D")):
        verb = "could not be built" if order.endswith(" B") else "could not be removed"
        return (
            f"{verb}:"
            f" {'no more were due' if event.fate.why == 'too many' else 'it is not possible there'}"
        )
    return (
        f"did not get into {spot_name(target_of(order))}: {_why_not_in(record, event)}"
        if is_move(order)
        else "held"
    )


def _mismatch(event: Done) -> str:
    why, moves = event.fate.why, " - " in event.order
    if why == "no such order":
        return (
            f"{that_unit(event)} was not ordered to go there"
            if moves
            else f"{that_unit(event)} was ordered to move"
        )
    if why == "no convoy":
        return (
            "no whole chain of fleets was ordered to carry"
            f" {that_unit(event) if helped_unit(event.order) else 'it'}"
        )
    return (
        "that convoy would have decided over itself"
        if why == "paradox"
        else "that was not possible"
    )


def _why_not_in(record: PhaseRecord, event: Done) -> str:
    why, by = event.fate.why, event.fate.by
    if by and why in ("own unit", "defended") and record.owner(by[0]) == event.power:
        return f"{_possessive(record, event.power)} own {kind_name(by[0])} stayed there"
    others = record.names(by, event.power)
    if why == "beaten":
        return f"{others} got in{record.support_of(by[0], goal_of(event))}"
    if why == "defended":
        return (
            f"{whose(record.view, record.owner(by[0]))} {kind_name(by[0])} could not be driven out"
        )
    return {
        "head to head": f"{others} came the other way and could not be driven back",
        "own unit": f"{others} stayed there",
        "convoy broken": f"its convoy broke when {others} was driven out",
        "paradox": "its convoy would have decided over itself",
        "no convoy": "no whole chain of fleets was ordered to carry it",
    }.get(why, "it cannot go there")


def _possessive(record: PhaseRecord, power: Power) -> str:
    return "your" if is_own(record.view, power) else f"{power_name(power)}’s"
