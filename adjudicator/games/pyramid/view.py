"""What one seat may know of a match, and the same as plain text: all but the size of the others'
red pieces (ruling R4).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from adjudicator.core.game import Seat
from adjudicator.games.kit.words import count, listing
from adjudicator.games.pyramid.pieces import (
    COLOURS,
    HIDDEN_RED,
    RED_STACK,
    SIZES,
    Piece,
    piece_name,
)
from adjudicator.games.pyramid.state import Hand, Round, State


@dataclass(frozen=True)
class TableView:
    """The table as `seat` sees it, None being an observer; another seat's red piece is `R?` in its
    pool while it is hidden.
    """

    seat: Seat | None
    phase: str  # "Round 3", or "The end"
    rounds: int  # how many the match lasts
    take: Literal["captured", "all"]
    red: bool
    hands: tuple[Hand, ...]
    last: Round | None
    scores: Mapping[Seat, int]


def phase_name(state: State) -> str:
    """Return what the coming round is called."""
    return "The end" if state.opened == state.rounds else f"Round {state.opened + 1}"


def look(state: State, seat: Seat | None, *, reveal: bool = False) -> TableView:
    """Return what `seat` may know: all public pieces and its own red one; all red pieces with
    `reveal`.
    """
    open_to_all = reveal or not state.hidden
    return _view(
        state,
        seat,
        tuple(hand if open_to_all or hand.seat == seat else _covered(hand) for hand in state.hands),
    )


def _covered(hand: Hand) -> Hand:
    """Return a hand with its red piece, where it still has it, as others see it."""
    return replace(
        hand, pool=tuple(HIDDEN_RED if piece in RED_STACK else piece for piece in hand.pool)
    )


def _view(state: State, seat: Seat | None, hands: tuple[Hand, ...]) -> TableView:
    return TableView(
        seat=seat,
        phase=phase_name(state),
        rounds=state.rounds,
        take=state.take,
        red=state.red,
        hands=hands,
        last=state.last,
        scores={hand.seat: hand.score for hand in state.hands},
    )


# --- plain text


def text_board(view: TableView) -> str:
    """Return the table in lines of at most 72 columns, a block for each seat."""
    title = view.phase if view.phase == "The end" else f"{view.phase} of {view.rounds}"
    blocks = [title + _last_line(view)] + [_block(view, hand) for hand in view.hands]
    return "\n\n".join(blocks)


def _last_line(view: TableView) -> str:
    if view.last is None:
        return "\nNo piece is played yet."
    outcome = (
        f"seat {view.last.taker} took {pieces_text(view.last.taken)}"
        if view.last.taker
        else "nobody took anything"
    )
    return f"\nRound {view.last.number} was a {view.last.pattern}: {outcome}."


def _block(view: TableView, hand: Hand) -> str:
    you = " (you)" if hand.seat == view.seat else ""
    lines = [f"Seat {hand.seat}{you}: {count_pips(hand.score)}"]
    if hand.played:
        lines.append(f"  showed  {hand.played[-1]}, {piece_name(hand.played[-1])}")
    lines.append(f"  kept    {' '.join(hand.kept) or 'nothing yet'}")
    held = [line for colour in COLOURS if (line := _colour_line(hand, colour))]
    return "\n".join(lines + (held or ["  holds   nothing more"]))


def _colour_line(hand: Hand, colour: str) -> str:
    held = [piece for piece in hand.pool if piece[0] == colour]
    if not held:
        return ""
    colours = (
        "one red piece, its size hidden" if piece == HIDDEN_RED else f"{piece} {SIZES[piece[1]]}"
        for piece in held
    )
    return f"  {COLOURS[colour]:<8}" + ", ".join(colours)


def count_pips(number: int) -> str:
    """Return `1 pip`, `4 pips`."""
    return count(number, "pip")


def pieces_text(pieces: tuple[Piece, ...]) -> str:
    """Return the pieces in words: `black large and white small`."""
    return listing([piece_name(piece) for piece in pieces])
