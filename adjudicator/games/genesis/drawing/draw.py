"""The World as a picture, the last order drawn on it, and what each seat has below it."""

from adjudicator.games.genesis.drawing.panels import EDGE, SIDE_HEIGHT, SUPPLY_HEIGHT, WIDTH, side, supply
from adjudicator.games.genesis.drawing.pieces import RADIUS, SMALL, closed_eye, deed, figure, idea, pyramid, seat_mark
from adjudicator.games.genesis.drawing.squares import Ground, squares, tomb, tomb_mark
from adjudicator.games.genesis.drawing.trail import badges, ways
from adjudicator.games.genesis.model.state import Piece
from adjudicator.games.genesis.model.view import TableView
from adjudicator.games.genesis.model.world import CENTRE, CORNERS, SQUARES, Square
from adjudicator.games.genesis.story.phrases import (
    GIFT_WORDS,
    PIECES,
    TO_DO,
    dipole,
    ending,
    hand,
    part,
    sleeping,
    to_do,
    tombs,
    turn_title,
)
from adjudicator.games.kit.shapes import Size, Spot, frame, number, stroke, text

GROUND = Ground(left=75, top=106, cell=114)
SUPPLY_TOP = GROUND.bottom + 44
SIDES_TOP = SUPPLY_TOP + SUPPLY_HEIGHT
HEIGHT = SIDES_TOP + 2 * SIDE_HEIGHT + 8

NOT_CLICKED = '<g pointer-events="none">'


def draw(view: TableView) -> str:
    """Return the picture of `view`; squares have ids like `genesis-b2`, pieces like `genesis-1-bastet`."""
    below = supply(view, SUPPLY_TOP) + "".join(side(view, of, SIDES_TOP + nth * SIDE_HEIGHT) for nth, of in enumerate(view.sides))
    return frame("genesis", sentence(view), Size(WIDTH, HEIGHT), _heading(view) + world(view, GROUND) + below)


# --- words


def sentence(view: TableView) -> str:
    """Return the description of the picture for screen readers."""
    sides = (f"Seat {of.seat}: {'; '.join(filter(None, (dipole(of), hand(of), tombs(of), *to_do(view, of))))}." for of in view.sides)
    title = ". ".join(filter(None, ("Genesis", turn_title(view), part(view), sleeping(view))))
    return f"{title}. {' '.join(sides)}"


def _heading(view: TableView) -> str:
    return (
        text(Spot(EDGE, 50), turn_title(view), 34, serif=True, bold=True)
        + text(Spot(EDGE, 84), _to_play(view), 22, colour="faint")
        + text(Spot(WIDTH - EDGE, 48), part(view), 22, colour="faint", anchor="end")
    )


def _to_play(view: TableView) -> str:
    if view.turn is None:
        return ending(view)
    if view.die:
        return f"{'You' if view.turn == view.seat else f'Seat {view.turn}'} threw {view.die}: {GIFT_WORDS[view.gift]}."
    return f"{'You are' if view.turn == view.seat else f'Seat {view.turn} is'} {TO_DO[view.moment]}."


# --- the World


def world(view: TableView, ground: Ground) -> str:
    """Return the World with everything on it; only squares and pieces take clicks."""
    buried = [piece.square for piece in _pieces(view) if piece.buried and piece.square]
    return (
        squares(ground, {square: _title(view, square) for square in SQUARES}, buried)
        + f"{NOT_CLICKED}{_tombs(view, ground)}{_empty_corners(view, ground)}{ways(view.last, ground)}{_stones(view, ground)}</g>"
        + "".join(_figure(view, piece, ground) for piece in _pieces(view))
        + f"{NOT_CLICKED}{badges(view.last, ground)}</g>"
    )


def _pieces(view: TableView) -> tuple[Piece, ...]:
    return tuple(piece for of in view.sides for piece in of.pieces if piece.square)


def _title(view: TableView, square: Square) -> str:
    """Return the title of a square: its name, kind and contents."""
    kind = ", the Centre" if square == CENTRE else ", a Place of Ideas" if square in CORNERS else ""
    there = ["an idea"] * (square in view.ideas) + ["a pyramid"] * (square in view.pyramids)
    there += [f"a deed of seat {each.seat}" for each in view.deeds if each.square == square]
    there += [f"seat {piece.seat}’s {PIECES[piece.name]}{' buried' * piece.buried}" for piece in _pieces(view) if piece.square == square]
    tomb_of = [f"a tomb cell of seat {of.seat}" for of in view.sides if square in of.tomb_cells]
    asleep = ["asleep"] * (square in view.asleep)
    return f"{square}{kind}: {', '.join(there + asleep + tomb_of) or 'empty'}"


def _tombs(view: TableView, ground: Ground) -> str:
    drawn = []
    for of in view.sides:
        for corner in (piece.square for piece in of.pieces if of.tomb_cells and piece.square):
            drawn += [tomb(ground, corner, of.seat, complete=of.completed), seat_mark(of.seat, tomb_mark(ground, corner), 11)]
    return "".join(drawn)


def _empty_corners(view: TableView, ground: Ground) -> str:
    """Return a closed eye on every corner that sleeps, and a broken ring on the others with nothing on them."""
    taken = {piece.square for piece in _pieces(view)} | set(view.ideas)
    bare = (corner for corner in CORNERS if corner not in taken)
    return "".join(closed_eye(ground.middle(corner)) if corner in view.asleep else _ring(ground.middle(corner)) for corner in bare)


def _ring(at: Spot) -> str:
    return f'<circle cx="{number(at.x)}" cy="{number(at.y)}" r="20" {stroke("faint-line", 2)} stroke-dasharray="4 5"/>'


def _stones(view: TableView, ground: Ground) -> str:
    return (
        "".join(pyramid(ground.middle(square), 86) for square in view.pyramids)
        + "".join(idea(ground.middle(square), 27) for square in view.ideas)
        + "".join(deed(each.seat, ground.middle(each.square), 30) for each in view.deeds)
    )


def _figure(view: TableView, piece: Piece, ground: Ground) -> str:
    square = piece.square or CENTRE
    at, radius = ground.middle(square), SMALL if square in CORNERS or square in view.pyramids else RADIUS
    title = f"Seat {piece.seat}’s {PIECES[piece.name]}{' buried' * piece.buried} on {square}"
    drawn = figure(piece.name, piece.seat, at, radius)
    return f'<g id="genesis-{piece.seat}-{piece.name}" class="piece"><title>{title}</title>{drawn}</g>'
