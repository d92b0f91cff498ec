"""`sealed check`, `sealed migrate` and the single roles on the command line."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from adjudicator.hosting.health import checks
from adjudicator.hosting.roles import broker
from adjudicator.platform import heartbeat
from adjudicator.platform.config import read_settings
from tests.hosting.conftest import SealedHere
from tests.hosting.service import ROOT, STANDINS, run_service
from tests.servers import free_port
from tests.waiting import LIMIT


def sealed(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environ = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": f"{STANDINS}{os.pathsep}{ROOT}",
        **settings,
    }
    command = [sys.executable, "-P", "-m", "adjudicator", *arguments]
    return subprocess.run(
        command, env=environ, capture_output=True, text=True, timeout=LIMIT, check=False
    )


def test_the_commands_are_listed_with_what_they_do() -> None:
    told = sealed("--help")
    assert told.returncode == 0
    assert all(
        f"\n  {name} " in told.stdout for name in ("check", "migrate", "serve", "web", "worker")
    )


def test_a_wrong_setting_is_one_line_and_an_exit_code_of_its_own() -> None:
    told = sealed("check", PORT="eighty")
    assert (told.returncode, told.stdout) == (78, "")
    assert told.stderr == "PORT (the port the site listens on) must be a whole number.\n"


def heard_of_a_sweep(folder: Path) -> bool:
    """Whether the broker of a service was told of a sweep."""
    own = broker.find_broker(folder)
    assert own is not None
    with heartbeat.open_client(own.url) as connection:
        return heartbeat.seconds_since(connection, heartbeat.SWEEP) is not None


@pytest.mark.parametrize(("age", "state"), [(-1.0, "wrong"), (1e9, "note")])
def test_a_service_that_has_just_started_is_not_called_wrong(
    tmp_path: Path, redis_url: str, monkeypatch: pytest.MonkeyPatch, age: float, state: str
) -> None:
    own = SimpleNamespace(url=redis_url, answers=lambda: True)
    monkeypatch.setattr(broker, "find_broker", lambda _: own)
    monkeypatch.setattr(heartbeat, "LONGEST_SILENCE", age)
    found = [
        each.state
        for each in checks.check_service(read_settings(data_dir=tmp_path))
        if "looked for what is due" in each.text
    ]
    assert found == [state]


def test_a_running_service_is_in_order(tmp_path: Path, sealed_here: SealedHere) -> None:
    with run_service(tmp_path / "data", "serve") as service:
        service.wait_for(lambda: heard_of_a_sweep(service.folder), "a sweep")
        told = sealed("check", DATA_DIR=str(service.folder), SITE_URL="http://localhost:8123")
        public = sealed_here(
            "check", DATA_DIR=str(service.folder), SITE_URL="https://orders.example.org"
        )
    assert told.returncode == 0, told.stdout
    assert public.returncode == 1 and "nobody gets a letter" in public.stdout
    for words in (
        "takes writes",
        "MB of its disk are free",
        "newest revision",
        "are looked for",
        "Valkey 9.1",
        "http://localhost:8123/mailbox",
        "can read them",
        "its fingerprint is",
    ):
        assert words in told.stdout
    assert (service.folder / "valkey" / "password").read_text() not in told.stdout


def test_what_is_missing_is_told_with_its_remedy(tmp_path: Path, sealed_here: SealedHere) -> None:
    port = free_port()
    told = sealed_here(
        "check",
        DATA_DIR=str(tmp_path / "none"),
        DATABASE_URL=f"postgres://u:hush@127.0.0.1:{port}/x",
        REDIS_URL=f"redis://:hush@127.0.0.1:{port}",
        SMTP_URL=f"smtp://u:hush@127.0.0.1:{port}",
    )
    assert told.returncode == 1
    assert told.stdout.count("WRONG") == 5 and "5 to put right." in told.stdout
    assert "hush" not in told.stdout + told.stderr and not (tmp_path / "none").exists()


def test_a_key_file_that_others_can_read_is_wrong(tmp_path: Path, sealed_here: SealedHere) -> None:
    (tmp_path / "worker.key").write_text("{}")
    (tmp_path / "worker.key").chmod(0o644)
    told = sealed_here("check", DATA_DIR=str(tmp_path), KEY_FILE=str(tmp_path / "worker.key"))
    assert "can be read by others: run chmod 600 on it" in told.stdout and told.returncode == 1


def test_migrate_makes_the_tables_and_may_be_said_twice(
    tmp_path: Path, sealed_here: SealedHere
) -> None:
    for run in (sealed, sealed_here):
        told = run("migrate", DATA_DIR=str(tmp_path))
        assert told.returncode == 0 and "the newest" in told.stdout


def test_a_role_alone_needs_the_newest_tables(
    tmp_path: Path, redis_url: str, sealed_here: SealedHere
) -> None:
    told = sealed_here("web", DATA_DIR=str(tmp_path), REDIS_URL=redis_url)
    assert told.returncode == 1 and "run `sealed migrate`" in told.stderr


@pytest.mark.nightly
def test_site_and_worker_run_apart_on_postgres_and_redis(
    tmp_path: Path, postgres_url: str, redis_url: str
) -> None:
    shared = {"DATABASE_URL": postgres_url, "REDIS_URL": redis_url}
    with (
        run_service(tmp_path / "web", "web", **shared) as site,
        run_service(tmp_path / "worker", "worker", **shared) as worker,
    ):
        assert site.get().startswith("process")
        worker.wait_for((worker.folder / "swept").exists, "a sweep")
        assert not (site.folder / "keys").exists()
        second = sealed("worker", DATA_DIR=str(worker.folder), **shared)
        assert (
            second.returncode == 1
            and f"process {worker.process.pid}, a worker with the clock" in second.stderr
        )
        assert (site.stop(), worker.stop()) == (0, 0)
        assert {**site.processes(), **worker.processes()} == {}
