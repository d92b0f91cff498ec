"""What the sweep looks at every few seconds: through indexes only, however much has been played."""

from collections.abc import Iterator

import pytest
from click.testing import CliRunner
from sqlalchemy import event

from adjudicator.commands import matches as commands
from adjudicator.service import house, masters, opening, outbox, phases, readings, receipts
from tests.service.desk import Desk

NAMES = ("Alice", "Bob", "Carol")


@pytest.fixture
def sqlite_desk(sqlite_url: str) -> Iterator[Desk]:
    """A desk on SQLite, whose plans of queries can be read."""
    opened = Desk.at(sqlite_url)
    yield opened
    opened.dispose()


def test_an_idle_look_scans_no_table(sqlite_desk: Desk) -> None:
    asked: list[tuple[str, object]] = []
    event.listen(sqlite_desk.database.engine, "before_cursor_execute", lambda *told: asked.append((told[2], told[3])))
    with sqlite_desk.database.reading() as session:
        opening.to_found(session), opening.to_start(session)
        phases.due_matches(session, sqlite_desk.now), readings.unanswered(session, now=sqlite_desk.now)
        house.matches_owing(session, most=200), receipts.any_unsigned(session), outbox.waiting(session, sqlite_desk.now, most=1)
    looks = [(sql, values) for sql, values in asked if sql.startswith("SELECT")]
    assert len(looks) == 7
    with sqlite_desk.database.engine.connect() as connection:
        for sql, values in looks:
            steps = [row[-1] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values)]  # type: ignore[arg-type]
            assert not [step for step in steps if step.startswith("SCAN") and "ix_receipt_unsigned" not in step], (sql, steps)
            assert "ix_phase_closes_at" in str(steps) or "closes_at <=" not in sql


def test_house_bots_owe_for_their_own_seats_and_nobody_plays_for_people(desk: Desk) -> None:
    uid = desk.match("Alice")
    with desk.database.reading() as session:
        assert house.matches_owing(session, most=5) == [uid]
        turns = house.owing(session, uid)
    assert [(turn.uid, turn.phase) for turn in turns] == [(uid, 1)] * 2
    assert desk.people["Alice"] not in {turn.player_id for turn in turns}


def test_a_stuck_match_is_not_swept_until_it_is_set_going(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    uid = desk.match(*NAMES)
    for name in NAMES:
        desk.order(uid, name, "B3")
    phases.mark_stuck(desk.database, uid, "a fault", now=desk.now)
    assert due(desk) == []
    monkeypatch.setattr(commands, "open_database", lambda: desk.database)
    shown = CliRunner().invoke(commands.command, ["show", uid])
    assert shown.exit_code == 0 and "Round 1: standing still" in shown.output and "It is stuck: a fault." in shown.output
    masters.resume(desk.database, uid, None, now=desk.now)
    assert due(desk) == [uid]
    assert desk.close(uid)


def due(desk: Desk) -> list[str]:
    """Return what the sweep would have closed now."""
    with desk.database.reading() as session:
        return phases.due_matches(session, desk.now)
