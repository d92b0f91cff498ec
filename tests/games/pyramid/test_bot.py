"""The house bots of Rock Paper Pyramid."""

import random
from dataclasses import replace

import pytest

from adjudicator.games.pyramid.bot import (
    LEFT,
    choose_orders,
    choose_piece,
    mixtures,
    sight_of,
    situation,
    take_largest,
)
from adjudicator.games.pyramid.pieces import STACKS
from adjudicator.games.pyramid.rules import PYRAMID
from adjudicator.games.pyramid.state import State
from adjudicator.games.pyramid.tactics import TACTICS, Pool, Sight, habit_of, worth
from tests.games.pyramid.positions import MIRRORED, after, opening
from tools.duels import play_duel
from tools.playing import bot_player
from tools.pyramid_plans import PLANS, plan_player
from tools.train_pyramid import Player, Table, play_on


def with_pools(*pools: str) -> State:
    """Return a match in which the seats have these pieces left: `with_pools("B3 B1", "B3 B1", "B3
    B1")`.
    """
    left = [tuple(pool.split()) for pool in pools]
    played = [tuple(piece for piece in STACKS if piece not in pool) for pool in left]
    hands = (
        replace(hand, pool=pool, played=gone)
        for hand, pool, gone in zip(opening().hands, left, played, strict=True)
    )
    return replace(opening(), hands=tuple(hands))


def held(text: str) -> Pool:
    return tuple(text.split())


def seeing(one: str, other: str) -> Sight:
    """Return the sight of two pools, with nothing shown yet."""
    return Sight((held(one), held(other)), ((), ()))


# --- tactics


@pytest.mark.parametrize(
    ("played", "habit"),
    [
        ("", "mixed"),
        ("B3", "mixed"),
        ("B3 W3", "size"),
        ("B3 W3 C3 W1", "size"),
        ("W1 W3 W2 B1", "colour"),
        ("B3 W3 C2", "mixed"),
        ("B1 R3 B2", "colour"),
    ],
)
def test_a_habit_is_to_play_off_one_colour_or_size_before_the_next(played: str, habit: str) -> None:
    assert habit_of(held(played)) == habit


def test_a_gain_of_the_others_counts_half_against_a_piece() -> None:
    assert worth("B3", held("B2"), held("W2"), keeps_own=False) == 4
    assert worth("B2", held("B3"), held("W2"), keeps_own=False) == -2
    assert worth("B3", held("B2"), held("W2"), keeps_own=True) == 7


def test_against_large_pieces_it_keeps_back_the_small_one_that_two_would_capture_with() -> None:
    """If all three hold a large and a small piece of one colour and the others show the large ones,
    the small one takes both.
    """
    assert TACTICS["against large"](held("B3 B1"), seeing("B3 B1", "B3 B1")) == ("B1",)


def test_it_answers_the_colour_or_the_size_that_each_of_the_others_plays_off() -> None:
    sight = Sight((held("B2 B1 C2"), held("B2 W2 W1")), (held("B3 W3 C3"), held("C1 B1 C2")))
    assert sight.habits == ("size", "mixed")
    assert set(TACTICS["against habits"](held("B3 W1 C1"), sight)) <= {"B3", "W1", "C1"}
    playing_off = Sight(
        (held("W2 C2 W1"), held("W2 C2 W1")), (held("B3 W3 C3 B2"), held("B3 W3 C3 B2"))
    )
    assert TACTICS["against habits"](held("W3 B1 C1"), playing_off) == ("W3",)


@pytest.mark.parametrize("name", TACTICS)
def test_every_tactic_shows_what_it_holds(name: str) -> None:
    dice = random.Random(3)
    for many in range(1, 10):
        mine, one, other = (tuple(dice.sample(STACKS, many)) for _ in range(3))
        played = [tuple(piece for piece in STACKS if piece not in pool) for pool in (one, other)]
        chosen = TACTICS[name](mine, Sight((one, other), (played[0], played[1])))
        assert chosen and set(chosen) <= set(mine)


# --- the mixture


def test_the_mixture_knows_every_situation_of_the_usual_game() -> None:
    habits = ("colour", "mixed", "size")
    for left in LEFT:
        pairs = (
            [("mixed", "mixed")]
            if left > 7
            else [(one, other) for one in habits for other in habits if one <= other]
        )
        assert {f"{left} {one} {other}" for one, other in pairs} <= set(mixtures())
    for weights in mixtures().values():
        assert set(weights) <= set(TACTICS) and 90 <= sum(weights.values()) <= 110


def test_the_order_of_the_others_does_not_change_the_situation() -> None:
    one, other = held("B3 W3"), held("B3 W2")
    assert situation(STACKS, Sight((STACKS, STACKS), (one, other))) == situation(
        STACKS, Sight((STACKS, STACKS), (other, one))
    )


def test_R4_it_counts_a_hidden_red_piece_as_each_that_it_can_still_be() -> None:
    sight = sight_of(PYRAMID.view(after("R1 B2 W2", deal=("R1", "R2", "R3")), "1"))
    assert [[piece for piece in pool if piece[0] == "R"] for pool in sight.pools] == [
        ["R3", "R2"],
        ["R3", "R2"],
    ]


def test_the_last_piece_is_shown_and_after_it_nothing() -> None:
    before, over = after(*MIRRORED[:8]), after(*MIRRORED)
    assert (
        choose_orders(
            PYRAMID.view(before, "2"), PYRAMID.slots(before, "2"), random.Random(1).choice
        )
        == "C1"
    )
    assert (
        choose_orders(PYRAMID.view(over, "1"), PYRAMID.slots(over, "1"), random.Random(1).choice)
        == ""
    )


def test_the_greedy_bot_shows_its_largest_pieces_first() -> None:
    state = with_pools("B3 B2 B1 W3 C1", "B1", "B1")
    view, slots = PYRAMID.view(state, "1"), PYRAMID.slots(state, "1")
    assert {take_largest(view, slots, random.Random(seed).choice) for seed in range(20)} == {
        "B3",
        "W3",
    }


# --- strength


def share(one: Player, others: Player, matches: int) -> float:
    """Return the share of the first place of one player against two others; a place shared by n
    counts as 1/n.
    """
    firsts = 0.0
    for number in range(matches):
        seats = [others] * 3
        seats[number % 3] = one
        firsts += play_on(Table(), seats).share(number % 3)
    return firsts / matches


def test_no_pure_plan_wins_more_than_two_in_five_against_two_bots() -> None:
    """Of 100 matches a share of 0.4 has a standard deviation of 0.05; the bench plays more."""
    dice = random.Random(1)

    def bot(mine: Pool, sight: Sight) -> str:
        return choose_piece(mine, sight, dice.choice)

    shares = {name: share(plan, bot, 100) for name, plan in PLANS.items()}
    assert len(shares) == 20
    assert max(shares.values()) < 0.47, shares
    assert sum(shares.values()) / len(shares) < 0.33


def test_two_greedy_bots_lose_to_it() -> None:
    assert play_duel(PYRAMID, bot_player("sensible"), bot_player("greedy"), 60).share > 0.55


def test_a_plan_plays_whole_matches_from_its_view() -> None:
    assert (
        play_duel(
            PYRAMID, bot_player("sensible"), plan_player(PLANS["large, medium, small"]), 9
        ).share
        > 0.8
    )
