"""The command `script/interference`: compares pairs of matches, several at a time, and prints what
somebody else could notice.
"""

import argparse
import gc
import multiprocessing
import multiprocessing.util
import os
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count, islice
from pathlib import Path
from typing import TypeVar

import click

from tests.interference.pairs import Pair, pairs_of
from tests.interference.world import World
from tests.memory import in_memory

MOST_SHOWN = 10  # differences
NOT_IDLE = 0.5  # of the pairs of each kind, the part that the seat itself has to notice at least
FEW = 20  # pairs of a kind, below which that is not judged

Kind = TypeVar("Kind", bound=World)

_open = ExitStack()  # of a process of the pool, once it plays
_worlds: list[World] = []


@contextmanager
def a_world(kind: type[Kind] = World) -> Iterator[Kind]:  # type: ignore[assignment]  # the plain one is one of them
    """Make a world in a folder that is in memory where the system has room there."""
    with (
        tempfile.TemporaryDirectory(
            prefix="sealed-", dir=in_memory(), ignore_cleanup_errors=True
        ) as folder,
        kind(Path(folder)) as world,
    ):
        yield world


def play_seed(seed: int) -> list[Pair]:
    """Return the pairs of a seed, played in this process's own world."""
    if not _worlds:
        _worlds.append(_open.enter_context(a_world()))
        # everything that is loaded stays; looking at it again and again takes half of the time
        gc.freeze()
        gc.set_threshold(100_000, 50, 50)
        multiprocessing.util.Finalize(None, _open.close, exitpriority=1)
    return list(pairs_of(_worlds[0], seed))


def compare_pairs(number: int, *, first: int, jobs: int) -> Iterator[Pair]:
    """Yield this many pairs at least, those of one seed after another, from this seed on."""
    made, seeds = 0, count(first)
    with multiprocessing.get_context("spawn").Pool(jobs, initializer=_leave_to_the_parent) as pool:
        while made < number:
            for found in pool.imap_unordered(play_seed, list(islice(seeds, 16 * jobs))):
                made += len(found)
                yield from found
                if made >= number:
                    break
        pool.close()
        pool.terminate()


def _leave_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def report(pairs: Iterator[Pair], say: Callable[[str], None]) -> bool:
    """Print the differences, with a command that repeats each, and how many pairs there were;
    return whether all is well.
    """
    begun, made, own, shown = time.monotonic(), Counter[str](), Counter[str](), 0
    for pair in _until_interrupted(pairs, say):
        made[pair.name] += 1
        own[pair.name] += pair.own
        if pair.differences and shown < MOST_SHOWN:
            say(
                f"seed {pair.seed}, {pair.name}: {len(pair.differences)} differences;"
                f" {pair.differences[0]}"
            )
            say(f"    repeat it: script/interference --pairs 1 --from {pair.seed} --jobs 1")
        shown += bool(pair.differences)
    idle = [name for name in made if made[name] >= FEW and own[name] < NOT_IDLE * made[name]]
    for name in sorted(made):
        say(f"{name}: {made[name]} pairs; the seat itself saw the difference in {own[name]}")
    say(
        f"{made.total()} pairs in {time.monotonic() - begun:.0f} s; somebody else could notice a"
        f" difference in {shown}"
    )
    if idle:
        say(
            "these pairs hardly differ for the seat itself, so they prove little:"
            f" {', '.join(sorted(idle))}"
        )
    return not shown and not idle


def _until_interrupted(pairs: Iterator[Pair], say: Callable[[str], None]) -> Iterator[Pair]:
    """Yield the pairs up to Ctrl-C, after which those so far are reported."""
    try:
        yield from pairs
    except KeyboardInterrupt:
        say("Interrupted; what follows are the pairs so far.")


def main() -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="script/interference",
        description="Compare matches that differ only in what one seat hides.",
    )
    parser.add_argument(
        "--pairs",
        type=int,
        default=10_000,
        metavar="N",
        help="how many (10000); all of the last match are counted",
    )
    parser.add_argument(
        "--from", dest="first", type=int, default=0, metavar="S", help="the first seed (0)"
    )
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="processes"
    )
    told = parser.parse_args()
    raise SystemExit(
        not report(compare_pairs(told.pairs, first=told.first, jobs=told.jobs), click.echo)
    )


if __name__ == "__main__":
    main()
