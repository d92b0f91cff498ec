"""The inbox on the command line: with everything else, alone, with an address chosen by `sealed
serve`, and in `sealed check`.
"""

import os
import re
import signal
import smtplib
import socket
from pathlib import Path

import pytest
from sqlmodel import col, select

from adjudicator.platform import clock
from adjudicator.platform.db import Database
from adjudicator.service.base.tables import Incoming
from tests.hosting.conftest import SealedHere
from tests.hosting.service import ROOT, Service, run_service
from tests.servers import free_port
from tests.waiting import LIMIT
from tests.worker.imap import PASSWORD, imap_server

LETTER = b"From: alice@example.org\r\nSubject: join\r\n\r\njoin pyramid\r\n"
REAL = {"PYTHONPATH": str(ROOT)}  # the real rooms, not the stand-ins


def send(port: int, host: str = "localhost") -> None:
    with smtplib.SMTP("127.0.0.1", port, timeout=LIMIT) as client:
        client.sendmail("alice@example.org", [f"orders@{host}"], LETTER)


def stored(url: str) -> list[str]:
    """Return by which channel each stored letter arrived."""
    database = Database(url)
    try:
        with database.read_tx() as session:
            return list(session.exec(select(Incoming.via).order_by(col(Incoming.id))))
    finally:
        database.engine.dispose()


def own_port(service: Service) -> int:
    return int((service.folder / "inbox" / "port").read_text())


def refused(folder: Path, *arguments: str, **settings: str) -> str:
    """Return the output of a start that must fail."""
    service = Service(folder, *arguments, **settings)
    try:
        assert service.ended() == 1, service.said
        return service.said
    finally:
        service.end()


def test_serve_starts_an_inbox_of_its_own_where_letters_stay_in_the_mailbox(
    tmp_path: Path, sealed_here: SealedHere
) -> None:
    with run_service(tmp_path / "data", "serve", **REAL) as service:
        port = own_port(service)
        assert f"The inbox (letters at smtp://127.0.0.1:{port})" in service.said
        send(port)
        assert stored(f"sqlite:///{service.folder / 'sealed.sqlite3'}") == ["smtp"]
        told = sealed_here("check", DATA_DIR=str(service.folder))
        assert (
            f"The inbox takes letters at smtp://127.0.0.1:{port}." in told.stdout
            and told.returncode == 0
        ), told.stdout
        assert not [path for path in service.folder.rglob("*") if path.stat().st_mode & 0o077]
        assert service.stop() == 0 and "Traceback" not in service.said and service.processes() == {}
    told = sealed_here("check", DATA_DIR=str(service.folder))
    assert "`sealed serve` starts an inbox for this machine" in told.stdout


@pytest.mark.nightly
def test_a_killed_inbox_is_started_again_and_nobody_is_turned_away_meanwhile(
    tmp_path: Path,
) -> None:
    with run_service(tmp_path / "data", "serve", **REAL) as service:
        inbox = _listener_pid(service, own_port(service))
        os.kill(inbox, signal.SIGKILL)
        service.wait_for(
            lambda: "The inbox was ended by SIGKILL" in service.said, "the death to be told"
        )
        send(own_port(service))
        assert stored(f"sqlite:///{service.folder / 'sealed.sqlite3'}") == ["smtp"]
        assert _listener_pid(service, own_port(service)) != inbox


