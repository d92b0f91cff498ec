"""The parts of a picture that several games use: text, lines, arrows, the marks of seats; SVG with
classes that a page can recolour.

Classes that fill: the names of `FILLS`; classes that stroke: the names of `STROKES`. The attributes
have the colours of the light theme, which a letter's picture shows; the site's stylesheet has every
class in both themes.
"""

from dataclasses import dataclass
from html import escape
from math import atan2, cos, sin

from adjudicator.core.game import Seat

SHEET, PAPER, INK, FAINT, LINE = "#FFFFFF", "#FAF7F0", "#1F2430", "#6B6F78", "#DDD6C8"
WAX, MOSS, AMBER, SEA, GOLD = "#9E2A2B", "#2F6B4F", "#9A6700", "#C9DDE3", "#F0D68A"
FILLS = {
    "sheet": SHEET,
    "paper": PAPER,
    "ink": INK,
    "faint": FAINT,
    "line-fill": LINE,
    "wax": WAX,
    "moss": MOSS,
    "amber": AMBER,
    "sea": SEA,
    "gold": GOLD,
}
STROKES = {
    "ink-line": INK,
    "line": LINE,
    "faint-line": FAINT,
    "sheet-line": SHEET,
    "wax-line": WAX,
    "moss-line": MOSS,
    "amber-line": AMBER,
}


@dataclass(frozen=True)
class Spot:
    """A point in the picture's units; y grows downwards."""

    x: float
    y: float


def number(value: float) -> str:
    """Return a coordinate with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0")


def points(*pairs: tuple[float, float]) -> str:
    """Return the pairs as the attribute `points` of a polygon."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in pairs)


def fill(name: str) -> str:
    """Return the attributes of a surface in a named colour."""
    return f'class="{name}" fill="{FILLS[name]}"'


def stroke(name: str, width: float) -> str:
    """Return the attributes of a line in a named colour."""
    return f'class="{name}" fill="none" stroke="{STROKES[name]}" stroke-width="{number(width)}"'


def text(
    at: Spot,
    words: str,
    size: int,
    *,
    colour: str = "ink",
    anchor: str = "start",
    bold: bool = False,
    serif: bool = False,
) -> str:
    """Return one line of text whose baseline is at `at`."""
    family = "DejaVu Serif" if serif else "DejaVu Sans"
    weight = ' font-weight="bold"' if bold else ""
    place = f'x="{number(at.x)}" y="{number(at.y)}" text-anchor="{anchor}"'
    return (
        f'<text {fill(colour)} {place} font-family="{family}"'
        f' font-size="{size}"{weight}>{escape(words)}</text>'
    )


@dataclass(frozen=True)
class Size:
    """How large a picture is, in its own units."""

    width: float
    height: float


def frame(game: str, label: str, size: Size, content: str) -> str:
    """Return a whole picture; `label` says in a sentence what it shows, for screen readers."""
    box, title = f"0 0 {number(size.width)} {number(size.height)}", escape(label, quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board {game}" viewBox="{box}" role="img"'
        f' aria-label="{title}"><title>{title}</title><rect width="{number(size.width)}"'
        f' height="{number(size.height)}" rx="6" {fill("sheet")}/>{content}</svg>'
    )


def colour_paths(paths: str, at: Spot, size: float, *, ink: str, gap: str) -> str:
    """Return `paths`, drawn in a box from -50 to 50 in two colours `{ink}` and `{gap}`, in a box of
    `size` around `at`.
    """
    drawn = paths.replace("{ink}", ink).replace("{gap}", gap)
    return (
        f'<g transform="translate({number(at.x)} {number(at.y)})'
        f' scale({size / 100:.3f})">{drawn}</g>'
    )


# --- arrows and badges


def arrow_head(tip: Spot, towards: Spot, size: float, *, colour: str = "ink") -> str:
    """Return the head of an arrow that ends at `tip`, coming along the line from `towards`."""
    angle = atan2(tip.y - towards.y, tip.x - towards.x)
    wings = [
        (tip.x - size * cos(angle + turn), tip.y - size * sin(angle + turn))
        for turn in (0.45, -0.45)
    ]
    return f'<polygon points="{points((tip.x, tip.y), *wings)}" {fill(colour)}/>'


def arrow(
    start: Spot, tip: Spot, *, width: float = 4, size: float = 18, colour: str = "ink"
) -> str:
    """Return a straight arrow; `colour` has both a fill and a line of its name."""
    angle = atan2(tip.y - start.y, tip.x - start.x)
    stop = Spot(tip.x - cos(angle) * size * 0.6, tip.y - sin(angle) * size * 0.6)
    path = f"M{number(start.x)} {number(start.y)}L{number(stop.x)} {number(stop.y)}"
    return (
        f'<path d="{path}"'
        f" {stroke(f'{colour}-line', width)}/>{arrow_head(tip, start, size, colour=colour)}"
    )


