"""Rounds of every format: who is at which table, who sits out, and that the same chance gives the
same round.
"""

import hashlib
import json
from dataclasses import asdict
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.core.chance import Setting, of_phase
from adjudicator.play.tournaments.formats import (
    Format,
    KnockOut,
    Mixer,
    RoundRobin,
    Swiss,
    count_rounds,
    table_sizes,
)
from adjudicator.play.tournaments.pairing import PAIRING_VERSION, pair_round, rotate_legs
from adjudicator.play.tournaments.past import count_meetings, count_missed, list_seats
from adjudicator.play.tournaments.records import Played, Round, TournamentError
from tests.play.tournaments import finished, next_round, play_out, scorer

PATIENT = settings(max_examples=30)
SIZES = st.lists(st.integers(2, 7), min_size=1, max_size=4).map(tuple)
MIXERS = st.builds(Mixer, st.integers(1, 6), SIZES)
SWISS = st.builds(Swiss, st.integers(1, 6), SIZES, st.sampled_from([0, 1]))
FORMATS = st.one_of(st.builds(RoundRobin, st.integers(1, 3)), MIXERS, SWISS, st.just(Swiss(6)))
FIELDS = st.lists(st.integers(0, 99), max_size=16, unique=True)


def allowed(format_: Format) -> tuple[int, ...]:
    return format_.sizes if isinstance(format_, Mixer | Swiss) else (2,)


@PATIENT
@given(FORMATS, st.lists(FIELDS, min_size=1, max_size=5))
def test_everybody_is_at_one_table_or_sits_out_whoever_comes_and_leaves(
    format_: Format, changes: list[list[int]]
) -> None:
    for turn, played in enumerate(play_out(format_, changes)):
        field = changes[min(turn, len(changes) - 1)]
        seated = [entrant for table in played.round.tables for entrant in table]
        assert sorted([*seated, *played.round.sitting_out]) == sorted(field)
        assert {len(table) for table in played.round.tables} <= set(allowed(format_))


@PATIENT
@given(st.one_of(MIXERS, SWISS), st.integers(0, 30))
def test_as_many_play_as_the_sizes_allow(format_: Mixer | Swiss, count: int) -> None:
    for played in play_out(format_, [range(count)]):
        assert sum(map(len, played.round.tables)) == sum(table_sizes(count, format_.sizes))


@PATIENT
@given(st.one_of(MIXERS, SWISS), st.integers(2, 20))
def test_nobody_sits_out_twice_before_all_once(format_: Mixer | Swiss, count: int) -> None:
    history = play_out(format_, [range(count)])
    for turn in range(len(history) if table_sizes(count, format_.sizes) else 0):
        missed = count_missed(range(count), history[: turn + 1])
        assert max(missed.values()) - min(missed.values()) <= 1


def test_nobody_sits_out_twice_before_all_once_in_a_second_and_third_turn() -> None:
    for kind in (Swiss, Mixer):
        for count, size in ((3, 2), (5, 2), (4, 3)):
            for seed in range(2):  # enough rounds that everybody sits out twice
                history = play_out(
                    kind(2 * count + 1, (size,)), [range(count)], score=scorer(seed), seed=str(seed)
                )
                for turn in range(len(history)):
                    missed = count_missed(range(count), history[: turn + 1]).values()
                    assert max(missed) - min(missed) <= 1, (kind, count, size, seed, turn)


@PATIENT
@given(FORMATS, st.integers(0, 20))
def test_a_format_has_as_many_rounds_as_it_says(format_: Format, count: int) -> None:
    assert len(play_out(format_, [range(count)])) == count_rounds(format_, count)


@PATIENT
@given(
    st.one_of(FORMATS, st.just(KnockOut(seeds="draw"))),
    st.integers(0, 12),
    st.sampled_from(["one", "two"]),
)
def test_the_same_arguments_give_the_same_rounds_byte_for_byte(
    format_: Format, count: int, seed: str
) -> None:
    def written() -> bytes:
        history = play_out(format_, [range(count)], seed=seed)
        return json.dumps([asdict(played.round) for played in history]).encode()

    assert written() == written()


def test_a_pairing_that_changes_raises_the_version() -> None:
    """A new digest here means that the rounds of running tournaments cannot be checked any more:
    raise PAIRING_VERSION with it.
    """
    formats = (
        RoundRobin(2),
        Mixer(4, (3,)),
        Mixer(5, (4,)),
        Swiss(5),
        Swiss(4, (3, 4)),
        KnockOut(seeds="draw"),
    )
    fields = (range(13), range(13), range(12), range(14))
    digests = {}
    for version in range(1, PAIRING_VERSION + 1):
        played = [
            play_out(each, fields if each in formats[:5] else fields[:1], version=version)
            for each in formats
        ]
        rounds = [asdict(each.round) for history in played for each in history]
        digests[version] = hashlib.sha256(json.dumps(rounds).encode()).hexdigest()[:16]
    assert digests == {
        1: "bb764d49d46e9038",
        2: "9cffb85d5452aab5",
    }, "rounds of earlier versions are drawn again, too"


@pytest.mark.parametrize(
    "format_", [RoundRobin(), Mixer(3, (3,)), Mixer(3, (5,)), Swiss(3), KnockOut(seeds="draw")]
)
def test_another_seed_gives_another_round(format_: Format) -> None:
    field = [f"entrant {number}" for number in range(12)]
    assert next_round(format_, field, [], "one") != next_round(format_, field, [], "two")


