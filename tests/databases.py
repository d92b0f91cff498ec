"""Fixtures: a private, migrated database for each test, on SQLite and PostgreSQL, and a private Redis database."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest
import redis
from psycopg import sql

from adjudicator.platform import db
from tests.keeper import ask_keeper
from tests.server_search import ServerMissing

_TEMPLATE = "sealed_template"
PATIENCE = 300.0  # seconds that a transaction of a test's own process may be idle
_LOCK = 5_1234_1  # an arbitrary number, the same in every test process
MUCH = 50_000_000  # bytes of a database that is not worth emptying; a new one has 10 MB
_SCHEMA = """SELECT count(*), max(oid), sum(relnatts), max(reltuples), (SELECT max(version_num) FROM alembic_version)
FROM pg_class WHERE relnamespace = 'public'::regnamespace"""  # differs after any change of tables or indexes, and after ANALYZE
_IN_MEMORY = Path("/dev/shm")


def _server(name: str) -> str:
    try:
        return ask_keeper(name)
    except ServerMissing as missing:
        pytest.fail(str(missing), pytrace=False)


def _named(server: str, name: str) -> str:
    return f"{server.rpartition('/')[0]}/{name}"


@pytest.fixture(scope="session")
def postgres_server() -> str:
    """The URL of the database `postgres` on the tests' PostgreSQL server."""
    return _server("postgres")


@pytest.fixture(scope="session")
def _postgres_template(postgres_server: str) -> str:
    """Return the name of a migrated database to copy; the first test process makes it, the others wait."""
    with psycopg.connect(postgres_server.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [_TEMPLATE]).fetchone():
            connection.execute("DROP DATABASE IF EXISTS draft")
            connection.execute("CREATE DATABASE draft")
            with pytest.MonkeyPatch.context() as patch:
                be_patient(patch)
                db.migrate(_named(postgres_server, "draft"))
            connection.execute(sql.SQL("ALTER DATABASE draft RENAME TO {}").format(sql.Identifier(_TEMPLATE)))
    return _TEMPLATE


def be_patient(patch: pytest.MonkeyPatch) -> None:
    """Extend this process's limit on idle transactions, so that a test on an overloaded machine is slow but does not fail."""
    patch.setattr(db, "LEFT_ALONE_SECONDS", PATIENCE)


class _DatabasePool:
    """Migrated PostgreSQL databases of one test process; a used one is emptied for the next test, since making one takes a second."""

    def __init__(self, server: str, template: str, connection: psycopg.Connection) -> None:
        self._server, self._template, self._connection = server, template, connection
        self._free: list[str] = []
        with self._connect(template) as inside:
            self._schema = inside.execute(_SCHEMA).fetchone()
            self._emptying = _emptying(inside)

    def take(self) -> str:
        """Return the name of an empty database, never used before, so that nothing that was left behind can write to it."""
        name = f"test_{secrets.token_hex(6)}"
        if self._free:
            self._execute("ALTER DATABASE {} RENAME TO {}", self._free.pop(), name)
        else:
            self._execute("CREATE DATABASE {} TEMPLATE {}", name, self._template)
        return name

    def give_back(self, name: str) -> None:
        """End all connections to a database and empty it; one with another schema, statistics or much waste is dropped."""
        self._connection.execute("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s", [name])
        try:
            reusable = self._empty(name)
        except psycopg.Error:
            reusable = False
        if reusable:
            self._free.append(name)
        else:
            self._execute("DROP DATABASE {} WITH (FORCE)", name)

    def drop_all(self) -> None:
        """Drop the databases that are not in use."""
        for name in self._free:
            self._execute("DROP DATABASE {} WITH (FORCE)", name)

    def _empty(self, name: str) -> bool:
        with self._connect(name) as inside:
            if inside.execute(_SCHEMA).fetchone() != self._schema:
                return False
            inside.execute(self._emptying)
            size = inside.execute("SELECT pg_database_size(current_database())").fetchone()
            return size is not None and size[0] < MUCH

    def _connect(self, name: str) -> psycopg.Connection:
        return psycopg.connect(_named(self._server, name).replace("+psycopg", ""), autocommit=True)

    def _execute(self, statement: LiteralString, *names: str) -> None:
        self._connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


def _emptying(inside: psycopg.Connection) -> sql.Composed:
    """Return statements that delete all rows, in any order of the tables, and start all sequences anew."""
    tables = inside.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'").fetchall()
    sequences = inside.execute("SELECT sequencename FROM pg_sequences WHERE schemaname = 'public'").fetchall()
    deletes = [sql.SQL("DELETE FROM {};").format(sql.Identifier(table)) for (table,) in tables]
    restarts = [sql.SQL("ALTER SEQUENCE {} RESTART;").format(sql.Identifier(sequence)) for (sequence,) in sequences]
    return sql.SQL("BEGIN; SET LOCAL session_replication_role = replica; {} {} COMMIT").format(
        sql.Composed(deletes), sql.Composed(restarts)
    )


@pytest.fixture(scope="session")
def _postgres_pool(postgres_server: str, _postgres_template: str) -> Iterator[_DatabasePool]:
    with psycopg.connect(postgres_server.replace("+psycopg", ""), autocommit=True) as connection:
        pool = _DatabasePool(postgres_server, _postgres_template, connection)
        yield pool
        pool.drop_all()


@pytest.fixture
def postgres_url(postgres_server: str, _postgres_pool: _DatabasePool, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A migrated PostgreSQL database for this test."""
    be_patient(monkeypatch)
    yield from _lent(postgres_server, _postgres_pool)


@pytest.fixture(scope="module")
def shared_postgres_url(postgres_server: str, _postgres_pool: _DatabasePool) -> Iterator[str]:
    """A migrated PostgreSQL database for one file of tests that empty it themselves."""
    yield from _lent(postgres_server, _postgres_pool)


def _lent(postgres_server: str, pool: _DatabasePool) -> Iterator[str]:
    name = pool.take()
    yield _named(postgres_server, name)
    pool.give_back(name)


@pytest.fixture(scope="session")
def _sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("template") / "template.sqlite3"
    db.migrate(f"sqlite:///{file}")
    return file


@pytest.fixture
def sqlite_url(_sqlite_template: Path) -> Iterator[str]:
    """A migrated SQLite database for this test, in memory where the system has a file system there."""
    with tempfile.TemporaryDirectory(dir=_IN_MEMORY if _IN_MEMORY.is_dir() else None, ignore_cleanup_errors=True) as folder:
        file = Path(folder) / "test.sqlite3"
        for end in ("", "-wal"):
            if (part := _sqlite_template.with_name(_sqlite_template.name + end)).exists():
                shutil.copy(part, file.with_name(file.name + end))
        yield f"sqlite:///{file}"


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """A migrated database for this test, which runs once on SQLite and once on PostgreSQL."""
    return str(request.getfixturevalue(f"{request.param}_url"))


@pytest.fixture(scope="session")
def redis_server() -> str:
    """The URL of the tests' Redis."""
    return _server("redis")


@pytest.fixture
def redis_url(redis_server: str) -> Iterator[str]:
    """An empty Redis database for this test; each test process has its own."""
    url = _named(redis_server, os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    with redis.Redis.from_url(url) as client:
        client.flushdb()
        yield url
        client.flushdb()
