"""The tables. Only the service room reads or writes them."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Index, LargeBinary, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel

from adjudicator.core.options import OptionValue
from adjudicator.platform.db import UtcTime

# JSON values only. Assign a new value to change one: SQLAlchemy does not notice edits in place.
PLAIN = JSON().with_variant(JSONB(), "postgresql")


def _index_where(name: str, columns: str, condition: str, *, unique: bool = False) -> Index:
    """Return a partial index over the rows that meet `condition`."""
    return Index(name, *columns.split(", "), unique=unique, sqlite_where=text(condition), postgresql_where=text(condition))


class Player(SQLModel, table=True):
    """A person, a guest without an address yet, or a house bot."""

    id: int | None = Field(default=None, primary_key=True)
    address: str | None = Field(default=None, unique=True)  # lower-case; proved by a letter sent there, except for appointed masters
    name: str
    zone: str = "UTC"  # an IANA name
    house: bool = False
    skill: str | None = None  # how a house bot plays: sensible or random
    receipts: bool = True  # whether orders handed in on the site get a receipt letter
    letters: bool = True  # False after "stop these letters"; sign-in links are still sent
    master: bool = False  # whether this player may run every match, like its own master
    stop_token: str | None = Field(default=None, unique=True, index=True)  # the secret part of the addresses that stop letters
    bounced_at: datetime | None = Field(default=None, sa_type=UtcTime)  # since when letters come back; None: no known bounce
    bounce: str | None = None  # the mail server's reason
    made_at: datetime = Field(sa_type=UtcTime)


class SignedIn(SQLModel, table=True):
    """A browser that is signed in; the cookie holds the token, this row the hash of it."""

    token_hash: str = Field(primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    made_at: datetime = Field(sa_type=UtcTime)
    until: datetime = Field(sa_type=UtcTime, index=True)


class Link(SQLModel, table=True):
    """A sign-in link: single use, valid for ten minutes. Using it proves that its bearer reads mail to the address."""

    token_hash: str = Field(primary_key=True)
    address: str = Field(index=True)
    guest_id: int | None = Field(default=None, foreign_key="player.id")  # the signed-in player who asked, to add or replace an address
    zone: str = "UTC"
    requester_hash: str | None = None  # hash of the requesting network and the address; None: requested by the service itself
    made_at: datetime = Field(sa_type=UtcTime)
    until: datetime = Field(sa_type=UtcTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcTime)


class Match(SQLModel, table=True):
    """One match of a game. Every transaction that changes any row of a match locks this row and raises its version."""

    __table_args__ = (
        Index("ix_match_lists", "status", "with_people", "id"),
        _index_where("ix_match_next_days", "next_days_at", "next_days_at IS NOT NULL"),
    )

    id: int | None = Field(default=None, primary_key=True)
    uid: str = Field(unique=True)  # public name, used in addresses and in every hash
    name: str
    game: str
    rules_version: int
    options: dict[str, OptionValue] = Field(sa_type=PLAIN)
    status: str = Field(default="making", index=True)  # making, open, running, ended, stuck
    trouble: str | None = None  # why the match is stuck, for its master
    paused_at: datetime | None = Field(default=None, sa_type=UtcTime)  # when the pause began; None: not paused
    version: int = 0
    sealing: int = 0  # always 0; no code depends on it
    master_id: int = Field(foreign_key="player.id", index=True)
    every_seconds: int
    grace_seconds: int
    ready_rule: str  # complete: complete orders count as ready; said: a seat has to say ready
    open_seats: bool  # whether anybody may take a free seat
    bots: bool = True  # whether house bots may take seats
    with_people: bool = True  # whether a player with an address has a seat; lists show other matches last
    seating: str = "order"  # order: players take named seats; preference: seats are assigned when the match begins
    lots: list[Any] | None = Field(default=None, sa_type=PLAIN)  # wishes and assigned seat of each place; only by preference, once begun
    timetable: str | None = None  # when phases end, as play.timetable writes it; None: every_seconds and short_seconds alone
    calendar: str | None = None  # https address of a calendar of days off
    days_off: list[str] | None = Field(default=None, sa_type=PLAIN)  # ISO dates without a deadline: public holidays and the calendar's
    next_days_at: datetime | None = Field(default=None, sa_type=UtcTime)  # when days_off is next computed; None: the match has none
    short_seconds: int | None = None  # length of the game's short phases; None: as long as the others
    wrapped_chains: bytes | None = Field(default=None, sa_type=LargeBinary)  # both chains' first elements (s0), wrapped by the worker's key
    opened_chains: dict[str, str] | None = Field(default=None, sa_type=PLAIN)  # both s0 in hex, published once the match has ended
    anchors: dict[str, str] | None = Field(default=None, sa_type=PLAIN)  # last elements of both hash chains in hex
    result: dict[str, Any] | None = Field(default=None, sa_type=PLAIN)
    stopped_after: int | None = None  # number of the last phase, if the match was stopped before its rules ended it
    stopped_why: str | None = None  # reason of the stop: nobody left, phases, master, agreed
    made_at: datetime = Field(sa_type=UtcTime)
    started_at: datetime | None = Field(default=None, sa_type=UtcTime)
    ended_at: datetime | None = Field(default=None, sa_type=UtcTime)


class Seat(SQLModel, table=True):
    """A seat of a match and its player."""

    __table_args__ = (UniqueConstraint("match_id", "name"),)

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    position: int
    name: str
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    kept_for: str | None = None  # the invited address that the seat is kept for
    invitation_hash: str | None = Field(default=None, unique=True)
    token: str = Field(unique=True)  # secret part of the seat's mail address
    taken_at: datetime | None = Field(default=None, sa_type=UtcTime)
    wishes: list[str] = Field(default_factory=list, sa_type=PLAIN)  # seats that the player prefers, best first
    told: int | None = None  # number of the last phase reported to this seat; None: from before this column existed


class PhaseRow(SQLModel, table=True):
    """One decision point of a match. Number 0 is the start, for which nobody owes orders."""

    __tablename__ = "phase"
    __table_args__ = (
        UniqueConstraint("match_id", "number"),
        Index("ix_phase_closes_at", "closes_at"),
        _index_where("ix_phase_open", "match_id", "closed_at IS NULL", unique=True),  # at most one open phase per match
    )

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    number: int
    name: str
    due: list[str] = Field(sa_type=PLAIN)  # seats that owe orders
    rules_version: int
    before: object = Field(default=None, sa_type=PLAIN)  # state at the opening
    after: object = Field(default=None, sa_type=PLAIN)  # state after the adjudication; once closed
    opened_at: datetime = Field(sa_type=UtcTime)
    deadline: datetime | None = Field(default=None, sa_type=UtcTime)
    grace_seconds: int = 0
    closes_at: datetime | None = Field(
        default=None, sa_type=UtcTime
    )  # after deadline and grace, or when all are ready; null while paused or stuck and once closed
    closed_at: datetime | None = Field(default=None, sa_type=UtcTime)
    why: str | None = None  # reason of the closing: ready, deadline, forced, master
    public_key: bytes | None = Field(default=None, sa_type=LargeBinary)
    wrapped_key: bytes | None = Field(default=None, sa_type=LargeBinary)
    taken: dict[str, Any] | None = Field(default=None, sa_type=PLAIN)  # once closed, per seat: source of the orders, orders, commitment
    events: list[object] | None = Field(default=None, sa_type=PLAIN)
    draws: list[Any] | None = Field(default=None, sa_type=PLAIN)
    dropped: list[str] = Field(default_factory=list, sa_type=PLAIN)  # seats whose plan was dropped at the opening; not the plans


class Due(SQLModel, table=True):
    """The readiness of one due seat in a phase."""

    __table_args__ = (UniqueConstraint("phase_id", "seat"),)

    id: int | None = Field(default=None, primary_key=True)
    phase_id: int = Field(foreign_key="phase.id")
    seat: str
    complete: bool = False  # whether the newest orders leave no slot open and no line refused
    says: str | None = None  # ready or wait; None: neither was said
    handed_in_at: datetime | None = Field(default=None, sa_type=UtcTime)


class Envelope(SQLModel, table=True):
    """One seat's sealed orders for one phase; append-only, the newest row counts. Sequence 0 comes from a plan."""

    __table_args__ = (UniqueConstraint("phase_id", "seat", "seq"),)

    id: int | None = Field(default=None, primary_key=True)
    phase_id: int = Field(foreign_key="phase.id")
    seat: str
    seq: int
    sealed: bytes = Field(sa_type=LargeBinary)
    commitments: list[str] = Field(sa_type=PLAIN)
    for_later: bool = False  # whether it holds only a plan, because the seat owes nothing in this phase
    at: datetime = Field(sa_type=UtcTime)


