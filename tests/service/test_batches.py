"""Closing many matches together: the same as closing each alone, with fewer statements, and without
those that need more.
"""

import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlmodel import Session, col, select

from adjudicator.platform import wakeups
from adjudicator.service.base.tables import (
    Attendance,
    Due,
    Envelope,
    Letter,
    LogEntry,
    MasterNote,
    Match,
    PhaseRow,
    Player,
    Seat,
)
from adjudicator.service.orders import receipts
from adjudicator.service.phases import batches, closing, recording
from tests.harness import Harness
from tests.service.test_races import at_once

NAMES = ("Alice", "Bob", "Charlie")
ORDERS = ("B3", "C3", "W3")
PLAIN = (str, int, datetime, dict, list)  # values that are compared
DRAWN = {"id", "uid", "match_id", "phase_id", "receipt_id", "tenure_nonce", "log_hash"}
DRAWN |= {"prev", "hash", "anchors", "body", "taken"}


def orders(number: int) -> tuple[str, ...]:
    """Return the orders of a match, which differ from those of the next one."""
    return ORDERS[number % 3 :] + ORDERS[: number % 3]


def begun(harness: Harness, matches: int, *, alike: bool = False) -> list[str]:
    """Return matches in which everybody is ready, with orders that differ unless they are alike."""
    uids = [harness.match(*NAMES) for _ in range(matches)]
    for number, uid in enumerate(uids):
        for name, text in zip(NAMES, orders(0 if alike else number), strict=True):
            harness.order(uid, name, text)
    while receipts.sign_receipts(harness.database, harness.keyring):
        pass
    return uids


def close_all(harness: Harness, uids: list[str]) -> list[str]:
    return batches.close_phases(
        harness.database, harness.keyring, uids, now=harness.now, monotonic=time.monotonic
    )


def facts(harness: Harness, uid: str) -> dict[str, Any]:
    """Return what a closing wrote, without what chance, ids and sealing make different in each
    match.
    """
    with harness.database.read_tx() as session:
        match = session.exec(select(Match).where(Match.uid == uid)).one()
        phases = session.exec(
            select(PhaseRow).where(PhaseRow.match_id == match.id).order_by(col(PhaseRow.number))
        ).all()
        entries = session.exec(
            select(LogEntry.type).where(LogEntry.match_id == match.id).order_by(col(LogEntry.index))
        ).all()
        letters = session.exec(
            select(Letter.kind, Letter.seat, Letter.phase_number).where(Letter.match_id == match.id)
        ).all()
        dues = session.exec(
            select(Due.seat, Due.says).where(Due.phase_id == phases[-1].id).order_by(col(Due.id))
        ).all()
        shape = [
            (
                row.number,
                row.name,
                row.why,
                row.closed_at,
                row.deadline,
                row.closes_at,
                row.taken is not None,
            )
            for row in phases
        ]
        return {
            "match": (match.status, match.version, match.shown, match.log_size),
            "phases": shape,
            "log": list(entries),
            "letters": sorted(map(tuple, letters)),
            "dues": list(map(tuple, dues)),
        }


@pytest.mark.both_databases
def test_a_batch_writes_what_each_closing_alone_writes(harness: Harness) -> None:
    alone, *many = begun(harness, 5)
    assert harness.close(alone)
    assert sorted(close_all(harness, many)) == sorted(many)
    wanted = facts(harness, alone)
    assert [facts(harness, uid) for uid in many] == [wanted] * len(many)
    for number, uid in enumerate((alone, *many)):
        assert [order.lines for order in harness.story(uid, 1).orders] == [
            (text,) for text in orders(number)
        ]
    # and the match goes on alone
    harness.round(many[0], zip(NAMES, ("B2", "C2", "W2"), strict=True))
    assert close_all(harness, many) == []


@pytest.mark.parametrize(
    ("locking", "writing", "fewest", "sizes"),
    [(60, 0, 1, [1, 3]), (0, 60, 1, [1, 1, 1, 1]), (0, 60, 2, [1, 2, 1])],
)
def test_a_batch_writes_fewer_where_writing_takes_long_but_not_where_it_waits_for_a_lock(
    harness: Harness,
    monkeypatch: pytest.MonkeyPatch,
    locking: float,
    writing: float,
    fewest: int,
    sizes: list[int],
) -> None:
    seconds, written = [0.0], list[int]()
    lock, record = batches.lock_unchanged, batches.record_closings

    def slowly_lock(session: Session, some: Sequence[Any]) -> Any:
        seconds[0] += locking
        written.append(len(some))
        return lock(session, some)

    def slowly_record(session: Session, keyring: Any, some: Sequence[Any], now: Any) -> None:
        seconds[0] += writing * len(some)
        record(session, keyring, some, now)

    monkeypatch.setattr(batches, "FIRST_WRITTEN", 1)
    monkeypatch.setattr(batches, "FEWEST", fewest)
    monkeypatch.setattr(batches, "lock_unchanged", slowly_lock)
    monkeypatch.setattr(batches, "record_closings", slowly_record)
    uids = [harness.match(*NAMES) for _ in range(4)]
    harness.later(days=30)
    closed = batches.close_phases(
        harness.database, harness.keyring, uids, now=harness.now, monotonic=lambda: seconds[0]
    )
    assert sorted(closed) == sorted(uids) and written == sizes


