"""Which orders of a phase count: lines of orders, on whatever board they were understood, matched to the units of one position.

A line that no board can make wrong is matched at once (an exchange has thousands of them); every other is judged as a player's.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from adjudicator.games.diplomacy.language.canonical import read_canonical
from adjudicator.games.diplomacy.language.misreading import Unread
from adjudicator.games.diplomacy.language.spelling import Said, read_line
from adjudicator.games.diplomacy.map.geography import STANDARD, Power, Unit
from adjudicator.games.diplomacy.matching.judging import Judged, judge, out_of_place
from adjudicator.games.diplomacy.matching.unit_lookup import Field, field_on
from adjudicator.games.diplomacy.matching.validate_adjustments import only_unit
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

MEMO = 1 << 16  # texts that are remembered

_UNITS = frozenset(STANDARD.units)
_STRICT = EDITIONS["2023"]
_BEGINNING = re.compile(r"\b([AF]) ?([A-Z]{3}(?:/[NSE]C)?)\b")


@dataclass(slots=True)
class Line:
    """What one line says on whatever board."""

    said: Said | None  # None where it cannot be read
    unit: Unit | None  # whom it orders, as far as that can be told
    of: Unit | None = None  # whom that unit is to support or to convoy
    trait: Trait | None = None
    movement: MovementOrder | None = None
    unread: str = ""  # the whole text where it cannot be read
    careful: bool = True  # whether it says whose a unit is, or its movement cannot be obeyed on every board that has its units


@dataclass(slots=True)
class Given:
    """The orders of one phase that count, and what was written beside them."""

    orders: dict[Unit, MovementOrder] = field(default_factory=dict)
    retreats: dict[Unit, Retreat | Disband] = field(default_factory=dict)
    adjustments: dict[Power, list[Build | Disband | Waive]] = field(default_factory=dict)
    void: dict[Unit, Why] = field(default_factory=dict)  # units of the board and others, of which no order counts
    traits: dict[Unit, Trait] = field(default_factory=dict)  # rsp: the changes that count


# --- lines


@lru_cache(maxsize=MEMO)
def understand(text: str) -> Line:
    """Return what a text says; of a text that cannot be read, which unit it began with."""
    canonical = read_canonical(text)
    if canonical:
        return line_of(canonical)
    said = read_line(text, STANDARD)
    if isinstance(said, Unread):
        begun = _BEGINNING.search(text.upper())
        return Line(None, f"{begun[1]} {begun[2]}" if begun else None, unread=text)
    return _line(said)


def line_of(order: Order) -> Line:
    """Return what a line says that gives one order."""
    return _line(Said((order,)))


def _line(said: Said) -> Line:
    trait = next((order.trait for order in said.orders if isinstance(order, Change)), None)
    movement = next((order for order in said.orders if isinstance(order, Hold | Move | Support | Convoy)), None)
    unit = next((order.unit for order in said.orders if not isinstance(order, Waive | Vote | Concede)), None)
    of = movement.of if isinstance(movement, Support | Convoy) else None
    return Line(said, unit, of, trait, movement, careful=bool(said.claims or said.power or (movement and _is_faulty(movement, of))))


def _is_faulty(movement: MovementOrder, of: Unit | None) -> bool:
    """Whether an order can never be obeyed by the strictest edition, where the board has its units."""
    there = {each: "" for each in (movement.unit, of) if each is not None}
    return not _UNITS.issuperset(there) or bool(legality.fault(STANDARD, _STRICT, there, movement))


# --- matched to a board


def assign(rules: Rules, position: Position, lines: Mapping[Power, Sequence[Line]]) -> Given:
    """Return which orders count: those for own units that can ever be obeyed, the last for each unit (R1, G8), builds in turn (R3)."""
    given = Given()
    if position.stage == "M":
        _assign_movement(given, rules, position, lines)
    else:
        take = _take_retreat if position.stage == "R" else _take_adjustment
        for power, own in lines.items():
            field = field_on(rules, position, (power,))
            for line in own:
                take(given, field, line)
    if given.void:
        given.void = {unit: why for unit, why in given.void.items() if unit and unit not in given.orders and unit not in given.retreats}
    return given


def _assign_movement(given: Given, rules: Rules, position: Position, lines: Mapping[Power, Sequence[Line]]) -> None:
    """Enter the movement orders and the changes that count; a line whose order does not count changes nothing (rsp R2)."""
    owner, orders, standard = position.owner, given.orders, rules.rule_set == "standard"
    changes: list[tuple[Unit, Trait, MovementOrder | None]] = []  # with what else their lines order
    for power, own in lines.items():
        for line in own:
            movement, unit, trait = line.movement, line.unit, line.trait
            if movement is None or unit is None or line.careful or owner.get(unit) != power or (line.of and line.of not in owner):
                changes += _take_movement(given, field_on(rules, position, (power,)), line)
            elif trait if standard else movement.kind == "support":
                given.void[unit] = "not possible"
            else:
                orders[unit] = movement
                if trait:
                    changes.append((unit, trait, movement))
    given.traits = {unit: trait for unit, trait, order in changes if order is None or orders[unit] is order}


def _take_movement(given: Given, field: Field, line: Line) -> list[tuple[Unit, Trait, MovementOrder | None]]:
    """Enter what comes of a line as a player's, and return what it changes."""
    unit, judged = field.meant(line.unit or ""), _judged(field, line)
    if not field.is_own(unit):
        given.void.setdefault(unit, "no such unit")  # the outcome of that order, where its owner gave none (DATC 6.A.6)
        return []
    if isinstance(judged, str):
        given.void[unit] = judged
        return []
    order = next((order for order in judged if isinstance(order, MovementOrder)), None)
    if order:
        given.orders[unit] = order
    return [(unit, line.trait, order)] if line.trait else []


def _judged(field: Field, line: Line) -> tuple[Order, ...] | Why:
    """Return the orders of a line, or why it gives none."""
    judged = judge(field, line.said) if line.said else None
    return judged.orders if isinstance(judged, Judged) else judged.why if judged else "not possible"


def _take_retreat(given: Given, field: Field, line: Line) -> None:
    """Enter a retreat or a disbandment; one that is not allowed counts where no other does, and disbands its unit."""
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
    """Enter a build, a removal or a waive of this power; whether it is allowed and due is seen at its turn (R3)."""
    said, power = line.said, field.powers[0]
    if said is None or said.power not in (None, power) or out_of_place(field, said):
        given.void.setdefault(line.unit or "", "not possible")
        return
    order, own = said.orders[0], given.adjustments.setdefault(power, [])
    if isinstance(order, Build):
        own.append(Build(only_unit(field.world, order.unit), order.trait))
    elif isinstance(order, Disband):
        unit = field.meant(order.unit)
        own.append(Disband(unit if field.is_own(unit) else order.unit))
    elif isinstance(order, Waive):
        own.append(Waive(power))
