"""Connections to PostgreSQL: one that was cut off while nobody used it is replaced before anybody does."""

from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import text

from adjudicator.platform import clock, db


@pytest.fixture
def database(postgres_url: str) -> Iterator[db.Database]:
    """A database on PostgreSQL, without connections yet."""
    opened = db.Database(postgres_url)
    yield opened
    opened.engine.dispose()


def test_a_connection_that_was_cut_off_while_idle_is_replaced(database: db.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = [0.0]
    monkeypatch.setattr(clock, "monotonic", lambda: seconds[0])
    with database.read_tx() as session:
        process = session.connection().execute(text("SELECT pg_backend_pid()")).scalar_one()
    with psycopg.connect(database.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [process])
    seconds[0] = 0.5  # longer than a connection is trusted
    with database.read_tx() as session:
        assert session.connection().execute(text("SELECT pg_backend_pid()")).scalar_one() != process


def test_a_connection_that_was_just_used_is_not_tested_again(database: db.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, seconds = list[object](), [0.0]
    monkeypatch.setattr(clock, "monotonic", lambda: seconds[0])
    with database.read_tx() as session:
        session.connection().execute(text("SELECT 1"))
    do_ping = database.engine.dialect.do_ping
    database.engine.dialect.do_ping = lambda connection: asked.append(connection) or do_ping(connection)  # type: ignore[func-returns-value, method-assign]
    with database.read_tx() as session:
        session.connection().execute(text("SELECT 1"))
    assert asked == []
    seconds[0] = 0.5
    with database.read_tx() as session:
        session.connection().execute(text("SELECT 1"))
    assert len(asked) == 1
