"""How matches of RPS Phoenix end, and its modes (rulings R11-R13, R15)."""

from dataclasses import replace
from typing import Any

import pytest

from adjudicator.core.game import Standing
from adjudicator.core.options import OptionError, complete_options
from adjudicator.games.phoenix.model.events import ChipPaid, Ended, Stayed
from adjudicator.games.phoenix.model.state import Purse, State
from adjudicator.games.phoenix.rules import PHOENIX
from tests.games.phoenix.positions import (
    ESCALATED,
    SEATS,
    after,
    decide,
    gains,
    position,
    texts,
    why,
)


def scored(birds: str, *scores: int, **how: Any) -> State:
    """Return a match whose seats have these scores."""
    state = position(birds, seats=len(scores), **how)
    return replace(state, scores=dict(zip(SEATS, scores, strict=False)))


def standings(state: State) -> str:
    """Return the place, outcome and score of each seat: `1 won 5, 2 lost 0`."""
    result = PHOENIX.result(state)
    assert result is not None
    return ", ".join(
        f"{result[seat].place} {result[seat].outcome} {result[seat].score}" for seat in state.seats
    )


def ended(state: State) -> Ended:
    """Return the end of a match that is over."""
    assert state.ended is not None
    return state.ended


# --- R11


def test_phoenix_R11_nobody_on_the_grid_play_goes_on_with_rolls_until_doubles() -> None:
    state = decide(position("Rr33 Bs55", turn=ESCALATED), "rock NE").state
    assert (after(position("Rr33 Bs55", turn=ESCALATED), "rock NE"), PHOENIX.result(state)) == (
        "",
        None,
    )
    assert texts(state) == ["roll"]
    rolled = decide(state, "roll", 2, 3).state
    assert texts(rolled) == ["stay"]
    assert [event.why for event in decide(rolled, "stay").events if isinstance(event, Stayed)] == [
        "none-on-grid"
    ]
    doubles = decide(state, "roll", 2, 2).state
    assert [text for text in texts(doubles) if " and " not in text] == [
        "phoenix rock",
        "phoenix paper",
        "phoenix scissors",
        "stay",
    ]


def test_phoenix_R11_a_seat_off_the_grid_rolls_on_while_two_others_are_on_it() -> None:
    state = position("Bs55 Pp11", seats=3)
    assert texts(state) == ["roll"]
    assert texts(replace(state, dice=(2, 4))) == ["stay"]


def test_phoenix_R11_the_survivor_wins_whatever_the_score() -> None:
    done = decide(scored("Rr33 Bs55", 0, 9), "rock NE")
    assert standings(done.state) == "1 won 4, 2 lost 9"
    assert (ended(done.state).why, ended(done.state).bonus, ended(done.state).turn) == (
        "survivor",
        {"Red": 3},
        21,
    )
    assert PHOENIX.phase(done.state).due == ()


def test_phoenix_R11_the_survivor_need_not_be_on_turn() -> None:
    assert standings(decide(position("Rr33 Bp55"), "rock NE").state) == "2 lost 0, 1 won 4"


def test_phoenix_R11_those_who_did_not_survive_share_the_next_place() -> None:
    done = decide(scored("Rr33 Bs55", 0, 2, 7), "rock NE")
    assert standings(done.state) == "1 won 4, 2 lost 2, 2 lost 7"


def test_phoenix_R11_is_not_judged_before_the_opening_is_over() -> None:
    assert (
        PHOENIX.result(decide(position("Rr11 Rp? Br? Bp?", dice=(3, 4)), "place paper", 1, 1).state)
        is None
    )
    assert (
        standings(decide(position("Rr11 Rp? Bs34", dice=(3, 4)), "place paper").state)
        == "1 won 4, 2 lost 0"
    )


# --- R12


