"""The tables. Only the service room reads or writes them."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index, LargeBinary, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from adjudicator.core.options import OptionValue
from adjudicator.platform.db import UtcTime

# Plain values only; assign a new value to change one: edits in place are not seen.
PLAIN = JSON().with_variant(JSONB(), "postgresql")


def _index_where(name: str, columns: str, condition: str, *, unique: bool = False) -> Index:
    """An index over the few rows that `condition` holds for, however many others there are."""
    return Index(name, *columns.split(", "), unique=unique, sqlite_where=text(condition), postgresql_where=text(condition))


class Player(SQLModel, table=True):
    """A person, a guest without an address yet, or a house bot."""

    id: int | None = Field(default=None, primary_key=True)
    address: str | None = Field(default=None, unique=True)  # lower-case, confirmed by opening a letter sent to it
    name: str
    zone: str = "UTC"  # an IANA name
    house: bool = False
    skill: str | None = None  # of a house bot: sensible or random
    receipts: bool = True  # a receipt letter for orders handed in on the site
    letters: bool = True  # False: "stop these letters"; sign-in links are sent all the same
    master: bool = False  # runs every match of this service, beside each match's own master
    stop_token: str | None = Field(default=None, unique=True, index=True)  # the secret part of the addresses that stop letters
    bounced_at: datetime | None = Field(default=None, sa_type=UtcTime)  # since when letters come back; None: they arrive, as far as we know
    bounce: str | None = None  # what the mail server said of it
    made_at: datetime = Field(sa_type=UtcTime)


class SignedIn(SQLModel, table=True):
    """A browser that is signed in; the cookie holds the token, this row its hash."""

    token_hash: str = Field(primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    made_at: datetime = Field(sa_type=UtcTime)
    until: datetime = Field(sa_type=UtcTime, index=True)


class Link(SQLModel, table=True):
    """A sign-in link: single use, ten minutes; it proves that its bearer reads the address."""

    token_hash: str = Field(primary_key=True)
    address: str = Field(index=True)
    guest_id: int | None = Field(default=None, foreign_key="player.id")  # who asked, where a guest adds an address
    zone: str = "UTC"
    requester_hash: str | None = None  # of the network that asked, with the address; None: nobody of the outside did
    made_at: datetime = Field(sa_type=UtcTime)
    until: datetime = Field(sa_type=UtcTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcTime)


class Match(SQLModel, table=True):
    """One playing of a game. Whoever changes anything of a match locks this row and raises its version."""

    __table_args__ = (Index("ix_match_lists", "status", "with_people", "id"),)

    id: int | None = Field(default=None, primary_key=True)
    uid: str = Field(unique=True)  # its public name, in addresses and in every hash
    name: str
    game: str
    rules_version: int
    options: dict[str, OptionValue] = Field(sa_type=PLAIN)
    status: str = Field(default="making", index=True)  # making, open, running, ended, stuck
    trouble: str | None = None  # why it is stuck, for its master
    paused_at: datetime | None = Field(default=None, sa_type=UtcTime)  # while its clock stands still
    version: int = 0
    sealing: int = 0  # 0: from before matches had a log of their own
    master_id: int = Field(foreign_key="player.id", index=True)
    every_seconds: int
    grace_seconds: int
    ready_rule: str  # complete or said
    open_seats: bool  # whether anybody may take a free seat
    bots: bool = True  # whether house bots may take seats
    with_people: bool = True  # whether somebody with a proved address plays; lists show the others last
    seating: str = "order"  # order: a seat is whose it is from the moment it is taken; preference: all are given as the match begins
    lots: list[Any] | None = Field(default=None, sa_type=PLAIN)  # by preference, once begun: per place what was wished and given
    short_seconds: int | None = None  # what the game's short phases last; None: as long as the others
    wrapped_chains: bytes | None = Field(default=None, sa_type=LargeBinary)  # both s0, wrapped by the worker's key
    opened_chains: dict[str, str] | None = Field(default=None, sa_type=PLAIN)  # both s0 in hex, once the match has ended
    anchors: dict[str, str] | None = Field(default=None, sa_type=PLAIN)
    result: dict[str, Any] | None = Field(default=None, sa_type=PLAIN)
    stopped_after: int | None = None  # the number of its last phase, where it was stopped before its rules ended it
    stopped_why: str | None = None  # nobody left, phases, master, agreed
    made_at: datetime = Field(sa_type=UtcTime)
    started_at: datetime | None = Field(default=None, sa_type=UtcTime)
    ended_at: datetime | None = Field(default=None, sa_type=UtcTime)


class Seat(SQLModel, table=True):
    """A position in a match and who sits there."""

    __table_args__ = (UniqueConstraint("match_id", "name"),)

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    position: int
    name: str
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    kept_for: str | None = None  # the invited address
    invitation_hash: str | None = Field(default=None, unique=True)
    token: str = Field(unique=True)  # the secret part of the seat's address for letters
    taken_at: datetime | None = Field(default=None, sa_type=UtcTime)
    wishes: list[str] = Field(default_factory=list, sa_type=PLAIN)  # seats that its player would like, the dearest first
    told: int | None = None  # the last phase that a report told this seat of; None: before this was noted


class PhaseRow(SQLModel, table=True):
    """One decision point of a match; number 0 is the start, which nobody owes orders for."""

    __tablename__ = "phase"
    __table_args__ = (
        UniqueConstraint("match_id", "number"),
        Index("ix_phase_closes_at", "closes_at"),
        _index_where("ix_phase_open", "match_id", "closed_at IS NULL", unique=True),  # a match has one open phase at most
    )

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    number: int
    name: str
    due: list[str] = Field(sa_type=PLAIN)
    rules_version: int
    before: object = Field(default=None, sa_type=PLAIN)  # the state it was opened with
    after: object = Field(default=None, sa_type=PLAIN)  # the state it led to, once closed
    opened_at: datetime = Field(sa_type=UtcTime)
    deadline: datetime | None = Field(default=None, sa_type=UtcTime)
    grace_seconds: int = 0
    closes_at: datetime | None = Field(
        default=None, sa_type=UtcTime
    )  # deadline and grace, or when all were ready; null once closed and while stuck
    closed_at: datetime | None = Field(default=None, sa_type=UtcTime)
    why: str | None = None  # ready, deadline, forced, master
    public_key: bytes | None = Field(default=None, sa_type=LargeBinary)
    wrapped_key: bytes | None = Field(default=None, sa_type=LargeBinary)
    taken: dict[str, Any] | None = Field(default=None, sa_type=PLAIN)  # per seat: how, orders, commitment; once closed
    events: list[object] | None = Field(default=None, sa_type=PLAIN)
    draws: list[Any] | None = Field(default=None, sa_type=PLAIN)
    dropped: list[str] = Field(default_factory=list, sa_type=PLAIN)  # the seats whose plan was dropped as it opened; never what it said


class Due(SQLModel, table=True):
    """How one due seat stands in an open phase."""

    __table_args__ = (UniqueConstraint("phase_id", "seat"),)

    id: int | None = Field(default=None, primary_key=True)
    phase_id: int = Field(foreign_key="phase.id")
    seat: str
    complete: bool = False  # its newest orders leave nothing open and nothing refused
    says: str | None = None  # ready or wait, where it said so
    handed_in_at: datetime | None = Field(default=None, sa_type=UtcTime)


class Envelope(SQLModel, table=True):
    """One seat's sealed orders for one phase; append only, the newest counts. Sequence 0 is what a plan brought."""

    __table_args__ = (UniqueConstraint("phase_id", "seat", "seq"),)

    id: int | None = Field(default=None, primary_key=True)
    phase_id: int = Field(foreign_key="phase.id")
    seat: str
    seq: int
    sealed: bytes = Field(sa_type=LargeBinary)
    commitments: list[str] = Field(sa_type=PLAIN)
    for_later: bool = False  # holds only a plan: the seat owes nothing in this phase
    at: datetime = Field(sa_type=UtcTime)


