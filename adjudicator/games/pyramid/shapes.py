"""Draws a pyramid; the colours of a piece are the same in both themes, its outline is
`ink-line`.
"""

from adjudicator.games.kit.shapes import Spot, number, points, stroke
from adjudicator.games.pyramid.pieces import HIDDEN_RED, Piece

FACES = {
    "B": ("#454B58", "#23272F"),
    "W": ("#FFFFFF", "#DCD8CE"),
    "C": ("#D3E6EC", "#9DC0CB"),
    "R": ("#B93A3B", "#861F20"),
}
DOTS = {"B": "#FFFFFF", "W": "#1F2430", "C": "#1F2430", "R": "#FFFFFF"}
# a hidden size stands as a medium one with a question mark
BASES = {"3": 1.0, "2": 0.77, "1": 0.56, "?": 0.77}
SLOPE = 1.2  # height of a pyramid over its base


# --- pyramids


def width_of(piece: Piece, large: float) -> float:
    """Return the width of a piece where a large one is `large` wide."""
    return large * BASES[piece[1]]


def draw_pyramid(piece: Piece, at: Spot, large: float) -> str:
    """Return the piece standing with the middle of its base at `at`: two faces, and its pips on the
    lit one.
    """
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
        f'<polygon points="{points(apex, left, ridge)}" fill="{lit}"/><polygon'
        f' points="{points(apex, ridge, right)}" fill="{shaded}"/>{_dots(piece, at, half)}<polygon'
        f' points="{points(apex, left, ridge, right)}" {outline}/>'
    )


def _dots(piece: Piece, at: Spot, half: float) -> str:
    """Return as many dots as the piece has pips, in a row along the foot of the lit face; a
    question mark where that is hidden.
    """
    if piece == HIDDEN_RED:
        return _sign("?", Spot(at.x - half * 0.2, at.y - half * 0.35), half * 0.95, DOTS["R"])
    count, radius = int(piece[1]), half * 0.1
    middle, step = at.x - half * 0.27, half * 0.29
    found = []
    for place in range(count):
        x = middle + (place - (count - 1) / 2) * step
        y = at.y - half * 0.2 + (x - at.x + half) * 0.1
        found.append(
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
            f' fill="{DOTS[piece[0]]}"/>'
        )
    return "".join(found)


def draw_letter(piece: Piece, at: Spot, large: float) -> str:
    """Return the colour's letter on the lit face of a piece drawn by `draw_pyramid`."""
    width = width_of(piece, large)
    return _sign(
        piece[0], Spot(at.x - width * 0.09, at.y - width * 0.3), width * 0.26, DOTS[piece[0]]
    )


def _sign(sign: str, at: Spot, size: float, colour: str) -> str:
    place = f'x="{number(at.x)}" y="{number(at.y)}" text-anchor="middle"'
    return (
        f'<text {place} font-family="DejaVu Sans" font-size="{int(size)}" font-weight="bold"'
        f' fill="{colour}">{sign}</text>'
    )


def draw_ghost(at: Spot, width: float) -> str:
    """Return the faint outline of a pyramid that was played, or is not shown yet."""
    corners = points(
        (at.x, at.y - width * SLOPE), (at.x - width / 2, at.y), (at.x + width / 2, at.y)
    )
    return (
        f'<polygon points="{corners}" {stroke("line", 1.5)} stroke-dasharray="3 4"'
        ' stroke-linejoin="round"/>'
    )
