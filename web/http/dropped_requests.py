"""Requests whose sender is gone are dropped before work is done for them: on a busy site they waited in vain already."""

import socket
from collections.abc import Callable, Iterable
from typing import Any

import structlog

_SAFE = frozenset({"GET", "HEAD"})
_STATUS = "499 Client Closed Request"  # nginx's number for it; nobody reads it

log = structlog.get_logger()


class DropClosed:
    """WSGI around the site: reads are dropped where the connection was closed meanwhile.

    What somebody sent is carried out, whether they wait for the answer or not: orders that arrived whole were meant.
    """

    def __init__(self, site: Callable[..., Iterable[bytes]]) -> None:
        self._site = site

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        connection = environ.get("gunicorn.socket")
        if environ["REQUEST_METHOD"] in _SAFE and isinstance(connection, socket.socket) and is_closed(connection):
            log.debug("request.dropped")
            start_response(_STATUS, [("Content-Length", "0"), ("Connection", "close")])
            return []
        return self._site(environ, start_response)


def is_closed(connection: socket.socket) -> bool:
    """Whether the other side has closed a connection; what it sent on it stays to be read."""
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
