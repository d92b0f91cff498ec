"""PostgreSQL and Redis of a run, as servers that can be ended in any way and started again on their ports."""

import contextlib
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import redis

from tests.chaos.roles import children, send
from tests.servers import Running, start_again, start_postgres, start_redis, stop

_OTHERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"

_AT_WORK = """
    SELECT activity.pid FROM pg_stat_activity AS activity JOIN pg_locks AS held ON held.pid = activity.pid
    WHERE activity.state = 'idle in transaction' AND activity.backend_xid IS NOT NULL
      AND held.relation = 'match'::regclass AND held.mode = 'RowExclusiveLock'
"""


@dataclass
class Server:
    """One of them; `wanted`: whether it is started again when it has ended by itself."""

    running: Running
    home: Path
    wanted: bool = True
    _next: float = 0.0

    @classmethod
    def postgres(cls, home: Path) -> "Server":
        """Start a PostgreSQL that keeps what was committed. Raises ServerMissing."""
        return cls(start_postgres(home, quick=False), home)

    @classmethod
    def redis(cls, home: Path) -> "Server":
        """Start a Redis that keeps nothing. Raises ServerMissing."""
        return cls(start_redis(home), home)

    @property
    def url(self) -> str:
        """Where it is reached."""
        return self.running.url

    def look_after(self) -> None:
        """Start it again, a second after it has ended, where it is wanted."""
        if not self.wanted or self.running.process.poll() is None:
            self._next = 0.0
        elif not self._next:
            self._next = time.monotonic() + 1.0
        elif time.monotonic() >= self._next:
            self.running, self._next = start_again(self.running, self.home), 0.0

    def crash(self, *, hard: bool) -> None:
        """End it at once, and keep it down: told to stop without writing anything, or (`hard`) killed with all its processes."""
        self.wanted = False
        below = children(self.running.process.pid)
        self.running.process.send_signal(signal.SIGKILL if hard else signal.SIGQUIT)
        for pid in below if hard else ():
            send(pid, signal.SIGKILL)
        self.running.process.wait(30)

    def start(self) -> None:
        """Have it run again."""
        self.wanted = True
        self.running = start_again(self.running, self.home)

    def end(self) -> None:
        """End it for good."""
        self.wanted = False
        stop(self.running)


def cut_connections(url: str) -> int:
    """End every connection to a PostgreSQL but this one; returns how many there were."""
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True, connect_timeout=5) as connection:
        return len(connection.execute(_OTHERS).fetchall())


@contextlib.contextmanager
def watching(url: str) -> Iterator[Callable[[], set[int]]]:
    """Give what tells which connections are in the middle of changing a match, and do not ask anything just now."""
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True, connect_timeout=5) as connection:
        yield lambda: {pid for (pid,) in connection.execute(_AT_WORK).fetchall()}


def switch_segment(url: str) -> None:
    """Have a PostgreSQL begin the next file of its log, which may not fit any more."""
    with contextlib.suppress(psycopg.Error), psycopg.connect(url.replace("+psycopg", ""), autocommit=True, connect_timeout=5) as connection:
        connection.execute("SELECT pg_switch_wal()")


def empty(url: str) -> None:
    """Empty a Redis."""
    with contextlib.suppress(redis.RedisError), redis.Redis.from_url(url, socket_timeout=3) as client:
        client.flushall()
