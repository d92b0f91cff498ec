"""Order texts matched to the units of one position, at the speed of an exchange: each text is understood once, however often it comes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from adjudicator.games.diplomacy.language.canonical import read_canonical
from adjudicator.games.diplomacy.language.misreading import Unread
from adjudicator.games.diplomacy.language.spelling import ANY_KIND, read_line
from adjudicator.games.diplomacy.map.geography import STANDARD, Power, Unit, kind_of, province_of
from adjudicator.games.diplomacy.model.editions import EDITIONS, Rules
from adjudicator.games.diplomacy.model.orders import Change, Concede, Convoy, Hold, Move, MovementOrder, Order, Support, Trait, Vote, Waive
from adjudicator.games.diplomacy.model.outcomes import Why
from adjudicator.games.diplomacy.resolve import legality

MEMO = 1 << 16  # texts that are remembered

_UNITS = frozenset(STANDARD.units)
_STRICT = EDITIONS["2023"]
_BEGINNING = re.compile(r"\b([AF]) ?([A-Z]{3}(?:/[NSE]C)?)\b")


@dataclass(frozen=True)
class Text:
    """What one text says on whatever board."""

    orders: tuple[Order, ...]  # () where it cannot be read
    unit: Unit | None  # whom it orders, as far as that can be told
    of: Unit | None = None  # whom that unit is to support or to convoy
    trait: Trait | None = None
    movement: MovementOrder | None = None
    claims: tuple[tuple[Unit, Power], ...] = ()  # whose units they are, where the text says so
    power: Power | None = None  # whose line it is, where it says so
    careful: bool = False  # whether its order is no good, or not on every board that has its units


@lru_cache(maxsize=MEMO)
def understand(text: str) -> Text:
    """Return what a text says; of a text that cannot be read, which unit it began with."""
    canonical = read_canonical(text)
    if canonical:
        of = canonical.of if isinstance(canonical, Support | Convoy) else None
        return Text((canonical,), canonical.unit, of, None, canonical, careful=_is_faulty(canonical, canonical.unit, of))
    read = read_line(text, STANDARD)
    if isinstance(read, Unread):
        begun = _BEGINNING.search(text.upper())
        return Text((), f"{begun[1]} {begun[2]}" if begun else None)
    trait = next((order.trait for order in read.orders if isinstance(order, Change)), None)
    movement = next((order for order in read.orders if isinstance(order, Hold | Move | Support | Convoy)), None)
    unit = next((order.unit for order in read.orders if not isinstance(order, Waive | Vote | Concede)), None)
    of = movement.of if isinstance(movement, Support | Convoy) else None
    claims = (*read.claims, *([(unit, read.power)] if unit and read.power else []))
    careful = bool(claims) or _is_faulty(movement, unit, of)
    return Text(read.orders, unit, of, trait, movement, claims, read.power, careful)


def _is_faulty(movement: MovementOrder | None, unit: Unit | None, of: Unit | None) -> bool:
    """Whether an order can never be obeyed by the strictest edition, where the board has its units."""
    there = {each: "" for each in (unit, of) if each is not None}
    return movement is None or not _UNITS.issuperset(there) or bool(legality.fault(STANDARD, _STRICT, there, movement))


@dataclass
class Given:
    """The orders of a movement phase that count, and what was written beside them."""

    orders: dict[Unit, MovementOrder] = field(default_factory=dict)
    void: dict[Unit, Why] = field(default_factory=dict)  # units of the board and others, of which no order counts
    changes: list[tuple[Unit, Trait, MovementOrder | None]] = field(default_factory=list)  # rsp: with what else their lines order
    traits: dict[Unit, Trait] = field(default_factory=dict)  # rsp: the changes that count
    unread: dict[Power, list[str]] = field(default_factory=dict)


def assign(owner: Mapping[Unit, Power], texts: Mapping[Power, Sequence[str]], rules: Rules) -> Given:
    """Return which orders count: those for own units that can ever be obeyed, the last for each unit (R1, G8).

    Under `rsp` no support does (rsp R6), and a line whose order does not count changes no characteristic (rsp R2).
    """
    given = Given()
    standard = rules.rule_set == "standard"
    for power, lines in texts.items():
        for line in lines:
            text = understand(line)
            movement, unit, trait = text.movement, text.unit, text.trait
            if movement is None or unit is None or text.careful or owner.get(unit) != power or (text.of and text.of not in owner):
                _assign_slowly(given, owner, (power, line, text), rules)
            elif trait if standard else movement.kind == "support":
                given.void[unit] = "not possible"
            else:
                given.orders[unit] = movement
                if trait:
                    given.changes.append((unit, trait, movement))
    for unit in given.orders:
        given.void.pop(unit, None)
    for unit, trait, order in given.changes:
        if order is None or given.orders[unit] is order:
            given.traits[unit] = trait
    return given


def _assign_slowly(given: Given, owner: Mapping[Unit, Power], said: tuple[Power, str, Text], rules: Rules) -> None:
    power, line, text = said
    if not text.orders:
        given.unread.setdefault(power, []).append(line)
    if text.unit is None:
        return
    unit = standing(owner, text.unit)
    if owner.get(unit) != power:
        given.void.setdefault(unit, "no such unit")  # the outcome of that order, where its owner gave none (DATC 6.A.6)
        return
    order = on_board(owner, text.movement) if text.movement else None
    why = _refused(owner, text, order, rules)
    if why:
        given.void[unit] = why
        return
    if order:
        given.orders[unit] = order
    if text.trait:
        given.changes.append((unit, text.trait, order))


def _refused(owner: Mapping[Unit, Power], text: Text, order: MovementOrder | None, rules: Rules) -> Why:
    """Return why a line is nothing to its unit in this phase; a change of characteristic alone is something under `rsp`."""
    if not agrees(owner, text):
        return "no such unit"
    if rules.rule_set == "standard" and text.trait:
        return "not possible"
    if order is None:
        return "" if len(text.orders) == 1 and text.trait else "not possible"
    if rules.rule_set == "rsp" and isinstance(order, Support):
        return "not possible"
    return legality.fault(STANDARD, rules.edition, owner, order)


def agrees(owner: Mapping[Unit, Power], text: Text) -> bool:
    """Whether the units of a text are whose it says they are; one that is not on the board is nobody's."""
    return all(owner.get(standing(owner, unit), power) == power for unit, power in text.claims)


def standing(owner: Mapping[Unit, Power], unit: Unit) -> Unit:
    """Return the unit of that kind in that province as the board has it, whatever coast was written (DATC 6.B.10); else `unit` itself."""
    if unit in owner:
        return unit
    kinds = "AF" if kind_of(unit) == ANY_KIND else kind_of(unit)
    return next((each for each in owner if kind_of(each) in kinds and province_of(each) == province_of(unit)), unit)


def on_board(owner: Mapping[Unit, Power], order: MovementOrder) -> MovementOrder:
    """Return the order with its units written as the board has them, and with the one coast a fleet can reach where none is named."""
    unit = standing(owner, order.unit)
    if isinstance(order, Move):
        return Move(unit, legality.with_coast(STANDARD, unit, order.to), order.via)
    if isinstance(order, Support):
        return Support(unit, standing(owner, order.of), order.to)
    if isinstance(order, Convoy):
        return Convoy(unit, standing(owner, order.of), order.to)
    return Hold(unit)
