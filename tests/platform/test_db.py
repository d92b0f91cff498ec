"""Connections: one to PostgreSQL that was cut off while idle is replaced; SQLite without its
write-ahead log is refused, and its bulk transactions let others go first.
"""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from adjudicator.hosting.machine_errors import describe_database_fault
from adjudicator.platform import clock, db


@pytest.fixture
def database(postgres_url: str) -> Iterator[db.Database]:
    """A database on PostgreSQL, without connections yet."""
    opened = db.Database(postgres_url)
    yield opened
    opened.engine.dispose()


def test_a_connection_that_was_cut_off_while_idle_is_replaced(
    database: db.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = [0.0]
    monkeypatch.setattr(clock, "monotonic", lambda: seconds[0])
    with database.read_tx() as session:
        process = session.connection().execute(text("SELECT pg_backend_pid()")).scalar_one()
    with psycopg.connect(
        database.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    ) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [process])
    seconds[0] = 0.5  # longer than a connection is trusted
    with database.read_tx() as session:
        assert session.connection().execute(text("SELECT pg_backend_pid()")).scalar_one() != process


def test_a_connection_that_was_just_used_is_not_tested_again(
    database: db.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, seconds = list[object](), [0.0]
    monkeypatch.setattr(clock, "monotonic", lambda: seconds[0])
    with database.read_tx() as session:
        session.connection().execute(text("SELECT 1"))
    do_ping = database.engine.dialect.do_ping
    database.engine.dialect.do_ping = lambda connection: (
        asked.append(connection) or do_ping(connection)
    )  # type: ignore[func-returns-value, method-assign]
    with database.read_tx() as session:
        session.connection().execute(text("SELECT 1"))
    assert asked == []
    seconds[0] = 0.5
    with database.read_tx() as session:
        session.connection().execute(text("SELECT 1"))
    assert len(asked) == 1


def test_sqlite_is_refused_where_its_write_ahead_log_cannot_be_kept(tmp_path: Path) -> None:
    # what file systems can do, as SQLite meets it
    for able, log in (("unix", True), ("unix-dotfile", False), ("unix-none", False)):
        url = f"sqlite:///file:{tmp_path}/{able}.db?vfs={able}&uri=true"
        opened = db.Database(url)
        if log:
            opened.engine.connect().close()
        else:
            with pytest.raises(
                OperationalError, match=r"write-ahead log \(WAL\) that the service needs"
            ) as refused:
                opened.engine.connect()
            assert "keep it on a disk of this machine" in describe_database_fault(
                url, refused.value
            )
        opened.engine.dispose()


def test_a_single_statement_is_read_without_a_transaction(database: db.Database) -> None:
    with database.read_once() as session:
        connection = session.connection()
        connection.execute(text("SELECT 1"))
        driver = connection.connection.dbapi_connection
        assert isinstance(driver, psycopg.Connection)
        assert driver.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
    with database.read_tx() as session:  # the same connection, which knows transactions again
        session.connection().execute(text("SELECT 1"))
        assert driver.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS


def test_on_sqlite_others_who_wait_write_before_each_bulk_transaction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, written = db.Database(f"sqlite:///{tmp_path}/site.sqlite3"), list[str]()

    def write(who: str, opened: db.Database) -> None:
        with opened.write_tx() as session:
            session.connection()
            written.append(who)

    monkeypatch.setattr(clock, "sleep", lambda _: write("other", database))
    for _ in range(2):
        write("bulk", database.yielding())
    database.engine.dispose()
    assert written == ["other", "bulk"] * 2
