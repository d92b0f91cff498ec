"""Storing rows by one statement each: what is stored is what SQLAlchemy would have stored."""

from itertools import product

import pytest
from sqlalchemy import inspect
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, select

from adjudicator.platform import wakeups
from adjudicator.platform.statements.records import is_same, table_of
from adjudicator.service.base import rows
from adjudicator.service.base.due.phase_clock import is_ready
from adjudicator.service.base.memory import adopt, look_only, memory_of
from adjudicator.service.base.rows import (
    dues_of,
    open_phase,
    unclosed_phase,
    write_if_unchanged,
)
from adjudicator.service.base.storing import (
    Outdated,
    Unprepared,
    add_at_end,
    add_row,
    begin_preparing,
    change_row,
    end_preparing,
    hold,
    insert_row,
    new_row,
    next_id,
    store_prepared,
)
from adjudicator.service.base.tables import Due, Letter, Match, PhaseRow, Player, Receipt
from adjudicator.service.orders.submission import Submission, find_seat
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness

pytestmark = pytest.mark.both_databases


def made_receipt(harness: Harness, match: Match) -> Receipt:
    return Receipt(
        match_id=match.id or 0,
        phase_number=1,
        seat="1",
        seq=7,
        channel="form",
        at=harness.now,
        disposition="accepted",
        commitments=[(0, "ab")],
    )


def test_an_inserted_row_is_the_one_that_is_read_back(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE)
    with harness.database.write_tx() as session:
        match = session.exec(select(Match).where(Match.uid == uid)).one()
        row = made_receipt(harness, match)
        key = insert_row(session, row)
        assert row.id == key
        read = session.exec(select(Receipt).where(Receipt.id == key)).one()
        assert read is not row
        assert read.at == harness.now and [tuple(each) for each in read.commitments] == [(0, "ab")]
        assert (read.seat, read.seq, read.signature, read.tenure) == ("1", 7, None, 1)


def test_a_change_is_stored_at_once_and_leaves_nothing_to_flush(harness: Harness) -> None:
    harness.player(ALICE)
    with harness.database.write_tx() as session:
        alice = session.exec(select(Player).where(Player.name == ALICE)).one()
        change_row(session, alice, zone="Europe/Berlin", receipts=False)
        assert (alice.zone, alice.receipts) == ("Europe/Berlin", False)
        assert not inspect(alice).modified
        of_alice = select(Player.zone, Player.receipts).where(Player.id == alice.id)
        assert tuple(session.exec(of_alice).one()) == ("Europe/Berlin", False)


def test_a_change_of_a_row_that_is_still_to_be_inserted_is_inserted_with_it(
    harness: Harness,
) -> None:
    with harness.database.write_tx() as session:
        row = Player(name="Zoe", made_at=harness.now)
        session.add(row)
        change_row(session, row, zone="Asia/Tokyo")
    with harness.database.read_tx() as session:
        assert session.exec(select(Player.zone).where(Player.name == "Zoe")).one() == "Asia/Tokyo"


def test_rows_added_at_the_end_are_stored_with_the_others_or_not_at_all(harness: Harness) -> None:
    def names() -> set[str]:
        with harness.database.read_tx() as session:
            return set(session.exec(select(Player.name)))

    with pytest.raises(ZeroDivisionError), harness.database.write_tx() as session:
        add_at_end(session, Player(name="Yan", made_at=harness.now))
        raise ZeroDivisionError
    assert "Yan" not in names()
    with harness.database.write_tx() as session:
        for name in ("Xia", "Yan"):
            add_at_end(session, Player(name=name, made_at=harness.now))
    assert {"Xia", "Yan"} <= names()


def test_rows_are_written_together_unless_their_match_has_changed(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE)
    with harness.database.read_tx() as session:
        match = session.exec(select(Match).where(Match.uid == uid)).one()
        phase = unclosed_phase(session, match)
        assert phase is not None
        due = dues_of(session, phase)[0]

    def write(uid: str) -> None:
        with harness.database.write_once() as session:
            write_if_unchanged(session, match)
            key = insert_row(session, made_receipt(harness, match))
            change_row(session, due, says="wait" if due.says is None else None)
            letter = Letter(
                uid=uid, kind="a", address="b", next_try=harness.now, made_at=harness.now
            )
            letter.receipt_id = key
            add_at_end(session, letter)

    write("first")
    with pytest.raises(Outdated):
        write("second")
    with harness.database.read_tx() as session:
        receipt = session.exec(select(Receipt).where(Receipt.match_id == match.id)).one()
        stored = session.exec(select(Letter).where(Letter.receipt_id == receipt.id)).one()
        says = session.exec(select(Due.says).where(Due.id == due.id)).one()
        version = session.exec(select(Match.version).where(Match.uid == uid)).one()
    assert (stored.uid, says, version) == ("first", "wait", match.version + 1)