class Receipt(SQLModel, table=True):
    """The acknowledgement of one submission; refused submissions are kept here too."""

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
    commitments: list[tuple[int, str]] = Field(sa_type=PLAIN)  # a pair [part, commitment] for each part
    signature: bytes | None = Field(default=None, sa_type=LargeBinary)


class Letter(SQLModel, table=True):
    """An outgoing letter; its content is sealed to the worker and erased once the letter is sent."""

    __table_args__ = (
        Index("ix_letter_waiting", "state", "next_try"),  # for the metric of letters sent today; without it PostgreSQL scans the table
        Index("ix_letter_queue", "state", "urgency", "next_try", "id"),
        _index_where("ix_letter_answers", "address, made_at", "incoming_id IS NOT NULL"),
        _index_where("ix_letter_invitations", "made_at", "kind = 'invitation'"),
    )

    id: int | None = Field(default=None, primary_key=True)
    uid: str = Field(unique=True)  # source of the Message-ID
    kind: str  # folder in templates/mail
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    match_id: int | None = Field(default=None, foreign_key="match.id", index=True)
    seat: str | None = None
    receipt_id: int | None = Field(default=None, foreign_key="receipt.id")  # the receipt whose signature this letter waits for
    phase_number: int | None = None  # phase for which the letter asks orders
    incoming_id: int | None = None  # incoming letter that this one answers
    address: str
    context: bytes | None = Field(default=None, sa_type=LargeBinary)
    state: str = "waiting"  # waiting, sent, held, bounced
    urgency: int = Field(default=1, sa_column_kwargs={"server_default": "1"})  # outbox.ASKED_FOR, NEWS or REPORT; lowest first
    tries: int = 0
    trouble: str | None = None
    next_try: datetime = Field(sa_type=UtcTime)
    made_at: datetime = Field(sa_type=UtcTime)
    sent_at: datetime | None = Field(default=None, sa_type=UtcTime)


