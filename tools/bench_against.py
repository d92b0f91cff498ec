"""Benches of this state and of another commit, run in turns, and the ratio of each figure."""

import os
import re
import resource
import statistics
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

Say = Callable[[str], None]
Figures = dict[str, float]

ROUNDS = 3
USUAL = ("phases", "post", "pages", "load")
_FORMER = {"load": "storm"}  # names in earlier commits
_UNKNOWN = 2  # the exit status for a name that `script/bench` does not know
WHOLE_RUN = "seconds of the processor for the whole run"
_PINS = ("requirements-dev.txt", "requirements.txt")
_OWN = ("PYTHONPATH", "DATA_DIR", "VIRTUAL_ENV")  # `script/bench` of each state sets these
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")


class NoSuchCommit(Exception):
    """The commit to compare with is not in this repository."""


def bench_against(say: Say, here: Path, commit: str, names: Sequence[str]) -> None:
    """Run benches of the repository `here` and of a clone of it at `commit` in turns; print each
    figure of both, and its ratio. Raises NoSuchCommit.
    """
    with tempfile.TemporaryDirectory() as folder:
        before = clone_at(here, commit, Path(folder) / "before")
        for name in names or USUAL:
            say(f"# {name}: now, {commit} and their ratio, with its lowest and highest")
            rounds = [(_run(here, name), _run(before, name)) for _ in range(ROUNDS)]
            for line in compare([now for now, _ in rounds], [old for _, old in rounds]):
                say(line)


def clone_at(here: Path, commit: str, folder: Path) -> Path:
    """Clone a repository at a commit; the clone shares the environment if it needs the same
    packages, else makes its own. Raises NoSuchCommit.
    """
    found = _git(here, "rev-parse", "--quiet", "--verify", f"{commit}^{{commit}}")
    if found.returncode:
        raise NoSuchCommit(f"there is no commit “{commit}” here")
    _git(here, "clone", "--quiet", "--shared", "--no-checkout", ".", str(folder)).check_returncode()
    _git(folder, "checkout", "--quiet", "--detach", found.stdout.strip()).check_returncode()
    if all(_read(here / pins) == _read(folder / pins) for pins in _PINS):
        (folder / ".venv").symlink_to((here / ".venv").resolve())
    return folder


def _read(file: Path) -> bytes:
    return file.read_bytes() if file.exists() else b""


def _git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", "-C", folder, *words], capture_output=True, text=True)


def _run(folder: Path, name: str) -> Figures:
    """Run a bench of the state in a folder; return what it prints, and its seconds of the
    processor.
    """
    begun = _processor_seconds()
    done = _bench(folder, name)
    if done.returncode == _UNKNOWN and name in _FORMER:
        done = _bench(folder, _FORMER[name])
    done.check_returncode()
    return figures_of(done.stdout) | {WHOLE_RUN: _processor_seconds() - begun}


def _bench(folder: Path, name: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key not in _OWN}
    command = [str(folder / "script" / "bench"), name]
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)


def _processor_seconds() -> float:
    """Return the seconds of all processes that this one has started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def figures_of(printed: str) -> Figures:
    """Return the figures that a bench printed, each by its words, in which `#` is a number.

    A line is a title, a colon, and parts between commas; the title is part of each name, so that a
    state whose line has another part more gives the same names for the others.
    """
    figures: Figures = {}
    seen: Counter[str] = Counter()
    for line in printed.splitlines():
        title, colon, rest = line.rpartition(": ")
        for part in re.split(r"[,;] ", rest):
            words = _NUMBER.sub("#", f"{title}{colon}{part}")
            for number in _NUMBER.findall(part):
                seen[words] += 1
                name = words if seen[words] == 1 else f"{words} ({seen[words]})"
                figures[name] = float(number.replace(",", ""))
    return figures


def compare(now: Sequence[Figures], before: Sequence[Figures]) -> list[str]:
    """Return a line for each figure that all runs of both states have, and that is not the same in
    all.

    A pair of runs gives a ratio; printed are their median, the lowest and the highest.
    """
    names = [name for name in now[0] if all(name in figures for figures in (*now, *before))]
    return [
        line
        for name in names
        if (line := _line(name, [each[name] for each in now], [each[name] for each in before]))
    ]


def _line(name: str, now: Sequence[float], before: Sequence[float]) -> str:
    if not all(before) or len({*now, *before}) == 1:
        return ""
    ratios = [new / old for new, old in zip(now, before, strict=True)]
    return (
        f"{name}: {statistics.median(now):.4g} and {statistics.median(before):.4g},"
        f" {statistics.median(ratios):.2f} times ({min(ratios):.2f} to {max(ratios):.2f})"
    )