def test_phoenix_R12_at_the_turn_limit_the_highest_score_wins_without_the_3_points() -> None:
    done = decide(scored("Rr11 Bs61", 2, 5, turn=119), "rock NE")
    assert standings(done.state) == "2 lost 2, 1 won 5"
    assert (ended(done.state).why, ended(done.state).bonus) == ("limit", {})
    assert PHOENIX.result(decide(scored("Rr11 Bs61", 2, 5, turn=118), "rock NE").state) is None


def test_phoenix_R12_equal_scores_share() -> None:
    assert (
        standings(decide(scored("Rr11 Bs61", 4, 4, turn=119), "rock NE").state)
        == "1 drew 4, 1 drew 4"
    )
    assert (
        standings(decide(scored("Rr11 Bs61 Pp66", 4, 1, 4, turn=179), "rock NE").state)
        == "1 shared 4, 3 lost 1, 1 shared 4"
    )


def test_phoenix_R12_a_match_that_ends_by_survival_at_that_very_turn_is_not_ended_by_the_limit() -> (
    None
):
    done = decide(scored("Rr34 Bs55", 0, 9, turn=119, dice=(4, 4), escalation=200), "move rock")
    assert (ended(done.state).why, standings(done.state)) == ("survivor", "1 won 4, 2 lost 9")


def test_phoenix_R12_0_means_no_limit() -> None:
    assert (
        PHOENIX.result(decide(position("Rr11 Bs61", turn=5000, turn_limit=0), "rock NE").state)
        is None
    )


def test_phoenix_R12_the_limit_holds_in_the_opening_too() -> None:
    done = decide(scored("Rr? Br? Bp?", 1, 0, dice=(3, 4), turn=1, turn_limit=1), "place rock")
    assert (ended(done.state).why, standings(done.state)) == ("limit", "1 won 1, 2 lost 0")


def test_phoenix_R12_in_give_away_the_side_with_most_birds_in_the_ashes_wins_at_the_limit() -> None:
    state = scored("Rr11 Rp16 Bs61 Bp66 Br65 Ps54", 9, 0, 0, turn=179, **{"give-away": True})
    assert standings(decide(state, "rock NE").state) == "2 lost 9, 3 lost 0, 1 won 0"
    equal = scored("Rr11 Rp16 Bs61 Bp66", 9, 0, turn=119, **{"give-away": True})
    assert standings(decide(equal, "rock NE").state) == "1 drew 9, 1 drew 0"


def test_phoenix_R12_the_options_and_the_short_preset() -> None:
    options = complete_options(PHOENIX.about, {})
    assert (options["escalation"], options["turn_limit"]) == (27, 60)
    assert [(preset.name, preset.options) for preset in PHOENIX.about.presets] == [
        ("short", {"escalation": 9, "turn_limit": 30})
    ]
    assert complete_options(PHOENIX.about, {"turn_limit": 0})["turn_limit"] == 0
    with pytest.raises(OptionError, match="a number from 1 to 200, or 0"):
        complete_options(PHOENIX.about, {"turn_limit": 201})


# --- R13: team


def test_phoenix_R13_partners_never_interact_or_eliminate_one_another() -> None:
    state = position("Rr33 Ps55 Bp11 Gp16", seats=4, team=True)
    assert after(state, "rock NE") == "Rr44 Bp11 Ps55 Gp16"
    assert after(position("Rr33 Ps55 Bp11 Gp16", seats=4), "rock NE") == "Rr55 Bp11 Gp16"


@pytest.mark.parametrize("dice", [(5, 5), (4, 5)])
def test_phoenix_R13_a_partners_bird_blocks_like_an_own_one(dice: tuple[int, int]) -> None:
    state = position(f"Rr33 Ps{dice[0]}{dice[1]} Bp11 Gp16", seats=4, team=True, dice=dice)
    assert texts(state) == ["stay"]
    reason = (
        f"Your partner Pink’s Scissors stand on {dice[0]},{dice[1]}, so no Bird of yours can come"
        " there."
    )
    assert why(state, "move rock") == reason


