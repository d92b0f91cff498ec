"""PostgreSQL's locks in a world: threads wait for locks in the world, never in libpq, and their
order is deterministic.

All threads of a world share one OS thread, so a thread blocked in the driver would block all. Each
answer is therefore polled; if it does not come, the server is asked whether the connection waits
for a lock. Only these two results, answered or waiting, matter in the world: the server's speed
does not.

The server would wake several waiters for one row at once, and they would race. So at most one waits
in the server. Any other waiter's statement is withdrawn and sent again when a blocker is done,
which is equivalent to sending it later.
"""

import select
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import psycopg
from psycopg.errors import DeadlockDetected, LockNotAvailable
from psycopg.pq import TransactionStatus
from psycopg.pq.abc import PGconn

from tests.simulation.world import Strand, World

WAITED, DEADLOCK = "a lock was waited for", "a deadlock was broken"
_LOOK_MS = 5  # how long to poll for an answer before asking about locks
_AGAIN = 1.0  # seconds between looks at a blocker that itself waits
# by psycopg's wait state
_EVENTS = {1: select.POLLIN, 2: select.POLLOUT, 3: select.POLLIN | select.POLLOUT}


class ServerConnection(Protocol):
    """A connection, as far as locks are concerned."""

    pgconn: PGconn
    pid: int  # of its server process
    patience: float  # seconds that it waits for a lock; 0: for ever
    asked_at: float  # when the server last worked for it

    def lapse(self) -> float | None:
        """Have the server end it if it was idle in a transaction for too long; return the seconds
        until then, None if not applicable.
        """


class Withdrawn(Exception):
    """A statement was withdrawn; it is sent again when one of the blocking connections is done."""

    def __init__(self, blockers: frozenset[int]) -> None:
        super().__init__(blockers)
        self.blockers = blockers


class Exchange:
    """A request to the server: psycopg's steps to the answer, run by the current thread."""

    def __init__(
        self,
        locks: "Locks",
        connection: ServerConnection,
        strand: Strand,
        steps: Generator[Any, Any, Any],
    ) -> None:
        self.connection, self.strand, self.over = connection, strand, False
        self.fault: Exception | None = None
        self._locks, self._steps, self._value = locks, steps, None
        self._line = select.poll()
        self._step(0)

    def _step(self, ready: int) -> None:
        try:
            wants = self._steps.send(ready) if ready else next(self._steps)
            self._line.register(self.connection.pgconn.socket, _EVENTS[wants])
        except StopIteration as end:
            self.over, self._value = True, end.value
        except psycopg.Error as fault:
            self.over, self.fault = True, fault
        self.connection.asked_at = World.here.seconds

    def go_on(self) -> frozenset[int]:
        """Run until the answer is complete, or until the connection waits for locks: return the
        pids of the blockers.
        """
        while not self.over:
            happened = self._line.poll(_LOOK_MS)
            if happened:
                event = happened[0][1]
                self._step(2 * bool(event & select.POLLOUT) + bool(event & ~select.POLLOUT))
            elif blockers := self._locks.blockers(self.connection):
                return blockers
        return frozenset()

    def answer(self) -> Any:
        """Return the server's answer, or raise its error."""
        if self.fault is not None:
            raise self.fault
        return self._value


@dataclass(eq=False)
class Aside:
    """A thread whose statement was withdrawn."""

    strand: Strand
    connection: ServerConnection
    blockers: frozenset[int]
    late: bool = False  # it waited longer than its lock timeout


