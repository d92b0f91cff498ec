"""Draws cards, face up or face down, and chips; the colours of a card are the same in both
themes.
"""

from adjudicator.games.kit.glyphs import Kind, glyph
from adjudicator.games.kit.shapes import Size, Spot, fill, number, stroke, text

FACE, INK, BACK, WEAVE = "#FFFDF6", "#1F2430", "#4B6A78", "#7D98A3"
TALL = 1.4  # height of a card over its width


def draw_card(kind: Kind, at: Spot, width: float) -> str:
    """Return a card face up whose middle is at `at`: its glyph, and its letter in the corner."""
    letter = Spot(at.x - width * 0.4, at.y - width * 0.49)
    place = (
        f'x="{number(letter.x)}" y="{number(letter.y)}" font-family="DejaVu Sans"'
        f' font-size="{int(width * 0.16)}"'
    )
    corner = (
        f'<text {place} font-weight="bold" fill="{INK}">{kind[0].upper()}</text>'
        if width >= 60
        else ""
    )
    return (
        _sheet(at, width, FACE)
        + corner
        + glyph(kind, at, width * 0.66, ink=INK, gap=FACE)
        + _edge(at, width)
    )


def draw_card_back(at: Spot, width: float) -> str:
    """Return a card face down."""
    inner = width * 0.78
    height = inner + width * (TALL - 1)
    left, top = at.x - inner / 2, at.y - height / 2
    box = (
        f'x="{number(left)}" y="{number(top)}" width="{number(inner)}" height="{number(height)}"'
        f' rx="{number(width * 0.05)}"'
    )
    return (
        _sheet(at, width, BACK)
        + f'<rect {box} fill="none" stroke="{WEAVE}" stroke-width="{number(width * 0.04)}"/>'
        + _edge(at, width)
    )


def draw_empty_place(at: Spot, width: float) -> str:
    """Return the place of a card that is not shown yet."""
    return f'<rect {_box(at, width)} {stroke("faint-line", 1.5)} stroke-dasharray="4 5"/>'


def draw_chip(words: str, at: Spot, size: Size) -> str:
    """Return a plate with a few words on it, its middle at `at`."""
    left, top = at.x - size.width / 2, at.y - size.height / 2
    box = (
        f'x="{number(left)}" y="{number(top)}" width="{number(size.width)}"'
        f' height="{number(size.height)}" rx="{number(size.height / 2)}"'
    )
    return f"<rect {box} {fill('paper')}/><rect {box} {stroke('faint-line', 1.5)}/>" + text(
        Spot(at.x, at.y + 6), words, 17, anchor="middle", bold=True
    )


def _box(at: Spot, width: float) -> str:
    left, top = at.x - width / 2, at.y - width * TALL / 2
    return (
        f'x="{number(left)}" y="{number(top)}" width="{number(width)}"'
        f' height="{number(width * TALL)}" rx="{number(width * 0.08)}"'
    )


def _sheet(at: Spot, width: float, colour: str) -> str:
    return f'<rect {_box(at, width)} fill="{colour}"/>'


def _edge(at: Spot, width: float) -> str:
    return f"<rect {_box(at, width)} {stroke('ink-line', max(1.0, width / 90))}/>"
