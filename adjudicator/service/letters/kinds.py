"""What each kind of letter says: one frozen record a kind, whose fields its templates show; stored as JSON until the letter is sent.

A field has a default where rows that older versions wrote lack it; such rows are still sent after an upgrade.
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
    """What a letter of any kind may say; what concerns no match leaves its fields empty."""

    KIND: ClassVar[str]  # the folder of templates/mail

    match: str = ""  # its name
    uid: str = ""
    game_key: str = ""
    seat: str = ""  # the reader's
    reply_token: str | None = None  # the secret part of the address that an answer goes to; None: the service's own
    in_reply_to: str | None = None  # the Message-ID of the letter it answers, "" where that has none; None where it answers none
    zone: str = "UTC"  # the reader's
    view: str = ""  # what its picture shows
    fingerprint: str = ""  # of the service's keys
    stop_token: str | None = None  # the secret that stops letters to a player
    never_token: str | None = None  # the secret that stops all letters to an address nobody proved


@dataclass(frozen=True)
class OwedOrders:
    """What a seat owes in an open phase; `slots` is empty where the letter does not list them."""

    phase: str
    number: int
    deadline: datetime
    last_call: datetime | None = None  # deadline and grace
    slots: tuple[Slot, ...] = ()


@dataclass(frozen=True)
class PhaseSection:
    """What happened in one closed phase, for one reader."""

    number: int
    phase: str
    lines: tuple[str, ...]
    results: tuple[str, ...] = ()  # what came of every order, in the notation of orders


@dataclass(frozen=True)
class SealLine:
    """What a seat's orders for a closed phase were sealed as; `how` they were taken is "" where the seat was not due."""

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
    """Phases were closed, or the match began: what happened, and what the seat owes next."""

    KIND = "report"

    game: str
    player: str
    names: Mapping[str, str]  # who plays each seat
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
    press: str = "none"  # of the first report only, as the two below
    seats: tuple[str, ...] = ()
    anchors: Mapping[str, str] | None = None


@dataclass(frozen=True)
class LineReply:
    """One line of a letter, and what became of it in a sentence."""

    line: str
    sentence: str


@dataclass(frozen=True)
class ReplySection:
    """A longer piece of an answer: lines, or a drawing whose columns are kept, or what can be written and what it means."""

    title: str
    lines: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    orders: bool = False  # whether the lines list orders, which are never broken in two
    board: str = ""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What every answer to a letter lists: what became of the letter's lines."""

    sender: str = ""  # the address that From gave
    done: tuple[LineReply, ...] = ()
    failed: tuple[LineReply, ...] = ()
    more_failed: int = 0
    ignored: tuple[str, ...] = ()
    more_ignored: int = 0
    cut: bool = False  # whether only the letter's beginning was read
    meant: str = ""  # what a letter without any command was probably meant as
    games: tuple[str, ...] = ()  # listed to a newcomer
    sections: tuple[ReplySection, ...] = ()
    shortened: bool = False
    told_links: tuple[tuple[str, str], ...] = ()  # what stands on the site instead, and its address
    rules_of: str = ""  # the article of a game's rules that it holds
    last_today: bool = False  # whether it is the last answer within a day
    last_named: bool = False  # to a letter to the service itself
    last_to_seat: bool = False  # to a letter to a seat's own address


@dataclass(frozen=True, kw_only=True)
class AnswerLetter(Reply, LetterContent):
    """The answer to a letter that handed in no orders."""

    KIND = "answer"


@dataclass(frozen=True, kw_only=True)
class ConfirmLetter(Reply, LetterContent):
    """The question whether the reader wrote a letter that gives the reader's address as its writer's."""

    KIND = "confirm"

    wanted: tuple[str, ...]  # the commands' lines
    wanted_words: tuple[str, ...] = ()
    days: int


@dataclass(frozen=True)
class PartLine:
    """One part of a submission as it was understood."""

    title: str  # the phase it is for: "Round 3", "then"
    orders: tuple[str, ...]
    commitment: str
    nonce: str
    part: int
    ready: bool  # as it was sealed


@dataclass(frozen=True, kw_only=True)
class ReceiptLetter(Reply, LetterContent):
    """How orders were understood, and their seals; it answers a letter as well where they came by one."""

    KIND = "receipt"

    phase: int
    phase_name: str
    meant_for: str = ""  # the phase they were handed in for, where that is not the open one
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
    """Whoever runs the match changed its clock."""

    KIND = "notice"

    phase: str
    what: Literal["paused", "resumed", "deadline"]
    who: str  # a player's name, or "the host"
    deadline: datetime | None
    was: datetime | None
    since: datetime | None
    due: bool
    game: str = ""
    owed: OwedOrders | None = None  # for the player's calendar, which holds the old deadline


@dataclass(frozen=True, kw_only=True)
class PressLetter(LetterContent):
    """Another seat wrote to this one, or to everybody."""

    KIND = "press"

    phase: str
    press: str  # the match's kind of press
    writer: str  # "" where nobody is told
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
    given: tuple[str, ...] = ()  # the seats that are given as the match begins


@dataclass(frozen=True, kw_only=True)
class SignInLetter(LetterContent):
    """A link to sign in."""

    KIND = "signin"

    token: str
    minutes: int
    next: str  # the page it leads to


@dataclass(frozen=True, kw_only=True)
class StuckLetter(LetterContent):
    """A match stands still after a fault."""

    KIND = "stuck"

    trouble: str


@dataclass(frozen=True, kw_only=True)
class UnreachableLetter(LetterContent):
    """Letters to a player come back; to who runs the match."""

    KIND = "unreachable"

    player: str  # "" where players are hidden
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
    """Return a letter's content as JSON; fields that have their default are left out."""
    return _adapter(content.KIND).dump_json(content, exclude_defaults=True)


def load_context(kind: str, plain: Mapping[str, object]) -> LetterContent:
    """Return the content that `dump` wrote, or an older version did. Raises KeyError for no kind of letter, else ValueError."""
    return _adapter(kind).validate_python(plain)
