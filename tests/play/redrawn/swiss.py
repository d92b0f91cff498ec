"""Swiss rounds."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests.play.redrawn.common import (
    Drawn,
    Past,
    Shuffle,
    cut,
    exchanged,
    idle,
    lots_of,
    seated,
    sizes_of,
)

PAGE = Path(__file__).parents[3] / "docs" / "pairing.md"


def swiss(policies: Mapping[str, Any], entrants: Sequence[int], past: Past, draw: Shuffle) -> Drawn:
    ranked = sorted(lots_of(entrants, past, draw), key=lambda each: -past.points[each])
    sizes = sizes_of(len(entrants), policies["sizes"])
    lowest = ranked[::-1]
    out = set(sorted(lowest, key=past.missed)[: len(ranked) - sum(sizes)])
    playing = [each for each in ranked if each not in out]
    of_two, numbers = set(sizes) == {2}, range(len(playing))
    seats = [past.seats.get(each, []) for each in playing]
    due, lead = [_due(each) for each in seats], [each.count(0) - each.count(1) for each in seats]

    def cost(one: int, other: int) -> tuple[Fraction | int, ...]:
        apart = Fraction(past.points[playing[one]] - past.points[playing[other]])
        met = past.times_met(playing[one], playing[other]) ** 2
        both_due = of_two and due[one] is not None and due[one] == due[other]
        return met, int(both_due), apart**2, int(of_two and lead[one] * lead[other] > 0)

    if of_two:
        near = [
            [
                other
                for other in sorted(numbers, key=lambda each: (abs(each - one), each))
                if other != one and not past.times_met(playing[one], playing[other])
            ]
            for one in numbers
        ]
        fair = [
            [other for other in near[one] if due[one] is None or due[one] != due[other]]
            for one in numbers
        ]
        begin = _pairs(near, fair)
    else:
        begin = cut(numbers, sizes)
    found = sorted(map(sorted, exchanged(begin, cost)))
    tables = [seated([playing[number] for number in table], past) for table in found]
    return tables, idle(entrants, tables), [], 0


def _due(seats: Sequence[int]) -> int | None:
    if len(seats) > 1 and seats[-1] == seats[-2]:
        return 1 - seats[-1]
    lead = seats.count(0) - seats.count(1)
    return None if abs(lead) < 2 else 1 if lead > 0 else 0


def _pairs(near: list[list[int]], fair: list[list[int]]) -> list[list[int]]:
    listing = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert listing is not None
    program: dict[str, Any] = {}
    exec(listing[1], program)  # noqa: S102 the page's own listing
    mates: list[int | None] = [None] * len(near)
    for one in range(len(near)):
        other = next((each for each in fair[one] if mates[each] is None), None)
        if mates[one] is None and other is not None:
            mates[one], mates[other] = other, one
    program["enlarge"](fair, mates)
    if None in mates:
        program["enlarge"](near, mates)
    left = [one for one, other in enumerate(mates) if other is None]
    pairs = [[one, other] for one, other in enumerate(mates) if other is not None and one < other]
    return pairs + cut(left, [2] * (len(left) // 2))
