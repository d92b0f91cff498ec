"""The orders of a silent seat in RPS Phoenix (R14), and plans, forced and double orders (G5, G7,
G8).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.game import Seat
from adjudicator.games.phoenix.model.orders import Roll
from adjudicator.games.phoenix.model.state import State
from adjudicator.games.phoenix.rules import PHOENIX
from adjudicator.play.loop import Closed, Opening, advance_match
from adjudicator.play.submission import parse_submission, understand_all
from tests.games.phoenix.positions import ESCALATED, birds_of, decide, position, texts


def default(state: State) -> str:
    """Return the default order of the seat on turn."""
    return "\n".join(
        str(order) for order in PHOENIX.default(state, state.on_turn, ScriptedChance([]))
    )


# --- R14


@pytest.mark.parametrize(
    ("state", "done"),
    [
        (position("Rr? Rp? Rs? Bs61", dice=(3, 4)), "place rock"),
        (position("Rr11 Rp? Rs? Bs61", dice=(3, 4)), "place paper"),
        (position("Rr34 Rp? Rs? Bs61", dice=(3, 4)), "stay"),
        (position("Rr11 Rp12 Rs13 Bs?", dice=(3, 4)), "stay"),
        (position("Rp? Rs? Bs61", dice=(3, 3)), "place paper"),
        (position("Rr11 Bs61"), "roll"),
        (position("Bs61 Pr11", seats=3), "roll"),
        (position("Rp11 Rs16 Bs61", dice=(3, 4)), "move paper"),
        (position("Rp11 Rs16 Bs61", dice=(3, 3)), "move paper"),
        (position("Rp33 Rs16 Bs61", dice=(3, 3)), "stay"),
        (position("Bs61 Pr11", seats=3, dice=(3, 4)), "stay"),
    ],
)
def test_phoenix_R14_a_silent_seat_places_rolls_or_moves_its_first_bird(
    state: State, done: str
) -> None:
    assert default(state) == done


@pytest.mark.parametrize(
    ("birds", "turn", "done"),
    [
        ("Rs? Bs61", 3, "phoenix rock"),
        ("Rr16 Bs61", 20, "phoenix paper"),
        ("Rr16 Bs61", ESCALATED, "phoenix paper"),
        ("Rr33 Bs61", 20, "stay"),
        ("Rr16 Rp11 Rs66 Bs61", 20, "move rock"),
    ],
)
def test_phoenix_R14_a_forced_phoenix_is_made_with_the_first_bird_of_the_ashes(
    birds: str, turn: int, done: str
) -> None:
    state = position(birds, turn=turn, dice=(3, 3), **{"give-away": True})
    assert default(state) == done


def test_phoenix_R14_a_missing_or_impossible_order_is_done_as_the_default() -> None:
    state = position("Rp11 Rs16 Bs61", dice=(3, 4))
    for orders in ({}, {"Red": ()}, {"Red": (Roll(),)}):
        assert (
            birds_of(*PHOENIX.adjudicate(state, orders, ScriptedChance([])).state.birds)
            == "Rp34 Rs16 Bs61"
        )


# --- plans (G5), forced orders (G7), two orders (G8)


@dataclass(frozen=True)
class Part:
    """A sealed part of a plan."""

    orders: str


def dice_of(*rolled: int) -> Callable[[int], ScriptedChance]:
    """Return a function that gives each phase its chance, all from one script of dice."""
    chance = ScriptedChance(list(rolled))

    def of_phase(number: int) -> Any:
        chance.next_phase()
        return chance

    return of_phase


def played_out(
    state: State, letter: str, *rolled: int, seat: Seat = "Red"
) -> tuple[tuple[Closed[Part], ...], Opening[Part]]:
    """Return the phases that one letter closes, and the first phase that waits for orders."""
    read = understand_all(PHOENIX, state, seat, parse_submission(letter))
    assert read.refusals == ()
    plans = {seat: tuple(Part(text) for text in read.texts)}
    return advance_match(PHOENIX, state, number=1, plans=plans, chance_of=dice_of(*rolled))


TURN = "roll THEN phoenix paper OR move rock"


@pytest.mark.parametrize(
    ("rolled", "stand"), [((4, 4), "Rr21 Rp44 Bs61 Bp66"), ((4, 3), "Rr43 Bs61 Bp66")]
)
def test_phoenix_G5_one_letter_plays_a_whole_turn(rolled: tuple[int, int], stand: str) -> None:
    closed, opening = played_out(position("Rr21 Bs61 Bp66"), TURN, *rolled)
    assert sorted(birds_of(*opening.state.birds).split()) == sorted(stand.split())
    assert [phase.phase.name for phase in closed] == ["Turn 21, Red", "Turn 21, Red after the roll"]
    assert (opening.phase.name, opening.state.turn) == ("Turn 22, Blue", 21)


def test_phoenix_G5_a_whole_turn_is_planned_out_of_turn() -> None:
    closed, _ = played_out(position("Rr21 Bs61 Bp66"), TURN, 3, 3, seat="Blue")
    assert closed == ()
    after_red = decide(position("Rr21 Bs61 Bp66 Br16"), "rock NE").state
    closed, opening = played_out(
        after_red, "roll THEN phoenix rock OR move scissors", 3, 5, seat="Blue"
    )
    assert "Bs35" in birds_of(*opening.state.birds)
    assert len(closed) == 2


def test_phoenix_G5_a_plan_that_is_not_possible_when_its_phase_comes_is_dropped_with_the_reason() -> (
    None
):
    _, opening = played_out(position("Rr21 Rp11 Bs61"), "roll THEN phoenix scissors", 3, 5)
    assert opening.phase.name == "Turn 21, Red after the roll"
    assert opening.dropped["Red"].reason == "The dice show 3,5; a Phoenix needs doubles."


@pytest.mark.parametrize(
    "text",
    [
        "place rock",
        "roll",
        "rock NE 2 chain",
        "rock 6,6 chain 2 meeting SW NE",
        "move rock meeting NE",
        "phoenix paper and rock 3,5",
        "stay",
    ],
)
def test_phoenix_G5_every_order_can_be_planned_out_of_turn_and_keeps_its_spelling(
    text: str,
) -> None:
    read = understand_all(PHOENIX, position("Rr21 Bs61"), "Blue", parse_submission(text))
    assert (read.texts, read.refusals) == ((text,), ())


def test_phoenix_G5_the_square_of_the_dice_is_a_diagonal_move_again_when_a_later_turn_names_it() -> (
    None
):
    state = position("Rr21 Rp33 Bs61", dice=(4, 4))
    letter = "rock 4,4 THEN rock 5,5 THEN paper 4,4"
    assert understand_all(PHOENIX, state, "Red", parse_submission(letter)).texts == (
        "rock 4,4",
        "rock 5,5",
        "paper 4,4",
    )
    moved = decide(state, "rock 4,4").state
    assert (
        birds_of(*moved.birds)
        == birds_of(*decide(state, "move rock").state.birds)
        == "Rr44 Rp33 Bs61"
    )
    assert (
        birds_of(*decide(position("Rr55 Rp33 Bs61"), "paper 4,4").state.birds) == "Rr55 Rp44 Bs61"
    )


def test_phoenix_G7_a_forced_second_decision_is_played_at_once() -> None:
    closed, opening = played_out(position("Rr21 Bs61"), "roll", 3, 5)
    assert [phase.why for phase in closed] == ["ready", "forced"]
    assert (birds_of(*opening.state.birds), opening.phase.name) == ("Rr35 Bs61", "Turn 22, Blue")


def test_phoenix_G7_where_meetings_differ_the_seat_is_asked() -> None:
    _, opening = played_out(position("Rr21 Bs54 Bp52"), "roll", 4, 3)
    assert texts(opening.state) == ["move rock", "move rock meeting SE"]
    _, same = played_out(position("Rr21 Bs54 Br52 Bp66"), "roll", 4, 3)
    assert same.phase.name == "Turn 22, Blue"


def test_phoenix_G7_a_seat_off_the_grid_is_not_waited_for() -> None:
    closed, opening = played_out(position("Bs55 Pp11", seats=3), "", 2, 4)
    assert [phase.why for phase in closed] == ["forced", "forced"]
    assert opening.phase.name == "Turn 22, Blue"


def test_phoenix_G8_of_two_good_orders_the_later_one_counts_and_it_is_said() -> None:
    read = PHOENIX.parse(position("Rr21 Bs61"), "Red", "roll\nrock NE\nnonsense")
    assert [str(order) for order in read.orders] == ["rock NE"]
    assert read.remarks == (
        "You gave more than one order; the last one, “rock NE”, counts and “roll” does not.",
    )
    assert len(read.refusals) == 1


def test_phoenix_G8_many_orders_are_not_named_one_by_one() -> None:
    read = PHOENIX.parse(
        position("Rr21 Rp33 Bs61"), "Red", "roll\nrock NE\nrock NW\npaper NE\npaper SE\nroll"
    )
    assert read.remarks == (
        "You gave more than one order; the last one, “roll”, counts and the 4 others do not.",
    )
