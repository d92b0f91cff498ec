"""RPS Phoenix in the Escalation: long diagonals, chain reactions, mutual elimination, two Birds at
once (rulings R7-R10).
"""

import pytest

from adjudicator.core.game import Seat
from adjudicator.games.phoenix.model.events import Eliminated, EscalationBegan, Moved
from adjudicator.games.phoenix.model.grid import Dice
from adjudicator.games.phoenix.model.state import State
from tests.games.phoenix.positions import (
    ESCALATED,
    after,
    decide,
    gains,
    met,
    position,
    refused,
    texts,
    why,
)


def late(birds: str, *, dice: Dice | None = None, on: Seat = "Red") -> State:
    """Return a state of two seats in the Escalation."""
    return position(birds, turn=ESCALATED, dice=dice, on=on)


def test_the_escalation_begins_when_the_turn_counter_reaches_27_turns_for_each_seat() -> None:
    done = decide(position("Rr11 Bs61", turn=53), "rock NE")
    assert done.events[-1] == EscalationBegan(turn=54)
    assert not any(
        isinstance(event, EscalationBegan)
        for event in decide(position("Rr33 Bs55", turn=53), "rock NE").events
    ), "it ended"
    assert (position("Rr11 Bs61", turn=53).part, done.state.part) == ("main", "escalation")
    assert [position("Rr11 Bs61", turn=turn, seats=3).part for turn in (80, 81)] == [
        "main",
        "escalation",
    ]
    assert [position("Rr11 Bs61", turn=turn, escalation=9).part for turn in (17, 18)] == [
        "main",
        "escalation",
    ]


# --- R7


def test_phoenix_R7_there_is_no_escalation_before_the_opening_is_over() -> None:
    state = position("Rr? Rp11 Bs61", turn=60, dice=(4, 4))
    assert state.part == "opening"
    assert texts(state) == ["place rock", "phoenix scissors"]
    done = decide(state, "place rock")
    assert [event.kind for event in done.events] == ["placed", "opening-ended", "escalation-began"]


def test_phoenix_R7_a_bird_goes_any_number_of_empty_squares_along_one_diagonal() -> None:
    assert texts(late("Rr11 Bs61")) == [
        "roll",
        "rock 2,2",
        "rock 3,3",
        "rock 4,4",
        "rock 5,5",
        "rock 6,6",
    ]
    assert after(late("Rr11 Bs61"), "rock 5,5") == "Rr55 Bs61"


def test_phoenix_R7_it_may_end_on_the_first_opponents_bird_which_goes_to_the_ashes_whatever_the_types() -> (
    None
):
    state = late("Rr11 Bp33 Bs61")
    assert (after(state, "rock 3,3"), gains(state, "rock 3,3")) == ("Rr33 Bs61", {"Red": 1})
    assert [
        event.why for event in decide(state, "rock 3,3").events if isinstance(event, Eliminated)
    ] == ["diagonal"]


def test_phoenix_R7_it_never_passes_over_a_bird() -> None:
    state = late("Rr11 Rp15 Bp33 Rs24")
    assert why(state, "rock 4,4") == "Blue’s Paper stands in the way at 3,3."
    assert why(state, "paper SE 2") == "Your own Scissors stand in the way at 2,4."
    assert why(state, "paper SE") == "Your own Scissors stand on 2,4."
    assert "rock 4,4" not in texts(state)


def test_phoenix_R7_no_number_means_one_square_and_the_count_includes_the_square_captured_on() -> (
    None
):
    state = late("Rr11 Bp33 Bs61 Br65")
    assert after(late("Rr11 Bs61"), "rock NE") == "Rr22 Bs61"
    assert after(late("Rr11 Bs61"), "rock NE 2") == "Rr33 Bs61"
    assert after(state, "rock NE 2") == "Rr33 Br65 Bs61"


def test_phoenix_R7_holds_in_the_escalation_only() -> None:
    assert (
        why(position("Rr11 Bs61"), "rock NE 2")
        == "A diagonal move is one square until the Escalation begins, which is after turn 54."
    )


# --- R8


def test_phoenix_R8_a_chain_goes_on_in_the_same_direction_while_it_eliminates() -> None:
    state = late("Rr11 Bp22 Bs33 Br61")
    assert (after(state, "rock NE chain"), gains(state, "rock NE chain")) == (
        "Rr44 Br61",
        {"Red": 2},
    )
    moved = [
        (event.to, event.how)
        for event in decide(state, "rock NE chain").events
        if isinstance(event, Moved)
    ]
    assert moved == [((2, 2), "diagonal"), ((3, 3), "chain"), ((4, 4), "chain")]


