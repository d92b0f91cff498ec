"""`sealed serve` starts, supervises and stops everything, and no process outlives it."""

import os
import re
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from adjudicator.hosting import listeners
from adjudicator.hosting.messages import CannotStart
from tests.hosting.service import SEALED, Service, run_service
from tests.servers import free_port
from tests.waiting import wait_for_end, wait_until


@pytest.fixture(scope="module")
def steady(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One service for the tests that only observe it."""
    with run_service(tmp_path_factory.mktemp("steady") / "a folder", "serve", new=True) as started:
        yield started


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with run_service(tmp_path / "a folder", "serve") as started:
        yield started


def wait_until_gone(service: Service) -> None:
    wait_until(
        lambda: service.processes() == {},
        "every process to be gone",
        said=lambda: f"{service.processes()}\n{service.said}",
    )


def wait_for_a_sweep(service: Service) -> None:
    marks = service.folder / "swept"
    marks.unlink(missing_ok=True)
    service.wait_for(marks.exists, "a sweep")


def pid_below(service: Service, words: str) -> int:
    """Return the oldest child process whose command line has these words."""
    return min(
        pid
        for pid, line in service.processes().items()
        if words in line and pid != service.process.pid
    )


def refused(folder: Path, *arguments: str, **settings: str) -> str:
    """Return the output of a start that must fail and leaves nothing behind."""
    service = Service(folder, *arguments, **settings)
    try:
        assert service.ended() == 1
        assert "Traceback" not in service.said or "STANDIN_BROKEN" in settings
        wait_until_gone(service)
        return service.said
    finally:
        service.end()


def test_it_says_each_step_and_then_the_address_in_a_line_of_its_own(steady: Service) -> None:
    assert re.findall(r"^(\d) of 8  .* \d+\.\d s$", steady.said, re.MULTILINE) == list("12345678")
    assert f"http://localhost:{steady.port}" in steady.said.splitlines()
    assert steady.get().startswith("process")


def test_the_clock_has_the_worker_sweep(steady: Service) -> None:
    wait_for_a_sweep(steady)


def test_ctrl_c_stops_all_in_order_and_leaves_nothing(service: Service) -> None:
    assert service.stop(signal.SIGINT) == 0
    assert re.findall(r"^Stopping (the \w+)", service.said, re.MULTILINE) == [
        "the site",
        "the stream",
        "the inbox",
        "the clock",
        "the worker",
        "the broker",
    ]
    assert service.processes() == {}
    assert "Traceback" not in service.said


@pytest.mark.nightly
def test_nohup_is_respected(tmp_path: Path) -> None:
    with run_service(tmp_path / "kept", "serve", program=("nohup", *SEALED)) as service:
        assert ignores(service.process.pid, signal.SIGHUP), "so that the kernel never delivers it"
        service.process.send_signal(signal.SIGHUP)
        assert service.get().startswith("process")
        assert service.stop(signal.SIGTERM) == 0


@pytest.mark.nightly
def test_a_closed_terminal_stops_it_too_and_it_starts_again_where_it_was(tmp_path: Path) -> None:
    ports = set()
    for how in (signal.SIGHUP, signal.SIGTERM):
        with run_service(tmp_path / "kept", "serve") as service:
            assert service.stop(how) == 0
            assert service.processes() == {}
            ports.add(
                tuple(
                    (tmp_path / "kept" / name / "port").read_text()
                    for name in ("valkey", "inbox", "live")
                )
            )
    assert len(ports) == 1


def test_what_it_writes_is_for_its_owner_only(steady: Service) -> None:
    wait_for_a_sweep(steady)
    opened = [str(path) for path in steady.folder.rglob("*") if path.stat().st_mode & 0o077]
    assert opened == []


def test_the_password_of_the_broker_is_never_said(steady: Service) -> None:
    password = (steady.folder / "valkey" / "password").read_text()
    assert password not in steady.said
    assert all(password not in line for line in steady.processes().values())


@pytest.mark.nightly
def test_a_killed_supervisor_leaves_nothing_and_can_be_started_at_once(service: Service) -> None:
    service.process.kill()
    wait_for_end(service.process)
    with run_service(service.folder, "serve") as again:
        assert service.processes() == {}
        wait_for_a_sweep(again)


@pytest.mark.nightly
def test_a_second_ctrl_c_is_harmless(service: Service) -> None:
    service.process.send_signal(signal.SIGINT)
    service.wait_for(lambda: "Stopping the site" in service.said, "the first to be heard")
    with suppress(ProcessLookupError):
        service.process.send_signal(signal.SIGINT)
    assert service.ended() == 0
    assert service.processes() == {}


@pytest.mark.nightly
def test_ctrl_c_during_the_start_stops_it(tmp_path: Path) -> None:
    service = Service(tmp_path / "early", "serve")
    try:
        service.wait_for(lambda: "1 of 8" in service.said, "the first step")
        assert service.stop() == 0
        assert "Traceback" not in service.said
        assert service.processes() == {}
    finally:
        service.end()


@pytest.mark.nightly
def test_it_stops_while_a_task_and_a_page_would_take_an_hour(service: Service) -> None:
    assert service.get("/busy") == "given"
    service.wait_for((service.folder / "busy").exists, "the task to begin")

    def ask_slowly() -> None:
        with suppress(OSError):
            service.get("/slow")

    asking = threading.Thread(target=ask_slowly)
    asking.start()
    service.wait_for((service.folder / "slow").exists, "the page to begin")
    assert service.stop() == 0
    asking.join()
    assert service.processes() == {}


def test_a_second_start_in_the_same_folder_says_who_holds_it(steady: Service) -> None:
    words = refused(steady.folder, "serve")
    assert f"process {steady.process.pid}, http://localhost:{steady.port}" in words
    assert "DATA_DIR of its own" in words


def test_a_taken_port_is_named_with_the_remedy(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert re.search(
            rf"Port {port} of 127\.0\.0\.1 is taken .* --port \d+",
            refused(tmp_path / "x", "serve", PORT=str(port)),
        )


def test_an_address_of_another_machine_is_named_with_the_remedy(tmp_path: Path) -> None:
    assert "HOST 192.0.2.1 is not an address of this machine" in refused(
        tmp_path / "x", "serve", "--host", "192.0.2.1"
    )
    with pytest.raises(CannotStart, match=r"HOST a\.\.b is not an address of this machine"):
        listeners.open_site("a..b", free_port())


@pytest.mark.nightly
def test_a_database_that_is_not_there_ends_the_start_with_a_sentence(tmp_path: Path) -> None:
    words = refused(
        tmp_path / "x", "serve", DATABASE_URL=f"postgres://u:secret@127.0.0.1:{free_port()}/x"
    )
    assert "cannot be used: connection failed" in words
    assert "secret" not in words


@pytest.mark.nightly
def test_a_site_that_cannot_be_made_is_given_up(tmp_path: Path) -> None:
    words = refused(tmp_path / "x", "serve", STANDIN_BROKEN="site").splitlines()
    assert "RuntimeError: a fault in the program" in words
    assert words[-1] == "The site does not start; the lines above say why."


@pytest.mark.nightly
def test_a_first_page_that_is_a_fault_is_no_start(tmp_path: Path) -> None:
    words = refused(tmp_path / "x", "serve", STANDIN_BROKEN="page").splitlines()
    assert words[-1] == "The first page answers with a fault (500); the lines above say why."


def test_a_role_that_dies_is_started_again_and_the_broker_at_its_address(service: Service) -> None:
    children = sorted(pid for pid in service.processes() if _parent(pid) == service.process.pid)
    _broker, *roles = children
    assert len(roles) == 5
    for pid in roles:
        os.kill(pid, signal.SIGKILL)
    service.wait_for(
        lambda: service.said.count("was ended by SIGKILL; it starts again in 0.5 s.") == len(roles),
        "the deaths to be told",
    )
    assert service.get().startswith("process")
    wait_for_a_sweep(service)
    os.kill(pid_below(service, "valkey-server"), signal.SIGKILL)
    service.wait_for(
        lambda: "The broker was ended by SIGKILL" in service.said, "the death to be told"
    )
    wait_for_a_sweep(service)  # it is at its address again
    assert service.stop() == 0
    assert service.processes() == {}


def ignores(pid: int, number: signal.Signals) -> bool:
    """Whether a process ignores a signal."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    ignored = int(next(line for line in lines if line.startswith("SigIgn")).split()[1], 16)
    return bool(ignored >> (number - 1) & 1)


def _parent(pid: int) -> int:
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return 0


@pytest.mark.nightly
def test_clients_that_never_end_their_requests_do_not_keep_others_out(steady: Service) -> None:
    silent = [socket.create_connection(("127.0.0.1", steady.port)) for _ in range(10)]
    try:
        for each in silent:
            each.sendall(b"GET / HTTP/1.1\r\nHost: ")
        assert steady.get()
    finally:
        for each in silent:
            each.close()
