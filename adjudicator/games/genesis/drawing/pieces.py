"""Draws jackal heads, cat heads, pyramids, ideas and deeds; their colours are the same in light and
dark mode.

Seats differ in three ways: seat 1 is light, round and has a 1; seat 2 is dark, square and has a 2.
"""

from adjudicator.core.game import Seat
from adjudicator.games.genesis.model.terms import Name
from adjudicator.games.kit.shapes import SHAPES, Spot, colour_paths, number, outline, points, stroke

BODIES = {"1": "#FFFFFF", "2": "#2B303B"}
MARKS = {"1": "#1F2430", "2": "#FFFFFF"}
STONE, SPARK = "#8FB9C9", "#1F2430"
RADIUS, SMALL = 40, 31  # the radius of a piece on a cell; in a corner or on a pyramid
LIT, SHADED = "#E9CF94", "#C59F53"

# each head is drawn in a box from -50 to 50, in one colour: surfaces in {ink}, gaps in {gap}
_HEADS: dict[Name, str] = {
    "anubis": (
        '<path d="M30 46C34 26 31 8 25 -6L29 -48L12 -22L7 -46L-1 -19C-8 -14 -13 -8 -18 0L-46 15C-50'
        ' 19 -49 26 -43 28L-20 30C-13 30 -8 33 -7 46Z" fill="{ink}" stroke="{ink}" stroke-width="3"'
        ' stroke-linejoin="round"/><path d="M-14 2L2 -3L-1 5Z" fill="{gap}"/><path d="M-40 22L-22'
        ' 21M-5 36L31 30" fill="none" stroke="{gap}" stroke-width="4" stroke-linecap="round"/>'
    ),
    "bastet": (
        '<path d="M-36 -46C-22 -40 -16 -33 -13 -26H13C16 -33 22 -40 36 -46C40 -28 41 -10 36 6C32 24'
        ' 17 40 0 44C-17 40 -32 24 -36 6C-41 -10 -40 -28 -36 -46Z" fill="{ink}" stroke="{ink}"'
        ' stroke-width="3" stroke-linejoin="round"/><path d="M-26 0Q-17 -11 -8 2Q-17 7 -26 0ZM26'
        ' 0Q17 -11 8 2Q17 7 26 0ZM-6 17H6L0 24Z" fill="{gap}"/><path d="M0 24V30M-10 25L-27 22M-10'
        ' 30L-25 33M10 25L27 22M10 30L25 33" fill="none" stroke="{gap}" stroke-width="2.6"'
        ' stroke-linecap="round"/>'
    ),
}


def _token(seat: Seat, at: Spot, radius: float) -> str:
    """Return the bare disc or tile of a seat."""
    body = outline(SHAPES[int(seat) - 1], at, radius)
    return f'{body} fill="{BODIES[seat]}"/>{body} {stroke("ink-line", 2)}/>'


def _head(name: Name, seat: Seat, at: Spot, size: float) -> str:
    """Return the head alone, in a box of `size` around `at`."""
    return colour_paths(_HEADS[name], at, size, ink=MARKS[seat], gap=BODIES[seat])


def draw_figure(name: Name, seat: Seat, at: Spot, radius: float) -> str:
    """Return a piece: its seat's token with the head of a jackal or a cat, and the seat's number at
    its foot.
    """
    badge = Spot(at.x + radius * 0.8, at.y + radius * 0.75)
    # separates it from the token
    edge = f' fill="{BODIES[seat]}" stroke="{MARKS[seat]}" stroke-width="1.5"/>'
    number_of = (
        outline(SHAPES[int(seat) - 1], badge, radius * 0.4)
        + edge
        + _numeral(seat, badge, radius * 0.54)
    )
    return _token(seat, at, radius) + _head(name, seat, at, radius * 1.36) + number_of


def draw_seat_mark(seat: Seat, at: Spot, radius: float) -> str:
    """Return the seat's shape with its number in it."""
    return _token(seat, at, radius) + _numeral(seat, at, radius * 1.35)


def _numeral(seat: Seat, at: Spot, size: float) -> str:
    place = f'x="{number(at.x)}" y="{number(at.y + size * 0.36)}" text-anchor="middle"'
    return (
        f'<text {place} font-family="DejaVu Sans" font-size="{number(size)}" font-weight="bold"'
        f' fill="{MARKS[seat]}">{seat}</text>'
    )


def draw_pyramid(at: Spot, width: float) -> str:
    """Return a pyramid, the middle of its box at `at`; a pyramid on the board belongs to no
    seat.
    """
    half, up, down = width / 2, width * 0.5, width * 0.38
    apex, left, right = (
        (at.x, at.y - up),
        (at.x - half, at.y + down),
        (at.x + half, at.y + down * 0.8),
    )
    ridge = (at.x + half * 0.34, at.y + down * 1.16)
    edge = f'{stroke("ink-line", max(1.3, width / 48))} stroke-linejoin="round"'
    return (
        f'<polygon points="{points(apex, left, ridge)}" fill="{LIT}"/><polygon'
        f' points="{points(apex, ridge, right)}" fill="{SHADED}"/><polygon'
        f' points="{points(apex, left, ridge, right)}" {edge}/>'
    )


def draw_idea(at: Spot, radius: float) -> str:
    """Return a stone that is an idea: round, with a spark in it."""
    arm, thin = radius * 0.62, radius * 0.16
    star = points(*((at.x + x * arm, at.y + y * arm) for x, y in _star(thin / arm)))
    disc = f'<circle cx="{number(at.x)}" cy="{number(at.y)}" r="{number(radius)}"'
    return (
        f'{disc} fill="{STONE}"/><polygon points="{star}" fill="{SPARK}"/>{disc}'
        f" {stroke('ink-line', 1.8)}/>"
    )


def _star(thin: float) -> tuple[tuple[float, float], ...]:
    return (
        (0, -1),
        (thin, -thin),
        (1, 0),
        (thin, thin),
        (0, 1),
        (-thin, thin),
        (-1, 0),
        (-thin, -thin),
    )


def draw_closed_eye(at: Spot) -> str:
    """Return the mark of a corner that sleeps: a closed lid with its lashes."""
    x, y = at.x, at.y
    lid = (
        f"M{number(x - 22)} {number(y - 4)}Q{number(x)} {number(y + 18)} {number(x + 22)}"
        f" {number(y - 4)}"
    )
    lashes = "".join(
        f"M{number(x + near)} {number(y + low)}L{number(x + far)} {number(y + lower)}"
        for near, low, far, lower in ((0, 7, 0, 16), (-11, 4.5, -15, 12.5), (11, 4.5, 15, 12.5))
    )
    return f'<path d="{lid}{lashes}" {stroke("faint-line", 3)} stroke-linecap="round"/>'


def draw_deed(seat: Seat, at: Spot, radius: float) -> str:
    """Return a stone that is a deed: a pebble in the light or dark of the seat that holds or placed
    it, with its number.
    """
    across, down, cut = radius * 1.15, radius * 0.86, radius * 0.4
    body = points(
        (at.x - across + cut, at.y - down),
        (at.x + across - cut, at.y - down),
        (at.x + across, at.y),
        (at.x + across - cut, at.y + down),
        (at.x - across + cut, at.y + down),
        (at.x - across, at.y),
    )
    return (
        f'<polygon points="{body}" fill="{BODIES[seat]}"/><polygon points="{body}"'
        f' {stroke("ink-line", 2)} stroke-linejoin="round"/>{_numeral(seat, at, radius * 1.25)}'
    )
