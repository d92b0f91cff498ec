"""The site's connections: a request's arrival is stamped as it is whole, whoever has the threads,
and no thread waits for a client.
"""

import itertools
import os
import queue
import selectors
import socket
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger

from adjudicator.hosting.roles import site_worker
from adjudicator.hosting.roles.site_worker import SiteConnection, SiteWorker
from adjudicator.platform import clock
from adjudicator.platform.net.clients import CAME
from tests.waiting import LIMIT, wait_until

ORDERS = b"POST /matches/abc/orders HTTP/1.1\r\nHost: here\r\nContent-Length: 6\r\n\r\n"
ASK = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"


@dataclass
class Answered:
    """A request as the site sees it."""

    path: str
    body: bytes
    came_at: float | None


@dataclass
class Site:
    """A site of one thread, whose clock a test sets."""

    worker: SiteWorker
    address: tuple[str, int]
    seconds: float = 0.0
    # requests that wait for a thread
    whole: "queue.Queue[SiteConnection]" = field(default_factory=queue.Queue)
    # bytes of the present request, at each look
    received: "queue.Queue[int]" = field(default_factory=queue.Queue)
    answered: "queue.Queue[Answered]" = field(default_factory=queue.Queue)
    gate: threading.Event = field(default_factory=threading.Event)  # /slow waits for it
    size: int = 2  # bytes of an answer
    file: Path = Path()  # what /file sends

    def answer(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/slow":
            self.gate.wait()
        body = environ["wsgi.input"].read() if environ["PATH_INFO"] != "/unread" else b""
        self.answered.put(Answered(environ["PATH_INFO"], body, environ.get(CAME)))
        start_response("200 OK", [("Content-Length", str(self.size))])
        if environ["PATH_INFO"] == "/file":
            return environ["wsgi.file_wrapper"](self.file.open("rb"))
        return [b"x" * self.size]

    def connect(self) -> socket.socket:
        return socket.create_connection(self.address, timeout=LIMIT)

    def say(self, line: socket.socket, text: bytes, *, at: float) -> None:
        """Send a part of a request at a time, and wait until the site has received it."""
        self.seconds = at
        line.sendall(text)
        self.received.get(timeout=LIMIT)

    def hold_the_thread(self) -> socket.socket:
        """Return a connection whose request has the only thread until the gate opens."""
        line = self.connect()
        self.say(line, b"GET /slow HTTP/1.1\r\nHost: here\r\n\r\n", at=self.seconds)
        self.whole.get(timeout=LIMIT)
        return line

    def next_answered(self) -> Answered:
        return self.answered.get(timeout=LIMIT)


class WatchedWorker(SiteWorker):
    """A worker that tells what it has received and handed over."""

    site: Site

    def _look(self, conn: SiteConnection) -> None:
        received = len(conn.buffer.received)
        super()._look(conn)
        self.site.received.put(received)

    def enqueue_req(self, conn: SiteConnection) -> None:
        super().enqueue_req(conn)
        self.site.whole.put(conn)


@contextmanager
def serving(monkeypatch: pytest.MonkeyPatch, *, connections: int = 500) -> Iterator[Site]:
    config, listener = Config(), socket.create_server(("127.0.0.1", 0))
    for name, value in {
        "threads": 1,
        "worker_connections": connections,
        "keepalive": 100,
        "loglevel": "critical",
    }.items():
        config.set(name, value)
    worker = WatchedWorker(
        1,
        os.getppid(),
        [listener],
        SimpleNamespace(wsgi=lambda: site.answer),
        60,
        config,
        Logger(config),
    )
    site = worker.site = Site(worker, listener.getsockname())
    monkeypatch.setattr(clock, "monotonic", lambda: site.seconds)
    worker.tpool, worker.poller = worker.get_thread_pool(), selectors.DefaultSelector()
    worker.method_queue.init()
    worker.load_wsgi()
    loop = threading.Thread(target=worker.run)
    loop.start()
    try:
        yield site
    finally:
        site.gate.set()
        later = itertools.count(1_000_000, 1_000)  # all patience has an end now
        monkeypatch.setattr(clock, "monotonic", lambda: site.seconds + next(later))
        worker.handle_exit(0, None)
        loop.join(LIMIT)
        worker.tmp.close()
        assert not loop.is_alive(), "the worker stops"


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    with serving(monkeypatch) as made:
        yield made


def hear_text(line: socket.socket, answers: int = 1) -> bytes:
    """Return the next answers of the usual size."""
    text = b""
    while text.count(b"\r\n\r\nxx") < answers:
        more = line.recv(65536)
        assert more, text
        text += more
    return text


def hear(line: socket.socket) -> bytes:
    """Return the status line of the next answer."""
    return hear_text(line).partition(b"\r\n")[0]


def hear_all(line: socket.socket) -> bytes:
    return b"".join(iter(lambda: line.recv(65536), b""))


# --- arrivals


def test_a_request_arrives_while_all_threads_are_busy(site: Site) -> None:
    with site.hold_the_thread(), site.connect() as line:
        site.say(line, ORDERS + b"orders", at=10)
        site.whole.get(timeout=LIMIT)
        site.seconds = 19  # as long as it waits for a thread
        assert site.worker.in_hand.oldest() == 10, "a closing waits for it"
        site.gate.set()
        assert [site.next_answered().path, site.next_answered()] == [
            "/slow",
            Answered("/matches/abc/orders", b"orders", 10),
        ]
        assert hear(line) == b"HTTP/1.1 200 OK"
        site.say(line, ASK, at=19)  # by now the thread is free of it
        assert hear(line) == b"HTTP/1.1 200 OK" and site.worker.in_hand.oldest() == 19


def test_a_request_arrives_with_its_last_byte_however_it_is_sent(site: Site) -> None:
    with site.connect() as line, site.connect() as other:  # opened long before their first bytes
        for begun, parts in (
            # a trickled head and body
            (10, (ORDERS[:9], ORDERS[9:70], ORDERS[70:] + b"or", b"der", b"s")),
            (20, (ORDERS + b"orders",)),  # a second request on a kept connection
            (30, (ORDERS, b"orders")),
        ):
            for number, part in enumerate(parts[:-1]):
                site.say(line, part, at=begun + number)
                assert site.worker.in_hand.oldest() == begun + number, "no closing waits for it"
                site.say(other, ASK, at=begun + number)  # the only thread is free for others
                assert hear(other) == b"HTTP/1.1 200 OK" and site.next_answered() == Answered(
                    "/", b"", begun + number
                )
            site.say(line, parts[-1], at=begun + len(parts))
            assert hear(line) == b"HTTP/1.1 200 OK"
            assert site.next_answered() == Answered(
                "/matches/abc/orders", b"orders", begun + len(parts)
            ), parts


def test_of_requests_that_come_together_each_is_answered_with_an_arrival_of_its_own(
    site: Site,
) -> None:
    with site.hold_the_thread(), site.connect() as line:
        site.say(
            line,
            ORDERS
            + b"orders"
            + b"POST /unread HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\nxxxxx"
            + ASK
            + ASK,
            at=5,
        )
        site.seconds = 8
        site.gate.set()
        assert hear_text(line, 4)[:15] == b"HTTP/1.1 200 OK"
        told = [site.next_answered() for _ in range(5)]
    assert [(each.path, each.came_at) for each in told] == [
        ("/slow", 0),
        ("/matches/abc/orders", 5),
        ("/unread", 8),
        ("/", 8),
        ("/", 8),
    ]


def test_only_acts_in_matches_are_waited_for(site: Site) -> None:
    with site.hold_the_thread():
        for request, awaited in (
            (ORDERS + b"orders", True),
            (ORDERS.replace(b"/orders", b"/say?x=1") + b"orders", True),
            (ORDERS.replace(b"/matches/abc/orders", b"/matches/new") + b"orders", False),
            (ORDERS.replace(b"POST", b"GET") + b"orders", False),
            (ORDERS.replace(b"/orders", b"/orders/") + b"orders", True),
        ):
            before = site.worker.in_hand.oldest()
            site.seconds += 1
            line = site.connect()
            site.say(line, request, at=site.seconds)
            conn = site.whole.get(timeout=LIMIT)
            assert (conn in site.worker.in_hand._came) == awaited, (request, before)
            site.worker.in_hand.done(conn)
            line.close()
        site.gate.set()
        assert [site.next_answered() for _ in range(6)], "all are answered"


# --- requests that are not taken


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (
            (
                b"POST /matches/abc/orders HTTP/1.1\r\nHost: here\r\nTransfer-Encoding:"
                b" chunked\r\n\r\n"
            ),
            b"411 Length Required",
        ),
        (b"GET / HTTP/1.1\r\nA: " + b"a" * (40 * 1024), b"431 Request Header Fields Too Large"),
        (b"GET / HTTP/1.1\nHost: here\n\n", b"400 Bad Request"),
        (b"\r\n\r\n", b"400 Bad Request"),
        (ORDERS.replace(b"6", b"-6"), b"400 Bad Request"),
        (ORDERS.replace(b"6", b"6\r\nContent-Length: 7"), b"400 Bad Request"),
        # the site itself says 413
        (ORDERS.replace(b"/matches/abc/orders", b"/unread").replace(b"6", b"99999999"), b"200 OK"),
    ],
)
def test_what_cannot_be_read_whole_is_refused_at_once_and_the_connection_closed(
    site: Site, request_: bytes, status: bytes
) -> None:
    with site.connect() as line:
        site.seconds = 3
        line.sendall(request_)
        assert hear_all(line).startswith(b"HTTP/1.1 " + status)
    if b"200" in status:
        assert site.next_answered().came_at is None


