"""A full disk, a locked or absent database, a stop during the start: each ends with a sentence and
no traceback.
"""

import resource
import signal
import subprocess
from pathlib import Path

import psycopg
import pytest

from tests.databases import new_sqlite
from tests.hosting.service import SEALED, Service
from tests.hosting.test_check import ROOT, STANDINS
from tests.servers import free_port
from tests.waiting import LIMIT


def limited(most: int, *arguments: str, **settings: str) -> tuple[int, str]:
    """Run a command that cannot write files over `most` bytes, as on a full disk; return its exit
    code and output.
    """

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    environ = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": f"{STANDINS}:{ROOT}",
        "PYTHONDONTWRITEBYTECODE": "1",
        **settings,
    }
    done = subprocess.run(
        [*SEALED, *arguments],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LIMIT,
        check=False,
        preexec_fn=limit,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("most", "words"),
    [
        (0, "cannot be written to (File too large): make room on its disk."),  # the lock
        # the broker's settings
        (100, "cannot be written to (File too large): make room on its disk."),
        (30_000, "The database is not ready, so nothing was started."),
    ],
)
@pytest.mark.nightly
def test_a_start_on_a_full_disk_ends_in_a_sentence(tmp_path: Path, most: int, words: str) -> None:
    code, said = limited(most, "serve", DATA_DIR=str(tmp_path / "x"), PORT=str(free_port()))
    assert code == 1 and "Traceback" not in said
    assert said.rstrip().endswith(words)


@pytest.mark.nightly
def test_what_a_full_disk_left_half_written_stops_no_later_start_and_no_check(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "x"
    limited(0, "serve", DATA_DIR=str(folder), PORT=str(free_port()))
    for name in ("valkey", "inbox"):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "port").write_text("")
    code, said = limited(resource.RLIM_INFINITY, "check", DATA_DIR=str(folder))
    assert code == 1 and "Traceback" not in said and "to put right" in said
    service = Service(folder, "serve", new=True)
    try:
        service.wait_until_ready()
    finally:
        service.end()


def test_a_command_says_that_the_disk_is_full(tmp_path: Path) -> None:
    new_sqlite(tmp_path / "sealed.sqlite3")
    code, said = limited(20_000, "block", "evil.example", DATA_DIR=str(tmp_path))
    assert (
        code == 1
        and said.count("\n") == 1
        and "cannot be used" in said
        and "Look whether its disk is full." in said
    )


def test_a_command_says_that_the_database_is_held(postgres_url: str, tmp_path: Path) -> None:
    plain = postgres_url.replace("+psycopg", "")
    with psycopg.connect(plain) as other:
        other.execute("LOCK TABLE blocked")
        quick = f"{plain}?options=-c%20lock_timeout%3D200"
        code, said = limited(
            resource.RLIM_INFINITY,
            "block",
            "evil.example",
            DATA_DIR=str(tmp_path),
            DATABASE_URL=quick,
        )
    assert (
        code == 1
        and said.count("\n") == 1
        and "was held by another process for too long: try again in a moment." in said
    )


@pytest.mark.nightly
def test_a_command_says_that_the_database_is_away(tmp_path: Path) -> None:
    away = f"postgresql://sealed:secret@127.0.0.1:{free_port()}/sealed"
    code, said = limited(
        resource.RLIM_INFINITY, "block", "--list", DATA_DIR=str(tmp_path), DATABASE_URL=away
    )
    assert (
        code == 1
        and said.count("\n") == 1
        and "cannot be used: connection failed" in said
        and "secret" not in said
    )


def hears(pid: int, number: signal.Signals) -> bool:
    """Whether a process handles a signal itself."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    caught = int(next(line for line in lines if line.startswith("SigCgt")).split()[1], 16)
    return bool(caught >> (number - 1) & 1)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_before_anything_was_started_ends_in_a_sentence(
    tmp_path: Path, how: signal.Signals
) -> None:
    service = Service(tmp_path / "x", "serve", new=True)
    try:
        service.wait_for(lambda: hears(service.process.pid, signal.SIGTERM), "its first handler")
        assert service.stop(how) == 0
        assert (
            "Stopped before anything was started. Nothing is lost." in service.said
            and "Traceback" not in service.said
        )
    finally:
        service.end()


def test_another_command_that_is_stopped_does_not_pretend_to_be_done(tmp_path: Path) -> None:
    service = Service(tmp_path / "x", "migrate")
    try:
        service.wait_for(lambda: hears(service.process.pid, signal.SIGTERM), "its first handler")
        assert service.stop(signal.SIGTERM) == 128 + signal.SIGTERM
        assert service.said == "\nStopped.\n"
    finally:
        service.end()


@pytest.mark.parametrize("step", [2, 4, 6])
@pytest.mark.nightly
def test_a_stop_at_any_step_of_a_start_ends_in_a_sentence(tmp_path: Path, step: int) -> None:
    service = Service(tmp_path / "x", "serve", new=step == 2)  # then the database is made
    try:
        service.wait_for(lambda: f"{step} of 8" in service.said, f"step {step}")
        assert service.stop(signal.SIGTERM) == 0
        assert service.said.rstrip().endswith(
            "Stopped. Nothing is lost: the next start goes on from here."
        )
        assert "Traceback" not in service.said and service.processes() == {}
    finally:
        service.end()
