"""The sensible house bot of RPS Redeux."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import pytest

from adjudicator.games.redeux.bot import choose_orders, count_cards
from adjudicator.games.redeux.rules import REDEUX
from adjudicator.games.redeux.state import State
from tests.games.redeux.positions import after, cards, opening, risk

T = TypeVar("T")


def thought(state: State, seat: str) -> tuple[str, Counter[object]]:
    """Return the bot's order when it picks the first option, and the options."""
    drawn: list[Sequence[object]] = []

    def first(options: Sequence[T], /) -> T:
        drawn.append(options)
        return options[0]

    return choose_orders(REDEUX.view(state, seat), REDEUX.slots(state, seat), first), Counter(drawn[0] if drawn else ())


def test_before_the_first_card_it_mixes_the_three_kinds_equally() -> None:
    assert thought(opening(), "1") == ("rock", Counter(rock=20, paper=20, scissors=20))


def test_in_the_primary_game_it_counts_what_the_other_still_holds() -> None:
    """Seat 2 has spent its rock: paper, which beats nothing else, is not drawn."""
    _, mixture = thought(after(opening(rounds=5), "P/R P/R R/R P/R"), "1")
    assert set(mixture) == {"rock", "scissors"}


@pytest.mark.parametrize(
    ("scores", "bet"),
    [
        ("10-5", "rock bet 10"),
        ("35-0", "rock bet 35"),
        ("40-0", "rock bet 30"),
        ("50-40", "rock bet 25"),
        ("95-90", "rock"),
        ("0-95", "rock"),
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
    state = replace(opening(), sides=(replace(mine, hand=cards("PPPSSS")), replace(theirs, hand=cards("SSS"), spent=cards("RRRPPP"))))
    assert thought(state, "1") == ("scissors", Counter(scissors=1))


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
    assert count_cards(REDEUX.view(state, "1"), REDEUX.slots(state, "1"), lambda options: options[0]) == order
