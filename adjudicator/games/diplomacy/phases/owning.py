"""Who owned the supply centres in each year of a match, from what everybody may see."""

from collections.abc import Sequence
from itertools import pairwise

from adjudicator.core.game import Ownership
from adjudicator.games.diplomacy.map.geography import STANDARD, Power
from adjudicator.games.diplomacy.phases.view import BoardView


def list_owners(views: Sequence[BoardView]) -> Ownership:
    """Return the owners on the last of these views, and the counts of every year that is over.

    A year is over once a phase of the next one is open. The year in which the rules ended the match
    counts too.
    """
    last = views[-1]
    by_year = {_year(before): _counts(after) for before, after in pairwise(views)}
    if last.end is None:
        by_year.pop(_year(last), None)
    return Ownership(
        {power: last.centres[power] for power in STANDARD.powers if last.centres.get(power)},
        by_year,
    )


def _year(view: BoardView) -> int:
    return int(view.phase[1:5])


def _counts(view: BoardView) -> dict[Power, int]:
    return {power: len(view.centres.get(power, ())) for power in STANDARD.powers}
