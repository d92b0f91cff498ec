"""The reliability of a player: its figure, and what no phase may do to it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.play.reliability import BEGINNING, MOST, reliability

PATIENT = settings(max_examples=200)
PHASES = st.lists(st.booleans(), max_size=MOST + 40)


@pytest.mark.parametrize(
    ("played", "percent"),
    [
        ([], 90),
        ([True], 91),
        ([False], 73),
        ([True] * 20, 98),
        ([True] * MOST, 100),
        ([False] * MOST, 0),
        ([False] + [True] * 99, 96),
        ([True] * 99 + [False], 99),
        ([True, False] * 50, 50),
    ],
)
def test_the_figure_of_some_players(played: list[bool], percent: int) -> None:
    assert reliability(played).percent == percent


def test_whoever_has_few_phases_is_a_beginner() -> None:
    assert str(reliability([True] * (BEGINNING - 1))) == "new here"
    assert str(reliability([True] * BEGINNING)) == "plays 98 % of phases"
    assert reliability([True] * 500).phases == MOST


@PATIENT
@given(PHASES)
def test_it_is_a_percentage(played: list[bool]) -> None:
    assert 0 <= reliability(played).percent <= 100


@PATIENT
@given(PHASES)
def test_one_more_played_phase_never_lowers_it_and_one_more_missed_never_raises_it(
    played: list[bool],
) -> None:
    before = reliability(played).percent
    assert reliability([False, *played]).percent <= before <= reliability([True, *played]).percent


@PATIENT
@given(PHASES.filter(bool), st.data())
def test_a_phase_that_had_been_played_would_never_have_lowered_it(
    played: list[bool], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(played) - 1))
    assert (
        reliability([*played[:at], True, *played[at + 1 :]]).percent
        >= reliability([*played[:at], False, *played[at + 1 :]]).percent
    )


@PATIENT
@given(st.lists(st.booleans(), min_size=2, max_size=MOST), st.data())
def test_a_miss_weighs_more_the_newer_it_is(played: list[bool], data: st.DataObject) -> None:
    older = data.draw(st.integers(1, len(played) - 1))
    newer = data.draw(st.integers(0, older - 1))
    all_played = [True] * len(played)
    miss_newer = [*all_played[:newer], False, *all_played[newer + 1 :]]
    miss_older = [*all_played[:older], False, *all_played[older + 1 :]]
    assert reliability(miss_newer).percent <= reliability(miss_older).percent


@PATIENT
@given(PHASES, PHASES)
def test_what_is_older_than_the_newest_phases_does_not_count(
    newest: list[bool], older: list[bool]
) -> None:
    whole = [*newest, *[True] * MOST][:MOST]
    assert reliability([*whole, *older]) == reliability(whole)
