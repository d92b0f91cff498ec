"""The scoring systems: cases worked by hand, the examples of their publishers, and what holds for
every match.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from adjudicator import catalogue
from adjudicator.core.game import Finish
from adjudicator.play.scoring.systems import (
    SYSTEMS,
    ScoringSystem,
    find_system,
    is_possible,
    list_systems,
    score_match,
    usual_bye,
)
from tests.sampling import examples

PATIENT = settings(max_examples=examples(60, 200))
F = Fraction
Row = Sequence[F | int]
CENTRES = 34
VICTORY = 18


def board(text: str, *, solo: str = "", draw: str = "", year: int = 1908) -> dict[str, Finish]:
    """Return how a match of seats a, b, c ... ended: `16 3 0@1905` gives the centres and the years
    in which seats went out.

    Without `solo` the seats `draw` share a draw; all who hold centres, if it is "".
    """
    counts, years = {}, {}
    for seat, each in zip("abcdefg", text.split(), strict=False):
        count, _, gone = each.partition("@")
        counts[seat], years[seat] = int(count), int(gone or year) - 1900
    return placed(counts, years, solo=solo, draw=draw)


def placed(
    counts: Mapping[str, int], years: Mapping[str, int], *, solo: str = "", draw: str = ""
) -> dict[str, Finish]:
    """Return the seats with the places of a result of Diplomacy: the winners first, then by
    centres.
    """
    sharers = "" if solo else draw or "".join(seat for seat, count in counts.items() if count)
    ranks = {
        seat: (seat in solo or seat in sharers, 0 if seat in sharers else count)
        for seat, count in counts.items()
    }
    return {
        seat: Finish(
            place=1 + sum(other > ranks[seat] for other in ranks.values()),
            score=count,
            centres=count,
            solo=seat == solo,
            drew=seat in sharers,
            out=not count,
            years=years[seat],
        )
        for seat, count in counts.items()
    }


SOLO = board("18 10 6 0@1906 0@1904 0@1904 0@1902", solo="a", year=1907)
TWO = board("16 15 3 0@1906 0@1906 0@1905 0@1903", draw="ab")  # c survives outside the draw
EQUAL = board("4 4 4 4 4 4 4")  # six centres are neutral
OUT = board("13 12 5 4 0@1905 0@1905 0@1903")
TIED = board("8 8 7 6 4 1 0@1905")  # the publishers' example for Carnage
ONE = board("34")
BOARDS = {"solo": SOLO, "two": TWO, "equal": EQUAL, "out": OUT, "tied": TIED, "one": ONE}

DRAW_SIZE: list[Row] = [
    [50, 50, 0, 0, 0, 0, 0],
    [F(100, 7)] * 7,
    [25, 25, 25, 25, 0, 0, 0],
    [F(100, 6)] * 6 + [0],
    [100],
]
C_DIPLO: list[Row] = [
    [1 + 16 + 38, 1 + 15 + 14, 1 + 3 + 7, 1, 1, 1, 1],
    [1 + 4 + F(38 + 14 + 7, 7)] * 7,
    [1 + 13 + 38, 1 + 12 + 14, 1 + 5 + 7, 1 + 4, 1, 1, 1],
    [1 + 8 + F(38 + 14, 2), 1 + 8 + F(38 + 14, 2), 1 + 7 + 7, 1 + 6, 1 + 4, 1 + 1, 1],
    [1 + 34 + 38],
]
# For each system the rows of solo, two, equal, out, tied, one.
WORKED: dict[str, list[Row]] = {
    "wins": [
        [1, 0, 0, 0, 0, 0, 0],
        [F(1, 2), F(1, 2), 0, 0, 0, 0, 0],
        [F(1, 7)] * 7,
        [F(1, 4)] * 4 + [0] * 3,
        [F(1, 6)] * 6 + [0],
        [1],
    ],
    "places": [
        [6, 5, 4, *[F(3 + 2 + 1 + 0, 4)] * 4],
        [F(6 + 5, 2), F(6 + 5, 2), 4, *[F(3 + 2 + 1 + 0, 4)] * 4],
        [F(6 + 5 + 4 + 3 + 2 + 1 + 0, 7)] * 7,
        [F(6 + 5 + 4 + 3, 4)] * 4 + [F(2 + 1 + 0, 3)] * 3,
        [F(6 + 5 + 4 + 3 + 2 + 1, 6)] * 6 + [0],
        [0],
    ],
    "own": [
        [18, 10, 6, 0, 0, 0, 0],
        [16, 15, 3, 0, 0, 0, 0],
        [4] * 7,
        [13, 12, 5, 4, 0, 0, 0],
        [8, 8, 7, 6, 4, 1, 0],
        [34],
    ],
    "draw-size": [[100, 0, 0, 0, 0, 0, 0], *DRAW_SIZE],
    "sum-of-squares": [
        [100, 0, 0, 0, 0, 0, 0],
        [F(100 * each, 256 + 225 + 9) for each in (256, 225, 9, 0, 0, 0, 0)],
        [F(100 * 16, 7 * 16)] * 7,
        [F(100 * each, 169 + 144 + 25 + 16) for each in (169, 144, 25, 16, 0, 0, 0)],
        [F(100 * each, 64 + 64 + 49 + 36 + 16 + 1) for each in (64, 64, 49, 36, 16, 1, 0)],
        [100],
    ],
    "survivors-win": [[F(100 * 18, 34), F(100 * 10, 34), F(100 * 6, 34), 0, 0, 0, 0], *DRAW_SIZE],
    "c-diplo": [[100, 0, 0, 0, 0, 0, 0], *C_DIPLO],
    "c-diplo-73": [[73, 0, 0, 0, 0, 0, 0], *C_DIPLO],
    "c-diplo-namur": [
        [85, 0, 0, 0, 0, 0, 0],
        [1 + 16 + 38 + 12, 1 + 15 + 14 + 12, 1 + 3 + 7 + 9, 1, 1, 1, 1],
        [1 + 4 + F(38 + 14 + 7, 7) + 10] * 7,
        [1 + 13 + 38 + 12, 1 + 12 + 14 + 12, 1 + 5 + 7 + 11, 1 + 4 + 10, 1, 1, 1],
        [
            1 + 8 + F(38 + 14, 2) + 12,
            1 + 8 + F(38 + 14, 2) + 12,
            1 + 7 + 7 + 12,
            1 + 6 + 12,
            1 + 4 + 10,
            1 + 1 + 4,
            1,
        ],
        [1 + 34 + 38 + 12],
    ],
    # P of 16: 256 + 64 + 16 = 336; of 15: 301; 13: 237; 12: 208; 8: 112; 7: 93; 6: 76; 5: 61; 4:
    # 48; 3: 37; 1: 21; 0: 16
    "manorcon": [
        [75, F(7, 10), F(7, 10), F(6, 10), F(4, 10), F(4, 10), F(2, 10)],
        [
            *[F(100 * p, 336 + 301 + 37 + 4 * 16) for p in (336, 301, 37)],
            F(6, 10),
            F(6, 10),
            F(5, 10),
            F(3, 10),
        ],
        [F(100 * 48, 7 * 48)] * 7,
        [
            *[F(100 * p, 237 + 208 + 61 + 48 + 3 * 16) for p in (237, 208, 61, 48)],
            F(5, 10),
            F(5, 10),
            F(3, 10),
        ],
        [
            *[F(100 * p, 2 * 112 + 93 + 76 + 48 + 21 + 16) for p in (112, 112, 93, 76, 48, 21)],
            F(5, 10),
        ],
        [100],
    ],
    "carnage": [
        [28034, 0, 0, 0, 0, 0, 0],
        [7000 + 16, 6000 + 15, 5000 + 3, F(4000 + 3000, 2), F(4000 + 3000, 2), 2000, 1000],
        [F(28000, 7) + 4] * 7,
        [7000 + 13, 6000 + 12, 5000 + 5, 4000 + 4, F(3000 + 2000, 2), F(3000 + 2000, 2), 1000],
        [6508, 6508, 5007, 4006, 3004, 2001, 1000],
        [7000 + 34],
    ],
    # two: 66 / 3 each, c and b pay 16 - 6; out: 66 / 4 each, three pay 13 - 6; tied: 66 / 6 each,
    # four pay 8 - 6
    "tribute": [
        [100, 0, 0, 0, 0, 0, 0],
        [16 + 22 + 2 * 10, 15 + 22 - 10, 3 + 22 - 10, 0, 0, 0, 0],
        [4 + F(66, 7)] * 7,
        [13 + F(66, 4) + 3 * 7, 12 + F(66, 4) - 7, 5 + F(66, 4) - 7, 4 + F(66, 4) - 7, 0, 0, 0],
        [
            8 + 11 + F(4 * 2, 2),
            8 + 11 + F(4 * 2, 2),
            7 + 11 - 2,
            6 + 11 - 2,
            4 + 11 - 2,
            1 + 11 - 2,
            0,
        ],
        [34 + 66],
    ],
    "half-tribute": [
        [100, 0, 0, 0, 0, 0, 0],
        [16 + 22 + 2 * 5, 15 + 22 - 5, 3 + 22 - 5, 0, 0, 0, 0],
        [4 + F(66, 7)] * 7,
        [
            13 + F(66, 4) + 3 * F(7, 2),
            12 + F(66, 4) - F(7, 2),
            5 + F(66, 4) - F(7, 2),
            4 + F(66, 4) - F(7, 2),
            0,
            0,
            0,
        ],
        [
            8 + 11 + F(4 * 1, 2),
            8 + 11 + F(4 * 1, 2),
            7 + 11 - 1,
            6 + 11 - 1,
            4 + 11 - 1,
            1 + 11 - 1,
            0,
        ],
        [34 + 66],
    ],
    # tied: 1 + 2 + 4 + 7 + 8 = 22 are paid, and each of two at the top gets 22 / 4
    "opentribute": [
        [340, 0, 0, 0, 0, 0, 0],
        [10 * 16, 34 + 4 * 15 - 16, 34 + 4 * 3 - 16, 0, 0, 0, 0],
        [34 + 3 * 4] * 7,
        [10 * 13, 34 + 4 * 12 - 13, 34 + 4 * 5 - 13, 34 + 4 * 4 - 13, 0, 0, 0],
        [
            34 + 3 * 8 + F(22, 4),
            34 + 3 * 8 + F(22, 4),
            34 + 4 * 7 - 8,
            34 + 4 * 6 - 8,
            34 + 4 * 4 - 8,
            34 + 4 * 1 - 8,
            0,
        ],
        [34 + 3 * 34],
    ],
    "detour09": [  # raw points: centres + survival + lead + place
        [110, F(6, 4), F(6, 4), F(5, 4), F(3, 4), F(3, 4), F(1, 4)],
        [
            *[F(100 * raw, 50) for raw in (16 + 2 + 1 + 4, 15 + 2 + 3, 3 + 2 + 2)],
            F(5, 4),
            F(5, 4),
            F(4, 4),
            F(2, 4),
        ],
        [F(100, 7)] * 7,
        [
            *[F(100 * raw, 53) for raw in (13 + 2 + 1 + 4, 12 + 2 + 3, 5 + 2 + 2, 4 + 2 + 1)],
            F(4, 4),
            F(4, 4),
            F(2, 4),
        ],
        [
            *[
                F(100 * raw, 55)
                for raw in (8 + 2 + 3, 8 + 2 + 3, 7 + 2 + 2, 6 + 2 + 1, 4 + 2, 1 + 2)
            ],
            F(4, 4),
        ],
        [100],
    ],
    "bangkok": [
        [41, F(10, 2), F(6, 2), 0, 0, 0, 0],
        [
            16 + 3 + F(12 * 3, 3 + 2),
            15 + 3 + F(12 * 2, 3 + 2),
            3 + 3,
            F(18, 10),
            F(18, 10),
            F(15, 10),
            F(9, 10),
        ],
        [4 + 3 + F(12, 7)] * 7,
        [
            13 + 3 + F(12 * 3, 3 + 2),
            12 + 3 + F(12 * 2, 3 + 2),
            5 + 3,
            4 + 3,
            F(15, 10),
            F(15, 10),
            F(9, 10),
        ],
        [
            *[8 + 3 + F(12 * 3, 9)] * 2,
            7 + 3 + F(12 * 2, 9),
            6 + 3 + F(12 * 1, 9),
            4 + 3,
            1 + 3,
            F(15, 10),
        ],
        [34 + 3 + 12],
    ],
    "dixie": [
        [270 + 4 * 18, 70 + 4 * 10, 50 + 4 * 6, 34, F(20 + 10, 2), F(20 + 10, 2), 0],
        [170 + 4 * 16, 170 + 4 * 15, 50 + 4 * 3, F(34 + 20, 2), F(34 + 20, 2), 10, 0],
        [F(454, 7) + 4 * 4] * 7,
        [106 + 4 * 13, 106 + 4 * 12, 106 + 4 * 5, 106 + 4 * 4, F(20 + 10, 2), F(20 + 10, 2), 0],
        [*[F(454, 6) + 4 * count for count in (8, 8, 7, 6, 4, 1)], 0],
        [270 + 4 * 34],
    ],
    "whipping": [
        [468, 7, 7, 6, 4, 4, 2],
        [160 + 20 + 32, 150 + 20, 30 + 20, 6, 6, 5, 3],
        [40 + F(60, 7)] * 7,
        [130 + 15 + 26, 120 + 15, 50 + 15, 40 + 15, 5, 5, 3],
        [80 + 10, 80 + 10, 70 + 10, 60 + 10, 40 + 10, 10 + 10, 5],
        [340 + 60 + 68],
    ],
    "world-classic": [
        [420, 6, 6, 5, 3, 3, 1],
        [160 + 30 + 48, 150 + 30, 30 + 30, 5, 5, 4, 2],
        [40 + 30 + F(48, 7)] * 7,
        [130 + 30 + 48, 120 + 30, 50 + 30, 40 + 30, 4, 4, 2],
        [80 + 30 + 24, 80 + 30 + 24, 70 + 30, 60 + 30, 40 + 30, 10 + 30, 4],
        [340 + 30 + 48],
    ],
}


def points(key: str, finishes: Mapping[str, Finish]) -> list[Fraction]:
    return [*score_match(find_system(key), finishes).values()]


@pytest.mark.parametrize(
    ("key", "name", "expected"),
    [
        (key, name, row)
        for key, rows in WORKED.items()
        for name, row in zip(BOARDS, rows, strict=True)
    ],
)
def test_a_case_worked_by_hand(key: str, name: str, expected: Row) -> None:
    assert points(key, BOARDS[name]) == [*expected]


def test_every_system_has_cases() -> None:
    assert [*WORKED] == [system.key for system in SYSTEMS]


# --- the publishers' examples, and the borders of single rules


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("c-diplo", "4 0 9 7 7 3 4", [5, 1, 48, F("18.5"), F("18.5"), 4, 5]),
        ("c-diplo", "5 9 4 5 3 1 7", [F("9.5"), 48, 5, F("9.5"), 4, 2, 22]),
        ("carnage", "14 7 6 4 3 0@1905 0@1903", [7014, 6007, 5006, 4004, 3003, 2000, 1000]),
        (
            "tribute",
            "0 0 13 4 4 12 1",
            [0, 0, F("54.2"), F("10.2"), F("10.2"), F("18.2"), F("7.2")],
        ),
    ],
)
def test_an_example_of_the_publisher(key: str, text: str, expected: Row) -> None:
    assert points(key, board(text)) == [*expected]


def test_manorcon_counts_seats_that_are_out_in_the_sum() -> None:
    scores = points("manorcon", board("12 10 8 4 0 0 0"))
    assert [round(float(score), 4) for score in scores[:4]] == [36.3636, 27.2727, 19.5804, 8.3916]


@pytest.mark.parametrize(
    ("text", "bonus"),
    [
        ("12 6 6 5 5 0 0", [12, 0, 0, 0, 0]),
        ("12 11 10 1 0 0 0", [6, 4, 2, 0]),
        ("12 12 11 0 0 0 0", [F("4.5"), F("4.5"), 3]),
    ],
)
def test_bangkok_divides_its_bonus_among_the_leaders(text: str, bonus: Row) -> None:
    finishes = board(text)
    scores = points("bangkok", finishes)
    assert [
        score - each.centres - 3
        for score, each in zip(scores, finishes.values(), strict=True)
        if not each.out
    ] == bonus


def test_tribute_takes_no_more_than_the_share_of_survival() -> None:
    assert points("tribute", board("17 6 4 3 2 1 1")) == [17 + 66, 6, 4, 3, 2, 1, 1]


def test_detour09_counts_eight_years_at_most_and_only_whole_ones() -> None:
    assert points("detour09", board("17 17 0@1915 0@1909 0@1908 0@1902 0@1901"))[2:] == [
        2,
        2,
        F(7, 4),
        F(1, 4),
        0,
    ]


def test_detour09_gives_no_lead_to_equal_seats_and_equal_seats_the_lower_place() -> None:
    assert points("detour09", board("17 17"))[:2] == [50, 50]
    assert points("detour09", board("10 8 8 8")) == [
        F(100 * raw, 10 + 24 + 8 + 2 + 4 + 3) for raw in (10 + 2 + 2 + 4, 8 + 2 + 1, 11, 11)
    ]


def test_a_survivor_outside_of_a_draw_gets_less_than_those_in_it() -> None:
    finishes = board("9 12 13", draw="ab")
    assert points("draw-size", finishes) == [50, 50, 0]
    assert points("dixie", finishes) == [170 + 36, 170 + 48, 50 + 52]


def test_without_any_centres_nobody_gets_points_for_them() -> None:
    none = {seat: Finish(1, 0, drew=True, years=1) for seat in "ab"}
    assert points("sum-of-squares", none) == [0, 0]
    assert points("draw-size", none) == [50, 50]


def test_two_solos_are_refused() -> None:
    with pytest.raises(ValueError, match="Only one seat can win alone, not 2"):
        score_match(find_system("wins"), {seat: Finish(1, 0, solo=True) for seat in "ab"})


def test_an_unknown_system_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        find_system("none")


# --- what holds for every match


@st.composite
def matches(draw: st.DrawFn) -> dict[str, Finish]:
    """A match of seven seats that own all centres, with a solo where somebody has eighteen."""
    cuts = sorted(draw(st.lists(st.integers(0, CENTRES), min_size=6, max_size=6)))
    counts = dict(
        zip(
            "abcdefg",
            (after - before for before, after in zip([0, *cuts], [*cuts, CENTRES], strict=True)),
            strict=True,
        )
    )
    end = draw(st.integers(1, 15))
    years = {seat: end if count else draw(st.integers(1, end)) for seat, count in counts.items()}
    holders = [seat for seat, count in counts.items() if count]
    solo = next((seat for seat in holders if counts[seat] >= VICTORY), "")
    return placed(counts, years, solo=solo, draw="".join(draw(st.sets(st.sampled_from(holders)))))


@PATIENT
@given(matches())
def test_nobody_has_less_than_nothing(finishes: dict[str, Finish]) -> None:
    assert [
        system.key for system in SYSTEMS if min(score_match(system, finishes).values()) < 0
    ] == []


@PATIENT
@given(matches())
def test_the_points_of_a_constant_system_have_its_sum(finishes: dict[str, Finish]) -> None:
    sums = {
        system.key: sum(score_match(system, finishes).values())
        for system in SYSTEMS
        if system.total
    }
    assert sums == {system.key: system.total for system in SYSTEMS if system.total}


@pytest.mark.parametrize(
    "system",
    [each for each in SYSTEMS if each.centres and not each.total],
    ids=lambda system: system.key,
)
def test_a_system_without_a_sum_has_none(system: ScoringSystem) -> None:
    assert (
        len({sum(score_match(system, finishes).values()) for finishes in (SOLO, TWO, OUT, TIED)})
        > 1
    )


@PATIENT
@given(matches(), matches())
def test_what_matches_give_is_possible(first: dict[str, Finish], second: dict[str, Finish]) -> None:
    for system in SYSTEMS:
        both = [list(score_match(system, finishes).values()) for finishes in (first, second)]
        if system.key != "own":
            assert is_possible(system, both[0], 1) and is_possible(
                system, list(map(sum, zip(*both, strict=True))), 2
            ), system.key


def test_what_no_match_gives_is_not_possible() -> None:
    for key, legs, given_points in (
        ("wins", 1, (10, 0)),
        ("wins", 1, (-3, 4)),
        ("wins", 1, (1, 1)),
        ("wins", 1, (5, 5)),
        ("wins", 1, (999999, 0)),
        ("wins", 1, (0, 0)),
        ("wins", 2, (1, 0)),
        ("wins", 2, (F(3, 2), 1)),
        ("places", 1, (3, 1, 0)),
        ("places", 1, (2, 2, 0)),
        ("draw-size", 1, (100, 1)),
        ("carnage", 1, (28035, 0)),
        ("whipping", 1, (-1, 0)),
        ("own", 1, (3, 2)),
    ):
        assert not is_possible(find_system(key), list(map(F, given_points)), legs), (
            key,
            legs,
            given_points,
        )


@PATIENT
@given(matches(), st.permutations("abcdefg"))
def test_the_order_of_the_seats_does_not_matter(
    finishes: dict[str, Finish], order: list[str]
) -> None:
    shuffled = {seat: finishes[seat] for seat in order}
    assert [
        system.key
        for system in SYSTEMS
        if score_match(system, shuffled) != score_match(system, finishes)
    ] == []


@PATIENT
@given(matches())
def test_equal_seats_get_equal_points(finishes: dict[str, Finish]) -> None:
    equal = [
        (one, other) for one in finishes for other in finishes if finishes[one] == finishes[other]
    ]
    for system in SYSTEMS:
        scores = score_match(system, finishes)
        assert [pair for pair in equal if scores[pair[0]] != scores[pair[1]]] == [], system.key


@PATIENT
@given(matches(), st.data())
def test_a_centre_taken_from_a_seat_that_survives_never_costs_points(
    finishes: dict[str, Finish], data: st.DataObject
) -> None:
    """Who eliminates a seat may lose its tribute, and a solo is counted otherwise."""
    counts = {seat: each.centres for seat, each in finishes.items()}
    taker = data.draw(st.sampled_from([seat for seat, count in counts.items() if count]))
    givers = [seat for seat, count in counts.items() if count > 1 and seat != taker]
    assume(
        givers and counts[taker] + 1 < VICTORY and not any(each.solo for each in finishes.values())
    )
    moved = {taker: 1, data.draw(st.sampled_from(givers)): -1}
    after = {
        seat: replace(each, centres=each.centres + moved.get(seat, 0))
        for seat, each in finishes.items()
    }
    fitting = [system for system in SYSTEMS if system.centres]
    assert [
        each.key
        for each in fitting
        if score_match(each, after)[taker] < score_match(each, finishes)[taker]
    ] == []


def test_the_usual_points_for_sitting_out_follow_from_the_system_and_the_tables() -> None:
    for key, seats, legs, usual in (
        ("wins", 2, 1, F(1)),
        ("wins", 2, 2, F(2)),
        ("wins", 3, 1, F(1, 3)),
        ("places", 2, 1, F(1)),
        ("places", 3, 1, F(1)),
        ("own", 2, 1, F(0)),
        ("own", 4, 2, F(0)),
        ("draw-size", 7, 1, F(100, 7)),
        ("sum-of-squares", 2, 1, F(100)),
        ("dixie", 7, 1, F(454, 7) + 16),
    ):
        assert usual_bye(find_system(key), seats, legs=legs) == usual, (key, seats)


# --- the list


def test_systems_of_supply_centres_fit_only_games_that_have_them() -> None:
    fitting = {
        game.about.key: [system.key for system in list_systems(game.about)]
        for game in catalogue.every_game()
    }
    assert fitting["diplomacy"] == fitting["rsp-diplomacy"] == [system.key for system in SYSTEMS]
    assert fitting["pyramid"] == ["wins", "places", "own"]


def test_every_system_of_supply_centres_names_its_source() -> None:
    assert [
        system.key for system in SYSTEMS if system.source.startswith("http") != system.centres
    ] == []


def test_the_page_lists_every_system_as_it_is() -> None:
    page = (Path(__file__).parents[2] / "docs" / "scoring.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| ") and "`" in line]
    sources = {
        system.key: f"[published]({system.source})" if system.source else "plain"
        for system in SYSTEMS
    }
    assert rows == [
        f"| {each.name} (`{each.key}`) | {each.summary} | {each.formula} | {sources[each.key]} |"
        for each in SYSTEMS
    ]
