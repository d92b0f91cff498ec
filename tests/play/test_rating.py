"""Ratings: a better place is never worth less, equal places are a draw, and the first figures are
those of the model.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.play.scoring.rating import BASE, NEW, PROVISIONAL, Rating, rate_match

PATIENT = settings(max_examples=100)
PLACES = st.lists(st.integers(1, 7), min_size=2, max_size=7)


def test_a_new_player_begins_with_the_base_and_is_provisional_for_ten_matches() -> None:
    assert NEW.points == BASE and NEW.provisional
    assert (
        Rating(matches=PROVISIONAL - 1).provisional and not Rating(matches=PROVISIONAL).provisional
    )


def test_the_first_match_of_two_worked_by_hand() -> None:
    # c² = 2 (25/3)² + 2 (25/6)² + 2 (25/300)², each expects a half: mu moves by sigma² / 2c
    won, lost = rate_match([NEW, NEW], [1, 2])
    variance = (25 / 3) ** 2 + (25 / 300) ** 2
    c = (2 * variance + 2 * (25 / 6) ** 2) ** 0.5
    assert won.mu == pytest.approx(25 + variance / c / 2) and lost.mu == pytest.approx(
        25 - variance / c / 2
    )
    assert (won.points, lost.points) == (1138, 927) and won.matches == lost.matches == 1


@given(PLACES)
@PATIENT
def test_of_equal_players_a_better_place_never_gains_less(places: list[int]) -> None:
    after = rate_match([NEW] * len(places), places)
    for one, own in zip(places, after, strict=True):
        for other, theirs in zip(places, after, strict=True):
            assert (own.mu > theirs.mu + 1e-9) == (one < other), "equal places gain alike"


def test_who_draws_with_a_stronger_player_gains() -> None:
    strong, weak = rate_match([Rating(30, 3, 20), Rating(20, 3, 20)], [1, 1])
    assert strong.mu < 30 and weak.mu > 20


@pytest.mark.parametrize(("ratings", "places"), [(1, 1), (0, 0), (3, 2)])
def test_a_match_needs_a_place_for_each_of_two_players(ratings: int, places: int) -> None:
    with pytest.raises(ValueError, match="at least two"):
        rate_match([NEW] * ratings, [1] * places)
