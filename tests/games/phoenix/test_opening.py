"""RPS Phoenix from the roll for the first turn to the end of the opening (rulings R1-R3)."""

from typing import Any

import pytest

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.options import complete_options
from adjudicator.games.phoenix.model.events import (
    Began,
    Eliminated,
    FirstRoll,
    OpeningEnded,
    Rolled,
    Stayed,
)
from adjudicator.games.phoenix.model.state import State
from adjudicator.games.phoenix.rules import PHOENIX
from tests.games.phoenix.positions import SEATS, after, decide, gains, position, texts, why


def begun(*rolled: int, seats: int = 2, **options: Any) -> State:
    """Return a new match with these dice."""
    return PHOENIX.start(
        SEATS[:seats], complete_options(PHOENIX.about, options), ScriptedChance(list(rolled))
    )


# --- who begins


def test_the_highest_total_begins_and_black_is_rolled_first() -> None:
    chance = ScriptedChance([3, 4, 5, 6, 2, 1])
    state = PHOENIX.start(("Red", "Blue"), complete_options(PHOENIX.about, {}), chance)
    assert (state.on_turn, state.dice, state.turn) == ("Blue", (2, 1), 0)
    labels = [
        "first:Red:black:1",
        "first:Red:white:1",
        "first:Blue:black:1",
        "first:Blue:white:1",
        "turn:1:black",
        "turn:1:white",
    ]
    assert [draw.label for draw in chance.draws] == labels


def test_only_the_seats_tied_for_the_highest_roll_again() -> None:
    state = begun(6, 2, 1, 1, 4, 4, 2, 2, 5, 5, 1, 6, seats=3)
    assert state.on_turn == "Pink"
    assert state.last is not None
    first = (FirstRoll("Red", (6, 2)), FirstRoll("Blue", (1, 1)), FirstRoll("Pink", (4, 4)))
    again = (FirstRoll("Red", (2, 2)), FirstRoll("Pink", (5, 5)))
    assert state.last.events == (Began(rounds=(first, again), first="Pink"),)


def test_the_opening_position_tells_who_began_and_every_decision_the_dice_of_the_next_turn() -> (
    None
):
    state = begun(3, 4, 1, 1, 2, 5)
    assert [event.kind for event in PHOENIX.opened(state)] == ["began", "rolled"]
    assert PHOENIX.opened(state)[1] == Rolled(turn=1, seat="Red", dice=(2, 5), part="opening")
    done = decide(state, "place rock", 6, 1)
    assert [event.kind for event in done.events] == ["placed", "rolled"]
    assert done.events[1] == Rolled(turn=2, seat="Blue", dice=(6, 1), part="opening")


def test_play_goes_in_seat_order_from_the_seat_that_began() -> None:
    state, seen = begun(1, 1, 1, 2, 6, 6, 1, 1, seats=3), []
    for square in ((1, 2), (1, 3), (1, 4)):
        seen.append(PHOENIX.phase(state).name)
        state = decide(state, "place rock", *square).state
    assert seen == ["Turn 1, Pink", "Turn 2, Red", "Turn 3, Blue"]
    assert state.turn == 3


# --- placing


def test_phoenix_R1_in_the_opening_nothing_interacts_diagonally() -> None:
    state = position("Rr? Rp? Bs45 Bp?", dice=(3, 4))
    assert after(state, "place rock", 1, 1) == "Rr34 Rp? Bp? Bs45"
    assert gains(state, "place rock", 1, 1) == {}


def test_phoenix_R1_a_raised_bird_does_not_interact_in_the_opening_either() -> None:
    state = position("Rp? Rs? Bs55 Bp?", dice=(4, 4))
    assert after(state, "phoenix rock", 1, 1) == "Rr44 Rp? Rs? Bp? Bs55"


