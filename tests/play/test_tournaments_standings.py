"""Standings, their tie breaks and the cross-table; corrected results."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.play.tournaments.formats import League, Mixer, RoundRobin, Swiss
from adjudicator.play.tournaments.records import Played, Round
from adjudicator.play.tournaments.standings import TieBreak, cross_table, rank_entrants, standings
from tests.play.tournaments import HALF, next_round, play_out, scorer

PATIENT = settings(max_examples=30)
ALL: tuple[TieBreak, ...] = ("opponents", "beaten", "head to head", "wins", "best table")


def history_of(*tables: tuple[str, tuple[int | Fraction, ...] | None]) -> list[Played]:
    """Return a history of one table a round: its entrants, a letter each, and their points."""
    return [Played(Round((tuple(entrants),)), (points,)) for entrants, points in tables]


CIRCLE = history_of(
    ("AB", (1, 0)),
    ("BC", (1, 0)),
    ("CA", (1, 0)),
    ("AD", (HALF, HALF)),
    ("BD", (1, 0)),
    ("CD", (0, 1)),
)


@pytest.mark.parametrize(
    ("tie_break", "breaks"),
    [  # A beat B and tied D; B beat C and D; C beat A; D beat C: totals A 1.5, B 2, C 1, D 1.5
        ("opponents", {"A": Fraction(9, 2), "B": 4, "C": 5, "D": Fraction(9, 2)}),
        (
            "beaten",
            {"A": Fraction(11, 4), "B": Fraction(5, 2), "C": Fraction(3, 2), "D": Fraction(7, 4)},
        ),
        ("head to head", {"A": HALF, "B": 0, "C": 0, "D": HALF}),
        ("wins", {"A": 1, "B": 2, "C": 1, "D": 1}),
        ("best table", {"A": 1, "B": 1, "C": 1, "D": 1}),
    ],
)
def test_tie_breaks_of_four_entrants(tie_break: TieBreak, breaks: dict[str, Fraction]) -> None:
    table = standings("ABCD", CIRCLE, [tie_break])
    assert {row.entrant: row.breaks for row in table} == {
        entrant: (value,) for entrant, value in breaks.items()
    }
    assert table[0].entrant == "B"


def test_equal_entrants_share_a_place_and_the_next_is_left_out() -> None:
    assert [(row.place, row.entrant) for row in standings("DABC", CIRCLE)] == [
        (1, "B"),
        (2, "D"),
        (2, "A"),
        (4, "C"),
    ]
    assert [(row.place, row.entrant) for row in standings("DABC", CIRCLE, ["beaten"])] == [
        (1, "B"),
        (2, "A"),
        (3, "D"),
        (4, "C"),
    ]


def test_head_to_head_looks_only_at_those_who_are_still_tied() -> None:
    """A and C are equal on points, and C beat A; B, who beat C, has fewer."""
    history = history_of(
        ("AB", (1, 0)), ("BC", (1, 0)), ("CA", (1, 0)), ("AD", (1, 0)), ("CD", (1, 0))
    )
    assert [row.entrant for row in standings("ABCD", history, ["head to head"])] == [
        "C",
        "A",
        "B",
        "D",
    ]
    assert standings("ABCD", history, ["head to head"])[2].breaks == (0,)


def test_tie_breaks_at_larger_tables() -> None:
    history = history_of(("ABC", (10, 4, 4)), ("CAB", (7, 7, 0)))
    rows = {row.entrant: row for row in standings("ABC", history, ALL)}
    assert rows["A"].total == 17
    assert rows["B"].breaks == (2 * 28, Fraction(11, 2), 0, 0, 4)
    assert rows["C"].breaks == (2 * (17 + 4), 2 + Fraction(17, 2) + 4, 0, 0, 7)
    assert rows["A"].breaks == (2 * 15, 4 + 11 + 4 + Fraction(11, 2), 0, 1, 10)


def test_opponents_who_left_still_count_and_a_table_without_a_result_does_not() -> None:
    history = history_of(("AB", (0, 3)), ("AC", None))
    (row,) = standings("A", history, ["opponents"])
    assert (row.place, row.total, row.tables, row.breaks) == (1, 0, 1, (3,))


def test_sitting_out_gives_points() -> None:
    history = [Played(Round((("A", "B"),), ("C",)), ((1, 0),))]
    assert [(row.entrant, row.total) for row in standings("ABC", history, sitting_out=HALF)] == [
        ("A", 1),
        ("C", HALF),
        ("B", 0),
    ]


def test_a_round_of_sitting_out_counts_as_an_opponent_with_the_own_points() -> None:
    """FIDE C.07, 16.4: A has won once and sat out once for a point, so its own 2 stand beside the
    total of B.
    """
    history = [
        Played(Round((("A", "B"),), ("C",)), ((1, 0),)),
        Played(Round((("B", "C"),), ("A",)), ((1, 0),)),
    ]
    rows = {row.entrant: row for row in standings("ABC", history, ["opponents"], sitting_out=1)}
    assert {who: (row.total, row.breaks[0]) for who, row in rows.items()} == {
        "A": (2, 1 + 2),
        "B": (1, 2 + 1),
        "C": (1, 1 + 1),
    }


def test_results_against_who_left_a_round_robin_before_half_of_it_are_void() -> None:
    first = [("AB", (1, 0)), ("CD", (0, 1))]
    for cycles, tables, totals in (
        (1, [*first, ("AD", None)], {"A": 1, "B": 0, "C": 0, "D": 0}),  # D left after one of three
        (1, [*first, ("AD", (0, 1))], {"A": 1, "B": 0, "C": 0, "D": 2}),  # after two of three
        (2, [*first, ("AD", (0, 1))], {"A": 1, "B": 0, "C": 0, "D": 0}),  # after two of six
    ):
        for format_ in (RoundRobin(cycles), League(4, cycles=cycles)):
            named = [tuple("ABCD".index(who) for who in table) for table, _ in tables]
            history = [
                Played(Round((table,)), (points,))
                for table, (_, points) in zip(named, tables, strict=True)
            ]
            history[0] = replace(history[0], round=replace(history[0].round, sitting_out=(2, 3)))
            rows = rank_entrants(format_, range(4), range(3), history)
            assert {"ABCD"[int(row.entrant)]: row.total for row in rows} == totals, (
                format_,
                tables,
            )


def test_standings_of_nobody() -> None:
    assert standings((), (), ALL) == ()


@PATIENT
@given(
    st.sampled_from([Mixer(3, (3,)), Swiss(3), RoundRobin()]),
    st.integers(0, 12),
    st.integers(0, 99),
)
def test_standings_list_everybody_once_in_order(
    format_: Mixer | Swiss | RoundRobin, count: int, seed: int
) -> None:
    history = play_out(format_, [range(count)], score=scorer(seed))
    rows = standings(range(count), history, ALL)
    keys = [(row.total, *row.breaks) for row in rows]
    assert sorted(row.entrant for row in rows) == list(range(count))
    assert all(keys[one] >= keys[one + 1] for one in range(count - 1))
    assert [row.place for row in rows] == [1 + sum(other > key for other in keys) for key in keys]
    assert sum(row.total for row in rows) == sum(
        sum(points) for played in history for _, points in played.results
    )


def test_a_corrected_result_changes_standings_and_later_rounds_stand() -> None:
    history = play_out(Swiss(3), [list("ABCDEFGH")], rounds=2, score=lambda table: (1, 0))
    first = history[0]
    corrected = [replace(first, points=((0, 1), *first.points[1:])), history[1]]
    loser, winner = first.round.tables[0]
    places = {row.entrant: row.total for row in standings("ABCDEFGH", corrected)}
    before = {row.entrant: row.total for row in standings("ABCDEFGH", history)}
    assert (places[loser], places[winner]) == (before[loser] - 1, before[winner] + 1)
    third = next_round(Swiss(3), list("ABCDEFGH"), corrected)
    assert third is not None
    played = {frozenset(table) for past in corrected for table in past.round.tables}
    assert not played & set(map(frozenset, third.tables))


def test_a_cross_table_says_who_beat_whom_at_tables_of_two() -> None:
    cells = cross_table(
        history_of(("AB", (1, 0)), ("BA", (HALF, HALF)), ("ABC", (9, 8, 7)), ("AC", None))
    )
    assert cells == {("A", "B"): ((1, 0), (HALF, HALF)), ("B", "A"): ((0, 1), (HALF, HALF))}
