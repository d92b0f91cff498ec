"""Knock-outs: a bracket whose byes all fall into the first round."""

from collections import Counter
from collections.abc import Collection, Sequence

from adjudicator.play.tournaments.formats import KnockOut
from adjudicator.play.tournaments.past import list_seats
from adjudicator.play.tournaments.records import (
    Entrant,
    History,
    Lots,
    Played,
    Round,
    Table,
    TournamentError,
)
from adjudicator.play.tournaments.seating import seat_table

# neighbours meet; None is nobody; as many places as a power of two
Bracket = tuple[Entrant | None, ...]


def pair_knock_out(
    format_: KnockOut, entrants: Sequence[Entrant], history: History, lots: Lots
) -> Round | None:
    """Return the next round, or None when at most one entrant is left.

    The best seeds have the byes, all in the first round. Whoever was to meet one who has left goes
    on without a table. Raises TournamentError if a table of the last round has no result, or if
    somebody entered late.
    """
    bracket = (
        list_survivors(format_, entrants, history)
        if history
        else _first_bracket(format_, entrants, lots)
    )
    while len(_present(bracket)) > 1 and not any(len(pair) == 2 for pair in _meetings(bracket)):
        bracket = tuple(pair[0] if pair else None for pair in _meetings(bracket))
    if len(_present(bracket)) < 2:
        return None
    seats, pairs = list_seats(history), _meetings(bracket)
    tables = tuple(seat_table(pair, seats) for pair in pairs if len(pair) == 2)
    return Round(tables, tuple(pair[0] for pair in pairs if len(pair) == 1), bracket)


def _first_bracket(format_: KnockOut, entrants: Sequence[Entrant], lots: Lots) -> Bracket:
    return draw_bracket(entrants if format_.seeds == "entry" else lots())


def draw_bracket(seeds: Sequence[Entrant]) -> Bracket:
    """Return the places of the first round. If the better seed always wins, only the best seeds are
    left for each later round.
    """
    return tuple(seeds[seed] if seed < len(seeds) else None for seed in _seeds_by_place(len(seeds)))


def list_survivors(format_: KnockOut, entrants: Collection[Entrant], history: History) -> Bracket:
    """Return the places of the next round: the winners of the last one, None for those who have
    left; one place after the final.

    A table without a result is won by the one who is still there. Raises TournamentError as
    `pair_knock_out` does.
    """
    there = set(entrants)
    if not there <= set(history[0].round.order):
        raise TournamentError("Nobody can enter a knock-out after its first round.")
    return tuple(
        entrant if entrant in there else None for entrant in _list_through(format_, there, history)
    )


def _list_through(format_: KnockOut, there: set[Entrant], history: History) -> list[Entrant | None]:
    """Return who won each meeting of the last round, also of those who have left since."""
    last = history[-1].round
    winners = {
        frozenset(table): _winner(format_, history, number, there)
        for number, table in enumerate(last.tables)
    }
    return [
        winners[frozenset(pair)] if len(pair) == 2 else (*pair, None)[0]
        for pair in _meetings(last.order)
    ]


def rank_knock_out(
    format_: KnockOut, entrants: Collection[Entrant], history: History
) -> dict[Entrant, int]:
    """Return the place of each entrant of the first round; those who went out in the same round
    share one.

    Who won the last table and has left comes after those who play on, and before those who lost in
    that round: so the winner of a final is alone in the first place, also one who has left. Raises
    TournamentError as `pair_knock_out` does.
    """
    rounds = Counter(entrant for played in history for entrant in _present(played.round.order))
    rounds.update(_present(list_survivors(format_, entrants, history)) if history else ())
    last = {
        entrant: number
        for number, played in enumerate(history)
        for entrant in _present(played.round.order)
    }
    through = [
        set(_list_through(format_, set(entrants), history[: number + 1]))
        for number in range(len(history))
    ]
    came = {
        entrant: (count, entrant in through[last[entrant]]) for entrant, count in rounds.items()
    }
    return {
        entrant: 1 + sum(other > mine for other in came.values()) for entrant, mine in came.items()
    }


def _winner(
    format_: KnockOut, history: History, number: int, there: set[Entrant]
) -> Entrant | None:
    """Return who won a table of the last round, or None if it has no result and both have left."""
    last = history[-1]
    table = last.round.tables[number]
    points = last.points[number] if last.points else None
    if points is None:
        left = [entrant for entrant in table if entrant in there]
        if len(left) == 2:
            raise TournamentError(f"Table {number + 1} of round {len(history)} has no result yet.")
        return left[0] if left else None
    if points[0] != points[1]:
        return table[int(points[1] > points[0])]
    return _winner_of_tie(format_, history[0], table)


def _winner_of_tie(format_: KnockOut, first: Played, table: Table) -> Entrant:
    if format_.tie in ("first seat", "second seat"):
        return table[int(format_.tie == "second seat")]
    seeds = dict(zip(first.round.order, _seeds_by_place(len(first.round.order)), strict=True))
    ordered = sorted(table, key=lambda entrant: seeds[entrant])
    return ordered[int(format_.tie == "lower seed")]


def _seeds_by_place(count: int) -> list[int]:
    """Return which seed, from 0, has each place of a bracket for `count`: its place numbers double,
    as each gets an opponent.
    """
    seeds = [0] if count else []
    while len(seeds) < count:
        seeds = [seed for better in seeds for seed in (better, 2 * len(seeds) - 1 - better)]
    return seeds


def _present(places: Sequence[Entrant | None]) -> list[Entrant]:
    return [place for place in places if place is not None]


def _meetings(bracket: Bracket) -> list[list[Entrant]]:
    return [_present(pair) for pair in zip(bracket[::2], bracket[1::2], strict=True)]
