"""Parses orders in every common spelling, without a board: the result may be impossible there."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from adjudicator.games.diplomacy.language.lexing import Word, lex
from adjudicator.games.diplomacy.language.misreading import (
    refuse_misnamed,
    refuse_shapeless,
    refuse_unknown,
)
from adjudicator.games.diplomacy.map.geography import Power, Province, Spot, Unit, World
from adjudicator.games.diplomacy.model.orders import (
    TRAITS,
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
from adjudicator.games.kit.parsing import Misread

LONGEST_LINE = 200  # characters of one order
LONGEST_LIST = 2000  # characters of a line with several orders
_BULLET = re.compile(r"^\s*(?:[-*•–>]+\s+|\d{1,2}[.)]\s+)+")
_PARTING = re.compile(r"[;,]|\.(?=\s)")
_BEGINNINGS = {";": "KPTBDWNYQ", ",": "KPTBDWNYQ", ".": "KTBDWYQ"}
"""The kinds of words that begin another order after each separator."""

ANY_KIND = "?"
"""Replaces `A` or `F` in a unit whose kind the line does not say: `? PAR`."""


@dataclass(frozen=True)
class Said:
    """A parsed line; its units are as written: `F STP` without a coast, `? PAR` without a kind."""

    orders: tuple[Order, ...]  # a change of the characteristic first, then the unit's order
    power: Power | None = None  # the power that the line begins with
    # the provinces between the start and the goal of a convoyed army
    route: tuple[Province, ...] = ()
    # the owners that the line names for other units: `S Russian A WAR`
    claims: tuple[tuple[Unit, Power], ...] = ()


def read_order(text: str, world: World) -> Order | Misread:
    """Return the one order of a line; the coast of a fleet is missing if it was not written.

    A line that does not say whether the unit is an army or a fleet, or that gives two orders, is
    `Misread`.
    """
    parsed = read_line(text, world)
    if isinstance(parsed, Misread):
        return parsed
    if len(parsed.orders) > 1:
        return Misread(
            text.strip(),
            "This is an order and a change of the characteristic at once.",
            tuple(map(str, parsed.orders)),
            kind="ambiguous",
        )
    if f"{ANY_KIND} " in str(parsed.orders[0]):
        return Misread(
            text.strip(),
            "It is not said whether this is an army (A) or a fleet (F).",
            kind="ambiguous",
        )
    return parsed.orders[0]


def read_line(text: str, world: World) -> Said | Misread:
    """Parse a line of one order. Never raises."""
    if len(text) > LONGEST_LINE:
        return Misread(
            text.strip(), f"An order has {LONGEST_LINE} signs at most, one order to a line."
        )
    words = lex(text, world)
    return (
        refuse_unknown(words, text, world)
        or refuse_misnamed(words, text, world)
        or _said(words, text)
    )


def split_orders(line: str, world: World) -> tuple[str, ...]:
    """Return the texts of the orders of a line, which commas, full stops or semicolons separate.

    Bullets and numbers before the first are dropped. An empty line, or one that only names a power,
    has none.
    """
    text = _BULLET.sub("", line)
    if len(text) > LONGEST_LIST:
        return (text,)
    parts, begun = [], 0
    for sign in _PARTING.finditer(text):
        following = lex(text[sign.end() : sign.end() + LONGEST_LINE], world)
        if (
            following
            and following[0].kind == "N"
            and _names_sharers(lex(text[begun : sign.start()][:LONGEST_LINE], world))
        ):
            continue
        if following and following[0].kind in _BEGINNINGS[sign[0]] and not following[0].others:
            parts.append(text[begun : sign.start()])
            begun = sign.end()
    return tuple(
        part
        for part in (*parts, text[begun:])
        if len(part) > LONGEST_LINE or not _says_nothing(lex(part, world))
    )


def _names_sharers(words: Sequence[Word]) -> bool:
    """Whether a part is a draw whose list of sharers may continue after a comma: `draw England,
    France` (R12).
    """
    kinds = [word.kind for word in words]
    return kinds[:1] == ["Y"] and set(kinds[1:]) == {"N"}


def _says_nothing(words: Sequence[Word]) -> bool:
    return [word.kind for word in words] in ([], ["N"], ["-"])


# --- the shapes of orders: patterns over the kinds of words, `U` for a unit

_UNIT = "N?K?P"
_SHAPES = {
    "hold": "(U)H",
    "move": "(U)((?:-P)+)(?:V(P*))?",
    "carried": "(U)V-?(P)",
    "support": "(U)S(U)H?((?:-P)*)V?",
    "support goal first": "(U)S-?(P)<(U)V?",
    "support hold": "(U)SH-?(U)",
    "convoy": "(U)C(U)((?:-P)+)V?",
    "convoy goal first": "(U)C-?(P)<(U)V?",
    "move goal first": "(N?K?)-?(P)<(P)(V?)",
    "retreat goal first": "(N?K?)R(P)<(P)",
    "retreat": "(U)R(P)",
    "disband": "(U)D|D(U)",
    "build": "(U)B|B(U)",
    "waive": "B?W(N?)|WB",
    "draw": "(Y)(N*)",
    "concede": "Q",
    "change": "(U)",
}
_PATTERNS = {name: re.compile(shape.replace("U", _UNIT)) for name, shape in _SHAPES.items()}

_Words = Sequence[Word]


def _said(words: _Words, text: str) -> Said | Misread:
    """Parse a line of known words."""
    power = words[0].means if words and words[0].kind == "N" and len(words) > 1 else None
    rest = words[1:] if power else words
    traits = [
        trait for trait in TRAITS if any(word.kind == "T" and word.means == trait for word in rest)
    ]
    if len(traits) > 1:
        return Misread(
            text.strip(),
            "A unit has one characteristic, and this line names several.",
            kind="ambiguous",
        )
    plain = [word for word in rest if word.kind != "T"]
    kinds = "".join(word.kind for word in plain)
    for name, pattern in _PATTERNS.items():
        match = pattern.fullmatch(kinds)
        if match and (name != "change" or traits):
            parts = [
                plain[slice(*match.span(at + 1))]
                for at, part in enumerate(match.groups())
                if part is not None
            ]
            parsed = _MAKERS[name](parts or [plain], power)
            return _with_trait(parsed, traits[0]) if traits else parsed
    return refuse_shapeless([word for word in plain if word.kind != "<"], text)


def _with_trait(parsed: Said, trait: Trait) -> Said | Misread:
    """Return the line with its characteristic: that of a new unit, or a change beside the unit's
    order (rsp R2, R3).
    """
    order = parsed.orders[0]
    if isinstance(order, Build | Change):
        return replace(parsed, orders=(replace(order, trait=trait),))
    if isinstance(order, MovementOrder):
        return replace(parsed, orders=(Change(order.unit, trait), order))
    return Misread(
        trait,
        "Characteristics go with orders of movement and with builds, not with this one.",
        (str(order),),
    )


def _unit(words: _Words) -> Unit:
    kind = next((word.means for word in words if word.kind == "K"), ANY_KIND)
    return f"{kind} {_goal(kind, words)}"


def _goal(kind: str, words: _Words) -> Spot:
    """Return the spot of the last word; the coast is ignored for an army (DATC 6.B.12)."""
    last = words[-1]
    return f"{last.means}/{last.coast}" if last.coast and kind != "A" else last.means


def _claims(*units: _Words) -> tuple[tuple[Unit, Power], ...]:
    return tuple((_unit(words), words[0].means) for words in units if words[0].kind == "N")


def _places(words: _Words) -> list[Word]:
    return [word for word in words if word.kind == "P"]


# --- from each shape to its order


_Maker = Callable[[Sequence[_Words], Power | None], Said]


def _of_unit(order: Callable[[Unit], Order]) -> _Maker:
    return lambda parts, power: Said((order(_unit(parts[0])),), power)


def _goal_first(make: _Maker) -> _Maker:
    """Read `A MAR support move to BUR from PAR`, `F NTH convoy to NWY from LON`."""
    return lambda parts, power: make((parts[0], parts[2], parts[1]), power)


def _move(parts: Sequence[_Words], power: Power | None) -> Said:
    unit, way = _unit(parts[0]), _places(parts[1])
    route = tuple(word.means for word in (*way[:-1], *_places(parts[2] if len(parts) > 2 else ())))
    return Said(
        (Move(unit, _goal(unit[0], way), via=len(parts) > 2 or len(way) > 1),), power, route
    )


def _carried(parts: Sequence[_Words], power: Power | None) -> Said:
    unit = _unit(parts[0])
    return Said((Move(unit, _goal(unit[0], parts[1]), via=True),), power)


def _support(parts: Sequence[_Words], power: Power | None) -> Said:
    of, way = _unit(parts[1]), _places(parts[2])
    order = Support(_unit(parts[0]), of, _goal(of[0], way) if way else None)
    return Said((order,), power, tuple(word.means for word in way[:-1]), _claims(parts[1]))


def _support_hold(parts: Sequence[_Words], power: Power | None) -> Said:
    """Read `A MUN support hold to RUH`."""
    return _support((parts[0], parts[1], ()), power)


def _move_goal_first(parts: Sequence[_Words], power: Power | None) -> Said:
    """Read `army moves to BUR from PAR`."""
    unit = (*parts[0], *parts[2])
    return _move((unit, parts[1], ()) if parts[3] else (unit, parts[1]), power)


def _retreat_goal_first(parts: Sequence[_Words], power: Power | None) -> Said:
    """Read `army retreats to GAS from PAR`."""
    return _retreat(((*parts[0], *parts[2]), parts[1]), power)


def _convoy(parts: Sequence[_Words], power: Power | None) -> Said:
    way = _places(parts[2])
    order = Convoy(_unit(parts[0]), _unit(parts[1]), way[-1].means)
    return Said((order,), power, tuple(word.means for word in way[:-1]), _claims(parts[1]))


def _retreat(parts: Sequence[_Words], power: Power | None) -> Said:
    unit = _unit(parts[0])
    return Said((Retreat(unit, _goal(unit[0], parts[1])),), power)


def _waive(parts: Sequence[_Words], power: Power | None) -> Said:
    written = next((word.means for word in parts[0] if word.kind == "N"), power)
    return Said((Waive(written or ""),), written)


def _draw(parts: Sequence[_Words], power: Power | None) -> Said:
    agrees = parts[0][0].means == "draw"
    return Said((Vote(agrees, tuple(word.means for word in parts[1]) if agrees else ()),), power)


def _concede(parts: Sequence[_Words], power: Power | None) -> Said:
    return Said((Concede(),), power)


_MAKERS: dict[str, _Maker] = {
    "hold": _of_unit(Hold),
    "move": _move,
    "carried": _carried,
    "support": _support,
    "convoy": _convoy,
    "retreat": _retreat,
    "disband": _of_unit(Disband),
    "build": _of_unit(Build),
    "waive": _waive,
    "draw": _draw,
    "concede": _concede,
    # `_with_trait` replaces the characteristic
    "change": _of_unit(lambda unit: Change(unit, TRAITS[0])),
    "support goal first": _goal_first(_support),
    "support hold": _support_hold,
    "convoy goal first": _goal_first(_convoy),
    "move goal first": _move_goal_first,
    "retreat goal first": _retreat_goal_first,
}
