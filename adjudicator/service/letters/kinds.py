"""The content of each kind of letter: a frozen record with the fields of its templates, stored as JSON until the letter is sent.

A field that rows of older versions lack has a default, so that those rows can still be sent after an upgrade.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import ClassVar, Literal

from pydantic import TypeAdapter

from adjudicator.core.game import Refusal, Slot


@dataclass(frozen=True, kw_only=True)
class LetterContent:
    """The fields that all kinds share; those about a match are empty in a letter about none."""

    KIND: ClassVar[str]  # folder in templates/mail

    match: str = ""  # the match's name
    uid: str = ""
    game_key: str = ""
    seat: str = ""  # the reader's
    reply_token: str | None = None  # secret part of the address for answers; None: the service's own address
    in_reply_to: str | None = None  # Message-ID of the letter it answers, "" if that has none; None: it is no answer
    zone: str = "UTC"  # the reader's
    view: str = ""  # the view in its picture, as JSON
    fingerprint: str = ""  # fingerprint of the service's keys
    stop_token: str | None = None  # the secret that stops letters to a player
    never_token: str | None = None  # the secret that stops all letters to an unproved address


@dataclass(frozen=True)
class OwedOrders:
    """The orders that a seat owes in an open phase; `slots` is empty in letters that do not list them."""

    phase: str
    number: int
    deadline: datetime
    last_call: datetime | None = None  # deadline plus grace
    slots: tuple[Slot, ...] = ()


@dataclass(frozen=True)
class PhaseSection:
    """What happened in one closed phase, for one reader."""

    number: int
    phase: str
    lines: tuple[str, ...]
    results: tuple[str, ...] = ()  # the result of every order, in order notation


@dataclass(frozen=True)
class SealLine:
    """The seal of a seat's orders for a closed phase; `how` is the source of the orders, "" if the seat was not due."""

    phase: int
    name: str
    how: str
    commitment: str


@dataclass(frozen=True)
class StandingRow:
    """One seat in a final standing."""

    seat: str
    player: str
    place: int
    score: int
    outcome: str


@dataclass(frozen=True, kw_only=True)
class ReportLetter(LetterContent):
    """A report on closed phases or the match's beginning, with what the seat owes next."""

    KIND = "report"

    game: str
    player: str
    names: Mapping[str, str]  # the player of each seat
    anonymous: bool = False
    board: str
    owed: OwedOrders | None
    planning: bool
    standing: tuple[StandingRow, ...] | None
    stopped: str = ""
    started: bool
    seals: tuple[SealLine, ...]
    sections: tuple[PhaseSection, ...]
    notes: tuple[str, ...]
    press: str = "none"  # only in the first report, like the next two fields
    seats: tuple[str, ...] = ()
    anchors: Mapping[str, str] | None = None


@dataclass(frozen=True)
class LineReply:
    """One line of a letter and its outcome, in a sentence."""

    line: str
    sentence: str


@dataclass(frozen=True)
class ReplySection:
    """A longer section of an answer: lines, pairs of a command and its meaning, or a text board whose columns are kept."""

    title: str
    lines: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    orders: bool = False  # whether the lines are orders, which are not wrapped
    board: str = ""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """The outcomes of a letter's lines, listed in every answer."""

    sender: str = ""  # the address in From
    done: tuple[LineReply, ...] = ()
    failed: tuple[LineReply, ...] = ()
    more_failed: int = 0
    ignored: tuple[str, ...] = ()
    more_ignored: int = 0
    cut: bool = False  # whether only the beginning of the letter was read
    meant: str = ""  # the probable intent of a letter without a command
    games: tuple[str, ...] = ()  # games, listed for a newcomer
    sections: tuple[ReplySection, ...] = ()
    shortened: bool = False
    told_links: tuple[tuple[str, str], ...] = ()  # title and address of what the site shows instead
    rules_of: str = ""  # text of a game's rules, if the answer includes it
    last_today: bool = False  # whether it is the last answer allowed within 24 hours
    last_named: bool = False  # whether it answers a letter to the service itself
    last_to_seat: bool = False  # whether it answers a letter to a seat's own address


