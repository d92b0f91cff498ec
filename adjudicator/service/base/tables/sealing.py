"""The public logs of matches, the salts that players give for their chance, the requests by which
seats change hands, and receipts.
"""

from typing import Any

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field

from adjudicator.service.base.tables import matches, people  # noqa: F401  are referred to
from adjudicator.service.base.tables.columns import (
    LEFT_OUT,
    PLAIN,
    Moment,
    MomentOrNone,
    NumberedRow,
    added,
    index_where,
)


class LogEntry(NumberedRow, table=True):
    """One signed entry of a match's log; only the worker adds entries, and none is ever changed."""

    __table_args__ = (UniqueConstraint("match_id", "index"), Index("ix_logentry_at", "at"))

    match_id: int = Field(foreign_key="match.id")
    index: int
    prev: str  # hash of the entry before
    type: str  # seal.log.EntryType
    body: dict[str, Any] = Field(sa_type=PLAIN)
    hash: str
    sig: bytes
    at: Moment


class Salt(NumberedRow, table=True):
    """A player's salt for the next phase of a match to open, as a box to the worker; deleted as
    that phase opens.
    """

    __table_args__ = (UniqueConstraint("match_id", "player_id"),)

    match_id: int = Field(foreign_key="match.id")
    # it counts if this player has a seat then
    player_id: int = Field(foreign_key="player.id", index=True)
    sealed: bytes  # its text and a nonce
    at: Moment
    # the phase that it is for; None: given before salts were signed
    phase_number: int | None = None
    seat: str = added("")
    tenure: int = added(1)
    # key of the session that gave it; None: the worker, for a letter
    signer: bytes | None = None
    # over `requests.bodies.salt_request`
    request_signature: bytes | None = None


class SeatRequest(NumberedRow, table=True):
    """Why a seat of a running match changes hands, signed by who asks for it; deleted once the
    worker has looked at it.

    A request of a substitute (`ask`) stays, under the worker's word, until the tenure of who asks
    is over.
    """

    __table_args__ = (
        index_where("ix_seatrequest_unseen", "match_id", "signer IS NOT NULL OR box IS NOT NULL"),
    )

    match_id: int = Field(foreign_key="match.id", index=True)
    seat: str
    # the tenure that begins by `take` and `substitute`; else the one that ends, or of who asks
    tenure: int
    what: str  # requests.bodies.SeatChange
    at: Moment
    until: MomentOrNone = None  # when a substitute's span ends
    offer: str | None = None  # uid of the offer that is made, or accepted by the link of its letter
    # under the worker's word: who asks, as `seal.requests.who_of_address`; None: the service itself
    who: str | None = None
    whom: str | None = None  # and who is asked
    # key of the session that asks; None: the worker, or a letter's link
    signer: bytes | None = None
    # over `requests.bodies.seat_request`
    request_signature: bytes | None = None
    # the token of a letter's link, for the worker alone, instead
    box: bytes | None = None


class Receipt(NumberedRow, table=True):
    """The acknowledgement of one submission; refused submissions are kept here too."""

    __table_args__ = (
        UniqueConstraint("match_id", "phase_number", "seat", "seq"),
        index_where("ix_receipt_waiting", "match_id, id", "signature IS NULL AND rejected IS NULL"),
    )

    match_id: int = Field(foreign_key="match.id")
    phase_number: int
    seat: str
    seq: int
    channel: str  # form, letter, house
    at: Moment
    disposition: str  # accepted, late, refused
    # a pair [part, commitment] for each part
    commitments: list[tuple[int, str]] = Field(sa_type=PLAIN)
    tenure: int = 1  # the seat's tenure that it belongs to
    # ready or wait, where these orders, or a bare word without parts, say so
    says: str | None = None
    # whether the orders leave nothing open and nothing refused; None: a bare word, or from before
    complete: bool | None = None
    letter: str | None = None  # uid of the incoming letter that they came with
    # key of the session that handed them in; None: the worker
    signer: bytes | None = None
    # its signature over the request
    request_signature: bytes | None = None
    # why the worker never signs it: it is not from who it says
    rejected: str | None = Field(default=None, sa_column_kwargs=LEFT_OUT)
    # What the worker's signature fixes:
    # its place in the tenure's chain of receipts, from 1
    number: int | None = Field(default=None, sa_column_kwargs=LEFT_OUT)
    # hash of the tenure's receipt before; None: not signed, or no log
    prev: str | None = Field(default=None, sa_column_kwargs=LEFT_OUT)
    # hash of the log's newest entry as it was signed
    head: str | None = Field(default=None, sa_column_kwargs=LEFT_OUT)
    signature: bytes | None = Field(default=None, sa_column_kwargs=LEFT_OUT)
