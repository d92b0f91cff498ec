"""PostgreSQL and Redis of a run, which can be crashed and restarted on their ports."""

import contextlib
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import redis

from tests.chaos.roles import child_pids, send_signal
from tests.servers import Running, start_again, start_postgres, start_redis, stop_server
from tests.waiting import wait_for_end

_OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND"
    " backend_type = 'client backend'"
)

_AT_WORK = """
    SELECT activity.pid FROM pg_stat_activity AS activity JOIN pg_locks AS held ON held.pid = activity.pid
    WHERE activity.state = 'idle in transaction' AND activity.backend_xid IS NOT NULL
      AND held.relation = 'match'::regclass AND held.mode = 'RowExclusiveLock'
"""


@dataclass
class Server:
    """A server; `wanted`: whether it is restarted if it ends by itself."""

    running: Running
    home: Path
    wanted: bool = True
    _next: float = 0.0

    @classmethod
    def postgres(cls, home: Path) -> "Server":
        """Start a durable PostgreSQL. Raises ServerMissing."""
        return cls(start_postgres(home, quick=False), home)

    @classmethod
    def redis(cls, home: Path) -> "Server":
        """Start a Redis without persistence. Raises ServerMissing."""
        return cls(start_redis(home), home)

    @property
    def url(self) -> str:
        """Its URL."""
        return self.running.url

    def look_after(self) -> None:
        """Restart it a second after it ended, if it is wanted."""
        if not self.wanted or self.running.process.poll() is None:
            self._next = 0.0
        elif not self._next:
            self._next = time.monotonic() + 1.0
        elif time.monotonic() >= self._next:
            self.running, self._next = start_again(self.running, self.home), 0.0

    def crash(self, *, hard: bool) -> None:
        """End it and keep it down: by an immediate shutdown, or (`hard`) by killing all its
        processes.
        """
        self.wanted = False
        below = child_pids(self.running.process.pid)
        self.running.process.send_signal(signal.SIGKILL if hard else signal.SIGQUIT)
        for pid in below if hard else ():
            send_signal(pid, signal.SIGKILL)
        wait_for_end(self.running.process)

    def start(self) -> None:
        """Start it again."""
        self.wanted = True
        self.running = start_again(self.running, self.home)

    def end(self) -> None:
        """End it without a restart."""
        self.wanted = False
        stop_server(self.running)


def cut_connections(url: str) -> int:
    """Terminate every other connection to a PostgreSQL; return how many there were."""
    with psycopg.connect(
        url.replace("+psycopg", ""), autocommit=True, connect_timeout=5
    ) as connection:
        return len(connection.execute(_OTHERS).fetchall())


@contextlib.contextmanager
def watch_lock_holders(url: str) -> Iterator[Callable[[], set[int]]]:
    """Yield a function that returns the pids of connections idle in a transaction that holds a
    match's lock.
    """
    with psycopg.connect(
        url.replace("+psycopg", ""), autocommit=True, connect_timeout=5
    ) as connection:
        yield lambda: {pid for (pid,) in connection.execute(_AT_WORK).fetchall()}


def switch_segment(url: str) -> None:
    """Have PostgreSQL switch to a new WAL segment, which may not fit on the disk."""
    with (
        contextlib.suppress(psycopg.Error),
        psycopg.connect(
            url.replace("+psycopg", ""), autocommit=True, connect_timeout=5
        ) as connection,
    ):
        connection.execute("SELECT pg_switch_wal()")


def flush_redis(url: str) -> None:
    """Empty a Redis."""
    with (
        contextlib.suppress(redis.RedisError),
        redis.Redis.from_url(url, socket_timeout=3) as client,
    ):
        client.flushall()
