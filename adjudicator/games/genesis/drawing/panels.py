"""Draws what is below the World: the supply of ideas, the die, and a panel for each seat."""

from adjudicator.games.genesis.drawing.pieces import (
    draw_deed,
    draw_figure,
    draw_idea,
    draw_pyramid,
    draw_seat_mark,
)
from adjudicator.games.genesis.model.events import Declined, Thrown
from adjudicator.games.genesis.model.state import Piece
from adjudicator.games.genesis.model.view import SideView, TableView
from adjudicator.games.genesis.story.phrases import PIECES, held_text, place_text, to_do, tombs_text
from adjudicator.games.kit.shapes import Spot, cross, die, number, stroke, text

WIDTH = 720
SUPPLY_HEIGHT, SIDE_HEIGHT = 96, 158
EDGE = 28


def _rule(y: float) -> str:
    """Return a line across the picture."""
    return f'<path d="M{EDGE} {number(y)}H{WIDTH - EDGE}" {stroke("line", 1)}/>'


def _target(name: str, title: str, box: tuple[float, float, float, float], drawn: str) -> str:
    """Return a click target outside the World; `box` is its left, top, width and height."""
    left, top, width, height = (number(value) for value in box)
    area = (
        f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none"'
        ' pointer-events="all"/>'
    )
    return f'<g id="{name}" class="piece"><title>{title}</title>{area}{drawn}</g>'


# --- the supply and the die


def draw_supply(view: TableView, top: float) -> str:
    """Return the ideas outside the World, and the die."""
    step = min(36.0, 500 / max(view.outside, 1))
    stones = "".join(
        draw_idea(Spot(EDGE + 16 + nth * step, top + 66), min(15, step * 0.44))
        for nth in range(view.outside)
    )
    words = f"Ideas outside the World: {view.outside or 'none'}"
    drawn = text(Spot(EDGE, top + 34), words, 21) + stones
    return (
        _rule(top)
        + _target("genesis-ideas", words, (EDGE, top + 8, 520, 80), drawn)
        + _die(view, Spot(WIDTH - EDGE - 36, top + 48))
    )


def _die(view: TableView, at: Spot) -> str:
    """Return the die with the face it showed last; blank if the last order did not throw."""
    face, size = shown_face(view), 62
    if face:
        title, drawn = f"The die shows {face}", die(face, at, size)
    else:
        left, top = number(at.x - size / 2), number(at.y - size / 2)
        bare = (
            f'<rect x="{left}" y="{top}" width="{size}" height="{size}" rx="10"'
            f' {stroke("faint-line", 2)} stroke-dasharray="6 5"/>'
        )
        title, drawn = (
            "The die",
            bare + text(Spot(at.x, at.y + 7), "die", 21, colour="faint", anchor="middle"),
        )
    return _target("genesis-die", title, (at.x - 40, at.y - 40, 80, 80), drawn)


def shown_face(view: TableView) -> int | None:
    """Return the face that is to be used now or was thrown with the last order, None if there is
    neither.
    """
    thrown = [event.face for event in view.last if isinstance(event, Thrown | Declined)]
    return view.die or (thrown[-1] if thrown else None)


# --- the seats


def draw_panel(view: TableView, of: SideView, top: float) -> str:
    """Return the panel of a seat: its dipole, pyramids and deeds, and what it owes."""
    own = " (you)" if of.seat == view.seat else ""
    name = text(Spot(EDGE + 44, top + 36), f"Seat {of.seat}{own}", 24, bold=True)
    owed, now = ", ".join(to_do(view, of)), view.turn == of.seat or view.moment == "over"
    tomb = text(
        Spot(WIDTH - EDGE, top + 35),
        tombs_text(of),
        20,
        anchor="end",
        colour="moss" if of.completed else "faint",
    )
    line = text(
        Spot(EDGE + 44, top + 65), owed or "waits", 21, colour="wax" if now else "faint", bold=now
    )
    pieces = _piece(of.anubis, Spot(EDGE + 26, top + 108)) + _piece(
        of.bastet, Spot(EDGE + 192, top + 108)
    )
    return (
        _rule(top)
        + draw_seat_mark(of.seat, Spot(EDGE + 18, top + 28), 16)
        + name
        + tomb
        + line
        + pieces
        + _hands(of, top)
    )


def _piece(piece: Piece, at: Spot) -> str:
    """Return a small piece and the name of its place; a piece that is on no square has its id
    here.
    """
    drawn = draw_figure(piece.name, piece.seat, at, 24)
    if piece.life == "dead":
        drawn += cross(Spot(at.x - 18, at.y - 16), 10)
    words = (
        place_text(piece).removeprefix("on ").replace(" on ", " ").replace("not yet born", "unborn")
    )
    drawn += text(Spot(at.x + 33, at.y + 7), words, 19)
    if piece.square:
        return drawn
    title = f"Seat {piece.seat}’s {PIECES[piece.name]}, {place_text(piece)}"
    return _target(
        f"genesis-{piece.seat}-{piece.name}", title, (at.x - 30, at.y - 30, 150, 60), drawn
    )


def _hands(of: SideView, top: float) -> str:
    more = f", {of.counted} in all" if of.counted != of.deeds else ""
    pyramids = [draw_pyramid(at, 34) for at in _row(of.pyramids, Spot(400, top + 106), 105)]
    deeds = [draw_deed(of.seat, at, 14) for at in _row(of.deeds, Spot(554, top + 106), 118)]
    left = _hand(
        of, "pyramids", (382, top + 80, 148), held_text(of.pyramids, "pyramid"), drawn=pyramids
    )
    return left + _hand(
        of, "deeds", (536, top + 80, 164), held_text(of.deeds, "deed") + more, drawn=deeds
    )


def _row(many: int, start: Spot, width: float) -> list[Spot]:
    step = min(35.0, width / max(many - 1, 1))
    return [Spot(start.x + nth * step, start.y) for nth in range(many)]


def _hand(
    of: SideView, what: str, box: tuple[float, float, float], words: str, *, drawn: list[str]
) -> str:
    """Return one half of a hand as a click target; `box` is its left, top and width."""
    left, top, width = box
    label = text(Spot(left, top + 66), words, 19, colour="ink" if drawn else "faint")
    return _target(
        f"genesis-{of.seat}-{what}",
        f"Seat {of.seat}’s hand: {words}",
        (left - 4, top, width, 70),
        "".join(drawn) + label,
    )
