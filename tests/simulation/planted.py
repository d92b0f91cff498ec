"""Planted bugs: each is patched into a copy of the tree, and seeds are played there until the
simulator finds it.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import click

from tests.simulation import probes
from tests.simulation.fixture_db import FixtureDb, nothing_left_behind
from tests.simulation.run import play_seed
from tests.simulation.simulate import at_least

ROOT = Path(__file__).parents[2]
BUGS = Path(__file__).with_name("bugs")
ENOUGH = 0.95  # fraction of the bugs that must be found
LONGEST_SEED = 300.0  # seconds after which a hanging seed is given up
_COPIED = ("adjudicator", "worker", "templates", "tests/simulation")
_STUMBLES = "the simulator stumbles"


class Rotted(Exception):
    """A patch no longer fits the tree: its text occurs never, or more than once."""


@dataclass(frozen=True)
class Edit:
    """One change to a file, in which the old text occurs exactly once."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Bug:
    """A bug that somebody might have written."""

    name: str
    wrong: str  # a sentence
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Found:
    """The check that found a bug; `seed` is None if none did."""

    bug: Bug
    seed: int | None
    checks: tuple[str, ...]
    seconds: float


def load() -> tuple[Bug, ...]:
    """Return all bugs, in the order of their files."""
    plain = [
        each
        for file in sorted(BUGS.glob("*.toml"))
        for each in tomllib.loads(file.read_text())["bug"]
    ]
    return tuple(
        Bug(each["name"], each["wrong"], tuple(Edit(**edit) for edit in each["edit"]))
        for each in plain
    )


def apply(bug: Bug, root: Path) -> None:
    """Patch a tree, completely or not at all. Raises Rotted with a sentence."""
    texts: dict[Path, str] = {}
    for edit in bug.edits:
        file = root / edit.file
        text = texts.get(file) or file.read_text()
        if text.count(edit.old) != 1:
            raise Rotted(
                f"{bug.name}: this stands {text.count(edit.old)} times in {edit.file}:"
                f" {edit.old.strip()[:100]}"
            )
        texts[file] = text.replace(edit.old, edit.new)
    for file, text in texts.items():
        file.write_text(text)


def copy_tree(to: Path, tree: Path = ROOT) -> Path:
    """Copy what a world needs; compiled files are copied too, since they stay valid."""
    for name in _COPIED:
        shutil.copytree(tree / name, to / name)
    for file in (tree / "verify_match.py", *(tree / "tests").glob("*.py")):
        shutil.copyfile(file, to / file.relative_to(tree))
    return to


# --- in the copy


def play(first: int, count: int, say: Callable[[str], None]) -> None:
    """Play seeds until one fails; print for each a line of JSON with its number and failures."""
    with FixtureDb() as fixture_db, probes.count_results():
        for seed in range(first, first + count):
            try:
                failures = play_seed(fixture_db, seed).failures
            except Exception as fault:  # noqa: BLE001 the bug may well be what the simulator stumbles over
                failures = (f"{_STUMBLES}: {type(fault).__name__}: {fault}",)
            say(json.dumps([seed, *failures]))
            if failures:
                return


# --- in the parent


def play_copy(root: Path, first: int, count: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Play seeds in a copy, in a process of its own; a hanging seed fails."""
    command = [sys.executable, "-m", "tests.simulation.planted", "--play", str(first), str(count)]
    environment = os.environ | {"PYTHONHASHSEED": "0", "PYTHONPATH": str(root)}
    last = first - 1
    with subprocess.Popen(
        command,
        cwd=root,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            while True:
                impatient = threading.Timer(LONGEST_SEED, process.kill)
                impatient.start()
                line = process.stdout.readline()
                impatient.cancel()
                if not line:
                    break
                last, *failures = json.loads(line)
                yield last, tuple(failures)
        finally:
            process.kill()
    if process.returncode and last < first + count - 1:
        yield last + 1, (f"{_STUMBLES}: it stood still, or ended",)


class Hunt:
    """Looks for planted bugs, several at a time; no seed is played without a bug twice."""

    def __init__(self, seeds: int, folder: Path) -> None:
        self._seeds, self._folder = seeds, folder
        self._sound = copy_tree(folder / "sound")
        self._well: dict[int, bool] = {}
        self._lock = threading.Lock()

    def is_well(self, seed: int) -> bool:
        """Whether this seed passes on the unchanged tree. Raises Rotted where no world can be
        played there.
        """
        with self._lock:
            if seed not in self._well:
                failures = [each for _, found in play_copy(self._sound, seed, 1) for each in found]
                if any(each.startswith(_STUMBLES) for each in failures):
                    raise Rotted(f"without a bug seed {seed} fails, too: {failures[0]}")
                self._well[seed] = not failures
            return self._well[seed]

    def find(self, bug: Bug) -> Found:
        """Play seeds with a bug until one fails that passes without it. Raises Rotted."""
        begun, first = time.monotonic(), 0
        root = copy_tree(self._folder / bug.name, self._sound)
        apply(bug, root)
        while first < self._seeds:
            for seed, failures in play_copy(root, first, self._seeds - first):
                first = seed + 1
                if failures and self.is_well(seed):
                    shutil.rmtree(root)
                    checks = dict.fromkeys(failure.partition(":")[0] for failure in failures)
                    return Found(bug, seed, tuple(checks), time.monotonic() - begun)
        shutil.rmtree(root)
        return Found(bug, None, (), time.monotonic() - begun)


def hunt_bugs(bugs: Sequence[Bug], *, seeds: int, jobs: int, say: Callable[[str], None]) -> bool:
    """Look for bugs and print the table row by row; return whether enough were found."""
    say("| bug | what is wrong | seed | what told of it | seconds |\n|---|---|---|---|---|")
    missed = 0
    with (
        nothing_left_behind(),
        tempfile.TemporaryDirectory(prefix="sealed-planted-") as folder,
        ThreadPoolExecutor(jobs) as pool,
    ):
        hunter = Hunt(seeds, Path(folder))
        for done in as_completed([pool.submit(hunter.find, bug) for bug in bugs]):
            missed += done.result().seed is None
            say(_row(done.result()))
    say(f"\n{len(bugs) - missed} of {len(bugs)} bugs were found within {seeds} seeds")
    return len(bugs) - missed >= ENOUGH * len(bugs)


def _row(found: Found) -> str:
    first, *more = found.checks or ("nothing",)
    told = first + (f", and {len(more)} more" if more else "")
    return (
        f"| {found.bug.name} | {found.bug.wrong} | {'-' if found.seed is None else found.seed} |"
        f" {told} | {found.seconds:.0f} |"
    )


def main() -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="script/planted",
        description="Plant bugs in a copy, and see whether the simulator finds them.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="bugs (all)")
    parser.add_argument(
        "--seeds", type=at_least(1), default=300, help="how many each may take (300)"
    )
    parser.add_argument(
        "--jobs", type=at_least(1), default=os.cpu_count() or 1, help="bugs at a time"
    )
    # used by the process in the copy
    parser.add_argument("--play", nargs=2, type=int, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.play:
        play(*told.play, say=lambda line: click.echo(line))
        return
    known = {bug.name: bug for bug in load()}
    if unknown := set(told.names) - set(known):
        parser.error(f"there is no bug {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    bugs = [known[name] for name in told.names] or list(known.values())
    try:
        raise SystemExit(not hunt_bugs(bugs, seeds=told.seeds, jobs=told.jobs, say=click.echo))
    except Rotted as fault:
        raise SystemExit(str(fault)) from fault


if __name__ == "__main__":
    main()
