"""Measures the pairing of tournaments of 500: Swiss rounds at tables of two, and rounds at tables
of seven.
"""

import time
from collections.abc import Callable
from random import Random

from adjudicator.core.chance import Setting, of_phase
from adjudicator.play.tournaments.formats import Format, Mixer, Swiss
from adjudicator.play.tournaments.pairing import pair_round
from adjudicator.play.tournaments.past import count_meetings, list_seats
from adjudicator.play.tournaments.records import Played, Points
from adjudicator.play.tournaments.standings import standings

ENTRANTS, ROUNDS = 500, 9


def bench_tournaments(say: Callable[[str], None]) -> None:
    """Print the longest round, all rounds, repeated meetings and the balance of seats; then the
    time of standings.
    """
    for title, format_ in (
        ("Swiss, tables of 2", Swiss(ROUNDS)),
        ("Swiss, tables of 7", Swiss(ROUNDS, (7,))),
        ("all meet many, tables of 7", Mixer(ROUNDS, (7,))),
    ):
        history, times = _play(format_)
        repeats = sum(met - 1 for met in count_meetings(history).values())
        uneven = max(
            max(mine.count(seat) - mine.count(0) for seat in set(mine))
            for mine in list_seats(history).values()
        )
        say(
            f"{ENTRANTS} entrants, {ROUNDS} rounds, {title}: longest {max(times):.1f} s, all"
            f" {sum(times):.1f} s, {repeats} repeated meetings, one seat {uneven} more often than"
            " the first at most"
        )
    begin = time.perf_counter()
    standings(
        range(ENTRANTS), history, ("opponents", "beaten", "head to head", "wins", "best table")
    )
    say(f"standings with five tie breaks: {time.perf_counter() - begin:.2f} s")


def _play(format_: Format) -> tuple[list[Played], list[float]]:
    random, history, times = Random(0), list[Played](), list[float]()  # noqa: S311 made-up results
    for turn in range(ROUNDS):
        chance = of_phase({"public": b"a bench", "hidden": b""}, Setting("a bench", turn))
        begin = time.perf_counter()
        found = pair_round(format_, range(ENTRANTS), history, chance.public)
        times.append(time.perf_counter() - begin)
        if found is not None:
            history.append(
                Played(found, tuple(_score(random, len(table)) for table in found.tables))
            )
    return history, times


def _score(random: Random, size: int) -> tuple[Points, ...]:
    return (
        random.choice(((2, 0), (1, 1), (0, 2)))
        if size == 2
        else tuple(random.sample(range(18), size))
    )