def test_a_request_that_does_not_come_whole_in_time_is_told_so(site: Site) -> None:
    with site.connect() as line, site.connect() as other:
        site.say(line, ORDERS, at=1)
        site.seconds = site_worker.REQUEST_SECONDS + 2
        other.close()  # a turn of the loop
        assert hear_all(line).startswith(b"HTTP/1.1 408 ")
    assert site.answered.empty()


def test_who_waits_to_be_told_to_go_on_is_told(site: Site) -> None:
    with site.connect() as line:
        site.say(line, ORDERS.replace(b"Host", b"Expect: 100-continue\r\nHost"), at=1)
        assert line.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        site.say(line, b"orders", at=2)
        assert b"HTTP/1.1 200 OK" in hear_text(line) and site.next_answered().came_at == 2


# --- clients that do not read, and connections


def test_a_client_that_does_not_read_holds_no_thread(site: Site) -> None:
    site.size = 16 * 1024 * 1024  # more than the kernel takes
    with site.connect() as slow:
        slow.sendall(ASK.replace(b"Host", b"Connection: close\r\nHost"))
        assert site.next_answered().path == "/"
        site.size = 2
        with site.connect() as other:
            other.sendall(ASK)
            assert hear(other) == b"HTTP/1.1 200 OK"
        text = hear_all(slow)
        assert text.endswith(b"\r\n\r\n" + b"x" * (16 * 1024 * 1024)), (
            "and gets the whole answer as it reads"
        )


