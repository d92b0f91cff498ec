"""Leagues by season: divisions, each of which plays a round robin of its own, and who goes up and
down.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import cast

from adjudicator.play.tournaments.records import Entrant, History, TournamentError

Division = tuple[Entrant, ...]
Divisions = tuple[Division, ...]  # the highest first


def divisions_of(entrants: Sequence[Entrant], history: History, size: int, least: int) -> Divisions:
    """Return the divisions of a season: those of its first round, also of who has left since;
    before it, of those who are there.

    The entry order is the ladder. So the entrants of a league are numbers, whose order it is.
    """
    if history:
        first = history[0].round
        everybody = {*first.sitting_out, *(entrant for table in first.tables for entrant in table)}
        entrants = sorted(cast("set[int]", everybody))
    return form_divisions(entrants, size, least=least)


def form_divisions(entrants: Sequence[Entrant], size: int, *, least: int = 2) -> Divisions:
    """Cut entrants, the best first, into divisions of a size; the last is smaller, but fewer than
    `least` join the one above.

    Raises TournamentError for a size below 2.
    """
    if size < 2:
        raise TournamentError("A division has two entrants or more.")
    divisions = [tuple(entrants[begin : begin + size]) for begin in range(0, len(entrants), size)]
    if len(divisions) > 1 and len(divisions[-1]) < least:
        last = divisions.pop()
        divisions[-1] += last
    return tuple(divisions)


def next_season(
    ranked: Sequence[Sequence[Entrant]],
    size: int,
    *,
    moving: int,
    leaving: Collection[Entrant] = (),
) -> Divisions:
    """Return the divisions of the next season from the final order of each division of this one.

    Where two divisions touch, the last `moving` of the higher one change places with the first
    `moving` of the lower one; a small last division moves half of its entrants at most. Then those
    who leave are taken out, and the whole is cut into divisions again, so that gaps are filled from
    below. Raises TournamentError if all of a division would move, or somebody stands in two places.
    """
    if not 0 <= 2 * moving <= size:
        raise TournamentError(
            f"From a division of {size}, at most {size // 2} can go up and as many down."
        )
    everybody = [entrant for division in ranked for entrant in division]
    if len({*everybody}) < len(everybody):
        raise TournamentError("Nobody can be in two divisions.")
    ladder = [list(division) for division in ranked]
    for number in range(len(ranked) - 1):
        higher, lower = ranked[number], ranked[number + 1]
        count = _count_moving(higher, lower, moving)
        if count:
            ladder[number][-count:], ladder[number + 1][:count] = lower[:count], higher[-count:]
    stay = [entrant for division in ladder for entrant in division if entrant not in leaving]
    return form_divisions(stay, size)


def list_moves(ranked: Sequence[Sequence[Entrant]], moving: int) -> dict[Entrant, int]:
    """Return who goes up (-1) and down (1) after a season, from the final order of each
    division.
    """
    found: dict[Entrant, int] = {}
    for higher, lower in pairwise(ranked):
        count = _count_moving(higher, lower, moving)
        found |= dict.fromkeys(higher[len(higher) - count :], 1) | dict.fromkeys(lower[:count], -1)
    return found


def _count_moving(higher: Sequence[Entrant], lower: Sequence[Entrant], moving: int) -> int:
    return min(moving, len(higher) // 2, len(lower) // 2)
