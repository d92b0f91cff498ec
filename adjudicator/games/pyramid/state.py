"""The state of Rock Paper Pyramid between two rounds, and the events of a round."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from adjudicator.core.game import Event, Seat
from adjudicator.games.pyramid.pieces import (
    Capture,
    Pattern,
    Piece,
    Why,
    all_captures,
    find_pattern,
    find_taker,
    pips,
)


@dataclass(frozen=True)
class Hand:
    """The pieces of one seat; all public except the size of a red piece in the pool (ruling R4)."""

    seat: Seat
    pool: tuple[Piece, ...]  # not played yet: black, white, crystal, red, each from large to small
    played: tuple[Piece, ...] = ()  # the piece of round 1 first
    kept: tuple[Piece, ...] = ()  # in the order they were taken

    @property
    def score(self) -> int:
        """The pips of the pieces kept (ruling R2)."""
        return sum(pips(piece) for piece in self.kept)


@dataclass(frozen=True)
class Round:
    """A round that was played, and its result."""

    number: int
    picks: Mapping[Seat, Piece]
    captures: tuple[Capture, ...]
    pattern: Pattern
    taker: Seat | None
    taken: tuple[Piece, ...]  # the captured pieces the taker keeps, in seat order
    own: Piece | None  # the taker's own piece where it keeps that too (ruling R1)

    @property
    def haul(self) -> tuple[Piece, ...]:
        """All the pieces the taker keeps."""
        return self.taken + ((self.own,) if self.own else ())


def open_round(number: int, picks: Mapping[Seat, Piece], keeps_own: bool = False) -> Round:
    """Return the result of the pieces shown; `keeps_own` is the option take=all (ruling R1)."""
    captures = all_captures(picks)
    winner = find_taker(captures)
    captured = {capture.of for capture in captures}
    return Round(
        number=number,
        picks=picks,
        captures=captures,
        pattern=find_pattern(captures),
        taker=winner,
        taken=tuple(picks[seat] for seat in sorted(captured)) if winner else (),
        own=picks[winner] if winner and keeps_own else None,
    )


@dataclass(frozen=True)
class State:
    """A match between two rounds; a pick of the coming round is never part of it."""

    take: Literal["captured", "all"]
    red: bool
    hands: tuple[Hand, ...]  # in seat order
    last: Round | None = None
    # whether only its seat knows the size of a red piece in a pool (R4); never in matches begun
    # under rules 1
    hidden: bool = False

    def hand(self, seat: Seat) -> Hand:
        """Return the pieces of `seat`."""
        return next(hand for hand in self.hands if hand.seat == seat)

    @property
    def opened(self) -> int:
        """How many rounds were played."""
        return len(self.hands[0].played)

    @property
    def rounds(self) -> int:
        """How many rounds the match lasts: one for each piece of a seat's pool."""
        return len(self.hands[0].played + self.hands[0].pool)


# --- what happened


class Dealt(Event, kind="dealt"):
    """Each seat was dealt one red piece in public, as in matches begun under rules 1."""

    pieces: Mapping[Seat, Piece]


class RedsDealt(Event, kind="reds dealt"):
    """Each seat was dealt one red piece, whose size it alone knows until it is shown (ruling
    R4).
    """


class DealtRed(Event, kind="dealt red"):
    """Which red piece a seat was dealt; for that seat alone."""

    seat: Seat
    piece: Piece


class Opened(Event, kind="opened"):
    """The three pieces of a round were shown at once and made a pattern."""

    round: int
    picks: Mapping[Seat, Piece]
    pattern: Pattern


class Captured(Event, kind="captured"):
    """One piece captured another."""

    by: Seat
    by_piece: Piece
    of: Seat
    of_piece: Piece
    why: Why


class Took(Event, kind="took"):
    """What the taker keeps of the round; `taker` is None where nobody took anything."""

    pattern: Pattern
    taker: Seat | None
    taken: tuple[Piece, ...]
    own: Piece | None
    points: int


class Scored(Event, kind="scored"):
    """The running score after the round."""

    scores: Mapping[Seat, int]


class Ended(Event, kind="ended"):
    """The last round is played; place 1 is first, equal seats share it."""

    places: Mapping[Seat, int]
    scores: Mapping[Seat, int]


Happened = Dealt | RedsDealt | DealtRed | Opened | Captured | Took | Scored | Ended
