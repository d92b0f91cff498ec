"""A simulated PostgreSQL connection: its statements are points, and a thread that waits for a lock
waits in the world.
"""

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, ClassVar

import psycopg
from psycopg import errors
from psycopg.pq import TransactionStatus

from tests.simulation.db_points import before_statement, committing
from tests.simulation.locks import Aside, Exchange, Withdrawn
from tests.simulation.world import Process, Strand, World

if TYPE_CHECKING:  # it makes these connections
    from tests.simulation.postgres import Server

ENDED = "a transaction left alone was ended"
_PING = ";"  # SQLAlchemy's pool sends it before it hands out a connection


class PostgresCursor(psycopg.RawCursor[Any]):
    """A cursor whose statements are points."""

    connection: "PostgresConnection"

    def execute(self, query: Any, *args: Any, **kwargs: Any) -> "PostgresCursor":
        if query == _PING:  # only the world loses connections, so the server need not be asked
            return super().execute(query) if self.connection.closed else self
        before_statement(self.connection, query)
        send = super().execute

        def insist() -> None:
            self.connection.insist(lambda: send(query, *args, **kwargs))

        if self.connection.autocommit and self.connection.wrote:  # a transaction by itself
            committing(self.connection, insist)
        else:
            insist()
        return self

    def executemany(self, query: Any, *args: Any, **kwargs: Any) -> None:
        before_statement(self.connection, query)
        send = super().executemany
        self.connection.insist(lambda: send(query, *args, **kwargs))


class PostgresConnection(psycopg.Connection[Any]):
    """A connection to a PostgreSQL server."""

    process: Process | None = None
    wrote = False
    is_cut = False
    lapsed = False  # whether the server ended it because it was idle in a transaction
    pid = 0
    patience = left_alone = asked_at = 0.0
    server: "ClassVar[Server]"

    @classmethod
    def _connect_gen(cls, conninfo: str = "") -> Generator[Any, Any, "PostgresConnection"]:
        if cls.server.spare:
            return cls(cls.server.spare.pop())
        return (yield from super()._connect_gen(conninfo))

    @property
    def _strand(self) -> Strand | None:
        """The running thread; None for the observer, who never waits for a lock."""
        return World.here.current if self.process is not None else None

    def wait(
        self, gen: Generator[Any, Any, Any], interval: float = 0.1, timeout: float | None = None
    ) -> Any:
        """Wait for an answer, which psycopg does here for every request; a thread that needs a lock
        waits in the world.
        """
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
        except BaseException:  # killed: nobody would receive the answer
            self._let_go()
            raise

    def _freed(self) -> None:
        if self.pgconn.transaction_status != TransactionStatus.INTRANS:
            self.server.locks.freed(self.pid)

    def insist(self, send: Callable[[], Any]) -> None:
        """Send a statement, again each time it is withdrawn."""
        self.lapse()
        while True:
            if self.closed:  # an older cursor does not notice that
                raise self._ended()
            saved = self._save()
            try:
                send()
            except Withdrawn as withdrawn:
                self.pgconn.exec_(b"ROLLBACK TO world; RELEASE world" if saved else b"ROLLBACK")
                self._stand_aside(withdrawn.blockers)
            else:
                if saved:
                    self.pgconn.exec_(b"RELEASE world")
                return

    def _stand_aside(self, blockers: frozenset[int]) -> None:
        assert self._strand is not None, "only a thread waits"
        try:
            self.server.locks.stand_aside(Aside(self._strand, self, blockers))
        except errors.LockNotAvailable:
            self.undo()
            raise

    def lapse(self) -> float | None:
        """Have the server end it if it was idle in a transaction for too long; return the seconds
        until then, None if not applicable.
        """
        if (
            not self.left_alone
            or self.closed
            or self.pgconn.transaction_status == TransactionStatus.IDLE
        ):
            return None
        left = self.asked_at + self.left_alone - World.here.seconds
        if left > 0:
            return left
        World.here.fire(ENDED)
        self.lapsed = True
        self._let_go()
        return None

    def _ended(self) -> Exception:
        said = "terminating connection due to idle-in-transaction timeout"
        return errors.IdleInTransactionSessionTimeout(said) if self.lapsed else _closed()

    def _save(self) -> bool:
        """Set a savepoint if a statement may be withdrawn, because that aborts its transaction."""
        needed = (
            self._strand
            and self.server.locks.waiting
            and self.pgconn.transaction_status == TransactionStatus.INTRANS
        )
        if needed:
            self.pgconn.exec_(b"SAVEPOINT world")
        return bool(needed)

    def commit(self) -> None:
        if not self.autocommit:
            committing(self, self._commit)

    def _commit(self) -> None:
        if self._strand is not None:
            self.lapse()
        if self.lapsed:
            raise self._ended()
        super().commit()

    def rollback(self) -> None:
        self.wrote = False
        if not self.is_cut:
            super().rollback()

    def close(self) -> None:
        self._let_go()
        super().close()

    def cut(self) -> None:
        """Lose the connection: uncommitted changes are rolled back, and it does nothing more."""
        self.is_cut = True
        self._let_go()

    def undo(self) -> None:
        """Have the server abort the transaction."""
        if self.pgconn.transaction_status == TransactionStatus.INTRANS:
            self.pgconn.exec_(b"SELECT 1 / 0")
            self._freed()

    def failure(self) -> Exception:
        """Return the error of a failing statement; its transaction is aborted."""
        self.undo()
        return errors.IoError("could not read block 0 in file")

    def serialization(self) -> Exception:
        """Return the error of a transaction with a serialization conflict."""
        return errors.SerializationFailure("could not serialize access due to concurrent update")

    def lose(self) -> Exception:
        """Lose the connection, and return the error."""
        self._let_go()
        return _closed()

    def _let_go(self) -> None:
        """Have the server roll back and release its locks before any other thread runs; the server
        connection may be reused.
        """
        if self.closed:
            return
        self.server.locks.forget(self)
        status = self.pgconn.transaction_status
        if status == TransactionStatus.ACTIVE or self.pgconn.pipeline_status:
            self.server.hang_up(self)
        else:
            if status != TransactionStatus.IDLE:
                self.pgconn.exec_(b"ROLLBACK")
            self.pgconn.exec_(b"DISCARD ALL")
            self.server.spare.append(self.pgconn)
        self.pgconn = self.server.nothing
        self.server.locks.freed(self.pid)


def _closed() -> Exception:
    return psycopg.OperationalError("server closed the connection unexpectedly")
