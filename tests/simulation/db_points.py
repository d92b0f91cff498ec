"""Connections to the database as the world sees them: every statement, commit and answer to a commit is a point."""

import sqlite3
from collections.abc import Callable
from typing import Any

from tests.simulation.world import Killed, Process, World

STATEMENT, COMMIT, COMMITTED = "statement", "commit", "committed"
_SHOWN = 60  # characters of a statement in the story


def attach(process: Process | None, wire: Any) -> None:
    """Give a new connection to the process that made it."""
    wire.process = process
    if process is not None:
        process.wires.append(wire)


def before_statement(wire: Any, sql: str) -> None:
    """Come to a statement; raises what the faults choose."""
    if wire.process is None or sql.startswith("PRAGMA"):
        return
    if wire.is_cut:
        raise Killed if wire.process.dead else wire.lose()
    world = World.here
    wire.wrote |= sql[:6] in ("INSERT", "UPDATE", "DELETE")
    world.point(f"{STATEMENT} {' '.join(sql[:_SHOWN].split())}")
    world.wire_fault(wire, STATEMENT)


def committing(wire: Any, commit: Callable[[], None]) -> None:
    """Commit: it may fail before, and its answer may be lost after."""
    world = World.here
    if wire.process is None or world.current is None:
        commit()
        return
    if wire.is_cut:
        raise Killed if wire.process.dead else wire.lose()
    world.point(COMMIT)
    world.wire_fault(wire, COMMIT)
    commit()
    world.commits += wire.wrote
    if wire.wrote:
        world.committed(world.current)
    wire.wrote = False
    world.point(COMMITTED)
    world.wire_fault(wire, COMMITTED)


class SqliteCursor(sqlite3.Cursor):
    """A cursor whose statements are points."""

    def execute(self, sql: str, *parameters: Any) -> "SqliteCursor":
        before_statement(self.connection, sql)
        return super().execute(sql, *parameters)  # type: ignore[return-value]  # it returns itself

    def executemany(self, sql: str, *parameters: Any) -> "SqliteCursor":
        before_statement(self.connection, sql)
        return super().executemany(sql, *parameters)  # type: ignore[return-value]  # it returns itself


class SqliteWire(sqlite3.Connection):
    """A connection to a SQLite file in memory's own file system, which keeps the locks of real files."""

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
        """Close the connection, as the pool does where it keeps enough others: its process can lose it no more."""
        if self.process is not None and self in self.process.wires:
            self.process.wires.remove(self)
        super().close()

    def cut(self) -> None:
        """Lose the connection: what was not committed is undone, and nothing more is done."""
        self.is_cut = True
        super().rollback()

    def undo(self) -> None:
        """Undo what was not committed."""
        super().rollback()

    def failure(self) -> Exception:
        """Return what a failing statement raises."""
        return sqlite3.OperationalError("disk I/O error")

    serialization = failure

    def lose(self) -> Exception:
        """Lose what was not committed, and return what is raised then; a file stays there for the next try."""
        super().rollback()
        return self.failure()


def connect_sqlite(path: str) -> SqliteWire:
    """Connect to a SQLite file for the process whose turn it is."""
    wire = sqlite3.connect(path, factory=SqliteWire, timeout=15, check_same_thread=False)
    strand = World.here.current
    attach(strand.process if strand else None, wire)
    return wire
