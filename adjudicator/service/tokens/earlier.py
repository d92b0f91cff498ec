"""Tokens that the previous release stored as they are: they go on working by their hash, and are
erased within a day.

While processes of that release run beside this one they add and change such tokens, so the worker
hashes them each minute.
"""

from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select, update

from adjudicator.platform.db import Database
from adjudicator.seal.tokens import hash_token
from adjudicator.service.base.tables import MasterAddress, Player, Seat, Stranger

EACH = timedelta(minutes=1)
# of each table: its key, the token, the token's hash, the hash of the computed one
_TOKENS: tuple[tuple[Any, Any, Any, Any], ...] = (
    (Seat, Seat.token, Seat.earlier_hash, Seat.token_hash),
    (MasterAddress, MasterAddress.token, MasterAddress.earlier_hash, MasterAddress.token_hash),
    (Stranger, Stranger.token, Stranger.earlier_hash, Stranger.token_hash),
    (Player, Player.stop_token, Player.earlier_stop_hash, Player.stop_hash),
)


class Hasher:
    """Hashes the stored tokens of the previous release for one process, at most once a minute."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._next: datetime | None = None

    def hash_due(self, now: datetime) -> None:
        """Hash what is due; see `hash_tokens`."""
        if self._next is None or now >= self._next:
            hash_tokens(self._database)
            self._next = now + EACH


def hash_tokens(database: Database) -> int:
    """Store the hash of each token that was added or changed by a process of the previous release;
    returns how many.

    A changed one is a new address: the one that this release computed for its row stops working
    too.
    """
    with database.read_tx() as session:
        changed = any(_changed(session, *columns) for columns in _TOKENS)
    if not changed:
        return 0
    with database.write_tx() as session:
        return sum(_hash(session, *columns) for columns in _TOKENS)


def _changed(
    session: Session, table: Any, token: Any, hashed: Any, _: Any
) -> list[tuple[Any, str, str | None]]:
    key = table.__table__.primary_key.columns.values()[0]
    stored = session.exec(select(key, token, hashed).where(col(token).is_not(None))).all()
    return [(row, text, before) for row, text, before in stored if hash_token(text) != before]


def _hash(session: Session, table: Any, token: Any, hashed: Any, computed: Any) -> int:
    key = table.__table__.primary_key.columns.values()[0]
    found = _changed(session, table, token, hashed, computed)
    for row, text, before in found:
        values: dict[str, Any] = {hashed.key: hash_token(text)}
        if before is not None:
            values[computed.key] = None
            if hasattr(table, "token_n"):
                values["token_n"] = table.token_n + 1
        session.exec(update(table).where(key == row, token == text).values(values))
    return len(found)


def forget_tokens(database: Database) -> None:
    """Erase all stored tokens of the previous release, once their hashes are stored. Called each
    day, when no process of it runs.
    """
    hash_tokens(database)
    with database.write_tx() as session:
        for table, token, hashed, _ in _TOKENS:
            session.exec(
                update(table)
                .where(col(token).is_not(None), col(hashed).is_not(None))
                .values({token.key: None})
            )
