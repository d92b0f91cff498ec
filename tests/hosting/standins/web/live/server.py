"""A live stream that is well and tells nothing."""

import signal
import socket
from collections.abc import Callable
from threading import Thread

from werkzeug.serving import make_server

from adjudicator.platform.config import Settings


def run_server(_settings: Settings, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Answer health checks until SIGTERM."""
    server = make_server("127.0.0.1", 0, _well, threaded=True, fd=listener.fileno())
    signal.signal(signal.SIGTERM, lambda *_: Thread(target=server.shutdown).start())
    ready()
    server.serve_forever()


def _well(_environ: object, start_response: Callable[..., object]) -> list[bytes]:
    start_response("200 OK", [])
    return [b"{}"]
