"""Locks of PostgreSQL in a world: who has to wait for one stands in the world, never in libpq, and who goes on first is not left to chance.

All threads of a world are one thread of this process, so whoever blocked in the driver would never be freed. Each answer is therefore
awaited in short looks; when it does not come, the server is asked whether the connection waits for a lock. Only these two ends, answered or
waiting, have a meaning in the world: how long the server takes makes no difference.

The server would wake several that wait for one row at once, and they would race. So one at most waits in the server, as it would; any
other's statement is withdrawn, and sent again when one of those it waited for is done, which is no other than a statement sent later.
"""

import select
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Protocol

import psycopg
from psycopg.errors import DeadlockDetected
from psycopg.pq import TransactionStatus
from psycopg.pq.abc import PGconn

from tests.simulation.world import Strand, World

WAITED, DEADLOCK = "a lock was waited for", "a deadlock was broken"
_LOOK_MS = 5  # how long an answer is awaited before asking whether it waits for a lock
_EVENTS = {1: select.POLLIN, 2: select.POLLOUT, 3: select.POLLIN | select.POLLOUT}  # by what psycopg waits for


class Wire(Protocol):
    """A connection, as far as locks are concerned."""

    pgconn: PGconn


class Withdrawn(Exception):
    """A statement was taken back; it can be sent again when one of the connections with these numbers is done."""

    def __init__(self, blockers: frozenset[int]) -> None:
        super().__init__(blockers)
        self.blockers = blockers


class Exchange:
    """Something that was asked of the server: psycopg's steps to the answer, gone by whoever has the turn."""

    def __init__(self, locks: "Locks", wire: Wire, strand: Strand, steps: Generator[Any, Any, Any]) -> None:
        self.wire, self.strand, self.over = wire, strand, False
        self.fault: Exception | None = None
        self._locks, self._steps, self._value = locks, steps, None
        self._line = select.poll()
        self._step(0)

    def _step(self, ready: int) -> None:
        try:
            wants = self._steps.send(ready) if ready else next(self._steps)
            self._line.register(self.wire.pgconn.socket, _EVENTS[wants])
        except StopIteration as end:
            self.over, self._value = True, end.value
        except psycopg.Error as fault:
            self.over, self.fault = True, fault

    def go_on(self) -> frozenset[int]:
        """Go on until the answer is whole, or the server has the connection wait for locks of others: return their numbers."""
        while not self.over:
            happened = self._line.poll(_LOOK_MS)
            if happened:
                event = happened[0][1]
                self._step(2 * bool(event & select.POLLOUT) + bool(event & ~select.POLLOUT))
            elif blockers := self._locks.blockers(self.wire):
                return blockers
        return frozenset()

    def answer(self) -> Any:
        """Return what the server answered, or raise it."""
        if self.fault is not None:
            raise self.fault
        return self._value


@dataclass(frozen=True, eq=False)
class Aside:
    """A thread whose statement was withdrawn."""

    strand: Strand
    pid: int
    blockers: frozenset[int]


class Locks:
    """Who waits for whom. `eye` is a connection of nobody in the world, to ask the server with."""

    def __init__(self, eye: psycopg.Connection[Any]) -> None:
        self._eye = eye
        self.waiting: Exchange | None = None  # the one that waits in the server
        self._aside: list[Aside] = []  # the others, in the order in which they came

    def clear(self) -> None:
        """Forget everybody: the world that they were of is at its end."""
        self.waiting, self._aside = None, []

    def blockers(self, wire: Wire) -> frozenset[int]:
        """Return the numbers of the connections whose locks this one waits for."""
        row = self._eye.execute("SELECT pg_blocking_pids(%s)", [wire.pgconn.backend_pid]).fetchone()
        return frozenset(row[0] if row else ())

    def stand(self, exchange: Exchange, blockers: frozenset[int]) -> None:
        """Let the current thread stand until it has its lock; ends its statement where it waits for itself, or another waits already."""
        World.here.fire(WAITED)
        if self._is_circle(exchange, blockers):
            self._end(exchange)
        elif self.waiting is not None:
            self._cancel(exchange, Withdrawn(blockers))
        else:
            self.waiting = exchange
            while not exchange.over:
                World.here.park()

    def stand_aside(self, strand: Strand, pid: int, blockers: frozenset[int]) -> None:
        """Let the current thread stand until one of those it waited for is done."""
        aside = Aside(strand, pid, blockers)
        self._aside.append(aside)
        try:
            World.here.park()
        finally:
            self._aside = [each for each in self._aside if each is not aside]

    def forget(self, wire: Wire) -> None:
        """Await nothing more for a connection that is no more."""
        if self.waiting is not None and self.waiting.wire is wire:
            self.waiting = None

    def freed(self, pid: int) -> None:
        """Let those go on who waited for a connection that is done with its transaction; the others wait as before."""
        for aside in [each for each in self._aside if pid in each.blockers]:
            self._aside.remove(aside)
            World.here.wake(aside.strand)
        exchange = self.waiting
        if exchange is None:
            return
        blockers = self.blockers(exchange.wire) or exchange.go_on()
        if not exchange.over and self._is_circle(exchange, blockers):
            self._end(exchange)
        if exchange.over:
            self.waiting = None
            World.here.wake(exchange.strand)
            if exchange.wire.pgconn.transaction_status != TransactionStatus.INTRANS:
                self.freed(exchange.wire.pgconn.backend_pid)

    def _is_circle(self, exchange: Exchange, blockers: frozenset[int]) -> bool:
        """Whether a connection waits for itself through others."""
        edges = {each.pid: each.blockers for each in self._aside}
        if self.waiting is not None:
            edges[self.waiting.wire.pgconn.backend_pid] = self.blockers(self.waiting.wire)
        reached, following = set[int](), set(blockers)
        while following:
            reached |= following
            following = {pid for each in following for pid in edges.get(each, ())} - reached
        return exchange.wire.pgconn.backend_pid in reached

    def _end(self, exchange: Exchange) -> None:
        """Break a deadlock as the server itself would, but not after a real second."""
        World.here.fire(DEADLOCK)
        self._cancel(exchange, DeadlockDetected("deadlock detected"))

    def _cancel(self, exchange: Exchange, fault: Exception) -> None:
        self._eye.execute("SELECT pg_cancel_backend(%s)", [exchange.wire.pgconn.backend_pid])
        while not exchange.over:
            exchange.go_on()
        exchange.fault = fault
