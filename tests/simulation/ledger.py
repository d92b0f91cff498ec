"""The ledger: what the service told players, written down outside it, with the world's time."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from adjudicator.service.orders.disclosure import Shown
from adjudicator.service.orders.envelopes import Acknowledgement
from adjudicator.service.people.sessions import NewSession


@dataclass(frozen=True)
class Told:
    """An answer to orders submitted on the site."""

    uid: str
    seat: str
    phase: int  # on the player's page
    answer: Acknowledgement
    at: datetime  # the wall clock at the request
    commit: int  # of the world, at the answer


@dataclass
class Said:
    """A player's `ready` or `wait` on the site, and between which commits it was accepted, if it was."""

    uid: str
    player: int
    word: str
    since: int
    until: int | None = None  # None: the page never answered


@dataclass
class Act:
    """A master's act on a match, and whether the page confirmed it."""

    uid: str
    what: str
    done: bool = False


@dataclass
class Whisper:
    """A player's press, each with unique words, and whether the page confirmed it."""

    uid: str
    player: int
    text: str
    told: bool = False


@dataclass
class Posted:
    """A player's letter, and each time that the inbox answered it with 250."""

    message_id: str
    uid: str
    seat: str
    phase: int  # open at the time of writing, as the player saw it
    text: str
    raw: bytes = field(repr=False)
    taken: list[str] = field(default_factory=list)  # the uid of each stored copy


@dataclass
class AskedLink:
    """A request for a link, and whether the page answered."""

    address: str
    since: datetime  # the wall clock at the request
    at: datetime  # the wall clock at the answer
    answered: bool = False


@dataclass
class Pressed:
    """A press of a link's button; `entry` is its result, None if it was refused or is unknown."""

    token: str
    address: str
    at: datetime
    entry: NewSession | None = None
    refused: bool = False
    until: datetime | None = None  # the wall clock at the answer


@dataclass
class Looked:
    """A disclosure of sealed orders: to whom, between which commits, and what was shown."""

    uid: str
    player: int  # 0 for a stranger
    since: int
    until: int | None = None
    shown: Shown | None = None
    refused: bool = False


@dataclass
class Wrote:
    """A letter of commands, and each time that the inbox answered it with 250."""

    uid: str
    player: int
    line: str
    token: str  # of its recipient address
    taken: list[str] = field(default_factory=list)


@dataclass
class SentBack:
    """A mail server's bounce of our letter, and each time that the inbox answered it with 250."""

    letter: str  # the letter's uid
    final: bool
    forged: bool = False  # it has a person as sender instead of the null sender
    taken: list[str] = field(default_factory=list)


@dataclass
class Ledger:
    """Everything known for certain outside the service."""

    told: list[Told] = field(default_factory=list)
    posted: list[Posted] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    whispers: list[Whisper] = field(default_factory=list)
    asked: list[AskedLink] = field(default_factory=list)
    pressed: list[Pressed] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)  # each link's token -> the address it was sent to
    looked: list[Looked] = field(default_factory=list)
    wrote: list[Wrote] = field(default_factory=list)
    sent_back: list[SentBack] = field(default_factory=list)
    run_by_hand: set[str] = field(default_factory=set)  # matches whose deadlines may be moved at any moment
    closings: dict[tuple[str, int], int] = field(default_factory=dict)  # (match, phase) -> the commit that closed it
    openings: dict[tuple[str, int], int] = field(default_factory=dict)  # (match, phase) -> the commit that opened it
    opened_at: dict[tuple[str, int], datetime | None] = field(default_factory=dict)  # by the wall clock
    stored: dict[str, int] = field(default_factory=dict)  # copies of letters -> the commit that stored each
    written: dict[str, float] = field(default_factory=dict)  # letters by uid -> the world's second of the commit that wrote each
    troubles: list[str] = field(default_factory=list)  # problems that can be seen only while the world runs

    def see(self, commit: int, rows: list[Any], at: datetime | None) -> None:
        """Record the phases after a commit, as rows of (match, number, whether it is closed).

        `at` is the wall clock's time, None if the writing process was frozen meanwhile.
        """
        for uid, number, closed in rows:
            self.openings.setdefault((uid, number), commit)
            self.opened_at.setdefault((uid, number), at)
            if closed:
                self.closings.setdefault((uid, number), commit)
