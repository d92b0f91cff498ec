"""The database: one engine, read and write transactions that mean the same on SQLite and PostgreSQL."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import alembic.command
import alembic.config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import DateTime, Dialect, Engine, create_engine, event, exc, make_url
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.types import TypeDecorator
from sqlmodel import Session

from adjudicator.platform import clock, db_clock
from adjudicator.platform.db_clock import DatabaseClock

MIGRATIONS = Path(__file__).parents[1] / "migrations"


WAIT_SECONDS = 15.0  # for what another process holds: a row, on SQLite the one write lock
LEFT_ALONE_SECONDS = 10.0  # PostgreSQL ends a transaction idle for longer: its process may be frozen while others wait for its locks
CONNECT_SECONDS = 10  # for a PostgreSQL server to accept a connection
_CUT_OFF_SECONDS = 30  # a TCP connection whose peer acknowledges nothing for longer is closed
_LOOK_SECONDS = 0.002  # between two looks at SQLite's
_HELD = frozenset({"55P03", "25P03"})  # PostgreSQL's codes of a lock that was waited for, and of a transaction left alone, for too long


class UtcTime(TypeDecorator[datetime]):
    """A moment in UTC on every database; a time without a zone is refused."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without a zone cannot be stored")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class DatabaseBusy(Exception):
    """Another process held the database for longer than we wait, or this one stood still for longer than others do.

    Nothing was changed, and the same may work in a moment.
    """


FAULTS = (SQLAlchemyError, DatabaseBusy)  # whatever a database answers instead of doing what it was asked
PASSING = (OperationalError, InterfaceError, DatabaseBusy)  # those that say nothing of what it was asked: the same may work in a moment


def is_passing(error: Exception) -> bool:
    """Whether a database's fault says nothing of what it was asked: away, held, full or cut off, so that the same may work in a moment."""
    return isinstance(error, (*PASSING, exc.TimeoutError)) or (isinstance(error, DBAPIError) and error.connection_invalidated)


class Database:
    """Transactions on one database; each process makes one of its own."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self._reads, self._writes = _flavours(self.engine)
        self.clock = DatabaseClock(self.engine)

    def now(self) -> datetime:
        """Return the present moment by the database's clock, which all processes go by: a door asks once for a transaction.

        Raises FAULTS.
        """
        with _told_as_busy():
            return self.clock.now()

    def revisions(self) -> tuple[str | None, str | None]:
        """Return its revision and the newest one; they differ where `sealed migrate` has something to do."""
        with self.engine.connect() as connection:
            return MigrationContext.configure(connection).get_current_revision(), _newest_revision()

    @contextmanager
    def read_tx(self) -> Iterator[Session]:
        """A transaction that sees one moment of the database and writes nothing; what was loaded stays usable afterwards.

        Raises DatabaseBusy as `write_tx` does: tables may be held that are being migrated.
        """
        with _told_as_busy(), Session(self._reads) as session:
            yield session

    @contextmanager
    def write_tx(self) -> Iterator[Session]:
        """A transaction that commits at its end (on SQLite it holds the one write lock from its begin), or leaves no trace.

        Raises DatabaseBusy when a lock could not be had within fifteen seconds, or PostgreSQL ended a transaction left alone.
        """
        with _told_as_busy(), Session(self._writes, expire_on_commit=False) as session, session.begin():
            yield session


@contextmanager
def _told_as_busy() -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        if "database is locked" in str(error.orig) or getattr(error.orig, "sqlstate", None) in _HELD:
            raise DatabaseBusy from error
        raise


def _flavours(engine: Engine) -> tuple[Engine, Engine]:
    if engine.dialect.name == "sqlite":
        return engine, engine.execution_options(begin_immediate=True)
    return engine.execution_options(isolation_level="REPEATABLE READ"), engine


def _engine(url: str) -> Engine:
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True, hide_parameters=True, connect_args=_bounds(url))
    engine = create_engine(url, connect_args={"timeout": WAIT_SECONDS, "check_same_thread": False}, hide_parameters=True)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _bounds(url: str) -> dict[str, Any]:
    """Return the time limits of a connection to PostgreSQL; what the host sets in the URL overrides them."""
    query = make_url(url).query
    limits = {
        "connect_timeout": CONNECT_SECONDS,
        "tcp_user_timeout": _CUT_OFF_SECONDS * 1000,
        "keepalives_idle": _CUT_OFF_SECONDS,
        "keepalives_interval": 10,
        "keepalives_count": 3,
    }
    own = query.get("options", "")
    left_alone = f"-c idle_in_transaction_session_timeout={LEFT_ALONE_SECONDS * 1000:.0f}"
    options = f"-c lock_timeout={WAIT_SECONDS * 1000:.0f} {left_alone} {own if isinstance(own, str) else ' '.join(own)}".rstrip()
    return {name: limit for name, limit in limits.items() if name not in query} | {"options": options}


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver's own transactions close things twice
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={WAIT_SECONDS * 1000:.0f}"):
        connection.execute(f"PRAGMA {pragma}")
    connection.create_function("sealed_now", 0, db_clock.for_sqlite)


def _begin_sqlite(connection: Any) -> None:
    if not connection.get_execution_options().get("begin_immediate", False):
        connection.exec_driver_sql("BEGIN")
        return
    driver = connection.connection.dbapi_connection
    driver.execute("PRAGMA busy_timeout=0")  # SQLite itself looks again only ten times a second, and others go first meanwhile
    try:
        _take_write_lock(driver)
        if not driver.in_transaction:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
    finally:
        driver.execute(f"PRAGMA busy_timeout={WAIT_SECONDS * 1000:.0f}")


def _take_write_lock(driver: sqlite3.Connection) -> None:
    """Try to begin until the lock is had or the time is over; then the caller's own try tells why."""
    end = clock.monotonic() + WAIT_SECONDS
    while clock.monotonic() < end:
        try:
            driver.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                return
            clock.sleep(_LOOK_SECONDS)
        else:
            return


# --- migrations


def migrate(url: str) -> None:
    """Bring the database at `url` to the newest tables; on SQLite its folder is made too."""
    if url.startswith("sqlite:///"):
        Path(url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
    engine = _engine(url)
    try:
        with engine.connect() as connection:
            on_sqlite = engine.dialect.name == "sqlite"
            if on_sqlite:  # it alters a table by making it anew, and would not let one go that rows of others point to
                connection.connection.dbapi_connection.execute("PRAGMA foreign_keys=OFF")  # type: ignore[union-attr]  # it is open
            config = _alembic()
            config.attributes["connection"] = connection
            alembic.command.upgrade(config, "head")
            if on_sqlite and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
                raise AssertionError("a migration left rows that point nowhere")
            connection.commit()
    finally:
        engine.dispose()


def revisions(url: str) -> tuple[str | None, str | None]:
    """Return the database's revision and the newest one; they differ where `sealed migrate` has something to do."""
    database = Database(url)
    try:
        return database.revisions()
    finally:
        database.engine.dispose()


@cache
def _newest_revision() -> str | None:
    return ScriptDirectory.from_config(_alembic()).get_current_head()


def _alembic() -> alembic.config.Config:
    config = alembic.config.Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
