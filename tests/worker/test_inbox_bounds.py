"""The inbox's bounds for one letter, one client and all clients together."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from adjudicator.service.letters.receiving import LARGEST
from tests.browser import run_apart
from tests.waiting import wait_until
from tests.worker.inbox_process import LETTER, InboxProcess
from worker.inbox.smtp import Load, SmtpConnection, counted_network

SENDER = "alice@example.org"


def test_a_letter_that_says_it_is_too_large_is_refused_before_it_is_sent(
    open_inbox: InboxProcess,
) -> None:
    with open_inbox.client() as client:
        client.ehlo()
        assert client.docmd(f"MAIL FROM:<a@example.org> SIZE={LARGEST + 1}")[0] == 552


def test_a_letter_that_is_too_large_is_refused_and_the_next_one_taken(
    open_inbox: InboxProcess,
) -> None:
    with open_inbox.line() as line:
        line.hear()
        for raw, code in ((b"x" * (LARGEST + 1), b"552"), (b"x" * (LARGEST - 2), b"250")):
            line.ask(
                b"EHLO mx",
                b"MAIL FROM:<a@example.org>",
                b"RCPT TO:<orders@play.example.org>",
                b"DATA",
            )
            line.say(raw, b".")
            assert line.hear().startswith(code)
    assert [row.size for row in open_inbox.stored()] == [LARGEST]


def test_letters_that_are_too_much_together_are_put_off(small_inbox: InboxProcess) -> None:
    small_inbox.open(held=100_000)
    with small_inbox.line() as first, small_inbox.line() as second:
        for line in (first, second):
            line.hear()
            line.ask(
                b"EHLO mx",
                b"MAIL FROM:<a@example.org>",
                b"RCPT TO:<orders@play.example.org>",
                b"DATA",
            )
        for line, many in ((first, 90), (second, 20)):
            line.say(*[b"x" * 1000] * many)
        replies = {}
        for line in (first, second):  # whose bytes came last is put off
            line.say(b".")
        for line in (first, second):
            replies[line.hear()[:9]] = line
        assert set(replies) == {b"250 2.6.0", b"452 4.3.1"}
        put_off = replies[b"452 4.3.1"]
        put_off.say(
            b"MAIL FROM:<a@example.org>",
            b"RCPT TO:<orders@play.example.org>",
            b"DATA",
            LETTER + b".",
        )
        assert [put_off.hear()[:3] for _ in range(4)] == [b"250", b"250", b"354", b"250"]
    assert len(small_inbox.stored()) == 2


@pytest.mark.nightly
def test_many_large_letters_at_once_stay_within_256_mb(small_inbox: InboxProcess) -> None:
    uid = small_inbox.match()
    to = [*(small_inbox.seat(uid, name) for name in ("1", "2", "3")), "orders@play.example.org"]
    small_inbox.open()
    piece, all_in_transfer = [b"x" * 998] * 260, threading.Barrier(30)

    def send(_: int) -> bytes:
        with small_inbox.line() as line:
            line.hear()
            line.ask(
                b"EHLO mx",
                b"MAIL FROM:<a@example.org>",
                *(b"RCPT TO:<%s>" % each.encode() for each in to),
                b"DATA",
            )
            for _ in range(20):
                line.say(*piece)
            all_in_transfer.wait()
            line.say(b".")
            return line.hear()[:3]

    with ThreadPoolExecutor(30) as senders:
        codes = list(senders.map(send, range(30)))
    kinds = [row.kind for row in small_inbox.stored()]
    assert (
        set(codes) <= {b"250", b"452"}
        and kinds.count("seat") == 3
        and 0 < kinds.count("service") <= 30
    )
    assert small_inbox.process is not None
    told = Path(f"/proc/{small_inbox.process.pid}/status").read_text()
    assert int(told.partition("VmHWM:")[2].split()[0]) < 256 * 1024


def greets(inbox: InboxProcess, source: str = "127.0.0.1") -> bool:
    """Whether the inbox takes a connection."""
    with inbox.line(source) as line:
        return line.hear()[:3] == b"220"


def test_connections_at_once_are_bounded(small_inbox: InboxProcess) -> None:
    small_inbox.open(connections=3)
    lines = [small_inbox.line() for _ in range(5)]
    try:
        assert [line.hear()[:3] for line in lines] == [b"220", b"220", b"220", b"421", b"421"]
        assert lines[3].hear() == b""
        lines[0].ask(b"QUIT")
        wait_until(lambda: greets(small_inbox), "a place to be free")
    finally:
        for line in lines:
            line.__exit__()


def test_one_sender_leaves_connections_to_the_others(small_inbox: InboxProcess) -> None:
    small_inbox.open(connections=4, from_one=2)
    with ExitStack() as stack:
        greeted = [
            stack.enter_context(small_inbox.line(each)).hear()[:3]
            for each in ("127.0.0.2", "127.0.0.2", "127.0.0.2", "127.0.0.3")
        ]
        assert greeted == [b"220", b"220", b"421", b"220"]
    wait_until(lambda: greets(small_inbox, "127.0.0.2"), "what was closed to count no longer")


@pytest.mark.parametrize(
    ("peer", "network"),
    [
        (("93.184.216.34", 1), "93.184.216.34"),
        (("::ffff:93.184.216.34", 1, 0, 0), "93.184.216.34"),
        (("2606:2800:220:1::5", 1, 0, 0), "2606:2800:220:1::/64"),
        (("127.0.0.1", 1), ""),
        (("172.18.0.1", 1), ""),
        (("fe80::1%eth0", 1), ""),
        (("", 0), ""),
        (None, ""),
    ],
)
def test_connections_of_the_host_s_own_networks_are_not_counted(
    peer: tuple[object, ...] | None, network: str
) -> None:
    assert counted_network(peer) == network


def test_recipients_and_errors_are_bounded(open_inbox: InboxProcess) -> None:
    with open_inbox.line() as line:
        line.hear()
        line.ask(b"EHLO mx", b"MAIL FROM:<a@example.org>")
        assert line.ask(*[b"RCPT TO:<orders@play.example.org>"] * 100).startswith(b"250")
        assert line.ask(b"RCPT TO:<orders@play.example.org>").startswith(b"452 4.5.3")
    with open_inbox.line() as line:
        line.hear()
        line.ask(b"EHLO mx", b"MAIL FROM:<a@example.org>")
        line.say(*[b"RCPT TO:<orders+guess@play.example.org>"] * 101)
        assert [line.hear()[:3] for _ in range(102)] == [b"550"] * 100 + [b"421", b""]


def test_a_silent_client_is_greeted_and_hung_up_on() -> None:
    async def be_silent() -> tuple[bytes, bytes]:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: SmtpConnection(object(), Load(), host="play.example.org", idle=0.1),
            "127.0.0.1",
            0,
        )
        async with server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            heard = await reader.readline(), await reader.read()
            writer.close()
            await writer.wait_closed()
            return heard

    greeting, rest = run_apart(be_silent())
    assert greeting.startswith(b"220 ") and rest == b""


@pytest.mark.parametrize(
    "sent",
    [
        b"MAIL FROM:<" + b"(" * 450 + b">",
        b"RCPT TO:<" + b"(" * 450 + b">",
        b"MAIL FROM:" + b'"' * 480,
        b"\xff\xfe",
        b"MAIL",
        b"DATA",
        b"RCPT TO:orders",
        b"MAIL FROM:<a@b> BODY=BINARYMIME",
        b"MAIL FROM:<a@b> RET=FULL",
        b"BDAT 10 LAST",
        b"X" * 500,
        b"EHLO " + b"y" * 5000,
        b"MAIL FROM:<" + b"@" * 1000 + b">",
        b"",
    ],
)
def test_nonsense_is_refused_and_the_connection_goes_on(
    open_inbox: InboxProcess, sent: bytes
) -> None:
    with open_inbox.line() as line:
        line.hear()
        line.ask(b"EHLO mx")
        assert line.ask(sent)[:1] in (b"5", b"2")
        assert line.ask(b"RSET").startswith(b"250")
        assert line.ask(
            b"MAIL FROM:<a@example.org>", b"RCPT TO:<orders@play.example.org>", b"DATA"
        ).startswith(b"354")
        assert line.ask(LETTER + b".").startswith(b"250")


@pytest.mark.nightly
def test_many_connections_at_once_lose_and_double_nothing(inbox: InboxProcess) -> None:
    uids = [inbox.match() for _ in range(7)]
    inbox.open()
    seats = [inbox.seat(uid, name) for uid in uids for name in "123"]

    def send(number: int) -> None:
        with inbox.client() as client:
            for part in range(5):
                client.sendmail(SENDER, [seats[number]], LETTER + b"%d.%d\r\n" % (number, part))

    with ThreadPoolExecutor(20) as senders:
        list(senders.map(send, range(20)))
    seen = [inbox.read(row) for row in inbox.stored() if row.seat_id]
    assert len(inbox.stored()) == 100
    assert {raw for raw in seen if raw} <= {
        LETTER + b"%d.%d\r\n" % (number, part) for number in range(20) for part in range(5)
    }
