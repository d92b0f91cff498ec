"""Bastet in the Centre: ideas generated and destroyed, and the duty to leave again (R7)."""

import pytest

from adjudicator.games.genesis.model.events import Destroyed, Generated, MustLeave, SitsStill
from adjudicator.games.genesis.rules import GENESIS
from tests.games.genesis.positions import (
    after,
    choices,
    kinds,
    legal,
    play,
    position,
    refused,
    silent,
    where,
    why,
)

NEAR = "1 Ab2 Bc1 p2 | 2 Ab5 Bd5 p2 | I e1"
INSIDE = "1 Ab2 Bc3 leave p2 | 2 Ab5 Bd5 p2 | I e1"
# only b2, where her Anubis stands, could be freed
ENCLOSED = "1 Ab2 Bc3 leave p2 | 2 Ad5 Bb5 | P b3 d3 c2 c4 d2 d4 b4"


# --- generating and destroying


def test_genesis_bastet_who_enters_the_centre_may_generate_an_idea_on_a_corner() -> None:
    done = play(position(NEAR), "bastet c3 idea a5")
    assert done.events[1:] == (
        Generated(seat="1", square="a5", outside=5, woke=True),
        MustLeave(seat="1"),
    )
    assert (done.state.ideas, done.state.outside) == (("e1", "a5"), 5)


def test_genesis_having_generated_the_seat_does_not_sit_still() -> None:
    assert play(position(NEAR), "bastet c3 idea a5").state.sitting is None


def test_genesis_bastet_may_destroy_an_idea_and_her_seat_sits_still_for_two_turns() -> None:
    done = play(position(NEAR), "bastet c3 destroy e1")
    assert done.events[1:] == (
        Destroyed(seat="1", square="e1", outside=7),
        MustLeave(seat="1"),
        SitsStill(seat="1", turns=2),
    )
    assert (done.state.ideas, done.state.outside) == ((), 7)


def test_genesis_she_may_enter_and_do_neither() -> None:
    assert kinds(play(position(NEAR), "bastet c3").events) == ["moved", "must leave"]


def test_genesis_the_corner_she_has_just_left_counts_as_free() -> None:
    state = position("1 Ab1 Ba1 | 2 Ab5 Bd5")
    assert play(state, "bastet c3 idea a1").state.ideas == ("a1",)


def test_genesis_the_corner_that_anubis_left_before_her_is_free_too() -> None:
    state = position("1 Aa1 Bc1 | 2 Ab5 Bd5")
    assert (
        why(state, "bastet c3 idea a1")
        == "Your Anubis stands on a1, so no idea can be generated there."
    )
    assert play(state, "anubis a2\nbastet c3 idea a1").state.ideas == ("a1",)


WRONG_WORK = [
    ("bastet c3 idea e1", "e1", "An idea lies on e1, so no idea can be generated there."),
    ("bastet c3 idea b4", "b4", "b4 is no Place of Ideas; these are a1, e1, a5 and e5."),
    ("bastet c3 destroy a5", "a5", "No idea lies on a5 to destroy."),
    (
        "bastet c2 idea a5",
        "a5",
        "Ideas are generated and destroyed only by a Bastet who enters the Centre, c3.",
    ),
    (
        "anubis b3 idea a5",
        "a5",
        "Ideas are generated and destroyed only by a Bastet who enters the Centre, c3.",
    ),
]


@pytest.mark.parametrize(("text", "piece", "reason"), WRONG_WORK)
def test_genesis_what_cannot_be_generated_or_destroyed_is_refused(
    text: str, piece: str, reason: str
) -> None:
    refusal = refused(position(NEAR), text)
    assert (refusal.kind, refusal.piece, refusal.reason, refusal.understood) == (
        "illegal",
        piece,
        reason,
        text,
    )


def test_genesis_every_way_to_enter_the_centre_is_offered() -> None:
    entering = [text for text in choices(position(NEAR)) if text.startswith("bastet c3")]
    assert entering == [
        "bastet c3",
        "bastet c3 idea a1",
        "bastet c3 idea a5",
        "bastet c3 idea e5",
        "bastet c3 destroy e1",
    ]


# --- R7: leaving


def test_genesis_R7_she_must_leave_on_the_next_turn_whatever_she_did_there() -> None:
    for work in ("", " idea a5"):
        state = after(position(NEAR), f"bastet c3{work}", "pass")
        assert (
            why(state, "pass")
            == "Your Bastet came to the Centre, so she must leave it in this turn."
        )
        assert legal(state, "bastet c1")


