"""The middle of the picture: the three pieces of a round face up, an arrow for each capture, and
the fate of each piece.
"""

from collections.abc import Sequence

from adjudicator.core.game import Seat
from adjudicator.games.kit.shapes import (
    Spot,
    arrow_head,
    cross,
    draw_seat_name,
    number,
    stroke,
    text,
)
from adjudicator.games.pyramid.pieces import Capture, Piece, piece_name
from adjudicator.games.pyramid.shapes import SLOPE, draw_ghost, draw_letter, draw_pyramid, width_of
from adjudicator.games.pyramid.state import Hand, Round

LARGE = 124.0
COLUMNS = (124.0, 360.0, 596.0)
BASE = 238.0  # from the top of the showing to where the pieces stand
ARROWS = 176.0  # the height of the arrows between neighbours


def draw_showing(opened: Round, top: float, you: Seat | None) -> str:
    """Return the round's three pieces and what they did, 344 high."""
    seats = sorted(opened.picks)
    links = _link(opened, (0, 1), top) + _link(opened, (1, 2), top) + _arc(opened, top)
    return links + "".join(
        _piece(opened, seat, Spot(COLUMNS[place], top + BASE), you)
        for place, seat in enumerate(seats)
    )


def draw_empty_showing(hands: Sequence[Hand], top: float, you: Seat | None) -> str:
    """Return the places of three pieces that are not shown yet."""
    found = ""
    for x, hand in zip(COLUMNS, hands, strict=True):
        at = Spot(x, top + BASE)
        found += (
            draw_ghost(at, LARGE)
            + text(Spot(x, at.y - 36), "?", 44, colour="faint", anchor="middle", serif=True)
            + _name(hand.seat, at, you)
        )
    return found


def _name(seat: Seat, base: Spot, you: Seat | None) -> str:
    return draw_seat_name(seat, Spot(base.x - 50, base.y + 38), own=seat == you)


def _piece(opened: Round, seat: Seat, base: Spot, you: Seat | None) -> str:
    piece = opened.picks[seat]
    drawn = draw_pyramid(piece, base, LARGE) + draw_letter(piece, base, LARGE)
    fate, colour = _fate(opened, seat)
    if fate == "taken":
        drawn += cross(Spot(base.x + width_of(piece, LARGE) * 0.5, base.y - 8), 14)
    words = text(Spot(base.x, base.y + 74), piece_name(piece), 20, anchor="middle")
    return (
        drawn
        + _name(seat, base, you)
        + words
        + text(
            Spot(base.x, base.y + 101),
            fate,
            20,
            anchor="middle",
            colour=colour,
            bold=colour != "faint",
        )
    )


def _fate(opened: Round, seat: Seat) -> tuple[str, str]:
    """Return the fate of a seat's piece in words, and their colour."""
    captured = any(capture.of == seat for capture in opened.captures)
    if seat == opened.taker:
        return ("takes both" if len(opened.taken) == 2 else "takes one"), "moss"
    if captured and opened.taker:
        return "taken", "wax"
    return ("captured, not taken" if captured else "discarded"), "faint"


# --- what captured what


def _between(opened: Round, places: tuple[int, int]) -> Capture | None:
    pair = {sorted(opened.picks)[place] for place in places}
    return next((capture for capture in opened.captures if {capture.by, capture.of} == pair), None)


def _link(opened: Round, places: tuple[int, int], top: float) -> str:
    """Return the arrow between two neighbours, or a dotted line where they are neutral."""
    capture, seats = _between(opened, places), sorted(opened.picks)
    left, right = (
        _side(opened.picks[seats[place]], COLUMNS[place], turn)
        for place, turn in zip(places, (1, -1), strict=True)
    )
    y, middle = top + ARROWS, (left + right) / 2
    if capture is None:
        return _neutral(f"M{number(left)} {number(y)}H{number(right)}", Spot(middle, y))
    start, tip = (
        (Spot(left, y), Spot(right, y))
        if capture.by == seats[places[0]]
        else (Spot(right, y), Spot(left, y))
    )
    shaft = (
        f'<path d="M{number(start.x)} {number(y)}H{number(tip.x + (8 if tip.x < start.x else -8))}"'
        f" {stroke('ink-line', 4)}/>"
    )
    return shaft + arrow_head(tip, start, 20) + _reason(capture, Spot(middle, y))


def _side(piece: Piece, x: float, turn: int) -> float:
    """Return where an arrow ends: a little beside the piece's flank at the height of the arrows."""

    width = width_of(piece, LARGE)
    inside = max(0.0, 1 - (BASE - ARROWS) / (width * SLOPE))
    return x + turn * (width / 2 * inside + 14)


def _reason(capture: Capture, at: Spot) -> str:
    lines = capture.why.replace(" and", " +").replace("+ size", "+|size").split("|")
    return "".join(
        text(Spot(at.x, at.y - 14 - 22 * up), line, 18, anchor="middle")
        for up, line in enumerate(reversed(lines))
    )


def _neutral(path: str, at: Spot) -> str:
    return (
        f'<path d="{path}" {stroke("faint-line", 2)} stroke-dasharray="2 7"'
        ' stroke-linecap="round"/>'
        + text(Spot(at.x, at.y - 12), "neutral", 18, colour="faint", anchor="middle")
    )


def _arc(opened: Round, top: float) -> str:
    """Return the bow over the middle piece that joins the outer two."""
    capture, seats = _between(opened, (0, 2)), sorted(opened.picks)
    left, right = (_above(opened.picks[seats[place]], COLUMNS[place], top) for place in (0, 2))
    start, tip = (right, left) if capture and capture.by == seats[2] else (left, right)
    bend = 60 if tip.x > start.x else -60
    leave, arrive = Spot(start.x + bend, top + 6), Spot(tip.x - bend, top + 6)
    crown = Spot((left.x + right.x) / 2, (start.y + tip.y) / 8 + (top + 6) * 0.75)
    if capture is None:
        return _neutral(_curve(start, leave, arrive, tip), Spot(crown.x, crown.y + 38))
    stop = Spot(tip.x - bend / 8, tip.y - 10)
    label = text(Spot(crown.x, crown.y + 26), capture.why.replace("and", "+"), 18, anchor="middle")
    return (
        f'<path d="{_curve(start, leave, arrive, stop)}"'
        f" {stroke('ink-line', 4)}/>{arrow_head(tip, arrive, 20)}{label}"
    )


def _above(piece: Piece, x: float, top: float) -> Spot:
    return Spot(x, top + BASE - width_of(piece, LARGE) * SLOPE - 14)


def _curve(*spots: Spot) -> str:
    first, *rest = (f"{number(spot.x)} {number(spot.y)}" for spot in spots)
    return f"M{first}C{' '.join(rest)}"
