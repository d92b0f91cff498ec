"""The live stream against hostile and slow clients: everything is bounded, and others go on."""

import socket
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB, CHARLIE
from tests.live.stream_process import SECRET, StreamClient, StreamProcess
from tests.waiting import wait_until
from web.live import server, tickets
from web.live.listeners import Limits


def begin(stream: StreamProcess) -> str:
    return stream.harness.match(ALICE, BOB, CHARLIE, wish=Wish("pyramid", "The Long Table", {}))


def listen(stack: ExitStack, stream: StreamProcess, uid: str, **headers: str) -> StreamClient:
    """Listen until the block ends, with the head of the answer read."""
    client = stack.enter_context(stream.listen(uid, **headers))
    client.read_head()
    return client


def test_a_host_who_sets_nothing_gets_these_limits() -> None:
    usual = Limits()
    assert (usual.listeners, usual.per_network, server.INTERVAL) == (5000, 10, 1.0)


def test_more_pages_than_the_limit_are_refused_and_a_place_that_is_left_is_free(
    sqlite_url: str, tmp_path: Path
) -> None:
    with (
        StreamProcess(sqlite_url, tmp_path, Limits(listeners=60, per_network=100)) as stream,
        ExitStack() as stack,
    ):
        uid = begin(stream)
        clients = [listen(stack, stream, uid) for _ in range(80)]
        assert [client.status for client in clients] == [200] * 60 + [503] * 20
        clients[0].socket.close()
        wait_until(lambda: stream.figure("sealed_live_listeners") < 60, "a place to be free")
        assert listen(stack, stream, uid).status == 200
        assert stream.figure('sealed_live_refused_total{why="listeners"}') == 20


def test_one_network_gets_ten_places_also_behind_a_proxy(sqlite_url: str, tmp_path: Path) -> None:
    with StreamProcess(sqlite_url, tmp_path, proxies=1) as stream, ExitStack() as stack:
        uid = begin(stream)
        given = ["192.0.2.7"] * 12 + ["spoofed, 192.0.2.7", "192.0.2.8", "::ffff:192.0.2.7"]
        given += [f"2001:db8:1:2::{number:x}" for number in range(11)] + ["2001:db8:1:3::1"]
        found = [listen(stack, stream, uid, X_Forwarded_For=each).status for each in given]
        assert found == [200] * 10 + [429] * 3 + [200, 429] + [200] * 10 + [429, 200]


def test_a_request_that_is_long_slow_or_no_request_is_ended(
    sqlite_url: str, tmp_path: Path
) -> None:
    with StreamProcess(sqlite_url, tmp_path, Limits(head_seconds=1.0, silent=15)) as stream:
        uid = begin(stream)
        with stream.listen(uid) as steady:
            steady.read_head()
            steady.steps()
            for text, status in (
                (b"GET /live?ticket=" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n", 431),
                (b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 1400, 431),
                (b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 100 + b"\r\n", 400),
                (b"\x16\x03\x01\x02\x00\r\n\r\n", 400),
                (b"GET http://[/ HTTP/1.1\r\n\r\n", 400),
                (b"GET //[x?a HTTP/1.1\r\n\r\n", 400),
                (b"POST /live HTTP/1.1\r\n\r\n", 405),
                (b"GET /?" + b"a=1&" * 50 + b" HTTP/1.1\r\n\r\n", 400),
                (b"GET /elsewhere HTTP/1.1\r\n\r\n", 404),
            ):
                with stream.raw(text) as client:
                    assert client.read_head() == status, text[:40]
            with ExitStack() as stack:
                slow = [stack.enter_context(stream.raw(b"GET /live HT")) for _ in range(30)]
                assert all(client.ended() for client in slow)
            with stream.listen(uid) as talks:
                talks.read_head()
                talks.socket.sendall(b"x" * 5000)
                assert talks.ended()
            assert stream.figure('sealed_live_dropped_total{why="slow"}') >= 1
            assert stream.figure('sealed_live_dropped_total{why="silent"}') >= 1
            stream.harness.order(uid, ALICE, "B3")
            stream.harness.order(uid, BOB, "W3")
            stream.harness.order(uid, CHARLIE, "C1")
            assert stream.harness.close(uid) and uid in steady.steps()
        assert "Traceback" not in stream.said


def test_a_client_that_reads_nothing_is_dropped_and_others_go_on(
    sqlite_url: str, tmp_path: Path
) -> None:
    process = StreamProcess(sqlite_url, tmp_path, Limits(heartbeat_seconds=0.002))
    process.listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2048)
    with process as stream:
        uid = begin(stream)
        with stream.listen(uid):  # and never reads
            stream.until('sealed_live_dropped_total{why="slow"}', 1)
            assert stream.figure("sealed_live_listeners") == 0
            with stream.listen(uid) as steady:
                assert steady.read_head() == 200 and uid in steady.steps()


def test_a_page_is_asked_for_a_new_ticket_when_its_own_is_over(
    sqlite_url: str, tmp_path: Path
) -> None:
    with (
        StreamProcess(sqlite_url, tmp_path, Limits(heartbeat_seconds=0.3)) as stream,
        ExitStack() as stack,
    ):
        uid = begin(stream)

        def listens() -> StreamClient | None:
            ticket = tickets.sign_ticket(
                SECRET, [uid], datetime.now(UTC) - tickets.LASTS + timedelta(seconds=2)
            )
            client = stack.enter_context(stream.request(f"/live?ticket={ticket}"))
            return client if client.read_head() == 200 else None

        client = wait_until(listens, "a ticket to be read before it is over")
        assert client is not None
        while client.event().get("event") != "renew":
            pass  # where its matches are
        assert client.ended()