@dataclass(frozen=True, kw_only=True)
class AnswerLetter(Reply, LetterContent):
    """The answer to a letter without orders."""

    KIND = "answer"


@dataclass(frozen=True, kw_only=True)
class ConfirmLetter(Reply, LetterContent):
    """The question whether the reader really wrote a letter that came in the reader's name."""

    KIND = "confirm"

    wanted: tuple[str, ...]  # lines of the commands
    wanted_words: tuple[str, ...] = ()
    days: int


@dataclass(frozen=True)
class PartLine:
    """One part of a submission as it was understood."""

    title: str  # its phase: "Round 3", "then"
    orders: tuple[str, ...]
    commitment: str
    nonce: str
    part: int
    ready: bool  # whether `ready` is sealed with it


@dataclass(frozen=True, kw_only=True)
class ReceiptLetter(Reply, LetterContent):
    """The receipt for orders: how they were understood, and their seals; also the answer to the letter that brought them."""

    KIND = "receipt"

    phase: int
    phase_name: str
    meant_for: str = ""  # the phase they were for, if that is not the open one
    seq: int
    at: datetime
    channel: str
    disposition: str
    reason: str
    parts: tuple[PartLine, ...]
    refusals: tuple[Refusal, ...]
    remarks: tuple[str, ...]
    open_slots: tuple[str, ...]
    ready: bool
    says: str = ""
    complete: bool = False
    due: bool = True
    deadline: datetime
    last_call: datetime
    paused: bool = False
    still_open: bool


@dataclass(frozen=True, kw_only=True)
class NoticeLetter(LetterContent):
    """A master or the host paused, resumed or rescheduled the match."""

    KIND = "notice"

    phase: str
    what: Literal["paused", "resumed", "deadline"]
    who: str  # a player's name, or "the host"
    deadline: datetime | None
    was: datetime | None
    since: datetime | None
    due: bool
    game: str = ""
    owed: OwedOrders | None = None  # for the player's calendar, which has the old deadline


@dataclass(frozen=True, kw_only=True)
class PressLetter(LetterContent):
    """Press from another seat to this one, or to everybody."""

    KIND = "press"

    phase: str
    press: str  # the match's kind of press
    writer: str  # "" in anonymous press
    readers: tuple[str, ...]  # () is everybody
    others: tuple[str, ...]  # the writer and the other readers
    lines: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class InvitationLetter(LetterContent):
    """A seat is kept for the reader."""

    KIND = "invitation"

    token: str
    game: str
    summary: str
    master: str
    every_seconds: int
    rhythm: str = ""  # "2 days for each phase"
    given: tuple[str, ...] = ()  # the seats that are assigned when the match begins


@dataclass(frozen=True, kw_only=True)
class SignInLetter(LetterContent):
    """A link to sign in."""

    KIND = "signin"

    token: str
    minutes: int
    next: str  # the page it leads to


@dataclass(frozen=True, kw_only=True)
class StuckLetter(LetterContent):
    """A match is stuck after a fault; to its master and the masters of all matches."""

    KIND = "stuck"

    trouble: str


@dataclass(frozen=True, kw_only=True)
class UnreachableLetter(LetterContent):
    """Letters to a player come back; to the match's master."""

    KIND = "unreachable"

    player: str  # "" if players are hidden
    since: datetime


_KINDS = (
    ReportLetter, ReceiptLetter, AnswerLetter, ConfirmLetter, NoticeLetter, PressLetter, InvitationLetter, SignInLetter, StuckLetter,
    UnreachableLetter,
)  # fmt: skip
_BY_KIND: Mapping[str, type[LetterContent]] = {each.KIND: each for each in _KINDS}


@cache
def _adapter(kind: str) -> TypeAdapter[LetterContent]:
    return TypeAdapter(_BY_KIND[kind])


def dump_context(content: LetterContent) -> bytes:
    """Return a letter's content as JSON, without fields that have their default value."""
    return _adapter(content.KIND).dump_json(content, exclude_defaults=True)


def load_context(kind: str, plain: Mapping[str, object]) -> LetterContent:
    """Return content that `dump_context` wrote, in this version or an older one. Raises KeyError for an unknown kind, else ValueError."""
    return _adapter(kind).validate_python(plain)
