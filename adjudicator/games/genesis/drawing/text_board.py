"""The World as plain text: two letters for each square, then sentences that a screen reader can
read.
"""

from collections.abc import Iterable
from textwrap import wrap

from adjudicator.games.genesis.drawing.panels import shown_face
from adjudicator.games.genesis.model.state import Piece
from adjudicator.games.genesis.model.view import SideView, TableView
from adjudicator.games.genesis.model.world import FILES, PLACES, RANKS, Square
from adjudicator.games.genesis.story.phrases import (
    GIFT_WORDS,
    PIECES,
    TO_DO,
    count_with_verb,
    dipole_text,
    ending_sentence,
    hand_text,
    part_title,
    sleeping_corners,
    to_do,
    turn_title,
)
from adjudicator.games.kit.words import capital, count, listing

COLUMNS = 72
CODES = {
    "..": "an empty cell",
    "()": "a place with nothing on it",
    "zz": "a corner that sleeps",
    "PY": "a pyramid",
    "ID": "an idea",
}


def text_board(view: TableView) -> str:
    """Return the position in lines of at most 72 columns, with a legend of the codes in it."""
    grid = ["    " + "   ".join(FILES)] + [
        f" {rank}  " + "  ".join(_code(view, file + rank) for file in FILES)
        for rank in reversed(RANKS)
    ]
    used = {_code(view, file + rank) for file in FILES for rank in RANKS}
    legend = [f"  {code}  {words}" for code, words in _legend(view).items() if code in used]
    blocks = (_heading(view), grid, legend, _around(view), *(_seat(view, of) for of in view.sides))
    return "\n\n".join("\n".join(block) for block in blocks)


def _lines(sentences: Iterable[str], hang: str = "") -> list[str]:
    return [
        line for sentence in sentences for line in wrap(sentence, COLUMNS, subsequent_indent=hang)
    ]


# --- the grid


def _code(view: TableView, square: Square) -> str:
    standing = next(
        (piece for of in view.sides for piece in of.pieces if piece.square == square), None
    )
    if standing:
        return _piece_code(view, standing)
    if square in view.pyramids:
        return "PY"
    if square in view.ideas:
        return "ID"
    placed = [deed.seat + "D" for deed in view.deeds if deed.square == square]
    if placed or square not in PLACES:
        return placed[0] if placed else ".."
    return "zz" if square in view.asleep else "()"


def _piece_code(view: TableView, piece: Piece) -> str:
    if piece.buried:
        return f"{piece.seat}T"
    return (
        f"{piece.seat}P"
        if piece.square in view.pyramids
        else f"{piece.seat}{PIECES[piece.name][0]}"
    )


def _legend(view: TableView) -> dict[str, str]:
    """Return every code with its meaning, those of the seats first."""
    found: dict[str, str] = {}
    for of in view.sides:
        found |= {
            of.seat + PIECES[piece.name][0]: f"seat {of.seat}’s {PIECES[piece.name]}"
            for piece in of.pieces
        }
        found[f"{of.seat}P"] = f"seat {of.seat}’s Bastet on a pyramid"
        found[f"{of.seat}D"] = f"a deed of seat {of.seat}"
        found[f"{of.seat}T"] = f"a tomb of seat {of.seat}"
    return found | CODES


# --- sentences


def _heading(view: TableView) -> list[str]:
    title = " ".join(f"{words}." for words in (turn_title(view), part_title(view)) if words)
    if view.turn is None:
        return [title, ending_sentence(view)]
    who = f"Seat {view.turn}{' (you)' if view.turn == view.seat else ''}"
    return [title, f"{who} is {TO_DO[view.moment]}."]


def _around(view: TableView) -> list[str]:
    """Return what lies outside the World, which corners sleep, and what the die shows."""
    found = [
        f"Ideas outside the World: {view.outside or 'none'}.",
        *(f"{words}." for words in (sleeping_corners(view),) if words),
    ]
    face = shown_face(view)
    if view.die:
        found.append(f"The die shows {view.die}: {GIFT_WORDS[view.gift]}.")
    elif face:
        found.append(f"The die showed {face}.")
    return found


def _seat(view: TableView, of: SideView) -> list[str]:
    you = " (you)" if of.seat == view.seat else ""
    lines = [f"Seat {of.seat}{you}: {dipole_text(of)}; {hand_text(of)}."]
    if of.counted != of.deeds:
        lines.append(f"  {count(of.counted, 'deed')} in all, those on the board too.")
    lines += [
        f"  {line}"
        for line in (_tombs(of), f"{capital(', '.join(to_do(view, of)))}.")
        if line != "."
    ]
    return _lines((line for line in lines if line.strip()), "  ")


def _tombs(of: SideView) -> str:
    """Return the progress of a seat's tombs and which cells are still to fill."""
    if of.completed:
        return "Its tombs are complete."
    if not of.tomb_cells:
        return ""
    missing = [cell for cell in of.tomb_cells if cell not in of.filled]
    return (
        f"Of its {len(of.tomb_cells)} tomb cells {count_with_verb(len(of.filled))} filled;"
        f" {listing(missing)} to go."
    )
