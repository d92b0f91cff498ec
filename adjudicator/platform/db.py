"""The database: one engine, with read and write transactions that behave the same on SQLite and
PostgreSQL.
"""

import copy
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json
from sqlalchemy import (
    Connection,
    DateTime,
    Dialect,
    Engine,
    create_engine,
    event,
    exc,
    inspect,
    make_url,
)
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.types import TypeDecorator
from sqlmodel import Session

from adjudicator.platform import clock, wakeups
from adjudicator.platform.db_clock import DatabaseClock
from adjudicator.platform.errors import WrongSetting
from adjudicator.platform.statements.prepared import raise_as_told

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parents[1] / "migrations"


WAIT_SECONDS = 15.0  # to wait for a lock: of a row, on SQLite of the whole database
# PostgreSQL ends a transaction idle for longer: its process may be frozen while others wait for its
# locks
LEFT_ALONE_SECONDS = 10.0
CONNECT_SECONDS = 10  # for a PostgreSQL server to accept a connection
_CUT_OFF_SECONDS = 30  # a TCP connection whose peer acknowledges nothing for longer is closed
_TESTED_AFTER_SECONDS = 0.25  # in the pool; then a connection is tested before it is used again
_RETURNED = "returned"  # key in a connection's info: when it came back to the pool
_LOOK_SECONDS = 0.002  # between two attempts to get SQLite's write lock
_YIELD_SECONDS = 0.01  # the same, and before the first one, where others shall go first
# key in Session.info of a `write_tx`: functions that get the session before it is committed
BEFORE_COMMIT = "before commit"
_FORBIDDEN = "42501"  # PostgreSQL's code: insufficient privilege
# PostgreSQL's codes: lock not available in time, idle transaction ended
_HELD = frozenset({"55P03", "25P03"})


class UtcTime(TypeDecorator[datetime]):
    """A UTC time on every database; a time without a zone is refused."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[datetime | None], Any]:
        """Return how a time is stored; on SQLite as SQLAlchemy does it, in a third of the time."""
        return _write_utc if dialect.name == "sqlite" else _to_utc

    def result_processor(
        self, dialect: Dialect, coltype: object
    ) -> Callable[[Any], datetime | None]:
        """Return how a stored time is read."""
        return _read_utc if dialect.name == "sqlite" else _to_utc


def _to_utc(value: datetime | None) -> datetime | None:
    if value is None:
        return None
    if value.tzinfo is None:
        raise ValueError("a time without a zone cannot be stored")
    return value.astimezone(UTC)


def _write_utc(value: datetime | None) -> str | None:
    utc = _to_utc(value)
    return None if utc is None else utc.isoformat(" ", "microseconds").removesuffix("+00:00")


def _read_utc(stored: str | None) -> datetime | None:
    return None if stored is None else datetime.fromisoformat(stored).replace(tzinfo=UTC)


class DatabaseBusy(Exception):
    """A lock was not free in time, or PostgreSQL ended this process's transaction because it was
    idle for too long.

    Nothing was changed, and a retry may succeed.
    """


# what `Database.read_tx` yields, to be passed on to the service by those who never touch tables
ReadTx = Session
FAULTS = (SQLAlchemyError, DatabaseBusy)  # every error of a database call
# errors whose cause is not the statement; a retry may succeed
PASSING = (OperationalError, InterfaceError, DatabaseBusy)


def is_passing(error: Exception) -> bool:
    """Whether the cause of an error is not the statement (database away, locked, full or cut off),
    so that a retry may succeed.
    """
    return isinstance(error, (*PASSING, exc.TimeoutError)) or (
        isinstance(error, DBAPIError) and error.connection_invalidated
    )


def is_not_permitted(error: Exception) -> bool:
    """Whether PostgreSQL refused a statement because this login may not do it."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) == _FORBIDDEN


