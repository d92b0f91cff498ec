"""Swiss rounds: no repeats and fair seats where they can be had, equal points, and the lowest sit
out.
"""

from collections.abc import Sequence
from itertools import combinations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from adjudicator.play.tournaments.formats import Swiss
from adjudicator.play.tournaments.past import count_meetings, count_missed, list_seats, sum_points
from adjudicator.play.tournaments.records import Entrant, History, Table
from adjudicator.play.tournaments.seating import due_seat
from tests.play.tournaments import HALF, next_round, play_out, scorer

PATIENT = settings(max_examples=30)


def can_pair(entrants: frozenset[Entrant], fits: dict[frozenset[Entrant], bool]) -> bool:
    """Return whether all can be paired so that each pair fits, by trying all."""
    if not entrants:
        return True
    one = min(entrants, key=str)
    return any(
        fits[frozenset((one, other))] and can_pair(entrants - {one, other}, fits)
        for other in entrants - {one}
    )


def is_fair(table: Table, history: History) -> bool:
    seats = list_seats(history)
    return all(
        due_seat(seats.get(entrant, ())) in (None, seat) for seat, entrant in enumerate(table)
    )


@PATIENT
@given(st.integers(2, 9), st.integers(1, 9), st.integers(0, 99))
@example(7, 4, 29)  # here and below, exchanges alone do not find the fair round
@example(8, 6, 4)
@example(9, 7, 1)
def test_nobody_meets_twice_and_seats_are_fair_if_that_is_possible(
    count: int, rounds: int, seed: int
) -> None:
    history = play_out(Swiss(rounds), [range(count)], score=scorer(seed))
    for turn, played in enumerate(history):
        past, tables = history[:turn], played.round.tables
        met = count_meetings(past)
        pairs = list(combinations([entrant for table in tables for entrant in table], 2))
        playing = frozenset(entrant for table in tables for entrant in table)
        new = {frozenset(pair): not met[frozenset(pair)] for pair in pairs}
        fair = {
            frozenset(pair): (
                new[frozenset(pair)] and (is_fair(pair, past) or is_fair(pair[::-1], past))
            )
            for pair in pairs
        }
        assert all(new[frozenset(table)] for table in tables) == can_pair(playing, new)
        if can_pair(playing, fair):
            assert all(is_fair(table, past) for table in tables)


@PATIENT
@given(st.integers(2, 30), st.integers(0, 99))
def test_nobody_meets_twice_in_the_first_half_as_many_rounds_as_players(
    count: int, seed: int
) -> None:
    history = play_out(Swiss(count // 2), [range(count)], score=scorer(seed))
    assert set(count_meetings(history).values()) == {1}


@PATIENT
@given(st.integers(16, 30), st.integers(0, 99))
def test_seats_are_balanced_while_there_is_room(count: int, seed: int) -> None:
    for mine in list_seats(play_out(Swiss(6), [range(count)], score=scorer(seed))).values():
        assert all(len(set(three)) > 1 for three in zip(mine, mine[1:], mine[2:], strict=False))
        assert abs(mine.count(0) - mine.count(1)) <= 2


@PATIENT
@given(st.sampled_from([(2,), (3,), (4,)]), st.integers(2, 20), st.integers(0, 99))
def test_the_lowest_of_those_who_have_missed_least_sit_out(
    sizes: tuple[int, ...], count: int, seed: int
) -> None:
    format_ = Swiss(5, sizes, sitting_out=HALF)
    history = play_out(format_, [range(count)], score=scorer(seed))
    for turn, played in enumerate(history):
        missed, totals = (
            count_missed(range(count), history[:turn]),
            sum_points(range(count), history[:turn], sitting_out=HALF),
        )
        playing = [
            (missed[entrant], totals[entrant]) for table in played.round.tables for entrant in table
        ]
        out = [(missed[entrant], totals[entrant]) for entrant in played.round.sitting_out]
        assert not playing or not out or max(out) <= min(playing)


@PATIENT
@given(st.sampled_from([(2,), (3,), (4,), (3, 4)]), st.integers(4, 12), st.integers(0, 99))
def test_no_exchange_gives_fewer_repeats_or_as_few_and_closer_points(
    sizes: tuple[int, ...], count: int, seed: int
) -> None:
    history = play_out(Swiss(4, sizes), [range(count)], score=scorer(seed))
    for turn, played in enumerate(history):
        past, tables = history[:turn], played.round.tables
        for one, other in combinations([entrant for table in tables for entrant in table], 2):
            swap = {one: other, other: one}
            assert cost(
                [[swap.get(entrant, entrant) for entrant in table] for table in tables], past
            ) >= cost(tables, past)


def cost(tables: Sequence[Sequence[Entrant]], past: History) -> tuple[object, ...]:
    """Return what a round tries to make small, the most important first."""
    met, seats, everybody = (
        count_meetings(past),
        list_seats(past),
        [entrant for table in tables for entrant in table],
    )
    totals = sum_points(everybody, past)
    due = {entrant: due_seat(seats.get(entrant, ())) for entrant in everybody}
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    unfair = (
        [due[one] is not None and due[one] == due[other] for one, other in pairs]
        if {len(table) for table in tables} == {2}
        else []
    )
    return (
        sum(met[frozenset(pair)] ** 2 for pair in pairs),
        sum(unfair),
        sum((totals[one] - totals[other]) ** 2 for one, other in pairs),
    )


def test_equal_points_meet() -> None:
    """After one round of sixteen, eight have won and eight lost."""
    history = play_out(Swiss(2), [range(16)], score=lambda table: (1, 0))
    totals = sum_points(range(16), history[:1])
    assert all(totals[one] == totals[other] for one, other in history[1].round.tables)


def test_five_hundred_play_without_a_repeat() -> None:
    history = play_out(Swiss(4), [range(500)])
    assert set(count_meetings(history).values()) == {1}
    assert all(abs(mine.count(0) - mine.count(1)) <= 2 for mine in list_seats(history).values())


def test_a_swiss_of_nobody_and_of_one_has_rounds_without_tables() -> None:
    assert next_round(Swiss(3), [], []).tables == ()
    assert next_round(Swiss(3), ["Alice"], []).sitting_out == ("Alice",)
