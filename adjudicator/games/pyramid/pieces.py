"""The pieces of Rock Paper Pyramid, what captures what, and the patterns three of them make."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

from adjudicator.core.game import Seat

Piece = str
"""A colour letter and the pips: `B3` is black large."""

COLOURS = {"B": "black", "W": "white", "C": "crystal", "R": "red"}
SIZES = {"3": "large", "2": "medium", "1": "small"}
STACKS: tuple[Piece, ...] = tuple(colour + size for colour in "BWC" for size in SIZES)
RED_STACK: tuple[Piece, ...] = ("R3", "R2", "R1")
HIDDEN_RED: Piece = "R?"  # in a view: a red piece whose size its reader may not know (ruling R4)

COLOUR_CAPTURES = {"BW", "WC", "CB", "RB", "RW", "RC"}
SIZE_CAPTURES = {"32", "21", "13"}

Why = Literal["colour", "size", "colour and size"]
Pattern = Literal["full sweep", "line sweep", "solo", "wishbone", "standoff", "washout"]


def piece_name(piece: Piece) -> str:
    """Return the piece in words: `black large`, `one red piece` where its size is hidden."""
    return "one red piece" if piece == HIDDEN_RED else f"{COLOURS[piece[0]]} {SIZES[piece[1]]}"


def pips(piece: Piece) -> int:
    """Return the pips of the piece, which are its score (ruling R2)."""
    return int(piece[1])


# --- captures


@dataclass(frozen=True)
class Capture:
    """The piece of seat `by` captures the piece of seat `of`."""

    by: Seat
    of: Seat
    why: Why


def captures_by(mine: Piece, other: Piece) -> Why | None:
    """Return why `mine` captures `other`, None where it does not (neutral, or captured itself): the
    source's table and ruling R3.
    """
    colour = _vote(mine[0] + other[0], COLOUR_CAPTURES)
    size = _vote(mine[1] + other[1], SIZE_CAPTURES)
    if colour + size <= 0:
        return None
    if colour and size:
        return "colour and size"
    return "colour" if colour else "size"


def _vote(pair: str, captures: set[str]) -> int:
    return (pair in captures) - (pair[::-1] in captures)


def all_captures(picks: Mapping[Seat, Piece]) -> tuple[Capture, ...]:
    """Return every capture between the pieces shown, in seat order."""
    pairs = permutations(sorted(picks), 2)
    found = ((by, of, captures_by(picks[by], picks[of])) for by, of in pairs)
    return tuple(Capture(by, of, why) for by, of, why in found if why)


def find_taker(captures: tuple[Capture, ...]) -> Seat | None:
    """Return the only seat whose piece captures something and is captured by nothing; None for two
    such seats or none.
    """
    captured = {capture.of for capture in captures}
    free = {capture.by for capture in captures} - captured
    return free.pop() if len(free) == 1 else None


def find_pattern(captures: tuple[Capture, ...]) -> Pattern:
    """Return what the three pieces make together (the source's chart)."""
    winner = find_taker(captures)
    if winner is None:
        if len(captures) == 2:
            return "wishbone"
        return "standoff" if captures else "washout"
    if sum(capture.by == winner for capture in captures) == 2:
        return "full sweep"
    return "line sweep" if len(captures) == 2 else "solo"
