"""Fixtures: a private, migrated database for each test, on SQLite and PostgreSQL, and a private
Redis database.
"""

import atexit
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, LiteralString

import psycopg
import pytest
import redis
from psycopg import sql
from psycopg.errors import ObjectInUse
from sqlalchemy import event, make_url

from adjudicator.hosting.database_roles.grants import ROLES, RoleName
from adjudicator.hosting.database_roles.logins import Login, grant_roles
from adjudicator.platform import db, heartbeat
from tests.keeper import ask_keeper
from tests.memory import in_memory
from tests.sampling import EVERY_CASE
from tests.server_search import ServerMissing
from tests.waiting import LIMIT

_TEMPLATE = "sealed_template"
PATIENCE = 300.0  # seconds that a transaction of a test's own process may be idle
_LOCK = 5_1234_1  # an arbitrary number, the same in every test process
MUCH = 50_000_000  # bytes of a database that is not worth emptying; a new one has 10 MB
_SCHEMA = """SELECT count(*), max(oid), sum(relnatts), max(reltuples), (SELECT max(version_num) FROM alembic_version),
md5(string_agg(relname || coalesce(relacl::text, ''), ' ' ORDER BY relname)), obj_description('alembic_version'::regclass, 'pg_class')
FROM pg_class WHERE relnamespace = 'public'::regnamespace"""  # differs after any change of tables, indexes or grants, and after ANALYZE


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
    """Return the name of a migrated database to copy; the first test process makes it, the others
    wait.
    """
    with psycopg.connect(postgres_server.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        if not connection.execute(
            "SELECT 1 FROM pg_database WHERE datname = %s", [_TEMPLATE]
        ).fetchone():
            connection.execute("DROP DATABASE IF EXISTS draft")
            connection.execute("CREATE DATABASE draft")
            with pytest.MonkeyPatch.context() as patch:
                be_patient(patch)
                migrate_with_roles(_named(postgres_server, "draft"))
            connection.execute(
                sql.SQL("ALTER DATABASE draft RENAME TO {}").format(sql.Identifier(_TEMPLATE))
            )
    return _TEMPLATE


def role_login(role: RoleName) -> str:
    """Return the login of a role on the tests' server."""
    return f"sealed_{role}"


def migrate_with_roles(url: str) -> None:
    """Migrate a PostgreSQL database and make the roles' logins, with the owner's password."""
    db.migrate(url)
    grant_roles(
        url, {role: Login(role_login(role), make_url(url).password or "") for role in ROLES}
    )


def as_role(url: str, role: RoleName) -> str:
    """Return the URL by which a role connects to a test's database: on PostgreSQL with a login of
    its own, granted what `grants` says.
    """
    found = make_url(url)
    return (
        url
        if found.get_backend_name() == "sqlite"
        else found.set(username=role_login(role)).render_as_string(hide_password=False)
    )


def be_patient(patch: pytest.MonkeyPatch) -> None:
    """Extend this process's limits on idle transactions, locks and the broker's answers: on an
    overloaded machine a test is slow only.
    """
    patch.setattr(db, "LEFT_ALONE_SECONDS", PATIENCE)
    patch.setattr(db, "WAIT_SECONDS", LIMIT)
    patch.setattr(heartbeat, "_SECONDS", LIMIT)


class _DatabasePool:
    """Migrated PostgreSQL databases of one test process; a used one is emptied for the next test,
    since making one takes a second.
    """

    def __init__(self, server: str, template: str, connection: psycopg.Connection) -> None:
        self._server, self._template, self._connection = server, template, connection
        self._free: list[str] = []
        with self._connect(template) as inside:
            self._schema = inside.execute(_SCHEMA).fetchone()
            self._emptying = _emptying(inside)

    def take(self) -> str:
        """Return the name of an empty database that no process knows."""
        if self._free:
            return self._free.pop()
        name = _new_name()
        self._execute("CREATE DATABASE {} TEMPLATE {}", name, self._template)
        return name

    def give_back(self, name: str) -> None:
        """Empty a database under a new name, so that whatever a test left behind finds it no more;
        drop one that cannot be used again.

        It is dropped where something connects again at once, and where it has another schema, other
        statistics or much waste.
        """
        new_name = _new_name()
        self._connection.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s",
            [name],
        )
        try:
            self._execute("ALTER DATABASE {} RENAME TO {}", name, new_name)
        except ObjectInUse:
            self._execute("DROP DATABASE {} WITH (FORCE)", name)
            return
        try:
            reusable = self._empty(new_name)
        except psycopg.Error:
            reusable = False
        if reusable:
            self._free.append(new_name)
        else:
            self._execute("DROP DATABASE {} WITH (FORCE)", new_name)

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


