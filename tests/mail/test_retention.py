"""What is left of letters that came in once LETTER_DAYS are over."""

from datetime import timedelta

import pytest
from sqlmodel import select

from adjudicator.mail import addresses
from adjudicator.mail.sending.post import Carrier
from adjudicator.service.base.tables import Confirmation
from adjudicator.service.letters import acknowledgements, letter_history
from adjudicator.service.matches import seats
from tests import clocks
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, SERVICE, MailHarness
from tests.mail.test_commands import open_table
from worker import context, tasks
from worker.context import Bench

DORA = "dora@example.net"


def test_old_letters_are_erased_and_of_those_to_a_seat_stays_what_became_of_them(
    both_offices: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    office = both_offices
    monkeypatch.setattr(letter_history, "_ERASED_AT_ONCE", 2)
    office.begin(ALICE, BOB, CHARLIE)
    report = office.newest(ALICE, "report")
    office.answer(report, "B3")
    for _ in range(3):
        office.write(DORA, SERVICE, "help")
    read = office.now
    office.later(days=1)
    office.answer(report, "B2")
    assert office.deliver(SERVICE, office.letter(DORA, SERVICE, "help").as_bytes())  # nobody has read it yet
    assert letter_history.erase_old(office.database, read).read == 0
    assert letter_history.erase_old(office.database, read + timedelta(seconds=1)).read == 4
    left = [(row.kind, row.disposition, row.raw is None) for row in office.came_in()]
    assert left == [("seat", "orders", True), ("seat", "orders", False), ("service", None, False)]
    with office.database.read_tx() as session:
        assert len(letter_history.of_seat(session, office.uid, office.player(ALICE))) == 2
    assert letter_history.erase_old(office.database, read + timedelta(seconds=1)).read == 0


def test_whoever_takes_a_seat_sees_no_letters_of_who_sat_there_before(office: MailHarness) -> None:
    uid = open_table(office)
    dora, bob = office.player(DORA), office.player(BOB)
    seats.take_seat(office.database, uid, dora, now=office.now)
    address = addresses.token_address(office.settings, office.seats(uid)[1].token).addr_spec
    office.write(DORA, address, "status")
    office.later(seconds=1)
    seats.leave_seat(office.database, uid, dora)
    seats.take_seat(office.database, uid, bob, now=office.now)
    office.write(BOB, addresses.token_address(office.settings, office.seats(uid)[1].token).addr_spec, "help")
    with office.database.read_tx() as session:
        assert [len(letter_history.of_seat(session, uid, who)) for who in (dora, bob)] == [0, 1]


def test_questions_are_erased_once_their_time_is_over(office: MailHarness) -> None:
    office.write(DORA, SERVICE, "join pyramid")
    for before, left in ((office.now + acknowledgements.LASTS, 1), (office.now + acknowledgements.LASTS + timedelta(seconds=1), 0)):
        letter_history.erase_old(office.database, before)
        with office.database.read_tx() as session:
            assert len(session.exec(select(Confirmation)).all()) == left


def test_the_daily_task_erases_both(office: MailHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    office.write(DORA, SERVICE, "join pyramid")
    office.post_all()
    here = Bench(office.settings, office.database, office.keyring, Carrier(office.settings))
    monkeypatch.setattr(context, "here", lambda: here)
    clocks.turn(monkeypatch, lambda: office.now)
    for days, left in ((30, (1, 1, 1)), (8, (0, 0, 0))):
        office.later(days=days)
        tasks.tidy()
        with office.database.read_tx() as session:
            questions = session.exec(select(Confirmation)).all()
        assert (len(office.came_in()), len(questions), len(office.rows())) == left
