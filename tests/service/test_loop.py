"""The loop of phases on real databases: orders are stored, each phase is closed once, everybody
gets a report.
"""

import hashlib
import json
from datetime import timedelta

import pytest
from sqlmodel import col, select

from adjudicator.play.replay import read_transcript, replay_transcript
from adjudicator.service.base.errors import NotAllowed
from adjudicator.service.base.tables import Letter, PhaseRow, Receipt
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import readiness
from adjudicator.service.views import match_page, transcripts
from tests.harness import Harness

ROUNDS = [
    "B3 W2 C1",
    "W1 B3 B2",
    "C3 B2 B1",
    "B2 W1 C2",
    "W3 C3 W2",
    "C2 B1 W3",
    "B1 C1 B3",
    "W2 W3 C3",
]


def play_out(harness: Harness, uid: str) -> None:
    for picks in ROUNDS:
        harness.round(uid, zip(("Alice", "Bob", "Charlie"), picks.split(), strict=True))


def test_a_phase_is_never_closed_before_it_was_opened_though_the_databases_clock_was_set_back(
    harness: Harness,
) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    opened = harness.now
    harness.later(minutes=-1)
    harness.round(uid, zip(("Alice", "Bob", "Charlie"), ROUNDS[0].split(), strict=True))
    with harness.database.read_tx() as session:
        closed, next_ = session.exec(
            select(PhaseRow).where(PhaseRow.number > 0).order_by(PhaseRow.number)
        )  # type: ignore[arg-type]  # of SQLModel
        assert closed.opened_at == closed.closed_at == next_.opened_at == opened


