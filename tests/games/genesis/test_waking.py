"""Corners sleep until a stone first lies on them (genesis R16); matches begun under rules 1 have
all four awake.
"""

from typing import Any

import pytest

from adjudicator import catalogue
from adjudicator.core import codec
from adjudicator.core.chance import ScriptedChance
from adjudicator.core.options import complete_options
from adjudicator.games.genesis.model.events import Generated, Reborn
from adjudicator.games.genesis.model.state import State
from adjudicator.games.genesis.model.world import CORNERS
from adjudicator.games.genesis.rules import GENESIS
from tests.games.genesis.positions import (
    SEATS,
    after,
    choices,
    kinds,
    legal,
    opening,
    play,
    position,
    where,
    why,
)

LINE = "1 Ab2 Bd1 | 2 Ab4 Bd5"
SLEEPS = (
    "The corner e1 sleeps: nobody enters it until an idea has lain on it or the tombs have begun."
)


def test_R16_a_match_begins_with_four_sleeping_corners() -> None:
    assert opening().asleep == CORNERS == GENESIS.view(opening(), None).asleep


def test_R16_nobody_enters_a_sleeping_corner() -> None:
    assert why(position(LINE), "bastet e1") == SLEEPS
    assert why(position(LINE + " | turn 2"), "anubis a5").startswith("The corner a5 sleeps")
    assert not [text for text in choices(position(LINE)) if text.split()[-1] in CORNERS]


def test_R16_an_awake_corner_is_entered_without_an_idea_and_nothing_is_taken_or_buried() -> None:
    done = play(position(LINE + " | awake a1 e1"), "bastet e1\nanubis a1")
    assert kinds(done.events) == ["moved", "moved"]
    assert where(done.state).startswith("a1 e1 ")
    assert [piece.life for piece in done.state.side("1").pieces] == ["alive", "alive"]
    assert {"bastet e1", "anubis a1"} <= set(choices(position(LINE + " | awake a1 e1")))


def test_R16_a_piece_on_an_awake_corner_keeps_others_and_ideas_away() -> None:
    state = position("1 Aa1 Bd3 | 2 Ab2 Bd5 | awake a1 e1")
    assert why(state, "bastet c3 idea a1").startswith("Your Anubis stands on a1")
    assert why(position("1 Aa1 Bd3 | 2 Ab2 Bd5 | awake a1 | turn 2"), "anubis a1").startswith(
        "Seat 1’s Anubis stands on a1"
    )
    safe = position("1 Ab2 Bd3 | 2 Ad2 Be1 | awake e1 | turn 1")
    assert not legal(safe, "bastet e1")


def test_R16_a_generated_idea_wakes_its_corner_for_good() -> None:
    done = play(position("1 Ab2 Bd3 | 2 Ab4 Bd5"), "bastet c3 idea e1")
    assert done.state.asleep == ("a1", "a5", "e5")
    assert [event.woke for event in done.events if isinstance(event, Generated)] == [True]
    emptied = after(done.state, "pass", "bastet d2", "pass", "bastet c3 destroy e1")
    assert emptied.asleep == ("a1", "a5", "e5") and not emptied.ideas


def test_R16_an_idea_that_comes_again_wakes_nothing() -> None:
    done = play(position("1 Ab2 Bd3 | 2 Ab4 Bd5 | awake e1"), "bastet c3 idea e1")
    assert [event.woke for event in done.events if isinstance(event, Generated)] == [False]


def test_R16_returned_deeds_wake_the_corners_they_lie_on() -> None:
    done = play(position("1 Ab2 Bx d3 | 2 Ab4 Bd5 | I a1 | awake e1"), "return deeds")
    assert done.state.asleep == ()
    assert [event.woke for event in done.events if isinstance(event, Reborn)] == [("a5", "e5")]


def test_R16_a_corner_reborn_on_goes_on_sleeping() -> None:
    reborn = play(position("1 Ab2 Bx | 2 Ab4 Bd5 | die 1"), "rebirth e1").state
    assert "e1" in reborn.asleep
    left = after(reborn, "pass", "bastet e3", "pass")
    assert why(left, "bastet e1") == SLEEPS


def test_R16_in_the_tombs_part_every_corner_is_entered_awake_or_not() -> None:
    state = position(LINE + " | tombs")
    assert state.asleep == CORNERS and GENESIS.view(state, "1").asleep == ()
    assert kinds(play(state, "bastet e1").events) == ["moved", "buried"]


def test_R16_the_idea_that_begins_the_tombs_opens_the_sleeping_corners_within_the_order() -> None:
    state = position("1 Ab2 Bd3 | 2 Ab4 Bd5 | out 1")
    assert kinds(play(state, "bastet c3 idea e1\nanubis a1").events)[-2:] == ["moved", "buried"]
    assert not legal(state, "anubis a1\nbastet c3 idea e1")


@pytest.mark.parametrize(
    ("line", "text", "told"),
    [
        (
            "1 Ab2 Bd3 | 2 Ab4 Bd5",
            "bastet c3 idea e1",
            "generated an idea on e1, which is awake from now on; 5 are left",
        ),
        (
            "1 Ab2 Bd3 | 2 Ab4 Bd5 | awake e1",
            "bastet c3 idea e1",
            "generated an idea on e1; 5 are left",
        ),
        (
            "1 Ab2 Bx d3 | 2 Ab4 Bd5 | I a1 | awake e1",
            "return deeds",
            "reborn in the Centre. A5 and e5 are awake from now on.",
        ),
    ],
)
def test_R16_the_story_tells_which_corners_woke(line: str, text: str, told: str) -> None:
    done = play(position(line), text)
    assert (
        told.lower() in " ".join(GENESIS.story(GENESIS.view(done.state, None), done.events)).lower()
    )


# --- faces


def test_R16_the_text_board_and_the_picture_tell_sleeping_corners_from_awake_ones() -> None:
    view = GENESIS.view(position(LINE + " | I a5 | awake e5"), "1")
    board, drawn = GENESIS.text_board(view), GENESIS.draw(view)
    assert " 5  ID  ..  ..  2B  ()" in board and " 1  zz  ..  ..  1B  zz" in board
    assert "  zz  a corner that sleeps" in board
    assert (
        "<title>a1, a Place of Ideas: asleep</title>" in drawn
        and "<title>e5, a Place of Ideas: empty</title>" in drawn
    )
    assert "The corners a1 and e1 sleep." in drawn


def test_R16_nothing_sleeps_in_the_pictures_of_the_tombs() -> None:
    view = GENESIS.view(position(LINE + " | tombs"), "1")
    assert "sleep" not in GENESIS.text_board(view) and "sleep" not in GENESIS.draw(view)


# --- matches begun under rules 1


def test_R16_a_state_stored_under_rules_1_loads_with_all_corners_awake() -> None:
    plain: dict[str, Any] = codec.dump(State, position(LINE))
    del plain["asleep"]
    state = codec.load(State, plain)
    assert state.asleep == () and legal(state, "bastet e1")


@pytest.mark.parametrize(("version", "asleep"), [(1, ()), (2, CORNERS)])
def test_R16_a_match_begins_as_the_rules_it_is_begun_under_say(
    version: int, asleep: tuple[str, ...]
) -> None:
    begin = catalogue.game("genesis").start_under(version)
    assert (
        begin(SEATS, complete_options(GENESIS.about, {}), ScriptedChance(["1", 4, 4])).asleep
        == asleep
    )
