"""RPS Phoenix between the opening and the Escalation: rolls, landings, meetings and points (rulings
R3-R6).
"""

import pytest

from adjudicator.core.chance import Draw, ScriptedChance
from adjudicator.games.phoenix.model.events import Eliminated, Moved, Raised, Rolled
from adjudicator.games.phoenix.model.orders import Roll
from adjudicator.games.phoenix.model.state import State
from adjudicator.games.phoenix.rules import PHOENIX
from tests.games.phoenix.positions import after, decide, gains, met, position, refused, texts, why

# --- a turn


def test_before_the_roll_a_seat_rolls_or_moves_one_square_diagonally() -> None:
    assert texts(position("Rr11 Rp35 Bs61")) == [
        "roll",
        "rock 2,2",
        "paper 4,6",
        "paper 4,4",
        "paper 2,4",
        "paper 2,6",
    ]


def test_after_a_roll_the_same_seat_decides_again_in_the_same_turn() -> None:
    done = decide(position("Rr11 Bs61"), "roll", 4, 5)
    assert done.events == (Rolled(turn=21, seat="Red", dice=(4, 5), part="main"),)
    assert (PHOENIX.phase(done.state).name, done.state.turn) == ("Turn 21, Red after the roll", 20)
    moved = decide(done.state, "move rock")
    assert moved.events == (Moved(bird=done.state.birds[0], to=(4, 5), how="roll"),)
    assert (PHOENIX.phase(moved.state).name, moved.state.turn) == ("Turn 22, Blue", 21)


def test_phoenix_G6_a_roll_is_two_public_draws_named_by_its_turn_black_first() -> None:
    state, chance = position("Rr11 Bs61"), ScriptedChance([4, 5])
    assert PHOENIX.adjudicate(state, {"Red": (Roll(),)}, chance).state.dice == (4, 5)
    assert chance.draws == (Draw("public", "turn:21:black", 4), Draw("public", "turn:21:white", 5))


def test_a_diagonal_move_is_a_turn_without_dice() -> None:
    state = decide(position("Rr11 Bs61"), "rock NE").state
    assert state.last is not None
    assert (state.last.number, state.last.seat, state.last.dice, state.turn) == (
        21,
        "Red",
        None,
        21,
    )


def test_a_diagonal_move_goes_to_an_empty_square_only() -> None:
    state = position("Rr11 Bp22 Rs33 Bs61")
    assert texts(state) == ["roll", "scissors 4,4", "scissors 4,2", "scissors 2,4"]
    assert (
        why(state, "rock NE")
        == "Blue’s Paper stands on 2,2; until the Escalation a diagonal move ends on an empty"
        " square."
    )


# --- R3


def test_phoenix_R3_any_own_bird_on_the_grid_may_move_to_an_empty_rolled_square() -> None:
    state = position("Rr21 Rp31 Bs66", dice=(4, 5))
    assert texts(state) == ["move rock", "move paper"]
    assert after(state, "move paper") == "Rr21 Rp45 Bs66"


@pytest.mark.parametrize("under", ["Br45 Bp61", "Bp45 Br61", "Bs45 Br61"])
def test_phoenix_R3_an_opponents_bird_on_the_rolled_square_goes_to_the_ashes_whatever_the_types(
    under: str,
) -> None:
    state = position(f"Rs21 {under}", dice=(4, 5))
    assert after(state, "move scissors") == f"Rs45 {under[5:]}"
    assert gains(state, "move scissors") == {"Red": 1}
    assert [
        event.why
        for event in decide(state, "move scissors").events
        if isinstance(event, Eliminated)
    ] == ["roll"]


def test_phoenix_R3_onto_an_own_bird_nothing_can_move_and_nothing_can_rise() -> None:
    state = position("Rr44 Rp21 Bs61", dice=(4, 4))
    assert texts(state) == ["stay"]
    for order in ("move rock", "move paper", "phoenix scissors"):
        assert (
            why(state, order) == "Your own Rock stands on 4,4, so no Bird of yours can come there."
        )


def test_phoenix_R3_stay_is_only_for_those_who_cannot_move() -> None:
    reason = why(position("Rp21 Bs61", dice=(4, 5)), "stay")
    assert (
        reason == "Your Paper can be moved to 4,5; you may stay only where none of your Birds can."
    )
    assert (
        why(position("Rp21 Bs61"), "stay")
        == "Before the roll you may roll or move a Bird diagonally, but not stay."
    )


def test_phoenix_R3_on_doubles_a_bird_rises_instead_of_a_move() -> None:
    state = position("Rr21 Bs61", dice=(4, 4))
    assert texts(state) == ["move rock", "phoenix paper", "phoenix scissors"]
    assert after(state, "phoenix paper") == "Rr21 Rp44 Bs61"
    assert gains(state, "phoenix paper") == {"Red": 2}


def test_phoenix_R3_a_raised_bird_eliminates_the_opponents_bird_on_its_square() -> None:
    state = position("Rr21 Bs44 Bp61", dice=(4, 4))
    done = decide(state, "phoenix paper")
    assert [event.kind for event in done.events] == ["raised", "eliminated", "scored"]
    assert done.events[0] == Raised(bird=state.birds[1], to=(4, 4))
    assert done.state.scores == {"Red": 3, "Blue": 0}


# --- R4


@pytest.mark.parametrize(
    ("state", "order", "stand"),
    [
        (position("Rr33 Bs55 Bp61"), "rock NE", "Rr55 Bp61"),
        (position("Rr12 Bs55 Bp61", dice=(4, 4)), "move rock", "Rr55 Bp61"),
        (position("Rp12 Bs55 Bp61", dice=(4, 4)), "phoenix rock", "Rr55 Rp12 Bp61"),
    ],
    ids=["diagonal", "roll", "phoenix"],
)
def test_phoenix_R4_a_bird_that_landed_interacts_however_it_came(
    state: State, order: str, stand: str
) -> None:
    assert (met(state, order), after(state, order)) == ("NE won", stand)


