"""Worlds on PostgreSQL: every check holds there too, and waits for locks happen in the world
only.
"""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from psycopg.errors import DeadlockDetected
from sqlalchemy import text
from sqlmodel import Session

from adjudicator.platform.db import LEFT_ALONE_SECONDS, DatabaseBusy
from adjudicator.service.base.tables import Player
from tests.sampling import EVERY_CASE, examples
from tests.simulation import probes
from tests.simulation.fixture_db import FixtureDb
from tests.simulation.locks import DEADLOCK, WAITED
from tests.simulation.postgres_connection import ENDED
from tests.simulation.run import Scene, play_seed
from tests.simulation.world import Process, World

SEEDS = (6, 4, 29)[: examples(1, 3)]
SEED = 34
# seconds in which faults are made, where only stories are compared
SHORT = 120.0 if not EVERY_CASE else Scene().until
_LOCK = text("SELECT id FROM player WHERE id = :id FOR UPDATE")
_ANOTHER_PROCESS = """
import sys
from tests.simulation import probes
from tests.simulation.run import Scene, play_seed
from tests.simulation.fixture_db import FixtureDb
with FixtureDb(sys.argv[1]) as fixture_db, probes.count_results():
    sys.stdout.write(play_seed(fixture_db, int(sys.argv[2]), Scene(until=float(sys.argv[3]))).digest)
"""


@pytest.fixture(scope="module")
def fixture_db(shared_postgres_url: str) -> Iterator[FixtureDb]:
    """A fixture on PostgreSQL; each world empties it."""
    with FixtureDb(shared_postgres_url) as fixture_db, probes.count_results():
        yield fixture_db


class Queue:
    """A world in which processes lock the rows 1 to 3; records who had which row when, who finished
    and who failed.
    """

    def __init__(self, fixture_db: FixtureDb) -> None:
        fixture_db.clear()
        self.fixture_db, self.world = fixture_db, World(0)
        World.here = self.world
        self.had: list[tuple[str, int]] = []
        self.at: dict[tuple[str, int], float] = {}
        self.faults: dict[str, BaseException] = {}
        self.done: list[str] = []
        self.processes: dict[str, Process] = {}
        with fixture_db.eyes.write_tx() as session:
            session.add_all(
                [
                    Player(id=number, name="Somebody", made_at=self.world.now())
                    for number in (1, 2, 3)
                ]
            )

    def lock(self, begins: float, name: str, *rows: int, holds: float = 1.0) -> None:
        """Have a process lock rows one after the other and hold each for `holds` seconds."""

        def work() -> None:
            with self.fixture_db.databases["web"].write_tx() as session:
                for row in rows:
                    self._take(session, name, row)
                    self.world.wait(holds)

        def ended(_: object, fault: BaseException | None) -> None:
            if fault is None:
                self.done.append(name)
            else:
                self.faults[name] = fault

        process = self.processes[name] = Process(name)
        self.world.at(begins, self.world.spawn, process, name, work, ended)

    def _take(self, session: Session, name: str, row: int) -> None:
        session.connection().execute(_LOCK, {"id": row})
        self.had.append((name, row))
        self.at[name, row] = self.world.seconds


@pytest.fixture
def queue(fixture_db: FixtureDb) -> Iterator[Queue]:
    """A world for locking rows."""
    queue = Queue(fixture_db)
    yield queue
    queue.world.end()


# --- locks


def test_those_who_wait_for_one_row_go_on_in_their_order_while_the_world_goes_on(
    queue: Queue,
) -> None:
    queue.lock(0, "first", 1, holds=9)
    for begins, name in ((2, "second"), (3, "third"), (4, "fourth")):
        queue.lock(begins, name, 1)
    queue.lock(2.5, "bystander", 2)
    queue.world.run(100)
    assert queue.had == [("first", 1), ("bystander", 2), ("second", 1), ("third", 1), ("fourth", 1)]
    assert 9 <= queue.at["second", 1] < 12
    assert queue.world.fired[WAITED] >= 3


def test_whoever_stood_aside_goes_on_though_another_still_waits(queue: Queue) -> None:
    queue.lock(0, "long", 1, holds=9)
    queue.lock(1, "waits in the server", 1)
    queue.lock(0, "short", 2, holds=4)
    queue.lock(2, "stands aside", 3, 2, holds=0.1)
    queue.world.run(100)
    assert queue.done == ["short", "stands aside", "long", "waits in the server"]


def test_a_statement_that_was_withdrawn_leaves_the_locks_from_before(queue: Queue) -> None:
    queue.lock(0, "long", 1, holds=9)
    queue.lock(1, "waits in the server", 1)
    queue.lock(2, "stands aside", 3, 1, holds=0.1)
    queue.lock(5, "late", 3)
    queue.world.run(100)
    assert queue.had == [
        ("long", 1),
        ("stands aside", 3),
        ("waits in the server", 1),
        ("stands aside", 1),
        ("late", 3),
    ]


