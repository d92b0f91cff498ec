"""Drops requests whose client has disconnected before any work is done for them."""

import socket
from collections.abc import Callable, Iterable
from typing import Any

import structlog

_SAFE = frozenset({"GET", "HEAD"})
_STATUS = "499 Client Closed Request"  # as nginx logs it; no client reads it

log = structlog.get_logger()


class DropClosed:
    """WSGI middleware that drops GET and HEAD requests on a closed connection.

    A complete POST is always processed, also when its client has gone: the orders in it were meant.
    """

    def __init__(self, site: Callable[..., Iterable[bytes]]) -> None:
        self._site = site

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        connection = environ.get("gunicorn.socket")
        if (
            environ["REQUEST_METHOD"] in _SAFE
            and isinstance(connection, socket.socket)
            and is_closed(connection)
        ):
            log.debug("request.dropped")
            start_response(_STATUS, [("Content-Length", "0"), ("Connection", "close")])
            return []
        return self._site(environ, start_response)


def is_closed(connection: socket.socket) -> bool:
    """Whether the peer has closed a connection; does not consume data."""
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
