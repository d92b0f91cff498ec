"""The loop with a game of turns: one seat due at a time, plans of the others, and long runs of
forced phases.
"""

import json
from dataclasses import replace

import pytest

from adjudicator.core import chance
from adjudicator.play.loop import MOST_AT_ONCE
from adjudicator.play.replay import read_transcript, replay_transcript
from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.phases import beginning, closing
from adjudicator.service.views import transcripts
from tests.games.sample_game import STAIRS, offer
from tests.harness import Harness


@pytest.fixture(autouse=True)
def stairs(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch)


def climb(harness: Harness, forced: int = 3) -> str:
    harness.player("Alice")
    return harness.match("Alice", "Bob", wish=Wish("stairs", "Stairs", {"forced": forced}))


def test_a_seat_that_is_not_due_plans_and_the_plan_is_followed_when_its_turn_comes(
    harness: Harness,
) -> None:
    uid = climb(harness)
    answer = harness.order(uid, "Bob", "up 2 THEN up 3")
    assert answer.disposition == "accepted" and [part.title for part in answer.parts] == [
        "then",
        "then",
    ]
    harness.order(uid, "Alice", "up 1")
    assert harness.close(uid)
    assert (
        harness.story(uid, 2).orders[0].lines == ("up 2",)
        and harness.story(uid, 2).orders[0].how == "plan"
    )
    assert harness.story(uid, 2).orders[0].commitment == answer.parts[0].commitment
    assert harness.page(uid).card.phase == "Turn 3"
    harness.order(uid, "Alice", "up 1")
    harness.close(uid)
    assert harness.story(uid, 4).orders[0].lines == ("up 3",)


def test_a_plan_may_begin_with_then_and_holds_no_empty_part(harness: Harness) -> None:
    uid = climb(harness)
    assert [
        part.orders for part in harness.order(uid, "Bob", "THEN up 2 THEN THEN up 1").parts
    ] == [("up 2",), ("up 1",)]
    assert [part.orders for part in harness.order(uid, "Alice", "up 1 THEN THEN up 3").parts] == [
        ("up 1",),
        ("up 3",),
    ]


def test_the_page_offers_a_plan_to_the_seat_that_is_not_due_only(harness: Harness) -> None:
    uid = climb(harness)
    page = harness.page(uid, "Bob")
    assert page.owed is None and page.planning is not None
    assert (page.planning.number, page.planning.seat, page.planning.planned_at) == (1, "B", None)
    harness.order(uid, "Bob", "up 2")
    planned = harness.page(uid, "Bob").planning
    assert planned is not None and planned.planned_at == harness.now
    assert (
        harness.page(uid, "Alice").planning is None and harness.page(uid, "Alice").owed is not None
    )
    assert harness.page(uid).planning is None


def test_a_seat_that_is_not_due_is_not_waited_for(harness: Harness) -> None:
    uid = climb(harness)
    harness.order(uid, "Bob", "up 2\nwait")
    harness.order(uid, "Alice", "up 1")
    assert harness.close(uid)


@pytest.mark.parametrize("forced", [3, 120])
def test_G7_forced_turns_are_played_at_once_and_many_of_them_in_several_goes(
    harness: Harness, forced: int
) -> None:
    uid = climb(harness, forced)
    goes = 0
    for number in range(1, 5):
        name = "Alice" if number % 2 else "Bob"
        harness.order(uid, name, "up 2")
        assert harness.close(uid)
    while harness.page(uid).card.status == "running":
        with harness.database.read_tx() as session:
            assert closing.due_matches(session, harness.now) == [uid], (
                "the next sweep finds it without waiting for a deadline"
            )
        assert harness.close(uid)
        goes += 1
    assert goes == forced // (MOST_AT_ONCE + 1)
    assert {phase.why for phase in harness.page(uid).phases[5:]} == {"forced"}
    with harness.database.read_tx() as session:
        plain = json.loads(json.dumps(transcripts.export_transcript(session, uid)))
    assert replay_transcript(read_transcript(plain)).differences == () and len(plain["phases"]) == 4


def test_a_fault_at_the_start_stops_that_match_and_it_can_go_on(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:

    uid = harness.prepare_match(Wish("stairs", "", {}, house=1), "Alice")
    offer(monkeypatch, replace(STAIRS, start=lambda *_: 1 / 0))
    assert not closing.step_or_stop(
        beginning.start_match, harness.database, harness.keyring, uid, now=harness.now
    )
    assert harness.page(uid).card.status == "stuck"
    monkeypatch.undo()
    offer(monkeypatch)
    masters.resume_match(harness.database, uid, None, now=harness.now)
    assert closing.step_or_stop(
        beginning.start_match, harness.database, harness.keyring, uid, now=harness.now
    )


def test_a_match_that_has_used_up_its_chance_says_so_to_its_master(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = climb(harness)
    monkeypatch.setattr(chance, "CHAIN_LENGTH", 3)
    for number in (1, 2):
        harness.order(uid, "Alice" if number % 2 else "Bob", "up 1")
        assert harness.close(uid)
    harness.order(uid, "Alice", "up 1")
    assert not closing.step_or_stop(
        closing.close_phase, harness.database, harness.keyring, uid, now=harness.now
    )
    assert harness.page(uid, "Alice").trouble.startswith("It has used up its chance")
