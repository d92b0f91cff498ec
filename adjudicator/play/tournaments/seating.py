"""Seats at a table, so that everybody plays each seat equally often."""

from collections.abc import Mapping, Sequence

from adjudicator.play.tournaments.records import Entrant, Table

_THIRD = 1_000_000  # the cost of a third round in a row on one seat


def due_seat(seats: Sequence[int]) -> int | None:
    """Return the seat of two that an entrant must get after `seats`, if any: the other one after
    the same twice, or two more often.
    """
    if len(seats) > 1 and seats[-1] == seats[-2]:
        return 1 - seats[-1]
    lead = seats.count(0) - seats.count(1)
    return None if abs(lead) < 2 else int(lead > 0)


def seat_table(table: Sequence[Entrant], seats: Mapping[Entrant, Sequence[int]]) -> Table:
    """Return the entrants of a table in seat order; `seats` says which seat each has played so far.

    If possible nobody gets a seat for the third time in a row. Then the sum is least of how often
    each has played the seat that comes now; then few get the seat of the round before. Equal
    assignments: the earlier in `table` get the earlier seats.
    """
    costs = [
        [_cost(seats.get(entrant, ()), seat) for seat in range(len(table))] for entrant in table
    ]
    by_seat = dict(zip(assign_columns(costs), table, strict=True))
    return tuple(by_seat[seat] for seat in range(len(table)))


def _cost(seats: Sequence[int], seat: int) -> int:
    again = len(seats) > 0 and seats[-1] == seat
    third = again and len(seats) > 1 and seats[-2] == seat
    return third * _THIRD + 16 * seats.count(seat) + again


def assign_columns(costs: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return a column for each row of a square of costs, each column once, with the least sum; of
    equal ones the first in order.

    The time doubles with each row, so the square has ten rows at most.
    """
    size = len(costs)
    # the columns taken, as bits: the sum, the columns in row order
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for row in costs:
        longer: dict[int, tuple[int, tuple[int, ...]]] = {}
        for taken, (total, columns) in best.items():
            for column in range(size):
                if not taken >> column & 1:
                    way = total + row[column], (*columns, column)
                    key = taken | 1 << column
                    longer[key] = min(way, longer.get(key, way))
        best = longer
    return best[(1 << size) - 1][1]
