"""Concurrency on the real databases: a phase closes once, and every accepted order is in the
result.
"""

import random
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from sqlalchemy.exc import OperationalError
from sqlmodel import col, func, select

from adjudicator.platform import db
from adjudicator.platform.db import Database, DatabaseBusy
from adjudicator.seal.crypto import CannotOpen, Keyring
from adjudicator.service.base import rows
from adjudicator.service.base.errors import NotAllowed
from adjudicator.service.base.tables import Envelope, Letter, MasterNote, Match, PhaseRow
from adjudicator.service.log.entries import list_entries
from adjudicator.service.matches import masters, notes
from adjudicator.service.orders import submitting
from adjudicator.service.phases import closing
from tests.harness import Harness
from tests.service import changing_hands

NAMES = ("Alice", "Bob", "Charlie")


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """Run all `works` concurrently, each in a thread, and return their results; raises the first
    exception of any.
    """
    barrier, results = threading.Barrier(len(works)), [None] * len(works)
    faults: list[BaseException] = []

    def run(number: int) -> None:
        barrier.wait()
        try:
            results[number] = works[number]()
        except BaseException as fault:  # noqa: BLE001 raised again in the test's own thread
            faults.append(fault)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(works))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]
    return results


@pytest.mark.both_databases
def test_eight_workers_close_a_phase_once(harness: Harness) -> None:
    uid = harness.match(*NAMES)
    for name in NAMES:
        harness.order(uid, name, "B3")
    assert sorted(at_once(*[lambda: harness.close(uid)] * 8)) == [False] * 7 + [True]
    with harness.database.read_tx() as session:
        assert (
            session.exec(
                select(func.count()).select_from(Letter).where(Letter.kind == "report")
            ).one()
            == 6
        )
        assert [
            phase.number for phase in session.exec(select(PhaseRow).order_by(PhaseRow.number))
        ] == [0, 1, 2]  # type: ignore[arg-type]


@pytest.mark.both_databases
@pytest.mark.parametrize("comes", ["orders", "note", "row"])
def test_a_closing_looks_again_at_what_came_while_it_adjudicated(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, comes: str
) -> None:
    uid, write = harness.match(*NAMES), closing._write
    for name in NAMES:
        harness.order(uid, name, "B3")

    def late(database: Database, keyring: Keyring, match: Match, *seen: Any, **more: Any) -> bool:
        if not tries and comes == "orders":
            harness.order(uid, "Charlie", "W2")
        elif not tries:
            with database.write_tx() as session:
                stored = rows.by_uid(session, uid)
                stored.vote_rule = "all" if comes == "row" else stored.vote_rule
                if comes == "note":
                    rows.lock_match(session, stored)
                    notes.add_note(session, stored, harness.now, notes.SERVICE, "looked at it")
        tries.append(write(database, keyring, match, *seen, **more))
        return tries[-1]

    tries: list[bool] = []
    monkeypatch.setattr(closing, "_write", late)
    assert harness.close(uid) and tries == [False, True]
    with harness.database.read_tx() as session:
        match = rows.by_uid(session, uid)
        told = [entry.type for entry in list_entries(session, match)]
        closed = session.exec(select(PhaseRow).where(PhaseRow.number == 1)).one()
        assert told.count("tampering") == (comes == "row") and match.vote_rule == "majority"
        assert (closed.taken or {})["3"]["orders"] == ("W2" if comes == "orders" else "B3")
        assert not session.exec(
            select(MasterNote).where(col(MasterNote.log_as).is_not(None))
        ).all(), "notes are logged before a closing"