class Receipt(SQLModel, table=True):
    """What a seat was answered when it handed something in; refused submissions are kept here too."""

    __table_args__ = (
        UniqueConstraint("match_id", "phase_number", "seat", "seq"),
        _index_where("ix_receipt_unsigned", "id", "signature IS NULL"),
    )

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    phase_number: int
    seat: str
    seq: int
    channel: str  # form, letter, house
    at: datetime = Field(sa_type=UtcTime)
    disposition: str  # accepted, late, refused
    commitments: list[tuple[int, str]] = Field(sa_type=PLAIN)  # [part, commitment] each
    signature: bytes | None = Field(default=None, sa_type=LargeBinary)


class Letter(SQLModel, table=True):
    """A letter to be sent; what it says is sealed to the worker and erased when it was sent."""

    __table_args__ = (
        Index("ix_letter_waiting", "state", "next_try"),  # counts letters sent today (metrics); without it PostgreSQL scans the table
        Index("ix_letter_queue", "state", "urgency", "next_try", "id"),
        _index_where("ix_letter_answers", "address, made_at", "incoming_id IS NOT NULL"),
        _index_where("ix_letter_invitations", "made_at", "kind = 'invitation'"),
    )

    id: int | None = Field(default=None, primary_key=True)
    uid: str = Field(unique=True)  # the Message-ID is made from it
    kind: str  # the folder of templates/mail
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    match_id: int | None = Field(default=None, foreign_key="match.id", index=True)
    seat: str | None = None
    receipt_id: int | None = Field(default=None, foreign_key="receipt.id")  # a receipt letter waits for this one's signature
    phase_number: int | None = None  # the phase it asks orders for
    incoming_id: int | None = None  # the letter it answers
    address: str
    context: bytes | None = Field(default=None, sa_type=LargeBinary)
    state: str = "waiting"  # waiting, sent, held, bounced
    urgency: int = Field(default=1, sa_column_kwargs={"server_default": "1"})  # outbox.ASKED_FOR, NEWS or REPORT: the first go out first
    tries: int = 0
    trouble: str | None = None
    next_try: datetime = Field(sa_type=UtcTime)
    made_at: datetime = Field(sa_type=UtcTime)
    sent_at: datetime | None = Field(default=None, sa_type=UtcTime)


