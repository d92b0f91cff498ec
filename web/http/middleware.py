"""WSGI middleware, before anything else is done with a request: notes when its last byte came, and
drops it if its client has disconnected.
"""

import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from io import BytesIO
from typing import Any

import structlog

from adjudicator.platform import clock
from adjudicator.platform.net import clients

_READ_AT_ONCE = 1024 * 1024  # largest body in bytes that is read before anything else
_SAFE = frozenset({"GET", "HEAD"})
_STATUS = "499 Client Closed Request"  # as nginx logs it; no client reads it

log = structlog.get_logger()


class ArrivalMiddleware:
    """WSGI middleware that notes when a request's last byte came, before anything else is done with
    it.

    The site's worker has read a request whole and noted that already, before a thread was free for
    it. No header of a proxy is believed.
    """

    def __init__(self, site: Callable[..., Iterable[bytes]]) -> None:
        self._site = site

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        _take_body(environ)
        environ.setdefault(clients.CAME, clock.monotonic())
        return self._site(environ, start_response)


def _take_body(environ: dict[str, Any]) -> None:
    """Read the body into memory. A disconnected client is left for the reader of the body to find;
    of unknown length there is none.
    """
    environ["wsgi.input_terminated"] = False
    length = environ.get("CONTENT_LENGTH") or "0"
    if not length.isdecimal() or not 0 < int(length) <= _READ_AT_ONCE:
        return
    body, given = b"", environ["wsgi.input"]
    with suppress(OSError):
        body = given.read(int(length))
    environ["wsgi.input"] = BytesIO(body)


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
