"""Trials of any orders on any position of a match that the viewer may see; nothing is stored and nothing sealed is opened."""

from dataclasses import replace

import pytest
from sqlmodel import col, func, select

from adjudicator.core.game import Trial
from adjudicator.play.submission import LONGEST_TEXT, TooLong
from adjudicator.service.base.errors import NotFound, NotNow
from adjudicator.service.base.tables import Envelope, Letter, Receipt
from adjudicator.service.matches.creation import Wish
from adjudicator.service.views import trials
from adjudicator.service.views.trials import Board
from tests.games.sample_game import STAIRS, Climbed, offer
from tests.harness import Harness


@pytest.fixture(autouse=True)
def stairs(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch)


@pytest.fixture
def uid(harness: Harness) -> str:
    """A match in its second turn: A climbed two steps, and B has sealed three."""
    uid = harness.match("Alice", "Bob", wish=Wish("stairs", "Stairs", {}))
    harness.order(uid, "Alice", "up 2")
    harness.close(uid)
    harness.order(uid, "Bob", "up 3\nwait")
    return uid


def board(harness: Harness, uid: str, number: int, name: str | None = None) -> Board:
    with harness.database.read_tx() as session:
        return trials.of_phase(session, uid, number, harness.people[name] if name else None)


def test_the_open_position_is_tried_and_nothing_is_stored(harness: Harness, uid: str) -> None:
    def stored() -> list[int]:
        with harness.database.read_tx() as session:
            return [session.exec(select(func.count(col(table.id)))).one() for table in (Envelope, Receipt, Letter)]

    before = stored()
    tried = board(harness, uid, 2).tried("B up 1\nA up 3")
    assert tried.board == "A 5, B 1" and tried.lines == ("B climbed 1.", "A climbed 3.")
    assert stored() == before


def test_a_trial_tells_each_seat_only_what_it_may_read(harness: Harness, uid: str, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = Climbed(readers=("B",), seat="B", steps=3)
    offer(monkeypatch, replace(STAIRS, trial=lambda view, text: Trial(view, (secret,))))
    told = {name: board(harness, uid, 2, name).tried("anything").lines for name in ("Alice", "Bob", None)}
    assert told == {"Alice": (), "Bob": ("B climbed 3.",), None: ()}


def test_a_closed_position_is_tried_as_it_stood_and_begins_with_what_was_ordered(harness: Harness, uid: str) -> None:
    first = board(harness, uid, 1)
    assert first.orders == "A:\nup 2" and first.name == "Turn 1"
    assert first.tried("A up 1").board == "A 1, B 0"


def test_sealed_orders_of_the_open_phase_are_not_among_what_it_begins_with(harness: Harness, uid: str) -> None:
    assert [board(harness, uid, 2, name).orders for name in (None, "Alice", "Bob")] == ["", "", ""]


def test_the_opening_position_is_that_of_phase_0(harness: Harness, uid: str) -> None:
    assert board(harness, uid, 0).text == "A 0, B 0"


def test_what_cannot_be_read_is_told_and_the_rest_is_tried(harness: Harness, uid: str) -> None:
    tried = board(harness, uid, 2).tried("nonsense\nA up 1")
    assert [refusal.line for refusal in tried.refusals] == ["nonsense"] and tried.board == "A 3, B 0"


def test_of_alternatives_the_first_that_is_possible_is_tried(harness: Harness, uid: str) -> None:
    assert board(harness, uid, 2).tried("A up 9 OR A up 3 OR A up 1").board == "A 5, B 0"


def test_a_plan_is_not_tried_and_that_is_said(harness: Harness, uid: str) -> None:
    tried = board(harness, uid, 2).tried("A up 1\nwait\nTHEN\nA up 3")
    assert tried.board == "A 3, B 0" and "before THEN" in tried.remarks[0]


def test_more_text_than_any_game_needs_is_refused(harness: Harness, uid: str) -> None:
    with pytest.raises(TooLong):
        board(harness, uid, 2).tried("x" * (LONGEST_TEXT + 1))


def test_a_phase_that_is_not_there_is_not_found(harness: Harness, uid: str) -> None:
    for number in (3, 2**40):
        with pytest.raises(NotFound):
            board(harness, uid, number)


def test_a_blank_board_is_the_opening_position() -> None:
    assert trials.blank("stairs").tried("A up 3").board == "A 3, B 0"


def test_games_without_trials_say_so(harness: Harness) -> None:
    pyramid = harness.match("Alice")
    for ask in (lambda: trials.blank("pyramid"), lambda: board(harness, pyramid, 1)):
        with pytest.raises(NotFound, match=r"of Rock Paper Pyramid cannot be tried on a board; those of .*Diplomacy.* can"):
            ask()
    with pytest.raises(NotFound, match="no game"):
        trials.blank("chess")


def test_a_seat_tries_the_open_phase_only_while_one_is_open(harness: Harness, uid: str) -> None:
    with harness.database.read_tx() as session:
        assert trials.of_seat(session, uid, harness.people["Bob"]).name == "Turn 2"
    for name in ("Bob", "Alice", "Bob"):
        harness.order(uid, name, "up 1")
        harness.close(uid)
    with harness.database.read_tx() as session, pytest.raises(NotNow):
        trials.of_seat(session, uid, harness.people["Bob"])
