"""The tombs: their beginning, burial, the six cells, and when they are complete (R9, R10, R11)."""

from dataclasses import replace

import pytest

from adjudicator.games.genesis.model.events import Buried, TombsCompleted
from adjudicator.games.genesis.rules import GENESIS
from tests.games.genesis.positions import (
    after,
    choices,
    kinds,
    legal,
    play,
    position,
    refused,
    where,
    why,
)

LAST_IDEA = "1 Ab2 Bc1 p2 | 2 Ab5 Bd5 p2 | out 1"
# Seat 1's tombs are on a1 and e1, their cells b1 d1 a2 b2 d2 e2; seat 2's pieces live.
BUILDING = "1 A+a1 B+e1 p2 d2 | 2 Ad5 Bb5 p1 | P b1 d1 a2 | D c4:2 | tombs"
ONE_LEFT = "1 A+a1 B+e1 p1 d1 | 2 Ad5 Bb5 p1 | P b1 d1 a2 b2 | D d2:1 | tombs"


# --- they begin


def test_genesis_the_tombs_begin_at_once_with_the_last_idea_from_outside() -> None:
    done = play(position(LAST_IDEA), "bastet c3 idea a5")
    assert kinds(done.events) == ["moved", "generated", "tombs began", "must leave"]
    assert (done.state.part, done.state.outside) == ("tombs", 0)


def test_genesis_the_tombs_begin_within_the_order_so_that_its_second_move_can_bury() -> None:
    done = play(position(LAST_IDEA), "bastet c3 idea a5\nanubis a1")
    assert kinds(done.events) == [
        "moved",
        "generated",
        "tombs began",
        "must leave",
        "moved",
        "buried",
    ]
    assert why(position(LAST_IDEA), "anubis a1\nbastet c3 idea a5").startswith(
        "The corner a1 sleeps"
    )


def test_genesis_the_tombs_can_begin_with_a_leap() -> None:
    done = play(position("1 Ab2 Bc1 | 2 Ab5 Bd5 | P c2 | out 1 | die 3"), "leap c3 idea e5")
    assert done.state.part == "tombs"


@pytest.mark.parametrize(
    ("text", "square"), [("bastet c3 idea a5", "a5"), ("bastet c3 destroy e1", "e1")]
)
def test_genesis_R9_bastet_can_no_longer_generate_or_destroy(text: str, square: str) -> None:
    refusal = refused(position(LAST_IDEA + " | tombs | I e1"), text)
    assert (refusal.piece, refusal.reason) == (
        square,
        "The tombs have begun: Bastet can neither generate nor destroy any more.",
    )


def test_genesis_R9_begun_tombs_stay_begun_when_stones_come_and_go() -> None:
    state = after(position("1 Ab2 Bx d4 | 2 Ab5 Bd5 p1 | tombs"), "return deeds")
    assert (state.part, state.ideas, state.outside) == ("tombs", ("a1", "e1", "a5", "e5"), 0)
    assert after(state, "anubis a5", "anubis a1").part == "tombs"


def test_genesis_R9_stones_on_corners_can_still_be_taken_as_deeds_and_their_taker_is_not_buried() -> (
    None
):
    done = play(position("1 Ab2 Bc1 | 2 Ab5 Bd5 | I a1 | tombs"), "anubis a1")
    assert kinds(done.events) == ["moved", "took idea"]
    assert done.state.side("1").anubis.life == "alive"


def test_genesis_R9_a_bastet_who_dies_in_this_part_can_be_reborn_as_before() -> None:
    state = position("1 Ab2 Bx d4 | 2 Aa5 Bd5 | P c4 | tombs")
    assert legal(state, "throw")
    assert legal(position("1 Ab2 Bx d4 | 2 Ab5 Bd5 | P c4 | tombs"), "return deeds")
    assert "rebirth c4" in choices(play(state, "throw", 1).state)


def test_genesis_R9_buried_pieces_are_out_of_play_and_safe() -> None:
    state = position("1 A+a1 Bc1 | 2 Ab2 B+a5 | tombs")
    assert why(state, "anubis a2") == "Your Anubis is buried on a1, for good."
    assert why(replace(state, turn="2"), "anubis a1") == "Seat 1’s Anubis is buried on a1."
    assert (
        why(position("1 Ab4 Bc1 | 2 Ad2 B+a5 | tombs"), "anubis a5")
        == "Seat 2’s Bastet is buried on a5."
    )


# --- burial


def test_genesis_a_piece_that_enters_a_corner_with_no_idea_is_buried_for_good() -> None:
    done = play(position("1 Ab2 Bc1 | 2 Ab5 Bd5 | tombs"), "anubis a1")
    assert done.events[1] == Buried(seat="1", piece="anubis", square="a1")
    assert done.state.side("1").tomb_cells == (), "one grave is no tomb yet"


def test_genesis_a_piece_that_stands_on_a_corner_as_the_tombs_begin_must_leave_and_enter_one() -> (
    None
):
    state = after(position("1 Ae1 Bc1 | 2 Ab5 Bd5 p9 | out 1"), "bastet c3 idea a5")
    assert state.side("1").anubis.life == "alive"
    state = after(state, "pass", "anubis d1\nbastet c1", "pass", "anubis e1")
    assert state.side("1").anubis.life == "buried"


def test_genesis_both_buried_have_the_six_cells_next_to_their_tombs() -> None:
    done = play(position("1 A+a1 Bd1 | 2 Ab5 Bd5 | tombs"), "bastet e1")
    assert done.events[1] == Buried(
        seat="1", piece="bastet", square="e1", cells=("b1", "d1", "a2", "b2", "d2", "e2")
    )
    opposite = play(position("1 A+a1 Bd4 | 2 Ab5 Bc5 | tombs"), "bastet e5").state
    assert opposite.side("1").tomb_cells == ("b1", "a2", "b2", "d4", "e4", "d5")


