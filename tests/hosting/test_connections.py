"""Connections that browsers open ahead and say nothing on: they hold nobody up, print nothing, and are let go at a stop."""

import socket
import struct
from pathlib import Path

from tests.hosting.service import running

AHEAD = 40  # connections; more than the site has threads
ASK = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_silent_connections_hold_nobody_up_and_print_nothing(tmp_path: Path) -> None:
    with running(tmp_path / "var", "serve", WEB_THREADS="2") as service:
        where = ("127.0.0.1", service.port)
        silent = [socket.create_connection(where) for _ in range(AHEAD)]
        with socket.create_connection(where, timeout=4) as asking:  # gunicorn alone gives each silent one a thread for five seconds
            asking.sendall(ASK)
            assert asking.recv(12) == b"HTTP/1.1 200"
        for each in silent[::4]:
            each.close()
        for each in silent[1::4]:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset instead of a farewell
            each.close()
        silent[2].settimeout(4)
        silent[2].sendall(ASK)  # one that was opened ahead is used after all
        assert silent[2].recv(12) == b"HTTP/1.1 200"
        assert service.stop() == 0
        assert "Traceback" not in service.said and "SIGKILL" not in service.said and "Exception" not in service.said
        for each in silent:
            each.close()
