"""Draws Birds: the seat's shape, colour and letter, and the type's glyph; the colours are the same
in light and dark mode.
"""

from adjudicator.core.game import Seat
from adjudicator.games.kit.glyphs import Kind, glyph
from adjudicator.games.kit.shapes import (
    INK,
    SHAPES,
    Spot,
    fill,
    number,
    outline,
    points,
    stroke,
    text,
)

FORMS = dict(zip(("Red", "Blue", "Pink", "Green"), SHAPES, strict=True))
BODIES = {"Red": "#A83A33", "Blue": "#2F6DAE", "Pink": "#EDB6D3", "Green": "#2E7D4A"}
SIGNS = {"Red": "#FFFFFF", "Blue": "#FFFFFF", "Pink": INK, "Green": "#FFFFFF"}
BEAK = "#E3A92F"
# how far from the middle beak and tail begin, in radii
_REACH = {"circle": 0.96, "square": 0.9, "diamond": 1.1, "hexagon": 1.0}


def draw_bird(seat: Seat, kind: Kind, at: Spot, radius: float) -> str:
    """Return a Bird around `at`, beak to the right; it reaches about 1.45 radii to each side."""
    return _tail(seat, at, radius) + _beak(seat, at, radius) + draw_body(seat, kind, at, radius)


def draw_body(seat: Seat, kind: Kind, at: Spot, radius: float) -> str:
    """Return a Bird without beak and tail."""
    body = outline(FORMS[seat], at, radius)
    small = 0.86 if FORMS[seat] == "diamond" else 0.92
    return (
        f'{body} fill="{BODIES[seat]}"/>'
        + glyph(kind, at, radius * 1.25 * small, ink=SIGNS[seat], gap=BODIES[seat])
        + f'{body} {stroke("ink-line", max(1.5, radius / 20))} stroke-linejoin="round"/>'
    )


def draw_lettered_bird(seat: Seat, kind: Kind, at: Spot, radius: float) -> str:
    """Return a Bird with its seat's first letter on a badge at its foot."""
    badge = Spot(at.x + radius * 0.86, at.y + radius * 0.8)
    disc = f'<circle cx="{number(badge.x)}" cy="{number(badge.y)}" r="{number(radius * 0.36)}"'
    letter = text(
        Spot(badge.x, badge.y + radius * 0.18),
        seat[0],
        int(radius * 0.5),
        anchor="middle",
        bold=True,
    )
    return (
        draw_bird(seat, kind, at, radius)
        + f"{disc} {fill('sheet')}/>{disc} {stroke('ink-line', 1.5)}/>{letter}"
    )


def draw_seat_mark(seat: Seat, at: Spot, radius: float) -> str:
    """Return a seat's shape with its letter, in its colour."""
    shape = outline(FORMS[seat], at, radius)
    place = (
        f'x="{number(at.x)}" y="{number(at.y + radius * 0.38)}" text-anchor="middle"'
        f' font-size="{number(radius * 1.05)}"'
    )
    letter = (
        f'<text {place} font-family="DejaVu Sans" font-weight="bold"'
        f' fill="{SIGNS[seat]}">{seat[0]}</text>'
    )
    return f'{shape} fill="{BODIES[seat]}"/>{shape} {stroke("ink-line", 1.5)}/>{letter}'


def _beak(seat: Seat, at: Spot, radius: float) -> str:
    x, y = at.x + radius * (_REACH[FORMS[seat]] - 0.12), at.y - radius * 0.18
    corners = points(
        (x, y - radius * 0.22), (x + radius * 0.46, y + radius * 0.04), (x, y + radius * 0.28)
    )
    return (
        f'<polygon points="{corners}" fill="{BEAK}"/><polygon points="{corners}"'
        f' {stroke("ink-line", 1.5)} stroke-linejoin="round"/>'
    )


def _tail(seat: Seat, at: Spot, radius: float) -> str:
    """Return three feathers to the left."""
    x = at.x - radius * (_REACH[FORMS[seat]] - 0.2)
    ends = [(x - radius * 0.5, at.y + radius * down) for down in (-0.32, 0.02, 0.36)]
    rays = "".join(
        f"M{number(x)} {number(at.y + radius * 0.06)}L{number(end[0])} {number(end[1])}"
        for end in ends
    )
    under = f'<path d="{rays}" {stroke("ink-line", radius * 0.24)} stroke-linecap="round"/>'
    return (
        f'{under}<path d="{rays}" fill="none" stroke="{BODIES[seat]}"'
        f' stroke-width="{number(radius * 0.15)}" stroke-linecap="round"/>'
    )
