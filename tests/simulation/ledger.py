"""The ledger: what players were told by the service, written down outside it, and when the world saw it happen."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from adjudicator.service.orders.disclosure import Shown
from adjudicator.service.orders.envelopes import Acknowledgement
from adjudicator.service.people.sessions import NewSession


@dataclass(frozen=True)
class Told:
    """An answer to orders that were handed in on the site."""

    uid: str
    seat: str
    phase: int  # that the player was looking at
    answer: Acknowledgement
    at: datetime  # the wall clock when it was asked
    commit: int  # of the world, as it came


@dataclass
class Said:
    """A player's `ready` or `wait` on the site, and the commits of the world between which it was taken, if it was."""

    uid: str
    player: int
    word: str
    since: int
    until: int | None = None  # nobody knows: the page never answered


@dataclass
class Act:
    """Something that a master wanted done to a match, and whether the page said that it was."""

    uid: str
    what: str
    done: bool = False


@dataclass
class Whisper:
    """Press that a player wrote, each with words of its own, and whether the page said that it was sent."""

    uid: str
    player: int
    text: str
    told: bool = False


@dataclass
class Posted:
    """A letter of a player, and each time that the inbox answered 250 to it."""

    message_id: str
    uid: str
    seat: str
    phase: int  # that was open, as the player saw it, when it was written
    text: str
    raw: bytes = field(repr=False)
    taken: list[str] = field(default_factory=list)  # the uid of each copy that was taken


@dataclass
class AskedLink:
    """A request for a link, and whether the page answered."""

    address: str
    since: datetime  # the wall clock when it was asked
    at: datetime  # the wall clock when the answer came
    answered: bool = False


@dataclass
class Pressed:
    """The button of a link was pressed; `entry` is what came of it, None where it was refused or nobody knows."""

    token: str
    address: str
    at: datetime
    entry: NewSession | None = None
    refused: bool = False
    until: datetime | None = None  # the wall clock when the answer came


@dataclass
class Looked:
    """A look at sealed orders: whose, between which commits of the world, and what was shown."""

    uid: str
    player: int  # 0 for a stranger
    since: int
    until: int | None = None
    shown: Shown | None = None
    refused: bool = False


@dataclass
class Wrote:
    """A letter of commands, and each time that the inbox answered 250 to it."""

    uid: str
    player: int
    line: str
    token: str  # of the address it was written to
    taken: list[str] = field(default_factory=list)


@dataclass
class SentBack:
    """A report of a mail server about a letter of ours, and each time that the inbox answered 250 to it."""

    letter: str  # the letter's uid
    final: bool
    forged: bool = False  # it comes from a person, not from nobody
    taken: list[str] = field(default_factory=list)


@dataclass
class Ledger:
    """Everything that anybody outside the service knows for certain."""

    told: list[Told] = field(default_factory=list)
    posted: list[Posted] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    whispers: list[Whisper] = field(default_factory=list)
    asked: list[AskedLink] = field(default_factory=list)
    pressed: list[Pressed] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)  # each link's token -> the address that its letter came to
    looked: list[Looked] = field(default_factory=list)
    wrote: list[Wrote] = field(default_factory=list)
    sent_back: list[SentBack] = field(default_factory=list)
    run_by_hand: set[str] = field(default_factory=set)  # matches whose deadlines may be moved at any moment
    closings: dict[tuple[str, int], int] = field(default_factory=dict)  # (match, phase) -> the commit that closed it
    openings: dict[tuple[str, int], int] = field(default_factory=dict)  # (match, phase) -> the commit that opened it
    opened_at: dict[tuple[str, int], datetime | None] = field(default_factory=dict)  # by the wall clock
    stored: dict[str, int] = field(default_factory=dict)  # copies of letters -> the commit that stored each
    written: dict[str, float] = field(default_factory=dict)  # letters by their uids: the world's second of the commit that wrote each
    troubles: list[str] = field(default_factory=list)  # what was seen on the way and can be no more afterwards

    def see(self, commit: int, rows: list[Any], at: datetime | None) -> None:
        """Note which phases are there, open or closed, just after a commit: rows of (match, number, whether it is closed).

        `at` is what the wall clock showed, None where whoever wrote them stood still while it did.
        """
        for uid, number, closed in rows:
            self.openings.setdefault((uid, number), commit)
            self.opened_at.setdefault((uid, number), at)
            if closed:
                self.closings.setdefault((uid, number), commit)
