"""The table as a picture: the grid with the last turn on it, the dice, what happened in short
lines, and a panel for each seat.
"""

from adjudicator.games.kit.shapes import Size, Spot, frame, number, stroke, text
from adjudicator.games.kit.words import count
from adjudicator.games.phoenix.drawing.captions import Caption, caption_turn
from adjudicator.games.phoenix.drawing.panels import (
    draw_chip,
    draw_panels,
    open_bird_group,
    panels_height,
)
from adjudicator.games.phoenix.drawing.pieces import draw_lettered_bird, draw_seat_mark
from adjudicator.games.phoenix.drawing.squares import Chart, draw_dice, draw_frame, draw_squares
from adjudicator.games.phoenix.drawing.trail import RADIUS, draw_badge, draw_trail
from adjudicator.games.phoenix.model.grid import Bird, is_gold, square_text
from adjudicator.games.phoenix.model.view import TableView
from adjudicator.games.phoenix.story.phrases import progress_text

WIDTH = 720
CHART = Chart(left=66, top=112, cell=98)
STORY_TOP = CHART.top + CHART.side + 46
LINE = 29


def draw(view: TableView) -> str:
    """Return the picture of `view`; squares have ids like `phoenix-3-4`, Birds like
    `phoenix-Red-paper`, the dice `phoenix-dice`.
    """
    lines = caption_turn(view.seat, view.last) if view.last else ()
    story = _story(view, lines)
    seats_top = STORY_TOP + 26 + LINE * len(lines) + 20
    tall = seats_top + panels_height(view)
    content = _heading(view) + _grid(view) + story + draw_panels(view, 24, seats_top)
    return frame("phoenix", _sentence(view, lines), Size(WIDTH, tall), content)


def _sentence(view: TableView, lines: tuple[Caption, ...]) -> str:
    return " ".join([f"RPS Phoenix, {view.phase}.", *(line.words for line in lines)])


# --- above the grid


def _heading(view: TableView) -> str:
    mark = draw_seat_mark(view.on_turn, Spot(44, 42), 19) if view.on_turn else ""
    title = text(Spot(80 if mark else 26, 53), view.phase, 29, serif=True, bold=True)
    return mark + title + text(Spot(26, 92), progress_text(view), 19, colour="faint") + _dice(view)


def _dice(view: TableView) -> str:
    if view.ended:
        return ""
    shown = (
        f"{square_text(view.dice)}{', doubles' if is_gold(view.dice) else ''}"
        if view.dice
        else "not rolled yet"
    )
    target = '<rect x="584" y="14" width="118" height="64" fill="none" pointer-events="all"/>'
    return (
        '<g id="phoenix-dice" class="piece"><title>The dice,'
        f" {shown}</title>{draw_dice(view.dice, Spot(643, 46), 48)}{target}</g>"
    )


# --- the grid


def _grid(view: TableView) -> str:
    events = view.last.events if view.last else ()
    here = (
        f'<g pointer-events="none">{draw_frame(CHART, view.dice, "wax-line")}</g>'
        if view.dice
        else ""
    )
    marks = draw_trail(CHART, events, {each.place for each in view.birds})
    return (
        draw_squares(CHART)
        + here
        + marks.under
        + "".join(_bird(CHART, each) for each in view.birds)
        + marks.over
    )


def _bird(chart: Chart, each: Bird) -> str:
    if not each.stands:
        return ""
    at = chart.middle(each.square)
    return f"{open_bird_group(each)}{draw_lettered_bird(each.seat, each.kind, at, chart.cell * RADIUS)}</g>"


# --- below the grid


def _story(view: TableView, lines: tuple[Caption, ...]) -> str:
    if view.last is None:
        return ""
    title = (
        f"Turn {view.last.number}, {view.last.seat}"
        if view.last.number
        else "Before the first turn"
    )
    rule = f'<path d="M26 {number(STORY_TOP - 4)}H{WIDTH - 26}" {stroke("line", 1)}/>'
    thrown = (
        draw_dice(view.last.dice, Spot(WIDTH - 56, STORY_TOP + 20), 28)
        if view.last.dice and view.last.number
        else ""
    )
    pot = _pot(view) if view.modes.casino else ""
    drawn = "".join(
        _line(line, STORY_TOP + 26 + LINE * place) for place, line in enumerate(lines, start=1)
    )
    return rule + text(Spot(26, STORY_TOP + 26), title, 20, bold=True) + thrown + pot + drawn


def _pot(view: TableView) -> str:
    right = Spot(WIDTH - 110, STORY_TOP + 26)
    return draw_chip(Spot(right.x - 192, right.y - 7)) + text(
        right, f"{count(view.pot, 'chip')} in the pot", 19, anchor="end"
    )


def _line(line: Caption, base: float) -> str:
    if not line.meeting:
        return text(Spot(26, base), line.words, 19)
    return draw_badge(Spot(39, base - 7), line.meeting, 13) + text(Spot(62, base), line.words, 19)
