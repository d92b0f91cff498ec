"""Orders as they are handed in, and the seat that they are for: its rows, read by one statement."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam
from sqlalchemy import select as select_columns
from sqlmodel import Session, and_, col, func, not_, or_, select

from adjudicator.platform.db import connection_of
from adjudicator.platform.statements.records import Query
from adjudicator.seal.crypto import PublicKeys
from adjudicator.seal.requests import Voucher
from adjudicator.service.base import public_keys
from adjudicator.service.base.due.phase_clock import in_overtime
from adjudicator.service.base.errors import NotAllowed, NotNow
from adjudicator.service.base.rows import (
    OpenSeat,
    dues_of,
    require_seen,
    why_not_open,
)
from adjudicator.service.base.tables import (
    Due,
    Envelope,
    Match,
    PhaseRow,
    Player,
    Receipt,
    Seat,
    WorkerKeys,
)
from adjudicator.service.requests.made_for import MadeFor


@dataclass(frozen=True)
class Submission:
    """Orders as a channel hands them over. `phase` is the number of the phase that the player saw,
    None where a letter shows none.
    """

    uid: str
    player_id: int
    text: str
    channel: str  # form, letter, house
    arrived: datetime
    phase: int | None = None
    stored: datetime | None = None  # for a letter, when it is read; else as it arrives
    letter: str | None = None  # the letter's uid
    # who vouches for it; None: whoever the transaction knows for this player
    signer: Voucher | None = None
    # what the form's page showed, compared beside `phase`; None for a letter and a house bot
    made_for: MadeFor | None = None


@dataclass(frozen=True)
class SealedSoFar:
    """What a seat has handed in for a phase so far: the number of its last submission or bare word,
    and what is sealed.
    """

    seq: int
    tenure: int  # the last one that sealed orders; 0 for none
    sealed: int  # the number of the newest orders


@dataclass(frozen=True)
class SeatSeen:
    """The rows of a seat in an open phase as a submission was read for them."""

    match: Match
    phase: PhaseRow
    seat: Seat
    player: Player
    public: PublicKeys
    sealed: SealedSoFar
    due: Due | None
    others_ready: bool  # all other due seats

    @property
    def as_read(self) -> bool:
        """Whether what is stored for it depends on these rows alone."""
        looks = self.seat.open_since is not None or self.seat.next_ask_at is not None
        return not looks and not in_overtime(self.phase)


_OPEN = and_(col(PhaseRow.match_id) == col(Seat.match_id), col(PhaseRow.closed_at).is_(None))
# a sum has no index: else SQLite would go through all matches of the player
_SAT = and_(col(Seat.match_id) == col(Match.id), col(Seat.player_id) + 0 == bindparam("player"))
_HANDED_IN = (
    col(Receipt.match_id) == col(PhaseRow.match_id),
    col(Receipt.phase_number) == col(PhaseRow.number),
)
_NEWEST_SEQ = select(func.max(Receipt.seq)).where(*_HANDED_IN, col(Receipt.seat) == col(Seat.name))
_SEALED = col(Envelope.phase_id) == col(PhaseRow.id), col(Envelope.seat) == col(Seat.name)
_SEALED_LAST = [
    select(func.max(column)).where(*_SEALED) for column in (Envelope.tenure, Envelope.seq)
]
_LAST = tuple(
    each.correlate(PhaseRow, Seat).scalar_subquery() for each in (_NEWEST_SEQ, *_SEALED_LAST)
)
_OF_OPEN = col(Due.phase_id) == col(PhaseRow.id)
_READY = or_(  # as `phase_clock.is_ready`
    func.coalesce(Due.says, "") == "ready",
    and_(
        col(Match.ready_rule) == "complete",
        col(Due.complete),
        func.coalesce(Due.says, "") != "wait",
    ),
)
_UNREADY = select(Due.id).where(_OF_OPEN, col(Due.seat) != col(Seat.name), not_(_READY))
_OTHERS = _UNREADY.correlate(Match, PhaseRow, Seat).exists()
_PLACE = Query(
    select_columns(Match, Seat, PhaseRow, Player, WorkerKeys, Due, _OTHERS, *_LAST)
    .outerjoin(Seat, onclause=_SAT)
    .outerjoin(PhaseRow, onclause=_OPEN)
    .outerjoin(Due, onclause=and_(_OF_OPEN, col(Due.seat) == col(Seat.name)))
    .outerjoin(Player, onclause=col(Seat.player_id) == col(Player.id))
    .outerjoin(WorkerKeys, onclause=public_keys.IS_NEWEST)
    .where(col(Match.uid) == bindparam("uid")),
)
# not the open one: the phase may have closed as its orders were read
_OF_PHASE = col(PhaseRow.id) == bindparam("phase")
_SO_FAR = (
    select(*_LAST)
    .select_from(Seat)
    .join(PhaseRow, onclause=_OF_PHASE)
    .where(col(Seat.id) == bindparam("seat"))
)


def find_seat(session: Session, submission: Submission) -> SeatSeen:
    """Return the rows of the submitter's seat. Raises NotAllowed without a seat, NotNow without an
    open phase.
    """
    of = {"uid": submission.uid, "player": submission.player_id}
    # PostgreSQL takes no NUL
    found = _PLACE.first(connection_of(session), of) if "\0" not in submission.uid else None
    match, seat, phase, player, keys, due, others, *last = found or (None,) * 10
    match = require_seen(session, submission.uid, match)
    if seat is None or player is None:
        raise NotAllowed("You have no seat in this match, so you cannot hand in orders here.")
    if phase is None or match.status != "running" or phase.why == "stopped":
        raise NotNow(why_not_open(match))
    believed = public_keys.believe(session, keys)
    return SeatSeen(match, phase, seat, player, believed, _so_far(last), due, not others)


def sealed_so_far(session: Session, open_seat: OpenSeat) -> SealedSoFar:
    return _so_far(
        session.exec(_SO_FAR, params={"seat": open_seat.seat.id, "phase": open_seat.phase.id}).one()
    )


def _so_far(last: Sequence[int | None]) -> SealedSoFar:
    seq, tenure, sealed = (number or 0 for number in last)
    return SealedSoFar(seq, tenure, sealed)


def due_of(session: Session, phase: PhaseRow, seat: Seat) -> Due | None:
    return next((due for due in dues_of(session, phase) if due.seat == seat.name), None)
