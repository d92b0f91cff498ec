"""One connection of the live stream: a short HTTP/1.1 request, then events and signs of life until
either side ends it.

Hostile input is bounded: by size and time of the request, by connections that have sent none, by
what waits for a slow client.
"""

import asyncio
import hmac
import json
import socket
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address
from typing import cast

import structlog
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from adjudicator.platform import entropy
from adjudicator.platform.net.clients import FORWARDED, network_of, parse_address
from web.live.hub import Hub
from web.live.listeners import Listener, digest_steps
from web.live.request_head import END, RequestHead, parse_head
from web.live.tickets import Ticket, read_ticket

PATH = "/live"
# of which each client gets one: how long it waits before it connects again
RETRY_MS = range(2000, 8000)
_MOST_MORE = 1024  # bytes that a client may send after its request
_SILENT_OF_NETWORK = 20  # connections without a request, of one network
_UNACKNOWLEDGED_MS = 30_000  # after which the kernel gives up a peer
# any page may ask: without a ticket of the site it hears nothing, and no cookie is read
_STREAM = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nCache-Control:"
    b" no-store\r\nX-Accel-Buffering: no\r\nAccess-Control-Allow-Origin:"
    b" *\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
)
_SAID = {
    "expired": (
        HTTPStatus.FORBIDDEN,
        "This ticket is over, or no ticket of this site; load the page again.",
    ),
    "network": (HTTPStatus.TOO_MANY_REQUESTS, "Too many pages of this network listen already."),
    "listeners": (HTTPStatus.SERVICE_UNAVAILABLE, "Too many pages listen already."),
    "matches": (HTTPStatus.SERVICE_UNAVAILABLE, "Too many matches are listened for already."),
}

log = structlog.get_logger()