def rows_of(harness: Harness, uid: str) -> dict[str, Any]:
    """Return the rows that closings store, without ids and what chance and sealing make different
    in each match: of bytes and of opened orders only the type.
    """
    with harness.database.read_tx() as session:
        match = session.exec(select(Match).where(Match.uid == uid)).one()
        phases = select(PhaseRow.id).where(PhaseRow.match_id == match.id)
        found: dict[str, Any] = {"Match": [match]}
        found["Due"] = session.exec(select(Due).where(col(Due.phase_id).in_(phases))).all()
        for table in (PhaseRow, Seat, LogEntry, Letter, Attendance):
            found[table.__name__] = session.exec(
                select(table).where(table.match_id == match.id).order_by(col(table.id))
            ).all()
    return {
        name: [
            {
                column: value if value is None or isinstance(value, PLAIN) else type(value)
                for column, value in vars(row).items()
                if column not in DRAWN and not column.startswith("_")
            }
            for row in rows
        ]
        for name, rows in found.items()
    }


@pytest.mark.both_databases
def test_what_was_prepared_is_what_a_transaction_writes_by_itself(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, *prepared = begun(harness, 3, alike=True)
    stored, noted = list[int](), list[Any]()
    store = recording.store_prepared

    def counted(session: Session, some: Sequence[Any]) -> None:
        stored.append(len(some))
        store(session, some)
        if some:
            noted.append(wakeups.take_noted(session))

    monkeypatch.setattr(recording, "store_prepared", counted)
    assert sorted(close_all(harness, prepared)) == sorted(prepared) and stored == [2]
    monkeypatch.setattr(recording, "SOON", -timedelta(seconds=1))
    assert close_all(harness, [inside]) == [inside] and stored == [2, 0]
    wanted = rows_of(harness, inside)
    assert [rows_of(harness, uid) for uid in prepared] == [wanted] * 2
    _, played, opened = wanted["PhaseRow"]
    assert noted == [[(wakeups.REPORTS, ())]]
    assert opened["before"] == played["after"]
    assert [len(wanted[each]) for each in ("Attendance", "Due", "PhaseRow")] == [3, 6, 3]


@pytest.mark.both_databases
def test_a_player_who_changed_since_a_closing_was_prepared_gets_the_letter_there(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uids = begun(harness, 2)
    prepare = batches._Batch._prepare

    def and_move(batch: Any, some: Any) -> Any:
        prepared = prepare(batch, some)
        with harness.database.write_tx() as session:
            alice = session.get_one(Player, harness.player("Alice"))
            alice.address = "alice@elsewhere.example"
        return prepared

    monkeypatch.setattr(batches._Batch, "_prepare", and_move)
    assert sorted(close_all(harness, uids)) == sorted(uids)
    with harness.database.read_tx() as session:
        to_alice = select(Letter.address, Letter.phase_number).where(
            Letter.kind == "report", Letter.player_id == harness.player("Alice")
        )
        found = session.exec(to_alice.order_by(col(Letter.id))).all()
    assert {address for address, phase in found if phase == 2} == {"alice@elsewhere.example"}


@pytest.mark.both_databases
def test_a_process_that_slept_before_it_stored_opens_the_next_phase_when_it_wakes(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uids, slept = begun(harness, 2), [timedelta(0)]
    prepare = batches._Batch._prepare

    def and_sleep(batch: Any, some: Any) -> Any:
        prepared = prepare(batch, some)
        slept[0] = timedelta(hours=3)
        return prepared

    monkeypatch.setattr(batches._Batch, "_prepare", and_sleep)
    begin = harness.now
    closed = batches.close_phases(
        harness.database,
        harness.keyring,
        uids,
        now=begin,
        clock=lambda: begin + slept[0],
        monotonic=time.monotonic,
    )
    assert sorted(closed) == sorted(uids)
    with harness.database.read_tx() as session:
        opened = session.exec(select(PhaseRow).where(PhaseRow.number == 2)).all()
    assert {phase.opened_at for phase in opened} == {begin + timedelta(hours=3)}


@pytest.mark.both_databases
def test_a_closing_that_asks_for_more_than_was_read_is_worked_out_as_it_is_stored(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uids = begun(harness, 3)
    asking = harness.player("Bob")
    record = recording.record_closing

    def and_ask(session: Session, keyring: Any, match: Match, *rest: Any) -> None:
        if match.uid == uids[0]:
            session.get_one(Player, asking)
        elif match.uid == uids[1]:
            session.add(MasterNote(match_id=match.id, at=harness.now, who="Bob", what="asked"))
        record(session, keyring, match, *rest)

    monkeypatch.setattr(recording, "record_closing", and_ask)
    assert sorted(close_all(harness, uids)) == sorted(uids)
    assert len({str(facts(harness, uid)) for uid in uids}) == 1
    with harness.database.read_tx() as session:
        assert len(session.exec(select(MasterNote)).all()) == 1


def test_closings_that_were_not_prepared_are_written_few_at_a_time(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uids, written = begun(harness, 8), list[tuple[int, bool]]()
    prepare, lock = batches.prepare_closing, batches.lock_unchanged

    def prepare_two(keyring: Any, due: recording.WorkedOut, *rest: Any) -> recording.WorkedOut:
        return prepare(keyring, due, *rest) if due.seen.match.uid in uids[:2] else due

    def noted(session: Session, some: Sequence[recording.WorkedOut]) -> Any:
        written.append((len(some), some[0].prepared is not None))
        return lock(session, some)

    monkeypatch.setattr(batches, "prepare_closing", prepare_two)
    monkeypatch.setattr(batches, "lock_unchanged", noted)
    assert sorted(close_all(harness, uids)) == sorted(uids)
    assert written == [(2, True), (4, False), (2, False)]


@pytest.mark.both_databases
def test_a_match_that_was_overtaken_is_left_out_and_goes_alone(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    overtaken, *others = uids = begun(harness, 3)
    work_out = closing.work_out

    def while_working(seen: recording.DuePhase, *rest: Any) -> Any:
        if seen.match.uid == overtaken:
            harness.order(overtaken, "Alice", "B2")
        return work_out(seen, *rest)

    monkeypatch.setattr(batches, "work_out", while_working)
    assert sorted(close_all(harness, uids)) == sorted(others)
    assert harness.close(overtaken)
    assert harness.story(overtaken, 1).orders[0].lines == ("B2",)


@pytest.mark.both_databases
def test_rules_that_fail_or_rows_that_were_altered_leave_the_others_alone(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, forged, *others = uids = begun(harness, 4)
    work_out = closing.work_out

    def faulty(seen: recording.DuePhase, *rest: Any) -> Any:
        if seen.match.uid == broken:
            raise ZeroDivisionError("B3")
        return work_out(seen, *rest)

    monkeypatch.setattr(batches, "work_out", faulty)
    with harness.database.write_tx() as session:
        of_match = select(Envelope).join(PhaseRow).join(Match).where(Match.uid == forged)
        session.delete(session.exec(of_match.order_by(col(Envelope.id))).first())
    assert sorted(close_all(harness, uids)) == sorted(others)
    assert {harness.page(uid).card.status for uid in uids} == {"running"}, (
        "nobody is stopped by a batch"
    )
    assert not closing.step_or_stop(
        closing.close_phase, harness.database, harness.keyring, forged, now=harness.now
    )
    assert harness.page(forged).card.status == "stuck"


@pytest.mark.both_databases
def test_matches_that_need_more_than_a_closing_are_left_out(harness: Harness) -> None:
    unsigned, early, paused, ready = begun(harness, 4)
    harness.order(unsigned, "Alice", "B2")
    harness.order(early, "Alice", "B2 wait")
    with harness.database.write_tx() as session:
        session.exec(select(Match).where(Match.uid == paused)).one().paused_at = harness.now
    assert close_all(harness, [unsigned, early, paused, ready, "nosuchmatch"]) == [ready]
    assert harness.close(unsigned) and harness.story(unsigned, 1).orders[0].lines == ("B2",)


def test_a_phase_that_overtime_keeps_open_is_left_out(harness: Harness) -> None:
    granted, over = (harness.match(*NAMES) for _ in range(2))
    with harness.database.write_tx() as session:
        session.exec(select(Match).where(Match.uid == granted)).one().overtime_seconds = 3600
    harness.now = (harness.page(over).card.deadline or harness.now) + timedelta(minutes=15)
    assert close_all(harness, [granted, over]) == [over]
    assert not harness.close(granted), "its overtime begins"


@pytest.mark.both_databases
def test_workers_at_once_close_each_match_once(harness: Harness) -> None:
    uids = begun(harness, 6)
    works = [lambda turn=turn: close_all(harness, uids[turn:] + uids[:turn]) for turn in (0, 2, 4)]
    closed = [uid for some in at_once(*works) for uid in some]
    assert sorted(closed) == sorted(uids)
    assert len({str(facts(harness, uid)) for uid in uids}) == 1


@pytest.mark.both_databases
def test_a_batch_at_a_deadline_plays_defaults_and_gives_the_next_phase_its_whole_time(
    harness: Harness,
) -> None:
    uids = [harness.match(*NAMES) for _ in range(3)]
    deadline = harness.page(uids[0]).card.deadline
    assert deadline is not None
    harness.now = deadline + timedelta(hours=2)
    woke = harness.now + timedelta(minutes=20)
    closed = batches.close_phases(
        harness.database,
        harness.keyring,
        uids,
        now=harness.now,
        clock=lambda: woke,
        monotonic=time.monotonic,
    )
    assert sorted(closed) == sorted(uids)
    with harness.database.read_tx() as session:
        opened = session.exec(select(PhaseRow).where(PhaseRow.number == 2)).all()
    assert {phase.opened_at for phase in opened} == {woke}
    assert {order.how for uid in uids for order in harness.story(uid, 1).orders} == {"default"}
