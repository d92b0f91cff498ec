"""The parts of the map's arrows, in a power's colour with an outline for contrast, and the marks of
results.
"""

from math import atan2, cos, pi, sin

from adjudicator.games.diplomacy.drawing import inks
from adjudicator.games.diplomacy.drawing.curves import Line
from adjudicator.games.diplomacy.map.geography import Power
from adjudicator.games.kit.shapes import Spot, fill, number, points, stroke

_HEAD = 12


def arrow_head(line: Line, power: Power) -> str:
    """Return the head of an arrow."""
    angle = atan2(line.tip.y - line.before_tip.y, line.tip.x - line.before_tip.x)
    wings = [
        (line.tip.x - _HEAD * cos(angle + turn), line.tip.y - _HEAD * sin(angle + turn))
        for turn in (0.5, -0.5)
    ]
    corners = points((line.tip.x, line.tip.y), *wings)
    return (
        f'<polygon points="{corners}" stroke-linejoin="round"'
        f" {inks.edged(power.lower(), 'ink-line', 1)}/>"
    )


def without_head(line: Line) -> Line:
    """Return an arrow's line without the part that its head covers."""
    last = line.bows[-1]
    return Line((*line.bows[:-1], last.cut(0, max(0.4, 1 - 0.7 * _HEAD / max(last.length, 1)))))


def move_line(line: Line, power: Power, *, dotted: bool = False) -> str:
    """Return the line of a move, `dotted` for one by convoy."""
    dots = ' stroke-dasharray=".1 5.5" stroke-linecap="round"' if dotted else ""
    return _cased(line, power, 3, dots)


def support_line(line: Line, power: Power, *, knot: bool) -> str:
    """Return the line of a support, with a `knot` where it meets the supported move."""
    end = (
        f'<circle cx="{number(line.tip.x)}" cy="{number(line.tip.y)}" r="3"'
        f" {inks.edged(power.lower(), 'ink-line', 1)}/>"
        if knot
        else ""
    )
    return _cased(line, power, 2, ' stroke-dasharray="5 3.5"') + end


def retreat_line(line: Line, power: Power) -> str:
    """Return the line of a retreat: short and long dashes."""
    return _cased(line, power, 2.2, ' stroke-dasharray="8 3 2 3"')


def _cased(line: Line, power: Power, width: float, more: str) -> str:
    core = f"{power.lower()}-line"
    return (
        f'<path d="{line.path}"{more} {inks.line("ink-line", width + 1.7)}/><path'
        f' d="{line.path}"{more} {inks.line(core, width)}/>'
    )


def void_line(line: Line) -> str:
    """Return the line of a void order."""
    return f'<path d="{line.path}" stroke-dasharray="2 4" {stroke("faint-line", 1.4)}/>'


def support_ring(at: Spot, power: Power) -> str:
    """Return the ring around a unit that is supported to hold."""
    return _rings(at, power, "5 3.5")


def convoy_waves(at: Spot, power: Power) -> str:
    """Return the sign of a fleet that carries an army."""
    wave = "q2.5-3.5 5 0t5 0 5 0 5 0 5 0 5 0"
    path = f'd="M{number(at.x - 17.5)} {number(at.y + 15)}{wave}"'
    return (
        f"<path {path} {inks.line('ink-line', 3.6)}/><path {path}"
        f" {inks.line(f'{power.lower()}-line', 2)}/>"
    )


def _rings(at: Spot, power: Power, dashes: str) -> str:
    circle = f'<circle cx="{number(at.x)}" cy="{number(at.y)}" r="19" stroke-dasharray="{dashes}"'
    return (
        f"{circle} {inks.line('ink-line', 3.4)}/>{circle} {inks.line(f'{power.lower()}-line', 2)}/>"
    )


# --- results


def bounce_mark(at: Spot, radius: float) -> str:
    """Return the mark of a bounce, or with a larger radius of a standoff."""
    rays = [radius if ray % 2 == 0 else radius * 0.46 for ray in range(16)]
    star = points(
        *(
            (at.x + long * cos(ray * pi / 8), at.y + long * sin(ray * pi / 8))
            for ray, long in enumerate(rays)
        )
    )
    return (
        f'<polygon points="{star}" {fill("wax")}/><polygon points="{star}"'
        f" {stroke('sheet-line', 0.8)}/>"
    )


def cut_mark(at: Spot) -> str:
    """Return the mark of a support that was cut."""
    bars = f"M{number(at.x - 4.5)} {number(at.y - 4.5)}l9 9m0-9l-9 9"
    path = f'<path d="{bars}" stroke-linecap="round"'
    return f"{path} {stroke('sheet-line', 5)}/>{path} {stroke('wax-line', 2.6)}/>"


def build_mark(at: Spot) -> str:
    """Return the badge of a new unit."""
    x, y = at.x + 13, at.y + 12
    disc = f'cx="{number(x)}" cy="{number(y)}"'
    bars = f'<path d="M{number(x - 4)} {number(y)}h8m-4-4v8" {stroke("sheet-line", 2.2)}/>'
    return f'<circle {disc} r="9" {fill("sheet")}/><circle {disc} r="7.5" {fill("moss")}/>{bars}'
