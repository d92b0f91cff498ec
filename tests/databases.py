"""Fixtures: a private, migrated database for each test, on SQLite and PostgreSQL, and a private Redis database."""

import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

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


@pytest.fixture
def postgres_url(postgres_server: str, _postgres_template: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A migrated PostgreSQL database for this test."""
    be_patient(monkeypatch)
    yield from _copied(postgres_server)


@pytest.fixture(scope="module")
def shared_postgres_url(postgres_server: str, _postgres_template: str) -> Iterator[str]:
    """A migrated PostgreSQL database for one file of tests that empty it themselves."""
    yield from _copied(postgres_server)


def _copied(postgres_server: str) -> Iterator[str]:
    name = f"test_{secrets.token_hex(6)}"
    with psycopg.connect(postgres_server.replace("+psycopg", ""), autocommit=True) as connection:
        made = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(_TEMPLATE))
        connection.execute(made)
        yield _named(postgres_server, name)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(scope="session")
def _sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("template") / "template.sqlite3"
    db.migrate(f"sqlite:///{file}")
    return file


@pytest.fixture
def sqlite_url(_sqlite_template: Path, tmp_path: Path) -> str:
    """A migrated SQLite database for this test."""
    file = tmp_path / "test.sqlite3"
    for end in ("", "-wal"):
        if (part := _sqlite_template.with_name(_sqlite_template.name + end)).exists():
            shutil.copy(part, file.with_name(file.name + end))
    return f"sqlite:///{file}"


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
