"""Each seat's list of its incoming letters, and the erasing of old letters."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_
from sqlmodel import Session, col, delete, or_, select, update

from adjudicator.platform.db import Database
from adjudicator.service.base.tables import Confirmation, Incoming, Letter, Match, Seat

_ERASED_AT_ONCE = 500  # rows in one transaction, which keeps it short


@dataclass(frozen=True)
class LetterLine:
    """A letter in a seat's own list, without its content."""

    at: datetime
    disposition: str  # "" while the letter is unread
    reason: str


def of_seat(session: Session, uid: str, player_id: int, *, most: int = 100) -> list[LetterLine]:
    """Return the letters to a player's seat since the player took it, newest first."""
    came = select(Incoming).join(Seat, onclause=col(Incoming.seat_id) == col(Seat.id))
    came = came.join(Match, onclause=col(Seat.match_id) == col(Match.id))
    came = came.where(
        Match.uid == uid,
        Seat.player_id == player_id,
        Incoming.kind == "seat",
        Incoming.received_at >= col(Seat.taken_at),
    )
    came = came.where(or_(col(Incoming.tenure).is_(None), Incoming.tenure == Seat.tenure))
    rows = session.exec(came.order_by(col(Incoming.id).desc()).limit(most))
    return [LetterLine(row.received_at, row.disposition or "", row.reason or "") for row in rows]


@dataclass(frozen=True)
class Erased:
    """How many letters were erased."""

    sent: int
    read: int


def erase_old(database: Database, before: datetime) -> Erased:
    """Erase old letters in short transactions.

    1. Questions that expired before `before`.
    2. Outgoing letters made before it that are sent, bounced or held.
    3. Incoming letters read before it. A letter to a seat keeps its row and loses only its content.
    """
    with database.write_tx() as session:
        session.exec(delete(Confirmation).where(col(Confirmation.until) < before))
    done = and_(col(Letter.made_at) < before, col(Letter.state).in_(("sent", "bounced", "held")))
    sent = _in_batches(
        database, Letter, done, lambda session, these: session.exec(delete(Letter).where(these))
    )
    left = or_(col(Incoming.raw).is_not(None), col(Incoming.seat_id).is_(None))
    return Erased(
        sent,
        _in_batches(
            database, Incoming, and_(col(Incoming.read_at) < before, left), _erase_incoming
        ),
    )


def _erase_incoming(session: Session, these: ColumnElement[bool]) -> None:
    session.exec(delete(Incoming).where(these, col(Incoming.seat_id).is_(None)))
    session.exec(update(Incoming).where(these).values(raw=None))


def _in_batches(
    database: Database,
    table: type[Letter | Incoming],
    old: ColumnElement[bool],
    erase: Callable[[Session, ColumnElement[bool]], object],
) -> int:
    """Erase the `old` rows of a table, one batch in a transaction; returns how many there were."""
    erased = 0
    while True:
        with database.write_tx() as session:
            batch = session.exec(
                select(table.id).where(old).order_by(col(table.id)).limit(_ERASED_AT_ONCE)
            ).all()
            erase(session, col(table.id).in_(batch))
        erased += len(batch)
        if len(batch) < _ERASED_AT_ONCE:
            return erased