def test_phoenix_R8_chain_1_takes_one_step_and_the_default_takes_none() -> None:
    state = late("Rr11 Bp22 Bs33 Br61 Rp16")
    assert after(state, "rock NE chain 1") == "Rr33 Rp16 Br61"
    # on 2,2 it meets the scissors on 3,3: both go (R9)
    assert after(state, "rock NE") == "Rp16 Br61"


def test_phoenix_R8_a_chain_stops_on_the_first_empty_square() -> None:
    state = late("Rr11 Bp22 Br61")
    assert after(state, "rock NE chain") == "Rr33 Br61"
    assert (
        why(state, "rock NE chain 2")
        == "After 2,2 the chain reaction can go on for 1 square, not 2."
    )
    assert refused(state, "rock NE chain 2").piece == "chain 2"


@pytest.mark.parametrize(
    ("birds", "order", "stand"),
    [
        ("Rr11 Rp33 Bp22 Br61", "rock NE", "Rr22 Rp33 Br61"),
        ("Rr55 Bp66 Br61", "rock NE", "Rr66 Br61"),
        ("Rr11 Br61", "rock NE", "Rr22 Br61"),
    ],
    ids=["an own Bird ahead", "the edge ahead", "nothing eliminated"],
)
def test_phoenix_R8_chain_takes_as_many_steps_as_there_are_perhaps_none(
    birds: str, order: str, stand: str
) -> None:
    assert after(late(birds), f"{order} chain") == stand
    assert why(late(birds), f"{order} chain 1")


def test_phoenix_R8_a_partners_bird_stops_a_chain() -> None:
    state = position("Rr11 Bp22 Pr33 Gr61", seats=4, team=True, turn=108)
    assert after(state, "rock NE chain") == "Rr22 Pr33 Gr61"


def test_phoenix_R8_there_is_no_chain_in_the_normal_part() -> None:
    reason = why(position("Rr11 Bs61"), "rock NE chain")
    assert (
        reason == "There is no chain reaction until the Escalation begins, which is after turn 54."
    )


def test_every_end_of_a_chain_is_offered() -> None:
    state = late("Rr11 Bp22 Bs33 Br61")
    assert texts(state) == ["roll", "rock 2,2", "rock 2,2 chain 1", "rock 2,2 chain 2"]


# --- R9


@pytest.mark.parametrize("other", ["Bs55", "Br55", "Bp55"])
def test_phoenix_R9_both_birds_go_to_the_ashes_whatever_the_types_and_both_seats_score(
    other: str,
) -> None:
    left = "Bp61" if other != "Bp55" else "Bs61"
    state = late(f"Rr33 Rp16 {other} {left}")
    assert (met(state, "rock NE"), after(state, "rock NE")) == ("NE mutual", f"Rp16 {left}")
    assert gains(state, "rock NE") == {"Red": 1, "Blue": 1}


def test_phoenix_R9_a_landed_bird_meets_one_only_the_first_in_the_order_of_looking() -> None:
    state = late("Rr33 Rp16 Bs55 Bp53 Br61")
    assert after(state, "rock NE") == "Rp16 Br61 Bp53"
    assert after(state, "rock NE meeting SW SE") == "Rp16 Br61 Bs55"


def test_phoenix_R9_is_judged_once_where_the_bird_ends_its_turn() -> None:
    # on 2,2 the rock would meet the scissors at 3,1; it goes on to 3,3, where nobody is
    state = late("Rr11 Bp22 Bs31 Br61")
    assert (after(state, "rock NE chain"), met(state, "rock NE chain")) == ("Rr33 Br61 Bs31", "")
    assert met(state, "rock NE") == "SE mutual"


def test_phoenix_R9_holds_after_a_roll_too() -> None:
    assert met(late("Rr12 Rp16 Br55 Bs61", dice=(4, 4)), "move rock") == "NE mutual"


# --- R10


def test_phoenix_R10_doubles_raise_one_bird_or_two_for_2_points_each() -> None:
    state = late("Rp11 Bs61", dice=(3, 3))
    assert (after(state, "phoenix rock"), gains(state, "phoenix rock")) == (
        "Rr33 Rp11 Bs61",
        {"Red": 2},
    )
    both = "phoenix rock and scissors 3,4"
    assert (after(state, both), gains(state, both)) == ("Rr33 Rp11 Rs34 Bs61", {"Red": 4})


