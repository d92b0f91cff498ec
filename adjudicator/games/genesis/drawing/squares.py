"""Draws the empty World (cells, four cut-off corners, the Centre) and says where its squares are in
the picture.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import cos, pi, sin

from adjudicator.core.game import Seat
from adjudicator.games.genesis.model.world import CENTRE, CORNERS, FILES, RANKS, SQUARES, Square
from adjudicator.games.kit.shapes import Spot, fill, number, points, stroke, text

CUT = 0.1  # the distance from the cut of a corner to the neighbouring cells, in cells
NEAR = 0.3  # the distance from the middle of a cut-off corner to the neighbouring cells, in cells
SIDE = len(FILES)


@dataclass(frozen=True)
class Chart:
    """Where the World is in the picture: its top left, and the size of a cell."""

    left: float
    top: float
    cell: float

    def top_left(self, square: Square) -> Spot:
        """Return the top left of a square."""
        return Spot(
            self.left + FILES.index(square[0]) * self.cell,
            self.top + (SIDE - 1 - RANKS.index(square[1])) * self.cell,
        )

    def middle(self, square: Square) -> Spot:
        """Return where things are drawn on a square: in its middle; in a cut-off corner, nearer to
        the Centre.
        """
        at, half, away = self.top_left(square), self.cell / 2, 0.0
        right, down = _inwards(square) if square in CORNERS else (0, 0)
        if square in CORNERS:
            away = (0.5 - NEAR) * self.cell
        return Spot(at.x + half + right * away, at.y + half + down * away)

    def along(self, corner: Square, across: float, down: float) -> tuple[float, float]:
        """Return a point by its distances, in cells, from the outermost point of a corner towards
        the middle of the World.
        """
        at, (right, below) = self.top_left(corner), _inwards(corner)
        x = at.x + (self.cell if right < 0 else 0)
        y = at.y + (self.cell if below < 0 else 0)
        return x + right * across * self.cell, y + below * down * self.cell

    @property
    def bottom(self) -> float:
        """The lower edge of the World."""
        return self.top + SIDE * self.cell


def _inwards(corner: Square) -> tuple[int, int]:
    """Return the steps to the right and down that lead from a corner into the World."""
    return (1 if corner[0] == FILES[0] else -1), (-1 if corner[1] == RANKS[0] else 1)


# --- squares


def draw_squares(chart: Chart, titles: Mapping[Square, str], tombs: Iterable[Square] = ()) -> str:
    """Return all squares as click targets, `genesis-b2`, and the outline of the World; `tombs` are
    the corners with buried pieces.
    """
    buried = set(tombs)
    drawn = (
        _square(
            chart, square, titles.get(square, square), "line-fill" if square in buried else "sea"
        )
        for square in SQUARES
    )
    return (
        "".join(drawn)
        + f'<g pointer-events="none">{_centre(chart)}{_outline(chart)}{_names(chart)}</g>'
    )


def _square(chart: Chart, square: Square, title: str, place: str) -> str:
    colour = fill(place) if square in CORNERS or square == CENTRE else fill("paper")
    edge = points(*_edge(chart, square))
    drawn = f'<polygon points="{edge}" {colour}/><polygon points="{edge}" {stroke("line", 2)}/>'
    return f'<g id="genesis-{square}" class="square"><title>{title}</title>{drawn}</g>'


def _edge(chart: Chart, square: Square) -> tuple[tuple[float, float], ...]:
    """Return the points around a square."""
    if square in CORNERS:
        around = ((1, 1), (1, 0), (1 - CUT, 0), (0, 1 - CUT), (0, 1))
        return tuple(chart.along(square, across, down) for across, down in around)
    at, cell = chart.top_left(square), chart.cell
    return ((at.x, at.y), (at.x + cell, at.y), (at.x + cell, at.y + cell), (at.x, at.y + cell))


def _outline(chart: Chart) -> str:
    cuts = (
        (corner, ends)
        for corner, ends in zip(
            ("a1", "a5", "e5", "e1"), (((1, 0), (0, 1)), ((0, 1), (1, 0))) * 2, strict=True
        )
    )
    around = [
        chart.along(corner, across * (1 - CUT), down * (1 - CUT))
        for corner, ends in cuts
        for across, down in ends
    ]  # clockwise from below
    return f'<polygon points="{points(*around)}" {stroke("ink-line", 3)} stroke-linejoin="round"/>'


def _centre(chart: Chart) -> str:
    """Return the sun in the Centre: a ring with eight rays."""
    at, unit = chart.middle(CENTRE), chart.cell / 100
    rays = "".join(
        f"M{number(at.x + 36 * unit * cos(turn))} {number(at.y + 36 * unit * sin(turn))}"
        f"L{number(at.x + 46 * unit * cos(turn))} {number(at.y + 46 * unit * sin(turn))}"
        for turn in (quarter * pi / 4 for quarter in range(8))
    )
    ring = (
        f'<circle cx="{number(at.x)}" cy="{number(at.y)}" r="{number(30 * unit)}"'
        f" {stroke('faint-line', 2)}/>"
    )
    return f'{ring}<path d="{rays}" {stroke("faint-line", 2)} stroke-linecap="round"/>'


def _names(chart: Chart) -> str:
    files = (
        text(
            Spot(chart.middle(file + "3").x, chart.bottom + 26),
            file,
            22,
            colour="faint",
            anchor="middle",
        )
        for file in FILES
    )
    ranks = (
        text(
            Spot(chart.left - 20, chart.middle("c" + rank).y + 8),
            rank,
            22,
            colour="faint",
            anchor="middle",
        )
        for rank in RANKS
    )
    return "".join(files) + "".join(ranks)


# --- tombs


def draw_tomb(chart: Chart, corner: Square, seat: Seat, *, complete: bool) -> str:
    """Return the line around the three cells of one tomb: solid for seat 1, broken for seat 2,
    double once the tombs are complete.
    """
    gaps = (0.045, 0.09) if complete else (0.045,)
    dash = ' stroke-dasharray="13 8"' if seat == "2" else ""
    return "".join(
        f'<polygon points="{points(*_around_tomb(chart, corner, gap))}"'
        f' {stroke("ink-line", 2.5)}{dash} stroke-linejoin="round"/>'
        for gap in gaps
    )


def _around_tomb(chart: Chart, corner: Square, gap: float) -> tuple[tuple[float, float], ...]:
    near, far = 1 + gap, 2 - gap
    around = ((gap, near), (near, near), (near, gap), (far, gap), (far, far), (gap, far))
    return tuple(chart.along(corner, across, down) for across, down in around)


def tomb_mark_spot(chart: Chart, corner: Square) -> Spot:
    """Return where the seat's mark of a tomb is drawn: in the cell farthest from the World's
    edge.
    """
    return Spot(*chart.along(corner, 1.82, 1.82))
