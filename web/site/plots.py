"""Plots as SVG that is part of the page: they need no script, take the page's colours, and tell in
words what they show.

A plot is 420 units wide, so that its letters can be read on a phone. No part is told by its colour
alone: numbers stand beside bars, and lines end with their names. A table beside each plot has the
same figures.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from adjudicator.platform.words import format_number, format_percent

WIDTH = 420
_ROW, _BAR, _LABEL = 26, 16, 84  # heights of a row and of its bar, width of its label
_HIGH, _LEFT, _FOOT = 190, 46, 26  # height of a diagram, room for the numbers on its left and below
_LINES = 8  # numbers along an axis at most
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "5 2", "1 2", "12 4")


@dataclass(frozen=True)
class Bar:
    """A row of stacked bars."""

    label: str
    won: int  # percent of the whole length, as `shared`
    shared: int


def draw_bars(title: str, bars: Sequence[Bar]) -> Markup:
    """Return rows of two parts each, won and shared, with both percentages beside them."""
    room = WIDTH - _LABEL - 92
    rows = Markup("").join(_row(number * _ROW, each, room) for number, each in enumerate(bars))
    description = "; ".join(
        f"{each.label}: won {_percent(each.won)}, shared {_percent(each.shared)}" for each in bars
    )
    return _frame(title, description, len(bars) * _ROW, rows)


def _percent(whole: int) -> str:
    return format_percent(whole / 100)


def _row(top: int, bar: Bar, room: int) -> Markup:
    won, shared = (round(room * part / 100, 1) for part in (bar.won, bar.shared))
    return Markup(
        '<text x="0" y="{y}">{label}</text><rect class="rest" x="{x}" y="{top}" width="{room}"'
        ' height="{high}"/><rect class="won" x="{x}" y="{top}" width="{won}" height="{high}"/><rect'
        ' class="shared" x="{after}" y="{top}" width="{shared}" height="{high}"/><text x="{end}"'
        ' y="{y}" class="figure">{told}</text>'
    ).format(
        y=top + 17,
        label=bar.label,
        x=_LABEL,
        top=top + 4,
        room=room,
        high=_BAR,
        won=won,
        after=_LABEL + won,
        shared=shared,
        end=WIDTH,
        told=f"{_percent(bar.won)} + {_percent(bar.shared)}",
    )


def draw_columns(title: str, columns: Mapping[str, int]) -> Markup:
    """Return a column for each label, as high as its number."""
    most, room = max(columns.values(), default=0) or 1, WIDTH - _LEFT
    wide, skip = room / max(len(columns), 1), -(-len(columns) // _LINES)
    parts = [_axis(most)]
    for number, (label, count) in enumerate(columns.items()):
        high, left = round(count / most * (_HIGH - 20), 1), round(_LEFT + number * wide, 1)
        parts.append(
            Markup('<rect class="won" x="{}" y="{}" width="{}" height="{}"/>').format(
                left + 1, _HIGH - high, round(wide - 2, 1), high
            )
        )
        if number % skip == 0:
            parts.append(Markup('<text x="{}" y="{}">{}</text>').format(left, _HIGH + 17, label))
    description = "; ".join(
        f"{label}: {format_number(count)}" for label, count in columns.items() if count
    )
    return _frame(title, description, _HIGH + _FOOT, Markup("").join(parts))


def draw_lines(title: str, lines: Mapping[str, Mapping[int, float]]) -> Markup:
    """Return a line for each name through its values by year, dashed each in its own way; the names
    stand where the lines end.
    """
    years = sorted({year for values in lines.values() for year in values})
    most = max((value for values in lines.values() for value in values.values()), default=0) or 1
    room, first = WIDTH - _LEFT - 66, years[0] if years else 0
    step = room / max(years[-1] - first, 1) if years else 0

    def place(year: int, value: float) -> tuple[float, float]:
        return round(_LEFT + 4 + (year - first) * step, 1), round(
            _HIGH - value / most * (_HIGH - 20), 1
        )

    ends = _spread(
        {name: place(*max(values.items()))[1] for name, values in lines.items() if values}
    )
    parts = [_axis(round(most))]
    for number, (name, values) in enumerate(lines.items()):
        points = " ".join(f"{x},{y}" for x, y in (place(*each) for each in sorted(values.items())))
        line = Markup('<polyline class="line line-{}" points="{}" stroke-dasharray="{}"/>')
        parts.append(line.format(number % len(_DASHES), points, _DASHES[number % len(_DASHES)]))
        parts.append(
            Markup('<text x="{}" y="{}">{}</text>').format(WIDTH - 60, ends[name] + 4, name)
        )
    skip = -(-len(years) // _LINES)
    parts += [
        Markup('<text x="{}" y="{}">{}</text>').format(place(year, 0)[0] - 14, _HIGH + 17, year)
        for year in years[::skip]
    ]
    last = {name: max(values.items()) for name, values in lines.items() if values}
    description = "; ".join(
        f"{name}: {format_number(value, digits=1)} in {year}"
        for name, (year, value) in last.items()
    )
    return _frame(title, description, _HIGH + _FOOT, Markup("").join(parts))


def _spread(ends: Mapping[str, float], apart: float = 15.0) -> dict[str, float]:
    """Return heights for names in the order of their lines' ends, none nearer to the next than
    `apart`.
    """
    placed: dict[str, float] = {}
    above = -apart
    for number, (name, at) in enumerate(sorted(ends.items(), key=lambda each: each[1])):
        lowest = _HIGH - (len(ends) - 1 - number) * apart
        above = placed[name] = max(min(at, lowest), above + apart)
    return placed


def _axis(most: int) -> Markup:
    return Markup(
        '<line class="axis" x1="{left}" y1="{low}" x2="{right}" y2="{low}"/>'
        '<line class="axis faint" x1="{left}" y1="20" x2="{right}" y2="20"/>'
        '<text x="0" y="{low}">0</text><text x="0" y="24">{most}</text>'
    ).format(left=_LEFT, right=WIDTH, low=_HIGH, most=format_number(most))


def _frame(title: str, description: str, height: int, drawn: Markup) -> Markup:
    return Markup(
        '<svg class="plot" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
    ).format(WIDTH, height, f"{title}. {description}.", drawn)
