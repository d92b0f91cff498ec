"""Rounds planned together, so that all meet as evenly as possible: a search by exchanges with a
fixed number of steps.
"""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import combinations

Counts = Sequence[Sequence[int]]  # a symmetric square: how often two have met
Tables = list[list[int]]

STEPS, MOST_STEPS = 100, 60_000  # for each seat of each planned round, and of one search
# for equal parts of the steps: by how much an exchange may make the plan worse
THRESHOLDS = (16, 12, 9, 6, 4, 2, 1, 0)
NEVER = 15  # what it costs that two never meet, beside the square of how often two meet
_BITS = (1 << 64) - 1


class Dice:
    """Numbers that a text fixes: SplitMix64, begun with the first eight bytes of the text's
    SHA-256, the most significant first.
    """

    def __init__(self, text: str) -> None:
        self._state = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")

    def below(self, number: int) -> int:
        """Return the next number modulo another one."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _BITS
        mixed = ((self._state ^ (self._state >> 30)) * 0xBF58476D1CE4E5B9) & _BITS
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _BITS
        return (mixed ^ (mixed >> 31)) % number


def plan_rounds(begin: Sequence[Tables], met: Counts, dice: Dice) -> list[Tables]:
    """Exchange two of different tables of one round, step by step, and return the best plan;
    entrants are indices into `met`.

    The best plan has the least sum, over all pairs, of the square of how often both have met after
    its last round, and of NEVER where they have not. Each step draws a round, then two places of
    it. What makes the sum smaller, or larger by the threshold at most, is done. Of equal plans the
    first one stays. At last everything is done that makes the sum smaller, round by round, pair by
    pair, until nothing does.
    """
    search = _Plan(begin, met)
    best, least, change = search.copy(), 0, 0
    steps = min(STEPS * sum(map(len, search.seats)), MOST_STEPS)
    for step in range(steps):
        seats = search.seats[dice.below(len(search.seats))]
        one, other = seats[dice.below(len(seats))], seats[dice.below(len(seats))]
        more = search.cost_of(one, other)
        if more is not None and more <= THRESHOLDS[step * len(THRESHOLDS) // steps]:
            search.exchange(one, other)
            change += more
            if change < least:
                best, least = search.copy(), change
    found = _Plan(best, met)
    while sum(found.improve(one, other) for one, other in found.list_pairs()):
        pass
    return found.rounds


def _more(met: int) -> int:
    """Return what it adds to the sum that two meet once more."""
    return 2 * met + 1 if met else 1 - NEVER


Place = tuple[int, int, int]  # a round, a table of it and a seat there


class _Plan:
    def __init__(self, rounds: Sequence[Tables], met: Counts) -> None:
        self.rounds = [[list(table) for table in tables] for tables in rounds]
        self.met = [list(row) for row in met]
        for tables in self.rounds:
            for table in tables:
                for one, other in combinations(table, 2):
                    self._add(one, other, 1)
        self.seats: list[list[Place]] = [
            [
                (turn, number, seat)
                for number, table in enumerate(tables)
                for seat in range(len(table))
            ]
            for turn, tables in enumerate(self.rounds)
        ]

    def copy(self) -> list[Tables]:
        return [[list(table) for table in tables] for tables in self.rounds]

    def list_pairs(self) -> Iterator[tuple[Place, Place]]:
        return (pair for seats in self.seats for pair in combinations(seats, 2))

    def improve(self, one: Place, other: Place) -> bool:
        """Make an exchange if the sum becomes smaller by it; return whether it did."""
        more = self.cost_of(one, other)
        if more is None or more >= 0:
            return False
        self.exchange(one, other)
        return True

    def cost_of(self, one: Place, other: Place) -> int | None:
        """Return what an exchange adds to the sum, None for two at one table."""
        if one[1] == other[1]:
            return None
        here, there = self.rounds[one[0]][one[1]], self.rounds[other[0]][other[1]]
        mine, theirs = self.met[here[one[2]]], self.met[there[other[2]]]
        who, whom = here[one[2]], there[other[2]]
        more = sum(_more(theirs[mate]) - _more(mine[mate] - 1) for mate in here if mate != who)
        return more + sum(
            _more(mine[mate]) - _more(theirs[mate] - 1) for mate in there if mate != whom
        )

    def exchange(self, one: Place, other: Place) -> None:
        here, there = self.rounds[one[0]][one[1]], self.rounds[other[0]][other[1]]
        who, whom = here[one[2]], there[other[2]]
        for table, leaves, comes in ((here, who, whom), (there, whom, who)):
            for mate in table:
                if mate != leaves:
                    self._add(leaves, mate, -1)
                    self._add(comes, mate, 1)
        here[one[2]], there[other[2]] = whom, who

    def _add(self, one: int, other: int, number: int) -> None:
        self.met[one][other] += number
        self.met[other][one] += number
