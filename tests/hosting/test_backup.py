"""Backup and restore as in docs/hosting.md: the database and the key file, each copied while the
service runs.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from adjudicator.seal import crypto
from tests.hosting.conftest import SealedHere
from tests.hosting.service import ROOT, run_service
from tests.hosting.test_check import sealed
from tests.hosting.visitor import Visitor, letter_text
from tests.servers import free_port


def back_up(folder: Path, database: Path, key: Path) -> None:
    """Copy a consistent snapshot of the database, and the key file separately."""
    for path in (database, key):
        path.parent.mkdir(mode=0o700)
    with (
        closing(sqlite3.connect(folder / "sealed.sqlite3")) as source,
        closing(sqlite3.connect(database)) as target,
    ):
        source.backup(target)
    shutil.copy2(folder / "keys" / "worker.key", key)


def restore(folder: Path, database: Path, key: Path) -> None:
    """Put both into the folder of a new installation."""
    (folder / "keys").mkdir(mode=0o700, parents=True)
    shutil.copy2(database, folder / "sealed.sqlite3")
    shutil.copy2(key, folder / "keys" / "worker.key")


def test_a_match_goes_on_from_a_backup_with_the_orders_that_were_sealed(
    tmp_path: Path, sealed_here: SealedHere
) -> None:
    database, key = tmp_path / "safe" / "sealed.sqlite3", tmp_path / "elsewhere" / "worker.key"
    with run_service(tmp_path / "var", "serve", PYTHONPATH=str(ROOT)) as service:
        alice = Visitor(service, "alice@example.org")
        alice.sign_in()
        uid = alice.play_bots("Half a Match")
        for number, piece in enumerate(("B3", "B2", "B1"), start=1):
            alice.post(f"/matches/{uid}/orders", phase=str(number), text=piece)
            alice.until(uid, f"You owe orders for Round {number + 1}")
        old_report = alice.letter("Round 4: you owe orders")
        alice.post(f"/matches/{uid}/orders", phase="4", text="W3", says="wait")
        back_up(service.folder, database, key)
        alice.post(f"/matches/{uid}/say", word="ready")
        alice.until(uid, "You owe orders for Round 5")
    restore(tmp_path / "new", database, key)
    with run_service(tmp_path / "new", "serve", PYTHONPATH=str(ROOT)) as service:
        alice.service = service
        assert "Sealed for Round 4" in alice.get(f"/matches/{uid}"), (
            "signed in as before, at the moment of the backup"
        )
        alice.post(f"/matches/{uid}/say", word="ready")
        alice.until(uid, "You owe orders for Round 5")
        assert "white large" in letter_text(alice.letter("Round 5")), (
            "what was sealed before the backup was opened after it"
        )
        alice.answer(old_report, "W2\n")
        answer = alice.letter("")
        alice.until(uid, "Half a Match")
        assert "Round" in str(answer["Subject"]), "the seat's address of before is still hers"
    done = sealed_here("check", DATA_DIR=str(tmp_path / "new"))
    assert "its fingerprint is" in done.stdout


@pytest.mark.nightly
def test_without_its_key_file_or_with_another_a_database_is_not_served(
    tmp_path: Path, sealed_here: SealedHere
) -> None:
    database, key = tmp_path / "safe" / "sealed.sqlite3", tmp_path / "elsewhere" / "worker.key"
    with run_service(tmp_path / "var", "serve", PYTHONPATH=str(ROOT)) as service:
        alice = Visitor(service, "alice@example.org")
        alice.sign_in()
        uid = alice.play_bots("Lost Keys")
        alice.post(f"/matches/{uid}/orders", phase="1", text="B3", says="wait")
        alice.letter("Round 1")
        back_up(service.folder, database, key)
    other = tmp_path / "other" / "worker.key"
    crypto.ensure_key_file(other)
    restore(tmp_path / "new", database, other)
    told = sealed(
        "serve", DATA_DIR=str(tmp_path / "new"), PORT=str(free_port()), PYTHONPATH=str(ROOT)
    )
    assert (
        told.returncode == 78
        and "is not the one this database was sealed to" in told.stdout + told.stderr
    )
    (tmp_path / "new" / "keys" / "worker.key").unlink()
    told = sealed(
        "serve", DATA_DIR=str(tmp_path / "new"), PORT=str(free_port()), PYTHONPATH=str(ROOT)
    )
    assert (
        told.returncode == 78
        and "is missing, and sealed orders need it: restore it" in told.stdout + told.stderr
    )
    checked = sealed_here("check", DATA_DIR=str(tmp_path / "new"))
    assert checked.returncode == 1 and not (tmp_path / "new" / "keys" / "worker.key").exists(), (
        "no new file hides the loss"
    )
    honest = (
        "open orders of 3 seats are lost",
        "1 running match cannot go on",
        "ended matches and closed phases stay",
        "Look for a copy",
    )
    for said in (told.stdout + told.stderr, checked.stdout):
        assert [words for words in honest if words not in " ".join(said.split())] == [], said
    (tmp_path / "new" / "keys" / "worker.key").write_text("{}")
    (tmp_path / "new" / "keys" / "worker.key").chmod(0o600)
    assert "is damaged" in sealed_here("check", DATA_DIR=str(tmp_path / "new")).stdout
