"""Rounds at tables of any size in which each meets as many different opponents as possible."""

from collections.abc import Iterator, Sequence
from math import gcd

from adjudicator.play.tournaments.formats import Mixer, table_sizes
from adjudicator.play.tournaments.methods.exchanges import improve_tables, table_cost
from adjudicator.play.tournaments.methods.grid import grid_tables
from adjudicator.play.tournaments.methods.planning import Dice, plan_rounds
from adjudicator.play.tournaments.past import count_meetings, count_missed, list_idle, list_seats
from adjudicator.play.tournaments.records import Entrant, History, Lots, Round, Table
from adjudicator.play.tournaments.seating import seat_table

MOST_PLANNED, MOST_AHEAD = 60, 12  # entrants, and rounds that are planned together
_WORK = 2000  # entrants in all the orders that one round tries beyond the first


def pair_mixer(
    format_: Mixer, entrants: Sequence[Entrant], history: History, lots: Lots, *, planned: bool
) -> Round | None:
    """Return the next round, or None after the last one.

    Nobody sits out a second time before all have once (`past.count_missed`); the lots decide among
    equals. While the entrants are the ones of the first round, fit one size and a grid
    (`grid.grid_tables`), nobody meets twice. Otherwise tables are searched:

    - With at most MOST_PLANNED entrants the rounds to come, at most MOST_AHEAD, are planned
      together (`planning.plan_rounds`), and this is the first of them. The plan is made anew for
      each round, as who enters, leaves or sits out changes it.
    - With more of them, or not `planned` as in version 1 of pairing, no exchange of two entrants
      between tables lowers the sum, over all two at one table, of the square of how often they have
      met before.

    Neither promises the best rounds: that problem, of the social golfers, has no known quick
    solution.
    """
    if len(history) >= format_.rounds:
        return None
    sizes, seats = table_sizes(len(entrants), format_.sizes), list_seats(history)
    found = _next_of_grid(sizes, entrants, history, lots)
    if found is None and planned and len(entrants) <= MOST_PLANNED:
        found = Round(
            _plan(min(format_.rounds - len(history), MOST_AHEAD), sizes, entrants, history, lots)
        )
    found = found or Round(_search(sizes, entrants, history, lots))
    tables = tuple(seat_table(table, seats) for table in found.tables)
    return Round(tables, list_idle(entrants, tables), found.order, found.turn)


def _next_of_grid(
    sizes: Sequence[int], entrants: Sequence[Entrant], history: History, lots: Lots
) -> Round | None:
    """Return the next turn of the grid, not yet seated, if all rounds so far were of one with these
    entrants.
    """
    if sum(sizes) < len(entrants) or len(set(sizes)) != 1:
        return None
    turn = len(history)
    if grid_tables(entrants, sizes[0], turn) is None:
        return None
    order = (
        tuple(place for place in history[0].round.order if place is not None) if history else lots()
    )
    kept = set(order) == set(entrants) and all(played.round.order == order for played in history)
    tables = grid_tables(order, sizes[0], turn) if kept else None
    return Round(tuple(tables), (), order, turn) if tables else None


def _plan(
    number: int, sizes: Sequence[int], entrants: Sequence[Entrant], history: History, lots: Lots
) -> tuple[Table, ...]:
    """Return the tables of the first of so many rounds that are planned together, not yet seated.

    All begin as the drawn order cut into tables, without those who sit out; those sit out next who
    have missed the fewest rounds.
    """
    order, missed, meetings = lots(), count_missed(entrants, history), count_meetings(history)
    number_of = {entrant: place for place, entrant in enumerate(order)}
    begin = []
    for _ in range(number):
        playing = sorted(order, key=lambda entrant: -missed[entrant])[: sum(sizes)]
        begin.append(cut_tables([number_of[entrant] for entrant in playing], sizes))
        for entrant in set(order) - set(playing):
            missed[entrant] += 1
    met = [
        [meetings[frozenset((one, other))] if one != other else 0 for other in order]
        for one in order
    ]
    planned = plan_rounds(begin, met, Dice(" ".join(map(str, order))))
    return tuple(tuple(order[place] for place in table) for table in planned[0])


def _search(
    sizes: Sequence[int], entrants: Sequence[Entrant], history: History, lots: Lots
) -> tuple[Table, ...]:
    """Return the cheapest tables of several orders, not yet seated."""
    missed, meetings = count_missed(entrants, history), count_meetings(history)
    playing = sorted(lots(), key=lambda entrant: -missed[entrant])[: sum(sizes)]
    costs = [
        [meetings[frozenset((one, other))] ** 2 if one != other else 0 for other in playing]
        for one in playing
    ]
    best: list[list[int]] | None = None
    for order in _orders(len(playing)):
        tables = improve_tables(cut_tables(order, sizes), costs)
        if best is None or table_cost(tables, costs) < table_cost(best, costs):
            best = tables
        if table_cost(best, costs) == 0:
            break
    return tuple(tuple(playing[place] for place in table) for table in best or ())


def _orders(count: int) -> Iterator[list[int]]:
    """Yield permutations of 0 to count - 1, the plain one first: every stride that is coprime to
    the count, once from each start.
    """
    strides = [stride for stride in range(1, count) if gcd(stride, count) == 1] or [1]
    for attempt in range(1 + _WORK // max(count, 1)):
        start, stride = divmod(attempt, len(strides))
        yield [(start + place * strides[stride]) % count for place in range(count)]


def cut_tables(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Return consecutive pieces of an order, one of each size."""
    rest = iter(order)
    return [[next(rest) for _ in range(size)] for size in sizes]
