"""The middle of the picture: the two cards of a pick face up, what beat what, and what it paid."""

from adjudicator.core.game import Seat
from adjudicator.games.kit.shapes import Spot, arrow, draw_seat_name, number, stroke, text
from adjudicator.games.kit.words import count
from adjudicator.games.redeux.cards import draw_card, draw_empty_place
from adjudicator.games.redeux.state import Showing

HEIGHT = 318.0
LARGE = 156.0  # the width of a card
COLUMNS = (168.0, 552.0)
MIDDLE = 118.0  # from the top of the showing to the middle of the cards


def draw_showing(showing: Showing, top: float, you: Seat | None) -> str:
    """Return both cards, the arrow from the one that beat the other, and a line of points for
    each.
    """
    cards = "".join(
        draw_card(showing.cards[seat], Spot(x, top + MIDDLE), LARGE)
        + _foot(showing, seat, Spot(x, top), you)
        for x, seat in zip(COLUMNS, sorted(showing.cards), strict=True)
    )
    return cards + _between(showing, top + MIDDLE)


def draw_empty_showing(seats: tuple[Seat, ...], top: float, you: Seat | None) -> str:
    """Return the places of two cards that are not shown yet."""
    found = ""
    for x, seat in zip(COLUMNS, seats, strict=True):
        at = Spot(x, top + MIDDLE)
        found += draw_empty_place(at, LARGE) + text(
            Spot(x, at.y + 16), "?", 48, colour="faint", anchor="middle", serif=True
        )
        found += _name(seat, Spot(x, top), you)
    return found


def _name(seat: Seat, column: Spot, you: Seat | None) -> str:
    return draw_seat_name(seat, Spot(column.x - 44, column.y + 258), own=seat == you)


def _foot(showing: Showing, seat: Seat, column: Spot, you: Seat | None) -> str:
    words, colour = _fate(showing, seat)
    place = Spot(column.x, column.y + 299)
    return _name(seat, column, you) + text(
        place, words, 20, anchor="middle", colour=colour, bold=colour != "faint"
    )


def _fate(showing: Showing, seat: Seat) -> tuple[str, str]:
    """Return the points of a seat in words, and their colour."""
    bet, gain = showing.bets[seat], showing.gains[seat]
    if showing.winner is None:
        return (f"bet {bet} lapses" if bet else "no points"), "faint"
    if seat == showing.winner:
        return (f"bet {bet}, won {gain}" if bet else f"won {gain}"), "moss"
    return (f"bet {bet}, lost {bet}", "wax") if bet else ("loses nothing", "faint")


# --- what beat what


def _between(showing: Showing, y: float) -> str:
    one, other = sorted(showing.cards)
    inner = LARGE / 2 + 20
    left, right = COLUMNS[0] + inner, COLUMNS[1] - inner
    middle = Spot((left + right) / 2, y)
    if showing.cards[one] == showing.cards[other]:
        dotted = f'{stroke("faint-line", 2)} stroke-dasharray="2 7" stroke-linecap="round"'
        line = f'<path d="M{number(left)} {number(y)}H{number(right)}" {dotted}/>'
        return (
            line
            + text(Spot(middle.x, y - 14), "tie", 22, anchor="middle", colour="faint")
            + _ties(showing, middle)
        )
    ends = (left, right) if showing.winner == one else (right, left)
    return arrow(Spot(ends[0], y), Spot(ends[1], y), size=20) + text(
        Spot(middle.x, y - 16), "beats", 22, anchor="middle"
    )


def _ties(showing: Showing, middle: Spot) -> str:
    if showing.named:
        lines = [f"tied {count(showing.ties, 'time')}:", "chance names", f"seat {showing.winner}"]
    else:
        lines = ["done again"] + ([f"({showing.ties} in a row)"] if showing.ties > 1 else [])
    return "".join(
        text(Spot(middle.x, middle.y + 30 + 24 * down), line, 18, anchor="middle")
        for down, line in enumerate(lines)
    )
