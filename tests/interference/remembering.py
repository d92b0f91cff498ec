"""Reading many pages of one match in one snapshot: what was selected once is not selected again."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from sqlalchemy import Result
from sqlalchemy.orm import Session as OrmSession
from sqlalchemy.sql import Select
from sqlmodel import Session, select

from adjudicator.platform.db import Database
from adjudicator.service.base.tables import Player


@contextmanager
def reading(database: Database) -> Iterator[Session]:
    """Open a read transaction that remembers the results of its selects, which cannot change within
    its snapshot.

    Pages ask for the same rows dozens of times, and asking costs more than the pages themselves.
    """
    seen: dict[tuple[Any, ...], Any] = {}
    own = OrmSession.execute

    def execute(
        session: OrmSession, statement: Any, params: Any = None, **more: Any
    ) -> Result[Any]:
        key = (
            statement._generate_cache_key()
            if params is None and isinstance(statement, Select)
            else None
        )
        if key is None:
            return own(session, statement, params, **more)
        place = (id(session), key.key, tuple(repr(bound.value) for bound in key.bindparams))
        if place not in seen:
            seen[place] = own(session, statement, params, **more).freeze()
        again: Result[Any] = seen[place]()
        return again

    with mock.patch.object(OrmSession, "execute", execute), database.read_tx() as session:
        # held, so that asking for one by its id finds it in memory
        known = session.exec(select(Player)).all()
        yield session
        del known


class Within:
    """A database all of whose transactions are one, so that many small ones cost less."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @contextmanager
    def write_tx(self) -> Iterator[Session]:
        """Yield the one transaction."""
        yield self._session
        self._session.flush()
