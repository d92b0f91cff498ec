"""The set-up of Genesis: who begins, the hands of pyramids, and the births (R1, R2)."""

import pytest

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.options import OptionError, complete_options
from adjudicator.games.genesis.model.events import Born, FirstDrawn, HandThrown
from adjudicator.games.genesis.rules import GENESIS
from tests.games.genesis.positions import (
    SEATS,
    after,
    choices,
    kinds,
    opening,
    play,
    refused,
    where,
    why,
)


def hands(*script: object) -> list[int]:
    return [side.pyramids for side in opening(*script).sides]


# --- R1: the supply


def test_genesis_R1_ten_ideas_lie_outside_the_world_unless_the_option_says_otherwise() -> None:
    assert (opening().outside, opening(ideas=24).outside) == (10, 24)
    assert opening().ideas == ()


def test_genesis_R1_the_preset_short_has_eight() -> None:
    preset = next(preset for preset in GENESIS.about.presets if preset.name == "short")
    assert preset.options == {"ideas": 8, "turn_limit": 60}


@pytest.mark.parametrize("ideas", [7, 25])
def test_genesis_R1_fewer_than_8_and_more_than_24_are_not_offered(ideas: int) -> None:
    with pytest.raises(OptionError, match="from 8 to 24"):
        complete_options(GENESIS.about, {"ideas": ideas})


# --- R2: the first seat, and no square before birth


def test_genesis_R2_the_first_seat_is_drawn_by_the_chance_of_the_match() -> None:
    chance = ScriptedChance(["2", 4, 5])
    state = GENESIS.start(SEATS, complete_options(GENESIS.about, {}), chance)
    assert (state.first, GENESIS.phase(state).due) == ("2", ("2",))
    assert [(draw.stream, draw.value) for draw in chance.draws] == [
        ("public", "2"),
        ("public", 4),
        ("public", 5),
    ]


def test_genesis_R2_the_pieces_are_on_no_square_until_they_are_born() -> None:
    state = opening()
    assert where(state) == "x x x x"
    assert {piece.life for side in state.sides for piece in side.pieces} == {"unborn"}


# --- the hands


def test_genesis_G6_the_hand_of_the_first_seat_is_thrown_first() -> None:
    assert hands("1", 2, 5) == [2, 5]
    assert hands("2", 2, 5) == [5, 2]


def test_genesis_hands_of_1_3_and_6_are_thrown_again() -> None:
    state = opening("2", 1, 3, 6, 2, 6, 4)
    assert [side.pyramids for side in state.sides] == [4, 2]
    assert state.last == (
        FirstDrawn(seat="2"),
        HandThrown(seat="2", faces=(1, 3, 6, 2), pyramids=2),
        HandThrown(seat="1", faces=(6, 4), pyramids=4),
    )


# --- births


def test_genesis_births_are_in_order_of_play_and_then_the_first_seat_has_its_turn() -> None:
    first = play(opening("2", 4, 4), "birth anubis b2 bastet d2")
    assert GENESIS.phase(first.state).due == ("1",)
    second = play(first.state, "birth anubis b4 bastet d4")
    assert (GENESIS.phase(second.state).due, second.state.part) == (("2",), "ideas")
    assert where(second.state) == "b4 d4 b2 d2"


def test_genesis_births_give_the_two_pyramids_back_to_the_hand() -> None:
    done = play(opening("1", 2, 5), "birth anubis b2 bastet d2")
    assert (done.state.side("1").pyramids, done.state.pyramids) == (2, ())


def test_genesis_births_are_no_turns() -> None:
    state = after(opening(), "birth anubis b2 bastet d2", "birth anubis b4 bastet d4")
    assert state.taken == 0
    assert GENESIS.phase(state).name == "Turn 1"


def test_genesis_the_draws_of_the_set_up_are_events_of_the_opening_only() -> None:
    assert kinds(GENESIS.opened(opening())) == ["first drawn", "hand thrown", "hand thrown"]
    first = play(opening(), "birth anubis b2 bastet d2")
    second = play(first.state, "birth anubis b4 bastet d4")
    assert kinds(first.events) == ["born"]
    assert second.events == (Born(seat="2", anubis="b4", bastet="d4"),)


def test_genesis_births_may_be_on_any_two_cells() -> None:
    assert len(choices(opening())) == 20 * 19
    assert len(choices(after(opening(), "birth anubis b2 bastet d2"))) == 18 * 17


REFUSED = [
    (
        "birth anubis a1 bastet d2",
        "a1",
        "a1 is a Place of Ideas; pyramids and deeds are placed on cells.",
    ),
    (
        "birth anubis b4 bastet c3",
        "c3",
        "c3 is the Centre; pyramids and deeds are placed on cells.",
    ),
    ("birth anubis b4 bastet b4", "b4", "Anubis and Bastet are born on two different cells."),
    ("birth anubis b2 bastet d4", "b2", "Seat 1’s Anubis stands on b2."),
]


@pytest.mark.parametrize(("text", "piece", "reason"), REFUSED)
def test_genesis_births_elsewhere_are_refused(text: str, piece: str, reason: str) -> None:
    refusal = refused(after(opening(), "birth anubis b2 bastet d2"), text)
    assert (refusal.kind, refusal.piece, refusal.reason, refusal.understood) == (
        "illegal",
        piece,
        reason,
        text,
    )
    assert refusal.remedies


def test_genesis_nothing_else_is_possible_before_the_births() -> None:
    assert (
        why(opening(), "anubis b2")
        == "Your pieces are not born yet: say first on which two cells they are born."
    )


def test_genesis_a_second_birth_is_refused() -> None:
    state = after(opening(), "birth anubis b2 bastet d2", "birth anubis b4 bastet d4")
    assert why(state, "birth anubis b1 bastet d1") == "Your pieces were born already."
