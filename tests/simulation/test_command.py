"""`script/simulate` with mistyped arguments, interrupted, or with the database of a real
installation.
"""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from adjudicator.platform.db import Database
from adjudicator.service.base.tables import Player
from tests.sampling import sample
from tests.simulation import claim, simulate
from tests.simulation.claim import NotOurs
from tests.simulation.fixture_db import FixtureDb, nothing_left_behind
from tests.simulation.run import Scene, play_seed
from tests.waiting import LIMIT, wait_until

ROOT = Path(__file__).parent.parent.parent


def _start(*arguments: str, folder: Path) -> "subprocess.Popen[str]":
    environ = os.environ | {"SIMULATION_FOLDER": str(folder)}
    command = [sys.executable, "-P", "-m", "tests.simulation.simulate", *arguments]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # tests may run with it ignored
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


@pytest.mark.parametrize(
    "arguments", [("--seeds", "0"), ("--seeds", "x"), ("--from", "-5"), ("--jobs", "0")]
)
def test_a_wrong_number_is_told_in_a_sentence(
    arguments: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["simulate", *arguments])
    with pytest.raises(SystemExit) as end:
        simulate.main()
    assert end.value.code == 2 and len(capsys.readouterr().err.splitlines()) <= 3


@pytest.mark.parametrize(
    "arguments", sample([("--database", "sqlite:///file"), ("--database", "x")], 1)
)
def test_a_slip_is_told_in_a_sentence(arguments: tuple[str, str], tmp_path: Path) -> None:
    process = _start(*arguments, folder=tmp_path)
    _, told = process.communicate(timeout=LIMIT)
    assert process.returncode == 2
    assert "Traceback" not in told and len(told.splitlines()) <= 3


@pytest.mark.parametrize("jobs", sample(["2", "1"], 1))
def test_an_interrupted_run_leaves_nothing_behind(jobs: str, tmp_path: Path) -> None:
    process = _start("--seeds", "500", "--jobs", jobs, folder=tmp_path)
    wait_until(
        lambda: len(list(tmp_path.glob("*/*/world.sqlite3"))) >= int(jobs),
        "a world for each job",
        of=[process],
    )
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    try:
        _, told = process.communicate(timeout=LIMIT)
    finally:
        with contextlib.suppress(ProcessLookupError):  # end what is left of it
            os.killpg(process.pid, signal.SIGKILL)
    assert (process.returncode, told) == (130, "Interrupted: nothing is left behind.\n")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_removed_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIMULATION_FOLDER", str(tmp_path))
    with nothing_left_behind():
        fixture_db = FixtureDb().__enter__()
        assert fixture_db.folder.exists() and tmp_path in fixture_db.folder.parents
    assert list(tmp_path.iterdir()) == []
    fixture_db.__exit__()


# --- ownership of the database


@pytest.fixture
def connection(postgres_url: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """A connection to a migrated database."""
    with psycopg.connect(postgres_url.replace("+psycopg", ""), autocommit=True) as connection:
        yield connection


def test_a_database_that_somebody_uses_is_refused_and_nothing_is_changed(
    postgres_url: str,
    connection: psycopg.Connection[tuple[object, ...]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SIMULATION_FOLDER", str(tmp_path))
    database = Database(postgres_url)
    with database.write_tx() as session:
        session.add(Player(name="Ada", made_at=datetime.now(UTC)))
    database.engine.dispose()
    with pytest.raises(NotOurs, match=r"\(in player\)"), FixtureDb(postgres_url):
        pass
    assert connection.execute("SELECT name FROM player").fetchall() == [("Ada",)]
    assert list(tmp_path.iterdir()) == []


def test_a_database_of_another_program_is_refused(
    postgres_url: str, connection: psycopg.Connection[tuple[object, ...]]
) -> None:
    connection.execute("CREATE TABLE invoice AS SELECT 1 AS number")
    with pytest.raises(NotOurs, match="invoice"):
        claim.claim_database(postgres_url)


def test_a_database_that_a_run_left_full_is_taken_again_and_left_empty(
    postgres_url: str, connection: psycopg.Connection[tuple[object, ...]]
) -> None:
    with FixtureDb(postgres_url) as fixture_db:
        play_seed(fixture_db, 0, Scene(quiet=True, until=10.0))
        assert claim.filled_tables(connection, claim.table_names(connection)) != []
        claim.claim_database(postgres_url)  # as if the first had been killed
    assert claim.filled_tables(connection, claim.table_names(connection)) == []
    connection.execute("CREATE TABLE invoice AS SELECT 1 AS number")
    with pytest.raises(NotOurs, match="invoice"):
        claim.claim_database(postgres_url)