def test_phoenix_R13_team_is_for_four_players() -> None:
    with pytest.raises(OptionError, match="only for 4 players"):
        complete_options(PHOENIX.about, {"team": True}, players=3)


def test_phoenix_R13_a_winning_team_gets_the_3_points_once_entered_with_its_first_seat() -> None:
    done = decide(
        scored("Rr66 Bs61 Gs33 Pr11", 0, 5, 1, 2, team=True, on="Pink", dice=(2, 2)), "move rock"
    )
    assert PHOENIX.result(done.state) is None, "Blue is still on the grid"
    done = decide(scored("Gs33 Pr11", 0, 5, 1, 2, team=True, on="Pink", dice=(2, 2)), "move rock")
    assert ended(done.state).bonus == {"Red": 3}
    assert standings(done.state) == "1 won 3, 2 lost 5, 1 won 2, 2 lost 2"


def test_phoenix_R13_the_points_of_a_team_add_up_at_the_limit() -> None:
    done = decide(scored("Rr11 Bs61", 4, 3, 0, 2, turn=239, team=True), "rock NE")
    assert standings(done.state) == "2 lost 4, 1 won 3, 2 lost 0, 1 won 2"


# --- R13: give-away


def give_away(birds: str, **how: Any) -> State:
    """Return a state of a give-away match."""
    return position(birds, **{"give-away": True}, **how)


def test_phoenix_R13_in_give_away_the_first_seat_with_all_birds_in_the_ashes_wins_the_3_points() -> (
    None
):
    done = decide(give_away("Rr33 Bp55 Bs61"), "rock NE")
    assert (ended(done.state).why, standings(done.state)) == ("given-away", "1 won 3, 2 lost 1")


def test_phoenix_R13_two_sides_at_once_share_and_get_3_each() -> None:
    done = decide(give_away("Rr33 Bs55 Pp61", seats=3, turn=81), "rock NE")
    assert standings(done.state) == "1 shared 4, 1 shared 4, 3 lost 0"
    both = decide(give_away("Rr33 Bs55", turn=ESCALATED), "rock NE")
    assert standings(both.state) == "1 drew 4, 1 drew 4"


def test_phoenix_R13_give_away_is_judged_from_the_turn_that_ends_the_opening() -> None:
    early = decide(give_away("Rr? Rp? Rs11", dice=(3, 4)), "place rock", 1, 1)
    assert PHOENIX.result(early.state) is None
    last = decide(give_away("Rr? Rs11", dice=(3, 4)), "place rock")
    assert standings(last.state) == "2 lost 0, 1 won 3"


def test_phoenix_R13_with_teams_the_six_birds_of_a_team_count() -> None:
    going = decide(give_away("Rr33 Bp55 Ps61 Gs66", seats=4, team=True), "rock NE")
    assert PHOENIX.result(going.state) is None
    done = decide(give_away("Rr33 Bp55 Gs61", seats=4, team=True), "rock NE")
    assert standings(done.state) == "1 won 3, 2 lost 1, 1 won 0, 2 lost 0"


def test_phoenix_R13_in_give_away_doubles_force_a_phoenix() -> None:
    state = give_away("Rr11 Bs61 Bp66", dice=(4, 4))
    assert texts(state) == ["phoenix paper", "phoenix scissors"]
    forced = (
        "The dice show doubles and this match is give-away: a Bird of yours has to rise from the"
        " Ashes."
    )
    assert (why(state, "move rock"), why(state, "stay")) == (forced, forced)
    assert texts(give_away("Rr11 Bs61 Bp66", dice=(4, 5))) == ["move rock"]


