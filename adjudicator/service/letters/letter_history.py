"""What is kept of letters that came in: each seat's own list of them, and for how long."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_
from sqlmodel import Session, col, delete, or_, select, update

from adjudicator.platform.db import Database
from adjudicator.service.base.tables import Confirmation, Incoming, Letter, Match, Seat

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


@dataclass(frozen=True)
class Erased:
    """How many letters were erased."""

    sent: int
    read: int


def erase_old(database: Database, before: datetime) -> Erased:
    """Erase letters that were done with before that moment, in batches: nobody waits for a long transaction.

    A letter out (sent, come back or held) goes altogether, as does one in to no seat and a question that nobody answered. Of
    one in to a seat what it said goes.
    """
    with database.write_tx() as session:
        session.exec(delete(Confirmation).where(col(Confirmation.until) < before))
    done = and_(col(Letter.made_at) < before, col(Letter.state).in_(("sent", "bounced", "held")))
    sent = _in_batches(database, Letter, done, lambda session, these: session.exec(delete(Letter).where(these)))
    left = or_(col(Incoming.raw).is_not(None), col(Incoming.seat_id).is_(None))
    return Erased(sent, _in_batches(database, Incoming, and_(col(Incoming.read_at) < before, left), _erase_incoming))


def _erase_incoming(session: Session, these: ColumnElement[bool]) -> None:
    session.exec(delete(Incoming).where(these, col(Incoming.seat_id).is_(None)))
    session.exec(update(Incoming).where(these).values(raw=None))


def _in_batches(
    database: Database, table: type[Letter | Incoming], old: ColumnElement[bool], erase: Callable[[Session, ColumnElement[bool]], object]
) -> int:  # fmt: skip
    """Erase the `old` rows of a table, so many in a transaction, until none is left; returns how many there were."""
    erased = 0
    while True:
        with database.write_tx() as session:
            batch = session.exec(select(table.id).where(old).order_by(col(table.id)).limit(_ERASED_AT_ONCE)).all()
            erase(session, col(table.id).in_(batch))
        erased += len(batch)
        if len(batch) < _ERASED_AT_ONCE:
            return erased