def _new_name() -> str:
    return f"test_{secrets.token_hex(6)}"


def _emptying(inside: psycopg.Connection) -> sql.Composed:
    """Return statements that delete all rows, in any order of the tables, and start all sequences
    anew.
    """
    tables = inside.execute(
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <>"
        " 'alembic_version'"
    ).fetchall()
    deletes = [sql.SQL("DELETE FROM {};").format(sql.Identifier(table)) for (table,) in tables]
    restart = sql.SQL(
        "SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S' AND relnamespace"
        " = 'public'::regnamespace;"
    )
    return sql.SQL("BEGIN; SET LOCAL session_replication_role = replica; {} {} COMMIT").format(
        sql.Composed(deletes), restart
    )


@pytest.fixture(scope="session")
def _postgres_pool(postgres_server: str, _postgres_template: str) -> Iterator[_DatabasePool]:
    with psycopg.connect(postgres_server.replace("+psycopg", ""), autocommit=True) as connection:
        pool = _DatabasePool(postgres_server, _postgres_template, connection)
        yield pool
        pool.drop_all()


@pytest.fixture
def postgres_url(
    postgres_server: str, _postgres_pool: _DatabasePool, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
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


@cache
def _migrated_file() -> Path:
    """Return a migrated SQLite database to copy, made once in a test process: migrating takes a
    second.
    """
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    file = Path(folder) / "template.sqlite3"
    db.migrate(f"sqlite:///{file}")
    return file


def new_sqlite(file: Path) -> str:
    """Make a migrated SQLite database at a path; return its URL."""
    for end in ("", "-wal"):
        if (part := _migrated_file().with_name(_migrated_file().name + end)).exists():
            shutil.copy(part, file.with_name(file.name + end))
    return f"sqlite:///{file}"


def make_read_only(database: db.Database) -> None:
    """Have a database refuse writes to this connection pool, as it does where the file or the
    server is read-only.
    """
    on_sqlite = database.engine.dialect.name == "sqlite"
    statement = (
        "PRAGMA query_only=ON"
        if on_sqlite
        else "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY"
    )

    def restrict(connection: Any, _record: object) -> None:
        connection.execute(statement)
        connection.commit()

    database.engine.dispose()
    event.listen(database.engine, "connect", restrict)


@pytest.fixture
def sqlite_url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A migrated SQLite database for this test, in memory where the system has a file system
    there.
    """
    be_patient(monkeypatch)
    yield from _in_memory()


@pytest.fixture(scope="module")
def shared_sqlite_url() -> Iterator[str]:
    """A migrated SQLite database for one file of tests."""
    yield from _in_memory()


def _in_memory() -> Iterator[str]:
    with tempfile.TemporaryDirectory(dir=in_memory(), ignore_cleanup_errors=True) as folder:
        yield new_sqlite(Path(folder) / "test.sqlite3")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Choose the databases of a test with `database_url`: SQLite, or both where the test is marked
    `both_databases` and in a nightly run.

    PostgreSQL takes three times as long. Marked are tests of races, locks, killed processes, sweeps
    and types.
    """
    if "database_url" not in metafunc.fixturenames:
        return
    both = EVERY_CASE or metafunc.definition.get_closest_marker("both_databases")
    chosen = ("sqlite", "postgres") if both and not metafunc.config.option.quick else ("sqlite",)
    metafunc.parametrize("database_url", chosen, indirect=True)


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> str:
    """A migrated database for this test, on what `pytest_generate_tests` chose."""
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
