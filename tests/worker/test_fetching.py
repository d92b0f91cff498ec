"""Fetching letters by IMAP from a real server: recipients and arrival times; a crash repeats a
letter but never loses one.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adjudicator.hosting.process import die_with_parent
from adjudicator.platform import clock
from adjudicator.platform.config import Settings, read_settings
from adjudicator.service.letters import receiving
from adjudicator.service.letters.receiving import LARGEST, MOST_WAITING, Arrival
from tests.sampling import sample
from tests.servers import free_port
from tests.waiting import wait_for_end
from tests.worker.imap import PASSWORD, Imap, imap_server
from tests.worker.inbox_process import LETTER, ROOT, InboxProcess
from worker.inbox.imap import (
    SERVER_FAULTS,
    Fetcher,
    FetchResult,
    arrival_time,
    open_mailbox,
    recipient_tokens,
)

YESTERDAY = clock.now().replace(microsecond=0) - timedelta(days=1)
_PROGRAM = """
from adjudicator.hosting import loading
loading.collect_seldom()
from adjudicator.platform.config import current_settings
from adjudicator.hosting.logs import configure_logging
from worker.inbox import imap
imap.EVERY_SECONDS = imap.FIRST_WAIT = imap.LONGEST_WAIT = 0.3
configure_logging("INFO", "fetcher")
loading.collect_as_usual()
imap.run_fetcher(current_settings(), lambda: None)
"""


@pytest.fixture
def imap(tmp_path: Path) -> Iterator[Imap]:
    with imap_server(tmp_path) as server:
        yield server


def told(inbox: InboxProcess, imap: Imap, **changes: str) -> Settings:
    given = {
        "imap_url": imap.url,
        "mail_address": inbox.mail_address,
        "database_url": inbox.url,
    } | changes
    return read_settings(data_dir=inbox.folder, **given)


def look(inbox: InboxProcess, imap: Imap) -> FetchResult:
    """Fetch the unseen letters once."""
    settings = told(inbox, imap)
    with open_mailbox(settings) as mailbox:
        return Fetcher(settings, inbox.harness.database).fetch_unseen(mailbox)


def to(address: str, *lines: bytes) -> bytes:
    """Return a letter to an address, with these header lines at its top."""
    return (
        b"".join(line + b"\r\n" for line in lines) + b"To: " + address.encode() + b"\r\n" + LETTER
    )


# --- header lines


SEAT, OTHER = "seatseatseatseatseatseatse", "otherotherotherotherothero"


@pytest.mark.parametrize(
    ("header", "found"),
    [
        (f"Delivered-To: orders+{SEAT}@play.example.org\r\n", [SEAT]),
        (f"X-Original-To: ORDERS+{SEAT.upper()}@PLAY.example.org\r\n", [SEAT]),
        (
            f"Envelope-To: <orders+{SEAT}@play.example.org>\r\nTo: orders@play.example.org\r\n",
            [SEAT],
        ),
        (f"To: undisclosed\r\nX-Forwarded-To: orders+{SEAT}@play.example.org\r\n", [SEAT]),
        (
            f"Delivered-To: orders@play.example.org\r\nTo: orders+{SEAT}@play.example.org\r\n",
            [SEAT],
        ),
        (
            (
                f"Delivered-To: orders+{SEAT}@play.example.org\r\nTo:"
                f" orders+{OTHER}@play.example.org\r\n"
            ),
            [SEAT],
        ),
        (
            (
                f'To: "A, B" <orders+{SEAT}@play.example.org>,\r\n\tJo'
                f" <orders+{OTHER}@play.example.org>\r\nCc: x@y.example\r\n"
            ),
            [SEAT, OTHER],
        ),
        (f"Cc: orders+{SEAT}@play.example.org, orders@play.example.org\r\n", [SEAT]),
        ("To: orders@play.example.org\r\n", [""]),
        ("Delivered-To: orders@play.example.org\r\nTo: x@example.org\r\n", [""]),
        (
            (
                f"Subject: to orders+{SEAT}@play.example.org\r\nX-To:"
                f" orders+{SEAT}@play.example.org\r\nTo: x@example.org\r\n"
            ),
            [],
        ),
        (
            (
                f"To: orders+{SEAT}@play.example.org.evil.example, xorders+{SEAT}@play.example.org,"
                f" orders+{SEAT}@\r\n"
            ),
            [],
        ),
        (f"to:orders+{SEAT}@play.example.org\n", [SEAT]),
        ("", []),
    ],
)
def test_the_header_tells_where_a_letter_was_delivered(header: str, found: list[str]) -> None:
    assert (
        recipient_tokens(read_settings(mail_address="orders@play.example.org"), header.encode())
        == found
    )


@pytest.mark.parametrize(
    "header",
    [
        b"To: " + b"a" * 200_000,
        b"To: " + b"@" * 200_000,
        b"To: a\r\n" + b" b@c\r\n" * 50_000,
        b"\xff" * 200_000,
    ],
)
def test_a_header_that_never_ends_leads_nowhere(header: bytes) -> None:
    assert recipient_tokens(read_settings(mail_address="orders@play.example.org"), header) == []


def test_many_addresses_are_bounded() -> None:
    header = b"To: " + b", ".join(b"orders+%d@play.example.org" % number for number in range(1000))
    assert (
        len(recipient_tokens(read_settings(mail_address="orders@play.example.org"), header)) == 20
    )


def test_a_letter_came_when_its_server_says_but_never_later_than_now() -> None:
    now = datetime(2026, 11, 3, 12, 0, tzinfo=UTC)
    assert arrival_time(b'INTERNALDATE " 1-Nov-2026 13:30:00 +0100"', now) == datetime(
        2026, 11, 1, 12, 30, tzinfo=UTC
    )
    assert arrival_time(b'INTERNALDATE "04-Nov-2026 12:00:00 +0000"', now) == now
    assert arrival_time(b'INTERNALDATE "some day"', now) == now and arrival_time(b"", now) == now


# --- fetching


def test_letters_are_stored_and_marked_and_met_no_more(inbox: InboxProcess, imap: Imap) -> None:
    uid = inbox.match()
    raw = to(inbox.seat(uid), b"Return-Path: <>", b"Delivered-To: " + inbox.seat(uid).encode())
    imap.put(raw, YESTERDAY)
    imap.put(to("orders@play.example.org"), YESTERDAY)
    assert look(inbox, imap) == FetchResult(stored=2)
    first, second = inbox.stored()
    assert (first.kind, first.via, first.received_at, first.null_sender) == (
        "seat",
        "imap",
        YESTERDAY,
        True,
    )
    assert (second.kind, second.null_sender) == ("service", False) and inbox.read(first) == raw
    assert imap.seen() == [True, True]
    assert look(inbox, imap) == FetchResult() and len(inbox.stored()) == 2


def test_a_letter_to_two_seats_is_stored_for_both(small_inbox: InboxProcess, imap: Imap) -> None:
    uid = small_inbox.match()
    imap.put(
        to(
            f"{small_inbox.seat(uid, '1')}, {small_inbox.seat(uid, '2')},"
            f" {small_inbox.seat(uid, '1')}"
        ),
        YESTERDAY,
    )
    assert look(small_inbox, imap) == FetchResult(stored=1) and len(small_inbox.stored()) == 2


def test_what_is_not_ours_is_marked_and_left(small_inbox: InboxProcess, imap: Imap) -> None:
    imap.put(to("orders+nobodysits@play.example.org"), YESTERDAY)
    imap.put(to("newsletter@example.org"), YESTERDAY)
    assert look(small_inbox, imap) == FetchResult(unknown=2)
    assert small_inbox.stored() == [] and imap.seen() == [True, True]


def test_what_is_too_large_is_not_fetched(small_inbox: InboxProcess, imap: Imap) -> None:
    imap.put(to("orders@play.example.org") + b"x" * LARGEST, YESTERDAY)
    imap.put(to("orders@play.example.org"), YESTERDAY)
    assert look(small_inbox, imap) == FetchResult(stored=1, too_large=1)
    assert [row.size for row in small_inbox.stored()] == [
        len(to("orders@play.example.org"))
    ] and imap.seen() == [True, True]


def test_a_letter_to_a_full_seat_stays_unseen_until_there_is_room(
    small_inbox: InboxProcess, imap: Imap
) -> None:
    uid = small_inbox.match()
    with small_inbox.harness.database.read_tx() as session:
        target = receiving.find_target(session, small_inbox.token(uid))
    assert target is not None
    receiving.store_letters(
        small_inbox.harness.database, [Arrival(target, LETTER, clock.now(), "imap")] * MOST_WAITING
    )
    imap.put(to(small_inbox.seat(uid)), YESTERDAY)
    imap.put(to("orders@play.example.org"), YESTERDAY)
    assert look(small_inbox, imap) == FetchResult(stored=1, waiting=1)
    assert imap.seen() == [False, True]


def test_a_wrong_password_is_a_fault_that_does_not_repeat_it(
    small_inbox: InboxProcess, imap: Imap
) -> None:
    wrong = told(
        small_inbox, imap, imap_url=f"imap://orders%40play.example.org:hush@127.0.0.1:{imap.port}"
    )
    with pytest.raises(SERVER_FAULTS) as fault, open_mailbox(wrong):
        pass
    assert "hush" not in str(fault.value) and PASSWORD not in str(fault.value)
    other = told(small_inbox, imap, imap_url=f"imap://orders:h%C3%BCsh@127.0.0.1:{imap.port}")
    with pytest.raises(SERVER_FAULTS, match="letters beyond ASCII"), open_mailbox(other):
        pass


def test_a_password_is_not_sent_in_the_clear_to_another_machine(
    small_inbox: InboxProcess, imap: Imap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.inbox.imap.THIS_MACHINE", ())
    with (
        pytest.raises(SERVER_FAULTS, match="offers no encryption, so the password was not sent"),
        open_mailbox(told(small_inbox, imap)),
    ):
        pass


# --- the process


def fetcher(inbox: InboxProcess, imap_url: str, crash_at: str = "") -> "subprocess.Popen[bytes]":
    """Start the fetcher with short intervals."""
    given = {
        "DATABASE_URL": inbox.url,
        "IMAP_URL": imap_url,
        "MAIL_ADDRESS": inbox.mail_address,
        "DATA_DIR": str(inbox.folder),
    }
    if crash_at:
        (inbox.folder / "crash").touch()
        given["SEALED_CRASH_AT"] = f"{crash_at}@{inbox.folder / 'crash'}"
    with (inbox.folder / "inbox.log").open("ab") as log:
        streams = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log}
        return subprocess.Popen(  # type: ignore[call-overload,no-any-return]
            [sys.executable, "-c", _PROGRAM],
            cwd=ROOT,
            env=os.environ | given,
            preexec_fn=die_with_parent,
            **streams,
        )


@pytest.mark.parametrize(
    ("point", "stored"), sample([("inbox.before_commit", 0), ("inbox.after_commit", 1)], 1)
)
def test_killed_around_the_commit_a_letter_is_met_again(
    inbox: InboxProcess, imap: Imap, point: str, stored: int
) -> None:
    imap.put(to("orders@play.example.org"), YESTERDAY)
    assert wait_for_end(fetcher(inbox, imap.url, point), said=lambda: inbox.said) == -signal.SIGKILL
    assert len(inbox.stored()) == stored and imap.seen() == [False]
    process = fetcher(inbox, imap.url)
    try:
        inbox.until(stored + 1)
        assert {inbox.read(row) for row in inbox.stored()[:1]} == {to("orders@play.example.org")}
    finally:
        process.kill()
        wait_for_end(process)


@pytest.mark.nightly
def test_it_goes_on_when_the_server_comes_back_and_tells_nobody_the_password(
    small_inbox: InboxProcess, tmp_path: Path
) -> None:
    port = free_port()
    process = fetcher(small_inbox, Imap(port).url)
    try:
        for count in (1, 2):
            with imap_server(tmp_path, port) as imap:
                imap.put(to("orders@play.example.org"), YESTERDAY)
                small_inbox.until(count)
    finally:
        process.kill()
        wait_for_end(process)
    assert "fetching.failed" in small_inbox.said and "fetching.looked" in small_inbox.said
    assert not [
        word
        for word in (PASSWORD, "open%3Asesame", "orders@", "play.example.org", "alice")
        if word in small_inbox.said
    ]
