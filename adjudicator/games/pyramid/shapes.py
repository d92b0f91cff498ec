"""The parts of the picture: text, a pyramid, a seat's mark and an arrow, as SVG with classes that a page can recolour.

Classes that fill: `sheet`, `ink`, `faint`, `wax`, `moss`; classes that stroke: `ink-line`, `line`, `faint-line`, `sheet-line`.
A piece keeps its own colours in every light; its outline is `ink-line`.
"""

from dataclasses import dataclass
from html import escape
from math import atan2, cos, sin

from adjudicator.game import Seat
from adjudicator.games.pyramid.pieces import Piece

SHEET, INK, FAINT, LINE, WAX, MOSS = "#FFFFFF", "#1F2430", "#6B6F78", "#DDD6C8", "#9E2A2B", "#2F6B4F"
FILLS = {"sheet": SHEET, "ink": INK, "faint": FAINT, "wax": WAX, "moss": MOSS}
STROKES = {"ink-line": INK, "line": LINE, "faint-line": FAINT, "sheet-line": SHEET}

FACES = {"B": ("#454B58", "#23272F"), "W": ("#FFFFFF", "#DCD8CE"), "C": ("#D3E6EC", "#9DC0CB"), "R": ("#B93A3B", "#861F20")}
DOTS = {"B": "#FFFFFF", "W": "#1F2430", "C": "#1F2430", "R": "#FFFFFF"}
BASES = {"3": 1.0, "2": 0.77, "1": 0.56}
SLOPE = 1.2  # height of a pyramid over its base


@dataclass(frozen=True)
class Spot:
    """Where something stands, in the picture's units; y grows downwards."""

    x: float
    y: float


def number(value: float) -> str:
    """Return a coordinate with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0")


def points(*pairs: tuple[float, float]) -> str:
    """Return the pairs as the attribute of a polygon."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in pairs)


def fill(name: str) -> str:
    """Return the attributes of a surface in a named colour."""
    return f'class="{name}" fill="{FILLS[name]}"'


def stroke(name: str, width: float) -> str:
    """Return the attributes of a line in a named colour."""
    return f'class="{name}" fill="none" stroke="{STROKES[name]}" stroke-width="{number(width)}"'


def text(at: Spot, words: str, size: int, *, colour: str = "ink", anchor: str = "start", bold: bool = False, serif: bool = False) -> str:
    """Return one line of text whose baseline is at `at`."""
    family = "DejaVu Serif" if serif else "DejaVu Sans"
    weight = ' font-weight="bold"' if bold else ""
    place = f'x="{number(at.x)}" y="{number(at.y)}" text-anchor="{anchor}"'
    return f'<text {fill(colour)} {place} font-family="{family}" font-size="{size}"{weight}>{escape(words)}</text>'


# --- pyramids


def width_of(piece: Piece, large: float) -> float:
    """Return how wide a piece stands where a large one is `large` wide."""
    return large * BASES[piece[1]]


def pyramid(piece: Piece, at: Spot, large: float) -> str:
    """Return the piece standing with the middle of its base at `at`: two faces, and its pips on the lit one."""
    width = width_of(piece, large)
    height, half = width * SLOPE, width / 2
    apex, left, ridge, right = (
        (at.x, at.y - height),
        (at.x - half, at.y),
        (at.x + half * 0.36, at.y + half * 0.14),
        (at.x + half, at.y - half * 0.1),
    )
    lit, shaded = FACES[piece[0]]
    outline = f'{stroke("ink-line", max(1.2, large / 60))} stroke-linejoin="round"'
    return (
        f'<polygon points="{points(apex, left, ridge)}" fill="{lit}"/><polygon points="{points(apex, ridge, right)}" fill="{shaded}"/>'
        f"{_dots(piece, at, half)}"
        f'<polygon points="{points(apex, left, ridge, right)}" {outline}/>'
    )


def _dots(piece: Piece, at: Spot, half: float) -> str:
    """Return as many dots as the piece has pips, in a row along the foot of the lit face."""
    count, radius = int(piece[1]), half * 0.1
    middle, step = at.x - half * 0.27, half * 0.29
    found = []
    for place in range(count):
        x = middle + (place - (count - 1) / 2) * step
        y = at.y - half * 0.2 + (x - at.x + half) * 0.1
        found.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{DOTS[piece[0]]}"/>')
    return "".join(found)


def letter(piece: Piece, at: Spot, large: float) -> str:
    """Return the colour's letter on the lit face of a piece drawn by `pyramid`."""
    width = width_of(piece, large)
    size = int(width * 0.26)
    place = f'x="{number(at.x - width * 0.09)}" y="{number(at.y - width * 0.3)}" text-anchor="middle"'
    return f'<text {place} font-family="DejaVu Sans" font-size="{size}" font-weight="bold" fill="{DOTS[piece[0]]}">{piece[0]}</text>'


def ghost(at: Spot, width: float) -> str:
    """Return the faint outline of a pyramid that is no longer, or not yet, there."""
    corners = points((at.x, at.y - width * SLOPE), (at.x - width / 2, at.y), (at.x + width / 2, at.y))
    return f'<polygon points="{corners}" {stroke("line", 1.5)} stroke-dasharray="3 4" stroke-linejoin="round"/>'


# --- marks


def mark(seat: Seat, at: Spot, radius: float, *, own: bool = False) -> str:
    """Return the shape that stands for a seat, its name in it; filled where it is the reader's own."""
    x, y, r = at.x, at.y, radius
    inside = f'class="{"ink" if own else "sheet"} mark" fill="{INK if own else SHEET}"'
    shape = {
        "1": f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}"',
        "2": f'<rect x="{number(x - r * 0.92)}" y="{number(y - r * 0.92)}" width="{number(r * 1.84)}" height="{number(r * 1.84)}" rx="2"',
        "3": f'<polygon points="{points((x, y - r * 1.25), (x + r * 1.25, y), (x, y + r * 1.25), (x - r * 1.25, y))}"',
    }[seat]
    name = text(Spot(x, y + r * 0.38), seat, int(r * 1.1), anchor="middle", bold=True, colour="sheet" if own else "ink")
    return f"{shape} {inside}/>{shape} {stroke('ink-line', 1.5)}/>{name}"


def head(tip: Spot, towards: Spot, size: float) -> str:
    """Return the head of an arrow that ends at `tip`, coming along the line from `towards`."""
    angle = atan2(tip.y - towards.y, tip.x - towards.x)
    wings = [(tip.x - size * cos(angle + turn), tip.y - size * sin(angle + turn)) for turn in (0.45, -0.45)]
    return f'<polygon points="{points((tip.x, tip.y), *wings)}" {fill("ink")}/>'


def cross(at: Spot, radius: float) -> str:
    """Return the badge of a piece that was taken."""
    arm = radius * 0.42
    x, y = (number(at.x - arm), number(at.x + arm)), (number(at.y - arm), number(at.y + arm))
    disc = f'cx="{number(at.x)}" cy="{number(at.y)}"'
    return (
        f'<circle {disc} r="{number(radius + 3)}" {fill("sheet")}/><circle {disc} r="{number(radius)}" {fill("wax")}/>'
        f'<path d="M{x[0]} {y[0]}L{x[1]} {y[1]}M{x[1]} {y[0]}L{x[0]} {y[1]}" {stroke("sheet-line", 4)} stroke-linecap="round"/>'
    )