class Database:
    """Transactions on one database; each process makes one of its own.

    `info` is what every session's `info` begins with: what this process knows from outside the
    database.
    """

    def __init__(self, url: str, *, info: Mapping[str, object] | None = None) -> None:
        self.engine = _engine(url)
        self._info = dict(info or {})
        self._send: wakeups.Send | None = None
        self._reads, self._writes, self._single = _flavours(self.engine)
        self.clock = DatabaseClock(self.engine)

    def knowing(self, **info: object) -> "Database":
        """Return this database for who knows more: its sessions' `info` also holds these values."""
        known = copy.copy(self)
        known._info = self._info | info
        return known

    def waking(self, send: wakeups.Send | None) -> "Database":
        """Return this database for a process that hands on, after each commit, the wakeups that a
        transaction has noted.
        """
        woken = copy.copy(self)
        woken._send = send
        return woken

    def yielding(self) -> "Database":
        """Return this database for one transaction after another: on SQLite, whoever else waits for
        the write lock gets it before each.
        """
        slow = copy.copy(self)
        slow._writes = self._writes.execution_options(looks_every=_YIELD_SECONDS)
        return slow

    def now(self) -> datetime:
        """Return the current time of the database's clock, which all processes use; entry points
        ask once for each transaction.

        Raises FAULTS.
        """
        with _told_as_busy():
            return self.clock.now()

    def revisions(self) -> tuple[str | None, str | None]:
        """Return the database's revision and the newest one; they differ if `sealed migrate` is
        needed.
        """
        with self.engine.connect() as connection:
            return _revision_of(connection), newest_revision()

    @contextmanager
    def read_tx(self) -> Iterator[Session]:
        """Open a transaction on one snapshot that writes nothing; loaded rows can be used after it.

        Raises DatabaseBusy as `write_tx` does, because a migration may lock tables.
        """
        with _told_as_busy(), Session(self._reads, info=self._info) as session:
            yield session

    @contextmanager
    def read_once(self) -> Iterator[Session]:
        """Do as `read_tx` for a single statement, which is a snapshot by itself: on PostgreSQL it
        takes one round trip instead of three.
        """
        with _told_as_busy(), Session(self._single, info=self._info) as session:
            yield session

    @contextmanager
    def write_tx(self) -> Iterator[Session]:
        """Open a transaction that is committed at its end or leaves no trace; on SQLite it holds
        the write lock from its start. Then what it has noted by `wakeups.wake` is sent.

        Raises DatabaseBusy if a lock is not free within WAIT_SECONDS, or if PostgreSQL ended the
        idle transaction.
        """
        with (
            _told_as_busy(),
            Session(self._writes, expire_on_commit=False, info=self._info) as session,
            session.begin(),
        ):
            yield session
            _store_the_rest(session)
        self._wake(session)

    @contextmanager
    def write_once(self) -> Iterator[Session]:
        """Do as `write_tx` where all is written together at the transaction's end, which calls
        `begin_write` first: what is read before is no snapshot, and takes no lock. On PostgreSQL a
        single statement writes, so it takes one round trip instead of three.

        The session takes part only where somebody uses it for more than `connection_of`.
        """
        with _told_as_busy(), self._single.connect() as connection:
            session = Session(connection, expire_on_commit=False, info=self._info)
            yield session
            _store_the_rest(session)
            if session.in_transaction():
                session.commit()
                session.close()
            _commit_driver(connection)
        self._wake(session)

    def _wake(self, session: Session) -> None:
        if self._send is not None:
            wakeups.send_noted(session, self._send)


def connection_of(session: Session) -> Connection:
    """Return a transaction's connection, for statements that the driver runs."""
    bind = session.bind
    return bind if isinstance(bind, Connection) else session.connection()


def _commit_driver(connection: Connection) -> None:
    """Commit what the driver itself began on SQLite; on PostgreSQL each statement is committed."""
    if connection.dialect.name != "sqlite":
        return
    try:
        connection.connection.commit()
    except connection.dialect.loaded_dbapi.Error as fault:
        raise_as_told(connection, fault)


def _store_the_rest(session: Session) -> None:
    for store in session.info.get(BEFORE_COMMIT, ()):
        store(session)