@pytest.mark.parametrize("under", ["Br34", "Bp34", "Bs34"])
def test_phoenix_R1_landing_on_a_square_eliminates_whatever_the_types(under: str) -> None:
    state = position(f"Rs? Rp? {under} B{'p' if under[1] == 'r' else 'r'}?", dice=(3, 4))
    done = decide(state, "place scissors", 1, 1)
    assert [
        bird.place for bird in done.state.birds if bird.kind[0] == under[1] and bird.seat == "Blue"
    ] == ["ashes"]
    assert done.state.scores == {"Red": 1, "Blue": 0}
    assert [event.why for event in done.events if isinstance(event, Eliminated)] == ["placed"]


def test_an_own_bird_on_the_rolled_square_ends_the_turn_with_no_action() -> None:
    state = position("Rr34 Rp? Rs? Bs45", dice=(3, 4))
    assert texts(state) == ["stay"]
    done = decide(state, "stay", 1, 1)
    assert [event.why for event in done.events if isinstance(event, Stayed)] == ["blocked"]
    assert (done.state.turn, done.state.on_turn) == (state.turn + 1, "Blue")


def test_the_opening_ends_when_every_bird_is_placed_or_in_the_ashes_and_then_no_dice_lie_ready() -> (
    None
):
    done = decide(position("Rr11 Rp21 Rs? Br66 Bp56", dice=(6, 2)), "place scissors")
    assert done.events[-1] == OpeningEnded(turn=21)
    assert (done.state.part, done.state.dice, texts(done.state)[0]) == ("main", None, "roll")


# --- R2


def test_phoenix_R2_doubles_allow_a_phoenix_in_the_opening() -> None:
    assert texts(position("Rp? Rs? Br61", dice=(2, 2))) == [
        "place paper",
        "place scissors",
        "phoenix rock",
    ]
    assert gains(position("Rp? Rs? Br61", dice=(2, 2)), "phoenix rock", 1, 1) == {"Red": 2}


def test_phoenix_R2_no_phoenix_without_doubles_or_without_a_bird_in_the_ashes() -> None:
    assert (
        why(position("Rp? Rs? Br61", dice=(2, 3)), "phoenix rock")
        == "The dice show 2,3; a Phoenix needs doubles."
    )
    assert texts(position("Rr11 Rp? Rs? Br61", dice=(2, 2))) == ["place paper", "place scissors"]


def test_phoenix_R2_a_seat_with_no_bird_left_to_place_passes() -> None:
    state = position("Rr11 Rp21 Rs31 Br? Bp? Bs?", dice=(4, 5))
    assert texts(state) == ["stay"]
    assert [
        event.why for event in decide(state, "stay", 1, 2).events if isinstance(event, Stayed)
    ] == ["none-to-place"]


def test_phoenix_R2_a_seat_with_no_bird_left_to_place_may_make_a_phoenix_or_pass() -> None:
    state = position("Rr11 Rp21 Br? Bp? Bs?", dice=(4, 4))
    assert texts(state) == ["phoenix scissors", "stay"]


# --- R3 in the opening


def test_phoenix_R3_an_own_bird_on_the_square_forbids_the_phoenix_too() -> None:
    state = position("Rr22 Rp? Br61", dice=(2, 2))
    assert texts(state) == ["stay"]
    assert (
        why(state, "phoenix scissors")
        == "Your own Rock stands on 2,2, so no Bird of yours can come there."
    )


def test_phoenix_R3_in_the_opening_stay_is_for_those_who_cannot_place() -> None:
    reason = why(position("Rr? Br61", dice=(2, 5)), "stay")
    assert (
        reason == "Your Rock can be placed on 2,5; you may stay only where none of your Birds can."
    )


def test_the_first_picture_says_who_begins_in_a_sentence_of_its_own() -> None:
    clear, tied = begun(6, 5, 1, 1, 2, 5), begun(3, 3, 2, 4, 6, 6, 1, 1, 2, 5)
    assert "The first roll: you 11 and Blue 2. You begin." in PHOENIX.draw(
        PHOENIX.view(clear, "Red")
    )
    assert "The first roll: Red 11 and Blue 2. Red begins." in PHOENIX.draw(
        PHOENIX.view(clear, None)
    )
    assert "The first roll: you 6 and Blue 6. After a tie you begin." in PHOENIX.draw(
        PHOENIX.view(tied, "Red")
    )
