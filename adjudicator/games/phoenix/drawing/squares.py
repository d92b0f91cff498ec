"""Draws the empty grid and the dice, and says where the squares are in the picture."""

from dataclasses import dataclass

from adjudicator.games.kit.shapes import Spot, die, fill, number, stroke, text
from adjudicator.games.phoenix.model.grid import SIDE, Dice, Square, is_gold, square_text


@dataclass(frozen=True)
class Chart:
    """Where the grid is in the picture: its top left, and the size of a cell."""

    left: float
    top: float
    cell: float

    @property
    def side(self) -> float:
        """How wide and high the grid is."""
        return SIDE * self.cell

    def top_left(self, square: Square) -> Spot:
        """Return the top left corner of a square."""
        return Spot(
            self.left + (square[0] - 1) * self.cell, self.top + (SIDE - square[1]) * self.cell
        )

    def middle(self, square: Square) -> Spot:
        """Return the middle of a square."""
        corner = self.top_left(square)
        return Spot(corner.x + self.cell / 2, corner.y + self.cell / 2)


def draw_squares(chart: Chart, *, named: bool = True) -> str:
    """Return the squares with the numbers along two edges; `named` gives each square an id to be
    clicked, `phoenix-3-4`.
    """
    squares = "".join(
        _square(chart, (x, y), named=named) for y in range(SIDE, 0, -1) for x in range(1, SIDE + 1)
    )
    place = (
        f'x="{number(chart.left)}" y="{number(chart.top)}" width="{number(chart.side)}"'
        f' height="{number(chart.side)}"'
    )
    return (
        f'{squares}<rect {place} {stroke("ink-line", 2)} pointer-events="none"/>{_numbers(chart)}'
    )


def _square(chart: Chart, square: Square, *, named: bool) -> str:
    name = f' id="phoenix-{square[0]}-{square[1]}" class="square"' if named else ""
    gold = is_gold(square)
    title = f"<title>{square_text(square)}{', gold' if gold else ''}</title>"
    surface = (
        fill("gold")
        if gold
        else fill("sheet")
        if sum(square) % 2
        else f'{fill("line-fill")} fill-opacity="0.45"'
    )
    body = (
        f"<rect {_box(chart, square, 0)} {surface}/><rect {_box(chart, square, 0)}"
        f" {stroke('line', 1)}/>"
    )
    inner = f"<rect {_box(chart, square, 5)} {stroke('amber-line', 1.5)}/>" if gold else ""
    return f"<g{name}>{title}{body}{inner}</g>"


def _box(chart: Chart, square: Square, inset: float) -> str:
    corner, side = chart.top_left(square), number(chart.cell - 2 * inset)
    return (
        f'x="{number(corner.x + inset)}" y="{number(corner.y + inset)}" width="{side}"'
        f' height="{side}"'
    )


def draw_frame(chart: Chart, square: Square, colour: str) -> str:
    """Return a dashed frame inside a square, as around the one that the dice name."""
    return f'<rect {_box(chart, square, 4)} rx="6" {stroke(colour, 4)} stroke-dasharray="13 8"/>'


def _numbers(chart: Chart) -> str:
    """Return the numbers of the columns with a black die before them, and of the rows with a white
    die.
    """
    below, beside = chart.top + chart.side + 26, chart.left - 22
    columns = (
        text(Spot(chart.middle((x, 1)).x, below), str(x), 22, anchor="middle")
        for x in range(1, SIDE + 1)
    )
    rows = (
        text(Spot(beside, chart.middle((1, y)).y + 8), str(y), 22, anchor="middle")
        for y in range(1, SIDE + 1)
    )
    return (
        "".join((*columns, *rows))
        + die(1, Spot(beside + 12, below - 8), 18, black=True)
        + die(1, Spot(beside, below - 32), 18)
    )


def draw_dice(thrown: Dice | None, at: Spot, size: float) -> str:
    """Return both dice side by side around `at`, black first; without numbers if they are not
    rolled.
    """
    gap = size * 0.6
    left, right = Spot(at.x - gap, at.y), Spot(at.x + gap, at.y)
    if thrown is None:
        return _unrolled(left, size) + _unrolled(right, size)
    return die(thrown[0], left, size, black=True) + die(thrown[1], right, size)


def _unrolled(at: Spot, size: float) -> str:
    place = (
        f'x="{number(at.x - size / 2)}" y="{number(at.y - size / 2)}" width="{number(size)}"'
        f' height="{number(size)}"'
    )
    body = (
        f'<rect {place} rx="{number(size * 0.16)}" {stroke("faint-line", 1.5)} stroke-dasharray="4'
        ' 4"/>'
    )
    return body + text(
        Spot(at.x, at.y + size * 0.2), "?", int(size * 0.55), colour="faint", anchor="middle"
    )
