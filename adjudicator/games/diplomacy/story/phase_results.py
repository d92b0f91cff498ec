"""Sentences on all orders of a phase, power by power: successes together, every failure with its
reason.
"""

from collections.abc import Iterator, Sequence

from adjudicator.games.diplomacy.map.geography import STANDARD, Power, Unit
from adjudicator.games.diplomacy.model.events import Done
from adjudicator.games.diplomacy.phases.view import BoardView
from adjudicator.games.diplomacy.story.failures import failed_together, told_alone, told_together
from adjudicator.games.diplomacy.story.phase_record import (
    PhaseRecord,
    convoy_clause,
    group_alike,
    helped_unit,
    support_clause,
    target_of,
)
from adjudicator.games.diplomacy.story.wording import (
    acting,
    spot_name,
    unit_name,
    units_text,
    whose,
)
from adjudicator.games.kit.words import count, listing, plural


def orders_told(view: BoardView, done: Sequence[Done], stage: str) -> Iterator[str]:
    """Yield the sentences on the orders of a phase, the reader's own powers first; `stage` is `M`,
    `R` or `A`.
    """
    record = PhaseRecord(view, done)
    listed: set[Unit] = set()
    for power in record.powers:
        own = [event for event in done if event.power == power]
        yield from _succeeded(record, power, own)
        yield from _given(record, power, own)
        yield from _still(record, power, own, stage)
        for event in own:
            yield from _failed(record, event, listed)


def _failed(record: PhaseRecord, event: Done, listed: set[Unit]) -> Iterator[str]:
    """Yield the sentence on a failure, unless another event's sentence covered it; `listed` collects
    covered units.
    """
    units = failed_together(record, event)
    if len(units) > 1:
        if event.unit not in listed:
            yield told_together(record, event, units)
        listed.update(
            unit
            for unit in units
            if unit in record.of and record.of[unit].fate.why == event.fate.why
        )
    elif sentence := told_alone(record, event):
        yield sentence


# --- successes


def _succeeded(record: PhaseRecord, power: Power, own: Sequence[Done]) -> Iterator[str]:
    """Yield one sentence for all moves, one for all retreats and one for all builds."""
    moved = [
        f"{_by(event)} to {spot_name(target_of(event.order))}"
        for event in own
        if event.fate.result == "moved"
    ]
    if moved:
        yield f"{acting(record.view, power)} moved {listing(moved)}."
    built = [unit_name(event.unit) for event in own if event.fate.result == "built" and event.unit]
    if built:
        yield f"{acting(record.view, power)} built {listing(built)}."
    fled = [
        (unit_name(event.unit or ""), spot_name(target_of(event.order)))
        for event in own
        if event.fate.result == "retreated"
    ]
    if fled:
        rest = [f"{unit} to {to}" for unit, to in fled[1:]]
        yield (
            f"{whose(record.view, power)}"
            f" {listing([f'{fled[0][0]} retreated to {fled[0][1]}', *rest])}."
        )


def _by(event: Done) -> str:
    """Return a unit that moved, with `by convoy` if it could not go without one."""
    unit, order = event.unit or "", event.order
    return (
        f"{unit_name(unit)}{' by convoy' if target_of(order) not in STANDARD.reach[unit] else ''}"
    )


def _given(record: PhaseRecord, power: Power, own: Sequence[Done]) -> Iterator[str]:
    """Yield a sentence for each move or unit that was supported, and for each army that was
    carried.
    """
    mine = whose(record.view, power)
    for group in group_alike((event for event in own if event.fate.result == "supported"), " S "):
        yield f"{mine} {_units(group)} {support_clause(record, group[0], 'supported')}."
    for group in group_alike((event for event in own if event.fate.result == "convoyed"), " C "):
        army = record.of.get(helped_unit(group[0].order))
        arrived = army is not None and army.fate.result == "moved"
        yield (
            f"{mine} {_units(group)}"
            f" {convoy_clause(record, group[0], 'carried' if arrived else 'stood ready to carry')}."
        )


def _still(record: PhaseRecord, power: Power, own: Sequence[Done], stage: str) -> Iterator[str]:
    """Yield sentences on holds, with or without an order, on disbanded units and on unused
    builds.
    """
    mine = whose(record.view, power)
    held = [event for event in own if event.fate.result == "held"]
    ordered = [event for event in held if not event.fate.why]
    if ordered:
        yield f"{mine} {_units(ordered)} held."
    silent = [event for event in held if event.fate.why]
    if silent:
        yield f"{mine} {_units(silent)} had no order and held."
    gone = [event for event in own if event.fate.result == "disbanded" and not event.fate.why]
    if gone:
        yield (
            f"{acting(record.view, power)} {'removed' if stage == 'A' else 'disbanded'}"
            f" {_units(gone)}."
        )
    unused = sum(1 for event in own if event.fate.result == "waived")
    if unused:
        yield (
            f"{acting(record.view, power)} left {plural(unused, 'a build', count(unused, 'build'))}"
            " unused."
        )


def _units(events: Sequence[Done]) -> str:
    return units_text(event.unit for event in events if event.unit)
