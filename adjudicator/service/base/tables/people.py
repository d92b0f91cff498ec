"""People, how they sign in, and who gets no letters."""

from datetime import date, datetime

from sqlmodel import Field

from adjudicator.platform.db import UtcTime
from adjudicator.service.base.tables.columns import (
    LEFT_OUT,
    PLAIN,
    Moment,
    MomentOrNone,
    NumberedRow,
    TableRow,
    added,
    index_of_beginnings,
    index_where,
)


class Player(NumberedRow, table=True):
    """A person, a guest without an address yet, or a house bot."""

    __table_args__ = (index_of_beginnings("ix_player_begins", "name"),)

    # lower-case; proved by a letter sent there, except for appointed masters
    address: str | None = Field(default=None, unique=True)
    name: str = Field(index=True)
    zone: str = "UTC"  # an IANA name
    house: bool = False
    skill: str | None = None  # how a house bot plays: one of `play.bots.SKILLS`
    reminders: bool = True  # whether reminders come before a deadline
    receipts: bool = True  # whether orders handed in on the site get a receipt letter
    letters: bool = True  # False after "stop these letters"; sign-in links are still sent
    master: bool = False  # whether this player may run every match, like its own master
    # the worker's word that the host said so
    appointed: bytes | None = None
    # last part of the address of this player's page; None: it has none
    profile: str | None = Field(default=None, unique=True, index=True)
    # whether onlookers read the seat's name instead
    name_hidden: bool = added(False)
    # of the token that stops letters; None: in no letter yet
    stop_hash: str | None = Field(default=None, unique=True, index=True)
    # of the one in letters before tokens were computed
    earlier_stop_hash: str | None = Field(default=None, unique=True, index=True)
    # of the previous release, until the worker hashes it
    stop_token: str | None = Field(default=None, unique=True, index=True)
    # since when letters come back; None: no known bounce
    bounced_at: MomentOrNone = None
    bounce: str | None = None  # the mail server's reason
    # when the player wished to be forgotten; the row says nothing else
    erased_at: MomentOrNone = None
    made_at: Moment


class Erasure(TableRow, table=True):
    """What the worker still has to take away of an erased player, as only it may change press;
    deleted once that is done.
    """

    player_id: int = Field(primary_key=True, foreign_key="player.id")
    # ids of the letters that came from this player, as far as rows tell
    incoming: list[int] = Field(sa_type=PLAIN)
    at: Moment


class Absence(NumberedRow, table=True):
    """Days on which a player is away, for all matches; their days are those of the player's
    zone.
    """

    player_id: int = Field(foreign_key="player.id", index=True)
    first: date
    last: date  # the last day, which counts
    made_at: Moment


class SignedIn(TableRow, table=True):
    """A browser that is signed in; the cookie holds the token, this row the hash of it."""

    __table_args__ = (index_where("ix_signedin_waiting", "public", "box IS NOT NULL"),)

    token_hash: str = Field(primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    made_at: Moment
    until: datetime = Field(sa_type=UtcTime, index=True)
    # when it was last used, by the day; None: not since it began
    used_at: MomentOrNone = None
    ended_at: MomentOrNone = None  # when it was signed out
    public: bytes | None = Field(
        default=None, unique=True, index=True
    )  # half of its key; None: it is from before there were keys
    # what proves who it is, sealed to the worker until that has looked
    box: bytes | None = None
    # What the worker found, and vouches for:
    # `seal.requests.who_of_address` or `who_of_guest`
    who: str | None = Field(default=None, sa_column_kwargs=LEFT_OUT)
    # what it may sign, with blanks between; None: not looked at yet
    scopes: str | None = Field(default=None, sa_column_kwargs=LEFT_OUT)
    # `seal.requests.session_proof`
    proof: bytes | None = Field(default=None, sa_column_kwargs=LEFT_OUT)


class PushBrowser(NumberedRow, table=True):
    """A browser that its player asked to be told on by push messages."""

    player_id: int = Field(foreign_key="player.id", index=True)
    address: str = Field(unique=True)  # https address at its push service
    public: bytes  # its keys: a point of P-256 and a secret
    secret: bytes
    failures: int = 0  # deliveries in a row that failed
    # before which it is left alone; None: it was reached
    next_try: MomentOrNone = None
    made_at: Moment


class PushMessage(NumberedRow, table=True):
    """A push message that waits, encrypted to its browser; deleted once it is delivered."""

    browser_id: int = Field(foreign_key="pushbrowser.id", index=True)
    body: bytes
    made_at: Moment
    next_try: datetime = Field(sa_type=UtcTime, index=True)
    tries: int = 0


class Link(TableRow, table=True):
    """A sign-in link: single use, valid for ten minutes. Using it proves that its bearer reads mail
    to the address.
    """

    # `rows.UNWRITTEN` and the uid until its letter is written
    token_hash: str = Field(primary_key=True)
    # what its token is computed from; None: of the previous release
    uid: str | None = Field(default=None, unique=True, index=True)
    address: str = Field(index=True)
    # the signed-in player who asked, to add or replace an address
    guest_id: int | None = Field(default=None, foreign_key="player.id")
    zone: str = "UTC"
    # key of the session of `guest_id` that asked
    signer: bytes | None = None
    # its signature: who it is takes this address
    request_signature: bytes | None = None
    # hash of the requesting network and the address; None: requested by the service itself
    requester_hash: str | None = None
    made_at: Moment
    until: Moment
    used_at: MomentOrNone = None
    # when the worker took it as proof; the site cannot write this
    spent_at: MomentOrNone = None


class Confirmation(NumberedRow, table=True):
    """Commands from an address that is not proved yet; the answer to the confirmation letter sent
    there carries them out.
    """

    token_hash: str = Field(unique=True)  # as that of a `Link`
    uid: str | None = Field(default=None, unique=True, index=True)
    address: str = Field(index=True)
    wanted: list[str] = Field(sa_type=PLAIN)  # lines of the commands
    made_at: Moment
    until: Moment
    used_at: MomentOrNone = None


class Stranger(TableRow, table=True):
    """An unproved address that a letter went to: its hash, and that of the token by which its
    reader stops all letters for good.
    """

    address_hash: str = Field(primary_key=True)
    token_hash: str | None = Field(default=None, unique=True, index=True)  # None: in no letter yet
    # of the one in letters before tokens were computed
    earlier_hash: str | None = Field(default=None, unique=True, index=True)
    # of the previous release, until the worker hashes it
    token: str | None = Field(default=None, unique=True)
    made_at: Moment
    # since when only sign-in links go there
    never_at: MomentOrNone = None


class Blocked(TableRow, table=True):
    """An address or domain that the host blocks: it gets no letters, has no accounts, and its
    letters are not read.
    """

    what: str = Field(primary_key=True)  # `ann@example.org`, or `example.org` with its subdomains
    at: Moment


class SentForm(TableRow, table=True):
    """A form that made something, kept for a day; its name is a hash of who sent it, of its token
    and of all that it says.
    """

    name: str = Field(primary_key=True)
    result: str  # the public name of what it made, "" where that has none
    at: datetime = Field(sa_type=UtcTime, index=True)
