"""Draws what the last order did: the paths of pieces, and marks on what came, went or was
killed.
"""

from math import hypot

from adjudicator.core.game import Seat
from adjudicator.games.genesis.drawing.pieces import RADIUS, SMALL, draw_deed
from adjudicator.games.genesis.drawing.squares import Chart
from adjudicator.games.genesis.model import events
from adjudicator.games.genesis.model.world import CENTRE, CORNERS, Square
from adjudicator.games.kit.shapes import Spot, arrow, arrow_head, cross, fill, number, stroke

BADGE = 12
FROM = 22  # the distance from the middle of its square to the beginning of a move's line
# the same to the line's end, in radii of a piece; the last from the side of its number
STRAIGHT, SLANTED, FROM_BADGE = 1.1, 1.5, 1.75


def draw_paths(last: tuple[events.Happened, ...], chart: Chart) -> str:
    """Return the paths of moves and leaps, and the lines to ideas that came or went; they are drawn
    under the pieces.
    """
    drawn = []
    for event in last:
        match event:
            case events.Moved():
                drawn.append(_move(chart, event.start, event.end))
            case events.Leapt():
                drawn.append(_leap(chart, event.start, event.end))
            case events.Generated() | events.Destroyed():
                drawn.append(_call(chart, event.square))
    return "".join(drawn)


def draw_badges(last: tuple[events.Happened, ...], chart: Chart) -> str:
    """Return the marks drawn over the pieces: a plus on what came, a cross on what went, a pebble
    where an idea became a deed.
    """
    return "".join(_badges(event, chart) for event in last)


def _badges(event: events.Happened, chart: Chart) -> str:
    match event:
        case events.Born():
            return _plus(_beside(chart, event.anubis)) + _plus(_beside(chart, event.bastet))
        case events.Reborn():
            return "".join(
                _plus(_beside(chart, square)) for square in (event.square, *event.returned)
            )
        case events.Generated() | events.PlacedPyramid() | events.PlacedDeed():
            return _plus(_beside(chart, event.square))
        case events.Destroyed() | events.Killed():
            return cross(_beside(chart, event.square), BADGE)
        case events.TookIdea():
            return _taken_idea(event.seat, _beside(chart, event.square))
    return ""


def _plus(at: Spot) -> str:
    """Return the badge of something that came into the World."""
    arm, disc = BADGE * 0.55, f'cx="{number(at.x)}" cy="{number(at.y)}"'
    lines = (
        f"M{number(at.x - arm)} {number(at.y)}H{number(at.x + arm)}M{number(at.x)}"
        f" {number(at.y - arm)}V{number(at.y + arm)}"
    )
    return (
        f'<circle {disc} r="{BADGE + 3}" {fill("sheet")}/><circle {disc} r="{BADGE}"'
        f' {fill("moss")}/><path d="{lines}" {stroke("sheet-line", 4)} stroke-linecap="round"/>'
    )


def _taken_idea(seat: Seat, at: Spot) -> str:
    """Return the badge of an idea that became a deed in a seat's hand."""
    return (
        f'<circle cx="{number(at.x)}" cy="{number(at.y)}" r="{BADGE + 5}"'
        f" {fill('sheet')}/>{draw_deed(seat, at, BADGE)}"
    )


def _beside(chart: Chart, square: Square) -> Spot:
    """Return the spot for a badge: the upper left of what is drawn on a square."""
    at, away = chart.middle(square), chart.cell * (0.24 if square in CORNERS else 0.33)
    return Spot(at.x - away, at.y - away)


# --- paths


def _between(start: Spot, end: Spot, *, begin: float, stop: float) -> tuple[Spot, Spot]:
    """Return a line shortened at both ends."""
    length = hypot(end.x - start.x, end.y - start.y)
    across, down = (end.x - start.x) / length, (end.y - start.y) / length
    return Spot(start.x + across * begin, start.y + down * begin), Spot(
        end.x - across * stop, end.y - down * stop
    )


def _left(at: Spot) -> str:
    return (
        f'<circle cx="{number(at.x)}" cy="{number(at.y)}" r="{FROM - 6}" {stroke("wax-line", 3)}'
        ' stroke-dasharray="5 5"/>'
    )


def _move(chart: Chart, start: Square, end: Square) -> str:
    begin, tip = chart.middle(start), chart.middle(end)
    return _left(begin) + arrow(
        *_between(begin, tip, begin=FROM - 4, stop=_stop(begin, tip, end)),
        width=5,
        size=20,
        colour="wax",
    )


def _leap(chart: Chart, start: Square, end: Square) -> str:
    """Return a curved arrow from one square to another."""
    begin, tip = chart.middle(start), chart.middle(end)
    bend = Spot(
        (begin.x + tip.x) / 2 + (tip.y - begin.y) * 0.28,
        (begin.y + tip.y) / 2 - (tip.x - begin.x) * 0.28,
    )
    leave = _between(begin, bend, begin=FROM - 4, stop=0)[0]
    stop = _between(bend, tip, begin=0, stop=_stop(bend, tip, end))[1]
    shaft = _between(bend, stop, begin=0, stop=12)[1]
    path = (
        f"M{number(leave.x)} {number(leave.y)}Q{number(bend.x)} {number(bend.y)} {number(shaft.x)}"
        f" {number(shaft.y)}"
    )
    return (
        f'{_left(begin)}<path d="{path}"'
        f" {stroke('wax-line', 5)}/>{arrow_head(stop, bend, 20, colour='wax')}"
    )


def _stop(begin: Spot, tip: Spot, end: Square) -> float:
    """Return how far before the middle of a square a line ends, so that the piece there does not
    hide its head.
    """
    radius, (left, up) = SMALL if end in CORNERS else RADIUS, (begin.x - tip.x, begin.y - tip.y)
    if min(abs(left), abs(up)) < 0.4 * max(abs(left), abs(up)):
        return STRAIGHT * radius
    return (FROM_BADGE if left > 0 and up > 0 else SLANTED) * radius


def _call(chart: Chart, corner: Square) -> str:
    """Return the dotted line from the Centre to the corner whose idea came or went."""
    start, end = _between(chart.middle(CENTRE), chart.middle(corner), begin=46, stop=32)
    path = f"M{number(start.x)} {number(start.y)}L{number(end.x)} {number(end.y)}"
    return (
        f'<path d="{path}" {stroke("wax-line", 3)} stroke-dasharray="1 9" stroke-linecap="round"/>'
    )
