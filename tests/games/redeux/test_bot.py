"""The sensible house bot of RPS Redeux."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.games.redeux.bot import choose_orders, count_cards
from adjudicator.games.redeux.equilibrium import card_weights, solve
from adjudicator.games.redeux.rules import REDEUX
from adjudicator.games.redeux.state import State
from tests.games.redeux.positions import after, cards, opening, risk
from tools.duels import play_duel
from tools.playing import bot_player

T = TypeVar("T")


def thought(state: State, seat: str) -> tuple[str, Counter[object]]:
    """Return the bot's order when it picks the first option, and the options."""
    drawn: list[Sequence[object]] = []

    def first(options: Sequence[T], /) -> T:
        drawn.append(options)
        return options[0]

    return choose_orders(REDEUX.view(state, seat), REDEUX.slots(state, seat), first), Counter(
        drawn[0] if drawn else ()
    )


def test_before_the_first_card_it_shows_each_kind_alike_or_counters_a_counting_player() -> None:
    """A counting player shows paper first, of three kinds as good by the one whose name comes
    first.
    """
    drawn: list[Sequence[object]] = []

    def last(options: Sequence[T], /) -> T:
        drawn.append(options)
        return options[-1]

    choose_orders(REDEUX.view(opening(), "1"), REDEUX.slots(opening(), "1"), last)
    assert list(map(Counter, drawn)) == [
        Counter({True: 1, False: 5}),
        Counter(rock=20, paper=20, scissors=20),
    ]
    assert thought(opening(), "1")[0] == "scissors"


def test_it_counters_the_more_often_the_better_it_foresaw_the_other() -> None:
    """A counting player shows paper first, then what beats most of the other’s cards: seat 2 does
    so twice, or once.
    """
    assert thought(after(opening(rounds=5), "S/P S/P"), "1")[1] == Counter({True: 3, False: 5})
    assert thought(after(opening(rounds=5), "P/R P/R"), "1")[1] == Counter({True: 2, False: 7})


@pytest.mark.parametrize(
    ("scores", "bet"),
    [
        ("10-5", "scissors bet 10"),
        ("35-0", "scissors bet 35"),
        ("40-0", "scissors bet 30"),
        ("50-40", "scissors bet 25"),
        ("95-90", "scissors"),
        ("0-95", "scissors"),
    ],
)
def test_it_bets_what_wins_at_once_or_all_it_has(scores: str, bet: str) -> None:
    assert thought(risk(scores), "1")[0] == bet


@pytest.mark.parametrize(("seat", "answer"), [("1", "risk no"), ("2", "risk yes")])
def test_the_bot_answers_yes_only_when_behind(seat: str, answer: str) -> None:
    assert thought(after(opening(), "R/S R/S R/S"), seat)[0] == answer


def test_it_orders_nothing_where_nothing_is_owed() -> None:
    assert thought(after(opening(risk="never"), "R/S R/S R/S"), "1")[0] == ""


def test_with_cards_that_beat_nothing_it_plays_the_one_that_loses_to_the_least() -> None:
    """Seat 2 holds scissors only: scissors tie where paper loses."""
    mine, theirs = opening().sides
    state = replace(
        opening(),
        sides=(
            replace(mine, hand=cards("PPPSSS")),
            replace(theirs, hand=cards("SSS"), spent=cards("RRRPPP")),
        ),
    )
    assert thought(state, "1") == ("scissors", Counter(scissors=60))


@pytest.mark.parametrize(
    ("state", "order"),
    [
        (opening(), "paper"),  # all results are equal: the first name
        (after(opening(rounds=5), "P/R P/R R/R P/R"), "scissors"),  # the other has spent its rock
        (risk("45-10"), "paper bet 20"),
        (risk("5-10"), "paper"),
        (after(opening(), "R/S R/S R/S"), "risk yes"),
    ],
)
def test_the_greedy_bot_counts_cards_and_bets_half_its_points(state: State, order: str) -> None:
    assert (
        count_cards(REDEUX.view(state, "1"), REDEUX.slots(state, "1"), lambda options: options[0])
        == order
    )


# --- the equilibrium


def test_a_matrix_game_is_solved_by_an_optimal_mixture() -> None:
    """The second game has a saddle point; the third is rock, paper and scissors where rock pays
    double (weights 1, 2 and 1).
    """
    assert solve([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]]) == (
        pytest.approx((1 / 3, 1 / 3, 1 / 3)),
        pytest.approx(0.5),
    )
    assert solve([[4, 2], [3, 1]]) == ((1, 0), 2)
    assert solve([[0, -1, 2], [1, 0, -1], [-2, 1, 0]]) == (
        pytest.approx((0.25, 0.5, 0.25)),
        pytest.approx(0),
    )


@given(st.lists(st.lists(st.integers(-5, 5), min_size=3, max_size=3), min_size=1, max_size=3))
def test_no_other_mixture_of_a_matrix_game_promises_more(matrix: list[list[int]]) -> None:
    weights, value = solve(matrix)
    assert sum(weights) == pytest.approx(1) and min(weights) >= 0
    worst = min(
        sum(weight * row[column] for weight, row in zip(weights, matrix, strict=True))
        for column in range(3)
    )
    assert worst == pytest.approx(value)
    transposed = [[-row[column] for row in matrix] for column in range(3)]
    assert solve(transposed)[1] == pytest.approx(-value), "the other seat can hold it to that value"


def test_with_equal_hands_the_equilibrium_shows_each_kind_alike() -> None:
    assert Counter(card_weights((3, 3, 3), (3, 3, 3), 3, 0)) == Counter(
        rock=20, paper=20, scissors=20
    )


def test_in_the_last_round_it_never_shows_what_cannot_win() -> None:
    """The other holds scissors only: rock wins, scissors tie and come again, paper loses."""
    assert set(card_weights((1, 1, 1), (0, 0, 3), 1, 0)) == {"rock"}


# --- strength


@pytest.mark.parametrize("part", ["never", "always", "ask"])
def test_it_beats_a_counting_player_in_each_part(part: str) -> None:
    tally = play_duel(
        REDEUX, bot_player("sensible"), bot_player("greedy"), 60, options={"risk": part}
    )
    assert tally.share > 0.6
