"""Invariants of every match of Genesis, and its house bot."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.core.chance import ScriptedChance
from adjudicator.core.options import complete_options
from adjudicator.games.genesis.model.state import State
from adjudicator.games.genesis.model.world import CELLS, CENTRE, CORNERS
from adjudicator.games.genesis.rules import GENESIS
from adjudicator.play import bots
from tests.games.genesis.positions import SEATS, position
from tools.playing import bot_player, play_steps

quick = settings(derandomize=True, max_examples=6)
LIMIT = 12
STARTS = {  # matches that begin in the middle, for situations that random ones seldom reach
    "tombs": "1 Ab2 Bd1 p3 d3 | 2 Ab4 Bd4 p2 d3 | P c2 c4 | I e1 | D b3:1 | tombs | limit 12",
    "last ideas": "1 Ab2 Bc1 p3 d3 | 2 Ab4 Bc5 p2 d3 | P a3 d3 | I e1 | out 1 | limit 12",
    "building": "1 A+a1 B+e1 p3 d2 | 2 Ab4 Bd4 p2 d2 | P b1 a2 | D d2:2 | tombs | limit 12",
    "duty": (
        "1 A+a1 B+e1 complete d1 | 2 Ab4 Bx p2 d4 | P b1 a2 d1 d3 | D d2:2 b2:1 e2:1 | I a5 | tombs"
        " | limit 12"
    ),
}
ALL_STONES = {"tombs": 8, "last ideas": 8, "building": 5, "duty": 9}


def played(start: State, seed: int) -> list[State]:
    """Return the states of a match with random orders and random dice, both from one seed."""
    dice, states = random.Random(seed), [start]
    while GENESIS.phase(states[-1]).due:
        state = states[-1]
        text = bots.choose_at_random(GENESIS, state, state.turn, dice.choice)
        orders = GENESIS.parse(state, state.turn, text).orders
        states.append(
            GENESIS.adjudicate(
                state, {state.turn: orders}, ScriptedChance([dice.randint(1, 6)])
            ).state
        )
    return states


def from_birth(seed: int) -> list[State]:
    dice = random.Random(seed)
    script = [dice.choice(SEATS), dice.choice((2, 4, 5)), dice.choice((2, 4, 5))]
    options = complete_options(GENESIS.about, {"ideas": 8, "turn_limit": LIMIT})
    return played(GENESIS.start(SEATS, options, ScriptedChance(script)), seed)


def stones(state: State) -> int:
    """Return the number of all stones: outside, on corners, in hands and on cells."""
    return (
        state.outside
        + len(state.ideas)
        + len(state.deeds)
        + sum(side.deeds for side in state.sides)
    )


def check(states: list[State]) -> None:
    """Check the invariants of a match's states, and of every two consecutive ones."""
    first = states[0]
    pyramids = len(first.pyramids) + sum(side.pyramids for side in first.sides)
    for state in states:
        assert stones(state) == stones(first)
        assert len(state.pyramids) + sum(side.pyramids for side in state.sides) == pyramids
        assert (
            min(side.pyramids for side in state.sides) >= 0
            and min(side.deeds for side in state.sides) >= 0
        )
        _check_squares(state)
    for before, after in pairwise(states):
        assert after.taken - before.taken <= 1
        assert not (before.part == "tombs" and after.part != "tombs")
        assert all(
            new.completed or not old.completed
            for old, new in zip(before.sides, after.sides, strict=True)
        )
    assert states[-1].taken <= 2 * LIMIT


def _check_squares(state: State) -> None:
    """Check that each thing is on a square of its kind, and alone there, except a Bastet on a
    pyramid's cell (R5).
    """
    where = [piece.square for piece in state.pieces]
    deeds = [deed.square for deed in state.deeds]
    assert len(where) == len(set(where))
    assert len(state.blocks) == len(state.pyramids) + len(deeds)
    assert state.blocks <= set(CELLS) and set(state.ideas) <= set(CORNERS)
    for piece in state.pieces:
        assert piece.square not in deeds and piece.square not in state.ideas
        assert piece.name == "bastet" or (
            piece.square not in state.pyramids and piece.square != CENTRE
        )
        assert not piece.buried or piece.square in CORNERS


@quick
@given(st.integers(0, 10_000))
def test_stones_and_pyramids_are_never_lost_and_nothing_stands_on_another(seed: int) -> None:
    check(from_birth(seed))


