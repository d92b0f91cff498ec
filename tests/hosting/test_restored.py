"""`sealed restored` after a real restore: a service plays on from a backup, and whoever kept
letters of the lost time is told so.
"""

import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import make_url

from adjudicator.commands import restored
from adjudicator.platform import clock
from adjudicator.platform.db import Database
from adjudicator.seal import crypto
from adjudicator.service.checkpoints import growing
from tests.hosting.conftest import run_here
from tests.hosting.service import ROOT, Service, run_service
from tests.hosting.test_check import sealed
from tests.hosting.test_rotation import check_match, published
from tests.hosting.visitor import Visitor, letter_text
from tests.server_search import find_postgres
from tests.waiting import LIMIT, wait_until

PutBack = Callable[[], None]


def back_up(url: str, folder: Path) -> PutBack:
    """Back a database up as docs/hosting.md says; return what puts it back."""
    return (
        _back_up_sqlite(Path(url.partition("///")[2]), folder)
        if url.startswith("sqlite")
        else _dump(url, folder)
    )


def _back_up_sqlite(file: Path, folder: Path) -> PutBack:
    copy = folder / "safe.sqlite3"
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)

    def put_back() -> None:
        for beside in file.parent.glob(f"{file.name}-*"):
            beside.unlink()
        shutil.copy2(copy, file)

    return put_back


def _dump(url: str, folder: Path) -> PutBack:
    dump, plain = (
        folder / "safe.dump",
        make_url(url).set(drivername="postgresql").render_as_string(hide_password=False),
    )
    _run("pg_dump", "--format=custom", f"--file={dump}", plain)
    return lambda: _run(
        "pg_restore",
        "--clean",
        "--if-exists",
        "--no-owner",
        "--no-privileges",
        f"--dbname={plain}",
        str(dump),
    )


def _run(program: str, *arguments: str) -> None:
    beside = find_postgres().folder / program
    command = [str(beside) if beside.exists() else program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr


def save_checkpoint(service: Service, url: str, path: Path) -> None:
    """Have the checkpoint made that would be due in ten minutes, and save it as a witness does."""
    database = Database(url)
    keyring = crypto.load_key_file(service.folder / "keys" / "worker.key")
    growing.grow_log(database, keyring, now=database.now())
    database.engine.dispose()
    path.write_text(service.get("/log/checkpoint"), "utf-8")


@pytest.mark.nightly
def test_a_service_plays_on_from_a_backup_and_tells_what_was_lost(
    database_url: str, tmp_path: Path
) -> None:
    environ, note = (
        {
            "DATABASE_URL": database_url,
            "DATA_DIR": str(tmp_path / "var"),
        },
        tmp_path / "saved.txt",
    )
    with run_service(
        tmp_path / "var", "serve", PYTHONPATH=str(ROOT), DATABASE_URL=database_url
    ) as service:
        alice = Visitor(service, "alice@example.org")
        alice.sign_in()
        uid = alice.play_bots("Two Lives")
        alice.post(f"/matches/{uid}/orders", phase="1", text="B3")
        alice.until(uid, "You owe orders for Round 2")
        alice.post(f"/matches/{uid}/orders", phase="2", text="B2", says="wait")
        alice.letter("Round 2: you owe orders")
        put_back = back_up(database_url, tmp_path)
        saved_at = clock.now()
        wait_until(
            lambda: clock.now() - saved_at > timedelta(seconds=1),
            "the next second, as a letter's date has whole ones",
        )
        alice.post(f"/matches/{uid}/say", word="ready")
        alice.until(uid, "You owe orders for Round 3")
        alice.get(f"/matches/{uid}")
        alice.post(f"/matches/{uid}/orders", phase="3", text="B1")
        alice.until(uid, "You owe orders for Round 4")
        alice.letter("Round 4: you owe orders")
        save_checkpoint(service, database_url, note)
        refused = sealed("restored", str(note), "--yes", **environ)
        assert refused.returncode == 1 and "in use by another sealed" in refused.stderr
        assert service.stop() == 0
    nothing = run_here("restored", str(note), "--yes", **environ)
    assert nothing.returncode == 1 and "it shows no restore" in nothing.stdout
    put_back()
    asked = sealed("restored", str(note), **environ)
    assert (
        asked.returncode == 1
        and "1 match that has not ended gets new chance" in asked.stdout
        and "Do it?" in asked.stdout
    )
    assert (
        sealed(
            "restored", str(note), "--yes", **environ, SEALED_CRASH_AT="restore.in_batch"
        ).returncode
        == -signal.SIGKILL
    )
    told = sealed("restored", str(note), "--yes", **environ)
    assert told.returncode == 0 and "1 match goes on with new chance" in told.stdout, (
        told.stdout + told.stderr
    )
    again = run_here("restored", str(note), "--yes", **environ)
    assert again.returncode == 0 and "nothing left to do" in again.stdout
    with run_service(
        tmp_path / "var", "serve", PYTHONPATH=str(ROOT), DATABASE_URL=database_url
    ) as service:
        alice.service = service
        letter = alice.letter("newer ones are gone")
        assert "Round 2 is open again" in " ".join(letter_text(letter).split())
        assert "Sealed for Round 2" in alice.get(f"/matches/{uid}"), (
            "what was sealed before the backup is there"
        )
        alice.post(f"/matches/{uid}/say", word="ready")
        alice.until(uid, "You owe orders for Round 3")
        alice.get(f"/matches/{uid}")
        alice.post(f"/matches/{uid}/orders", phase="3", text="W3")
        alice.until(uid, "You owe orders for Round 4")
        alice.letter("Round 4: you owe orders")
        assert published(service)["public_log"]["origin"].endswith("/log/2")  # type: ignore[index]
        assert service.get("/log/2/checkpoint").splitlines()[0].endswith("/log/2")
        printed = check_match(service, uid, alice, tmp_path, str(published(service)["fingerprint"]))
        assert "lost by the restore of" in printed and "ok           R13" in printed


@pytest.mark.parametrize("arguments", [[], ["saved.txt", "--without-checkpoint"]])
def test_it_wants_a_checkpoint_or_the_word_that_there_is_none(
    arguments: list[str], tmp_path: Path, settings_of: Callable[..., None]
) -> None:
    settings_of(DATA_DIR=str(tmp_path))
    told = CliRunner().invoke(restored.command, arguments)
    assert told.exit_code == 2 and "Give the last checkpoint that anybody kept" in told.stderr
