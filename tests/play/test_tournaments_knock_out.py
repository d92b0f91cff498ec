"""Knock-outs and leagues: byes, seeds, ties, those who leave; who goes up and down."""

from math import ceil, log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.play.tournaments.formats import KnockOut
from adjudicator.play.tournaments.leagues import form_divisions, next_season
from adjudicator.play.tournaments.methods.knock_out import draw_bracket, rank_knock_out
from adjudicator.play.tournaments.records import Played, Points, Round, Table, TournamentError
from tests.play.tournaments import next_round, play_out, scorer

PATIENT = settings(max_examples=50)


def better_wins(table: Table) -> tuple[Points, ...]:
    return tuple(int(entrant == min(table, key=str)) for entrant in table)


@PATIENT
@given(st.integers(0, 40), st.integers(0, 99), st.sampled_from(["entry", "draw"]))
def test_a_knock_out_halves_the_field_and_has_byes_in_the_first_round_only(
    count: int, seed: int, seeds: str
) -> None:
    history = play_out(KnockOut(seeds=seeds), [range(count)], score=scorer(seed))  # type: ignore[arg-type]
    assert len(history) == (ceil(log2(count)) if count else 0)
    assert sum(len(played.round.tables) for played in history) == max(count - 1, 0)
    assert not any(played.round.sitting_out for played in history[1:])


@PATIENT
@given(st.integers(2, 40))
def test_the_best_seeds_have_the_byes_and_meet_late(count: int) -> None:
    names = [f"{number:02}" for number in range(count)]
    history = play_out(KnockOut(), [names], score=better_wins)
    assert sorted(history[0].round.sitting_out) == names[: 2 ** len(history) - count]
    for turn, played in enumerate(history):
        there = sorted(entrant for entrant in played.round.order if entrant is not None)
        assert there == names[: 2 ** (len(history) - turn)]
    assert rank_knock_out(KnockOut(), names, history)[names[0]] == 1
    assert rank_knock_out(KnockOut(), names, history)[names[1]] == 2


def test_a_bracket_of_eight_and_of_five() -> None:
    assert draw_bracket("12345678") == ("1", "8", "4", "5", "2", "7", "3", "6")
    assert draw_bracket("12345") == ("1", None, "4", "5", "2", None, "3", None)


@pytest.mark.parametrize(
    ("tie", "through"),
    [("higher seed", "AB"), ("lower seed", "CD"), ("first seat", None), ("second seat", None)],
)
def test_a_rule_decides_a_tie(tie: str, through: str | None) -> None:
    format_ = KnockOut(tie=tie)  # type: ignore[arg-type]
    history = play_out(format_, [list("ABCD")], rounds=1, score=lambda table: (1, 1))
    final = next_round(format_, list("ABCD"), history)
    assert final is not None
    seat = int(tie == "second seat")
    assert set(final.tables[0]) == (
        set(through) if through else {table[seat] for table in history[0].round.tables}
    )


@PATIENT
@given(st.integers(2, 16), st.data())
def test_those_who_leave_a_knock_out_let_their_opponents_through(
    count: int, data: st.DataObject
) -> None:
    stay = sorted(data.draw(st.sets(st.integers(0, count - 1), min_size=1)))
    history = play_out(KnockOut(), [range(count), stay], score=scorer(0))
    places = rank_knock_out(KnockOut(), stay, history)
    assert all(
        set(stay).issuperset(table) for played in history[1:] for table in played.round.tables
    )
    assert sorted(places) == list(range(count))
    assert list(places.values()).count(1) >= 1


def test_who_leaves_a_table_without_a_result_has_lost_it() -> None:
    history = [
        Played(
            Round(
                (("Alice", "Bob"), ("Charlie", "Dora")), order=("Alice", "Bob", "Charlie", "Dora")
            ),
            (None, (0, 1)),
        )
    ]
    final = next_round(KnockOut(), ["Bob", "Charlie", "Dora"], history)
    assert final is not None
    assert set(final.tables[0]) == {"Bob", "Dora"}


