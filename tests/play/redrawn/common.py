"""What all formats share: the shuffle, the earlier rounds, tables, seats and exchanges."""

import hmac
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

# tables in seat order, who sits out, `order` and `turn`
Drawn = tuple[list[tuple[int, ...]], list[int], list[int | None], int]
Shuffle = Callable[[str, Sequence[int]], list[int]]


def shuffler(tournament: str, number: int, element: bytes) -> Shuffle:
    """Return what shuffles by the element of a round."""

    def words(label: str) -> Iterable[int]:
        for block in range(1_000_000):
            bound = {
                "beacon": None,
                "block": block,
                "clients": None,
                "label": label,
                "match": tournament,
                "phase": number,
                "stream": "public",
            }
            text = json.dumps(bound, separators=(",", ":"), ensure_ascii=False).encode()
            digest = hmac.digest(element, b"sealed/1/dice\n" + text, "sha256")
            yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))

    def shuffle(label: str, items: Sequence[int]) -> list[int]:
        found, drawn = list(items), iter(words(label))
        for last in range(len(found) - 1, 0, -1):
            limit = 2**32 - 2**32 % (last + 1)
            other = next(word for word in drawn if word < limit) % (last + 1)
            found[last], found[other] = found[other], found[last]
        return found

    return shuffle


class Past:
    """The earlier rounds: tables with points, and who sat out."""

    def __init__(self, rounds: Sequence[Mapping[str, Any]], bye: Fraction = Fraction()) -> None:
        self.rounds, self.met = rounds, Counter[frozenset[int]]()
        self.seats: dict[int, list[int]] = {}
        self.points: Counter[int] = Counter()
        for played in rounds:
            for each in played["sitting_out"]:
                self.points[each] += bye  # type: ignore[assignment]
            for table, points in zip(played["tables"], played["points"], strict=True):
                self.met.update(frozenset(pair) for pair in combinations(table, 2))
                for seat, each in enumerate(table):
                    self.seats.setdefault(each, []).append(seat)
                    self.points[each] += points[seat]

    def missed(self, each: int) -> int:
        return len(self.rounds) - len(self.seats.get(each, []))

    def times_met(self, one: int, other: int) -> int:
        return self.met[frozenset((one, other))]


def sizes_of(count: int, sizes: Sequence[int]) -> list[int]:
    ways: set[tuple[int, ...]] = {()}
    reached: set[tuple[int, ...]] = {()}
    while reached:
        reached = {
            tuple(sorted((*way, size)))
            for way in reached
            for size in sizes
            if sum(way) + size <= count
        }
        ways |= reached
    best = min(ways, key=lambda way: (-sum(way), len(way), sum(size * size for size in way), way))
    return sorted(best, reverse=True)


def seated(table: Sequence[int], past: Past) -> tuple[int, ...]:
    def cost(each: int, seat: int) -> int:
        seats = past.seats.get(each, [])
        return (
            16 * seats.count(seat)
            + (seats[-1:] == [seat])
            + 1_000_000 * (seats[-2:] == [seat, seat])
        )

    def total(ways: tuple[int, ...]) -> int:
        return sum(map(cost, table, ways))

    best = min(permutations(range(len(table))), key=lambda ways: (total(ways), ways))
    return tuple(each for _, each in sorted(zip(best, table, strict=True)))


def cut(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    rest = iter(order)
    return [[next(rest) for _ in range(size)] for size in sizes]


Cost = Callable[[int, int], tuple[Fraction | int, ...]]


def exchanged(tables: list[list[int]], cost: Cost) -> list[list[int]]:
    walk = [each for table in tables for each in table]
    at = {each: table for table in tables for each in table}
    nothing = tuple(0 for _ in cost(walk[0], walk[0])) if walk else ()

    def with_table(each: int, table: list[int], without: int) -> tuple[Fraction | int, ...]:
        sums = [cost(each, other) for other in table if other not in (each, without)]
        return tuple(map(sum, zip(nothing, *sums, strict=True)))

    def change(one: int, other: int) -> tuple[Fraction | int, ...]:
        mine, theirs = at[one], at[other]
        parts = (
            with_table(one, theirs, other),
            with_table(other, mine, one),
            with_table(one, mine, one),
            with_table(other, theirs, other),
        )
        return tuple(a + b - c - d for a, b, c, d in zip(*parts, strict=True))

    def improved(one: int) -> bool:
        if with_table(one, at[one], one) == nothing:
            return False
        others = [other for other in walk if at[other] is not at[one]]
        changes = [change(one, other) for other in others]
        if not changes or min(changes) >= nothing:
            return False
        other = others[changes.index(min(changes))]
        mine, theirs = at[one], at[other]
        mine[mine.index(one)], theirs[theirs.index(other)] = other, one
        at[one], at[other] = theirs, mine
        return True

    again = True
    while again:
        again = False
        for one in walk:
            while improved(one):
                again = True
    return tables


def idle(entrants: Sequence[int], tables: Iterable[Sequence[int]]) -> list[int]:
    at_tables = {each for table in tables for each in table}
    return [each for each in entrants if each not in at_tables]


def lots_of(entrants: Sequence[int], past: Past, draw: Shuffle, part: str = "") -> list[int]:
    return draw(f"{part}order of round {len(past.rounds) + 1}", entrants)