def test_a_submission_reads_rows_as_they_are_and_whether_all_others_are_ready(
    harness: Harness,
) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE)
    submission = Submission(uid, harness.player(ALICE), "B3", "form", harness.now)
    for rule, says, complete in product(
        ("complete", "said"), (None, "ready", "wait"), (False, True)
    ):
        with harness.database.write_tx() as session:
            match = session.exec(select(Match).where(Match.uid == uid)).one()
            match.ready_rule, phase = rule, unclosed_phase(session, match)
            assert phase is not None
            own, *others = dues_of(session, phase)
            for due in others:
                due.says, due.complete = says, complete
        with harness.database.read_tx() as session:
            seen = find_seat(session, submission)
            for row in (seen.match, seen.phase, seen.seat, seen.player):
                stored = session.get_one(table_of(row), row.id)
                for name in table_of(row).model_fields:
                    assert getattr(row, name) == getattr(stored, name), (row, name)
        assert seen.due is not None and seen.due.id == own.id
        assert seen.others_ready == is_ready(rule, others[0]), (rule, says, complete)


def test_an_assigned_value_that_is_already_there_changes_nothing(harness: Harness) -> None:
    harness.player(ALICE)
    with harness.database.write_tx() as session:
        alice = session.exec(select(Player).where(Player.name == ALICE)).one()
        alice.zone, alice.receipts = str(alice.zone), bool(alice.receipts)
        assert not inspect(alice).modified
        alice.receipts = not alice.receipts
        assert inspect(alice).modified


def test_a_record_has_what_its_row_has_and_only_a_row_of_a_transaction_changes(
    harness: Harness,
) -> None:
    uids = [harness.match(ALICE, BOB, CHARLIE) for _ in range(3)]  # read as four: the last twice
    with harness.database.read_tx() as session:
        own = session.exec(select(Match).order_by(col(Match.id))).all()
        records = dict(rows.MATCHES.look(session, uids))
        assert list(records) == uids
        for row in own:
            for name in Match.model_fields:
                assert getattr(records[row.uid], name) == getattr(row, name), name
    with harness.database.read_tx() as session:
        look_only(session)
        seen = rows.by_uid(session, uids[0])
        seats = rows.seats_of(session, seen)
    with pytest.raises(AttributeError):
        seen.status = "ended"
    with harness.database.write_tx() as session:
        assert is_same(_read_again(session, seen), seen)
        seat = adopt(session, seats[1])
        seat.told, adopt(session, seen).options = 7, {"changed": True}
    with harness.database.read_tx() as session:
        assert not is_same(_read_again(session, seen), seen)
        assert rows.by_uid(session, uids[0]).options == {"changed": True}
        told = [each.told for each in rows.seats_of(session, seen)]
    assert told == [seats[0].told, 7, seats[2].told]


def test_what_is_prepared_without_a_database_is_stored_in_one_transaction(
    harness: Harness,
) -> None:
    uids = [harness.match(ALICE, BOB, CHARLIE) for _ in range(2)]
    prepared = []
    for uid in uids:
        with harness.database.read_tx() as session:
            look_only(session)
            seen, memory = rows.by_uid(session, uid), memory_of(session)
            phase = open_phase(session, seen)
            assert phase is not None
        session = begin_preparing(memory, PhaseRow)
        match = hold(session, seen)
        match.shown, match.name = 9, seen.name
        values = vars(adopt(Session(), phase)) | {"id": next_id(session, PhaseRow), "number": 7}
        values = {name: value for name, value in values.items() if not name.startswith("_")}
        row = new_row(session, PhaseRow, **values | {"closed_at": harness.now})
        add_row(session, row)
        change_row(session, row, name="Seventh")
        add_at_end(session, Due.draft(phase_id=row.id, seat="1"))
        wakeups.wake(session, wakeups.REPORTS)
        with pytest.raises(SQLAlchemyError):
            session.get_one(Match, seen.id)
        prepared.append(end_preparing(session))
        assert seen.shown != 9
        session.add(Due(phase_id=1, seat="2"))
        with pytest.raises(Unprepared):
            end_preparing(session)
    with harness.database.write_tx() as session:
        store_prepared(session, prepared)
        assert wakeups.take_noted(session) == [(wakeups.REPORTS, ())]
    with harness.database.read_tx() as session:
        stored = session.exec(select(Match).order_by(col(Match.id))).all()
        assert [(each.shown, each.uid) for each in stored] == [(9, uid) for uid in uids]
        due = select(Match.uid, PhaseRow.name, PhaseRow.deadline).join(PhaseRow).join(Due)
        found = session.exec(due.where(PhaseRow.number == 7).order_by(col(Match.id))).all()
        assert [each[:2] for each in found] == [(uid, "Seventh") for uid in uids]
        assert found[1][2] == phase.deadline


def _read_again(session: Session, seen: Match) -> Match:
    ((_, match),) = rows.MATCHES.look(session, [seen.uid])
    return match
