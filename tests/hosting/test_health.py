"""`sealed check --role`, the container's health check, with real roles in separate processes; and
the scheduler alone.
"""

import os
import signal
from pathlib import Path

import pytest
import redis

from adjudicator.hosting.health import role_health
from adjudicator.platform import heartbeat
from adjudicator.platform.config import read_settings
from tests.hosting.conftest import SealedHere
from tests.hosting.service import ROOT, run_service
from tests.hosting.test_check import sealed
from tests.servers import free_port

REAL = {"PYTHONPATH": str(ROOT)}  # the real rooms, not the stand-ins


@pytest.mark.nightly
def test_roles_that_run_apart_are_well_and_told_when_they_stop(
    tmp_path: Path, postgres_url: str, redis_url: str, sealed_here: SealedHere
) -> None:
    port = free_port()
    shared = {
        "DATABASE_URL": postgres_url,
        "REDIS_URL": redis_url,
        "INBOX_URL": f"smtp://127.0.0.1:{port}",
        "LIVE_PORT": str(free_port()),
        "SECRET_KEY": "of all sites",
    }
    keys = {"KEY_FILE": str(tmp_path / "keys" / "worker.key")}

    def check(role: str, **settings: str) -> tuple[int, str]:
        done = sealed_here("check", "--role", role, **shared, **settings)
        return done.returncode, done.stdout.strip() + done.stderr

    def find_trouble(role: role_health.Role, **settings: str) -> str:
        """Return what `sealed check --role` prints, without a process for it."""
        return role_health.find_trouble(
            read_settings(**{name.lower(): value for name, value in (shared | settings).items()}),
            role,
        )

    nowhere = {"DATA_DIR": str(tmp_path / "none"), "PORT": str(port)}
    for role in role_health.ROLES:
        assert find_trouble(role, **nowhere).endswith("."), role
    code, said = check("web", **nowhere)
    assert code == 1 and said.endswith(".")
    with (
        run_service(tmp_path / "worker", "worker", "--no-beat", **shared, **keys, **REAL) as worker,
        run_service(tmp_path / "beat", "beat", **shared, **REAL) as beat,
        run_service(tmp_path / "web", "web", **shared, **REAL) as web,
        run_service(tmp_path / "inbox", "inbox", **shared, **REAL),
        run_service(tmp_path / "live", "live", **shared, **REAL),
    ):
        told = {"DATA_DIR": str(web.folder), "PORT": str(web.port)}
        worker.wait_for(
            lambda: (
                '"swept_seconds_ago": null' not in web.get("/healthz").replace(":null", ": null")
            ),
            "a sweep",
        )
        assert '"ok"' in web.get("/healthz?deep")
        worker.wait_for(lambda: find_trouble("worker", **told) == "", "the worker's pulse")
        for role in role_health.ROLES:
            worker.wait_for(
                lambda role=role: find_trouble(role, **told) == "", f"{role} to be well"
            )  # type: ignore[misc]
        worker.wait_for(
            lambda: check("worker", **told) == (0, "It is well."),
            "the command to find the worker well",
        )
        assert not (beat.folder / "keys").exists() and not (web.folder / "keys").exists()
        assert (beat.stop(), beat.processes()) == (0, {})
        worker.process.send_signal(signal.SIGTERM)
        worker.ended()
        with redis.Redis.from_url(redis_url) as broker:
            for name in (heartbeat.WORKER, heartbeat.BEAT):
                broker.expire(f"sealed.pulse.{name}.{os.uname().nodename}", 3600)
        for silent in ("worker", "beat"):
            assert "has had no pulse for" in find_trouble(silent, **told), silent  # type: ignore[arg-type]  # both are roles


@pytest.mark.nightly
def test_a_second_clock_in_one_folder_is_refused(
    tmp_path: Path, postgres_url: str, redis_url: str
) -> None:
    shared = {"DATABASE_URL": postgres_url, "REDIS_URL": redis_url}
    with run_service(tmp_path / "beat", "beat", **shared):
        second = sealed("beat", DATA_DIR=str(tmp_path / "beat"), **shared)
    assert second.returncode == 1 and "the clock" in second.stderr


def test_the_roles_of_one_machine_find_its_own_broker(tmp_path: Path) -> None:
    with run_service(tmp_path / "var", "serve", PYTHONPATH=str(ROOT)) as service:
        settings = read_settings(data_dir=service.folder, port=service.port)
        for role in role_health.ROLES:
            service.wait_for(
                lambda role=role: role_health.find_trouble(settings, role) == "",
                f"{role} to be well",
            )  # type: ignore[misc]
    assert "not running" in role_health.find_trouble(
        settings, "beat"
    ) or "no pulse" in role_health.find_trouble(settings, "beat")


@pytest.mark.parametrize("role", ["site", ""])
def test_only_roles_can_be_asked_for(role: str, sealed_here: SealedHere) -> None:
    assert sealed_here("check", "--role", role).returncode == 2
