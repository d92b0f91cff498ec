"""Storing rows by one statement each: what is stored is what SQLAlchemy would have stored."""

import pytest
from sqlalchemy import inspect
from sqlmodel import select

from adjudicator.service.base.storing import add_at_end, change_row, insert_row
from adjudicator.service.base.tables import Match, Player, Receipt
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness

pytestmark = pytest.mark.both_databases


def test_an_inserted_row_is_the_one_that_is_read_back(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE)
    with harness.database.write_tx() as session:
        match = session.exec(select(Match).where(Match.uid == uid)).one()
        row = Receipt(
            match_id=match.id or 0,
            phase_number=1,
            seat="1",
            seq=7,
            channel="form",
            at=harness.now,
            disposition="accepted",
            commitments=[(0, "ab")],
        )
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


def test_an_assigned_value_that_is_already_there_changes_nothing(harness: Harness) -> None:
    harness.player(ALICE)
    with harness.database.write_tx() as session:
        alice = session.exec(select(Player).where(Player.name == ALICE)).one()
        alice.zone, alice.receipts = str(alice.zone), bool(alice.receipts)
        assert not inspect(alice).modified
        alice.receipts = not alice.receipts
        assert inspect(alice).modified