class Connection(asyncio.Protocol):
    """One client. It is counted as silent until its request is whole, as a listener once its ticket
    was accepted.
    """

    def __init__(self, hub: Hub, all_: "set[Connection]") -> None:
        self._hub, self._all = hub, all_
        self._loop = asyncio.get_running_loop()
        self._head = bytearray()
        self._more = 0
        self._silent_as: str | None = None  # the network under which it counts as silent
        self._listener: Listener | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._over_at = 0.0  # by the loop's clock
        self._behind = False  # whether something was unsent at the last sign of life

    # --- what asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Give the client some seconds to send its request; abort where too many are silent."""
        self._transport = cast(asyncio.Transport, transport)
        self._all.add(self)
        peer = network_of(self._peer())
        crowded = self._hub.silent[peer] >= _SILENT_OF_NETWORK and not self._hub.proxies
        if crowded or self._hub.silent.total() >= self._hub.limits.silent:
            self._drop("silent")
            return
        self._silent_as = peer
        self._hub.silent[peer] += 1
        with suppress(OSError, AttributeError):
            transport.get_extra_info("socket").setsockopt(
                socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNACKNOWLEDGED_MS
            )
        self._timer = self._loop.call_later(self._hub.limits.head_seconds, self._drop, "slow")

    def data_received(self, data: bytes) -> None:
        """Take the request; afterwards a client has nothing more to say."""
        if self._silent_as is None:
            self._more += len(data)
            if self._more > _MOST_MORE:
                self._drop("talk")
            return
        self._head += data
        end = self._head.find(END)
        if end > self._hub.limits.head_bytes or (
            end < 0 and len(self._head) > self._hub.limits.head_bytes
        ):
            self._answer(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, b"That request is too long.\n")
        elif end >= 0:
            head = parse_head(bytes(self._head[:end]))
            self._head = bytearray()
            self._end_silence()
            self._serve(head)

    def connection_lost(self, _exc: Exception | None) -> None:
        """Forget the client."""
        self._end_silence()
        self._all.discard(self)
        if self._listener is not None:
            self._hub.listeners.remove(self._listener)

    # --- answering

    def _serve(self, head: RequestHead | None) -> None:
        if head is None:
            self._answer(
                HTTPStatus.BAD_REQUEST, b"That is no request that this address understands.\n"
            )
        elif head.method != "GET":
            self._answer(
                HTTPStatus.METHOD_NOT_ALLOWED, b"This address is only for reading.\n", Allow="GET"
            )
        elif head.path == PATH:
            self._listen(head)
        elif head.path == "/healthz":
            status, body = self._hub.health()
            self._answer(status, body, kind="application/json")
        elif head.path == "/metrics" and self._may_measure(head):
            self._answer(
                HTTPStatus.OK, generate_latest(self._hub.figures.registry), kind=CONTENT_TYPE_LATEST
            )
        else:
            self._answer(HTTPStatus.NOT_FOUND, b"There is nothing here.\n")

    def _listen(self, head: RequestHead) -> None:
        ticket = read_ticket(self._hub.secret, head.query.get("ticket", ""), self._hub.now())
        network = self._network(head)
        why = "expired" if ticket is None else self._hub.listeners.why_full(ticket, network)
        if ticket is None or why is not None:
            self._refuse(why or "expired")
            return
        self._transport.write(_STREAM + f"retry: {entropy.choose(RETRY_MS)}\n\n".encode())
        self._begin(ticket, network, head.headers.get("last-event-id", ""))

    def _begin(self, ticket: Ticket, network: str, resumes: str) -> None:
        self._listener = Listener(ticket, network, self._tell, resumes=resumes)
        self._hub.listeners.add(self._listener)
        self._over_at = self._loop.time() + (ticket.until - self._hub.now()).total_seconds()
        self._timer = self._loop.call_later(self._hub.limits.heartbeat_seconds, self._beat)

    def _refuse(self, why: str) -> None:
        self._hub.figures.refused.labels(why).inc()
        status, reason = _SAID[why]
        self._answer(
            status,
            f"{reason}\n".encode(),
            **{"Retry-After": "60", "Access-Control-Allow-Origin": "*"},
        )

    def _answer(
        self, status: HTTPStatus, body: bytes, kind: str = "text/plain; charset=utf-8", **more: str
    ) -> None:
        """Send a whole answer and close the connection."""
        self._end_silence()
        headers = {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "Connection": "close",
        } | more
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self._transport.write(f"HTTP/1.1 {status} {status.phrase}\r\n{lines}\r\n".encode() + body)
        self.close()

    # --- the stream

    def _tell(self, news: Mapping[str, str]) -> None:
        message = json.dumps(news, separators=(",", ":"))
        known = digest_steps(self._listener.told) if self._listener else ""
        self._write(f"id: {known}\ndata: {message}\n\n".encode())

    def _beat(self) -> None:
        """Send a sign of life; drop a client that took nothing since the last one; ask for a new
        ticket where this one is over.
        """
        if self._loop.time() >= self._over_at:
            self._write(b"event: renew\ndata: \n\n")
            self.close()
            return
        unsent = self._transport.get_write_buffer_size() > 0
        if unsent and self._behind:
            self._drop("slow")
            return
        self._behind = unsent
        self._write(b":\n\n")
        self._timer = self._loop.call_later(
            min(self._hub.limits.heartbeat_seconds, self._over_at - self._loop.time()), self._beat
        )

    def _write(self, text: bytes) -> None:
        if self._transport.is_closing():
            return
        if self._transport.get_write_buffer_size() + len(text) > self._hub.limits.unsent_bytes:
            self._drop("slow")
        else:
            self._transport.write(text)

    # --- ending

    def close(self) -> None:
        """Close the connection once what was written is sent; abort it if that takes too long."""
        self._end_silence()
        self._transport.close()
        self._timer = self._loop.call_later(self._hub.limits.head_seconds, self._transport.abort)

    def _drop(self, why: str) -> None:
        self._hub.figures.dropped.labels(why).inc()
        log.debug("live.dropped", why=why)
        self._end_silence()
        self._transport.abort()

    def _end_silence(self) -> None:
        """Count the client no longer as silent, and end its timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._silent_as is not None:
            self._hub.silent[self._silent_as] -= 1
            if not self._hub.silent[self._silent_as]:
                del self._hub.silent[self._silent_as]
            self._silent_as = None

    # --- who it is

    def _peer(self) -> IPv4Address | IPv6Address | None:
        name = self._transport.get_extra_info("peername")
        return parse_address(str(name[0]).partition("%")[0]) if isinstance(name, tuple) else None

    def _network(self, head: RequestHead) -> str:
        """Return the client's network; with proxies the one that the outermost of ours names, as
        the site takes it.
        """
        hops = [
            each.strip()
            for each in head.headers.get("x-forwarded-for", "").split(",")
            if each.strip()
        ]
        if self._hub.proxies and len(hops) >= self._hub.proxies:
            return network_of(parse_address(hops[-self._hub.proxies]))
        return network_of(self._peer())

    def _may_measure(self, head: RequestHead) -> bool:
        peer, token = self._peer(), self._hub.metrics_token
        if (
            peer is not None
            and peer.is_loopback
            and not any(name.lower() in head.headers for name in FORWARDED)
        ):
            return True
        given = head.headers.get("authorization", "").removeprefix("Bearer ").strip()
        return bool(token) and hmac.compare_digest(given.encode(), token.encode())
