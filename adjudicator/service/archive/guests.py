"""Takes away matches that only guests and house bots played or waited for, GUEST_DAYS after their
end.

Their addresses tell that they were here.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Table
from sqlmodel import Session, col, or_, select

from adjudicator.platform.db import Database, is_passing
from adjudicator.service.archive.entries import GUEST_DAYS
from adjudicator.service.base.errors import NotFound
from adjudicator.service.base.rows import lock_by_uid
from adjudicator.service.base.state import ANONYMOUS
from adjudicator.service.base.tables import FormerTenure, GoneMatch, Match, Player, Seat, all_tables

MOST = 200  # matches that are erased in one call


def erase_matches(
    database: Database, now: datetime, *, cut_short: tuple[type[Exception], ...] = ()
) -> int:
    """Erase the matches of guests that ended or expired GUEST_DAYS ago, with all their rows, each
    in a transaction; returns how many.

    Stays: a match that a person with an address plays, played, lent a seat of, or made; one of a
    tournament; an imported one. Idempotent. At most MOST a call; the next one goes on. A match that
    cannot be erased is tried again then; its error, with a note which match it was, is raised once
    all others are erased. Faults of the database that pass, and the exceptions in `cut_short`, by
    which this process is stopped, end the call at once.
    """
    before = now - timedelta(days=GUEST_DAYS)
    with database.read_tx() as session:
        old = session.exec(
            select(Match.uid).where(*_of_guests(before)).order_by(col(Match.id)).limit(MOST)
        ).all()
    return _erase_each(database, old, before, now, cut_short)


def _erase_each(
    database: Database,
    uids: Sequence[str],
    before: datetime,
    now: datetime,
    cut_short: tuple[type[Exception], ...],
) -> int:
    erased = 0
    for number, uid in enumerate(uids, 1):
        try:
            erased += _erase(database, uid, before, now)
        except Exception as error:  # its rows are damaged: it must not keep all others
            error.add_note(f"while match {uid} was erased")
            if not is_passing(error) and not isinstance(error, cut_short):
                _erase_each(database, uids[number:], before, now, cut_short)
            raise
    return erased


def _of_guests(before: datetime) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of matches that ended before a moment and that nobody can miss.

    `with_people` spares a look at the others, but says nothing of an anonymous match.
    """
    sits = select(Seat.id).join(
        Player,
        onclause=or_(col(Seat.player_id) == col(Player.id), col(Seat.owner_id) == col(Player.id)),
    )
    sat = select(FormerTenure.id).join(
        Player, onclause=col(FormerTenure.player_id) == col(Player.id)
    )
    made = select(Player.id).where(Player.id == Match.master_id, *_is_person())
    return (
        col(Match.status).in_(("ended", "expired")),
        col(Match.ended_at) < before,
        or_(col(Match.with_people).is_(False), col(Match.options)[ANONYMOUS].as_boolean()),
        col(Match.imported).is_(False),
        col(Match.table_id).is_(None),
        ~made.exists(),
        ~sits.where(Seat.match_id == Match.id, *_is_person()).exists(),
        ~sat.where(FormerTenure.match_id == Match.id, *_is_person()).exists(),
    )


def _is_person() -> tuple[ColumnElement[bool], ...]:
    return col(Player.house).is_(False), or_(
        col(Player.address).is_not(None), col(Player.erased_at).is_not(None)
    )


def _erase(database: Database, uid: str, before: datetime, now: datetime) -> bool:
    """Erase a match unless it has changed meanwhile; returns whether it was. Nothing tells of a
    private one.
    """
    with database.write_tx() as session:
        try:
            match = lock_by_uid(session, uid)
        except NotFound:  # another worker erased it meanwhile
            return False
        if (
            session.exec(select(Match.id).where(Match.id == match.id, *_of_guests(before))).first()
            is None
        ):
            return False
        private = match.private
        _erase_rows(session, match.id or 0)
        if not private:
            session.add(GoneMatch(uid=uid, gone_at=now))
    return True


def _erase_rows(session: Session, match_id: int) -> None:
    """Delete a match and all rows that refer to it, or to such a row, those first that refer to
    others.
    """
    for table in reversed(all_tables().sorted_tables):
        if table.name == Match.__tablename__:
            session.execute(table.delete().where(table.c.id == match_id))
        # one at a time, so that each finds its rows by an index
        for refers in _referring(table, match_id):
            session.execute(table.delete().where(refers))


def _referring(table: Table, match_id: int) -> list[ColumnElement[bool]]:
    """Return the conditions under which a row of a table refers to a match, itself or by a row that
    does.
    """
    found: list[ColumnElement[bool]] = (
        [table.c.match_id == match_id] if "match_id" in table.c else []
    )
    for key in table.foreign_keys:
        other = key.column.table
        if other is not table and "match_id" in other.c and key.parent.name != "match_id":
            found.append(key.parent.in_(select(key.column).where(other.c.match_id == match_id)))
    return found
