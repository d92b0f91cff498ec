"""Selects the orders of a phase that count: parsed lines, matched to the units of one position.

A line that is legal on every board with its units is matched at once, since an exchange has
thousands of them; every other goes through `judging`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from adjudicator.games.diplomacy.language.canonical import read_canonical
from adjudicator.games.diplomacy.language.spelling import Said, read_line
from adjudicator.games.diplomacy.map.geography import STANDARD, Power, Unit
from adjudicator.games.diplomacy.matching.judging import Judged, judge_line, out_of_place
from adjudicator.games.diplomacy.matching.unit_lookup import Field
from adjudicator.games.diplomacy.matching.validate_short_phases import only_unit
from adjudicator.games.diplomacy.model.editions import EDITIONS, Rules
from adjudicator.games.diplomacy.model.orders import (
    Build,
    Change,
    Concede,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Retreat,
    Support,
    Trait,
    Vote,
    Waive,
)
from adjudicator.games.diplomacy.model.outcomes import Why
from adjudicator.games.diplomacy.model.state import Position
from adjudicator.games.diplomacy.resolve import legality
from adjudicator.games.kit.parsing import Misread

MEMO = 1 << 16  # cached texts, and as many orders

_UNITS = frozenset(STANDARD.units)
_STRICT = EDITIONS["2023"]
_BEGINNING = re.compile(rf"\b([AF])\s+((?:{'|'.join(STANDARD.places)})(?:/[NSE]C)?)\b")


@dataclass(slots=True)
class Line:
    """A parsed line, independent of any board."""

    said: Said | None  # None if it cannot be parsed
    unit: Unit | None  # the unit that it orders, if known
    of: Unit | None = None  # the unit that it is to support or to convoy
    trait: Trait | None = None
    movement: MovementOrder | None = None
    unread: str = ""  # the whole text if it cannot be parsed
    # whether it is a change of characteristic without an order and without an owner
    alone: bool = False
    # whether it names an owner, or its movement is not legal on every board with its units
    careful: bool = True


@dataclass(slots=True)
class Given:
    """The orders of one phase that count, and the units whose orders do not."""

    orders: dict[Unit, MovementOrder] = field(default_factory=dict)
    retreats: dict[Unit, Retreat | Disband] = field(default_factory=dict)
    adjustments: dict[Power, list[Build | Disband | Waive]] = field(default_factory=dict)
    # units, on the board or not, with orders of which none counts
    void: dict[Unit, Why] = field(default_factory=dict)
    traits: dict[Unit, Trait] = field(default_factory=dict)  # rsp: the changes that count


# --- lines


@lru_cache(maxsize=MEMO)
def understand_line(text: str) -> Line:
    """Parse a text; if that fails, the line has the first unit that the text names in canonical
    spelling.
    """
    canonical = read_canonical(text)
    if canonical:
        return line_of(canonical)
    parsed = read_line(text, STANDARD)
    if isinstance(parsed, Misread):
        begun = _BEGINNING.search(text.upper())
        return Line(None, f"{begun[1]} {begun[2]}" if begun else None, unread=text)
    return _line(parsed)


@lru_cache(maxsize=MEMO)
def line_of(order: Order) -> Line:
    """Return the line of one order."""
    return _line(Said((order,)))


def _line(parsed: Said) -> Line:
    trait = next((order.trait for order in parsed.orders if isinstance(order, Change)), None)
    movement = next(
        (order for order in parsed.orders if isinstance(order, Hold | Move | Support | Convoy)),
        None,
    )
    unit = next(
        (order.unit for order in parsed.orders if not isinstance(order, Waive | Vote | Concede)),
        None,
    )
    of = movement.of if isinstance(movement, Support | Convoy) else None
    claims = bool(parsed.claims or parsed.power)
    alone = not claims and len(parsed.orders) == 1 and trait is not None
    return Line(
        parsed,
        unit,
        of,
        trait,
        movement,
        alone=alone,
        careful=claims or (movement is not None and _is_faulty(movement, of)),
    )


def _is_faulty(movement: MovementOrder, of: Unit | None) -> bool:
    """Whether an order is illegal under the strictest edition on a board with its units."""
    there = {each: "" for each in (movement.unit, of) if each is not None}
    return not _UNITS.issuperset(there) or bool(
        legality.find_fault(STANDARD, _STRICT, there, movement)
    )


# --- matched to a board


def assign_orders(rules: Rules, position: Position, lines: Mapping[Power, Sequence[Line]]) -> Given:
    """Return the orders that count: legal ones for own units, the last one of each unit (R1, G8),
    builds in their order (R3).
    """
    given = Given()
    if position.stage == "M":
        _assign_movement(given, rules, position, lines)
    else:
        take = _take_retreat if position.stage == "R" else _take_adjustment
        for power, own in lines.items():
            field = Field(rules, position, (power,))
            for line in own:
                take(given, field, line)
    if given.void:
        given.void = {
            unit: why
            for unit, why in given.void.items()
            if unit and unit not in given.orders and unit not in given.retreats
        }
    return given


def _assign_movement(
    given: Given, rules: Rules, position: Position, lines: Mapping[Power, Sequence[Line]]
) -> None:
    """Enter the movement orders and the changes that count; a change in the line of an order that
    does not count is void (rsp R2).
    """
    owner, orders, standard = position.owner, given.orders, rules.rule_set == "standard"
    # each with the movement order of its line
    changes: list[tuple[Unit, Trait, MovementOrder | None]] = []
    for power, own in lines.items():
        field: Field | None = None
        for line in own:
            movement, unit, trait = line.movement, line.unit, line.trait
            if unit and trait and not standard and line.alone and owner.get(unit) == power:
                changes.append((unit, trait, None))
            elif (
                movement is None
                or unit is None
                or line.careful
                or owner.get(unit) != power
                or (line.of and line.of not in owner)
            ):
                field = field or Field(rules, position, (power,))
                changes += _take_movement(given, field, line)
            elif trait if standard else movement.kind == "support":
                given.void[unit] = "not possible"
            else:
                orders[unit] = movement
                if trait:
                    changes.append((unit, trait, movement))
    given.traits = {
        unit: trait for unit, trait, order in changes if order is None or orders[unit] is order
    }


def _take_movement(
    given: Given, field: Field, line: Line
) -> list[tuple[Unit, Trait, MovementOrder | None]]:
    """Enter the order of a line after `judging` it, and return its change of characteristic."""
    unit, judged = field.meant(line.unit or ""), _judged(field, line)
    if not field.is_own(unit):
        # counts only if the unit's owner gave no order (DATC 6.A.6)
        given.void.setdefault(unit, "no such unit")
        return []
    if isinstance(judged, str):
        given.void[unit] = judged
        return []
    order = next((order for order in judged if isinstance(order, MovementOrder)), None)
    if order:
        given.orders[unit] = order
    return [(unit, line.trait, order)] if line.trait else []


def _judged(field: Field, line: Line) -> tuple[Order, ...] | Why:
    """Return the orders of a line, or the reason why it is void."""
    judged = judge_line(field, line.said) if line.said else None
    return judged.orders if isinstance(judged, Judged) else judged.why if judged else "not possible"


def _take_retreat(given: Given, field: Field, line: Line) -> None:
    """Enter a retreat or a disbandment; a forbidden retreat counts if no other order does, and
    disbands its unit.
    """
    unit, order = field.meant(line.unit or ""), line.said.orders[0] if line.said else None
    own = field.is_own(unit)
    if (
        own
        and isinstance(order, Retreat)
        and not line.careful
        and order.unit == unit
        and order.to in field.position.homeless[unit].retreats
    ):
        given.retreats[unit] = order
        return
    judged = _judged(field, line)
    if own and isinstance(judged, tuple) and isinstance(judged[0], Retreat | Disband):
        given.retreats[unit] = judged[0]
    elif judged == "not allowed" and isinstance(order, Move | Retreat):
        given.retreats.setdefault(unit, Retreat(unit, order.to))
    else:
        given.void[unit] = "not possible"


def _take_adjustment(given: Given, field: Field, line: Line) -> None:
    """Enter a build, a removal or a waive of this power; `resolve_adjustments` decides whether it
    is allowed and due (R3).
    """
    parsed, power = line.said, field.powers[0]
    if parsed is None or parsed.power not in (None, power) or out_of_place(field, parsed):
        given.void.setdefault(line.unit or "", "not possible")
        return
    order, own = parsed.orders[0], given.adjustments.setdefault(power, [])
    if isinstance(order, Build):
        own.append(Build(only_unit(field.world, order.unit), order.trait))
    elif isinstance(order, Disband):
        unit = field.meant(order.unit)
        own.append(Disband(unit if field.is_own(unit) else order.unit))
    elif isinstance(order, Waive):
        own.append(Waive(power))