# --- building


def test_genesis_R10_both_buried_a_seat_places_pyramids_and_deeds_and_nothing_else() -> None:
    state = position(BUILDING)
    assert choices(state) == [
        "pyramid b2",
        "pyramid d2",
        "pyramid e2",
        "deed b2",
        "deed d2",
        "deed e2",
    ]
    reason = (
        "Both your pieces are buried: you place pyramids and deeds, and pass where you can place"
        " nothing."
    )
    assert why(state, "throw") == why(state, "return deeds") == reason
    assert why(state, "bastet e2") == "Your Bastet is buried on e1, for good."


def test_genesis_while_building_a_seat_places_on_its_own_tomb_cells_only() -> None:
    reason = (
        "While you build your tombs you place on your own tomb cells only: b1, d1, a2, b2, d2"
        " and e2."
    )
    assert why(position(BUILDING), "pyramid c2") == why(position(BUILDING), "deed d4") == reason
    assert why(position(BUILDING), "pyramid b1") == "A pyramid lies on b1."


def test_genesis_while_building_a_seat_may_not_pass_while_it_can_place_something() -> None:
    assert why(position(BUILDING), "pass") == "You may not pass while you can place something."
    assert choices(position(BUILDING.replace("p2 d2", ""))) == ["pass"]


def test_genesis_one_cell_is_filled_a_turn() -> None:
    state = after(position(BUILDING), "pyramid b2", "pass", "deed d2")
    assert state.filled("1") == ("b1", "d1", "a2", "b2", "d2")
    assert (state.side("1").pyramids, state.side("1").deeds) == (1, 1)


def test_genesis_pyramids_and_deeds_lying_there_count_whoever_placed_them() -> None:
    done = play(
        position("1 A+a1 Bd3 | 2 Ab5 Bd5 | P b1 a2 d1 | D b2:2 d2:1 e2:2 | tombs"), "bastet e3"
    )
    assert done.state.filled("1") == ()
    done = play(
        position("1 A+a1 Be4 | 2 Ab5 Bd3 | P b1 a2 d4 | D b2:2 d5:1 e3:2 | tombs"), "bastet e5"
    )
    assert done.state.filled("1") == ("b1", "a2", "b2", "d4", "d5")


def test_genesis_the_sixth_cell_completes_the_tombs() -> None:
    done = play(position(ONE_LEFT), "deed e2")
    assert done.events[1] == TombsCompleted(
        seat="1", cells=("b1", "d1", "a2", "b2", "d2", "e2"), owes="2"
    )
    assert done.state.side("1").completed


def test_genesis_burying_the_second_piece_beside_full_cells_completes_at_once() -> None:
    state = position("1 A+a1 Be3 p1 | 2 Ac5 Bd3 | P b1 a2 b2 e4 d4 | D d5:2 | die 3 | tombs")
    assert kinds(play(state, "leap e5").events) == ["leapt", "buried", "tombs completed"]


def test_genesis_completeness_is_judged_after_every_order_for_both_seats() -> None:
    done = play(position(ONE_LEFT + " | turn 2"), "pyramid e2")
    assert done.events[1] == TombsCompleted(
        seat="1", cells=("b1", "d1", "a2", "b2", "d2", "e2"), owes="2"
    )


def test_genesis_completed_tombs_stay_complete_when_a_rebirth_takes_a_pyramid_from_them() -> None:
    line = "1 A+a1 B+e1 complete | 2 Ad5 Bx | P b1 d1 a2 b2 | D d2:1 e2:1 | tombs | turn 2 | die 1"
    state = play(position(line), "rebirth b2").state
    assert (state.side("1").completed, len(state.filled("1"))) == (True, 5)


def test_genesis_a_seat_with_complete_tombs_goes_on_placing_on_any_empty_cell() -> None:
    state = position("1 A+a1 B+e1 complete p1 d1 | 2 Ad5 Bb5 | P b1 d1 a2 b2 | D d2:1 e2:1 | tombs")
    assert "pyramid c4" in choices(state) and "deed c4" in choices(state)
    assert legal(state, "pyramid c4") and legal(state, "deed c4")
    assert not legal(state, "pass")
    assert len(choices(state)) == 2 * (20 - 6 - 2)


# --- R11


def test_genesis_R11_a_tomb_cell_is_not_filled_while_a_live_piece_stands_on_it() -> None:
    state = position(ONE_LEFT.replace("Bb5", "Be2"))
    assert why(state, "deed e2") == "Seat 2’s Bastet stands on e2."
    assert choices(state) == ["pass"]


def test_genesis_R11_it_is_filled_when_that_piece_leaves_the_pyramid_it_shares() -> None:
    state = position("1 A+a1 B+e1 | 2 Ad5 Be2 | P b1 d1 a2 b2 e2 | D d2:1 | tombs | turn 2")
    assert state.filled("1") == ("b1", "d1", "a2", "b2", "d2")
    done = play(state, "bastet e3")
    assert (kinds(done.events), where(done.state)) == (["moved", "tombs completed"], "a1 e1 d5 e3")


def test_genesis_R11_the_turn_limit_ends_a_siege() -> None:
    state = position(
        "1 A+a1 B+e1 p1 t9 | 2 Ad5 Be2 t10 | P b1 d1 a2 b2 | D d2:1 | tombs | limit 10"
    )
    done = play(state, "pass")
    assert kinds(done.events) == ["passed", "ended"]
    assert GENESIS.phase(done.state).due == ()
