"""The contents of letters that answer a letter or acknowledge orders."""

from dataclasses import dataclass
from datetime import datetime

from adjudicator.core.game import Refusal
from adjudicator.service.letters.contents.content import LetterContent


@dataclass(frozen=True)
class LineReply:
    """One line of a letter and its outcome, in a sentence."""

    line: str
    sentence: str


@dataclass(frozen=True)
class ReplySection:
    """A longer section of an answer: lines, pairs of a command and its meaning, or a text board
    whose columns are kept.
    """

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
    hint: str = ""  # the line to send, where a letter says in plain words what it wants
    games: tuple[str, ...] = ()  # games, listed for a newcomer
    # whether its address for answers is that of a question that still stands
    question: bool = False
    sections: tuple[ReplySection, ...] = ()
    shortened: bool = False
    told_links: tuple[tuple[str, str], ...] = ()  # title and address of what the site shows instead
    rules_of: str = ""  # text of a game's rules, if the answer includes it
    last_until: datetime | None = None  # when the next answer may go there; None: now
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
class Acknowledgement:
    """The answer to a submission: the orders as understood, refusals with reasons, the deadline, the
    commitments.
    """

    disposition: str  # accepted, late, refused
    reason: str  # why nothing was accepted, "" otherwise
    match: str
    uid: str
    seat: str
    phase: int
    phase_name: str
    meant_for: str = ""  # the phase they were for, if that is not the open one
    seq: int
    at: datetime
    parts: tuple[PartLine, ...]
    refusals: tuple[Refusal, ...]
    remarks: tuple[str, ...]
    open_slots: tuple[str, ...]  # the questions these orders leave unanswered
    ready: bool
    says: str = ""  # ready or wait, where these orders say so
    complete: bool = False  # they leave nothing open and nothing refused
    due: bool = True  # whether the seat owes orders in this phase; else it plans
    # whether the phase is in overtime for others, so that nobody waits for this seat
    in_time: bool = False
    deadline: datetime
    last_call: datetime  # deadline and grace
    closes_now: bool = False  # whether the phase can close at once


@dataclass(frozen=True, kw_only=True)
class ReceiptLetter(Acknowledgement, Reply, LetterContent):
    """The receipt for orders: how they were understood, and their seals; also the answer to the
    letter that brought them.
    """

    KIND = "receipt"

    channel: str
    paused: bool = False
    still_open: bool
