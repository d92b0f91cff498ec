"""Leagues: in each division a round robin at tables of two, or a mixer at larger tables; all
divisions play their rounds at once.
"""

from collections.abc import Callable, Sequence

from adjudicator.play.tournaments.formats import League, Mixer, turns_of_circle
from adjudicator.play.tournaments.leagues import Division, divisions_of
from adjudicator.play.tournaments.methods.circle import circle_tables
from adjudicator.play.tournaments.methods.mixer import pair_mixer
from adjudicator.play.tournaments.past import list_idle
from adjudicator.play.tournaments.records import Entrant, History, Played, Round, Table

# draws the entrants of a division, which the text names
DivisionLots = Callable[[str, Sequence[Entrant]], tuple[Entrant, ...]]


def pair_league(
    format_: League,
    entrants: Sequence[Entrant],
    history: History,
    lots: DivisionLots,
    *,
    planned: bool,
) -> Round | None:
    """Return the next round, or None after the last one.

    The divisions are those of the first round: `leagues.divisions_of`. Nobody meets anybody of
    another one. At tables of two each division turns a circle of its own, as a round robin does,
    and those who leave stay in it as gaps; a small division is done earlier and sits out. At other
    tables each division is a mixer, `planned` or not. The order of a round has the orders of all
    divisions, each followed by None.
    """
    divisions = divisions_of(entrants, history, format_.size, format_.least)
    if format_.of_two:
        return _next_of_circles(format_, divisions, entrants, history, lots)
    return _next_of_mixers(format_, divisions, entrants, history, lots, planned=planned)


def _next_of_circles(
    format_: League,
    divisions: Sequence[Division],
    entrants: Sequence[Entrant],
    history: History,
    lots: DivisionLots,
) -> Round | None:
    orders = (
        _split_orders(history[0].round.order)
        if history
        else [lots(_name(number), each) for number, each in enumerate(divisions, 1)]
    )
    there, longest = set(entrants), max((len(each) for each in divisions), default=0)
    for turn in range(
        history[-1].round.turn + 1 if history else 0, format_.cycles * turns_of_circle(longest)
    ):
        tables = tuple(
            table
            for order in orders
            if turn < format_.cycles * turns_of_circle(len(order))
            for table in circle_tables(order, turn)
            if there.issuperset(table)
        )
        if tables:
            return Round(tables, list_idle(entrants, tables), _join_orders(orders), turn)
    return None


def _next_of_mixers(
    format_: League,
    divisions: Sequence[Division],
    entrants: Sequence[Entrant],
    history: History,
    lots: DivisionLots,
    *,
    planned: bool,
) -> Round | None:
    if len(history) >= format_.rounds:
        return None
    there, found = set(entrants), []
    for number, division in enumerate(divisions, 1):
        playing = [entrant for entrant in division if entrant in there]

        def draw(number: int = number, playing: Sequence[Entrant] = playing) -> tuple[Entrant, ...]:
            return lots(_name(number), playing)

        past = [_part(played, number, set(division)) for played in history]
        found.append(
            pair_mixer(Mixer(format_.rounds, format_.sizes), playing, past, draw, planned=planned)
            or Round(())
        )
    tables = tuple(table for part in found for table in part.tables)
    return Round(
        tables,
        list_idle(entrants, tables),
        _join_orders([part.order for part in found]),
        len(history),
    )


def _part(played: Played, number: int, division: set[Entrant]) -> Played:
    """Return what one division played in a round."""
    pairs = list(
        zip(played.round.tables, played.points or [None] * len(played.round.tables), strict=True)
    )
    own = [(table, points) for table, points in pairs if division.issuperset(table)]
    idle = tuple(entrant for entrant in played.round.sitting_out if entrant in division)
    order = _split_orders(played.round.order)[number - 1]
    return Played(
        Round(tuple(table for table, _ in own), idle, order, played.round.turn),
        tuple(points for _, points in own),
    )


def _name(number: int) -> str:
    return f"division {number}"


def _join_orders(orders: Sequence[Sequence[Entrant | None]]) -> tuple[Entrant | None, ...]:
    return tuple(place for order in orders for place in (*order, None))


def _split_orders(order: Sequence[Entrant | None]) -> list[Table]:
    found: list[list[Entrant]] = [[]]
    for place in order:
        if place is None:
            found.append([])
        else:
            found[-1].append(place)
    return [tuple(each) for each in found[:-1]]
