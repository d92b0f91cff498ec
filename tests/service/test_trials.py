"""Trials of any orders on any position of a match that the viewer may see; nothing is stored and
nothing sealed is opened.
"""

from dataclasses import replace

import pytest
from sqlmodel import col, func, select

from adjudicator.core.game import Trial
from adjudicator.games.diplomacy.model.orders import TRAITS
from adjudicator.play.submission import LONGEST_TEXT, TooLong
from adjudicator.service.base.errors import NotFound, NotNow
from adjudicator.service.base.tables import Envelope, Letter, Receipt
from adjudicator.service.matches.creation import Wish
from adjudicator.service.views import trials
from adjudicator.service.views.trials import Board, Shared
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
            return [
                session.exec(select(func.count(col(table.id)))).one()
                for table in (Envelope, Receipt, Letter)
            ]

    before = stored()
    tried = board(harness, uid, 2).tried("B up 1\nA up 3")
    assert tried.board == "A 5, B 1" and tried.lines == ("B climbed 1.", "A climbed 3.")
    assert stored() == before


def test_a_trial_tells_each_seat_only_what_it_may_read(
    harness: Harness, uid: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = Climbed(readers=("B",), seat="B", steps=3)
    offer(monkeypatch, replace(STAIRS, trial=lambda view, text: Trial(view, (secret,))))
    told = {
        name: board(harness, uid, 2, name).tried("anything").lines
        for name in ("Alice", "Bob", None)
    }
    assert told == {"Alice": (), "Bob": ("B climbed 3.",), None: ()}


def test_a_closed_position_is_tried_as_it_stood_and_begins_with_what_was_ordered(
    harness: Harness, uid: str
) -> None:
    first = board(harness, uid, 1)
    assert first.orders == "A:\nup 2" and first.name == "Turn 1"
    assert first.tried("A up 1").board == "A 1, B 0"


def test_sealed_orders_of_the_open_phase_are_not_among_what_it_begins_with(
    harness: Harness, uid: str
) -> None:
    assert [board(harness, uid, 2, name).orders for name in (None, "Alice", "Bob")] == ["", "", ""]


def test_the_opening_position_is_that_of_phase_0(harness: Harness, uid: str) -> None:
    assert board(harness, uid, 0).text == "A 0, B 0"


def test_what_cannot_be_read_is_told_and_the_rest_is_tried(harness: Harness, uid: str) -> None:
    tried = board(harness, uid, 2).tried("nonsense\nA up 1")
    assert [refusal.line for refusal in tried.refusals] == [
        "nonsense"
    ] and tried.board == "A 3, B 0"


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
        with pytest.raises(
            NotFound,
            match=r"of Rock Paper Pyramid cannot be tried on a board; those of .*Diplomacy.* can",
        ):
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


# --- choices, and what others may get


def test_the_choices_are_those_of_every_seat_and_all_optional(harness: Harness, uid: str) -> None:
    found = board(harness, uid, 2)
    assert [(slot.name, slot.optional) for slot in found.slots] == [("A", True), ("B", True)]
    understood = [
        (each.slot, each.order)
        for each in found.understood("A up 1\nnonsense\nB up 3\nA up 2\nTHEN\nA up 3")
    ]
    assert sorted(understood) == [("A", "A up 2"), ("B", "B up 3")]


@pytest.mark.parametrize(
    ("text", "chosen", "after"),
    [
        ("nonsense\nA up 1\nA up 2", {"A": "A up 3"}, "nonsense\nA up 1\nA up 3"),
        ("A up 1\nB up 1\nA up 1", {"A": ""}, "A up 1\nB up 1"),
        (
            "A up 1 THEN A up 2\nTHEN\nA up 3",
            {"B": "B up 2"},
            "A up 1\nB up 2\nTHEN A up 2\nTHEN\nA up 3",
        ),
        ("A up 1 THEN A up 2", {"A": "A up 3"}, "A up 3\nTHEN A up 2"),
        ("A up 1", {"A": "A up 1"}, "A up 1"),
        ("", {"A": "A up 1", "B": ""}, "A up 1"),
    ],
)
def test_chosen_orders_replace_those_for_the_same_and_leave_what_else_was_typed(
    text: str, chosen: dict[str, str], after: str
) -> None:
    assert trials.blank("stairs").with_chosen(text, chosen) == after


def test_of_a_line_with_several_orders_only_the_chosen_one_is_replaced() -> None:
    text = "Army to nowhere\nA MUN H, F KIE H"
    assert (
        trials.blank("diplomacy").with_chosen(text, {"KIE": "F KIE - DEN"})
        == "Army to nowhere\nA MUN H\nF KIE - DEN"
    )


def test_a_game_without_boards_for_trials_has_no_choices_and_no_position(
    harness: Harness, uid: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, replace(STAIRS, lay=None))
    found = board(harness, uid, 2)
    assert (found.slots, found.position, found.understood("A up 1"), found.shared("A up 1")) == (
        (),
        "",
        (),
        None,
    )
    with pytest.raises(NotFound, match="Positions of Stairs cannot be given as text"):
        trials.of_text("stairs", "heights 1 1")


def test_a_typed_position_is_laid_and_the_rest_of_it_is_a_fault() -> None:
    found = trials.of_text("stairs", "heights 2 5\nA up 1")
    assert found.text == "A 2, B 5" and found.tried("B up 1").board == "A 2, B 6"
    assert [(fault.line, fault.reason) for fault in found.faults] == [
        ("A up 1", "This is no part of a position.")
    ]
    assert len(trials.of_text("stairs", "\n".join("x" * 50)).faults) == trials.MOST_FAULTS


@pytest.mark.parametrize(
    "position", ["x" * (trials.LONGEST_POSITION + 1), "\n" * (trials.MOST_POSITION_LINES + 1)]
)
def test_a_position_that_is_too_long_is_not_read(
    position: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    offer(
        monkeypatch,
        replace(STAIRS, lay=lambda _, text: asked.append(text) or pytest.fail("it was read")),
    )
    with pytest.raises(TooLong, match="A position may have 100 lines and 6,000 characters at most"):
        trials.of_text("stairs", position)
    assert asked == []


def test_what_is_shared_can_be_laid_again(harness: Harness, uid: str) -> None:
    shared = board(harness, uid, 2).shared("A up 1\nB up 2")
    assert shared == Shared("heights 2 0", "A up 1\nB up 2", 0)


def test_orders_that_only_the_viewer_knows_from_the_match_are_not_shared(harness: Harness) -> None:
    uid = harness.match(
        "Alice", "Bob", wish=Wish("rsp-diplomacy", "Hidden", {}, players=2, seating="order")
    )
    owed = harness.page(uid, "Alice").owed
    assert owed is not None
    own = owed.slots[0].choices[0].text.removesuffix(" H")
    harness.order(uid, "Alice", f"Rock {own} H\nready")
    harness.order(uid, "Bob", "ready")
    assert harness.close(uid)
    mine, public = board(harness, uid, 1, "Alice"), board(harness, uid, 1)
    assert f"{own} H" in mine.orders and "Rock" in mine.orders and public.orders == ""
    retyped = (
        f"rock  {own.lower()} h",
        f"{own} H rock 🙂",
        f"- {own} hold",
        f"{own} H OR {own} S A MAR",
        f"A MAR H THEN Rock {own} H # again",
    )
    shared = mine.shared("\n".join([mine.orders, *retyped, "A PAR - BUR"]))
    left = mine.orders.splitlines()
    assert (
        shared is not None
        and shared.orders == "A PAR - BUR"
        and shared.left_out == len([*filter(None, left), *retyped])
    )
    assert shared.position == public.position == mine.position and not any(
        trait in shared.position for trait in TRAITS
    )