def cross(at: Spot, radius: float) -> str:
    """Return the badge of a piece that was taken or eliminated."""
    arm = radius * 0.42
    x, y = (number(at.x - arm), number(at.x + arm)), (number(at.y - arm), number(at.y + arm))
    disc = f'cx="{number(at.x)}" cy="{number(at.y)}"'
    return (
        f'<circle {disc} r="{number(radius + 3)}" {fill("sheet")}/><circle {disc}'
        f' r="{number(radius)}" {fill("wax")}/><path d="M{x[0]} {y[0]}L{x[1]} {y[1]}M{x[1]}'
        f' {y[0]}L{x[0]} {y[1]}" {stroke("sheet-line", 4)} stroke-linecap="round"/>'
    )


# --- seats: distinguished by shape, and the letter or number in it

SEAT_RADIUS = 13
SHAPES = ("circle", "square", "diamond", "hexagon")


def outline(shape: str, at: Spot, radius: float) -> str:
    """Return the opening of the element of one of `SHAPES`, to be closed with attributes and
    `/>`.
    """
    x, y, r = at.x, at.y, radius
    if shape == "circle":
        return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}"'
    if shape == "square":
        return (
            f'<rect x="{number(x - r * 0.92)}" y="{number(y - r * 0.92)}"'
            f' width="{number(r * 1.84)}" height="{number(r * 1.84)}" rx="2"'
        )
    if shape == "diamond":
        return (
            "<polygon"
            f' points="{points((x, y - r * 1.25), (x + r * 1.25, y), (x, y + r * 1.25), (x - r * 1.25, y))}"'
        )
    corners = [
        (x + r * 1.1 * across, y + r * down)
        for across, down in ((-1, 0), (-0.5, -1), (0.5, -1), (1, 0), (0.5, 1), (-0.5, 1))
    ]
    return f'<polygon points="{points(*corners)}"'


def draw_seat_mark(seat: Seat, at: Spot, *, own: bool = False) -> str:
    """Return the shape of a seat that has a number, with the number in it; filled where it is the
    reader's own.
    """
    body = outline(SHAPES[int(seat) - 1], at, SEAT_RADIUS)
    inside = f'class="{"ink" if own else "sheet"} mark" fill="{INK if own else SHEET}"'
    label = text(
        Spot(at.x, at.y + SEAT_RADIUS * 0.38),
        seat,
        14,
        anchor="middle",
        bold=True,
        colour="sheet" if own else "ink",
    )
    return f"{body} {inside}/>{body} {stroke('ink-line', 1.5)}/>{label}"


def draw_seat_name(seat: Seat, at: Spot, *, own: bool = False) -> str:
    """Return the mark of a seat at `at`, and its name beside it."""
    return draw_seat_mark(seat, at, own=own) + text(
        Spot(at.x + 26, at.y + 8), f"Seat {seat}", 22, bold=True
    )


def draw_lane(seat: Seat, start: Spot, length: float, label: str, *, own: bool = False) -> str:
    """Return a seat's lane of a score track: a bar from `start`, the seat's mark at its end, and a
    label.
    """
    end = start.x + length
    bar = (
        f'<path d="M{number(start.x)} {number(start.y)}H{number(end)}" {stroke("ink-line", 5)}/>'
        if length
        else ""
    )
    return (
        bar
        + draw_seat_mark(seat, Spot(end, start.y), own=own)
        + text(Spot(end + 24, start.y + 7), label, 21, bold=True)
    )


def draw_rule(y: float, width: float) -> str:
    """Return a thin line across a picture of this width."""
    return f'<path d="M28 {number(y)}H{number(width - 28)}" {stroke("line", 1)}/>'


# --- dice

_PIPS = {
    1: (4,),
    2: (2, 6),
    3: (2, 4, 6),
    4: (0, 2, 6, 8),
    5: (0, 2, 4, 6, 8),
    6: (0, 2, 3, 5, 6, 8),
}


def die(face: int, at: Spot, size: float, *, black: bool = False) -> str:
    """Return a die of six faces whose middle is at `at`; its colours are the same in both
    themes.
    """
    body, pip = ("#2B303B", "#FFFFFF") if black else ("#FFFFFF", "#1F2430")
    left, top, step = at.x - size / 2, at.y - size / 2, size * 0.27
    places = [
        (at.x + (place % 3 - 1) * step, at.y + (place // 3 - 1) * step) for place in _PIPS[face]
    ]
    dots = "".join(
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(size * 0.09)}" fill="{pip}"/>'
        for x, y in places
    )
    square = (
        f'<rect x="{number(left)}" y="{number(top)}" width="{number(size)}" height="{number(size)}"'
        f' rx="{number(size * 0.16)}"'
    )
    return f'{square} fill="{body}"/>{dots}{square} {stroke("ink-line", 1.5)}/>'