class Incoming(SQLModel, table=True):
    """A letter that came in: stored sealed before it is acknowledged, read by the worker, ending in exactly one disposition."""

    __table_args__ = (
        _index_where("ix_incoming_waiting", "next_try", "disposition IS NULL"),
        Index("ix_incoming_seat", "seat_id", "id"),
        _index_where("ix_incoming_match", "match_id", "disposition IS NULL"),
    )

    id: int | None = Field(default=None, primary_key=True)
    uid: str = Field(unique=True)
    kind: str  # what it was written to: service, seat, invitation, confirmation, bounce, stop
    seat_id: int | None = Field(default=None, foreign_key="seat.id")  # of a seat's own address, or an invitation's
    match_id: int | None = Field(default=None, foreign_key="match.id")
    ref: str | None = None  # what else its address names: a letter's uid, a confirmation's or a player's id
    via: str  # smtp, lmtp, imap
    null_sender: bool = False  # its envelope came from <>: a bounce or an automatic answer
    received_at: datetime = Field(sa_type=UtcTime)
    raw: bytes | None = Field(default=None, sa_type=LargeBinary)  # sealed to the inbox's key; erased after a while
    size: int  # of the letter in bytes
    next_try: datetime = Field(sa_type=UtcTime)
    tries: int = 0
    disposition: str | None = None  # inbox.Disposition; None while it waits to be read
    reason: str | None = None  # a sentence for the host and the seat, without anything the letter says
    digest: str | None = Field(default=None, index=True)  # of what it says and where it came: the same letter delivered again has the same
    read_at: datetime | None = Field(default=None, sa_type=UtcTime, index=True)


class Confirmation(SQLModel, table=True):
    """Commands that came from an address nobody has proved yet; the answer to the letter that was sent there carries them out."""

    id: int | None = Field(default=None, primary_key=True)
    token_hash: str = Field(unique=True)
    address: str = Field(index=True)
    wanted: list[str] = Field(sa_type=PLAIN)  # the commands' lines
    made_at: datetime = Field(sa_type=UtcTime)
    until: datetime = Field(sa_type=UtcTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcTime)


class Stranger(SQLModel, table=True):
    """An address that was written to before anybody proved it: its hash, and the secret by which its reader stops that for good."""

    address_hash: str = Field(primary_key=True)
    token: str = Field(unique=True)
    made_at: datetime = Field(sa_type=UtcTime)
    never_at: datetime | None = Field(default=None, sa_type=UtcTime)  # since when nothing but sign-in links goes there


class Blocked(SQLModel, table=True):
    """An address or a domain that the host blocks: no letters, no accounts, none of its letters read."""

    what: str = Field(primary_key=True)  # `ann@example.org`, or `example.org` with all that is below it
    at: datetime = Field(sa_type=UtcTime)


class MasterNote(SQLModel, table=True):
    """What a master did to a match: public."""

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    at: datetime = Field(sa_type=UtcTime)
    who: str  # a player's name, or "the host"
    what: str  # a sentence's end: "moved the deadline of Round 3 to ..."


class PressNote(SQLModel, table=True):
    """What a seat wrote to others of its match: a part of the match's record, in the clear."""

    __table_args__ = (Index("ix_pressnote_match", "match_id", "id"),)

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    phase_number: int  # the phase that was open
    at: datetime = Field(sa_type=UtcTime)
    seat: str  # who wrote; readers of anonymous press are never told
    readers: list[str] = Field(sa_type=PLAIN)  # seats, in seat order; [] is everybody, observers too
    text: str


class Reading(SQLModel, table=True):
    """A seat asks the worker to show it its own sealed orders; erased when read."""

    uid: str = Field(primary_key=True)
    request: bytes = Field(sa_type=LargeBinary)  # sealed to the worker
    answer: bytes | None = Field(default=None, sa_type=LargeBinary)  # sealed to the one-time reply key
    made_at: datetime = Field(sa_type=UtcTime)
    answered: bool = Field(default=False, index=True)


class ReadingNote(SQLModel, table=True):
    """That a seat's orders were shown, and when: listed to that seat."""

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    seat: str
    at: datetime = Field(sa_type=UtcTime)


class WorkerKeys(SQLModel, table=True):
    """The worker's public keys, published when it starts; the newest are used."""

    id: int | None = Field(default=None, primary_key=True)
    fingerprint: str = Field(unique=True)
    document: dict[str, object] = Field(sa_type=PLAIN)
    since: datetime = Field(sa_type=UtcTime)


class Picture(SQLModel, table=True):
    """A PNG, kept for a few days by the hash of the SVG it shows."""

    hash: str = Field(primary_key=True)
    png: bytes = Field(sa_type=LargeBinary)
    made_at: datetime | None = Field(default=None, sa_type=UtcTime, index=True)
