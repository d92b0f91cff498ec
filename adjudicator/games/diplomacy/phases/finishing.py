"""How a match ended for every seat, in the terms of scoring systems: centres, a solo or a draw, and
the years played.
"""

from collections.abc import Sequence
from itertools import pairwise

from adjudicator.core.game import Finish, Result, Seat
from adjudicator.games.diplomacy.model.calendar import OPENING
from adjudicator.games.diplomacy.model.state import State
from adjudicator.games.diplomacy.phases.ending import count_centres, survivors

_YEAR_ZERO = int(OPENING[1:5]) - 1


def finish_seats(states: Sequence[State], result: Result) -> dict[Seat, Finish]:
    """Return how a match ended for every seat, from the state before each phase and the last state.

    1. A seat has a solo if it reached the victory centres, if all others conceded or were
       eliminated, or if all agreed that it alone shares the match (R12). The most centres at the
       year limit (R6), or when a match is stopped, are no solo.
    2. Without a solo the match is a draw: of those who agreed to one, else of all who survive with
       a centre.
    3. All who neither survive with a centre nor share the draw are out. They hold no centres, even
       if they conceded with some.
    """
    last = states[-1]
    counts, left = count_centres(last), survivors(last)
    holding = tuple(seat for seat in left if counts[seat])
    winners = last.end.winners if last.end and last.end.how != "year" else ()
    solo = winners if len(winners) == 1 else ()
    sharers = () if solo else winners or holding
    still = {*holding, *sharers, *solo}
    return {
        seat: Finish(
            place=result[seat].place,
            score=result[seat].score,
            centres=counts[seat] if seat in still else 0,
            solo=seat in solo,
            drew=seat in sharers,
            out=seat not in still,
            years=_years(states, seat),
        )
        for seat in counts
    }


def _years(states: Sequence[State], seat: Seat) -> int:
    """Return the number of years in which a seat was in the match, counting the one in which it
    went out.
    """
    played = 0
    for before, after in pairwise(states):
        played = before.year - _YEAR_ZERO
        if seat not in survivors(after):
            break
    return played
