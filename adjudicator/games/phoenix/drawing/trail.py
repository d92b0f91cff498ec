"""Draws the last turn on the grid: moves and landings, the meetings with their numbers, and the
Birds that went to the Ashes.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin

from adjudicator.games.kit.shapes import (
    Spot,
    arrow,
    arrow_head,
    cross,
    fill,
    number,
    outline,
    points,
    stroke,
    text,
)
from adjudicator.games.phoenix.drawing.pieces import FORMS, draw_body
from adjudicator.games.phoenix.drawing.squares import Chart
from adjudicator.games.phoenix.model.events import (
    Happened,
    Met,
    Moved,
    Placed,
    Raised,
    Stayed,
    fallen_birds,
)
from adjudicator.games.phoenix.model.grid import Bird, Place, Square

RADIUS = 0.29  # of a Bird on the grid, in squares
FIRE = "#E58A2F"
CLEAR = 0.36  # the distance from the tip of an arrow to the middle of its square, in squares


@dataclass(frozen=True)
class Trail:
    """The marks of a turn, drawn under the Birds and over them; none takes a click."""

    under: str
    over: str


def draw_trail(chart: Chart, events: Sequence[Happened], taken: Collection[Place]) -> Trail:
    """Return the marks of a turn; `taken` are the places where Birds are now."""
    under = "".join(_under(chart, event, taken) for event in events)
    meetings = [event for event in events if isinstance(event, Met)]
    numbers = "".join(_number(chart, met, place) for place, met in enumerate(meetings, start=1))
    return Trail(_quiet(under), _quiet(_ghosts(chart, events, taken) + numbers))


def _quiet(content: str) -> str:
    return f'<g pointer-events="none">{content}</g>' if content else ""


def _under(chart: Chart, event: Happened, taken: Collection[Place]) -> str:
    match event:
        case Placed():
            return _brackets(chart, event.to, "moss-line")
        case Raised():
            return _rays(chart, event.to)
        case Moved():
            return ("" if event.how == "chain" else _left(chart, event.bird, taken)) + _path(
                chart, event
            )
        case Met():
            return "".join(_left(chart, each, taken) for each in _winner(event)) + _clash(
                chart, event
            )
        case Stayed():
            return _brackets(chart, event.at, "faint-line")
    return ""


# --- coming and landing


def _brackets(chart: Chart, square: Square, colour: str) -> str:
    """Return four corners inside a square where a Bird was placed, or where one was blocked."""
    middle, half, arm = chart.middle(square), chart.cell * 0.43, chart.cell * 0.16
    corners = "".join(
        f"M{number(middle.x + across * half)}"
        f" {number(middle.y + down * (half - arm))}v{number(down * arm)}h{number(-across * arm)}"
        for across in (-1, 1)
        for down in (-1, 1)
    )
    return f'<path d="{corners}" {stroke(colour, 4)} stroke-linejoin="round"/>'


def _rays(chart: Chart, square: Square) -> str:
    """Return the fire under a Phoenix."""
    middle, tips = chart.middle(square), 14
    reach = (chart.cell * 0.47, chart.cell * 0.35)
    spikes = [
        (middle.x + reach[i % 2] * sin(i * pi / tips), middle.y - reach[i % 2] * cos(i * pi / tips))
        for i in range(2 * tips)
    ]
    hearth = (
        f'<circle cx="{number(middle.x)}" cy="{number(middle.y)}" r="{number(chart.cell * 0.31)}"'
        f" {fill('gold')}/>"
    )
    return f'<polygon points="{points(*spikes)}" fill="{FIRE}"/>{hearth}'


def _left(chart: Chart, mover: Bird, taken: Collection[Place]) -> str:
    """Return a faded Bird on the square it left, "" if a Bird is there now."""
    if mover.place in taken:
        return ""
    at, radius = chart.middle(mover.square), chart.cell * 0.22
    shape = (
        f'{outline(FORMS[mover.seat], at, radius)} {stroke("faint-line", 2)} stroke-dasharray="5'
        ' 5"/>'
    )
    return f'<g opacity="0.25">{draw_body(mover.seat, mover.kind, at, radius)}</g>{shape}'


def _path(chart: Chart, event: Moved) -> str:
    """Return the arrow of a move; the jump to the square of the dice is dashed."""
    start, tip = _shortened(chart, event.bird.square, event.to)
    if event.how != "roll":
        return arrow(start, tip, width=5, size=20)
    length = hypot(tip.x - start.x, tip.y - start.y)
    end = Spot(tip.x - (tip.x - start.x) / length * 20, tip.y - (tip.y - start.y) / length * 20)
    line = f'<path d="M{number(start.x)} {number(start.y)}L{number(end.x)} {number(end.y)}"'
    return (
        f'{line} {stroke("ink-line", 5)} stroke-dasharray="2 10"'
        f' stroke-linecap="round"/>{arrow_head(tip, start, 22)}'
    )


def _shortened(chart: Chart, start: Square, end: Square) -> tuple[Spot, Spot]:
    """Return where an arrow between two squares begins and ends, clear of the Birds on them."""
    one, other = chart.middle(start), chart.middle(end)
    length = hypot(other.x - one.x, other.y - one.y)
    across, down = (other.x - one.x) / length * chart.cell, (other.y - one.y) / length * chart.cell
    near = CLEAR * 0.8
    return Spot(one.x + across * near, one.y + down * near), Spot(
        other.x - across * CLEAR, other.y - down * CLEAR
    )


# --- meeting


def _winner(met: Met) -> tuple[Bird, ...]:
    """Return the Bird that took the other's square, () after a mutual elimination."""
    return {"won": (met.bird,), "lost": (met.other,), "mutual": ()}[met.outcome]