def test_a_round_makes_one_labelled_draw_at_most_and_names_its_division() -> None:
    history: list[Played] = []
    drawn = []
    for turn in range(5):
        chance = of_phase({"public": b"a", "hidden": b"b"}, Setting("a tournament", turn))
        found = pair_round(RoundRobin(), range(6), history, chance.public, name="division 2")
        assert found is not None
        history.append(finished(found, scorer(0)))
        drawn.append([draw.label for draw in chance.draws])
    assert drawn == [["division 2: order of round 1"], [], [], [], []]


def test_nobody_is_entered_twice() -> None:
    with pytest.raises(TournamentError, match="Somebody is entered twice"):
        next_round(Swiss(1), ["Alice", "Bob", "Alice"], [])


def test_points_fit_the_tables() -> None:
    with pytest.raises(TournamentError, match="Table 2 has 2 seats, but 3 numbers"):
        Played(Round((("Alice", "Bob"), ("Charlie", "Dora"))), ((1, 0), (1, 0, 0)))
    with pytest.raises(TournamentError, match="2 tables, but points of 1"):
        Played(Round((("Alice", "Bob"), ("Charlie", "Dora"))), (None,))


# --- sizes of tables


@pytest.mark.parametrize(
    ("count", "sizes", "tables"),
    [
        (0, (2,), ()),
        (1, (2,), ()),
        (9, (4,), (4, 4)),
        (9, (3, 4), (3, 3, 3)),
        (8, (2, 3, 4, 5, 6, 7), (4, 4)),
        (13, (6, 7), (7, 6)),
        (11, (6, 7), (7,)),
        (500, (7,), (7,) * 71),
        (500, (6, 7), (7,) * 68 + (6,) * 4),
    ],
)
def test_sizes_of_tables(count: int, sizes: tuple[int, ...], tables: tuple[int, ...]) -> None:
    assert table_sizes(count, sizes) == tables


@pytest.mark.parametrize("sizes", [(), (1,), (7, 0)])
def test_a_table_has_two_seats_or_more(sizes: tuple[int, ...]) -> None:
    with pytest.raises(TournamentError, match="each of them 2 or more"):
        table_sizes(7, sizes)


# --- round robins


@PATIENT
@given(st.integers(1, 3), st.integers(0, 15))
def test_in_a_round_robin_all_meet_once_a_cycle_and_sit_out_once_a_cycle_if_they_are_odd(
    cycles: int, count: int
) -> None:
    history = play_out(RoundRobin(cycles), [range(count)])
    length = len(history) // cycles
    for begin in range(0, len(history), max(length, 1)):
        cycle = history[begin : begin + length]
        assert count_meetings(cycle) == dict.fromkeys(
            map(frozenset, combinations(range(count), 2)), 1
        )
        assert set(count_missed(range(count), cycle).values()) == {count % 2}


@PATIENT
@given(st.integers(1, 4), st.integers(2, 15))
def test_in_a_round_robin_seats_take_turns(cycles: int, count: int) -> None:
    history = play_out(RoundRobin(cycles), [range(count)])
    for mine in list_seats(history).values():
        assert all(len(set(three)) > 1 for three in zip(mine, mine[1:], mine[2:], strict=False))
        assert abs(mine.count(0) - mine.count(1)) <= (1 - count % 2 if cycles % 2 else 0)


@PATIENT
@given(st.integers(2, 12))
def test_a_double_round_robin_exchanges_the_seats(count: int) -> None:
    tables = [
        table for played in play_out(RoundRobin(2), [range(count)]) for table in played.round.tables
    ]
    assert len(set(tables)) == len(tables)


@PATIENT
@given(st.integers(1, 2), st.integers(3, 12), st.data())
def test_those_who_leave_a_round_robin_do_not_prolong_it(
    cycles: int, count: int, data: st.DataObject
) -> None:
    stay = sorted(data.draw(st.sets(st.integers(0, count - 1))))
    after = data.draw(st.integers(1, count))
    history = play_out(RoundRobin(cycles), [range(count)] * after + [stay])
    meetings = count_meetings(history)
    assert len(history) <= count_rounds(RoundRobin(cycles), count)
    assert all(meetings[frozenset(pair)] == cycles for pair in combinations(stay, 2))
    assert all(played.round.tables for played in history)


@PATIENT
@given(st.integers(1, 2), st.integers(1, 8), st.integers(1, 3), st.integers(1, 6))
def test_late_entrants_of_a_round_robin_still_meet_everybody(
    cycles: int, count: int, late: int, after: int
) -> None:
    history = play_out(RoundRobin(cycles), [range(count)] * after + [range(count + late)])
    meetings = count_meetings(history)
    pairs = [frozenset(pair) for pair in combinations(range(count + late), 2)]
    if len(history) > after:  # else it was over
        assert {meetings[pair] for pair in pairs} == {cycles}
        assert all(played.round.tables for played in history[after:])


@pytest.mark.parametrize(
    ("legs", "tables"),
    [
        (1, ["ABC"]),
        (2, ["ABC", "BCA"]),
        (3, ["ABC", "BCA", "CAB"]),
        (4, ["ABC", "BCA", "CAB", "ABC"]),
    ],
)
def test_legs_move_everybody_one_seat_on(legs: int, tables: list[str]) -> None:
    assert ["".join(map(str, table)) for table in rotate_legs(("A", "B", "C"), legs)] == tables
