"""Letters stored per second by the inbox over real sockets, each committed before it is
acknowledged. Prints; asserts nothing.
"""

import os
import smtplib
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from adjudicator.platform import db
from tests.harness import Harness
from tests.servers import start_postgres, stop_server

ROOT = Path(__file__).parent.parent
LETTERS = 600
MATCHES = 40  # each with three seats: letters to one match are serialized
LETTER = (
    b"From: Alice <alice@example.org>\r\nSubject: Re: Round 1\r\nMessage-ID:"
    b" <%d@example.org>\r\n\r\nB3\r\n\r\n" + b"> You owe orders.\r\n" * 100
)
_PROGRAM = """
import socket, sys
from adjudicator.platform.config import current_settings
from adjudicator.hosting.logs import configure_logging
from worker.inbox import batch, server
configure_logging("WARNING", "inbox")
batch.BatchQueue.__init__.__kwdefaults__["most"] = int(sys.argv[2])
server.run_server(current_settings(), socket.socket(fileno=int(sys.argv[1])), lambda: print("ready", flush=True))
"""


def bench_inbox() -> None:
    """Letters of 2 kB to 120 seats: over one connection, one each, eight and fifty at once; with
    and without shared commits.
    """
    with tempfile.TemporaryDirectory() as name:
        url = f"sqlite:///{name}/bench.sqlite3"
        _measure("SQLite, every commit on disk", url)
        server = start_postgres(Path(name) / "postgres", quick=False)
        try:
            _measure("PostgreSQL, every commit on disk", server.url)
        finally:
            stop_server(server)


def _measure(title: str, url: str) -> None:
    db.migrate(url)
    to = _addresses(url)
    for most in (100, 1):
        with _running(url, most) as (port, pid):
            for way, work in _WAYS.items():
                begin, used = time.perf_counter(), _cpu(pid)
                work(port, to)
                a_second, each = (
                    LETTERS / (time.perf_counter() - begin),
                    (_cpu(pid) - used) / LETTERS * 1000,
                )
                how = "sharing commits" if most > 1 else "a commit each"
                sys.stdout.write(
                    f"{title}, {how}, {way}: {a_second:.0f} letters/s, {each:.1f} ms of the inbox's"
                    " CPU each\n"
                )
                sys.stdout.flush()
                _read_all(url)


def _cpu(pid: int) -> float:
    """Return the CPU seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _addresses(url: str) -> list[str]:
    harness = Harness(url)
    uids = [harness.match("Alice", "Bob", "Charlie") for _ in range(MATCHES)]
    tokens = [harness.address_token(uid, place) for uid in uids for place in range(3)]
    harness.dispose()
    return [f"orders+{token}@localhost" for token in tokens]


def _read_all(url: str) -> None:
    """Mark all letters as read, so that no seat's queue is full."""
    database = db.Database(url)
    with database.write_tx() as session:
        session.connection().exec_driver_sql("UPDATE incoming SET disposition = 'empty'")
    database.engine.dispose()


@contextmanager
def _running(url: str, most: int) -> Iterator[tuple[int, int]]:
    with (
        tempfile.TemporaryDirectory() as folder,
        socket.create_server(("127.0.0.1", 0), backlog=128) as listener,
    ):
        port = listener.getsockname()[1]
        environ = os.environ | {
            "DATABASE_URL": url,
            "INBOX_URL": f"smtp://127.0.0.1:{port}",
            "DATA_DIR": folder,
            "REDIS_URL": "",
        }
        command = [sys.executable, "-c", _PROGRAM, str(listener.fileno()), str(most)]
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environ,
            pass_fds=[listener.fileno()],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            if process.stdout is not None:
                process.stdout.readline()
            yield port, process.pid
        finally:
            process.terminate()
            process.communicate(timeout=20)


def _send(client: smtplib.SMTP, to: list[str], number: int) -> None:
    client.sendmail("alice@example.org", [to[number % len(to)]], LETTER % number)


def _one_connection(port: int, to: list[str], numbers: range = range(LETTERS)) -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as client:
        for number in numbers:
            _send(client, to, number)


def _connection_each(port: int, to: list[str]) -> None:
    for number in range(LETTERS):
        with smtplib.SMTP("127.0.0.1", port, timeout=60) as client:
            _send(client, to, number)


def _at_once(count: int) -> Callable[[int, list[str]], None]:
    def work(port: int, to: list[str]) -> None:
        with ThreadPoolExecutor(count) as clients:
            list(
                clients.map(
                    lambda first: _one_connection(port, to, range(first, LETTERS, count)),
                    range(count),
                )
            )

    return work


_WAYS: dict[str, Callable[[int, list[str]], None]] = {
    "one connection": _one_connection,
    "a new connection each": _connection_each,
    "8 connections at once": _at_once(8),
    "50 connections at once": _at_once(50),
}