@pytest.mark.parametrize("start", sorted(STARTS))
def test_matches_that_reach_the_tombs_keep_the_invariants(start: str) -> None:
    state = position(STARTS[start])
    assert stones(state) == ALL_STONES[start]
    for seed in range(4):
        check(played(state, seed))


@pytest.mark.parametrize("start", sorted(STARTS))
def test_every_choice_is_legal_and_can_be_adjudicated(start: str) -> None:
    for state in played(position(STARTS[start]), seed=7)[::5]:
        for slot in GENESIS.slots(state, state.turn) if not state.over else ():
            for choice in slot.choices:
                read = GENESIS.parse(state, state.turn, choice.text)
                assert read.orders and not read.refusals, choice.text
                assert GENESIS.adjudicate(
                    state, {state.turn: read.orders}, ScriptedChance([6])
                ).events


@pytest.mark.parametrize("start", sorted(STARTS))
def test_the_default_is_legal_and_complete(start: str) -> None:
    for state in played(position(STARTS[start]), seed=8)[:-1]:
        orders = GENESIS.default(state, state.turn, ScriptedChance([]))
        read = GENESIS.parse(state, state.turn, "\n".join(map(str, orders)))
        assert (read.orders, read.refusals, read.open) == (orders, (), ())


# --- the house bot


@pytest.mark.parametrize("start", sorted(STARTS))
def test_the_sensible_bot_answers_every_slot_from_its_view_alone(start: str) -> None:
    dice = random.Random(1)
    for state in played(position(STARTS[start]), seed=9)[:-1]:
        read = GENESIS.parse(
            state,
            state.turn,
            bots.choose_orders(GENESIS, state, state.turn, skill="sensible", pick=dice.choice),
        )
        assert read.orders and (read.refusals, read.remarks, read.open) == ((), (), ())


def test_the_sensible_bot_takes_an_idea_and_buries_its_pieces_when_it_can() -> None:
    def ordered(line: str) -> str:
        return bots.choose_orders(
            GENESIS, position(line), "1", skill="sensible", pick=lambda options: options[0]
        )

    assert "bastet a1" in ordered("1 Ad2 Bc1 | 2 Ab5 Be3 | tombs").split("\n")
    assert "anubis a1" in ordered("1 Ab2 Bd2 | 2 Ab5 Bd5 | I a1").split("\n")


def test_two_sensible_bots_bury_all_pieces_and_complete_both_tombs() -> None:
    """In the bench they do so in nine of ten matches."""
    table = dict.fromkeys(SEATS, bot_player("sensible"))
    ends = [
        list(play_steps(GENESIS, SEATS, table, f"tombs {number}"))[-1].state for number in range(5)
    ]
    assert sum(all(side.buried and side.completed for side in state.sides) for state in ends) >= 4


def test_once_it_is_reborn_as_the_winner_the_sensible_bot_fills_those_of_the_other_seat_and_the_greedy_one_does_not() -> (
    None
):
    state = position(
        "1 A+a1 B+e1 complete p1 | 2 A+a5 B+e5 p1 d1 | P b1 a2 b2 d1 a4 b4 | D d2:1 e2:1 | tombs"
    )

    def ordered(skill: bots.Skill) -> str:
        return bots.choose_orders(GENESIS, state, "1", skill=skill, pick=lambda options: options[0])

    theirs = {f"pyramid {cell}" for cell in ("b5", "d4", "d5", "e4")}
    assert ordered("sensible") in theirs and ordered("greedy") not in theirs


def test_the_sensible_bot_beats_the_random_one() -> None:
    """Four short matches, seats exchanged; of 200 matches of full length it wins nearly all."""
    assert sum(_won(seed) for seed in range(4)) > 0.65 * 4


def _won(seed: int) -> float:
    """Return the sensible bot's share of the first place."""
    dice, skilled = random.Random(seed), SEATS[seed % 2]
    script = [dice.choice(SEATS), 4, 4]
    state = GENESIS.start(
        SEATS,
        complete_options(GENESIS.about, {"ideas": 8, "turn_limit": 20}),
        ScriptedChance(script),
    )
    while GENESIS.phase(state).due:
        text = bots.choose_orders(
            GENESIS,
            state,
            state.turn,
            skill="sensible" if state.turn == skilled else "random",
            pick=dice.choice,
        )
        orders = GENESIS.parse(state, state.turn, text).orders
        state = GENESIS.adjudicate(
            state, {state.turn: orders}, ScriptedChance([dice.randint(1, 6)])
        ).state
    first = [
        seat for seat, standing in (GENESIS.result(state) or {}).items() if standing.place == 1
    ]
    return (skilled in first) / len(first)
