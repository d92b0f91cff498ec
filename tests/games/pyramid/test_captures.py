"""Every combination of pieces against a second implementation, made only from the table and the
chart of the rules.
"""

from itertools import permutations, product

import pytest

from adjudicator.games.pyramid.pieces import (
    RED_STACK,
    STACKS,
    Capture,
    all_captures,
    captures_by,
    find_pattern,
    find_taker,
)
from adjudicator.games.pyramid.state import open_round

# The table of the rules: X would capture Y by colour; a row against a column.
TABLE = """
    X3 X2 X1 Y3 Y2 Y1
X3  N  >  <  >  >  N
X2  <  N  >  N  >  >
X1  >  <  N  >  N  >
"""
BETTER_COLOUR = {"W": "B", "C": "W", "B": "C"}  # whose colour captures this one


def by_table(row: str, column: str) -> str:
    """Look up `row` against `column` in the table: `>` row captures, `<` row is captured, `N`
    neutral.
    """
    lines = TABLE.strip().splitlines()
    heads = lines[0].split()
    cells = {
        (line.split()[0], head): cell
        for line in lines[1:]
        for head, cell in zip(heads, line.split()[1:], strict=True)
    }
    if row[0] == column[0]:
        return cells["X" + row[1], "X" + column[1]]
    if row[0] == "R" or BETTER_COLOUR.get(column[0]) == row[0]:
        return cells["X" + row[1], "Y" + column[1]]
    return {">": "<", "<": ">", "N": "N"}[cells["X" + column[1], "Y" + row[1]]]


def by_chart(beats: set[tuple[str, str]]) -> tuple[str, str | None]:
    """Return the pattern and the taker of the one sentence of the rules' chart that fits who
    captures whom.
    """
    fits: set[tuple[str, str | None]] = set()
    for a, b, c in permutations("123"):
        neutral_ac = (a, c) not in beats and (c, a) not in beats
        if {(a, b), (a, c)} <= beats:
            fits.add(("full sweep", a))
        if {(a, b), (b, c)} <= beats and neutral_ac:
            fits.add(("line sweep", a))
        if beats == {(a, b)}:
            fits.add(("solo", a))
        if {(a, b), (c, b)} <= beats and neutral_ac:
            fits.add(("wishbone", None))
        if {(a, b), (b, c), (c, a)} <= beats:
            fits.add(("standoff", None))
    if not beats:
        fits.add(("washout", None))
    assert len(fits) == 1
    return fits.pop()


@pytest.mark.parametrize("mine", STACKS + RED_STACK)
def test_two_pieces_capture_as_the_table_says(mine: str) -> None:
    for other in STACKS + RED_STACK:
        says = by_table(mine, other)
        assert bool(captures_by(mine, other)) == (says == ">")
        assert bool(captures_by(other, mine)) == (says == "<")


def test_the_reason_of_a_capture_is_what_speaks_for_it() -> None:
    assert captures_by("B3", "W2") == "colour and size"
    assert captures_by("B3", "W3") == "colour"
    assert captures_by("B3", "B2") == "size"
    assert captures_by("B3", "W1") is None


@pytest.mark.parametrize("results", list(product("><N", repeat=3)), ids="".join)
def test_each_of_the_27_combinations_of_results_falls_in_one_pattern(
    results: tuple[str, ...],
) -> None:
    beats = set()
    for (one, other), result in zip((("1", "2"), ("2", "3"), ("1", "3")), results, strict=True):
        if result != "N":
            beats.add((one, other) if result == ">" else (other, one))
    captures = tuple(Capture(by, of, "size") for by, of in sorted(beats))
    assert (find_pattern(captures), find_taker(captures)) == by_chart(beats)


def _occurring(pieces: tuple[str, ...]) -> set[tuple[str, str, str]]:
    return {
        (by_table(a, b), by_table(b, c), by_table(a, c)) for a, b, c in product(pieces, repeat=3)
    }


def test_without_red_21_of_the_27_combinations_occur_and_none_is_a_solo() -> None:
    found = {
        tuple(_result(all_captures(dict(zip("123", three, strict=True)))))
        for three in product(STACKS, repeat=3)
    }
    assert len(found) == len(_occurring(STACKS)) == 21
    assert not any(
        open_round(1, dict(zip("123", three, strict=True))).pattern == "solo"
        for three in product(STACKS, repeat=3)
    )
    assert len(_occurring(STACKS + RED_STACK)) == 27


def _result(captures: tuple[Capture, ...]) -> list[str]:
    pairs = {(capture.by, capture.of) for capture in captures}
    return [
        ">" if pair in pairs else "<" if pair[::-1] in pairs else "N"
        for pair in (("1", "2"), ("2", "3"), ("1", "3"))
    ]


@pytest.mark.parametrize("first", STACKS + RED_STACK)
def test_all_rounds_that_can_be_shown_are_decided_as_the_rules_say(first: str) -> None:
    for second, third in product(STACKS + RED_STACK, repeat=2):
        picks = dict(zip("123", (first, second, third), strict=True))
        beats = {(a, b) for a, b in permutations("123", 2) if by_table(picks[a], picks[b]) == ">"}
        opened = open_round(1, picks)
        assert (opened.pattern, opened.taker) == by_chart(beats), picks
        captured = [piece for seat, piece in picks.items() if any(of == seat for _, of in beats)]
        assert list(opened.taken) == (captured if opened.taker else []), picks
