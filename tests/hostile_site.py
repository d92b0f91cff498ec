"""A server on loopback that answers each request with whatever bytes a test wants, as slowly as it
wants.
"""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from tests.waiting import LIMIT

Pieces = Iterable[bytes | float]  # what is sent, and seconds of silence
# a request's path and all its bytes -> the whole response, with status line and headers
Answer = Callable[[str, bytes], Pieces]
_LONGEST = 120.0  # seconds of one answer; a guard against hanging


class HostileSite:
    """The server and what it was asked."""

    def __init__(self, answer: Answer) -> None:
        self.answer, self.asked, self.requests = answer, list[str](), list[bytes]()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._closed = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._closed.set()
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(
                    target=self._serve, args=(self._listener.accept()[0],), daemon=True
                ).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.settimeout(LIMIT)
            request = _read_request(connection)
            path = request.split(b" ", 2)[1].decode("latin-1") if request.count(b" ") > 1 else ""
            self.asked.append(path)
            self.requests.append(request)
            end = time.monotonic() + _LONGEST
            for piece in self.answer(path, request):
                if time.monotonic() > end or self._closed.is_set():
                    return
                if isinstance(piece, float):
                    self._closed.wait(piece)
                else:
                    connection.sendall(piece)


def _read_request(connection: socket.socket) -> bytes:
    request = b""
    while b"\r\n\r\n" not in request:
        more = connection.recv(65536)
        if not more:
            return request
        request += more
    head, _, body = request.partition(b"\r\n\r\n")
    length = next(
        (
            int(line.partition(b":")[2])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length:")
        ),
        0,
    )
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


def response(body: bytes, status: str = "200 OK", kind: str = "text/plain; charset=utf-8") -> bytes:
    """Return a whole response."""
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection:"
        " close\r\n\r\n"
    )
    return head.encode() + body


@contextmanager
def hostile_site(answer: Answer) -> Iterator[HostileSite]:
    """Yield a server that answers so."""
    site = HostileSite(answer)
    try:
        yield site
    finally:
        site.close()
