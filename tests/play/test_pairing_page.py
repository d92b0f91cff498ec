"""docs/pairing.md says enough to draw rounds again: a program that was written after it draws the
same ones.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from random import Random
from typing import Any

from adjudicator.core.jcs import H
from adjudicator.play.tournaments.formats import (
    FORMATS,
    Format,
    KnockOut,
    League,
    Mixer,
    RoundRobin,
    Swiss,
)
from adjudicator.play.tournaments.pairing import pair_round
from adjudicator.play.tournaments.records import Played, Table
from tests.play.redrawn import brackets, leagues, mixer, swiss
from tests.play.redrawn.common import Drawn, Past, Shuffle, shuffler
from tests.play.tournaments import stream

HALF = Fraction(1, 2)
BY_THE_PAGE: Mapping[str, Callable[[Mapping[str, Any], Sequence[int], Past, Shuffle], Drawn]] = {
    "swiss": swiss.swiss,
    "mixer": mixer.mixer,
    "round robin": brackets.round_robin,
    "knock-out": brackets.knock_out,
    "league": leagues.league,
}
# each with its entrants, and how many of them leave after the first round
CASES: tuple[tuple[Format, int, int], ...] = (
    (Swiss(5, (2,)), 9, 1),
    (Swiss(3, (2, 3), sitting_out=1), 8, 0),
    (Swiss(3, (3, 4)), 11, 1),
    (RoundRobin(2), 5, 1),
    (KnockOut("draw", "lower seed"), 7, 0),
    (KnockOut("entry", "second seat"), 8, 0),
    (League(4), 9, 1),
    (League(6, rounds=2, sizes=(3,)), 12, 0),
    (Mixer(4, (3,)), 9, 0),
    (Mixer(3, (4,)), 16, 1),
    (Mixer(2, (3, 4)), 8, 0),
    (Mixer(1, (4, 5)), 62, 0),
)


def _points(table: Table, random: Random) -> tuple[Fraction | int, ...]:
    if len(table) == 2:
        return random.choice(((1, 0), (HALF, HALF), (0, 1)))
    return tuple(random.sample(range(20), len(table)))


def test_the_page_says_how_each_round_is_drawn() -> None:
    for number, (format_, count, leaving) in enumerate(CASES):
        random, history, past = Random(number), list[Played](), list[dict[str, Any]]()
        name = next(name for name, kind in FORMATS.items() if kind is type(format_))
        entrants = list(range(1, count + 1))
        # a round robin of the real program ends by itself, as all others do
        for turn in range(1, 9):
            element = H("seed", f"{number} {turn}".encode())
            found = pair_round(format_, entrants, history, stream(str(number), turn))
            if found is None:
                break
            byes = Fraction(getattr(format_, "sitting_out", 0))
            tables, sitting_out, order, at = BY_THE_PAGE[name](
                asdict(format_), entrants, Past(past, byes), shuffler("a tournament", turn, element)
            )
            drawn = (tuple(tables), tuple(sitting_out), tuple(order), at)
            real = (found.tables, found.sitting_out, found.order, found.turn)
            assert drawn == real, f"{format_} of {count}, round {turn}"
            points = tuple(_points(table, random) for table in found.tables)
            history.append(Played(found, points))
            past.append(
                {
                    "tables": found.tables,
                    "points": points,
                    "sitting_out": found.sitting_out,
                    "order": list(found.order),
                    "turn": found.turn,
                }
            )
            if turn == 1:
                entrants = entrants[: count - leaving]
        assert history, format_
