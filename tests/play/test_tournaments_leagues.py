"""Rounds of a league: divisions, circles and mixers side by side, their order and who goes up and
down.
"""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.core.chance import Setting, of_phase
from adjudicator.play.tournaments.formats import League, count_rounds
from adjudicator.play.tournaments.leagues import (
    divisions_of,
    form_divisions,
    list_moves,
    next_season,
)
from adjudicator.play.tournaments.pairing import pair_round
from adjudicator.play.tournaments.past import count_meetings, list_seats
from adjudicator.play.tournaments.records import Played
from adjudicator.play.tournaments.standings import rank_entrants
from tests.play.tournaments import finished, play_out, scorer

PATIENT = settings(max_examples=30)
CIRCLES = st.builds(League, st.integers(3, 7), st.just(1), st.integers(1, 2))
MIXERS = st.builds(
    League,
    st.integers(4, 9),
    st.just(1),
    st.just(1),
    st.integers(1, 4),
    st.sampled_from([(3,), (4,), (2, 3)]),
)


def division_of(format_: League, count: int) -> dict[int, int]:
    divisions = form_divisions(range(count), format_.size, least=format_.least)
    return {
        int(entrant): number for number, division in enumerate(divisions) for entrant in division
    }


@PATIENT
@given(CIRCLES, st.integers(0, 20))
def test_in_a_division_all_meet_and_nobody_meets_another_division(
    format_: League, count: int
) -> None:
    history, divisions = play_out(format_, [range(count)]), division_of(format_, count)
    own = {
        frozenset(pair)
        for pair in combinations(range(count), 2)
        if divisions[pair[0]] == divisions[pair[1]]
    }
    assert count_meetings(history) == dict.fromkeys(own, format_.cycles)
    assert len(history) == count_rounds(format_, count)
    for mine in list_seats(history).values():
        assert abs(mine.count(0) - mine.count(1)) <= 1


@PATIENT
@given(MIXERS, st.integers(0, 24))
def test_at_larger_tables_each_division_is_a_mixer_of_its_own(format_: League, count: int) -> None:
    history, divisions = play_out(format_, [range(count)]), division_of(format_, count)
    for played in history:
        assert all(
            len({divisions[int(entrant)] for entrant in table}) == 1
            for table in played.round.tables
        )
        assert {len(table) for table in played.round.tables} <= set(format_.sizes)
        seated = [entrant for table in played.round.tables for entrant in table]
        assert sorted([*seated, *played.round.sitting_out]) == list(range(count))
    playing = {entrant for played in history for table in played.round.tables for entrant in table}
    assert len(playing) == count or format_.rounds < 3 or count < format_.least


@PATIENT
@given(st.one_of(CIRCLES, MIXERS), st.integers(2, 16), st.data())
def test_who_leaves_changes_no_division(format_: League, count: int, data: st.DataObject) -> None:
    stay = sorted(data.draw(st.sets(st.integers(0, count - 1))))
    history, divisions = (
        play_out(format_, [range(count), stay], rounds=40),
        division_of(format_, count),
    )
    for played in history[1:]:
        assert {entrant for table in played.round.tables for entrant in table} <= set(stay)
        assert all(
            len({divisions[int(entrant)] for entrant in table}) == 1
            for table in played.round.tables
        )


def test_each_division_draws_its_own_order_once() -> None:
    history: list[Played] = []
    drawn = []
    for turn in range(3):
        chance = of_phase({"public": b"a", "hidden": b"b"}, Setting("a league", turn))
        found = pair_round(League(4), range(8), history, chance.public)
        assert found is not None
        history.append(finished(found, scorer(0)))
        drawn.append([draw.label for draw in chance.draws])
    assert drawn == [["division 1: order of round 1", "division 2: order of round 1"], [], []]


def test_a_higher_division_ranks_higher_whatever_the_points() -> None:
    def lower_wins(table: tuple[int | str, ...]) -> tuple[int, ...]:
        return (1, 0) if int(table[0]) > int(table[1]) else (0, 1)

    history = play_out(League(3), [range(6)], score=lower_wins)
    ranked = rank_entrants(League(3), range(6), range(6), history)
    assert [(line.place, line.entrant) for line in ranked] == [
        (1, 2),
        (2, 1),
        (3, 0),
        (4, 5),
        (5, 4),
        (6, 3),
    ]
    assert [line.entrant for line in rank_entrants(League(3), range(6), range(6), [])] == list(
        range(6)
    ), "before it: the ladder"


def test_a_division_that_is_too_small_for_a_table_joins_the_one_above() -> None:
    assert divisions_of(range(8), [], 6, 3) == (tuple(range(8)),)
    assert divisions_of(range(9), [], 6, 3) == (tuple(range(6)), (6, 7, 8))


@pytest.mark.parametrize("moving", [0, 1, 2, 3])
def test_the_moves_that_are_told_are_those_of_the_next_season(moving: int) -> None:
    ranked = [["A", "B", "C", "D", "E", "F"], ["G", "H", "I", "J", "K", "L"], ["M", "N", "O"]]
    moves = list_moves(ranked, moving)
    after = {
        who: number
        for number, division in enumerate(next_season(ranked, 6, moving=moving))
        for who in division
    }
    before = {who: number for number, division in enumerate(ranked) for who in division}
    assert {who: after[who] - before[who] for who in before} == {
        who: moves.get(who, 0) for who in before
    }
