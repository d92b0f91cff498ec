"""Simulated database connections: every statement, commit and answer to a commit is a point."""

import sqlite3
from collections.abc import Callable
from typing import Any

from tests.simulation.world import Killed, Process, World

STATEMENT, COMMIT, COMMITTED = "statement", "commit", "committed"
# beginnings of statements; the last one writes what belongs together
_WRITING = ("INSERT", "UPDATE", "DELETE", "WITH changed AS")
_SHOWN = 60  # characters of a statement in the story


def attach(process: Process | None, connection: Any) -> None:
    """Assign a new connection to the process that opened it."""
    connection.process = process
    if process is not None:
        process.connections.append(connection)


def before_statement(connection: Any, sql: str) -> None:
    """Reach the point of a statement. Raises the errors that the faults choose."""
    if connection.process is None or sql.startswith("PRAGMA"):
        return
    if connection.is_cut:
        raise Killed if connection.process.dead else connection.lose()
    world = World.here
    connection.wrote |= sql.startswith(_WRITING)
    world.point(f"{STATEMENT} {' '.join(sql[:_SHOWN].split())}")
    world.connection_fault(connection, STATEMENT)


def committing(connection: Any, commit: Callable[[], None]) -> None:
    """Commit with a point before and after: it may fail, and its answer may be lost."""
    world = World.here
    if connection.process is None or world.current is None:
        commit()
        return
    if connection.is_cut:
        raise Killed if connection.process.dead else connection.lose()
    world.point(COMMIT)
    world.connection_fault(connection, COMMIT)
    commit()
    world.commits += connection.wrote
    if connection.wrote:
        world.committed(world.current)
    connection.wrote = False
    world.point(COMMITTED)
    world.connection_fault(connection, COMMITTED)


class SqliteCursor(sqlite3.Cursor):
    """A cursor whose statements are points."""

    def execute(self, sql: str, *parameters: Any) -> "SqliteCursor":
        before_statement(self.connection, sql)
        return super().execute(sql, *parameters)  # type: ignore[return-value]  # it returns itself

    def executemany(self, sql: str, *parameters: Any) -> "SqliteCursor":
        before_statement(self.connection, sql)
        return super().executemany(sql, *parameters)  # type: ignore[return-value]  # it returns itself


class SqliteConnection(sqlite3.Connection):
    """A connection to a SQLite file in memory, with the locks of real files."""

    process: Process | None = None
    wrote = False
    is_cut = False

    def cursor(self, factory: Any = SqliteCursor) -> Any:
        return super().cursor(factory)

    def execute(self, sql: str, *parameters: Any) -> Any:
        before_statement(self, sql)
        return super().execute(sql, *parameters)

    def commit(self) -> None:
        committing(self, super().commit)

    def rollback(self) -> None:
        self.wrote = False
        super().rollback()

    def close(self) -> None:
        """Close the connection when the pool has enough others; its process can lose it no more."""
        if self.process is not None and self in self.process.connections:
            self.process.connections.remove(self)
        super().close()

    def cut(self) -> None:
        """Lose the connection: uncommitted changes are rolled back, and it does nothing more."""
        self.is_cut = True
        super().rollback()

    def undo(self) -> None:
        """Roll back uncommitted changes."""
        super().rollback()

    def failure(self) -> Exception:
        """Return the error of a failing statement."""
        return sqlite3.OperationalError("disk I/O error")

    serialization = failure

    def lose(self) -> Exception:
        """Roll back, and return the error of a lost connection; the file exists for the next
        attempt.
        """
        super().rollback()
        return self.failure()


def connect_sqlite(path: str) -> SqliteConnection:
    """Open a connection to a SQLite file for the running process."""
    connection = sqlite3.connect(
        path, factory=SqliteConnection, timeout=15, check_same_thread=False
    )
    strand = World.here.current
    attach(strand.process if strand else None, connection)
    return connection
