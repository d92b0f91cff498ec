"""What is kept of received letters after LETTER_DAYS."""

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
from worker.context import WorkerContext

DORA = "dora@example.net"


def test_old_letters_are_erased_and_of_those_to_a_seat_stays_what_became_of_them(
    harness_on_both: MailHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = harness_on_both
    monkeypatch.setattr(letter_history, "_ERASED_AT_ONCE", 2)
    harness.begin(ALICE, BOB, CHARLIE)
    report = harness.newest(ALICE, "report")
    harness.answer(report, "B3")
    for _ in range(3):
        harness.write(DORA, SERVICE, "help")
    read = harness.now
    harness.later(days=1)
    harness.answer(report, "B2")
    # nobody has read it yet
    assert harness.deliver(SERVICE, harness.letter(DORA, SERVICE, "help").as_bytes())
    assert letter_history.erase_old(harness.database, read).read == 0
    assert letter_history.erase_old(harness.database, read + timedelta(seconds=1)).read == 4
    left = [(row.kind, row.disposition, row.raw is None) for row in harness.came_in()]
    assert left == [("seat", "orders", True), ("seat", "orders", False), ("service", None, False)]
    with harness.database.read_tx() as session:
        assert len(letter_history.of_seat(session, harness.uid, harness.player(ALICE))) == 2
    assert letter_history.erase_old(harness.database, read + timedelta(seconds=1)).read == 0


def test_whoever_takes_a_seat_sees_no_letters_of_who_sat_there_before(harness: MailHarness) -> None:
    uid = open_table(harness)
    dora, bob = harness.player(DORA), harness.player(BOB)
    seats.take_seat(harness.database, uid, dora, now=harness.now)
    address = addresses.token_address(harness.settings, harness.address_token(uid, 1)).addr_spec
    harness.write(DORA, address, "status")
    harness.later(seconds=1)
    seats.leave_seat(harness.database, uid, dora, now=harness.now)
    seats.take_seat(harness.database, uid, bob, now=harness.now)
    harness.write(
        BOB,
        addresses.token_address(harness.settings, harness.address_token(uid, 1)).addr_spec,
        "help",
    )
    with harness.database.read_tx() as session:
        assert [len(letter_history.of_seat(session, uid, who)) for who in (dora, bob)] == [0, 1]


def test_questions_are_erased_once_their_time_is_over(harness: MailHarness) -> None:
    harness.write(DORA, SERVICE, "join pyramid")
    for before, left in (
        (harness.now + acknowledgements.LASTS, 1),
        (harness.now + acknowledgements.LASTS + timedelta(seconds=1), 0),
    ):
        letter_history.erase_old(harness.database, before)
        with harness.database.read_tx() as session:
            assert len(session.exec(select(Confirmation)).all()) == left


def test_the_daily_task_erases_both(harness: MailHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    harness.write(DORA, SERVICE, "join pyramid")
    harness.post_all()
    here = WorkerContext(
        harness.settings, harness.database, harness.keyring, Carrier(harness.settings)
    )
    monkeypatch.setattr(context, "current_context", lambda: here)
    clocks.set_clocks(monkeypatch, lambda: harness.now)
    for days, left in ((30, (1, 1, 1)), (8, (0, 0, 0))):
        harness.later(days=days)
        tasks.erase_old_letters()
        with harness.database.read_tx() as session:
            questions = session.exec(select(Confirmation)).all()
        assert (len(harness.came_in()), len(questions), len(harness.rows())) == left
