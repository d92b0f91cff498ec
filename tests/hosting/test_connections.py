"""Silent connections: those that browsers open ahead cost no thread, and a silent database server
is a passing fault.
"""

import socket
import struct
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from adjudicator.platform import db
from tests.hosting.service import run_service
from tests.waiting import LIMIT, wait_until

# connections, of which gunicorn alone gives each a thread for five seconds: with two threads, for
# longer than LIMIT
AHEAD = 60
ASK = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


def used(connection: socket.socket) -> bool:
    """Whether a request is answered."""
    with connection:
        connection.sendall(ASK)
        return connection.recv(12) == b"HTTP/1.1 200"


def used_later(where: tuple[str, int]) -> bool:
    """Whether a connection is answered that was silent while another one was; the site may have
    closed it for that, after 20 seconds.
    """
    ahead = socket.create_connection(where, timeout=LIMIT)
    assert used(socket.create_connection(where, timeout=LIMIT))
    with suppress(ConnectionError):
        return used(ahead)
    return False


@pytest.mark.nightly
def test_silent_connections_hold_nobody_up_and_print_nothing(tmp_path: Path) -> None:
    with run_service(tmp_path / "var", "serve", WEB_THREADS="2") as service:
        where = ("127.0.0.1", service.port)
        silent = [socket.create_connection(where) for _ in range(AHEAD)]
        assert used(socket.create_connection(where, timeout=LIMIT))
        for each in silent[::4]:
            each.close()
        for each in silent[1::4]:
            # a reset instead of a close
            each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            each.close()
        wait_until(lambda: used_later(where), "a connection to be used that was opened ahead")
        assert service.stop() == 0
        assert (
            "Traceback" not in service.said
            and "SIGKILL" not in service.said
            and "Exception" not in service.said
        )
        for each in silent:
            each.close()


@pytest.mark.parametrize(("default", "asked"), [(2, ""), (600, "?connect_timeout=2")])
def test_a_postgres_that_accepts_and_says_nothing_is_given_up(
    monkeypatch: pytest.MonkeyPatch, default: int, asked: str
) -> None:
    monkeypatch.setattr(db, "CONNECT_SECONDS", default)
    with ThreadPoolExecutor() as pool, socket.create_server(("127.0.0.1", 0)) as silent:
        database = db.Database(
            f"postgresql+psycopg://sealed@127.0.0.1:{silent.getsockname()[1]}/sealed{asked}"
        )
        # the driver's own limit is 130 s
        fault = pool.submit(database.now).exception(timeout=LIMIT)
    assert isinstance(fault, db.PASSING) and "timeout" in str(fault)
