"""The World as a picture, the last order drawn on it, and what each seat has below it."""

from adjudicator.games.genesis.drawing.panels import (
    EDGE,
    SIDE_HEIGHT,
    SUPPLY_HEIGHT,
    WIDTH,
    draw_panel,
    draw_supply,
)
from adjudicator.games.genesis.drawing.pieces import (
    RADIUS,
    SMALL,
    draw_closed_eye,
    draw_deed,
    draw_figure,
    draw_idea,
    draw_pyramid,
    draw_seat_mark,
)
from adjudicator.games.genesis.drawing.squares import Chart, draw_squares, draw_tomb, tomb_mark_spot
from adjudicator.games.genesis.drawing.trail import draw_badges, draw_paths
from adjudicator.games.genesis.model.state import Piece
from adjudicator.games.genesis.model.view import TableView
from adjudicator.games.genesis.model.world import CENTRE, CORNERS, SQUARES, Square
from adjudicator.games.genesis.story.phrases import (
    GIFT_WORDS,
    PIECES,
    TO_DO,
    dipole_text,
    ending_sentence,
    hand_text,
    part_title,
    sleeping_corners,
    to_do,
    tombs_text,
    turn_title,
)
from adjudicator.games.kit.shapes import Size, Spot, frame, number, stroke, text

CHART = Chart(left=75, top=106, cell=114)
SUPPLY_TOP = CHART.bottom + 44
SIDES_TOP = SUPPLY_TOP + SUPPLY_HEIGHT
HEIGHT = SIDES_TOP + 2 * SIDE_HEIGHT + 8

NOT_CLICKED = '<g pointer-events="none">'


def draw(view: TableView) -> str:
    """Return the picture of `view`; squares have ids like `genesis-b2`, pieces like
    `genesis-1-bastet`.
    """
    below = draw_supply(view, SUPPLY_TOP) + "".join(
        draw_panel(view, of, SIDES_TOP + nth * SIDE_HEIGHT) for nth, of in enumerate(view.sides)
    )
    return frame(
        "genesis",
        _sentence(view),
        Size(WIDTH, HEIGHT),
        _heading(view) + draw_world(view, CHART) + below,
    )


# --- words


def _sentence(view: TableView) -> str:
    """Return the description of the picture for screen readers."""
    sides = (
        f"Seat {of.seat}:"
        f" {'; '.join(filter(None, (dipole_text(of), hand_text(of), tombs_text(of), *to_do(view, of))))}."
        for of in view.sides
    )
    title = ". ".join(
        filter(None, ("Genesis", turn_title(view), part_title(view), sleeping_corners(view)))
    )
    return f"{title}. {' '.join(sides)}"


def _heading(view: TableView) -> str:
    return (
        text(Spot(EDGE, 50), turn_title(view), 34, serif=True, bold=True)
        + text(Spot(EDGE, 84), _to_play(view), 22, colour="faint")
        + text(Spot(WIDTH - EDGE, 48), part_title(view), 22, colour="faint", anchor="end")
    )


def _to_play(view: TableView) -> str:
    if view.turn is None:
        return ending_sentence(view)
    if view.die:
        return (
            f"{'You' if view.turn == view.seat else f'Seat {view.turn}'} threw {view.die}:"
            f" {GIFT_WORDS[view.gift]}."
        )
    return (
        f"{'You are' if view.turn == view.seat else f'Seat {view.turn} is'} {TO_DO[view.moment]}."
    )


# --- the World


def draw_world(view: TableView, chart: Chart) -> str:
    """Return the World with everything on it; only squares and pieces take clicks."""
    buried = [piece.square for piece in _pieces(view) if piece.buried and piece.square]
    return (
        draw_squares(chart, {square: _title(view, square) for square in SQUARES}, buried)
        + f"{NOT_CLICKED}{_tombs(view, chart)}{_empty_corners(view, chart)}{draw_paths(view.last, chart)}{_stones(view, chart)}</g>"
        + "".join(_figure(view, piece, chart) for piece in _pieces(view))
        + f"{NOT_CLICKED}{draw_badges(view.last, chart)}</g>"
    )


def _pieces(view: TableView) -> tuple[Piece, ...]:
    return tuple(piece for of in view.sides for piece in of.pieces if piece.square)


def _title(view: TableView, square: Square) -> str:
    """Return the title of a square: its name, kind and contents."""
    kind = ", the Centre" if square == CENTRE else ", a Place of Ideas" if square in CORNERS else ""
    there = ["an idea"] * (square in view.ideas) + ["a pyramid"] * (square in view.pyramids)
    there += [f"a deed of seat {each.seat}" for each in view.deeds if each.square == square]
    there += [
        f"seat {piece.seat}’s {PIECES[piece.name]}{' buried' * piece.buried}"
        for piece in _pieces(view)
        if piece.square == square
    ]
    tomb_of = [f"a tomb cell of seat {of.seat}" for of in view.sides if square in of.tomb_cells]
    asleep = ["asleep"] * (square in view.asleep)
    return f"{square}{kind}: {', '.join(there + asleep + tomb_of) or 'empty'}"


def _tombs(view: TableView, chart: Chart) -> str:
    drawn = []
    for of in view.sides:
        for corner in (piece.square for piece in of.pieces if of.tomb_cells and piece.square):
            drawn += [
                draw_tomb(chart, corner, of.seat, complete=of.completed),
                draw_seat_mark(of.seat, tomb_mark_spot(chart, corner), 11),
            ]
    return "".join(drawn)


def _empty_corners(view: TableView, chart: Chart) -> str:
    """Return a closed eye on every corner that sleeps, and a broken ring on the others with nothing
    on them.
    """
    taken = {piece.square for piece in _pieces(view)} | set(view.ideas)
    bare = (corner for corner in CORNERS if corner not in taken)
    return "".join(
        (
            draw_closed_eye(chart.middle(corner))
            if corner in view.asleep
            else _ring(chart.middle(corner))
        )
        for corner in bare
    )


def _ring(at: Spot) -> str:
    return (
        f'<circle cx="{number(at.x)}" cy="{number(at.y)}" r="20" {stroke("faint-line", 2)}'
        ' stroke-dasharray="4 5"/>'
    )


def _stones(view: TableView, chart: Chart) -> str:
    return (
        "".join(draw_pyramid(chart.middle(square), 86) for square in view.pyramids)
        + "".join(draw_idea(chart.middle(square), 27) for square in view.ideas)
        + "".join(draw_deed(each.seat, chart.middle(each.square), 30) for each in view.deeds)
    )


def _figure(view: TableView, piece: Piece, chart: Chart) -> str:
    square = piece.square or CENTRE
    at, radius = (
        chart.middle(square),
        (SMALL if square in CORNERS or square in view.pyramids else RADIUS),
    )
    title = f"Seat {piece.seat}’s {PIECES[piece.name]}{' buried' * piece.buried} on {square}"
    drawn = draw_figure(piece.name, piece.seat, at, radius)
    return (
        f'<g id="genesis-{piece.seat}-{piece.name}" class="piece"><title>{title}</title>{drawn}</g>'
    )