def test_phoenix_R4_birds_that_stood_side_by_side_already_do_not_interact() -> None:
    state = position("Rr33 Rp11 Bs44")
    assert (after(state, "paper NE"), met(state, "paper NE")) == ("Rr33 Rp22 Bs44", "")


def test_phoenix_R4_equal_types_and_orthogonal_neighbours_do_not_interact() -> None:
    assert after(position("Rr33 Br55"), "rock NE") == "Rr44 Br55"
    assert after(position("Rr33 Bs45 Bp54"), "rock NE") == "Rr44 Bp54 Bs45"


# --- R5: the rock lands on 4,4


@pytest.mark.parametrize(
    ("others", "seen"),
    [
        ("Bs55 Ps53 Gs33", "NE won"),
        ("Ps53 Gs33 Bs35", "SE won"),
        ("Gs33 Bs35", "SW won"),
        ("Bs35 Gp61", "NW won"),
        ("Br55 Ps53", "SE won"),
    ],
)
def test_phoenix_R5_the_landed_bird_looks_ne_se_sw_nw_and_passes_over_its_own_type(
    others: str, seen: str
) -> None:
    assert met(position(f"Rr12 {others}", seats=4, dice=(4, 4)), "move rock") == seen


def test_phoenix_R5_the_winner_takes_the_losers_square_and_looks_again_until_nothing_is_found() -> (
    None
):
    # rock to 3,2; NE 4,3 scissors: beaten; from 4,3 SE 5,2 paper: lost, paper on 4,3; its NW 3,4
    # Red's scissors: lost
    state = position("Rr21 Rs34 Bs43 Bp52 Br66")
    assert met(state, "rock NE") == "NE won, SE lost, NW lost"
    assert after(state, "rock NE") == "Rs43 Br66"
    assert gains(state, "rock NE") == {"Red": 2, "Blue": 1}


def test_phoenix_R5_a_chain_may_lead_through_the_birds_of_three_seats() -> None:
    # Red's paper on 3,3 loses to Blue's scissors (2,2), which on 3,3 meet Pink's rock (2,4) and
    # lose to it
    state = position("Rp42 Rr11 Bs22 Br66 Pr24", seats=3)
    assert met(state, "paper NW") == "SW lost, NW lost"
    assert after(state, "paper NW") == "Rr11 Br66 Pr33"
    assert gains(state, "paper NW") == {"Blue": 1, "Pink": 1}


def test_phoenix_R5_the_mover_may_name_where_to_look_first() -> None:
    state = position("Rr12 Bs55 Bp33", dice=(4, 4))
    assert met(state, "move rock") == "NE won"
    assert met(state, "move rock meeting SW") == "SW lost"
    assert [event.kind for event in decide(state, "move rock meeting SW").events][:2] == [
        "moved",
        "met",
    ]


def test_phoenix_R5_a_named_direction_with_nothing_to_meet_is_skipped() -> None:
    state = position("Rr12 Bs55 Bp33", dice=(4, 4))
    assert met(state, "move rock meeting SE SW") == "SW lost"
    assert met(state, "move rock meeting SE") == "NE won"


def test_phoenix_R5_named_directions_hold_at_the_first_look_only() -> None:
    # on 4,4 SW first: 3,3; from there SE 4,2 comes before SW 2,2 again
    state = position("Rr12 Bs33 Ps42 Gs22", seats=4, dice=(4, 4))
    assert met(state, "move rock meeting SW") == "SW won, SE won"


@pytest.mark.parametrize(
    ("state", "order"),
    [
        (position("Rr35 Bs55 Bp33"), "rock 4,4 meeting SW"),
        (position("Rr12 Bs55 Bp33", dice=(4, 4)), "move rock meeting SW"),
        (position("Rp12 Bs55 Bp33", dice=(4, 4)), "phoenix rock meeting SW"),
    ],
    ids=["diagonal", "move", "phoenix"],
)
def test_phoenix_R5_meeting_may_follow_every_order_that_lands_a_bird(
    state: State, order: str
) -> None:
    assert met(state, order) == "SW lost"


def test_phoenix_R5_a_direction_named_twice_is_refused() -> None:
    refusal = refused(position("Rr33 Bs55"), "rock NE meeting SW SE SW")
    assert (refusal.kind, refusal.reason) == (
        "invalid",
        "SW is named twice; name each direction once.",
    )
    assert refusal.piece == "meeting SW SE SW"


def test_meetings_are_offered_only_where_they_lead_to_another_result() -> None:
    assert texts(position("Rr33 Rp11 Rs21 Bs55 Bp53"))[1:3] == ["rock 4,4", "rock 4,4 meeting SE"]
    assert texts(position("Rr33 Rp11 Rs21 Bs55 Br53"))[1:3] == ["rock 4,4", "rock 4,2"]


def test_each_bird_that_could_be_met_first_is_offered() -> None:
    state = position("Rr16 Bs54 Bp52 Ps32", seats=3, dice=(4, 3))
    assert texts(state) == ["move rock", "move rock meeting SE", "move rock meeting SW"]


# --- R6


def test_phoenix_R6_the_winning_bird_scores_for_its_seat_also_out_of_turn() -> None:
    state = position("Rr12 Rs11 Bp55 Bs61", dice=(4, 4))
    assert (met(state, "move rock"), after(state, "move rock")) == ("NE lost", "Rs11 Bp44 Bs61")
    assert gains(state, "move rock") == {"Blue": 1}
