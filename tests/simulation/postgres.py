"""Worlds on PostgreSQL: its connections as the world sees them, used from world to world, and the database, emptied between them."""

import os
import socket
from collections.abc import Callable, Generator
from typing import Any, ClassVar

import psycopg
from psycopg import errors, sql
from psycopg.pq import TransactionStatus
from psycopg.pq.abc import PGconn
from sqlalchemy import event

from adjudicator import db
from tests.simulation.locks import Exchange, Locks, Withdrawn
from tests.simulation.wires import attach, before_statement, committing
from tests.simulation.world import Killed, Process, Strand, World

_HANG_UP_SECONDS = 10
_PING = ";"  # what SQLAlchemy's pool asks before it gives a connection away
# Nothing here outlives a crash of the machine; plans and the order of rows must not hang on statistics or on other processes.
_UNHURRIED = "-c lock_timeout=0 -c idle_in_transaction_session_timeout=0"  # who waits for how long is the world's, not the server's clock's
_OPTIONS = f"{_UNHURRIED} -c synchronous_commit=off -c jit=off -c max_parallel_workers_per_gather=0"


class Server:
    """The database that worlds are played in, and its connections."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._address = url.replace("+psycopg", "")
        self.spare: list[PGconn] = []  # connections to be used again: making one takes as long as a hundred statements
        self.wires: list[PostgresWire] = []  # that were opened since all was cleared

    def open(self) -> None:
        """Bring the database to the newest tables, and have no background process change how they are read."""
        db.migrate(self.url)
        self._eye = psycopg.connect(self._address, autocommit=True, options=_OPTIONS)
        self.locks = Locks(self._eye)
        with psycopg.connect(self._address) as gone:
            self.nothing = gone.pgconn  # stands in for a connection that is no more
        listed = self._eye.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'alembic_version'")
        self._tables = sorted(name for (name,) in listed)
        for table in self._tables:
            self._eye.execute(sql.SQL("ALTER TABLE {} SET (autovacuum_enabled = off)").format(sql.Identifier(table)))

    def close(self) -> None:
        """Hang up."""
        for spare in self.spare:
            spare.finish()
        self._eye.close()

    def clear(self) -> None:
        """Empty all tables, and begin their numbers anew; quicker for tables that are empty already."""
        for wire in self.wires:
            wire.close()
        self.wires = []
        self.locks.clear()
        any_row = sql.SQL(" UNION ALL ").join(
            sql.SQL("SELECT {} WHERE EXISTS (SELECT FROM {})").format(name, sql.Identifier(name)) for name in self._tables
        )
        filled = [sql.Identifier(name) for (name,) in self._eye.execute(any_row)]
        if filled:
            self._eye.execute(sql.SQL("TRUNCATE {} RESTART IDENTITY CASCADE").format(sql.SQL(", ").join(filled)))

    def connect(self, _dialect: object, _record: object, words: Any, named: dict[str, Any]) -> "PostgresWire":
        """Connect for the process whose turn it is; SQLAlchemy asks for it."""
        strand = World.here.current if hasattr(World, "here") else None
        if strand is not None and strand.process.dead:
            raise Killed
        return self._connect(strand.process if strand else None, words, named)

    def look(self, database: db.Database) -> None:
        """Have whoever looks on connect through wires of no process, which are no points and are used again as well."""
        event.listen(database.engine, "do_connect", lambda _dialect, _record, words, named: self._connect(None, words, named))

    def _connect(self, process: Process | None, words: Any, named: dict[str, Any]) -> "PostgresWire":
        options = f"{named.pop('options', '')} {_OPTIONS}"
        # Statements are never prepared, so that none is planned differently for having been asked before.
        PostgresWire.server = self
        wire = PostgresWire.connect(*words, **named, options=options, prepare_threshold=None, cursor_factory=PostgresCursor)
        attach(process, wire)
        self.wires.append(wire)
        return wire

    def hang_up(self, wire: "PostgresWire") -> None:
        """End a connection in the middle of a statement, and wait until the server's side is gone and its locks with it."""
        with socket.socket(fileno=os.dup(wire.pgconn.socket)) as line:
            self._eye.execute("SELECT pg_terminate_backend(%s)", [wire.pgconn.backend_pid])
            wire.pgconn.finish()
            line.settimeout(_HANG_UP_SECONDS)
            try:
                while line.recv(4096):
                    pass
            except ConnectionResetError:
                return


