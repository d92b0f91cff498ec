"""What a round is paired from, kept as the results that are new since the round before was paired,
corrected ones included.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adjudicator.play.tournaments.records import TournamentError

# for each round its tables, of each the exact points in seat order
Results = Sequence[Sequence[Sequence[str]]]


@dataclass(frozen=True)
class Change:
    """A result that a table has got, or another one than it had."""

    round: int
    table: int  # both numbered from 1
    points: tuple[str, ...]


# what a round keeps: changes, or as older releases did all results
PairedFrom = tuple[Sequence[Change] | None, Results | None]


def list_results(rounds: Sequence[PairedFrom], sizes: Sequence[int]) -> list[Results | None]:
    """Return for each round the results of all earlier ones as they were when it was paired, None
    where that was not kept.

    `sizes` are the numbers of tables of all rounds. Raises TournamentError as `add_changes` does.
    """
    found: list[Results | None] = []
    known: Results | None = ()
    for number, (changes, results) in enumerate(rounds):
        if results is not None:
            known = results
        elif known is not None:
            known = None if changes is None else add_changes(known, changes, sizes[:number])
        found.append(known)
    return found


def list_changes(before: Results, now: Results) -> tuple[Change, ...]:
    """Return what leads from earlier results to those of now, in the order of rounds and tables;
    rounds are only ever added.
    """
    return tuple(
        Change(number, table, tuple(points))
        for number, tables in enumerate(now, 1)
        for table, points in enumerate(tables, 1)
        if number > len(before) or list(before[number - 1][table - 1]) != list(points)
    )


def add_changes(
    results: Results, changes: Iterable[Change], sizes: Sequence[int]
) -> list[list[Sequence[str]]]:
    """Return the results after changes; `sizes` are the numbers of tables of all rounds that have
    been played by then.

    Raises TournamentError for a change of a table that is not in them, or where a table is left
    without a result.
    """
    found: list[list[Sequence[str]]] = [list(tables) for tables in results] + [
        [()] * size for size in sizes[len(results) :]
    ]
    for change in changes:
        if not (
            1 <= change.round <= len(found) and 1 <= change.table <= len(found[change.round - 1])
        ):
            raise TournamentError(
                f"Table {change.table} of round {change.round} has a result, but was not played by"
                " then."
            )
        found[change.round - 1][change.table - 1] = change.points
    if missing := [number for number, tables in enumerate(found, 1) if () in tables]:
        raise TournamentError(f"A round was paired while round {missing[0]} lacked results.")
    return found