def test_who_leaves_and_then_wins_shares_no_place_with_who_lost() -> None:
    semi = Played(Round((("A", "B"), ("C", "D")), order=("A", "B", "C", "D")), ((1, 0), (1, 0)))
    final = Played(Round((("A", "C"),), order=("A", "C")), ((1, 0),))
    for case, playing, history, places in (
        ("the winner of the final has left", "BCD", [semi, final], "1324"),
        ("both finalists have left", "BD", [semi, final], "1324"),
        ("the winner of a semi-final has left before the final", "BCD", [semi], "2314"),
        ("the loser of the final has left", "ABD", [semi, final], "1324"),
    ):
        found = rank_knock_out(KnockOut(), list(playing), history)
        wanted = {
            entrant: min(int(place), 3) for entrant, place in zip("ABCD", places, strict=True)
        }
        assert found == wanted, case


def test_a_knock_out_waits_for_results_and_refuses_late_entrants() -> None:
    first = Round((("Alice", "Bob"),), order=("Alice", "Bob"))
    with pytest.raises(TournamentError, match="Table 1 of round 1 has no result yet"):
        next_round(KnockOut(), ["Alice", "Bob"], [Played(first)])
    with pytest.raises(TournamentError, match="Nobody can enter"):
        next_round(KnockOut(), ["Alice", "Bob", "Charlie"], [Played(first, ((1, 0),))])


# --- leagues


def test_divisions_are_cut_from_the_best_down() -> None:
    assert form_divisions("ABCDEFG", 3) == (tuple("ABC"), tuple("DEFG"))
    assert form_divisions("ABCDEFGH", 3) == (tuple("ABC"), tuple("DEF"), tuple("GH"))
    assert form_divisions("", 3) == ()
    assert form_divisions("A", 3) == (("A",),)


def test_after_a_season_the_best_go_up_and_the_worst_go_down() -> None:
    assert next_season(["ABCD", "EFGH", "IJ"], 4, moving=1) == (
        tuple("ABCE"),
        tuple("DFGI"),
        tuple("HJ"),
    )
    assert next_season(["ABCD", "EFGH"], 4, moving=2) == (tuple("ABEF"), tuple("CDGH"))
    assert next_season(["ABCD", "EFGH"], 4, moving=0) == (tuple("ABCD"), tuple("EFGH"))


def test_gaps_in_a_league_are_filled_from_below() -> None:
    found = next_season(["ABCD", "EFGH"], 4, moving=1, leaving="A")
    assert found == (tuple("BCED"), tuple("FGH"))


@PATIENT
@given(st.integers(0, 20), st.integers(2, 6), st.data())
def test_nobody_is_lost_between_seasons(count: int, size: int, data: st.DataObject) -> None:
    moving = data.draw(st.integers(0, size // 2))
    leaving = data.draw(st.sets(st.integers(0, 20)))
    ranked = form_divisions(range(count), size)
    found = next_season(ranked, size, moving=moving, leaving=leaving)
    assert sorted(map(str, (entrant for division in found for entrant in division))) == sorted(
        str(entrant) for entrant in range(count) if entrant not in leaving
    )
    assert (
        all(len(division) == size for division in found[:-1])
        or len(found) < 2
        or len(found[-1]) == size + 1
    )


def test_a_league_refuses_what_cannot_be_moved() -> None:
    with pytest.raises(TournamentError, match="From a division of 4, at most 2 can go up"):
        next_season(["ABCD", "EFGH"], 4, moving=3)
    with pytest.raises(TournamentError, match="Nobody can be in two divisions"):
        next_season(["ABCD", "AFGH"], 4, moving=1)
    with pytest.raises(TournamentError, match="two entrants or more"):
        form_divisions("AB", 1)