def test_a_process_that_is_killed_frees_its_locks_at_once(queue: Queue) -> None:
    queue.lock(0, "killed", 1, holds=9)
    for begins, name in ((1, "second"), (2, "third")):
        queue.lock(begins, name, 1)
    queue.world.at(6, lambda: queue.world.kill(queue.processes["killed"]))
    queue.world.run(100)
    assert 6 <= queue.at["second", 1] < 7
    assert queue.done == ["second", "third"]


@pytest.mark.parametrize("name", ["second", "third"])
def test_a_process_that_is_killed_while_it_waits_is_in_nobodys_way(queue: Queue, name: str) -> None:
    queue.lock(0, "first", 1, holds=9)
    for begins, waits in ((1, "second"), (2, "third"), (3, "fourth")):
        queue.lock(begins, waits, 1)
    queue.world.at(8, lambda: queue.world.kill(queue.processes[name]))
    queue.world.run(100)
    assert queue.done == [each for each in ("first", "second", "third", "fourth") if each != name]


def test_a_process_that_is_frozen_keeps_its_locks_until_the_server_ends_its_transaction(
    queue: Queue,
) -> None:
    queue.lock(0, "frozen", 1, holds=2)
    queue.world.at(1, lambda: queue.world.freeze(queue.processes["frozen"], 600))
    queue.lock(2, "waits", 1)
    queue.lock(3, "stands aside", 1)
    queue.lock(4, "bystander", 2)
    queue.world.run(700)
    assert queue.done == ["bystander", "waits", "stands aside"]
    assert LEFT_ALONE_SECONDS <= queue.at["waits", 1] < LEFT_ALONE_SECONDS + 3
    assert isinstance(queue.faults["frozen"], DatabaseBusy)


def test_a_transaction_that_was_left_alone_is_at_its_end_even_where_nobody_waited(
    queue: Queue,
) -> None:
    queue.lock(0, "frozen", 1)
    queue.world.at(0.5, lambda: queue.world.freeze(queue.processes["frozen"], 60))
    queue.world.run(100)
    assert isinstance(queue.faults["frozen"], DatabaseBusy)
    assert queue.world.fired[ENDED] == 1


def test_whoever_waits_too_long_is_told_that_the_database_is_busy(queue: Queue) -> None:
    queue.lock(0, "busy", *[1, 2] * 10, holds=3)
    queue.lock(1, "waits in the server", 1)
    queue.lock(5, "stands aside", 2)
    queue.lock(6, "stands aside, too", 2)
    queue.world.run(100)
    assert queue.done == ["busy"]
    assert [
        type(queue.faults[name])
        for name in ("waits in the server", "stands aside", "stands aside, too")
    ] == [DatabaseBusy] * 3


def test_of_two_that_wait_for_each_other_one_fails_and_the_other_goes_on(queue: Queue) -> None:
    queue.lock(0, "one", 1, 2, holds=5)
    queue.lock(2, "two", 2, 1, holds=5)
    queue.world.run(100)
    assert queue.done == ["one"]
    assert isinstance(getattr(queue.faults["two"], "orig", None), DeadlockDetected)
    assert queue.world.fired[DEADLOCK] == 1


def test_a_circle_through_one_that_stands_aside_is_broken(queue: Queue) -> None:
    queue.lock(0, "one", 1, 2, holds=5)  # waits for two, in the server
    queue.lock(1, "two", 2, 3, holds=6)  # waits for three, withdrawn
    queue.lock(2, "three", 3, 1, holds=7)  # would wait for one
    queue.world.run(100)
    assert queue.done == ["two", "one"]
    assert list(queue.faults) == ["three"]


# --- seeds


@pytest.mark.parametrize("seed", SEEDS)
def test_all_that_must_hold_holds_on_postgresql(fixture_db: FixtureDb, seed: int) -> None:
    assert play_seed(fixture_db, seed).failures == ()


@pytest.mark.nightly
def test_a_seed_holds_and_is_the_same_in_another_process_that_orders_its_sets_otherwise(
    fixture_db: FixtureDb, shared_postgres_url: str
) -> None:
    play_seed(fixture_db, 11, Scene(until=20.0))  # earlier worlds have no effect
    outcome = play_seed(fixture_db, SEED, Scene(until=SHORT))
    assert outcome.failures == ()
    environ = {**os.environ, "PYTHONHASHSEED": "4711"}
    command = [
        sys.executable,
        "-P",
        "-c",
        _ANOTHER_PROCESS,
        shared_postgres_url,
        str(SEED),
        str(SHORT),
    ]
    told = subprocess.run(
        command, env={**environ, "PYTHONPATH": "."}, capture_output=True, text=True, check=True
    )
    assert told.stdout == outcome.digest
