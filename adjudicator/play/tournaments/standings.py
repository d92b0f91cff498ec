"""Standings of a tournament with tie breaks, and the cross-table of who met whom."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Literal, get_args

from adjudicator.play.tournaments.formats import Format, KnockOut, League, Mixer, RoundRobin, Swiss
from adjudicator.play.tournaments.leagues import divisions_of
from adjudicator.play.tournaments.methods.knock_out import rank_knock_out
from adjudicator.play.tournaments.past import list_seats, sum_points, with_given
from adjudicator.play.tournaments.records import Entrant, History, Played, Points, Round
from adjudicator.play.tournaments.seating import seat_table

TieBreak = Literal["opponents", "beaten", "head to head", "wins", "best table"]
TIE_BREAKS: tuple[TieBreak, ...] = get_args(TieBreak)
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Ranked:
    """An entrant in the standings. Those who are equal in everything share a place, and the next
    places are left out.
    """

    place: int
    entrant: Entrant
    total: Fraction
    tables: int  # that have a result
    breaks: tuple[Fraction, ...]  # one for each tie break


@dataclass(frozen=True)
class _Record:
    """What tie breaks look at: the tables of each entrant with the points of all, and all
    totals.
    """

    results: Mapping[Entrant, Sequence[Mapping[Entrant, Points]]]
    totals: Mapping[Entrant, Fraction]
    sat_out: Mapping[Entrant, int]  # rounds


def standings(
    entrants: Sequence[Entrant],
    history: History,
    tie_breaks: Sequence[TieBreak] = (),
    *,
    sitting_out: Points = 0,
    best: int | None = None,
) -> tuple[Ranked, ...]:
    """Return the entrants by total points, then by each tie break in turn; equal ones in the order
    of `entrants`.

    `opponents` (Buchholz): the totals of all opponents, once for each meeting, and for each round
    of sitting out the own total, as against a dummy opponent (FIDE C.07, 16.4). `beaten`
    (Sonneborn-Berger): the totals of those who had fewer points at the same table, and half of
    those who had as many. `head to head`: at tables shared with others who are still tied, one for
    each of them with fewer points, one half for equal ones. `wins`: tables with more points than
    anybody else. `best table`: the most points at one table. Opponents who have left the tournament
    count in all of them.

    With `best`, only so many rounds of each count in the totals.

    A corrected result is a changed `history`: its standings are new, while the rounds that were
    paired before stand.
    """
    everybody = dict.fromkeys(
        (
            *entrants,
            *(entrant for played in history for table in played.round.tables for entrant in table),
        )
    )
    results: dict[Entrant, list[Mapping[Entrant, Points]]] = {entrant: [] for entrant in everybody}
    for played in history:
        for table, points in played.results:
            for entrant in table:
                results[entrant].append(dict(zip(table, points, strict=True)))
    sat_out = Counter(entrant for played in history for entrant in played.round.sitting_out)
    record = _Record(
        results, sum_points(everybody, history, sitting_out=sitting_out, best=best), sat_out
    )
    breaks: dict[Entrant, tuple[Fraction, ...]] = dict.fromkeys(entrants, ())
    for tie_break in tie_breaks:
        breaks |= {
            entrant: (*breaks[entrant], _BREAKS[tie_break](record, entrant, group))
            for group in _group(entrants, record, breaks)
            for entrant in group
        }
    ranked: list[Ranked] = []
    for group in _group(entrants, record, breaks):
        place = len(ranked) + 1
        ranked += [
            Ranked(place, entrant, record.totals[entrant], len(results[entrant]), breaks[entrant])
            for entrant in group
        ]
    return tuple(ranked)


def rank_entrants(
    format_: Format,
    entrants: Sequence[Entrant],
    playing: Sequence[Entrant],
    history: History,
    tie_breaks: Sequence[TieBreak] = (),
) -> tuple[Ranked, ...]:
    """Return the standings of a tournament of a format, the best first; `playing` are those of the
    entrants who have not left.

    In a knock-out who comes further ranks higher, and the round that is played counts once all of
    its tables have a result. In a league a higher division ranks higher, and its entrants are those
    of the first round. At tables of two of both a round robin and a league, results against who
    left before half of the meetings are void (`drop_void`).
    """
    if isinstance(format_, League):
        divisions = divisions_of(entrants, history, format_.size, format_.least)
        above = [sum(map(len, divisions[:number])) for number in range(len(divisions))]
        return tuple(
            replace(line, place=line.place + higher)
            for division, higher in zip(divisions, above, strict=True)
            for line in standings(
                division, drop_void(format_, division, playing, history), tie_breaks
            )
        )
    if isinstance(format_, RoundRobin):
        history = drop_void(format_, entrants, playing, history)
    if isinstance(format_, Swiss):
        return _rank_swiss(format_, entrants, history, tie_breaks)
    lines = standings(
        entrants, history, tie_breaks, best=format_.best if isinstance(format_, Mixer) else None
    )
    if not isinstance(format_, KnockOut):
        return lines
    done = [played for played in history if None not in played.points]
    places = dict.fromkeys(entrants, 1) | rank_knock_out(format_, playing, done)
    ranked = (replace(line, place=places[line.entrant]) for line in lines)
    return tuple(sorted(ranked, key=lambda line: line.place))  # stable: then by points


def _rank_swiss(
    format_: Swiss, entrants: Sequence[Entrant], history: History, tie_breaks: Sequence[TieBreak]
) -> tuple[Ranked, ...]:
    """Return the standings of a Swiss: those of its rounds, but that who met at a top table rank
    first, by their points there.
    """
    given = history[-1].given if history else ()  # the last round, also a top one, has them all
    lines = standings(
        entrants,
        with_given(history[: format_.rounds], given),
        tie_breaks,
        sitting_out=format_.sitting_out,
        best=format_.best,
    )
    final = [result for played in history[format_.rounds :] for result in played.results]
    if not final:
        return lines
    top = dict(zip(final[0][0], map(Fraction, final[0][1]), strict=True))

    def key(line: Ranked) -> tuple[bool, Fraction, int]:
        return line.entrant not in top, -top.get(line.entrant, Fraction()), line.place

    ordered, first = sorted(lines, key=key), dict[tuple[bool, Fraction, int], int]()  # stable
    return tuple(
        replace(line, place=first.setdefault(key(line), number))
        for number, line in enumerate(ordered, 1)
    )


def pair_top(
    format_: Swiss, entrants: Sequence[Entrant], history: History, tie_breaks: Sequence[TieBreak]
) -> Round | None:
    """Return the round in which the first ones of a Swiss meet, None where it has none or too few
    are there.

    Equal ones are taken in the order of entry. Nobody else plays, or sits out for points.
    """
    lines = standings(
        entrants, history, tie_breaks, sitting_out=format_.sitting_out, best=format_.best
    )
    if len(history) != format_.rounds or not 1 < format_.top <= len(lines):
        return None
    first = [line.entrant for line in lines[: format_.top]]
    return Round((seat_table(first, list_seats(history)),))


def drop_void(
    format_: RoundRobin | League,
    group: Sequence[Entrant],
    playing: Collection[Entrant],
    history: History,
) -> History:
    """Return the history of a group in which everybody meets everybody without the results that do
    not count.

    Who left with fewer than half of all meetings played counts for nobody: others could not all
    meet them. With half or more, all results stand. At larger tables nothing is void.
    """
    if isinstance(format_, League) and not format_.of_two:
        return history
    met = Counter(entrant for played in history for table, _ in played.results for entrant in table)
    due = format_.cycles * (len(group) - 1)
    void = {entrant for entrant in group if entrant not in playing and 2 * met[entrant] < due}
    return (
        [replace(played, points=_void_points(played, void)) for played in history]
        if void
        else history
    )


def _void_points(
    played: Played, void: Collection[Entrant]
) -> tuple[tuple[Points, ...] | None, ...]:
    pairs = zip(played.round.tables, played.points, strict=False)
    return tuple(points if set(table).isdisjoint(void) else None for table, points in pairs)


def _group(
    entrants: Sequence[Entrant], record: _Record, breaks: Mapping[Entrant, tuple[Fraction, ...]]
) -> list[list[Entrant]]:
    """Return groups of equal entrants, the best first."""

    def key(entrant: Entrant) -> tuple[Fraction, tuple[Fraction, ...]]:
        return record.totals[entrant], breaks[entrant]

    ordered = sorted(entrants, key=key, reverse=True)  # stable: equal ones stay in order
    return [list(group) for _, group in groupby(ordered, key)]


def _sum_opponents(record: _Record, entrant: Entrant, group: Collection[Entrant]) -> Fraction:
    totals = (
        record.totals[other]
        for result in record.results[entrant]
        for other in result
        if other != entrant
    )
    return sum(totals, record.sat_out[entrant] * record.totals[entrant])


def _sum_beaten(record: _Record, entrant: Entrant, group: Collection[Entrant]) -> Fraction:
    results = record.results[entrant]
    others = (
        (other, _score(result, entrant, other))
        for result in results
        for other in result
        if other != entrant
    )
    return sum((record.totals[other] * score for other, score in others), Fraction())


def _head_to_head(record: _Record, entrant: Entrant, group: Collection[Entrant]) -> Fraction:
    tied = set(group) - {entrant}
    return sum(
        (
            _score(result, entrant, other)
            for result in record.results[entrant]
            for other in tied & result.keys()
        ),
        Fraction(),
    )


def _count_wins(record: _Record, entrant: Entrant, group: Collection[Entrant]) -> Fraction:
    results = record.results[entrant]
    return Fraction(
        sum(
            all(_score(result, entrant, other) == 1 for other in result if other != entrant)
            for result in results
        )
    )


def _best_table(record: _Record, entrant: Entrant, group: Collection[Entrant]) -> Fraction:
    return Fraction(max((result[entrant] for result in record.results[entrant]), default=0))


def _score(result: Mapping[Entrant, Points], entrant: Entrant, other: Entrant) -> Fraction:
    """Return 1 if an entrant had more points than another at their table, one half for equal
    points, else 0.
    """
    return HALF if result[entrant] == result[other] else Fraction(result[entrant] > result[other])


_BREAKS: Mapping[TieBreak, Callable[[_Record, Entrant, Collection[Entrant]], Fraction]] = {
    "opponents": _sum_opponents,
    "beaten": _sum_beaten,
    "head to head": _head_to_head,
    "wins": _count_wins,
    "best table": _best_table,
}


def cross_table(
    history: History,
) -> dict[tuple[Entrant, Entrant], tuple[tuple[Points, Points], ...]]:
    """Return the points of one and of the other at each of their tables of two, for both orders of
    each two who met.
    """
    cells: dict[tuple[Entrant, Entrant], tuple[tuple[Points, Points], ...]] = {}
    for played in history:
        for table, points in played.results:
            if len(table) == 2:
                for pair, both in ((table, points), (table[::-1], points[::-1])):
                    key = pair[0], pair[1]
                    cells[key] = (*cells.get(key, ()), (both[0], both[1]))
    return cells