def test_a_whole_match_is_played_and_its_last_round_needs_nobody(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    play_out(harness, uid)
    page = harness.page(uid)
    assert page.card.status == "ended"
    assert [phase.why for phase in page.phases[1:]] == ["ready"] * 8 + ["forced"]
    assert {row.seat for row in page.standing} == {"1", "2", "3"}


def test_its_transcript_replays_to_the_same_result(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    play_out(harness, uid)
    with harness.database.read_tx() as session:
        transcript = json.loads(json.dumps(transcripts.export_transcript(session, uid)))
    done = replay_transcript(read_transcript(transcript))
    assert done.differences == ()
    assert done.output == transcript["claims"]


def test_a_silent_seat_gets_the_default_at_the_deadline_and_everybody_is_told(
    harness: Harness,
) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    harness.order(uid, "Alice", "B3")
    harness.order(uid, "Bob", "W3")
    assert not harness.close(uid)
    harness.later(hours=48, minutes=10)
    assert harness.close(uid)
    for name in ("Alice", "Bob", None):
        assert any(
            "Seat 3 (Charlie) handed in no orders in time" in line
            for line in harness.story(uid, 1, name).lines
        )
    assert any(
        line.startswith("You handed in no orders")
        for line in harness.story(uid, 1, "Charlie").lines
    )


def test_a_phase_closes_once_however_often_it_is_asked_to(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    for name in ("Alice", "Bob", "Charlie"):
        harness.order(uid, name, "B3")
    assert [harness.close(uid) for _ in range(3)] == [True, False, False]


def test_orders_before_the_deadline_count_within_the_grace_as_late_and_then_no_more(
    harness: Harness,
) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    harness.now = (harness.page(uid).card.deadline or harness.now) - timedelta(milliseconds=1)
    assert harness.order(uid, "Alice", "B3").disposition == "accepted"
    harness.later(milliseconds=1)
    assert harness.order(uid, "Alice", "B2").disposition == "late"
    harness.later(minutes=10)
    refused = harness.order(uid, "Alice", "B1")
    assert refused.disposition == "refused" and "deadline of Round 1 had passed" in refused.reason
    harness.close(uid)
    assert harness.story(uid, 1).orders[0].lines == ("B2",)


def test_refused_orders_stay_in_the_list_of_receipts(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    harness.later(days=3)
    harness.order(uid, "Alice", "B3")
    with harness.database.read_tx() as session:
        kept = session.exec(select(Receipt)).one()
    assert (kept.disposition, kept.seq, kept.commitments[0][0]) == ("refused", 1, 0)


def test_new_orders_replace_and_wait_holds_the_phase_open(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    harness.order(uid, "Alice", "B3\nwait")
    harness.order(uid, "Bob", "B2")
    assert not harness.order(uid, "Charlie", "B1").closes_now
    assert not harness.close(uid)
    assert harness.order(uid, "Alice", "C1").closes_now
    assert harness.close(uid)
    assert harness.story(uid, 1).orders[0].lines == ("C1",)


def test_wait_can_be_said_after_the_orders_and_ready_takes_it_back(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    for name in ("Alice", "Bob"):
        harness.order(uid, name, "B3")
    assert not readiness.say_readiness(
        harness.database, uid, harness.people["Alice"], "wait", now=harness.now
    )
    harness.order(uid, "Charlie", "B3")
    assert not harness.close(uid)
    assert readiness.say_readiness(
        harness.database, uid, harness.people["Alice"], "ready", now=harness.now
    )
    assert harness.close(uid)


def test_a_submission_that_nobody_can_understand_leaves_the_older_one(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    harness.order(uid, "Alice", "B3")
    answer = harness.order(uid, "Alice", "the big one")
    assert answer.disposition == "refused" and answer.refusals
    harness.order(uid, "Bob", "B3")
    harness.order(uid, "Charlie", "B3")
    harness.close(uid)
    assert harness.story(uid, 1).orders[0].lines == ("B3",)


def test_orders_for_a_phase_that_is_over_are_refused(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    harness.round(uid, [("Alice", "B3"), ("Bob", "B3"), ("Charlie", "B3")])
    answer = harness.order(uid, "Alice", "W3", phase=1)
    assert answer.disposition == "refused" and "another phase" in answer.reason


def test_a_bad_line_in_a_plan_keeps_the_phase_open_for_its_mending(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    for name in ("Bob", "Charlie"):
        harness.order(uid, name, "B3")
    answer = harness.order(uid, "Alice", "B3 THEN nonsense")
    assert (answer.disposition, answer.ready, answer.closes_now) == ("accepted", False, False)
    assert not harness.close(uid)
    assert harness.order(uid, "Alice", "B3 THEN W3").closes_now


def test_a_stranger_cannot_hand_in_orders(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    harness.player("Mallory")
    with pytest.raises(NotAllowed):
        harness.order(uid, "Mallory", "B3")


def test_G5_plans_are_followed_phase_by_phase(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    answer = harness.order(uid, "Alice", "B3 THEN W3 THEN C3 OR C2")
    assert [part.orders for part in answer.parts] == [("B3",), ("W3",), ("C3 OR C2",)]
    harness.order(uid, "Bob", "B3 THEN W2")
    harness.order(uid, "Charlie", "B3 THEN W1")
    harness.close(uid)
    page = harness.page(uid, "Alice")
    assert page.card.phase == "Round 3", (
        "the planned second round was complete, so nobody was waited for"
    )
    assert page.owed is not None and page.owed.ready
    assert [order.how for order in harness.story(uid, 2).orders] == ["plan"] * 3
    harness.order(uid, "Bob", "C3")
    harness.order(uid, "Charlie", "C3")
    harness.close(uid)
    assert harness.story(uid, 3).orders[0].lines == ("C3",)


def test_G5_a_plan_that_is_no_longer_legal_is_dropped_and_only_its_owner_is_told(
    harness: Harness,
) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    harness.order(uid, "Alice", "B3 THEN B3 THEN W1")
    harness.order(uid, "Bob", "B3")
    harness.order(uid, "Charlie", "B3")
    harness.close(uid)
    owed = harness.page(uid, "Alice").owed
    assert owed is not None and owed.notes == (
        (
            "Your plan for Round 2 could not be followed any more; it was dropped, with all that"
            " came after it."
        ),
    )
    assert harness.page(uid, "Bob").owed.notes == ()  # type: ignore[union-attr]


def test_what_a_dropped_plan_said_stands_in_no_row_but_in_its_owner_s_sealed_letter(
    harness: Harness,
) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    harness.order(uid, "Alice", "C3 THEN R1 OR C3")
    harness.round(uid, [("Bob", "B3"), ("Charlie", "B3")])
    with harness.database.read_tx() as session:
        opened = session.exec(select(PhaseRow).where(PhaseRow.number == 2)).one()
        letter = session.exec(
            select(Letter)
            .where(Letter.seat == "1", Letter.kind == "report")
            .order_by(col(Letter.id).desc())
        ).first()  # type: ignore[union-attr]
    assert opened.dropped == ["1"]
    assert letter is not None and b"R1 OR C3" not in (letter.context or b"")
    told = json.loads(
        harness.keyring.unwrap(letter.context or b"", bound_to=f"letter:{letter.uid}".encode())
    )
    assert told["notes"][0].startswith("Your plan for Round 2 (R1 OR C3) was dropped")


def test_a_phase_of_any_number_can_be_asked_for(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    with harness.database.read_tx() as session:
        for number in (-1, 7, 2**31, 10**30):
            assert match_page.phase_page(session, uid, number, None)[1] is None


def test_a_plan_keeps_the_commitment_of_the_receipt_it_was_sealed_with(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    sealed = harness.order(uid, "Alice", "B3 THEN W3").parts[1].commitment
    harness.round(uid, [("Bob", "B3"), ("Charlie", "B3")])
    harness.round(uid, [("Bob", "B2"), ("Charlie", "B2")])
    assert harness.story(uid, 2).orders[0].commitment == sealed


def test_the_seals_of_a_closed_phase_can_be_checked_by_anybody(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    sealed = harness.order(uid, "Alice", "B3 THEN W3 OR W1").parts
    harness.round(uid, [("Bob", "B3"), ("Charlie", "B3")])
    harness.round(uid, [("Bob", "B2"), ("Charlie", "B2")])
    order = harness.story(uid, 1).orders[0]
    assert (
        hashlib.sha256(b"sealed/1/commit\n" + order.opening.encode()).hexdigest()
        == order.commitment
        == sealed[0].commitment
    )
    assert json.loads(order.opening)["orders"] == "B3"
    planned = harness.story(uid, 2).orders[0]
    assert planned.commitment == sealed[1].commitment and planned.opening == "", (
        "opening it would tell the alternative that was not played"
    )


def test_every_seat_with_an_address_gets_one_report_a_closing(harness: Harness) -> None:
    uid = harness.match("Alice", "Bob", "Charlie")
    harness.round(uid, [("Alice", "B3"), ("Bob", "B3"), ("Charlie", "B3")])
    with harness.database.read_tx() as session:
        letters = session.exec(select(Letter).where(Letter.kind == "report")).all()
    assert sorted(letter.address for letter in letters) == sorted(
        [f"{name}@example.org" for name in ("alice", "bob", "charlie")] * 2
    )


def test_house_bots_get_no_letters(harness: Harness) -> None:
    harness.match("Alice", wish=Wish("pyramid", "", {}, house=2))
    with harness.database.read_tx() as session:
        assert [letter.address for letter in session.exec(select(Letter))] == ["alice@example.org"]
