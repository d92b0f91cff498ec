"""`sealed backup`: whole copies for their owner only, on both databases, and how many of them
stay.
"""

import os
import secrets
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from adjudicator.hosting import backup
from adjudicator.hosting.backup import back_up
from adjudicator.platform import db
from adjudicator.platform.config import read_settings
from adjudicator.platform.errors import HostFault
from adjudicator.service.erasure import erasing
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import BEGIN, Harness
from tests.hosting.conftest import SealedHere
from tests.hosting.test_writable import no_larger_files_than
from tests.server_search import find_postgres


@pytest.fixture
def restored_url(postgres_server: str) -> Iterator[str]:
    """An empty PostgreSQL database."""
    name = f"restored_{secrets.token_hex(6)}"
    with psycopg.connect(postgres_server.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield make_url(postgres_server).set(database=name).render_as_string(hide_password=False)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def test_a_match_goes_on_from_a_copy_of_sqlite_that_was_made_beside_a_writer(
    tmp_path: Path, sqlite_url: str
) -> None:
    settings = read_settings(data_dir=tmp_path, database_url=sqlite_url)
    with Harness(sqlite_url) as harness:
        uid = harness.match(ALICE, BOB, CHARLIE)
        erasing.erase_player(
            harness.database, harness.player("Erasmus-of-Rotterdam"), now=harness.now
        )
        with harness.database.write_tx():
            done = back_up(settings, tmp_path / "safe", keep=None, now=harness.now)
        harness.order(uid, ALICE, "B3")
    assert (done.path.name, done.path.stat().st_mode & 0o777) == (
        "sealed-orders-20261102T120000Z.sqlite3",
        0o600,
    )
    assert b"erasmus-of-rotterdam" not in done.path.read_bytes().lower(), (
        "freed pages hold what was erased"
    )
    with Harness(f"sqlite:///{done.path}", harness.keyring, now=harness.now) as copy:
        copy.round(uid, [(ALICE, "B2"), (BOB, "W3"), (CHARLIE, "B3")])
    assert (tmp_path / "safe").stat().st_mode & 0o777 == 0o700


def test_a_copy_of_postgresql_is_restored_and_its_password_is_no_argument(
    tmp_path: Path, postgres_url: str, restored_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{find_postgres().folder}{os.pathsep}{os.environ['PATH']}")
    commands, run = list[Any](), subprocess.run
    monkeypatch.setattr(
        backup.subprocess,
        "run",
        lambda command, **how: commands.append((command, how["env"])) or run(command, **how),
    )
    with Harness(postgres_url) as harness:
        uid = harness.match(ALICE, BOB, CHARLIE)
    done = back_up(
        read_settings(data_dir=tmp_path, database_url=postgres_url), tmp_path, keep=None, now=BEGIN
    )
    assert (done.path.name, done.path.stat().st_mode & 0o777) == (
        "sealed-orders-20261102T120000Z.dump",
        0o600,
    )
    assert [command[0] for command, _ in commands] == ["pg_dump", "pg_restore"]
    url, password = make_url(restored_url), str(make_url(postgres_url).password)
    assert all(
        password not in " ".join(command) and environ["PGPASSWORD"] == password
        for command, environ in commands
    )
    into = url.set(drivername="postgresql").render_as_string(hide_password=False)
    run(
        [
            "pg_restore",
            "--no-owner",
            "--no-privileges",
            "--exit-on-error",
            f"--dbname={into}",
            str(done.path),
        ],
        check=True,
    )
    assert len(set(db.revisions(restored_url))) == 1
    with Harness(restored_url, harness.keyring, now=harness.now) as copy:
        copy.round(uid, [(ALICE, "B2"), (BOB, "W3"), (CHARLIE, "B3")])


def test_the_newest_copies_stay_and_nothing_else_is_removed(
    tmp_path: Path, sqlite_url: str
) -> None:
    settings = read_settings(data_dir=tmp_path, database_url=sqlite_url)
    others = (
        "worker.key",
        "sealed-orders-20261101T120000Z.sqlite3.old",
        "sealed-orders-yesterday.dump",
    )
    for name in others:
        (tmp_path / name).touch()
    made = [
        back_up(settings, tmp_path, keep=2, now=BEGIN + timedelta(days=day)) for day in range(3)
    ]
    assert [(each.kept, each.removed) for each in made] == [(1, 0), (2, 0), (2, 1)]
    left = {each.name for each in tmp_path.iterdir()}
    assert left == {*others, *(each.path.name for each in made[1:])}


def test_a_copy_that_cannot_be_made_leaves_the_older_ones_and_no_part(
    tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = read_settings(data_dir=tmp_path, database_url=sqlite_url)
    folder = tmp_path / "safe"
    first = back_up(settings, folder, keep=1, now=BEGIN)
    later = BEGIN + timedelta(days=1)
    with no_larger_files_than(100_000), pytest.raises(HostFault, match="could not be copied to"):
        back_up(settings, folder, keep=1, now=later)
    with pytest.raises(HostFault, match=r"There can be no folder .*: Not a directory"):
        back_up(settings, first.path / "copies", keep=1, now=later)
    nothing = read_settings(data_dir=tmp_path / "none")
    with pytest.raises(HostFault, match="There is no database at"):
        back_up(nothing, folder, keep=1, now=later)
    other = tmp_path / "other.sqlite3"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE x (y)")
    with pytest.raises(HostFault, match="holds nothing of this service"):
        back_up(
            read_settings(data_dir=tmp_path, database_url=f"sqlite:///{other}"),
            folder,
            keep=1,
            now=later,
        )
    away = read_settings(data_dir=tmp_path, database_url="postgresql://u:hush@127.0.0.1:1/x")
    monkeypatch.setenv("PATH", str(find_postgres().folder))
    with pytest.raises(HostFault, match="could not be copied: pg_dump: error: connection") as fault:
        back_up(away, folder, keep=1, now=later)
    assert "hush" not in str(fault.value)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HostFault, match="There is no pg_dump on this machine"):
        back_up(away, folder, keep=1, now=later)
    assert [each.name for each in folder.iterdir()] == [first.path.name] and not (
        tmp_path / "none"
    ).exists()


def test_a_damaged_database_is_told(
    tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Path(make_url(sqlite_url).database or "")
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with file.open("r+b") as content:
        content.seek(8192)
        content.write(b"\xff" * 40_000)
    with pytest.raises(HostFault, match=r"could not be copied|is damaged"):
        back_up(
            read_settings(data_dir=tmp_path, database_url=sqlite_url),
            tmp_path / "safe",
            keep=1,
            now=BEGIN,
        )
    assert list((tmp_path / "safe").iterdir()) == []


def test_the_command_says_what_it_did(
    tmp_path: Path, sqlite_url: str, sealed_here: SealedHere
) -> None:
    done = sealed_here(
        "backup",
        str(tmp_path / "safe"),
        "--keep",
        "3",
        DATA_DIR=str(tmp_path),
        DATABASE_URL=sqlite_url,
    )
    (path,) = (tmp_path / "safe").iterdir()
    assert (
        done.returncode == 0
        and f"{path} holds the database, " in done.stdout
        and "has 1 copy." in done.stdout
    )
    assert "The key file is not in it" in done.stdout