@contextmanager
def _told_as_busy() -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        if (
            "database is locked" in str(error.orig)
            or getattr(error.orig, "sqlstate", None) in _HELD
        ):
            raise DatabaseBusy from error
        raise


def _flavours(engine: Engine) -> tuple[Engine, Engine, Engine]:
    """Return an engine as it reads, as it writes, and as it does both by single statements."""
    if engine.dialect.name == "sqlite":
        return (
            engine,
            engine.execution_options(begins="IMMEDIATE"),
            engine.execution_options(begins=None),
        )
    return (
        engine.execution_options(isolation_level="REPEATABLE READ"),
        engine,
        engine.execution_options(isolation_level="AUTOCOMMIT"),
    )


def _engine(url: str) -> Engine:
    if not url.startswith("sqlite"):
        from adjudicator.platform.statements.postgres_cursor import BriefCursor

        settings = _bounds(url) | {"cursor_factory": BriefCursor}
        engine = create_engine(
            url,
            connect_args=settings,
            hide_parameters=True,
            paramstyle="numeric_dollar",  # the server's own, so the driver rewrites no statement
            use_native_hstore=False,  # which the driver would ask for in another style
            json_deserializer=read_json,
        )
        event.listen(engine, "connect", _prepare_postgres)
        event.listen(engine, "checkin", _note_return)
        event.listen(engine, "checkout", partial(_test_idle, engine.dialect))
        return engine
    engine = create_engine(
        url,
        connect_args={"timeout": WAIT_SECONDS, "check_same_thread": False},
        hide_parameters=True,
        pool_size=10,
        json_deserializer=read_json,
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def read_json(stored: str | bytes) -> Any:
    """Return what a column of JSON holds; in most rows it is short, and `json.loads` takes three
    times as long.
    """
    try:
        return from_json(stored)
    except ValueError:  # it reads no half of a surrogate pair, and nothing very deep
        return json.loads(stored)


def _prepare_postgres(connection: Any, _record: object) -> None:
    from psycopg import RawServerCursor

    connection.server_cursor_factory = RawServerCursor  # of long results; like `BriefCursor`


def _note_return(_connection: Any, record: ConnectionPoolEntry) -> None:
    record.info[_RETURNED] = clock.monotonic()


def _test_idle(
    dialect: Dialect, connection: Any, record: ConnectionPoolEntry, _proxy: object
) -> None:
    """Test a connection that was idle; where it was cut off, the pool opens others. One that was
    just used costs no round trip.
    """
    returned = record.info.get(_RETURNED)
    if returned is None or clock.monotonic() - returned < _TESTED_AFTER_SECONDS:
        return
    try:
        dialect.do_ping(connection)
    except dialect.loaded_dbapi.Error as fault:
        raise exc.InvalidatePoolError from fault


def _bounds(url: str) -> dict[str, Any]:
    """Return the time limits of a connection to PostgreSQL; what the host sets in the URL overrides
    them.
    """
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
    options = (
        f"-c lock_timeout={WAIT_SECONDS * 1000:.0f} {left_alone}"
        f" {own if isinstance(own, str) else ' '.join(own)}".rstrip()
    )
    return {name: limit for name, limit in limits.items() if name not in query} | {
        "options": options
    }


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # otherwise the driver begins transactions too
    _keep_log_ahead(connection)
    for pragma in (
        "synchronous=FULL",
        "secure_delete=ON",
        "foreign_keys=ON",
        f"busy_timeout={WAIT_SECONDS * 1000:.0f}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _keep_log_ahead(connection: Any) -> None:
    """Turn on SQLite's write-ahead log. Raises OperationalError where the file system cannot hold
    it: some of a network cannot.
    """
    (mode,) = connection.execute("PRAGMA journal_mode=WAL").fetchone()
    if mode not in ("wal", "memory"):
        remedy = "keep it on a disk of this machine, or use PostgreSQL"
        raise sqlite3.OperationalError(
            "its file system cannot hold the write-ahead log (WAL) that the service needs:"
            f" {remedy}"
        )


def _begin_sqlite(connection: Any) -> None:
    begins = connection.get_execution_options().get("begins", "DEFERRED")
    if begins == "IMMEDIATE":
        begin_write(connection)
    elif begins is not None:
        connection.exec_driver_sql("BEGIN")


def begin_write(connection: Any) -> None:
    """Begin to write in a `write_once`: on SQLite take the write lock until the transaction ends.
    On PostgreSQL its single statement needs nothing before it.
    """
    driver = connection.connection.dbapi_connection
    if connection.dialect.name != "sqlite" or driver.in_transaction:
        return
    # SQLite's own retry every 100 ms lets other processes win
    driver.execute("PRAGMA busy_timeout=0")
    try:
        _take_write_lock(driver, connection.get_execution_options().get("looks_every"))
        if not driver.in_transaction:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
    finally:
        driver.execute(f"PRAGMA busy_timeout={WAIT_SECONDS * 1000:.0f}")


def _take_write_lock(driver: sqlite3.Connection, yields: float | None) -> None:
    """Try once, and again until the lock is taken or the time is over; the caller's own BEGIN then
    raises the error. Whoever `yields` waits for as many seconds before each attempt.
    """
    end = clock.monotonic() + WAIT_SECONDS
    if yields:
        clock.sleep(yields)
    while True:
        try:
            driver.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or clock.monotonic() > end:
                return
            clock.sleep(yields or _LOOK_SECONDS)
        else:
            return


# --- migrations; Alembic is imported only where there is one to run


def migrate(url: str) -> None:
    """Migrate the database at `url` to the newest schema; on SQLite create its folder too. Raises
    WrongSetting for a newer one.
    """
    if url.startswith("sqlite:///"):
        Path(url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
    engine = _engine(url)
    try:
        with engine.connect() as connection:
            found = _revision_of(connection)
        if is_newer(found):
            raise WrongSetting(explain_revisions(found, newest_revision()))
        if found != newest_revision():
            with engine.connect() as connection:
                _upgrade(connection)
    finally:
        engine.dispose()


def _upgrade(connection: Connection) -> None:
    from alembic import command

    on_sqlite = connection.dialect.name == "sqlite"
    if on_sqlite:  # SQLite alters a table by replacing it, which foreign keys would forbid
        connection.connection.dbapi_connection.execute("PRAGMA foreign_keys=OFF")  # type: ignore[union-attr]  # it is open
    config = _alembic()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    if on_sqlite and connection.exec_driver_sql("PRAGMA foreign_key_check").first():
        raise AssertionError("a migration left rows that point nowhere")
    connection.commit()


def explain_revisions(found: str | None, newest: str | None) -> str:
    """Return one sentence that says why this release cannot use a database at revision `found`; ""
    if it can.
    """
    if found == newest:
        return ""
    if is_newer(found):
        return (
            f"The database is at revision {found}, which this release does not know: a newer"
            " release migrated it. Install that one, or put back the backup from before its"
            " upgrade."
        )
    return (
        f"The database is at revision {found or 'none'} and this release needs {newest}: run"
        " `sealed migrate`."
    )


def is_newer(found: str | None) -> bool:
    """Whether a database was migrated by a newer release than this one."""
    return found is not None and found not in _revisions_known()


def revisions(url: str) -> tuple[str | None, str | None]:
    """Return the database's revision and the newest one; they differ if `sealed migrate` is
    needed.
    """
    database = Database(url)
    try:
        return database.revisions()
    finally:
        database.engine.dispose()


def _revision_of(connection: Connection) -> str | None:
    """Return the revision that a database is at; None before its first migration."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def newest_revision() -> str:
    """Return the newest revision that this release has."""
    return max(_revisions_known())


@cache
def _revisions_known() -> frozenset[str]:
    """Return the revisions of this release: each file of a migration begins with its own."""
    return frozenset(
        path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*_*.py")
    )


def _alembic() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