def _clash(chart: Chart, met: Met) -> str:
    """Return the winner's arrow onto the loser's square, or one with two heads if both went to the
    Ashes.
    """
    one, other = met.bird.square, met.other.square
    if met.outcome == "lost":
        one, other = other, one
    start, tip = _shortened(chart, one, other)
    drawn = arrow(start, tip, width=6, size=20, colour="wax")
    return drawn + arrow_head(start, tip, 20, colour="wax") if met.outcome == "mutual" else drawn


def _number(chart: Chart, met: Met, place: int) -> str:
    """Return the number of a meeting, at the corner where the two squares touch."""
    one, other = chart.middle(met.bird.square), chart.middle(met.other.square)
    return draw_badge(Spot((one.x + other.x) / 2, (one.y + other.y) / 2), place, chart.cell * 0.15)


def draw_badge(at: Spot, place: int, radius: float) -> str:
    """Return a disc with the number of a meeting."""
    disc = f'<circle cx="{number(at.x)}" cy="{number(at.y)}" r="{number(radius)}"'
    words = text(
        Spot(at.x, at.y + radius * 0.45), str(place), int(radius * 1.3), anchor="middle", bold=True
    )
    return f"{disc} {fill('sheet')}/>{disc} {stroke('wax-line', 2)}/>{words}"


# --- what went to the Ashes


def _ghosts(chart: Chart, events: Sequence[Happened], taken: Collection[Place]) -> str:
    lost = [each for event in events for each in fallen_birds(event)]
    left = {each.place for event in events if isinstance(event, Met) for each in _winner(event)}
    squares = {each.square for each in lost}
    return "".join(
        _ghosts_on(chart, square, [each for each in lost if each.place == square], {*taken, *left})
        for square in sorted(squares)
    )


def _ghosts_on(chart: Chart, square: Square, lost: Sequence[Bird], used: Collection[Place]) -> str:
    """Return the Birds that went to the Ashes from a square: large if nothing else is drawn there,
    else small along its upper edge.
    """
    middle, cell = chart.middle(square), chart.cell
    if square not in used and len(lost) == 1:
        return _ghost(lost[0], middle, cell * 0.24)
    step = min(0.32, 0.8 / len(lost))
    spots = (
        Spot(middle.x + cell * step * (place - (len(lost) - 1) / 2), middle.y - cell * 0.37)
        for place in range(len(lost))
    )
    return "".join(_ghost(each, spot, cell * 0.13) for each, spot in zip(lost, spots, strict=True))


def _ghost(lost: Bird, at: Spot, radius: float) -> str:
    ring = f'<circle cx="{number(at.x)}" cy="{number(at.y)}" r="{number(radius * 1.5)}"'
    broken = (
        f'{ring} {stroke("wax-line", 2)} stroke-dasharray="{number(radius * 1.2)}'
        f' {number(radius * 0.5)}"/>'
        if radius > 16
        else ""
    )
    faded = f'<g opacity="0.55">{draw_body(lost.seat, lost.kind, at, radius)}</g>'
    clear = (
        f'<circle cx="{number(at.x)}" cy="{number(at.y)}" r="{number(radius * 1.3)}"'
        f" {fill('sheet')}/>"
    )
    return (
        clear
        + faded
        + broken
        + cross(Spot(at.x + radius * 0.9, at.y - radius * 0.8), max(7.5, radius * 0.42))
    )
