"""Sitting still after a kill or a destruction (R3)."""

from adjudicator.games.genesis.model.events import SitsStill
from adjudicator.games.genesis.model.state import State
from adjudicator.games.genesis.rules import GENESIS
from tests.games.genesis.positions import after, play, position, why

KILL = "1 Ab2 Ba4 p4 | 2 Ad5 Bb3 p4"
DESTROY = "1 Ab2 Bc1 p4 | 2 Ad5 Bb5 p4 | I e1"


def order_of_play(state: State, turns: int) -> str:
    """Return the seats of the next turns while everybody passes: `2221`."""
    seats = ""
    for _ in range(turns):
        seats += state.turn
        state = play(state, "bastet c1" if state.side(state.turn).must_leave else "pass").state
    return seats


def test_genesis_R3_who_killed_sits_still_for_three_turns_and_then_play_alternates() -> None:
    done = play(position(KILL), "anubis b3")
    assert done.events[-1] == SitsStill(seat="1", turns=3)
    assert order_of_play(done.state, 6) == "222121"


def test_genesis_R3_who_destroyed_sits_still_for_two_turns() -> None:
    assert order_of_play(play(position(DESTROY), "bastet c3 destroy e1").state, 5) == "22121"


def test_genesis_R3_passing_counts_as_a_turn_and_so_does_a_throw_once() -> None:
    state = play(position(KILL + " | P c5 e4"), "anubis b3").state
    state = after(state, "pass", "pass")
    thrown = play(state, "throw", 5).state
    assert GENESIS.phase(thrown).due == ("2",)
    assert GENESIS.phase(play(thrown, "decline").state).due == ("1",)


def test_genesis_R3_a_seat_that_sits_still_owes_no_orders_and_may_plan() -> None:
    state = play(position(KILL), "anubis b3").state
    assert GENESIS.phase(state).due == ("2",)
    assert GENESIS.slots(state, "1") == ()
    assert why(state, "anubis b4", "1") == "You sit still for 3 more turns of seat 2."
    assert (
        why(after(state, "pass", "pass"), "anubis b4", "1")
        == "You sit still for 1 more turn of seat 2."
    )


def test_genesis_R3_both_effects_at_once_add_up() -> None:
    state = position("1 Ab2 Bc1 p4 | 2 Ad5 Bb3 p4 | I e1")
    done = play(state, "anubis b3\nbastet c3 destroy e1")
    assert done.events[-1] == SitsStill(seat="1", turns=5)
    assert order_of_play(done.state, 7) == "2222212"


def test_genesis_R3_who_kills_while_the_other_sits_gives_up_the_turns_it_had_left() -> None:
    state = play(
        position("1 Ab2 Bd1 p4 | 2 Ad5 Bc1 p4 | I e1 | turn 2"), "bastet c3 destroy e1"
    ).state
    assert order_of_play(state, 3) == "112"
    state = position("1 Ab2 Bd1 | 2 Ad5 Bb3 | sits 2:3")
    done = play(state, "anubis b3")
    assert done.events[-1] == SitsStill(seat="1", turns=3, given_up=2)
    assert order_of_play(done.state, 5) == "22212"


def test_genesis_R3_who_kills_with_its_last_turn_in_a_row_gives_up_none() -> None:
    done = play(position("1 Ab2 Bd1 | 2 Ad5 Bb3 | sits 2:1"), "anubis b3")
    assert done.events[-1] == SitsStill(seat="1", turns=3, given_up=0)


def test_genesis_R3_a_kill_by_a_leap_costs_the_same() -> None:
    done = play(position("1 Aa2 Bb2 | 2 Ad5 Bc2 | P c2 | die 6"), "leap c2")
    assert order_of_play(done.state, 4) == "2221"


def test_genesis_R3_the_duty_to_leave_waits_for_the_next_turn_of_its_seat() -> None:
    state = play(position(DESTROY), "bastet c3 destroy e1").state
    assert state.side("1").must_leave
    state = after(state, "pass", "pass")
    assert (
        why(state, "pass") == "Your Bastet came to the Centre, so she must leave it in this turn."
    )
