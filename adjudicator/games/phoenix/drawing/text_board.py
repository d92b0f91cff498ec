"""The table as plain text: the grid, then sentences that a screen reader can read."""

from textwrap import wrap

from adjudicator.core.game import Seat
from adjudicator.games.kit.words import capital, count, listing
from adjudicator.games.phoenix.model.grid import SIDE, Square, is_gold, square_text
from adjudicator.games.phoenix.model.view import TableView
from adjudicator.games.phoenix.story.phrases import place_text, progress_text

COLUMNS = 72


def text_board(view: TableView) -> str:
    """Return the table in lines of at most 72 columns; a Bird is its seat's letter and its type's:
    `Rp`.
    """
    seats = [line for seat in view.seats for line in _wrapped(_seat(view, seat))]
    pot = [f"The pot holds {count(view.pot, 'chip')}."] if view.modes.casino else []
    return "\n".join(
        [*_heading(view), "", *_grid(view), "", *_wrapped(_legend(view)), "", *seats, *pot]
    )


def _wrapped(text: str) -> list[str]:
    return wrap(text, COLUMNS, subsequent_indent="  ", break_on_hyphens=False)


# --- the phase


def _heading(view: TableView) -> list[str]:
    return [view.phase, *_wrapped(" ".join(filter(None, (progress_text(view), _dice(view)))))]


def _dice(view: TableView) -> str:
    return (
        f"The dice show {square_text(view.dice)}{', doubles' if is_gold(view.dice) else ''}."
        if view.dice
        else ""
    )


# --- the grid


def _grid(view: TableView) -> list[str]:
    signs = {bird.place: bird.seat[0] + bird.kind[0] for bird in view.birds if bird.stands}
    rows = [
        f"{y:>3} " + "".join(_cell((x, y), signs.get((x, y), "")) for x in range(1, SIDE + 1))
        for y in range(SIDE, 0, -1)
    ]
    return [
        line.rstrip() for line in (*rows, "    " + "".join(f"{x:>4} " for x in range(1, SIDE + 1)))
    ]


def _cell(square: Square, sign: str) -> str:
    gold = "*" if is_gold(square) else ""
    return f"{sign:>4}{gold or ' '}" if sign else f"{gold or '.':>4} "


def _legend(view: TableView) -> str:
    seats = ", ".join(f"{seat[0]} {seat}" for seat in view.seats)
    return (
        f"{seats}; r Rock, p Paper, s Scissors; * a gold square. x counts to the right, y upwards."
    )


# --- a seat


def _seat(view: TableView, seat: Seat) -> str:
    birds = [
        f"{bird.kind.capitalize()} {place_text(bird.place)}"
        for bird in view.birds
        if bird.seat == seat
    ]
    you = " (you)" if seat == view.seat else ""
    return f"{seat}{you}{_partner(view, seat)}: {', '.join(birds)}; {_belongings(view, seat)}."


def _partner(view: TableView, seat: Seat) -> str:
    side = next(side for side in view.sides if seat in side)
    partners = [
        f"{other}{' (you)' if other == view.seat else ''}" for other in side if other != seat
    ]
    return f", with {listing(partners)}" if partners else ""


def _belongings(view: TableView, seat: Seat) -> str:
    purse = view.purses[seat]
    chips = (
        f"; {count(purse.paid, 'chip')} paid" + (f", {purse.taken} taken" if purse.taken else "")
        if view.modes.casino
        else ""
    )
    return capital(count(view.scores[seat], "point")) + chips
