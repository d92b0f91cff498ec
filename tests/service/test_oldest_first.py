"""Every queue in the database is served oldest first, also if a query asks for one row only."""

from datetime import timedelta

from sqlmodel import select

from adjudicator.service.base.tables import Letter, PhaseRow, Reading, Receipt
from adjudicator.service.letters import incoming, outbox, receiving
from adjudicator.service.letters.receiving import Arrival, Target
from adjudicator.service.matches import creation
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import bot_orders, disclosure, receipts
from adjudicator.service.people import sessions
from adjudicator.service.phases import beginning, closing
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness


def test_of_the_phases_that_are_due_the_longest_due_is_closed_first(harness: Harness) -> None:
    due = {}
    for hours in (30, 10, 20):
        due[hours] = harness.match(
            ALICE,
            BOB,
            CHARLIE,
            wish=Wish("pyramid", "Table", {}, every_hours=hours, grace_minutes=0),
        )
    harness.later(hours=40)
    with harness.database.read_tx() as session:
        assert closing.due_matches(session, harness.now) == [due[10], due[20], due[30]]
        assert closing.due_matches(session, harness.now, most=1) == [due[10]]


def test_letters_are_read_in_the_order_in_which_they_came(harness: Harness) -> None:
    for _ in range(3):
        receiving.store_letters(
            harness.database,
            [Arrival(Target("service"), b"Subject: x\r\n\r\n", harness.later(seconds=1), "smtp")],
        )
    with harness.database.read_tx() as session:
        found = incoming.waiting_letters(session, harness.now)
        assert found == sorted(found) and len(found) == 3
        assert incoming.waiting_letters(session, harness.now, most=1) == found[:1]


def test_readings_are_answered_in_the_order_in_which_they_were_asked_for(harness: Harness) -> None:
    with harness.database.write_tx() as session:
        for uid, ago in (("b", 2), ("a", 3), ("c", 1)):
            session.add(Reading(uid=uid, request=b"", made_at=harness.now - timedelta(seconds=ago)))
    with harness.database.read_tx() as session:
        assert disclosure.unanswered_requests(session, now=harness.now) == ["a", "b", "c"]


def test_house_bots_play_the_oldest_debts_first(harness: Harness) -> None:
    older, newer = harness.match(ALICE), harness.match(ALICE)
    with harness.database.read_tx() as session:
        assert bot_orders.matches_owing(session, most=5) == [older, newer]
        assert bot_orders.matches_owing(session, most=1) == [older]


def test_receipts_are_signed_oldest_first(harness: Harness) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE)
    for name in (ALICE, BOB, CHARLIE):
        harness.order(uid, name, "B3\nwait")
    assert receipts.sign_receipts(harness.database, harness.keyring, most=2) == 2
    with harness.database.read_tx() as session:
        assert [row.seat for row in session.exec(select(Receipt)) if row.signature is None] == ["3"]


def test_receipts_that_wait_for_their_signature_take_no_other_letters_places(
    harness: Harness,
) -> None:
    uid = harness.match(ALICE, BOB, CHARLIE)
    for name in (ALICE, BOB, CHARLIE):
        harness.order(uid, name, "B3\nwait")
    sessions.ask_link(
        harness.database, "dora@example.org", zone="UTC", now=harness.later(seconds=1)
    )
    with harness.database.read_tx() as session:
        found = [
            session.get_one(Letter, each).kind
            for each in outbox.waiting_letters(
                session, harness.now, most=2, urgencies=(outbox.ASKED_FOR,)
            )
        ]
    assert found == ["signin"]


def test_matches_are_founded_and_begun_oldest_first(harness: Harness) -> None:
    first = harness.player(ALICE)
    made = [
        creation.make_match(
            harness.database,
            first,
            Wish("pyramid", "Table", {}, house=2),
            now=harness.later(seconds=1),
        )
        for _ in range(3)
    ]
    with harness.database.read_tx() as session:
        assert beginning.to_prepare(session) == made
    for uid in reversed(made):
        beginning.prepare_match(harness.database, harness.keyring, uid, now=harness.now)
    with harness.database.read_tx() as session:
        assert beginning.to_start(session) == made and not session.exec(select(PhaseRow)).all()
