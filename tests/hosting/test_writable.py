"""Where nothing can be written, the start, each role's check and `sealed check` say so."""

import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis
from sqlalchemy import make_url
from sqlmodel import select

from adjudicator.hosting.health import checks, role_health, storage_checks
from adjudicator.hosting.messages import CannotStart
from adjudicator.hosting.roles import broker
from adjudicator.hosting.starting import preflight, startup
from adjudicator.platform import db, disk
from adjudicator.platform.config import Settings, read_settings
from adjudicator.service.base.tables import ServiceStamp
from adjudicator.service.phases import stamps
from tests.databases import as_role, make_read_only


def wrong(settings: Settings) -> list[str]:
    """Return what is found wrong of folders and database."""
    return [each.text for each in storage_checks.check_storage(settings) if each.state == "wrong"]


@pytest.mark.both_databases
def test_a_database_that_takes_no_writes_stops_the_start_and_is_told_by_each_check(
    tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = read_settings(data_dir=tmp_path, database_url=database_url)
    starts: list[Callable[[], object]] = [
        lambda: startup.migrate(settings),
        lambda: preflight.require_writable(settings),
    ]
    for start in starts:
        start()
    assert role_health.find_trouble(settings, "inbox") == ""
    assert not [line for line in wrong(settings) if "cannot be used" in line]
    connected = db.Database.__init__

    def connect_read_only(database: db.Database, url: str, **known: Any) -> None:
        connected(database, url, **known)
        make_read_only(database)

    monkeypatch.setattr(db.Database, "__init__", connect_read_only)
    for start in starts:
        with pytest.raises(
            CannotStart, match=r"cannot be used: .*(readonly database|read-only transaction)"
        ):
            start()
    assert role_health.find_trouble(settings, "inbox").startswith("The database takes no writes")
    assert [
        line
        for line in wrong(settings)
        if "look whose they are" in line or "default_transaction_read_only" in line
    ]


@pytest.mark.both_databases
def test_what_a_check_writes_leaves_no_trace(database_url: str) -> None:
    database = db.Database(database_url)
    stamps.try_stamp(database)
    with database.read_tx() as session:
        assert session.exec(select(ServiceStamp)).all() == []
    database.engine.dispose()


def test_a_login_that_only_reads_is_in_order(tmp_path: Path, postgres_url: str) -> None:
    told = list(
        storage_checks.check_storage(
            read_settings(data_dir=tmp_path, database_url=as_role(postgres_url, "beat"))
        )
    )
    assert [each.state for each in told if "this login only reads it" in each.text] == ["ok"]


@contextmanager
def no_larger_files_than(most: int) -> Iterator[None]:
    """Let this process write no larger files, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_told_of_each_folder(
    tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = read_settings(data_dir=tmp_path, database_url=sqlite_url)
    folders = (tmp_path, Path(make_url(sqlite_url).database or "").parent)
    assert settings.folders == folders
    database = db.Database(sqlite_url)
    with database.read_tx() as running:
        running.exec(select(ServiceStamp)).all()
        with no_larger_files_than(1000):
            told = wrong(settings)
    database.engine.dispose()
    assert [line for line in told if "written" in line] == [
        f"{folder} cannot be written to (File too large): make room on its disk."
        for folder in folders
    ]
    assert [line for line in told if "cannot be used: " in line and "its disk is full" in line], (
        "a service that runs has the files that SQLite makes beside the database"
    )
    monkeypatch.setattr(disk, "SCARCE", 10**18)
    assert (
        len(
            [
                line
                for line in wrong(settings)
                if line.startswith("The disk of") and "MB are free. Make room." in line
            ]
        )
        == 2
    )


def test_a_database_that_may_not_be_opened_is_told_with_a_remedy(tmp_path: Path) -> None:
    settings = read_settings(data_dir=tmp_path, database_url=f"sqlite:///{tmp_path}")
    assert [line for line in wrong(settings) if "look whose they are" in line]


def test_a_broker_that_takes_no_writes_is_wrong(
    tmp_path: Path, sqlite_url: str, redis_url: str
) -> None:
    with redis.Redis.from_url(redis_url) as server:
        server.execute_command(
            "ACL", "SETUSER", "reader", "on", ">read", "~*", "+@read", "+@connection", "+info"
        )
        where = (
            make_url(redis_url)
            .set(username="reader", password="read")
            .render_as_string(hide_password=False)
        )
        settings = read_settings(data_dir=tmp_path, database_url=sqlite_url, redis_url=where)
        try:
            told = [each.text for each in checks.check_service(settings) if each.state == "wrong"]
        finally:
            server.execute_command("ACL", "DELUSER", "reader")
    assert [line for line in told if line.startswith("REDIS_URL") and "permission" in line.lower()]


def test_an_embedded_broker_that_refuses_is_not_told_as_one_that_does_not_run(
    tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = read_settings(data_dir=tmp_path, database_url=sqlite_url)
    own = broker.Broker(tmp_path, 1, "hush")
    monkeypatch.setattr(broker, "find_broker", lambda _: own)
    full = "MISCONF Errors writing to the AOF file: No space left on device"
    for fault, state, told in (
        (redis.ResponseError(full), "wrong", f"127.0.0.1:1/0 cannot be used: {full}"),
        (redis.TimeoutError("Timeout reading"), "wrong", "cannot be used: Timeout reading"),
        (redis.ConnectionError("refused"), "note", "the embedded broker is not running"),
    ):

        def answer(*_: object, fault: Exception = fault, **_more: object) -> None:
            raise fault

        monkeypatch.setattr(redis.Redis, "execute_command", answer)
        found = checks._redis(settings)
        assert found.state == state and told in found.text, found
        assert "hush" not in found.text
