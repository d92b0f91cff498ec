"""What a history says about entrants: whom they met, which seats they played, which rounds they
missed, their points.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from adjudicator.play.tournaments.records import Entrant, History, Played, Points, Table

Pair = frozenset[Entrant]


def count_meetings(history: History) -> Counter[Pair]:
    """Return how often each two have sat at one table."""
    return Counter(
        frozenset(pair)
        for played in history
        for table in played.round.tables
        for pair in combinations(table, 2)
    )


def list_seats(history: History) -> Mapping[Entrant, Sequence[int]]:
    """Return the seats of each entrant, 0 for the first, in the order of the rounds; nobody else
    has any.
    """
    seats: defaultdict[Entrant, list[int]] = defaultdict(list)
    for played in history:
        for table in played.round.tables:
            for seat, entrant in enumerate(table):
                seats[entrant].append(seat)
    return seats


def count_missed(entrants: Iterable[Entrant], history: History) -> dict[Entrant, int]:
    """Return the rounds in which each entrant had no table: sitting out, or not there yet.

    A late entrant has thus missed the rounds before, and sits out after those who have not.
    """
    tables = Counter(
        entrant for played in history for table in played.round.tables for entrant in table
    )
    return {entrant: len(history) - tables[entrant] for entrant in entrants}


def sum_points(
    entrants: Iterable[Entrant],
    history: History,
    *,
    sitting_out: Points = 0,
    best: int | None = None,
) -> dict[Entrant, Fraction]:
    """Return the points of each entrant: of all tables, `sitting_out` for each round of sitting
    out, and those that directors gave.

    With `best`, only so many rounds of each count, those with the most points.
    """
    rounds: defaultdict[Entrant, list[Fraction]] = defaultdict(list)
    given: defaultdict[Entrant, Fraction] = defaultdict(Fraction)
    for played in history:
        for entrant in played.round.sitting_out:
            rounds[entrant].append(Fraction(sitting_out))
        for table, points in played.results:
            for entrant, number in zip(table, points, strict=True):
                rounds[entrant].append(Fraction(number))
        for entrant, number in played.given:
            given[entrant] += number
    counted = {entrant: sorted(rounds[entrant], reverse=True)[:best] for entrant in entrants}
    return {entrant: sum(points, given[entrant]) for entrant, points in counted.items()}


def with_byes(history: History, first_rounds: Mapping[Entrant, int]) -> list[Played]:
    """Return a history in which late entrants sat out in all rounds before their first one, so that
    they get the points for it.
    """
    found = []
    for number, played in enumerate(history, 1):
        late = tuple(entrant for entrant, first in first_rounds.items() if first > number)
        found.append(
            replace(
                played, round=replace(played.round, sitting_out=(*played.round.sitting_out, *late))
            )
        )
    return found


def with_given(history: History, given: Iterable[tuple[Entrant, Points]]) -> list[Played]:
    """Return a history with the points that directors have given to entrants, noted with its last
    round.
    """
    return [*history[:-1], *(replace(last, given=tuple(given)) for last in history[-1:])]


def list_idle(entrants: Iterable[Entrant], tables: Iterable[Table]) -> tuple[Entrant, ...]:
    """Return the entrants without a table, in entry order."""
    seated = {entrant for table in tables for entrant in table}
    return tuple(entrant for entrant in entrants if entrant not in seated)
