"""Round robins at tables of two by the circle method; after late entries, by matching those who
have not met.
"""

from collections.abc import Sequence
from itertools import combinations

from adjudicator.play.tournaments.formats import RoundRobin, turns_of_circle
from adjudicator.play.tournaments.methods.matching import FREE, match_most
from adjudicator.play.tournaments.past import (
    Pair,
    count_meetings,
    count_missed,
    list_idle,
    list_seats,
)
from adjudicator.play.tournaments.records import Entrant, History, Lots, Round, Table
from adjudicator.play.tournaments.seating import seat_table


def circle_tables(order: Sequence[Entrant], turn: int) -> tuple[Table, ...]:
    """Return the tables of a turn of the circle method, in seat order.

    Each cycle of `turns_of_circle` turns has everybody meet everybody once; with an odd number each
    sits out once a cycle. In a cycle nobody has one seat more than once oftener than the other, and
    nobody ever has a seat three times in a row. Every other cycle exchanges the seats.
    """
    length = turns_of_circle(len(order))
    if not length:
        return ()
    cycle, step = divmod(turn, length)
    # a cycle begins one place further on than the one before: else seats repeat thrice between them
    top = (cycle + step) % length
    tables = []
    if len(order) % 2 == 0:
        pair = order[-1], order[top]
        tables.append(pair if top % 2 == 0 else pair[::-1])
    for distance in range(1, (length + 1) // 2):
        pair = order[(top + distance) % length], order[(top - distance) % length]
        tables.append(pair if distance % 2 else pair[::-1])
    return tuple(pair[::-1] for pair in tables) if cycle % 2 else tuple(tables)


def pair_round_robin(
    format_: RoundRobin, entrants: Sequence[Entrant], history: History, lots: Lots
) -> Round | None:
    """Return the next round, or None after the last one.

    The lots of the first round are the circle of all others. Those who leave stay in it as gaps:
    who would meet one sits out, and the tournament takes no longer. A late entry ends the circle:
    from then on as many tables as possible are made of entrants who have met least often, and all
    others sit out, until each has met each as often as there are cycles.
    """
    order = next((played.round.order for played in reversed(history)), None)
    order = lots() if order is None else order
    if order and set(entrants) <= set(order):
        return _next_of_circle(
            format_, entrants, history, tuple(place for place in order if place is not None)
        )
    return _catch_up(format_, entrants, history)


def _next_of_circle(
    format_: RoundRobin, entrants: Sequence[Entrant], history: History, order: tuple[Entrant, ...]
) -> Round | None:
    there = set(entrants)
    first = history[-1].round.turn + 1 if history else 0
    for turn in range(first, format_.cycles * turns_of_circle(len(order))):
        tables = tuple(table for table in circle_tables(order, turn) if there.issuperset(table))
        if tables:
            return Round(tables, list_idle(entrants, tables), order, turn)
    return None


def _catch_up(format_: RoundRobin, entrants: Sequence[Entrant], history: History) -> Round | None:
    meetings = count_meetings(history)
    least = min(
        (meetings[frozenset(pair)] for pair in combinations(entrants, 2)), default=format_.cycles
    )
    if least >= format_.cycles:
        return None
    missed, seats = count_missed(entrants, history), list_seats(history)
    waiting = sorted(entrants, key=lambda entrant: -missed[entrant])  # stable: then by entry
    numbers = range(len(waiting))
    neighbours = [
        [
            other
            for other in numbers
            if other != one and meetings[_pair(waiting, one, other)] == least
        ]
        for one in numbers
    ]
    mates = match_most(neighbours, [FREE] * len(waiting))
    pairs = [(waiting[one], waiting[other]) for one, other in enumerate(mates) if one < other]
    tables = tuple(_exchanged(pair, history) or seat_table(pair, seats) for pair in pairs)
    return Round(tables, list_idle(entrants, tables))


def _pair(entrants: Sequence[Entrant], one: int, other: int) -> Pair:
    return frozenset((entrants[one], entrants[other]))


def _exchanged(pair: tuple[Entrant, Entrant], history: History) -> Table | None:
    """Return two entrants in the other seats than at their last table, if they had one."""
    tables = (table for played in reversed(history) for table in played.round.tables)
    return next((table[::-1] for table in tables if set(table) == set(pair)), None)
