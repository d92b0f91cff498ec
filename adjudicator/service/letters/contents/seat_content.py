"""The contents of letters about seats and who takes them, about tournaments, and about an
account.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from adjudicator.service.letters.contents.content import LetterContent, Token


@dataclass(frozen=True, kw_only=True)
class InvitationLetter(LetterContent):
    """A seat is kept for the reader."""

    KIND = "invitation"

    token: Token
    game: str
    summary: str
    master: str
    every_seconds: int
    rhythm: str = ""  # "2 days for each phase"
    given: tuple[str, ...] = ()  # the seats that are assigned when the match begins
    press: tuple[str, ...] = ()  # the conditions of the match's press, a sentence each


GatheringNews = Literal["seated", "seated-muster", "muster", "lapsed", "begun", "expired"]


@dataclass(frozen=True, kw_only=True)
class GatheringLetter(LetterContent):
    """News of a match that has not begun: a seat from the waiting list, a muster, a seat lost in
    one, its expiry.
    """

    KIND = "gathering"

    game: str
    what: GatheringNews
    until: datetime | None  # end of the muster
    days: int = 0  # within which the match had to fill


# Who asked for a link: a guest, whose seats it gives to whoever has the address; a player, whose
# account gets the address; anybody.
AsksFor = Literal["guest", "player", ""]


@dataclass(frozen=True, kw_only=True)
class SignInLetter(LetterContent):
    """A link to sign in."""

    KIND = "signin"

    token: Token
    minutes: int
    next: str  # the page it leads to
    asks: AsksFor = ""  # who asked, if the link gives more than a session


@dataclass(frozen=True, kw_only=True)
class DataLetter(LetterContent):
    """What the service keeps about its reader, as a file."""

    KIND = "data"

    data: str  # the file, as JSON


@dataclass(frozen=True, kw_only=True)
class SeatLetter(LetterContent):
    """A seat looks for a new player, or changed hands; to its player, to the master, or to other
    seats.
    """

    KIND = "seat"

    title: str
    lines: tuple[str, ...]  # sentences, with commands between backticks


@dataclass(frozen=True, kw_only=True)
class OfferLetter(LetterContent):
    """A seat of a running match for the reader: to take over, or to play as a substitute for a
    span.
    """

    KIND = "offer"

    token: Token
    game: str
    summary: str
    offered: str  # the seat
    phase: str
    deadline: datetime
    rhythm: str
    # the player who names a substitute; "" for a seat to take over, and while players are hidden
    asker: str = ""
    returns_at: datetime | None = None  # when a substitute's span ends
    press: tuple[str, ...] = ()  # the conditions of the match's press, a sentence each


@dataclass(frozen=True)
class RankRow:
    """One entrant in the standings of a tournament, and in its cross-table if that is told."""

    place: int
    name: str
    points: str
    you: bool = False
    cells: tuple[str, ...] = ()  # the points against each entrant of the table, in its order


@dataclass(frozen=True, kw_only=True)
class TournamentLetter(LetterContent):
    """A tournament has begun, a round of it is over, or all of it; to an entrant. `match` is the
    tournament's name.
    """

    KIND = "tournament"

    tournament: str  # its public name
    game: str
    title: str
    lines: tuple[str, ...]  # sentences: what the reader did, and what comes next
    ranks: tuple[RankRow, ...] = ()  # the first ones and those about the reader
    entrants: int = 0
    over: bool = False
    cross: bool = False  # whether the ranks are all entrants, with the cells of a cross-table
    anchor: str = ""  # of the chance that all rounds are drawn from, in hex
    commands: tuple[str, ...] = ()  # of a director: lines that it can be answered with
    takes_part: bool = True  # whether the reader can leave it