class Incoming(SQLModel, table=True):
    """An incoming letter: stored sealed before it is acknowledged, then read by the worker, which gives it exactly one disposition."""

    __table_args__ = (
        _index_where("ix_incoming_waiting", "next_try", "disposition IS NULL"),
        Index("ix_incoming_seat", "seat_id", "id"),
        _index_where("ix_incoming_match", "match_id", "disposition IS NULL"),
    )

    id: int | None = Field(default=None, primary_key=True)
    uid: str = Field(unique=True)
    kind: str  # kind of address: service, seat, invitation, confirmation, bounce, stop, never
    seat_id: int | None = Field(default=None, foreign_key="seat.id")  # for a seat's own address or an invitation's
    match_id: int | None = Field(default=None, foreign_key="match.id")
    ref: str | None = None  # what another address names: a letter's uid, a confirmation's or player's id, an address's hash
    via: str  # smtp, lmtp, imap
    null_sender: bool = False  # whether the envelope sender is <>: a bounce or an automatic answer
    received_at: datetime = Field(sa_type=UtcTime)
    raw: bytes | None = Field(default=None, sa_type=LargeBinary)  # sealed to the inbox's key; erased after LETTER_DAYS
    size: int  # size of the letter in bytes
    next_try: datetime = Field(sa_type=UtcTime)
    tries: int = 0
    disposition: str | None = None  # incoming.Disposition; None while the letter waits to be read
    reason: str | None = None  # a sentence for the host and the seat; repeats nothing from the letter
    digest: str | None = Field(default=None, index=True)  # hash by which a repeated letter is recognized
    read_at: datetime | None = Field(default=None, sa_type=UtcTime, index=True)


class Confirmation(SQLModel, table=True):
    """Commands from an address that is not proved yet; the answer to the confirmation letter sent there carries them out."""

    id: int | None = Field(default=None, primary_key=True)
    token_hash: str = Field(unique=True)
    address: str = Field(index=True)
    wanted: list[str] = Field(sa_type=PLAIN)  # lines of the commands
    made_at: datetime = Field(sa_type=UtcTime)
    until: datetime = Field(sa_type=UtcTime)
    used_at: datetime | None = Field(default=None, sa_type=UtcTime)


class Stranger(SQLModel, table=True):
    """An unproved address that a letter went to: its hash, and the secret by which its reader stops all such letters for good."""

    address_hash: str = Field(primary_key=True)
    token: str = Field(unique=True)
    made_at: datetime = Field(sa_type=UtcTime)
    never_at: datetime | None = Field(default=None, sa_type=UtcTime)  # since when only sign-in links go there


class Blocked(SQLModel, table=True):
    """An address or domain that the host blocks: it gets no letters, has no accounts, and its letters are not read."""

    what: str = Field(primary_key=True)  # `ann@example.org`, or `example.org` with its subdomains
    at: datetime = Field(sa_type=UtcTime)


class MasterNote(SQLModel, table=True):
    """A public note of what a master did to a match."""

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id", index=True)
    at: datetime = Field(sa_type=UtcTime)
    who: str  # name of a player, or "the host"
    what: str  # end of a sentence: "moved the deadline of Round 3 to ..."


class PressNote(SQLModel, table=True):
    """A message from a seat to other seats of its match; part of the match's record, stored unsealed."""

    __table_args__ = (Index("ix_pressnote_match", "match_id", "id"),)

    id: int | None = Field(default=None, primary_key=True)
    match_id: int = Field(foreign_key="match.id")
    phase_number: int  # phase that was open
    at: datetime = Field(sa_type=UtcTime)
    seat: str  # the writer; hidden from readers of anonymous press
    readers: list[str] = Field(sa_type=PLAIN)  # seats in seat order; [] means everybody, observers too
    text: str


class Reading(SQLModel, table=True):
    """A seat's request that the worker disclose the seat's own sealed orders; erased once the answer is read."""

    uid: str = Field(primary_key=True)
    request: bytes = Field(sa_type=LargeBinary)  # sealed to the worker
    answer: bytes | None = Field(default=None, sa_type=LargeBinary)  # sealed to the one-time reply key
    made_at: datetime = Field(sa_type=UtcTime)
    answered: bool = Field(default=False, index=True)


class ReadingNote(SQLModel, table=True):
    """A note of when a seat's orders were disclosed, shown to that seat."""

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
    """A PNG, kept for a few days under the hash of its SVG."""

    hash: str = Field(primary_key=True)
    png: bytes = Field(sa_type=LargeBinary)
    made_at: datetime | None = Field(default=None, sa_type=UtcTime, index=True)