def test_phoenix_R13_the_forced_phoenix_holds_in_the_opening_and_not_onto_an_own_bird() -> None:
    assert texts(give_away("Rp? Rs? Br61", dice=(2, 2))) == ["phoenix rock"]
    assert texts(give_away("Rp? Rs22 Br61", dice=(2, 2))) == ["stay"]
    assert texts(give_away("Rr? Rp? Rs? Br61", dice=(2, 2))) == [
        "place rock",
        "place paper",
        "place scissors",
    ]
    assert texts(give_away("Bp? Br61", dice=(2, 2))) == [
        "phoenix rock",
        "phoenix paper",
        "phoenix scissors",
    ]
    assert why(give_away("Rp? Rs? Br61", dice=(2, 2)), "place paper").startswith(
        "The dice show doubles and this match is give-away"
    )


def test_phoenix_R13_one_bird_satisfies_it() -> None:
    state = give_away("Rr11 Bs61 Bp66", dice=(3, 3), turn=ESCALATED)
    assert after(state, "phoenix paper") == "Rr11 Rp33 Bp66 Bs61"


# --- R13: casino


def test_phoenix_R13_casino_a_seat_puts_a_chip_in_the_pot_for_each_of_its_birds_eliminated() -> (
    None
):
    # rock beats scissors, then loses to paper, which loses to Red's scissors: Red pays one chip,
    # Blue two
    done = decide(position("Rr21 Rs34 Bs43 Bp52 Br66", casino=True), "rock NE")
    chips = [
        (event.seat, event.chips, event.pot) for event in done.events if isinstance(event, ChipPaid)
    ]
    assert chips == [("Red", 1, 1), ("Blue", 2, 3)]
    assert (done.state.purses, done.state.pot) == ({"Red": Purse(paid=1), "Blue": Purse(paid=2)}, 3)
    assert done.state.scores == {"Red": 2, "Blue": 1}
    assert decide(position("Rr21 Rs34 Bs43 Bp52 Br66"), "rock NE").state.pot == 0


def test_phoenix_R13_the_winner_takes_the_pot_and_its_score_stays_as_it_is() -> None:
    state = replace(
        position("Rr33 Bs55", casino=True), purses={"Red": Purse(paid=2), "Blue": Purse(paid=2)}
    )
    done = decide(state, "rock NE")
    assert (done.state.purses["Red"], done.state.pot) == (Purse(paid=2, taken=5), 0)
    assert gains(state, "rock NE") == {"Red": 4}


def test_phoenix_R13_the_pot_is_divided_in_whole_chips_among_all_winning_seats() -> None:
    state = position("Gs33 Pr11", seats=4, team=True, casino=True, on="Pink", dice=(2, 2))
    done = decide(replace(state, purses=state.purses | {"Blue": Purse(paid=4)}), "move rock")
    assert (ended(done.state).shares, ended(done.state).pot) == ({"Red": 2, "Pink": 2}, 1)
    assert done.state.pot == 1


# --- R15


def test_phoenix_R15_a_result_keeps_the_score_of_every_seat_for_an_event_to_add_up() -> None:
    done = decide(scored("Rr33 Bs55", 2, 9), "rock NE")
    assert PHOENIX.result(done.state) == {
        "Red": Standing(1, 6, "won"),
        "Blue": Standing(2, 9, "lost"),
    }


# --- G9: a match that is stopped


def standing(state: State) -> str:
    """Return the place and outcome of each seat if the match stops here: `1 won, 2 lost`."""
    return ", ".join(
        f"{each.place} {each.outcome} {each.score}" for each in PHOENIX.standing(state).values()
    )


def test_G9_a_stopped_match_is_judged_as_at_the_turn_limit() -> None:
    assert standing(scored("Rr11 Bs61", 2, 5, turn_limit=0)) == "2 lost 2, 1 won 5"
    assert standing(scored("Rr? Br? Bp?", 1, 1, turn=1)) == "1 drew 1, 1 drew 1"
    assert standing(scored("Rr11 Rp12 Bs61", 5, 2, **{"give-away": True})) == "2 lost 5, 1 won 2"
