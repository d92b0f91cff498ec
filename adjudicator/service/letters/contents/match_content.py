"""The contents of letters about a running match."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from adjudicator.core.options import OptionValue
from adjudicator.service.letters.contents.content import (
    LetterContent,
    OwedOrders,
    PhaseSection,
    SealLine,
    StandingRow,
)


@dataclass(frozen=True, kw_only=True)
class _Report(LetterContent):
    """What a report says whatever the rows of its phases say."""

    KIND = "report"

    game: str
    player: str
    names: Mapping[str, str]  # the player of each seat
    anonymous: bool = False
    owed: OwedOrders | None
    planning: bool
    standing: tuple[StandingRow, ...] | None
    stopped: str = ""
    started: bool
    newcomer: bool = False  # whether the reader has just got the seat of a running match
    back: bool = False  # whether that reader had the seat before
    seals: tuple[SealLine, ...]
    notes: tuple[str, ...]
    press: str = "none"  # only in a reader's first report, like the next two fields
    seats: tuple[str, ...] = ()
    anchors: Mapping[str, str] | None = None
    # the settled options, only in a first report, like the anchors
    options: Mapping[str, OptionValue] | None = None
    aim: str = ""  # of the game, a sentence, only in a first report
    deserted: bool = False  # whether the match is paused, as every player has gone
    again: bool = False  # whether the match is over and its people can make the next one
    # what opens the reader's tenure and counts of receipts in the log; None without a log
    proofs: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class ReportLetter(_Report):
    """A report on closed phases or the match's beginning, with what the seat owes next."""

    board: str
    sections: tuple[PhaseSection, ...]


@dataclass(frozen=True)
class ReportRows:
    """Which rows of phases a report is told from, and what its reader might know of them as it was
    written.

    What these rows say of a closed phase, and the state in which a phase was opened, never changes.
    """

    phase: int  # the phase whose state the report shows
    after: bool  # the state after that phase; False: before it
    told: tuple[int, ...]  # the closed phases that are told
    # hashes of that state and of what these phases say, as `posting.phase_digests` makes them
    digests: tuple[str, ...]
    orders_open: bool
    all_open: bool
    seated_at: datetime | None = None  # when the reader got the seat from another player


@dataclass(frozen=True, kw_only=True)
class StoredReport(_Report):
    """A report as it is stored: `posting.report_telling` adds view, board, sections and choices as
    the letter is claimed.

    It does not load as a `ReportLetter`, so a worker of an older release sends none that is
    incomplete: the letter is tried again.
    """

    rows: ReportRows


@dataclass(frozen=True, kw_only=True)
class NoticeLetter(LetterContent):
    """A master or the host paused, resumed or rescheduled the match, or it was restored from a
    backup.
    """

    KIND = "notice"

    phase: str
    what: Literal["paused", "resumed", "deadline", "restored"]
    who: str  # a player's name, "the host", "the service" or "the players"
    deadline: datetime | None
    was: datetime | None
    since: datetime | None
    due: bool
    game: str = ""
    owed: OwedOrders | None = None  # for the player's calendar, which has the old deadline
    progress: str = ""  # a sentence on how many have handed in, as far as the match shows it
    outage: bool = False  # whether the deadline moves because the service was down
    newcomer: bool = False  # whether it moves for a seat's new player
    back: bool = False  # whether it moves for one who had the seat before
    still: bool = False  # whether a restored match's clock stands still
    title: str = ""  # of what else happened, which this letter tells
    told: str = ""  # its sentence


@dataclass(frozen=True, kw_only=True)
class ReminderLetter(LetterContent):
    """The reader owes orders and has handed in nothing: the deadline is near, or it has passed and
    overtime runs.
    """

    KIND = "reminder"

    game: str
    owed: OwedOrders
    until: datetime | None = None  # the end of the overtime
    note: str = ""  # a sentence about a former player's orders that count


@dataclass(frozen=True, kw_only=True)
class ProposalLetter(LetterContent):
    """Somebody proposed a change of the match, on which the reader may vote."""

    KIND = "proposal"

    phase: str
    what: str  # what is proposed: "more time: Round 3 until Tue 24 Nov 20:00 (Paris)"
    vote: str  # the word that names it in a vote: extend, pause ...
    reason: str
    tally: str  # "1 of 3 agrees; 2 have to"
    deadline: datetime | None
    until: datetime | None  # when it lapses; None: with its phase or with the pause


@dataclass(frozen=True, kw_only=True)
class PressLetter(LetterContent):
    """Press from another seat or the master to this seat, to the master (`seat` is "") or to
    everybody.
    """

    KIND = "press"

    phase: str  # "" where none is open
    press: str  # the match's kind of press
    writer: str  # "" in anonymous press
    readers: tuple[str, ...]  # () is everybody
    others: tuple[str, ...]  # the writer and the other readers
    lines: tuple[str, ...]
    ref: str = ""  # names the text to its reader, as on the site; "" in letters from before
    copied: bool = False  # whether the master gets it as the one who reads all press


@dataclass(frozen=True, kw_only=True)
class ReportedLetter(LetterContent):
    """A seat reports a text to the master; `seat` is ""."""

    KIND = "reported"

    reporter: str
    reason: str
    at: datetime
    writer: str  # "" in anonymous press
    readers: tuple[str, ...]  # () is everybody
    lines: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class RunLetter(LetterContent):
    """A match was prepared whose master does not play; how to run it by letter."""

    KIND = "running"

    game: str


@dataclass(frozen=True, kw_only=True)
class StuckLetter(LetterContent):
    """A match is stuck after a fault; to its master and the masters of all matches."""

    KIND = "stuck"

    trouble: str


@dataclass(frozen=True, kw_only=True)
class LateLetter(LetterContent):
    """Overtime began in a match; to its master, who does not play in it."""

    KIND = "late"

    phase: str
    seats: tuple[str, ...]  # that handed in nothing
    until: datetime


@dataclass(frozen=True, kw_only=True)
class UnreachableLetter(LetterContent):
    """Letters to a player come back; to the match's master."""

    KIND = "unreachable"

    player: str  # "" if players are hidden
    since: datetime
