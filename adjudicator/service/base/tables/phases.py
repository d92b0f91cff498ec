"""Phases, what seats owe and hand in, and the proofs of it."""

from typing import Any

from sqlalchemy import Index, UniqueConstraint, text
from sqlmodel import Field

from adjudicator.service.base.tables import matches, people  # noqa: F401  are referred to
from adjudicator.service.base.tables.columns import (
    PLAIN,
    Moment,
    MomentOrNone,
    NumberedRow,
    TableRow,
    added,
    index_where,
)


class PhaseRow(NumberedRow, table=True):
    """One decision point of a match. Number 0 is the start, for which nobody owes orders."""

    __tablename__ = "phase"
    __table_args__ = (
        UniqueConstraint("match_id", "number"),
        Index("ix_phase_closes_at", "closes_at"),
        index_where("ix_phase_remind_at", "remind_at", "remind_at IS NOT NULL"),
        # at most one open phase per match
        index_where("ix_phase_open", "match_id", "closed_at IS NULL", unique=True),
    )

    match_id: int = Field(foreign_key="match.id")
    number: int
    name: str
    due: list[str] = Field(sa_type=PLAIN)  # seats that owe orders
    rules_version: int
    before: object = Field(default=None, sa_type=PLAIN)  # state at the opening
    after: object = Field(default=None, sa_type=PLAIN)  # state after the adjudication; once closed
    opened_at: Moment
    deadline: MomentOrNone = None
    grace_seconds: int = 0
    # after deadline and grace, or when all are ready; null while paused or stuck and once closed
    closes_at: MomentOrNone = None
    # the deadline that the overtime followed
    overtime_after: MomentOrNone = None
    # None: the phase had no overtime
    overtime_until: MomentOrNone = None
    # of the next reminder; null while paused or stuck, and once closed
    remind_at: MomentOrNone = None
    # reminders up to this moment are done
    reminded_until: MomentOrNone = None
    closed_at: MomentOrNone = None
    stuck: bool = False  # whether its match stood still because of a fault
    # reason of the closing: ready, deadline, forced, master; stopped: the match ends without it
    why: str | None = None
    # whether the service moved the deadline once because it had been down
    moved_for_outage: bool = False
    # whether its newest pause's gain counts
    pause_capped: bool = added(False)
    # by capped pauses beyond their own length
    pause_gain_seconds: int = added(0)
    public_key: bytes | None = None
    # the worker's over the public key; None without a log
    key_signature: bytes | None = None
    wrapped_key: bytes | None = None
    # what only the audit opens; the worker's own record
    kept_openings: bytes | None = None
    # once closed, per seat: source of the orders, orders, commitment
    taken: dict[str, Any] | None = Field(default=None, sa_type=PLAIN)
    events: list[object] | None = Field(default=None, sa_type=PLAIN)
    draws: list[Any] | None = Field(default=None, sa_type=PLAIN)
    # seats whose plan was dropped at the opening; not the plans
    dropped: list[str] = Field(default_factory=list, sa_type=PLAIN)


class AbsenceUse(NumberedRow, table=True):
    """The days of one year by which one player's absence moved the deadline of a phase, as the
    phase opened.
    """

    __table_args__ = (UniqueConstraint("match_id", "player_id", "phase_number", "year"),)

    match_id: int = Field(foreign_key="match.id")
    player_id: int = Field(foreign_key="player.id", index=True)
    phase_number: int
    year: int
    days: int


class Attendance(NumberedRow, table=True):
    """Whether a person handed in anything for a phase that the person's seat owed; written as the
    phase closes.
    """

    __table_args__ = (
        UniqueConstraint("match_id", "phase_number", "seat"),
        Index("ix_attendance_player", "player_id", "at"),
    )

    player_id: int = Field(foreign_key="player.id")
    match_id: int = Field(foreign_key="match.id")
    phase_number: int
    seat: str
    played: bool  # False: NMR
    # whether the match hides its players, so that nobody may see this before it has ended
    hidden: bool
    at: Moment


class Due(NumberedRow, table=True):
    """The readiness of one due seat in a phase."""

    __table_args__ = (
        UniqueConstraint("phase_id", "seat"),
        Index(
            "ix_due_house",
            "phase_id",
            sqlite_where=text("house = 1 AND handed_in_at IS NULL"),
            postgresql_where=text("house AND handed_in_at IS NULL"),
        ),
    )

    phase_id: int = Field(foreign_key="phase.id")
    seat: str
    complete: bool = False  # whether the newest orders leave no slot open and no line refused
    says: str | None = None  # ready or wait; None: neither was said
    handed_in_at: MomentOrNone = None  # of the newest orders
    # the full minute from which others may know of the first orders
    known_at: MomentOrNone = None
    late: bool = False  # whether it had handed in nothing when the overtime began
    # whether the seat was a house bot's at the opening
    house: bool = added(False)


class Envelope(NumberedRow, table=True):
    """One seat's sealed orders for one phase; append-only, the newest row counts. Sequence 0 comes
    from a plan.
    """

    __table_args__ = (UniqueConstraint("phase_id", "seat", "seq"),)

    phase_id: int = Field(foreign_key="phase.id")
    seat: str
    seq: int
    sealed: bytes
    commitments: list[str] = Field(sa_type=PLAIN)
    tenure: int = 1  # the seat's tenure that it comes from
    # whether it holds only a plan, because the seat owes nothing in this phase
    for_later: bool = False
    # of sequence 0: that the worker carried it on from a plan
    proof: bytes | None = None
    at: Moment


class Proposal(NumberedRow, table=True):
    """A change of a running match that its players vote on."""

    # one of a kind at a time
    __table_args__ = (
        index_where("ix_proposal_open", "match_id, kind", "outcome IS NULL", unique=True),
    )

    match_id: int = Field(foreign_key="match.id", index=True)
    phase_number: int  # phase that was open
    kind: str  # proposals.Kind: extend, shorten, close, pause, resume, end, draw
    seat: str  # the proposer's
    target: MomentOrNone = None  # the deadline that is proposed
    # the deadline before, once it passed
    was: MomentOrNone = None
    reason: str = ""  # why the match should end
    at: Moment
    # when it lapses; None: with its phase or with the pause
    until: MomentOrNone = None
    outcome: str | None = None  # passed, rejected, lapsed; None while it stands


class Vote(NumberedRow, table=True):
    """The vote of a seat on a proposal; it counts while the same player has the seat."""

    __table_args__ = (UniqueConstraint("proposal_id", "seat"),)

    proposal_id: int = Field(foreign_key="proposal.id")
    seat: str
    player_id: int = Field(foreign_key="player.id")
    yes: bool
    at: Moment
    tenure: int = added(1)  # the seat's
    # key of the session that voted; None: the worker, for a letter
    signer: bytes | None = None
    request_signature: bytes | None = None


class Reading(TableRow, table=True):
    """A seat's request that the worker disclose the seat's own sealed orders; erased once the
    answer is read.
    """

    uid: str = Field(primary_key=True)
    request: bytes  # sealed to the worker
    # sealed to the one-time reply key
    answer: bytes | None = None
    made_at: Moment
    answered: bool = Field(default=False, index=True)


class ReadingNote(NumberedRow, table=True):
    """A note of when a seat's orders were disclosed, shown to that seat."""

    match_id: int = Field(foreign_key="match.id", index=True)
    seat: str
    tenure: int = 1
    at: Moment