class PostgresCursor(psycopg.Cursor[Any]):
    """A cursor whose statements are points."""

    connection: "PostgresWire"

    def execute(self, query: Any, *args: Any, **kwargs: Any) -> "PostgresCursor":
        if query == _PING:  # only the world loses connections, so the server need not be asked
            return super().execute(query) if self.connection.closed else self
        before_statement(self.connection, query)
        send = super().execute
        self.connection.insist(lambda: send(query, *args, **kwargs))
        return self

    def executemany(self, query: Any, *args: Any, **kwargs: Any) -> None:
        before_statement(self.connection, query)
        send = super().executemany
        self.connection.insist(lambda: send(query, *args, **kwargs))


class PostgresWire(psycopg.Connection[Any]):
    """A connection to a PostgreSQL server."""

    process: Process | None = None
    wrote = False
    is_cut = False
    server: ClassVar[Server]

    @classmethod
    def _connect_gen(cls, conninfo: str = "") -> Generator[Any, Any, "PostgresWire"]:
        if cls.server.spare:
            return cls(cls.server.spare.pop())
        return (yield from super()._connect_gen(conninfo))

    @property
    def _strand(self) -> Strand | None:
        """Whose turn it is; None for whoever looks on from outside: there is no lock for them to wait for."""
        return World.here.current if self.process is not None else None

    def wait(self, gen: Generator[Any, Any, Any], interval: float = 0.1, timeout: float | None = None) -> Any:
        """Await an answer, as psycopg does here for all that it asks; a thread that has to wait for a lock stands in the world."""
        strand, locks = self._strand, self.server.locks
        if strand is None:
            return super().wait(gen, interval, timeout)
        exchange = Exchange(locks, self, strand, gen)
        if blockers := exchange.go_on():
            self._stand(exchange, blockers)
        if not isinstance(exchange.fault, Withdrawn):
            self._freed()
        return exchange.answer()

    def _stand(self, exchange: Exchange, blockers: frozenset[int]) -> None:
        try:
            self.server.locks.stand(exchange, blockers)
        except BaseException:  # killed: nobody would hear the answer
            self._let_go()
            raise

    def _freed(self) -> None:
        if self.pgconn.transaction_status != TransactionStatus.INTRANS:
            self.server.locks.freed(self.pgconn.backend_pid)

    def insist(self, send: Callable[[], Any]) -> None:
        """Send a statement, as often as it is withdrawn."""
        while True:
            saved = self._save()
            try:
                send()
            except Withdrawn as withdrawn:
                self.pgconn.exec_(b"ROLLBACK TO world; RELEASE world" if saved else b"ROLLBACK")
                assert self._strand is not None, "only a thread waits"
                self.server.locks.stand_aside(self._strand, self.pgconn.backend_pid, withdrawn.blockers)
            else:
                if saved:
                    self.pgconn.exec_(b"RELEASE world")
                return

    def _save(self) -> bool:
        """Where a statement may be withdrawn, which ends its transaction, let the transaction be kept up to here."""
        needed = self._strand and self.server.locks.waiting and self.pgconn.transaction_status == TransactionStatus.INTRANS
        if needed:
            self.pgconn.exec_(b"SAVEPOINT world")
        return bool(needed)

    def commit(self) -> None:
        committing(self, super().commit)

    def rollback(self) -> None:
        self.wrote = False
        if not self.is_cut:
            super().rollback()

    def close(self) -> None:
        self._let_go()
        super().close()

    def cut(self) -> None:
        """Lose the connection: what was not committed is undone, and nothing more is done."""
        self.is_cut = True
        self._let_go()

    def undo(self) -> None:
        """Have the server undo what was not committed; it does nothing more in this transaction."""
        if self.pgconn.transaction_status == TransactionStatus.INTRANS:
            self.pgconn.exec_(b"SELECT 1 / 0")
            self._freed()

    def broken(self) -> Exception:
        """Return what a failing statement raises; its transaction is at its end."""
        self.undo()
        return errors.IoError("could not read block 0 in file")

    def serialization(self) -> Exception:
        """Return what a transaction raises that was overtaken."""
        return errors.SerializationFailure("could not serialize access due to concurrent update")

    def lose(self) -> Exception:
        """Lose the connection, and return what is raised then."""
        self._let_go()
        return psycopg.OperationalError("server closed the connection unexpectedly")

    def _let_go(self) -> None:
        """Let the server undo what was not committed, and its locks go, before anybody goes on; another wire may use the connection."""
        if self.closed:
            return
        self.server.locks.forget(self)
        pid, status = self.pgconn.backend_pid, self.pgconn.transaction_status
        if status == TransactionStatus.ACTIVE or self.pgconn.pipeline_status:
            self.server.hang_up(self)
        else:
            if status != TransactionStatus.IDLE:
                self.pgconn.exec_(b"ROLLBACK")
            self.pgconn.exec_(b"DISCARD ALL")
            self.server.spare.append(self.pgconn)
        self.pgconn = self.server.nothing
        self.server.locks.freed(pid)