class Locks:
    """Who waits for whom. `monitor` is a connection outside the world that asks the server."""

    def __init__(
        self,
        monitor: psycopg.Connection[Any],
        connections: Callable[[], Iterable[ServerConnection]],
    ) -> None:
        self._monitor, self._connections = monitor, connections
        self.waiting: Exchange | None = None  # the one that waits in the server
        self._aside: list[Aside] = []  # the others, in their order

    def clear(self) -> None:
        """Forget everybody at the end of a world."""
        self.waiting, self._aside = None, []

    def blockers(self, connection: ServerConnection) -> frozenset[int]:
        """Return the pids of the connections that block this one."""
        row = self._monitor.execute("SELECT pg_blocking_pids(%s)", [connection.pid]).fetchone()
        return frozenset(row[0] if row else ())

    def stand(self, exchange: Exchange, blockers: frozenset[int]) -> None:
        """Block the current thread until it has its lock; cancel its statement on a deadlock, or if
        another waits in the server.
        """
        World.here.fire(WAITED)
        if self._is_circle(exchange, blockers):
            self._end(exchange)
        elif self.waiting is not None:
            self._cancel(exchange, Withdrawn(blockers))
        else:
            self.waiting = exchange
            self._watch(blockers)
            if exchange.connection.patience:
                World.here.at(exchange.connection.patience, self._lose_patience, exchange)
            while not exchange.over:
                World.here.park()

    def stand_aside(self, aside: Aside) -> None:
        """Block the current thread until one of its blockers is done. Raises LockNotAvailable."""
        self._aside.append(aside)
        self._watch(aside.blockers)
        if aside.connection.patience:
            World.here.at(aside.connection.patience, self._too_late, aside)
        try:
            World.here.park()
        finally:
            self._aside = [each for each in self._aside if each is not aside]
        if aside.late:
            raise _not_available()

    def _lose_patience(self, exchange: Exchange) -> None:
        """Cancel a statement after its lock timeout, as the server does even if its client is
        gone.
        """
        if self.waiting is exchange:
            self._cancel(exchange, _not_available())
            self._over(exchange)

    def _too_late(self, aside: Aside) -> None:
        if aside in self._aside:
            aside.late = True
            self._return(aside)

    def _return(self, aside: Aside) -> None:
        self._aside.remove(aside)
        aside.connection.asked_at = World.here.seconds
        World.here.wake(aside.strand)

    def _watch(self, blockers: frozenset[int]) -> None:
        """Have the server end blockers that are idle in a transaction for too long."""
        for connection in [each for each in self._connections() if each.pid in blockers]:
            seconds = _AGAIN if self._stands(connection) else connection.lapse()
            if seconds is not None:
                World.here.at(seconds, self._watch, blockers)

    def _stands(self, connection: ServerConnection) -> bool:
        """Whether a connection itself waits for a lock, so that it is not idle."""
        return any(
            each.connection is connection
            for each in (*self._aside, *([self.waiting] if self.waiting else ()))
        )

    def forget(self, connection: ServerConnection) -> None:
        """Remove a closed connection."""
        self._aside = [each for each in self._aside if each.connection is not connection]
        if self.waiting is not None and self.waiting.connection is connection:
            self.waiting = None

    def freed(self, pid: int) -> None:
        """Wake those who waited for a connection whose transaction is over; the others keep
        waiting.
        """
        for aside in [each for each in self._aside if pid in each.blockers]:
            self._return(aside)
        exchange = self.waiting
        if exchange is None:
            return
        blockers = self.blockers(exchange.connection) or exchange.go_on()
        if not exchange.over and self._is_circle(exchange, blockers):
            self._end(exchange)
        if exchange.over:
            self._over(exchange)
        else:
            self._watch(blockers)

    def _over(self, exchange: Exchange) -> None:
        """Wake the thread that waited in the server."""
        self.waiting = None
        World.here.wake(exchange.strand)
        if exchange.connection.pgconn.transaction_status != TransactionStatus.INTRANS:
            self.freed(exchange.connection.pid)

    def _is_circle(self, exchange: Exchange, blockers: frozenset[int]) -> bool:
        """Whether a connection waits for itself through others."""
        edges = {each.connection.pid: each.blockers for each in self._aside}
        if self.waiting is not None:
            edges[self.waiting.connection.pid] = self.blockers(self.waiting.connection)
        reached, following = set[int](), set(blockers)
        while following:
            reached |= following
            following = {pid for each in following for pid in edges.get(each, ())} - reached
        return exchange.connection.pid in reached

    def _end(self, exchange: Exchange) -> None:
        """Break a deadlock as the server would, without waiting for its real second."""
        World.here.fire(DEADLOCK)
        self._cancel(exchange, DeadlockDetected("deadlock detected"))

    def _cancel(self, exchange: Exchange, fault: Exception) -> None:
        self._monitor.execute("SELECT pg_cancel_backend(%s)", [exchange.connection.pid])
        while not exchange.over:
            exchange.go_on()
        exchange.fault = fault


def _not_available() -> LockNotAvailable:
    return LockNotAvailable("canceling statement due to lock timeout")
