"""The ledger: what the service told players, written down outside it, with the world's time."""

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from adjudicator.service.base.progress import Progress
from adjudicator.service.letters.contents.answer_content import Acknowledgement
from adjudicator.service.orders.disclosure import Shown
from adjudicator.service.people.sessions import NewSession


@dataclass(frozen=True)
class Told:
    """An answer to orders submitted on the site."""

    uid: str
    seat: str
    phase: int  # on the player's page
    text: str  # as it was handed in
    answer: Acknowledgement
    at: datetime  # the wall clock at the request
    commit: int  # of the world, at the answer
    player: int = 0  # whose page it was
    knew: int = 0  # the newest submission that the page knew of


@dataclass
class Said:
    """A player's `ready` or `wait` on the site, and between which commits it was accepted, if it
    was.
    """

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
class Cast:
    """A player's vote on a proposal, and whether the page confirmed it."""

    uid: str
    player: int
    proposal: int
    yes: bool
    done: bool = False


@dataclass
class Whisper:
    """A player's press, each with unique words, and whether the page confirmed it."""

    uid: str
    player: int
    text: str
    told: bool = False
    since: int = 0  # the world's commits when it was asked for
    to: tuple[str, ...] = ()  # the seats, or the master alone; () is everybody
    until: int | None = None  # the commits when the page confirmed it


@dataclass
class Muted:
    """A player's wish to read no press of a seat; `until` is the commit by which the page confirmed
    it, None if it never did.
    """

    uid: str
    player: int
    seat: str
    until: int | None = None


@dataclass
class Complained:
    """A seat's report of a text, each with a unique reason; reports are never read twice."""

    uid: str
    player: int
    text: str
    reason: str
    told: bool = False


@dataclass
class Directed:
    """A master's letter of one command or text, its number, and each time that the inbox answered
    it with 250.
    """

    uid: str
    player: int
    line: str
    dismissed: int | None = None  # the commit by which its master was dismissed
    taken: list[str] = field(default_factory=list)


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
    player: int = 0  # who wrote it


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


@dataclass(eq=False)
class Salted:
    """A salt: whose, between which commits it was given, and for one sent by letter the copies that
    the inbox took.
    """

    uid: str
    player: int
    text: str  # of no other salt
    since: int
    until: int | None = None  # None: by letter, or its page never answered
    mailed: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Unknown:
    """A letter that the mail server took while no row had the hash of a token that it told."""

    letter: str  # its uid
    kind: str
    uid: str  # of the match that it is about


@dataclass
class Looked:
    """A disclosure of sealed orders: to whom, between which commits, and what was shown."""

    uid: str
    player: int  # 0 for a stranger
    since: int
    until: int | None = None
    shown: Shown | None = None
    refused: bool = False


@dataclass(frozen=True)
class Watched:
    """What a page showed of a match, and what its rows were in the same snapshot."""

    uid: str
    seat: str | None  # the viewer's; None: a stranger
    at: datetime  # by the database's clock
    kind: str  # what the match shows of who has handed in
    phase: int | None  # the open one
    due: tuple[str, ...]  # its seats that owe orders
    newest: int  # id of the match's newest receipt
    progress: Progress | None
    mark: str
    step: str  # what the live stream says
    public: tuple[object, ...]  # all that everybody may see change


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
class Gathered:
    """What somebody did in a match that gathers, and whether the page confirmed it."""

    uid: str
    player: int
    what: str
    done: bool = False


@dataclass
class Glimpse:
    """An outsider's look at a private match; `seen` is None if the page never answered."""

    uid: str
    by_old_link: bool
    seen: bool | None = None


@dataclass(frozen=True)
class Sat:
    """A seat of a match whose seats change hands, as a commit left it; `phase` is the number of the
    open one.
    """

    uid: str
    seat: str
    tenure: int
    player: int | None
    address: int  # number of its mail address
    owner: int | None  # whose seat a substitute plays
    returns_at: datetime | None
    open_since: datetime | None
    misses: int
    taken_at: datetime | None
    phase: int | None
    commit: int  # since when it is so, counted over the world
    second: float
    at: datetime  # by the wall clock


@dataclass
class Intruded:
    """A letter to an address that an intruder wrote into the database; `taken` are the copies that
    were stored.
    """

    uid: str
    taken: list[str] = field(default_factory=list)


@dataclass
class Handed:
    """What somebody asked for a seat that changes hands, and whether a page confirmed it; `taken`
    are the copies of a letter.
    """

    uid: str
    player: int
    what: str
    since: int
    done: bool = False
    taken: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Peek:
    """What the pages of a match showed somebody with a seat of it, and what its rows were in the
    same snapshot.
    """

    uid: str
    player: int
    seat: str
    tenure: int
    phase: int | None  # the open one
    fresh: bool  # whether the player has the seat only since this phase was opened
    # when something was handed in or planned, what it says, whether it is ready
    shown: tuple[object, ...]
    inherited: bool  # whether the page says that orders of a predecessor count
    receipts: tuple[tuple[int, int], ...]  # phase and number of each that is listed
    own: tuple[tuple[int, int], ...]  # phase and number of each of this tenure
    sealed: tuple[int, ...]  # the tenures that sealed something for the open phase
    told: tuple[str, ...]  # what only another player may know, and the pages show


