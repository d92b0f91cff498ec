"""The simulator's command: plays seeds, several at a time, and prints failures, how to repeat them,
and which faults were made.
"""

import argparse
import multiprocessing
import multiprocessing.util
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import click

from adjudicator.platform.errors import HostFault
from tests.simulation import (
    absentees,
    correspondents,
    crowds,
    directors,
    gatherings,
    handovers,
    intruders,
    leaps,
    lookers,
    masters,
    onlookers,
    players,
    press,
    probes,
    salters,
    tournaments,
    upgrades,
    visitors,
    witnesses,
)
from tests.simulation.claim import shown
from tests.simulation.faults import KINDS
from tests.simulation.fixture_db import FixtureDb, nothing_left_behind
from tests.simulation.locks import WAITED
from tests.simulation.run import ORDINARY, Outcome, Scene, play_seed
from tests.simulation.world import World

ENOUGH = 100  # seeds within which every fault and every branch must occur
INTERRUPTED = 130  # the exit code


@dataclass(frozen=True)
class Portion:
    """The seeds that one process plays."""

    seeds: tuple[int, ...]
    database: str = ""
    scene: Scene = ORDINARY
    keep: bool = False  # each seed's story


def play_portion(portion: Portion) -> Iterator[Outcome]:
    """Play seeds one after the other."""
    with FixtureDb(portion.database) as fixture_db, probes.count_results():
        for seed in portion.seeds:
            yield play_seed(fixture_db, seed, portion.scene, keep=portion.keep)


_open = ExitStack()  # the fixture of a playing process, once it is made
_fixtures: list[FixtureDb] = []


def _play(seed: int) -> Outcome:
    """Play a seed on this process's own fixture."""
    if not _fixtures:
        _fixtures.append(_open.enter_context(FixtureDb()))
        _open.enter_context(probes.count_results())
        multiprocessing.util.Finalize(None, _open.close, exitpriority=1)
    return play_seed(_fixtures[0], seed)


def play_all(
    seeds: Sequence[int], *, jobs: int, database: str = "", keep: bool = False
) -> Generator[Outcome, None, None]:
    """Play seeds in `jobs` processes; outcomes are yielded as they finish. Stories are kept by a
    single process only.
    """
    if jobs == 1:
        yield from play_portion(Portion(tuple(seeds), database, keep=keep))
        return
    with _deaf_to_the_keyboard():
        pool = multiprocessing.get_context("spawn").Pool(jobs)
    with pool:
        yield from pool.imap_unordered(_play, seeds)
        pool.close()
        pool.join()


@contextmanager
def _deaf_to_the_keyboard() -> Iterator[None]:
    """Have processes started during the block ignore Ctrl-C; this process stops them."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def never_fired(fired: Counter[str], *, on_postgres: bool = False) -> list[str]:
    """Return the faults that were never made and the branches that were never taken."""
    people = (
        *press.KINDS,
        *visitors.KINDS,
        *lookers.KINDS,
        *correspondents.KINDS,
        *crowds.KINDS,
        *gatherings.KINDS,
    )
    people = (
        *people,
        *directors.KINDS,
        *onlookers.KINDS,
        *intruders.KINDS,
        *salters.KINDS,
        *handovers.KINDS,
        *absentees.KINDS,
        *leaps.KINDS,
        *tournaments.KINDS,
        *witnesses.KINDS,
    )
    made = (*KINDS, *probes.BRANCHES, *masters.ACTS, *people, players.ASKED)
    waits = {WAITED} if on_postgres else {probes.BUSY, upgrades.UPGRADED}
    return [kind for kind in (*made, *waits) if not fired[kind]]


def simulate(
    seeds: Sequence[int],
    *,
    jobs: int,
    database: str,
    say: Callable[[str], None],
    story: bool = False,
) -> bool:
    """Play seeds and print their outcomes, with the whole story if requested; return whether all is
    well.
    """
    begun, fired, failed, points = time.monotonic(), Counter[str](), 0, 0
    for outcome in play_all(seeds, jobs=jobs, database=database, keep=story):
        for line in outcome.lines:
            say(line)
        fired += outcome.fired
        points += outcome.points
        failed += bool(outcome.failures)
        for failure in outcome.failures:
            say(f"seed {outcome.seed}: {failure}")
        if outcome.failures:
            say(
                f"    repeat it: script/simulate --seeds 1 --from {outcome.seed}{_place(database)}"
                " --story"
            )
    took = time.monotonic() - begun
    rate = f"{len(seeds) / took:.1f} seeds/s in {jobs} process{'es' if jobs > 1 else ''}"
    say(
        f"{len(seeds)} seeds, {failed} of them failed; {rate}, {points // len(seeds)} points a seed"
    )
    say("made and taken: " + ", ".join(f"{kind} {count}" for kind, count in sorted(fired.items())))
    missing = never_fired(fired, on_postgres=bool(database)) if len(seeds) >= ENOUGH else []
    if missing:
        say("never: " + ", ".join(missing))
    return not failed and not missing


def _place(database: str) -> str:
    return f" --database {shown(database)}" if database else ""


def at_least(least: int) -> Callable[[str], int]:
    """Return a parser for whole numbers of at least `least`."""

    def read(text: str) -> int:
        if not text.removeprefix("-").isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"“{text}” is no whole number from {least}")
        return int(text)

    return read


def _interrupt(_: int, __: object) -> None:
    """End as on Ctrl-C, also where the code that runs swallows the exception."""
    World.interrupted = True
    raise KeyboardInterrupt


def _tell_swallowed(told: "sys.UnraisableHookArgs") -> None:
    """Say nothing of an interrupt that came in a callback of the interpreter, which swallows it:
    the world ends by `interrupted`.
    """
    if told.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(told)


def main() -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="script/simulate", description="Break the service on purpose, in a world of its own."
    )
    parser.add_argument(
        "--seeds", type=at_least(1), default=300, metavar="N", help="how many (300)"
    )
    parser.add_argument(
        "--from", dest="first", type=at_least(0), default=0, metavar="S", help="the first seed (0)"
    )
    parser.add_argument(
        "--database",
        default="",
        metavar="URL",
        help="an empty PostgreSQL database to play on; else SQLite in memory",
    )
    parser.add_argument(
        "--jobs",
        type=at_least(1),
        default=os.cpu_count() or 1,
        metavar="J",
        help="processes; one where --database is given",
    )
    parser.add_argument("--story", action="store_true", help="show everything that happens")
    told = parser.parse_args()
    seeds = range(told.first, told.first + told.seeds)
    sys.unraisablehook = _tell_swallowed
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with nothing_left_behind():
            jobs = 1 if told.database or told.story else min(told.jobs, told.seeds)
            well = simulate(
                seeds, jobs=jobs, database=told.database, say=click.echo, story=told.story
            )
    except HostFault as fault:
        parser.exit(2, f"{fault}\n")
    except KeyboardInterrupt:
        parser.exit(INTERRUPTED, "Interrupted: nothing is left behind.\n")
    except BrokenPipeError:  # such as `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        parser.exit(1)
    raise SystemExit(not well)


if __name__ == "__main__":
    main()
