"""What pairing is made of: matchings, exchanges, seats, grids, and rounds at tables of any size."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.play.tournaments.formats import Mixer
from adjudicator.play.tournaments.methods.exchanges import improve_tables, table_cost
from adjudicator.play.tournaments.methods.grid import grid_tables
from adjudicator.play.tournaments.methods.matching import FREE, match_most
from adjudicator.play.tournaments.methods.mixer import pair_mixer
from adjudicator.play.tournaments.methods.planning import Dice, plan_rounds
from adjudicator.play.tournaments.past import count_meetings, list_seats
from adjudicator.play.tournaments.records import Entrant, History, Played
from adjudicator.play.tournaments.seating import assign_columns, due_seat, seat_table
from tests.play.tournaments import play_out
from tests.sampling import examples

PATIENT = settings(max_examples=examples(30, 80))
SLOW = settings(max_examples=20)


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    count = draw(st.integers(0, 10))
    edges = (
        draw(st.sets(st.sampled_from(list(combinations(range(count), 2))))) if count > 1 else set()
    )
    return [
        [other for other in range(count) if (min(one, other), max(one, other)) in edges]
        for one in range(count)
    ]


def most_pairs(neighbours: Sequence[Sequence[int]], free: frozenset[int]) -> int:
    """Return the size of the largest matching, by trying all."""
    if not free:
        return 0
    one, rest = min(free), free - {min(free)}
    return max(
        most_pairs(neighbours, rest),
        *(1 + most_pairs(neighbours, rest - {other}) for other in rest & set(neighbours[one])),
        0,
    )


@PATIENT
@given(graphs(), st.booleans())
def test_a_matching_is_one_of_the_largest_and_keeps_who_was_matched(
    neighbours: list[list[int]], begun: bool
) -> None:
    before = [FREE] * len(neighbours)
    edges = [(one, other) for one, near in enumerate(neighbours) for other in near]
    if begun and edges:
        before[edges[0][0]], before[edges[0][1]] = edges[0][1], edges[0][0]
    mates = match_most(neighbours, before)
    matched = [one for one, mate in enumerate(mates) if mate != FREE]
    assert all(mates[mates[one]] == one and mates[one] in neighbours[one] for one in matched)
    assert len(matched) == 2 * most_pairs(neighbours, frozenset(range(len(neighbours))))
    assert {one for one, mate in enumerate(before) if mate != FREE} <= set(matched)


def test_a_matching_shrinks_odd_circles() -> None:
    """Two circles of five joined by an edge, and a tail on each: only the perfect matching uses
    both tails.
    """
    edges = [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 4),
        (4, 0),
        (5, 6),
        (6, 7),
        (7, 8),
        (8, 9),
        (9, 5),
        (2, 7),
        (0, 10),
        (5, 11),
    ]
    neighbours = [[b if a == one else a for a, b in edges if one in (a, b)] for one in range(12)]
    assert FREE not in match_most(neighbours, [FREE] * 12)


@PATIENT
@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.data())
def test_no_exchange_of_two_makes_improved_tables_cheaper(
    sizes: list[int], data: st.DataObject
) -> None:
    count = sum(sizes)
    cost = {pair: data.draw(st.integers(0, 9)) for pair in combinations(range(count), 2)}
    costs = [
        [cost.get((min(one, other), max(one, other)), 0) for other in range(count)]
        for one in range(count)
    ]
    rest = iter(range(count))
    tables = improve_tables([[next(rest) for _ in range(size)] for size in sizes], costs)
    assert sorted(entrant for table in tables for entrant in table) == list(range(count))
    assert [len(table) for table in tables] == sizes
    for one, other in combinations(range(count), 2):
        swap = {one: other, other: one}
        assert table_cost(
            [[swap.get(entrant, entrant) for entrant in table] for table in tables], costs
        ) >= table_cost(tables, costs)


@PATIENT
@given(
    st.integers(0, 5).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(0, 9), min_size=n, max_size=n), min_size=n, max_size=n
        )
    )
)
def test_an_assignment_is_the_first_of_the_cheapest(costs: list[list[int]]) -> None:
    ways = permutations(range(len(costs)))
    assert assign_columns(costs) == min(
        ways,
        key=lambda way: (sum(row[column] for row, column in zip(costs, way, strict=True)), way),
    )


@pytest.mark.parametrize(
    ("seats", "due"),
    [
        ([], None),
        ([0], None),
        ([0, 1], None),
        ([0, 0], 1),
        ([1, 1], 0),
        ([0, 0, 1], None),
        ([0, 1, 0, 0, 1, 0], 1),
        ([1, 0, 0], 1),
    ],
)
def test_which_seat_is_due(seats: list[int], due: int | None) -> None:
    assert due_seat(seats) == due


def test_seats_at_a_table_are_the_rarest_and_not_a_third_time_in_a_row() -> None:
    assert seat_table("AB", {"A": [0], "B": [1]}) == ("B", "A")
    assert seat_table("ABC", {"A": [0, 1], "B": [0, 2], "C": [1, 2]}) == ("C", "B", "A")
    assert seat_table("AB", {"A": [1, 1, 1, 1, 0, 0], "B": [0, 1, 0, 1, 0, 1]}) == ("B", "A")


@pytest.mark.parametrize(
    ("count", "size", "turns"),
    [(7, 7, 1), (8, 2, 7), (9, 3, 4), (16, 4, 5), (25, 5, 6), (27, 3, 13), (49, 7, 8)],
)
def test_on_a_whole_grid_everybody_meets_everybody_once(count: int, size: int, turns: int) -> None:
    tables = [grid_tables(range(count), size, turn) for turn in range(turns)]
    met = [
        frozenset(pair)
        for turn in tables
        for table in turn or ()
        for pair in combinations(table, 2)
    ]
    assert len(met) == len(set(met)) == count * (count - 1) // 2
    assert grid_tables(range(count), size, turns) is None


@pytest.mark.parametrize(
    ("count", "size", "turns"),
    [
        (15, 3, 5),
        (20, 4, 5),
        (28, 4, 7),
        (32, 4, 8),
        (64, 4, 21),
        (497, 7, 71),
        (512, 4, 168),
        (12, 4, 0),
        (10, 3, 0),
    ],
)
def test_on_a_grid_nobody_meets_twice(count: int, size: int, turns: int) -> None:
    seen: set[frozenset[int]] = set()
    for turn in range(turns):
        tables = grid_tables(range(count), size, turn)
        assert tables is not None
        assert sorted(entrant for table in tables for entrant in table) == list(range(count))
        met = {frozenset(pair) for table in tables for pair in combinations(table, 2)}
        assert not met & seen
        seen |= met
    assert grid_tables(range(count), size, turns) is None


@SLOW
@given(
    st.sampled_from([(9, 3, 4), (16, 4, 5), (20, 4, 5), (49, 7, 8), (6, 2, 3)]), st.text(max_size=3)
)
def test_where_a_grid_fits_nobody_meets_twice_in_a_mixer(
    case: tuple[int, int, int], seed: str
) -> None:
    count, size, rounds = case
    assert set(
        count_meetings(play_out(Mixer(rounds, (size,)), [range(count)], seed=seed)).values()
    ) == {1}


@SLOW
@given(
    st.integers(4, 18), st.sampled_from([(2,), (3,), (4,), (3, 4)]), st.integers(1, 6), st.data()
)
def test_no_exchange_makes_fewer_repeats_in_a_mixer(
    count: int, sizes: tuple[int, ...], rounds: int, data: st.DataObject
) -> None:
    fields = [
        sorted(data.draw(st.sets(st.integers(0, count - 1), min_size=4)))
        for _ in range(data.draw(st.integers(1, 3)))
    ]
    history: list[Played] = []  # as with more than MOST_PLANNED entrants
    for turn in range(rounds):
        field = fields[min(turn, len(fields) - 1)]
        found = pair_mixer(
            Mixer(rounds, sizes), field, history, partial(lots_of, field), planned=False
        )
        assert found is not None
        history.append(Played(found))
    for turn, played in enumerate(history):
        past, tables = history[:turn], played.round.tables
        for one, other in combinations([entrant for table in tables for entrant in table], 2):
            swap = {one: other, other: one}
            assert repeats(
                [[swap.get(entrant, entrant) for entrant in table] for table in tables], past
            ) >= repeats(tables, past)


def lots_of(field: Sequence[Entrant]) -> tuple[Entrant, ...]:
    return tuple(Random(0).sample(list(field), len(field)))


@pytest.mark.parametrize(
    ("count", "size", "rounds", "never"), [(10, 5, 4, 0), (12, 4, 5, 1), (14, 7, 4, 2)]
)
def test_a_mixer_of_few_entrants_leaves_hardly_anybody_unmet(
    count: int, size: int, rounds: int, never: int
) -> None:
    history = play_out(Mixer(rounds, (size,)), [range(count)])
    assert count * (count - 1) // 2 - len(count_meetings(history)) <= never
    assert history == play_out(Mixer(rounds, (size,)), [range(count)]), "it can be drawn again"


def test_the_numbers_of_a_plan_are_those_that_are_documented() -> None:
    dice = Dice("1 2 3")
    assert [dice.below(1 << 64) for _ in range(2)] == [7772026374693608060, 12945812340197723838]
    assert [
        len(each)
        for each in plan_rounds([[[0, 1], [2, 3]]] * 3, [[0] * 4 for _ in range(4)], Dice(""))
    ] == [2, 2, 2]


def repeats(tables: Sequence[Sequence[Entrant]], past: History) -> int:
    met = count_meetings(past)
    return sum(met[frozenset(pair)] ** 2 for table in tables for pair in combinations(table, 2))


@pytest.mark.parametrize(("count", "size", "rounds"), [(49, 7, 7), (16, 4, 4), (25, 5, 5)])
def test_powers_are_balanced_over_the_rounds(count: int, size: int, rounds: int) -> None:
    seats = list_seats(play_out(Mixer(rounds, (size,)), [range(count)])).values()
    assert max(mine.count(seat) for mine in seats for seat in range(size)) <= 2


def test_five_hundred_at_tables_of_seven_never_meet_twice() -> None:
    history = play_out(Mixer(4, (7,)), [range(500)])
    assert max(count_meetings(history).values()) == 1
    assert [len(played.round.sitting_out) for played in history] == [3] * 4
