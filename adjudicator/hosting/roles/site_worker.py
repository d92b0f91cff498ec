"""gunicorn's threaded worker, in which no thread ever waits for a client.

1. One loop reads the requests of all connections. A request that is whole is given its arrival,
   then waits for a thread.
2. A thread answers it. What the client does not take at once is kept.
3. The loop sends the rest, and waits for the connection's next request or for the client to close
   it.
"""

import socket
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ, EVENT_WRITE
from typing import Any

from gunicorn import http
from gunicorn.workers.gthread import TConn, ThreadWorker

from adjudicator.hosting.roles.whole_requests import CONTINUE, RequestBuffer, RequestsInHand
from adjudicator.platform import clock
from adjudicator.platform.net.clients import CAME, MOST_BYTES
from adjudicator.service.phases.site_marks import Marker

MOST_CONNECTIONS = 500
# that a connection may stay open before its first request, since browsers open some ahead
SILENT_SECONDS = 20.0
REQUEST_SECONDS = 60.0  # from a request's first byte to its last
SEND_SECONDS = 300.0  # for what a client did not take at once
# for a client to close a connection after its last answer; and for connections that wait as the
# site stops
LAST_SECONDS = 2.0
SMALL = 64 * 1024  # bytes of a request that every connection may hold
# bytes of larger requests, and of answers that wait to be sent, over all connections
MOST_HELD = 32 * 1024 * 1024
_CHUNK = 64 * 1024
_TOO_SLOW, _TOO_MANY = "408 Request Timeout", "503 Service Unavailable"
_SAID = {
    _TOO_SLOW: "The request took too long to come. Nothing was changed; send it once more.",
    _TOO_MANY: (
        "Many large requests are coming in at once. Nothing was changed; try again in a moment."
    ),
}
_REFUSED = "This request cannot be taken as it was sent. Nothing was changed."


class ClientSocket(socket.socket):
    """A client's connection, never waited for: `unsent` is what the client has not taken yet."""

    def __init__(self, client: socket.socket) -> None:
        """Take over a connection that was accepted."""
        super().__init__(fileno=client.detach())
        self.unsent = bytearray()

    def setblocking(self, _flag: bool) -> None:
        """Stay non-blocking, whatever a thread asks for."""
        super().setblocking(False)

    def sendall(self, data: Any, _flags: int = 0) -> None:
        """Send what the client takes at once; keep the rest."""
        waits = bool(self.unsent)
        self.unsent += data
        if not waits:
            self.send_more()

    def send_more(self) -> None:
        """Send what the client takes of the rest. Raises OSError where it is gone."""
        with suppress(BlockingIOError):
            del self.unsent[: self.send(self.unsent)]


class SiteConnection(TConn):  # type: ignore[misc]  # gunicorn has no types
    """A client's connection, between two steps of its requests."""

    def __init__(self, config: Any, sock: ClientSocket, peer: Any, server: Any) -> None:
        super().__init__(config, sock, peer, server)
        self.parser = http.get_parser(config, sock, peer)
        self.initialized = True
        self.buffer = RequestBuffer(config, peer, MOST_BYTES)
        # the arrival of the request that a thread has; None: it is no whole one
        self.came_at: float | None = None
        self.keeps = False  # whether another request may follow
        self.discarded = 0  # bytes that came after the last answer

    @property
    def is_unused(self) -> bool:
        """Whether nothing has come yet."""
        return self.parser.req_count == 0 and not self.buffer.received


class SiteWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """The site's worker; `in_hand` is what a closing waits for."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.cfg.set("sendfile", False)
        self.in_hand = RequestsInHand()
        # which tells closings how far `in_hand` has been answered
        self.marker: Marker | None = None
        # those that no thread has, the longest waiting first
        self._waiting: dict[SiteConnection, None] = {}
        self._this = threading.local()  # the arrival of the request that a thread answers
        self._stops_at: float | None = None

    # --- threads

    def load_wsgi(self) -> None:
        """Load the site, and hand it the arrival of each request."""
        super().load_wsgi()
        self.wsgi: Any = partial(self._with_arrival, self.wsgi)

    def _with_arrival(
        self, site: Callable[..., Iterable[bytes]], environ: dict[str, Any], start_response: Any
    ) -> Iterable[bytes]:
        if self._this.came_at is not None:
            environ[CAME] = self._this.came_at
        return site(environ, start_response)

    def handle(self, conn: SiteConnection) -> Any:
        """Answer a request in a thread; returns whether another may follow."""
        self._this.came_at = conn.came_at
        try:
            return super().handle(conn)
        finally:
            self.in_hand.done(conn)

    def _keepalive_after(self, conn: SiteConnection, keepalive: bool) -> bool:
        # a request that is not whole has no next one
        return conn.came_at is not None and bool(super()._keepalive_after(conn, keepalive))

    # --- the loop: accept, read, hand over

    def accept(self, listener: socket.socket) -> None:
        """Accept a connection, and wait for its first request."""
        try:
            client, address = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        except OSError:  # there are no more files to open
            self._make_room()
            return
        self.nr_conns += 1
        conn = SiteConnection(self.cfg, ClientSocket(client), address, listener.getsockname())
        self._wait(conn, self._receive, SILENT_SECONDS)

    def _wait(
        self,
        conn: SiteConnection,
        then: Callable[[SiteConnection], None],
        seconds: float,
        event: int = EVENT_READ,
    ) -> None:
        conn.timeout = clock.monotonic() + seconds
        self._waiting[conn] = None
        self.poller.register(conn.sock, event, partial(self._go_on, conn, then))

    def _go_on(
        self, conn: SiteConnection, then: Callable[[SiteConnection], None], _sock: Any
    ) -> None:
        if conn in self._waiting:  # it may have been dropped in this very turn of the loop
            then(conn)

    def _end_wait(self, conn: SiteConnection) -> None:
        if conn in self._waiting:
            del self._waiting[conn]
            self.poller.unregister(conn.sock)

    def _receive(self, conn: SiteConnection) -> None:
        data = self._read(conn)
        if data is None:
            return
        if not conn.buffer.received:
            conn.timeout = clock.monotonic() + REQUEST_SECONDS
        conn.buffer.received += data
        self._look(conn)

    def _read(self, conn: SiteConnection) -> bytes | None:
        """Return what has come, None if nothing has; a connection that has ended is dropped."""
        try:
            data: bytes = conn.sock.recv(_CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            data = b""
        if not data:
            self._drop(conn)
        return data or None

    def _look(self, conn: SiteConnection) -> None:
        """Hand a request that is whole to the threads, refuse one that cannot be taken, or wait for
        more of it.
        """
        found = conn.buffer.look()
        if found is None and len(conn.buffer.received) > SMALL and self._held() > MOST_HELD:
            found = _TOO_MANY
        if found is None:
            if conn.buffer.awaits_continue:
                conn.buffer.awaits_continue = False
                conn.sock.sendall(CONTINUE)
            return
        self._end_wait(conn)
        if isinstance(found, str):
            self._refuse(conn, found)
            return
        conn.came_at = (
            None
            if found.broken
            else self.in_hand.take(conn)
            if found.awaited
            else clock.monotonic()
        )
        conn.parser.unreader.unread(conn.buffer.take())
        self.enqueue_req(conn)

    def _held(self) -> int:
        return sum(len(each.buffer.received) + len(each.sock.unsent) for each in self._waiting)

    # --- the loop: after an answer

    def finish_request(self, conn: SiteConnection, answered: Future[Any]) -> None:
        """Send the rest of an answer that a thread has made."""
        self.in_hand.done(conn)
        conn.keeps = (
            not answered.cancelled() and answered.exception() is None and bool(answered.result())
        )
        self._send_rest(conn)

    def _refuse(self, conn: SiteConnection, status: str) -> None:
        """Answer in the thread's place, and close the connection."""
        body = f"{_SAID.get(status, _REFUSED)}\n"
        head = (
            f"HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length:"
            f" {len(body)}\r\n\r\n"
        )
        conn.keeps = False
        with suppress(OSError):
            conn.sock.sendall((head + body).encode())
        self._send_rest(conn)

    def _send_rest(self, conn: SiteConnection) -> None:
        if conn.sock.fileno() < 0 or (
            conn.sock.unsent and self._held() + len(conn.sock.unsent) > MOST_HELD
        ):
            self._drop(conn)
        elif conn.sock.unsent:
            self._wait(conn, self._send_more, SEND_SECONDS, EVENT_WRITE)
        elif conn.keeps:
            self._begin_again(conn)
        else:
            self._wait_for_close(conn)

    def _send_more(self, conn: SiteConnection) -> None:
        try:
            conn.sock.send_more()
        except OSError:
            self._drop(conn)
            return
        if not conn.sock.unsent:
            self._end_wait(conn)
            self._send_rest(conn)

    def _begin_again(self, conn: SiteConnection) -> None:
        """Wait for the next request; what came with the one before belongs to it."""
        conn.buffer.received += conn.parser.unreader.take_buffered()
        self._wait(
            conn,
            self._receive,
            REQUEST_SECONDS if conn.buffer.received else float(self.cfg.keepalive),
        )
        if conn.buffer.received:
            self._look(conn)

    def _wait_for_close(self, conn: SiteConnection) -> None:
        """Let the client close first (RFC 9112 9.6): to close on data that was not read would cut
        off the answer.
        """
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self._drop(conn)
            return
        self._wait(conn, self._discard, LAST_SECONDS)

    def _discard(self, conn: SiteConnection) -> None:
        conn.discarded += len(self._read(conn) or b"")
        if conn.discarded > SMALL:
            self._drop(conn)

    # --- the loop: connections that end

    def _drop(self, conn: SiteConnection) -> None:
        self._end_wait(conn)
        self.nr_conns -= 1
        conn.close()

    def _make_room(self) -> None:
        """Drop the connection that has waited longest, since there are too many."""
        if self._waiting:
            self._drop(next(iter(self._waiting)))

    def murder_pending(self) -> None:
        """End what has waited for too long: in each turn of the loop."""
        now = clock.monotonic()
        if not self.alive:
            self._hurry(now)
        for conn in [each for each in self._waiting if each.timeout <= now]:
            if conn.buffer.received:
                self._end_wait(conn)
                self._refuse(conn, _TOO_SLOW)
            else:
                self._drop(conn)
        if self.nr_conns >= self.worker_connections:
            self._make_room()

    def _hurry(self, now: float) -> None:
        """Give connections LAST_SECONDS as the site stops: a request may be on its way. Those that
        were never used end at once.
        """
        self._stops_at = self._stops_at or now + LAST_SECONDS
        for conn in self._waiting:
            conn.timeout = now if conn.is_unused else min(conn.timeout, self._stops_at)
