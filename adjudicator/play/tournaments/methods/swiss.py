"""Swiss rounds: those with equal points meet, nobody twice, with seats in turn."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import lcm

from adjudicator.play.tournaments.formats import Swiss, table_sizes
from adjudicator.play.tournaments.methods.exchanges import improve_tables
from adjudicator.play.tournaments.methods.matching import FREE, match_most
from adjudicator.play.tournaments.methods.mixer import cut_tables
from adjudicator.play.tournaments.past import (
    count_meetings,
    count_missed,
    list_idle,
    list_seats,
    sum_points,
)
from adjudicator.play.tournaments.records import Entrant, History, Lots, Round
from adjudicator.play.tournaments.seating import due_seat, seat_table


def pair_swiss(
    format_: Swiss, entrants: Sequence[Entrant], history: History, lots: Lots
) -> Round | None:
    """Return the next round, or None after the last one.

    1. Those sit out who have missed the fewest rounds; of them, those with the fewest points; of
       them, the last by lot.
    2. At tables of two, nobody meets twice while that is possible for those who play; that it is
       for the first n/2 rounds of n players is Dirac's theorem. If it can be had as well, nobody
       gets a seat for the third time in a row, nor one had twice more often than the other.
    3. At larger tables, no exchange of two entrants lowers the sum of the squares of how often two
       at one table met before.
    4. Within that, no exchange of two entrants lowers the sum of the squared differences of points
       of all two at one table.
    5. Within that, few at tables of two have had the same seat oftener; `seating.seat_table` gives
       out the seats.
    """
    if len(history) >= format_.rounds:
        return None
    sizes = table_sizes(len(entrants), format_.sizes)
    totals = sum_points(entrants, history, sitting_out=format_.sitting_out)
    missed, seats, of_two = count_missed(entrants, history), list_seats(history), set(sizes) == {2}
    # stable: equal points stay in the order of the lots
    ranked = sorted(lots(), key=lambda entrant: -totals[entrant])
    first_out = sorted(range(len(ranked)), key=lambda number: (missed[ranked[number]], -number))
    out = set(first_out[: len(ranked) - sum(sizes)])
    playing = [entrant for number, entrant in enumerate(ranked) if number not in out]
    field = _Field(playing, totals, history)
    begin = field.first_pairs() if of_two else cut_tables(range(len(playing)), sizes)
    found = improve_tables(begin, field.costs(of_two=of_two))
    tables = tuple(
        seat_table([playing[number] for number in sorted(table)], seats)
        for table in sorted(found, key=min)
    )
    return Round(tables, list_idle(entrants, tables))


class _Field:
    """Those who play a round, numbered from 0 for the best, and what pairing asks about them."""

    def __init__(
        self, ranked: Sequence[Entrant], totals: Mapping[Entrant, Fraction], history: History
    ) -> None:
        number_of = {entrant: number for number, entrant in enumerate(ranked)}
        seats = list_seats(history)
        played = [seats.get(entrant, ()) for entrant in ranked]
        scale = lcm(*(totals[entrant].denominator for entrant in ranked))
        self.numbers = range(len(ranked))
        self.points = [int(totals[entrant] * scale) for entrant in ranked]
        self.due = [due_seat(mine) for mine in played]
        self.lead = [mine.count(0) - mine.count(1) for mine in played]
        self.met: list[dict[int, int]] = [{} for _ in ranked]
        for pair, times in count_meetings(history).items():
            one, other = (number_of.get(entrant, FREE) for entrant in pair)
            if FREE not in (one, other):
                self.met[one][other] = self.met[other][one] = times

    def first_pairs(self) -> list[list[int]]:
        """Return pairs that keep the promise of tables of two, and are near each other in rank as
        far as one look finds it.
        """
        near = [sorted(self.numbers, key=partial(_distance, one)) for one in self.numbers]
        new = [
            [other for other in near[one][1:] if other not in self.met[one]] for one in self.numbers
        ]
        fair = [
            [other for other in new[one] if not self._both_due(one, other)] for one in self.numbers
        ]
        mates = match_most(fair, _pair_greedily(fair))
        if FREE in mates:
            mates = match_most(new, mates)
        left = [number for number in self.numbers if mates[number] == FREE]
        return [[one, other] for one, other in enumerate(mates) if one < other] + cut_tables(
            left, [2] * (len(left) // 2)
        )

    def _both_due(self, one: int, other: int) -> bool:
        return self.due[one] is not None and self.due[one] == self.due[other]

    def costs(self, *, of_two: bool) -> list[list[int]]:
        """Return the cost of each two at one table; what comes first outweighs all else at all
        tables.
        """
        tables_at_most = len(self.numbers) ** 2  # more than there are pairs at tables
        by_points = tables_at_most + 1
        by_seat = (
            tables_at_most
            * by_points
            * ((max(self.points, default=0) - min(self.points, default=0)) ** 2 + 1)
        )
        by_meeting = tables_at_most * by_seat

        def cost(one: int, other: int) -> int:
            total = (
                self.met[one].get(other, 0) ** 2 * by_meeting
                + (self.points[one] - self.points[other]) ** 2 * by_points
            )
            if of_two and one != other:
                total += self._both_due(one, other) * by_seat + (
                    self.lead[one] * self.lead[other] > 0
                )
            return total

        return [[cost(one, other) for other in self.numbers] for one in self.numbers]


def _distance(one: int, other: int) -> int:
    return abs(one - other)


def _pair_greedily(neighbours: Sequence[Sequence[int]]) -> list[int]:
    mates = [FREE] * len(neighbours)
    for one, near in enumerate(neighbours):
        if mates[one] == FREE:
            other = next((other for other in near if mates[other] == FREE), FREE)
            mates[one] = other
            if other != FREE:
                mates[other] = one
    return mates
