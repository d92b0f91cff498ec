"""Results as a round keeps them: what is new since the round before was paired."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.play.tournaments.changes import Change, Results, list_changes, list_results
from adjudicator.play.tournaments.formats import FORMATS, MOST_ROUNDS
from adjudicator.play.tournaments.records import TournamentError
from adjudicator.play.tournaments.replay import read_tournament

POINTS = st.sampled_from([("1", "0"), ("1/2", "1/2"), ("0", "1")])


@given(st.lists(st.integers(1, 3), max_size=5), st.data())
def test_changes_give_back_all_results_whatever_was_corrected_and_whoever_kept_them(
    sizes: list[int], data: st.DataObject
) -> None:
    known: list[Results] = [
        [[data.draw(POINTS) for _ in range(size)] for size in sizes[:number]]
        for number in range(len(sizes))
    ]
    whole = [data.draw(st.booleans()) for _ in known]
    kept = [
        (None, now) if old else (list_changes(known[number - 1] if number else (), now), None)
        for number, (now, old) in enumerate(zip(known, whole, strict=True))
    ]
    assert [
        [list(tables) for tables in found or ()] for found in list_results(kept, sizes)
    ] == known


def test_what_was_not_kept_stays_unknown_until_all_results_are_kept() -> None:
    first: Results = [[("1", "0")]]
    assert list_results([(None, None), ((), None), (None, first)], [1, 1, 1]) == [None, None, first]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Change(2, 1, ("1", "0")), "Table 1 of round 2 has a result, but was not played by then"),
        (Change(1, 2, ("1", "0")), "Table 2 of round 1"),
        (Change(0, 1, ("1", "0")), "Table 1 of round 0"),
        (Change(1, 1, ()), "while round 1 lacked results"),
    ],
)
def test_changes_that_fit_no_table_are_refused(change: Change, said: str) -> None:
    with pytest.raises(TournamentError, match=said):
        list_results([((), None), ((change,), None)], [1, 1])


def test_a_file_may_have_more_rounds_than_a_new_tournament() -> None:
    each = {"element": "", "pairing_version": 1, "tables": [], "sitting_out": [], "order": []}
    count = MOST_ROUNDS + 50
    rounds = [{**each, "number": number, "turn": 0, "entrants": []} for number in range(1, count)]
    plain = {
        "id": "long22222",
        "format": next(iter(FORMATS)),
        "policies": {},
        "tie_breaks": [],
        "entrants": [],
        "rounds": rounds,
        "standings": [],
        "chance": {"anchors": {}, "opened": None},
    }
    assert len(read_tournament(plain).rounds) == count - 1
