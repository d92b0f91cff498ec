"""A live stream that listens and tells nothing."""

import signal
import socket
from collections.abc import Callable

from adjudicator.platform.config import Settings


def run_server(_settings: Settings, _listener: socket.socket, ready: Callable[[], None]) -> None:
    """Run until SIGTERM."""
    ready()
    signal.pause()
