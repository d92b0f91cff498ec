"""The database, for a moment: what is looked at before a role forks, or by a command."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sqlmodel import Session

from adjudicator.platform.db import Database


@contextmanager
def opened(url: str, *, info: Mapping[str, object] | None = None) -> Iterator[Database]:
    """Open a database for the block, after which no connection is left. Raises db.FAULTS where it
    is used.
    """
    database = Database(url, info=info)
    try:
        yield database
    finally:
        database.engine.dispose()


@contextmanager
def read_tx_at(url: str, *, info: Mapping[str, object] | None = None) -> Iterator[Session]:
    """Open a transaction that reads, as `Database.read_tx`, and then close the database."""
    with opened(url, info=info) as database, database.read_tx() as session:
        yield session
