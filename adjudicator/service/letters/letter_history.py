"""What is kept of letters that came in: each seat's own list of them, and for how long."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, delete, or_, select, update

from adjudicator.platform.db import Database
from adjudicator.service.base.tables import Incoming, Match, Seat

_ERASED_AT_ONCE = 500  # rows, so that no transaction is long


@dataclass(frozen=True)
class LetterLine:
    """A letter in a seat's own list; nothing of what it says."""

    at: datetime
    disposition: str  # "" while it waits to be read
    reason: str


def of_seat(session: Session, uid: str, player_id: int, *, most: int = 100) -> list[LetterLine]:
    """Return the letters that came to a player's seat in a match, newest first."""
    came = select(Incoming).join(Seat, onclause=col(Incoming.seat_id) == col(Seat.id))
    came = came.join(Match, onclause=col(Seat.match_id) == col(Match.id))
    came = came.where(Match.uid == uid, Seat.player_id == player_id, Incoming.kind == "seat", Incoming.received_at >= col(Seat.taken_at))
    rows = session.exec(came.order_by(col(Incoming.id).desc()).limit(most))
    return [LetterLine(row.received_at, row.disposition or "", row.reason or "") for row in rows]


def erase_old(database: Database, before: datetime) -> int:
    """Erase what letters said that were read before that moment, and those to no seat altogether; returns how many. In batches."""
    left = or_(col(Incoming.raw).is_not(None), col(Incoming.seat_id).is_(None))
    old = select(Incoming.id).where(col(Incoming.read_at) < before, left).order_by(col(Incoming.id)).limit(_ERASED_AT_ONCE)
    erased = 0
    while True:
        with database.writing() as session:
            batch = session.exec(old).all()
            these = col(Incoming.id).in_(batch)
            session.exec(delete(Incoming).where(these, col(Incoming.seat_id).is_(None)))
            session.exec(update(Incoming).where(these).values(raw=None))
        erased += len(batch)
        if len(batch) < _ERASED_AT_ONCE:
            return erased