def _listener_pid(service: Service, port: int) -> int:
    """Return the process that accepts connections at a port, found by a client's connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=LIMIT) as client:
        client.recv(100)
        theirs = client.getsockname()[1]
        inode = next(
            line.split()[9]
            for line in Path("/proc/net/tcp").read_text().splitlines()[1:]
            if int(line.split()[1].rpartition(":")[2], 16) == port
            and int(line.split()[2].rpartition(":")[2], 16) == theirs
        )
        return next(pid for pid in service.processes() if f"socket:[{inode}]" in _open_files(pid))


def _open_files(pid: int) -> set[str]:
    return {str(each.readlink()) for each in Path(f"/proc/{pid}/fd").iterdir() if each.is_symlink()}


@pytest.mark.nightly
def test_the_inbox_runs_alone_on_a_shared_database_without_a_key(
    tmp_path: Path, postgres_url: str, redis_url: str, sealed_here: SealedHere
) -> None:
    port = free_port()
    shared = {
        "DATABASE_URL": postgres_url,
        "REDIS_URL": redis_url,
        "INBOX_URL": f"lmtp://127.0.0.1:{port}",
        **REAL,
    }
    with (
        run_service(tmp_path / "worker", "worker", **shared) as worker,
        run_service(tmp_path / "inbox", "inbox", **shared) as inbox,
    ):
        with smtplib.LMTP("127.0.0.1", port, timeout=LIMIT) as client:
            client.sendmail("", ["orders@localhost"], LETTER)
        assert stored(postgres_url) == ["lmtp"] and not (inbox.folder / "keys").exists()
        told = sealed_here("check", DATA_DIR=str(worker.folder), **shared)
        assert f"The inbox takes letters at lmtp://127.0.0.1:{port}." in told.stdout
        assert (inbox.stop(), worker.stop()) == (0, 0)
        assert inbox.processes() == {} and "Traceback" not in inbox.said


@pytest.mark.nightly
def test_a_mailbox_elsewhere_is_fetched_from(
    tmp_path: Path, postgres_url: str, redis_url: str, sealed_here: SealedHere
) -> None:
    with imap_server(tmp_path) as imap:
        shared = {
            "DATABASE_URL": postgres_url,
            "REDIS_URL": redis_url,
            "IMAP_URL": imap.url,
            **REAL,
        }
        with (
            run_service(tmp_path / "worker", "worker", **shared),
            run_service(tmp_path / "inbox", "inbox", **shared) as fetcher,
        ):
            imap.put(b"To: orders@localhost\r\n" + LETTER, clock.now())
            fetcher.wait_for(lambda: stored(postgres_url) == ["imap"], "the letter to be stored")
            told = sealed_here("check", DATA_DIR=str(tmp_path / "worker"), **shared)
            assert "The mailbox at IMAP_URL opens." in told.stdout
            wrong = sealed_here(
                "check",
                DATA_DIR=str(tmp_path / "worker"),
                **(shared | {"IMAP_URL": imap.url.replace("sesame", "barley")}),
            )
            assert (
                "IMAP_URL cannot be used" in wrong.stdout
                and "barley" not in wrong.stdout
                and wrong.returncode == 1
            )
            assert PASSWORD not in fetcher.said and fetcher.stop() == 0


def test_an_inbox_that_is_set_and_does_not_answer_is_wrong(
    tmp_path: Path, sealed_here: SealedHere
) -> None:
    port = free_port()
    told = sealed_here(
        "check",
        DATA_DIR=str(tmp_path),
        INBOX_URL=f"smtp://127.0.0.1:{port}",
        SMTP_URL=f"smtp://127.0.0.1:{port}",
    )
    assert (
        f"The inbox does not answer at INBOX_URL smtp://127.0.0.1:{port}" in told.stdout
        and told.returncode == 1
    )
    silent = sealed_here("check", DATA_DIR=str(tmp_path), SMTP_URL=f"smtp://127.0.0.1:{port}")
    assert "letters cannot be answered" in silent.stdout


def test_a_port_that_is_taken_is_named_with_the_remedy(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        url = f"smtp://127.0.0.1:{other.getsockname()[1]}"
        said = refused(tmp_path / "x", "serve", INBOX_URL=url)
    assert (
        f"INBOX_URL {url}: the port is taken by another program, perhaps a mail server: give"
        " another, such as smtp://127.0.0.1:2525." in said
    )


@pytest.mark.parametrize("url", ["smtp://192.0.2.1:2525", "lmtp://no.such.host.invalid:24"])
def test_an_address_of_another_machine_is_named_with_the_remedy(tmp_path: Path, url: str) -> None:
    assert f"INBOX_URL {url} is not an address of this machine" in refused(
        tmp_path / "x", "serve", INBOX_URL=url
    )


def test_the_port_of_its_own_changes_only_where_somebody_took_it(tmp_path: Path) -> None:
    from adjudicator.hosting.listeners import known_inbox, own_inbox

    first = own_inbox(tmp_path)
    assert own_inbox(tmp_path) == first == known_inbox(tmp_path) and re.fullmatch(
        r"smtp://127\.0\.0\.1:\d+", first
    )
    with socket.create_server(("127.0.0.1", int(first.rpartition(":")[2]))):
        second = own_inbox(tmp_path)
    assert second != first and own_inbox(tmp_path) == second
    (tmp_path / "inbox" / "port").write_text("")
    assert re.fullmatch(r"smtp://127\.0\.0\.1:\d+", own_inbox(tmp_path))


def test_a_damaged_memory_of_the_port_is_no_reason_not_to_start(tmp_path: Path) -> None:
    from adjudicator.hosting.listeners import own_inbox

    (tmp_path / "inbox").mkdir()
    for damaged in ("", "port", "99999999", "-1"):
        (tmp_path / "inbox" / "port").write_text(damaged)
        assert re.fullmatch(r"smtp://127\.0\.0\.1:\d+", own_inbox(tmp_path))
