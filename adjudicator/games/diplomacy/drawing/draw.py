"""Draws a position: provinces, centres, units, the orders of the last phase, and each power's
number of centres.
"""

from collections.abc import Iterator
from itertools import accumulate, repeat

from adjudicator.games.diplomacy.drawing import inks
from adjudicator.games.diplomacy.drawing.arrows import draw_trail
from adjudicator.games.diplomacy.drawing.map_background import draw_codes, draw_provinces
from adjudicator.games.diplomacy.drawing.unit_marks import RADIUS, Known, Piece, draw_unit
from adjudicator.games.diplomacy.map import art
from adjudicator.games.diplomacy.map.geography import (
    STANDARD,
    Power,
    Province,
    Unit,
    province_at,
    province_of,
    spot_of,
)
from adjudicator.games.diplomacy.model.marks import KEYS, homeless_mark, unit_mark
from adjudicator.games.diplomacy.model.state import Homeless
from adjudicator.games.diplomacy.phases.view import BoardView
from adjudicator.games.diplomacy.story.phase_record import target_of
from adjudicator.games.diplomacy.story.wording import is_own
from adjudicator.games.kit.shapes import Size, Spot, fill, frame, number, stroke, text
from adjudicator.games.kit.words import count, listing

STRIP = 84  # height of the strip below the map
_DRAWN = art.load_art(STANDARD.name)
_NAMES = {"standard": "Diplomacy", "rsp": "Rock, Scissors, Paper Diplomacy"}


def draw(view: BoardView) -> str:
    """Return the picture of what `view` shows; its ids are the marks of provinces, coasts, units
    and dislodged units.
    """
    size = Size(_DRAWN.size.width, _DRAWN.size.height + STRIP)
    return frame(KEYS[view.rule_set], _sentence(view), size, draw_board(view) + _strip(view))


def draw_board(view: BoardView, codes: tuple[Province, ...] = tuple(STANDARD.places)) -> str:
    """Return the map without a frame and without the strip below it; only the provinces of `codes`
    have their code printed.
    """
    marks = draw_trail(view)
    below = (
        draw_provinces(view.rule_set, view.centres)
        + marks.lines
        + draw_codes(view.centres, codes)
        + marks.heads
    )
    return f"{below}<g {inks.LETTERS}>{''.join(_units(view))}</g>{marks.signs}"


def _sentence(view: BoardView) -> str:
    centres = ", ".join(
        f"{power.title()} {count(len(owned), 'centre')}"
        for power, owned in sorted(view.centres.items())
        if owned
    )
    return f"{_NAMES[view.rule_set]}, {view.title}: {centres}."


# --- units


def _units(view: BoardView) -> Iterator[str]:
    came = _came(view)
    for power, units in sorted(view.units.items()):
        for unit in units:
            note = _known(view, unit)
            yield draw_unit(
                unit_mark(view.rule_set, unit),
                Piece(unit, power, _DRAWN.at(spot_of(unit)), note, came.get(province_of(unit), "")),
            )
    for each in view.homeless:
        at = _DRAWN.shapes[province_of(each.unit)].away
        ring = (
            f'<circle cx="{number(at.x)}" cy="{number(at.y)}" r="{RADIUS + 4}" stroke-dasharray="7'
            f' 5" {stroke("wax-line", 2.6)}/>'
        )
        yield ring + draw_unit(
            homeless_mark(view.rule_set, each.unit),
            Piece(each.unit, each.power, at, _known_of(view, each)),
        )


def _came(view: BoardView) -> dict[Province, str]:
    """Return for each province that a unit moved or retreated to in the last phase the unit's id on
    the board before.
    """
    marks = {"moved": unit_mark, "retreated": homeless_mark}
    outcomes = view.last.told if view.last else ()
    moves = [
        (each.unit, each.order, marks[each.fate.result])
        for each in outcomes
        if each.unit and each.fate.result in marks
    ]
    return {province_at(target_of(order)): mark(view.rule_set, unit) for unit, order, mark in moves}


def _known(view: BoardView, unit: Unit) -> Known | None:
    """Return the characteristic that the reader may know (rsp R5): the present one of own units,
    the last seen of others.
    """
    if unit in view.traits:
        return Known(view.traits[unit])
    seen = view.seen.get(unit)
    return Known(seen.trait, f"seen {seen.phase}") if seen else None


def _known_of(view: BoardView, each: Homeless) -> Known | None:
    if each.trait:
        return Known(each.trait)
    revealed = view.last.revealed.get(each.unit) if view.last else None
    return Known(revealed, f"seen {view.last.phase}") if revealed and view.last else None


# --- below the map


def _strip(view: BoardView) -> str:
    top, width = _DRAWN.size.height, _DRAWN.size.width
    ground = f'<rect y="{number(top)}" width="{number(width)}" height="{STRIP}" {fill("sheet")}/>'
    line = f'<path d="M0 {number(top)}H{number(width)}" {stroke("line", 1)}/>'
    title = text(Spot(18, top + 33), view.title, 25, serif=True, bold=True)
    aim = text(Spot(width - 18, top + 32), _aim(view), 17, colour="faint", anchor="end")
    return ground + line + title + aim + "".join(map(_chip, repeat(view), STANDARD.powers, _CHIPS))


def _aim(view: BoardView) -> str:
    if view.end is None:
        return f"{view.victory_centres} centres win"
    powers = sorted(
        power.title()
        for realm in view.realms
        if realm.seat in view.end.winners
        for power in realm.powers
    )
    if not powers:
        return "nobody won"
    return f"{listing(powers)} {'share the match' if len(view.end.winners) > 1 else 'won'}"


# The left edges of the chips; each is wide enough for its power's name and two digits in bold.
_CHIPS = tuple(accumulate((62 + 12 * len(power) for power in STANDARD.powers), initial=18))


def _chip(view: BoardView, power: Power, x: int) -> str:
    """Return a power's letter, name and number of centres; the reader's own is underlined."""
    y = _DRAWN.size.height + 64
    own = is_own(view, power)
    owned = len(view.centres.get(power, ()))
    box = (
        f'<rect x="{x}" y="{y - 15}" width="20" height="20" rx="3"'
        f" {inks.edged(power.lower(), 'ink-line', 1.5)}/>"
    )
    words = text(
        Spot(x + 27, y + 1),
        f"{power.title()} {owned}",
        17,
        bold=own,
        colour="ink" if owned or view.units.get(power) else "faint",
    )
    under = f'<path d="M{x + 27} {y + 8}h88" {stroke("wax-line", 2)}/>' if own else ""
    return f"{box}<g {inks.LETTERS}>{inks.letter(power, Spot(x + 10, y), 14)}</g>{words}{under}"
