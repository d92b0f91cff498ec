"""Letters out, letters in, and press."""

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from adjudicator.platform.db import UtcTime
from adjudicator.service.base.tables import matches, people, sealing  # noqa: F401  are referred to
from adjudicator.service.base.tables.columns import (
    PLAIN,
    Moment,
    MomentOrNone,
    NumberedRow,
    added,
    index_where,
)


class Letter(NumberedRow, table=True):
    """An outgoing letter; its content is sealed to the worker and erased once the letter is
    sent.
    """

    __table_args__ = (
        # for the metric of letters sent today; without it PostgreSQL scans the table
        Index("ix_letter_waiting", "state", "next_try"),
        Index("ix_letter_queue", "state", "urgency", "next_try", "id"),
        index_where("ix_letter_answers", "address, made_at", "incoming_id IS NOT NULL"),
        index_where("ix_letter_invitations", "made_at", "kind = 'invitation'"),
        index_where("ix_letter_receipt", "receipt_id", "receipt_id IS NOT NULL"),
    )

    uid: str = Field(unique=True)  # source of the Message-ID
    # of the token in its return address; None: not written yet
    return_hash: str | None = Field(default=None, unique=True, index=True)
    kind: str  # folder in templates/mail
    player_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    match_id: int | None = Field(default=None, foreign_key="match.id", index=True)
    seat: str | None = None
    tenure: int = 1  # that of the seat
    # the receipt whose signature this letter waits for
    receipt_id: int | None = Field(default=None, foreign_key="receipt.id")
    phase_number: int | None = None  # phase for which the letter asks orders
    incoming_id: int | None = None  # incoming letter that this one answers
    address: str
    context: bytes | None = None
    state: str = "waiting"  # waiting, sent, held, bounced
    # outbox.ASKED_FOR, NEWS, REPORT or BULK; lowest first
    urgency: int = added(1)
    tries: int = 0
    trouble: str | None = None
    next_try: Moment
    made_at: Moment
    sent_at: MomentOrNone = None


class Incoming(NumberedRow, table=True):
    """An incoming letter: stored sealed before it is acknowledged, then read by the worker, which
    gives it exactly one disposition.
    """

    __table_args__ = (
        index_where("ix_incoming_waiting", "next_try", "disposition IS NULL"),
        Index("ix_incoming_seat", "seat_id", "id"),
        index_where("ix_incoming_match", "match_id", "disposition IS NULL"),
        index_where("ix_incoming_of_match", "match_id", "match_id IS NOT NULL"),
    )

    uid: str = Field(unique=True)
    # kind of address: service, seat, invitation, offer, master, confirmation, bounce, stop, never
    kind: str
    # for a seat's own address or an invitation's
    seat_id: int | None = Field(default=None, foreign_key="seat.id")
    # for these and for a master's
    match_id: int | None = Field(default=None, foreign_key="match.id")
    # the tenure that a seat's own address belongs to; None: from before tenures
    tenure: int | None = None
    # what another address names: a letter's uid, a row's id (question, player, offer, master), an
    # address's hash
    ref: str | None = None
    via: str  # smtp, lmtp, imap
    null_sender: bool = False  # whether the envelope sender is <>: a bounce or an automatic answer
    received_at: Moment
    # sealed to the inbox's key; erased after LETTER_DAYS
    raw: bytes | None = None
    size: int  # size of the letter in bytes
    next_try: Moment
    tries: int = 0
    disposition: str | None = None  # incoming.Disposition; None while the letter waits to be read
    # a sentence for the host and the seat; repeats nothing from the letter
    reason: str | None = None
    # hash by which a repeated letter is recognized
    digest: str | None = Field(default=None, index=True)
    read_at: datetime | None = Field(default=None, sa_type=UtcTime, index=True)


class PressNote(NumberedRow, table=True):
    """A message from a seat to other seats of its match; part of the match's record, stored
    unsealed.
    """

    __table_args__ = (Index("ix_pressnote_match", "match_id", "id"),)

    match_id: int = Field(foreign_key="match.id")
    phase_number: int  # phase that was open
    at: Moment
    seat: str  # the writer, "master" for the master; hidden from readers of anonymous press
    # seats in seat order, or "master" alone; [] means everybody, observers too
    readers: list[str] = Field(sa_type=PLAIN)
    text: str


class Mute(NumberedRow, table=True):
    """A player's wish to read no press of a seat."""

    __table_args__ = (UniqueConstraint("match_id", "player_id", "seat"),)

    match_id: int = Field(foreign_key="match.id")
    player_id: int = Field(foreign_key="player.id")
    seat: str  # whose press is hidden


class PressRead(NumberedRow, table=True):
    """Up to when one player has read a conversation of a match's press; nobody else sees it."""

    __table_args__ = (UniqueConstraint("match_id", "player_id", "thread"),)

    match_id: int = Field(foreign_key="match.id")
    player_id: int = Field(foreign_key="player.id", index=True)
    thread: str  # `conversations.Key` as text; "*": all of them
    until: Moment


class PressReport(NumberedRow, table=True):
    """A reader's report of a text to the match's master."""

    __table_args__ = (UniqueConstraint("note_id", "seat"),)

    match_id: int = Field(foreign_key="match.id", index=True)
    note_id: int = Field(foreign_key="pressnote.id")
    seat: str  # the reporter's
    at: Moment
    reason: str
