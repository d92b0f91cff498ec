"""An inbox that turns everybody away."""

import socket
from collections.abc import Callable

from adjudicator.platform.config import Settings


def run_server(_settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Run until SIGTERM."""
    ready()
    listener.setblocking(True)
    while True:
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"421 nobody is at home\r\n")
