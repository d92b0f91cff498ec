"""The queries that the sweep runs every few seconds: they use indexes only, however many matches
were played.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.commands import matches
from adjudicator.platform import wakeups
from adjudicator.service.base.tables import Letter
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.match_content import PressLetter, ReportLetter
from adjudicator.service.letters.contents.seat_content import SignInLetter
from adjudicator.service.letters.receiving import Target
from adjudicator.service.matches import creation, masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import bot_orders, receipts
from adjudicator.service.phases import beginning, closing
from tests.asked import asking
from tests.harness import Harness
from tests.service.test_letters_in_turn import read, store
from tests.service.test_stopping import bots_play
from worker.sweep import find_due_work

NAMES = ("Alice", "Bob", "Charlie")
SHORT = (
    "ix_receipt_waiting",
    "ix_due_house",
    "ix_incoming_match",
    "ix_masternote_unlogged",
    "ix_signedin_waiting",
    "ix_seatrequest_unseen",
)  # indexes that hold only rows that wait
FEW = ("publiclog", "erasure")  # tables of a row or two, or of what is under way


@pytest.fixture
def sqlite_desk(sqlite_url: str) -> Iterator[Harness]:
    """A harness on SQLite, whose query plans can be read."""
    opened = Harness(sqlite_url)
    yield opened
    opened.dispose()


def test_an_idle_look_scans_no_table(sqlite_desk: Harness) -> None:
    with asking(sqlite_desk.database) as asked, sqlite_desk.database.read_tx() as session:
        find_due_work(session, sqlite_desk.now)
    looks = [(sql, values) for sql, values in asked if sql.startswith("SELECT")]
    assert len(looks) > 14
    with sqlite_desk.database.engine.connect() as connection:
        for sql, values in looks:
            steps = [
                row[-1] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values)
            ]  # type: ignore[arg-type]
            assert not [
                step for step in steps if step.startswith("SCAN") and not step.endswith(SHORT + FEW)
            ], (sql, steps)
            assert "ix_phase_closes_at" in str(steps) or "phase.closes_at <=" not in sql


def due_tasks(harness: Harness) -> set[str]:
    """Return the tasks that the sweep would send now."""
    with harness.database.read_tx() as session:
        work = find_due_work(session, harness.now)
    return {task for task, uids in work.matches if uids} | {
        task for task, waits in work.queues if waits
    }


def test_a_look_finds_each_step_of_a_match_until_it_is_taken(harness: Harness) -> None:
    wish = Wish("pyramid", "Table", {}, house=2)
    uid = creation.make_match(harness.database, harness.player("Alice"), wish, now=harness.now)
    steps: list[tuple[str, Callable[[], object], Callable[[], object]]] = [
        (
            wakeups.PREPARE,
            object,
            lambda: beginning.prepare_match(
                harness.database, harness.keyring, uid, now=harness.now
            ),
        ),
        (
            wakeups.START,
            object,
            lambda: beginning.start_match(harness.database, harness.keyring, uid, now=harness.now),
        ),
        (wakeups.HOUSE, object, lambda: bots_play(harness, uid)),
        (
            wakeups.SIGN,
            lambda: harness.order(uid, "Alice", "B3\nwait"),
            lambda: receipts.sign_receipts(harness.database, harness.keyring),
        ),
        (wakeups.READ_LETTERS, lambda: store(harness, Target("service")), lambda: read(harness, 1)),
        (wakeups.CLOSE, lambda: harness.later(hours=49), lambda: harness.close(uid)),
    ]
    for task, cause, take in steps:  # where the step before is the cause, there is no other
        cause()
        assert task in due_tasks(harness), task
        take()
        assert task not in due_tasks(harness), task
    assert wakeups.REPORTS in due_tasks(harness)


LETTERS = 3000  # rows for the planner's statistics
CONTENTS = {
    "report": ReportLetter(
        game="",
        player="",
        names={},
        board="",
        owed=None,
        planning=False,
        standing=None,
        started=False,
        seals=(),
        sections=(),
        notes=(),
    ),
    "press": PressLetter(phase="", press="public", writer="", readers=(), others=(), lines=()),
    "signin": SignInLetter(token="", minutes=10, next="/"),
}


def questions(harness: Harness) -> list[tuple[str, Any]]:
    """Return the statements, with their parameters, that find the letters to send."""
    with asking(harness.database) as asked, harness.database.read_tx() as session:
        assert len(outbox.waiting_letters(session, harness.now, most=20)) == 20
        (
            outbox.waiting_letters(session, harness.now, most=20, urgencies=(outbox.REPORT,)),
            outbox.oldest_due(session, (outbox.REPORT,)),
        )
    return [(sql, values) for sql, values in asked if sql.startswith("SELECT") and "letter" in sql]


@pytest.mark.both_databases
def test_letters_are_found_in_their_order_by_an_index_however_many_wait(harness: Harness) -> None:
    with harness.database.write_tx() as session:
        for number in range(LETTERS):
            kind = ("report", "press", "signin")[number % 3]
            to = {"address": "a@example.org", "now": harness.now - timedelta(seconds=number)}
            outbox.put_letter(session, harness.keyring.public, CONTENTS[kind], **to)  # type: ignore[arg-type]
    how = "EXPLAIN QUERY PLAN" if harness.database.engine.dialect.name == "sqlite" else "EXPLAIN"
    with harness.database.engine.connect() as connection:
        connection.exec_driver_sql("ANALYZE")
        for sql, values in questions(harness):
            plan = "\n".join(
                str(row[-1]) for row in connection.exec_driver_sql(f"{how} {sql}", values)
            )
            assert "ix_letter_queue" in plan, (sql, plan)
            assert "TEMP B-TREE" not in plan and "Sort" not in plan, (sql, plan)


@pytest.mark.both_databases
def test_letters_go_out_most_urgent_first_and_of_these_the_longest_due(harness: Harness) -> None:
    with harness.database.write_tx() as session:
        for kind, ago in (
            ("report", 9),
            ("press", 5),
            ("signin", 1),
            ("report", 10),
            ("signin", 2),
            ("press", 6),
            ("signin", -1),
        ):
            to = {
                "address": f"{kind}.{ago}@example.org",
                "now": harness.now - timedelta(seconds=ago),
            }
            outbox.put_letter(session, harness.keyring.public, CONTENTS[kind], **to)  # type: ignore[arg-type]
    with harness.database.read_tx() as session:
        found = [
            session.get_one(Letter, each).address.split("@")[0]
            for each in outbox.waiting_letters(session, harness.now)
        ]
        assert found == ["signin.2", "signin.1", "press.6", "press.5", "report.10", "report.9"]
        assert len(outbox.waiting_letters(session, harness.now, most=3)) == 3
        assert outbox.oldest_due(session, outbox.SOON) == harness.now - timedelta(seconds=6)


@pytest.mark.both_databases
def test_house_bots_owe_for_their_own_seats_and_nobody_plays_for_people(harness: Harness) -> None:
    uid = harness.match("Alice")
    with harness.database.read_tx() as session:
        assert bot_orders.matches_owing(session, most=5) == [uid]
        turns = bot_orders.house_turns(session, uid)
    assert [(turn.uid, turn.phase) for turn in turns] == [(uid, 1)] * 2
    assert harness.people["Alice"] not in {turn.player_id for turn in turns}


@pytest.mark.both_databases
def test_a_stuck_match_is_not_swept_until_it_is_set_going(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = harness.match(*NAMES)
    for name in NAMES:
        harness.order(uid, name, "B3")
    closing.mark_stuck(harness.database, uid, "a fault", now=harness.now)
    assert due(harness) == []
    monkeypatch.setattr(matches, "open_database", lambda **_: harness.database)
    shown = CliRunner().invoke(matches.command, ["show", uid])
    assert (
        shown.exit_code == 0
        and "Round 1: standing still" in shown.output
        and "It is stuck: a fault." in shown.output
    )
    masters.resume_match(harness.database, uid, None, now=harness.now)
    assert due(harness) == [uid]
    assert harness.close(uid)


def due(harness: Harness) -> list[str]:
    """Return the matches that the sweep would close now."""
    with harness.database.read_tx() as session:
        return closing.due_matches(session, harness.now)