@dataclass
class Away:
    """A player's wish to note an absence or to cancel the one that begins on `first`, and whether
    the page confirmed it.
    """

    player: int
    what: str
    first: date
    last: date | None = None
    since: int = 0  # the world's commits when it was asked for
    until: int | None = None  # and when the page confirmed it
    letter: Wrote | None = None  # None: on the page


@dataclass(frozen=True)
class Down:
    """An outage: the parts that were down, by the wall clock."""

    slots: tuple[str, ...]
    since: datetime
    until: datetime


@dataclass(frozen=True)
class ClockReading:
    """The clock of an open phase after a commit that set or changed it, with all that it may depend
    on.
    """

    commit: int
    at: datetime  # the wall clock
    opened: datetime
    deadline: datetime | None
    overtime: datetime | None
    moved_for_outage: bool
    newest: int  # id of the newest receipt
    owing: tuple[str, ...]  # due seats that have handed in nothing, by the service's own rows
    ready: tuple[str, ...]  # due seats that said `ready`
    people: dict[str, tuple[int, str, str]]  # seats -> their players with name and time zone
    away: dict[int, tuple[tuple[date, date], ...]]  # players -> their absences
    stamps: frozenset[tuple[str, datetime]] = field(repr=False)


@dataclass(frozen=True)
class Reminded:
    """A reminder as it was written: the newest receipt at that moment, and the clock of its
    phase.
    """

    letter: str  # its uid
    uid: str
    seat: str
    phase: int
    at: datetime
    newest: int
    reading: ClockReading


@dataclass
class Ledger:
    """Everything known for certain outside the service."""

    told: list[Told] = field(default_factory=list)
    posted: list[Posted] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    cast: list[Cast] = field(default_factory=list)
    # match, player, kind of change
    proposed: set[tuple[str, int, str]] = field(default_factory=set)
    whispers: list[Whisper] = field(default_factory=list)
    muted: list[Muted] = field(default_factory=list)
    complained: list[Complained] = field(default_factory=list)
    directed: list[Directed] = field(default_factory=list)
    asked: list[AskedLink] = field(default_factory=list)
    pressed: list[Pressed] = field(default_factory=list)
    # each link's token -> the address it was sent to
    links: dict[str, str] = field(default_factory=dict)
    salted: list[Salted] = field(default_factory=list)
    unknown: list[Unknown] = field(default_factory=list)
    looked: list[Looked] = field(default_factory=list)
    watched: list[Watched] = field(default_factory=list)
    wrote: list[Wrote] = field(default_factory=list)
    sent_back: list[SentBack] = field(default_factory=list)
    gathered: list[Gathered] = field(default_factory=list)
    # sentences: a moment at which a seat was free and somebody waited
    beside: list[str] = field(default_factory=list)
    glimpses: list[Glimpse] = field(default_factory=list)
    # in the order of the commits; only of matches whose seats change hands
    sat: list[Sat] = field(default_factory=list)
    handed: list[Handed] = field(default_factory=list)
    intruded: list[Intruded] = field(default_factory=list)
    forged: set[str] = field(default_factory=set)  # matches in which an intruder noted acts
    # and in which an intruder asked for changes of seats
    usurped: set[str] = field(default_factory=set)
    peeks: list[Peek] = field(default_factory=list)
    # unique words that one player wrote with orders -> the player
    markers: dict[str, int] = field(default_factory=dict)
    away: list[Away] = field(default_factory=list)
    outages: list[Down] = field(default_factory=list)
    # (match, phase) -> each change of its clock
    clocks: dict[tuple[str, int], list[ClockReading]] = field(default_factory=dict)
    reminded: list[Reminded] = field(default_factory=list)
    # matches whose deadlines may be moved at any moment
    run_by_hand: set[str] = field(default_factory=set)
    # (match, phase) -> the commit that closed it
    closings: dict[tuple[str, int], int] = field(default_factory=dict)
    # (match, phase) -> the commit that opened it
    openings: dict[tuple[str, int], int] = field(default_factory=dict)
    # by the wall clock
    opened_at: dict[tuple[str, int], datetime | None] = field(default_factory=dict)
    # copies of letters -> the commit that stored each
    stored: dict[str, int] = field(default_factory=dict)
    # letters by uid -> the world's second of the commit that wrote each
    written: dict[str, float] = field(default_factory=dict)
    # problems that can be seen only while the world runs
    troubles: list[str] = field(default_factory=list)

    def see(self, commit: int, rows: list[Any], at: datetime | None) -> None:
        """Record the phases after a commit, as rows of (match, number, whether it is closed).

        `at` is the wall clock's time, None if the writing process was frozen meanwhile.
        """
        for uid, number, closed in rows:
            self.openings.setdefault((uid, number), commit)
            self.opened_at.setdefault((uid, number), at)
            if closed:
                self.closings.setdefault((uid, number), commit)
