"""Draws a panel for each seat below the grid: its three Birds, its points and its chips."""

from adjudicator.core.game import Seat
from adjudicator.games.kit.glyphs import glyph
from adjudicator.games.kit.shapes import FAINT, SHEET, Spot, fill, number, outline, stroke, text
from adjudicator.games.kit.words import count
from adjudicator.games.phoenix.drawing.pieces import (
    FORMS,
    draw_bird,
    draw_lettered_bird,
    draw_seat_mark,
)
from adjudicator.games.phoenix.model.grid import Bird, square_text
from adjudicator.games.phoenix.model.view import TableView
from adjudicator.games.phoenix.story.phrases import bird_name, place_text, winning_seats

WIDTH, HEIGHT, GAP = 330.0, 148.0, 12.0


def draw_panels(view: TableView, left: float, top: float) -> str:
    """Return all panels, two in a row."""
    spots = (
        Spot(left + place % 2 * (WIDTH + GAP), top + place // 2 * (HEIGHT + GAP))
        for place in range(len(view.seats))
    )
    return "".join(_panel(view, seat, at) for seat, at in zip(view.seats, spots, strict=True))


def panels_height(view: TableView) -> float:
    """Return the height of all panels together."""
    return -(-len(view.seats) // 2) * (HEIGHT + GAP)


def _panel(view: TableView, seat: Seat, at: Spot) -> str:
    border = stroke("wax-line", 3) if seat in _foremost(view) else stroke("line", 1.5)
    place = (
        f'x="{number(at.x)}" y="{number(at.y)}" width="{number(WIDTH)}" height="{number(HEIGHT)}"'
    )
    box = f'<rect {place} rx="6" {border} pointer-events="none"/>'
    birds = [each for each in view.birds if each.seat == seat]
    perches = "".join(
        _perch(each, Spot(at.x + 58 + place * 107, at.y + 86)) for place, each in enumerate(birds)
    )
    return box + _heading(view, seat, at) + perches


def _foremost(view: TableView) -> tuple[Seat, ...]:
    """Return the seats to highlight: the seat on turn, after the end the winners."""
    return winning_seats(view.ended) if view.ended else tuple(filter(None, (view.on_turn,)))


def _signs(view: TableView, seat: Seat, at: Spot) -> str:
    """Return the seat's shape, with a partner's small one at its foot."""
    side = next(side for side in view.sides if seat in side)
    partners = "".join(
        draw_seat_mark(other, Spot(at.x + 13, at.y + 12), 7) for other in side if other != seat
    )
    return draw_seat_mark(seat, at, 13) + partners


def _heading(view: TableView, seat: Seat, at: Spot) -> str:
    name = seat + (" (you)" if seat == view.seat else "")
    right = at.x + WIDTH - 14
    chips = ""
    if view.modes.casino:
        right -= 64
        chips = draw_chip(Spot(right + 25, at.y + 25)) + text(
            Spot(right + 40, at.y + 31), _chips(view, seat), 18
        )
    points = text(Spot(right, at.y + 31), count(view.scores[seat], "point"), 18, anchor="end")
    return (
        _signs(view, seat, Spot(at.x + 26, at.y + 25))
        + text(Spot(at.x + 48, at.y + 31), name, 19, bold=True)
        + points
        + chips
    )


def _chips(view: TableView, seat: Seat) -> str:
    """Return the chips a seat put in the pot; after the end, its gain or loss."""
    purse = view.purses[seat]
    gain = purse.taken - purse.paid
    return (
        str(purse.paid)
        if not view.ended
        else f"+{gain}"
        if gain > 0
        else str(gain).replace("-", "\N{MINUS SIGN}")
    )


def draw_chip(at: Spot) -> str:
    """Return a chip."""
    disc = f'<circle cx="{number(at.x)}" cy="{number(at.y)}"'
    body = f'{disc} r="10" {fill("gold")}/>{disc} r="10" {stroke("ink-line", 1.5)}/>'
    return f'{body}{disc} r="6" {stroke("amber-line", 2)} stroke-dasharray="3 2"/>'


# --- a Bird in its panel, or the square of one that is on the grid


def _perch(each: Bird, at: Spot) -> str:
    if each.stands:
        shape = outline(FORMS[each.seat], at, 17)
        drawn = f'{shape} {stroke("faint-line", 1.5)} stroke-dasharray="3 4"/>'
        drawn += glyph(each.kind, at, 17, ink=FAINT, gap=SHEET)
        return drawn + _label(at, square_text(each.square), "ink")
    ashes = each.place == "ashes"
    heap = _heap(at) if ashes else ""
    place = Spot(at.x, at.y - 4 if ashes else at.y)
    draw = draw_bird if ashes else draw_lettered_bird
    drawn = draw(each.seat, each.kind, place, 24) + heap + _target(at)
    label = _label(at, "Ashes" if ashes else "to place", "faint" if ashes else "ink")
    return f"{open_bird_group(each)}{drawn}</g>{label}"


def open_bird_group(each: Bird) -> str:
    """Return the opening tag of the group that is clicked for a Bird: `phoenix-Red-paper`."""
    return (
        f'<g id="phoenix-{each.seat}-{each.kind}" class="piece"><title>{bird_name(None, each)},'
        f" {place_text(each.place)}</title>"
    )


def _target(at: Spot) -> str:
    return (
        f'<rect x="{number(at.x - 48)}" y="{number(at.y - 34)}" width="96" height="84" fill="none"'
        ' pointer-events="all"/>'
    )


def _label(at: Spot, words: str, colour: str) -> str:
    return text(Spot(at.x, at.y + 50), words, 16, colour=colour, anchor="middle")


def _heap(at: Spot) -> str:
    """Return the heap of ashes under a Bird."""
    x, y = at.x, at.y + 30
    mound = (
        f"M{number(x - 44)} {number(y)}C{number(x - 30)} {number(y - 26)} {number(x - 14)}"
        f" {number(y - 12)} {number(x)} {number(y - 20)}"
    )
    mound += (
        f"C{number(x + 14)} {number(y - 28)} {number(x + 30)} {number(y - 8)} {number(x + 44)}"
        f" {number(y)}Z"
    )
    sparks = "".join(
        f'<circle cx="{number(x + dx)}" cy="{number(y - dy)}" r="2.2" fill="#E58A2F"/>'
        for dx, dy in ((-22, 7), (3, 9), (24, 6))
    )
    return (
        f'<path d="{mound}" {fill("faint")}/><path d="{mound}" {stroke("ink-line", 1.5)}'
        f' stroke-linejoin="round"/>{sparks}'
    )