def test_a_file_is_sent_to_a_client_that_reads_slowly(site: Site, tmp_path: Path) -> None:
    site.size, site.file = 16 * 1024 * 1024, tmp_path / "large"
    site.file.write_bytes(b"x" * site.size)
    with site.connect() as slow:
        slow.sendall(ASK.replace(b"/", b"/file", 1).replace(b"Host", b"Connection: close\r\nHost"))
        assert site.next_answered().path == "/file"
        assert hear_all(slow).endswith(b"\r\n\r\n" + b"x" * site.size)


def test_answers_that_nobody_reads_are_bounded_together(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_worker, "MOST_HELD", 1024)
    site.size = 16 * 1024 * 1024
    with site.connect() as slow:
        slow.sendall(ASK)
        assert site.next_answered().path == "/"
        wait_until(lambda: site.worker.nr_conns == 0, "the end of the connection")
        assert len(hear_all(slow)) < site.size, "it is cut off"


def test_the_longest_waiting_connection_makes_room_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with serving(monkeypatch, connections=3) as site:
        silent = [site.connect() for _ in range(8)]
        with site.connect() as asking:
            asking.sendall(ASK)
            assert hear(asking) == b"HTTP/1.1 200 OK"
            assert silent[0].recv(1) == b""
        for each in silent:
            each.close()


def test_a_client_that_closes_nothing_holds_nobody_up(site: Site) -> None:
    lines = [site.connect() for _ in range(3)]
    for line in lines:
        line.sendall(ASK.replace(b"1.1", b"1.0", 1))
        # it is half closed, and the loop goes on
        assert hear_all(line).startswith(b"HTTP/1.0 200 OK")
    assert site.worker.nr_conns == 3
    with site.connect() as other:
        for _ in range(10):  # the last of them may have been closed just after the clock was set
            site.seconds += site_worker.LAST_SECONDS + 1
            other.sendall(ASK)
            assert hear(other) == b"HTTP/1.1 200 OK"
        assert site.worker.nr_conns == 1
    for line in lines:
        line.close()