@pytest.mark.parametrize("text", ["pass", "throw", "pyramid d2", "return deeds"])
def test_genesis_R7_only_moves_are_legal_then(text: str) -> None:
    refusal = refused(position(INSIDE + " | P d3"), text)
    assert refusal.reason == "Your Bastet came to the Centre, so she must leave it in this turn."
    assert all("bastet" in remedy for remedy in refusal.remedies)


def test_genesis_R7_a_move_of_anubis_alone_is_half_a_turn_and_refused() -> None:
    refusal = refused(position(INSIDE), "anubis b3")
    assert (
        refusal.reason
        == "Your Bastet must leave the Centre in this turn, so Anubis moves only together with her."
    )
    assert refusal.understood == "anubis b3"
    assert any("bastet" in remedy and "anubis b3" in remedy for remedy in refusal.remedies)


def test_genesis_R7_anubis_may_move_beside_her_before_or_after() -> None:
    assert where(play(position(INSIDE), "anubis b3\nbastet b2").state) == "b3 b2 b5 d5"
    assert where(play(position(INSIDE), "bastet c1\nanubis b3").state) == "b3 c1 b5 d5"
    offered = choices(position(INSIDE))
    assert (
        "bastet c1" in offered
        and "bastet c1, anubis b3" in offered
        and "anubis b3, bastet b2" in offered
    )
    assert "anubis b3, bastet c1" not in offered, "it comes to the same as Bastet first"


def test_genesis_R7_once_she_has_left_nothing_is_owed() -> None:
    state = after(position(INSIDE), "bastet c1", "pass")
    assert legal(state, "pass")


def test_genesis_R7_where_only_anubis_can_make_way_both_move() -> None:
    state = position(ENCLOSED)
    assert not legal(state, "bastet b2")
    assert not legal(state, "pass")
    assert where(play(state, "anubis a2\nbastet b2").state) == "a2 b2 d5 b5"
    assert choices(state)[0] == "anubis b1, bastet b2"


def test_genesis_R7_where_she_cannot_leave_the_duty_waits_and_any_order_is_legal() -> None:
    state = position("1 Aa5 Bc3 leave p2 | 2 Ad5 Bb5 | P b2 c2 d2 b3 d3 b4 c4 d4")
    assert all(legal(state, text) for text in ("pass", "throw", "pyramid d1", "anubis a4"))
    assert after(state, "pass", "pass").side("1").must_leave
    assert after(state, "anubis a4", "pass").side("1").must_leave


def test_genesis_R7_the_duty_outlasts_the_beginning_of_the_tombs() -> None:
    begun = play(position("1 Ab2 Bc1 p2 | 2 Ab5 Bd5 p2 | out 1"), "bastet c3 idea a5")
    assert kinds(begun.events) == ["moved", "generated", "tombs began", "must leave"]
    assert not legal(after(begun.state, "pass"), "pass")


def test_genesis_R7_who_comes_to_the_centre_in_the_tombs_need_not_leave() -> None:
    state = after(position(NEAR + " | tombs"), "bastet c3", "pass")
    assert legal(state, "pass")


def test_genesis_R7_a_rebirth_in_the_centre_brings_neither_an_idea_nor_destruction_but_the_duty() -> (
    None
):
    state = position("1 Ab2 Bx d4 | 2 Ab5 Bd5")
    done = play(state, "return deeds")
    assert kinds(done.events) == ["reborn", "must leave"]
    assert (
        GENESIS.parse(state, "1", "return deeds\nbastet c3 idea a5")
        .refusals[0]
        .reason.startswith("Your Bastet is dead")
    )


def test_genesis_R7_a_leap_into_the_centre_may_generate_and_owes_the_same() -> None:
    done = play(position("1 Ab2 Bc1 | 2 Ab5 Bd5 | P c2 | die 3"), "leap c3 idea a5")
    assert kinds(done.events) == ["leapt", "generated", "must leave"]
    assert done.state.side("1").must_leave


def test_genesis_R7_a_leap_out_of_the_centre_ends_the_duty_that_waited() -> None:
    state = position("1 Aa5 Bc3 leave | 2 Ad5 Bb5 | P b2 c2 d2 b3 d3 b4 c4 d4")
    thrown = play(state, "throw", 6).state
    assert not play(thrown, "leap c2").state.side("1").must_leave


def test_genesis_R14_a_silent_seat_that_must_leave_moves_bastet_alone_to_her_first_square() -> None:
    assert where(silent(position(INSIDE)).state) == "b2 c1 b5 d5"


def test_genesis_R14_where_only_anubis_can_make_way_it_is_the_first_order_in_which_she_leaves_anubis_first() -> (
    None
):
    assert where(silent(position(ENCLOSED)).state) == "b1 b2 d5 b5"