def test_phoenix_R10_the_second_bird_goes_to_any_empty_square_next_to_the_first() -> None:
    state = late("Rp11 Br61 Bs43", dice=(3, 3))
    squares = ["2,2", "2,3", "2,4", "3,2", "3,4", "4,2", "4,4"]
    assert [
        text[-3:] for text in texts(state) if text.startswith("phoenix rock and scissors")
    ] == squares
    assert (
        why(state, "phoenix rock and scissors 3,5")
        == "3,5 is not next to 3,3, where the first Bird rises."
    )
    assert (
        why(state, "phoenix rock and scissors 3,3")
        == "3,3 is not next to 3,3, where the first Bird rises."
    )
    occupied = "Blue’s Scissors stand on 4,3; the second Bird needs an empty square."
    assert why(state, "phoenix rock and scissors 4,3") == occupied
    assert refused(state, "phoenix rock and scissors 4,3").piece == "and scissors 4,3"


def test_phoenix_R10_either_of_two_birds_may_be_the_first() -> None:
    offered = texts(late("Rs16 Bs61", dice=(3, 3)))
    assert {"phoenix rock and paper 3,4", "phoenix paper and rock 3,4"} <= set(offered)
    # the scissors move; rock or paper rises alone, or with the other on one of 8 squares
    assert len(offered) == 1 + 2 * (1 + 8)


def test_phoenix_R10_the_second_is_placed_before_anything_is_judged() -> None:
    # the first Bird's meeting would eliminate the scissors and free 4,4, but 4,4 is still occupied
    # when the second Bird rises
    state = late("Rp11 Br61 Bs44", dice=(3, 3))
    assert (
        why(state, "phoenix rock and scissors 4,4")
        == "Blue’s Scissors stand on 4,4; the second Bird needs an empty square."
    )


def test_phoenix_R10_both_count_as_landed_and_the_first_one_first() -> None:
    state = late("Rp11 Br61 Bs44 Bp45", dice=(3, 3))
    done = decide(state, "phoenix rock and scissors 3,4")
    assert [event.kind for event in done.events] == ["raised", "raised", "met", "met", "scored"]
    assert after(state, "phoenix rock and scissors 3,4") == "Rp11 Br61"
    assert gains(state, "phoenix rock and scissors 3,4") == {"Red": 6, "Blue": 2}


def test_phoenix_R10_of_two_raised_birds_meeting_is_the_first_ones() -> None:
    # the rock on 3,3 has the scissors to the north-east and Blue's rock to the south-west; the
    # paper on 3,4 has nobody
    state = late("Rs16 Bs44 Br22 Bp61", dice=(3, 3))
    assert after(state, "phoenix rock and paper 3,4") == "Rp34 Rs16 Br22 Bp61"
    assert after(state, "phoenix rock and paper 3,4 meeting SW") == "Rp34 Rs16 Bp61 Bs44"


def test_phoenix_R10_meeting_does_not_turn_the_looks_of_the_second_bird() -> None:
    # the rock on 3,3 has Blue's paper to the south-west; the paper on 3,4 has the scissors to the
    # north-east, the rock to the south-west
    state = late("Rs16 Bs45 Br23 Bp22", dice=(3, 3))
    assert after(state, "phoenix rock and paper 3,4 meeting SW") == "Rs16 Br23"


def test_phoenix_R10_two_birds_rise_in_the_escalation_only() -> None:
    state = position("Rp11 Bs61", dice=(3, 3))
    assert (
        why(state, "phoenix rock and scissors 3,4")
        == "Two Birds rise only in the Escalation, which begins after turn 54."
    )
    assert (
        why(late("Rp11 Rr21 Bs61", dice=(3, 3)), "phoenix scissors and rock 3,4")
        == "Your Rock stands on 2,1; only a Bird in the Ashes can rise."
    )


def test_phoenix_R10_in_an_opening_that_outlasts_the_counter_one_bird_rises() -> None:
    reason = (
        "Two Birds rise only in the Escalation, which does not begin before the opening is over."
    )
    assert why(late("Rp? Bs61", dice=(3, 3)), "phoenix rock and scissors 3,4") == reason
