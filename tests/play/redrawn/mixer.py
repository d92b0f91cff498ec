"""Rounds of a mixer: of a grid, planned or searched."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import gcd
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

_FIELDS = {4: 7, 8: 11, 16: 19, 32: 37, 64: 67, 128: 131}
_THRESHOLDS = (16, 12, 9, 6, 4, 2, 1, 0)


def mixer(
    policies: Mapping[str, Any], entrants: Sequence[int], past: Past, draw: Shuffle, part: str = ""
) -> Drawn:
    sizes, turn = sizes_of(len(entrants), policies["sizes"]), len(past.rounds)
    if sum(sizes) == len(entrants) and len(set(sizes)) == 1:
        order = list(past.rounds[0]["order"]) if turn else None
        kept = order is None or (
            set(order) == set(entrants) and all(each["order"] == order for each in past.rounds)
        )
        if kept and _grid(entrants, sizes[0], turn) is not None:
            order = lots_of(entrants, past, draw, part) if order is None else order
            found = [seated(table, past) for table in _grid(order, sizes[0], turn) or []]
            return found, [], list(order), turn
    lots = lots_of(entrants, past, draw, part)
    ahead = min(policies["rounds"] - turn, 12) if len(entrants) <= 60 else 0
    drawn = _planned(lots, sizes, ahead, past) if ahead else _searched(lots, sizes, past)
    tables = [seated(table, past) for table in drawn]
    return tables, idle(entrants, tables), [], 0


def _grid(order: Sequence[int], size: int, turn: int) -> list[list[int]] | None:
    columns = len(order) // size
    if columns == 1:
        return [list(order)] if turn == 0 else None
    prime = all(columns % factor for factor in range(2, size))
    if len(order) % size or columns < size or not (prime or columns in _FIELDS):
        return None
    rows = [order[begin : begin + columns] for begin in range(0, len(order), columns)]
    if turn < columns:
        return [
            [row[_column(column, number, turn, columns)] for number, row in enumerate(rows)]
            for column in range(columns)
        ]
    parts = [_grid(row, size, turn - columns) for row in rows]
    return [table for each in parts for table in each] if all(parts) else None  # type: ignore[union-attr]


def _column(column: int, row: int, turn: int, columns: int) -> int:
    if columns not in _FIELDS:
        return (column + row * turn) % columns
    product = 0
    for bit in reversed(range(row.bit_length())):
        product <<= 1
        if product & columns:
            product ^= _FIELDS[columns]
        if row >> bit & 1:
            product ^= turn
    return column ^ product


def _planned(lots: Sequence[int], sizes: Sequence[int], rounds: int, past: Past) -> list[list[int]]:
    missed = {each: past.missed(each) for each in lots}
    plan = []
    for _ in range(rounds):
        ranked = sorted(lots, key=lambda each: -missed[each])
        plan.append(cut(ranked, sizes))
        for each in ranked[sum(sizes) :]:
            missed[each] += 1
    met = Counter(past.met)
    for tables in plan:
        for table in tables:
            met.update(frozenset(pair) for pair in combinations(table, 2))
    places = [(at, seat) for at, size in enumerate(sizes) for seat in range(size)]
    draws = _splitmix(" ".join(map(str, lots)))

    def cost(times: int) -> int:
        return times**2 if times else 15

    def exchange(number: int, one: tuple[int, int], other: tuple[int, int]) -> int:
        """Exchange two places of a round; return by how much the plan costs more."""
        here, there = plan[number][one[0]], plan[number][other[0]]
        who, whom, more = here[one[1]], there[other[1]], 0
        for table, leaves, comes in ((here, who, whom), (there, whom, who)):
            for mate in table:
                for each, by in ((leaves, -1), (comes, 1)) if mate != leaves else ():
                    pair = frozenset((each, mate))
                    more += cost(met[pair] + by) - cost(met[pair])
                    met[pair] += by
        here[one[1]], there[other[1]] = whom, who
        return more

    best, least, total = [[list(each) for each in tables] for tables in plan], 0, 0
    steps = min(100 * len(plan) * len(places), 60_000)
    for step in range(steps):
        number, first, second = (next(draws) % size for size in (rounds, *[len(places)] * 2))
        one, other = places[first], places[second]
        if one[0] == other[0]:
            continue
        more = exchange(number, one, other)
        if more > _THRESHOLDS[step * 8 // steps]:
            exchange(number, one, other)
            continue
        total += more
        if total < least:
            best, least = [[list(each) for each in tables] for tables in plan], total
    plan[:] = best
    met = Counter(past.met)
    for tables in plan:
        for table in tables:
            met.update(frozenset(pair) for pair in combinations(table, 2))
    again = True
    while again:
        again = False
        for number in range(rounds):
            for one, other in combinations(places, 2):
                if one[0] != other[0]:
                    if exchange(number, one, other) < 0:
                        again = True
                    else:
                        exchange(number, one, other)
    return plan[0]


def _splitmix(text: str) -> Iterator[int]:
    state, bits = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big"), 2**64 - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & bits
        mixed = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & bits
        mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & bits
        yield mixed ^ mixed >> 31


def _searched(lots: Sequence[int], sizes: Sequence[int], past: Past) -> list[list[int]]:
    playing = sorted(lots, key=lambda each: -past.missed(each))[: sum(sizes)]

    def cost(one: int, other: int) -> tuple[int]:
        return (past.times_met(one, other) ** 2,)

    def total(tables: Sequence[Sequence[int]]) -> int:
        return sum(cost(*pair)[0] for table in tables for pair in combinations(table, 2))

    count = len(playing)
    steps = [step for step in range(1, count) if gcd(step, count) == 1]
    orders = [(begin, step) for begin in range(count) for step in steps][: 1 + 2000 // count]
    best: list[list[int]] | None = None
    for begin, step in orders:
        order = [playing[(begin + place * step) % count] for place in range(count)]
        found = exchanged(cut(order, sizes), cost)
        if best is None or total(found) < total(best):
            best = found
        if total(best) == 0:
            break
    return best or []