@pytest.mark.both_databases
def test_orders_are_not_taken_for_a_seat_that_changed_hands_while_they_were_read(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid, understand = harness.match(*NAMES), submitting._understand

    def late(*seen: Any) -> Any:
        changing_hands.resign(harness, uid, "Charlie")
        changing_hands.take(harness, uid, "Eve")
        return understand(*seen)

    monkeypatch.setattr(submitting, "_understand", late)
    with pytest.raises(NotAllowed, match="changed hands"):
        harness.order(uid, "Charlie", "B3")


def test_orders_whose_phase_closes_while_they_are_read_are_refused_with_a_receipt(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid, understand = harness.match(*NAMES), submitting._understand
    for name in NAMES:
        harness.order(uid, name, "B3")

    def late(*seen: Any) -> Any:
        assert harness.close(uid)
        return understand(*seen)

    monkeypatch.setattr(submitting, "_understand", late)
    refused = harness.order(uid, "Charlie", "W2")
    assert (refused.disposition, refused.phase, refused.seq) == (
        "refused",
        1,
        2,
    ) and "was closed before" in refused.reason


@pytest.mark.both_databases
def test_the_last_seats_become_ready_together_and_the_phase_can_close(harness: Harness) -> None:
    uid = harness.match(*NAMES)
    answers = at_once(*[lambda name=name: harness.order(uid, name, "B3") for name in NAMES])
    assert all(answer.disposition == "accepted" for answer in answers)
    assert sum(answer.closes_now for answer in answers) == 1
    with harness.database.read_tx() as session:
        assert closing.due_matches(session, harness.now) == [uid]
    assert harness.close(uid)


@pytest.mark.both_databases
@pytest.mark.parametrize("seed", range(4))
def test_orders_and_closings_together_lose_nothing(harness: Harness, seed: int) -> None:
    uid, dice = harness.match(*NAMES), random.Random(seed)
    harness.now = (harness.page(uid).card.deadline or harness.now).replace()
    works = [
        (lambda name=name, text=text: (name, harness.order(uid, name, text, phase=1)))
        for name in NAMES
        for text in ("B3", "B2", "W1")
    ]
    dice.shuffle(works)
    closing_time = harness.later(minutes=10)
    harness.now = closing_time.replace(minute=closing_time.minute - 1)
    closings = [
        lambda: closing.close_phase(harness.database, harness.keyring, uid, now=closing_time)
    ] * 2
    results = at_once(*works, *closings)
    answered = [result for result in results if isinstance(result, tuple)]
    accepted = {
        (name, answer.seq): answer for name, answer in answered if answer.disposition == "late"
    }
    assert all(
        "closed" in answer.reason or "another phase" in answer.reason
        for _, answer in answered
        if answer.disposition == "refused"
    )
    # as the next sweep does: nine orders can overtake each of a closing's eight attempts
    closing.close_phase(harness.database, harness.keyring, uid, now=closing_time)
    story = harness.story(uid, 1)
    for name, order in zip(NAMES, story.orders, strict=True):
        mine = [seq for each, seq in accepted if each == name]
        if mine:
            assert order.lines == accepted[name, max(mine)].parts[0].orders
            assert order.commitment == accepted[name, max(mine)].parts[0].commitment
        else:
            assert order.how == "default"


@pytest.mark.both_databases
def test_a_fault_in_one_match_stops_that_match_only(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, well = harness.match(*NAMES), harness.match(*NAMES)
    for uid in (broken, well):
        for name in NAMES:
            harness.order(uid, name, "B3")
    work_out = closing.work_out

    def faulty(seen: Any, *rest: Any) -> Any:
        if seen.match.uid == broken:
            raise ZeroDivisionError("B3")
        return work_out(seen, *rest)

    monkeypatch.setattr(closing, "work_out", faulty)
    assert [
        closing.step_or_stop(
            closing.close_phase, harness.database, harness.keyring, uid, now=harness.now
        )
        for uid in (broken, well)
    ] == [
        False,
        True,
    ]
    assert (harness.page(broken).card.status, harness.page(well).card.status) == (
        "stuck",
        "running",
    )
    assert (
        "ZeroDivisionError" in harness.page(broken, "Alice").trouble
        and "B3" not in harness.page(broken, "Alice").trouble
    )
    monkeypatch.undo()
    masters.resume_match(harness.database, broken, None, now=harness.now)
    assert harness.close(broken)


def test_a_fault_of_the_database_or_the_key_file_stops_no_match(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = harness.match(*NAMES)
    for name in NAMES:
        harness.order(uid, name, "B3")
    for fault in (
        OperationalError("COMMIT", {}, Exception("server closed the connection")),
        DatabaseBusy(),
        OSError(),
        CannotOpen(),
    ):
        with monkeypatch.context() as patch, pytest.raises(type(fault)):
            patch.setattr(closing, "work_out", Mock(side_effect=fault))
            closing.step_or_stop(
                closing.close_phase, harness.database, harness.keyring, uid, now=harness.now
            )
        assert harness.page(uid).card.status == "running", fault
    assert harness.close(uid)


@pytest.mark.both_databases
def test_a_worker_that_stood_still_takes_no_time_from_the_next_phase(harness: Harness) -> None:
    uid = harness.match(*NAMES)
    for name in NAMES:
        harness.order(uid, name, "B3")
    woke = harness.now + timedelta(minutes=20)
    assert closing.close_phase(
        harness.database, harness.keyring, uid, now=harness.now, clock=lambda: woke
    )
    with harness.database.read_tx() as session:
        closed, opened = session.exec(
            select(PhaseRow).order_by(col(PhaseRow.number)).offset(1)
        ).all()
    assert (closed.closed_at, opened.opened_at) == (woke, woke)
    assert opened.deadline is not None and closed.deadline is not None
    assert opened.deadline - woke == closed.deadline - closed.opened_at


@pytest.mark.both_databases
def test_a_clock_that_is_set_back_while_a_phase_closes_does_not_close_it_early(
    harness: Harness,
) -> None:
    uid = harness.match(*NAMES)
    over = harness.later(days=30)
    assert closing.close_phase(
        harness.database, harness.keyring, uid, now=over, clock=lambda: over - timedelta(hours=1)
    )
    with harness.database.read_tx() as session:
        assert session.exec(select(PhaseRow).where(PhaseRow.number == 1)).one().closed_at == over


@pytest.mark.both_databases
def test_an_altered_envelope_stops_its_match_and_its_master_is_told(harness: Harness) -> None:
    uid = harness.match(*NAMES)
    for name in NAMES:
        harness.order(uid, name, "B3")
    with harness.database.write_tx() as session:
        envelope = session.exec(select(Envelope)).first()
        assert envelope is not None
        envelope.sealed = envelope.sealed[:-1] + bytes([envelope.sealed[-1] ^ 1])
    assert not closing.step_or_stop(
        closing.close_phase, harness.database, harness.keyring, uid, now=harness.now
    )
    assert (
        harness.page(uid).card.status == "stuck"
        and "SpoiledEnvelope" in harness.page(uid, "Alice").trouble
    )
    with harness.database.read_tx() as session:
        assert session.exec(select(Letter.address).where(Letter.kind == "stuck")).all() == [
            "alice@example.org"
        ]


def test_a_database_that_is_held_too_long_is_told_as_busy(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db, "WAIT_SECONDS", 0.2)
    holder, asker = Database(sqlite_url), Database(sqlite_url)
    with asker.engine.connect() as connection:
        connection.connection.driver_connection.execute("PRAGMA busy_timeout=50")  # type: ignore[union-attr]
    with holder.write_tx() as held:
        held.connection()
        with pytest.raises(DatabaseBusy), asker.write_tx() as waiting:
            waiting.connection()


def test_a_row_that_is_held_too_long_is_told_as_busy(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = Harness(postgres_url)
    uid = harness.match(*NAMES)
    monkeypatch.setattr(db, "WAIT_SECONDS", 0.2)
    asker = Database(postgres_url)
    with harness.database.write_tx() as holding:
        rows.lock_by_uid(holding, uid)
        with pytest.raises(DatabaseBusy), asker.write_tx() as waiting:
            rows.lock_by_uid(waiting, uid)
    asker.engine.dispose()
    harness.dispose()


def test_a_table_that_is_held_too_long_is_told_as_busy_to_readers_too(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db, "WAIT_SECONDS", 0.2)
    migrating, reader = Database(postgres_url), Database(postgres_url)
    with migrating.write_tx() as holding:
        holding.connection().exec_driver_sql("LOCK TABLE match IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(DatabaseBusy), reader.read_tx() as waiting:
            waiting.exec(select(Match)).first()
    for database in (migrating, reader):
        database.engine.dispose()


def test_a_process_that_is_frozen_in_a_transaction_holds_nobody_up_for_long(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = Harness(postgres_url)
    uid = harness.match(*NAMES)
    # in this test only: on a busy machine any transaction may pause so long
    monkeypatch.setattr(db, "LEFT_ALONE_SECONDS", 0.3)
    frozen = Database(postgres_url)
    with pytest.raises(DatabaseBusy), frozen.write_tx() as holding:
        rows.lock_by_uid(holding, uid).name = "never written"
        holding.flush()
        assert harness.order(uid, "Alice", "B3").disposition == "accepted", (
            "it waited for the row, and got it"
        )
    assert harness.page(uid).card.name == "Table"
    frozen.engine.dispose()
    harness.dispose()
