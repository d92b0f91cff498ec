"""Runs scenarios one after another and prints their outcomes; `script/chaos --help`."""

import argparse
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from adjudicator.platform import clock
from tests.chaos import rates
from tests.chaos.audit import NEAR, Audit, Verdict, first_findings
from tests.chaos.disk import NO_DISK, NoDisk
from tests.chaos.roles import wait_until
from tests.chaos.scenarios import SCENARIOS, Scenario
from tests.chaos.tables import matches_needed
from tests.chaos.world import Unfit, World

RATE = 1.2  # submissions a second
WARM_SECONDS = 10.0
BACK_SECONDS = 60.0  # within which the rate has to recover
# limits, because the service is to fail and not the machine
HIGHEST_RATE, LONGEST_MINUTES = 50, 120
ROUNDS = 8  # of a match whose players can close phases
NAMES = ("closed", "accepted", "letters")

Say = Callable[[str], None]


@dataclass(frozen=True)
class Pace:
    """The duration of each part of a run, in seconds."""

    warm: float
    before: float
    faults: float
    turn: float  # between two rounds of a match; also the window of the rates
    back: float

    @classmethod
    def of(cls, faults: float) -> "Pace":
        """Choose the turn so that matches last until the rates must have recovered."""
        turn = (WARM_SECONDS + faults + BACK_SECONDS) / (ROUNDS - 3)
        return cls(WARM_SECONDS, turn * 1.5, faults, turn, BACK_SECONDS)


@dataclass(frozen=True)
class Outcome:
    """The outcome of a scenario."""

    name: str
    faults: int
    closed: int
    accepted: int
    letters: tuple[int, int]  # in, out
    verdict: Verdict
    rates: dict[str, tuple[float, float, float]]  # per second: before, during, after
    recovery: dict[str, float | None]
    goes_on: float = 0  # the fraction of each rate to be kept up during the faults

    @property
    def slowest(self) -> float | None:
        """The longest recovery; None if a rate did not recover in time."""
        return (
            None
            if None in self.recovery.values()
            else max(each for each in self.recovery.values() if each is not None)
        )

    @property
    def stood_still(self) -> list[str]:
        """Return the rates that were too low during the faults."""
        return [
            name
            for name, (before, during, _) in self.rates.items()
            if during < before * self.goes_on
        ]

    @property
    def held(self) -> bool:
        """Whether every promise was kept."""
        return self.verdict.sound and self.slowest is not None and not self.stood_still


@contextmanager
def open_world(scenario: Scenario, say: Say, *, keep: bool) -> Iterator[World]:
    """Create a world in a new folder; remove everything afterwards but, with `keep`, its logs."""
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix=f"sealed-chaos-{scenario.name}-"))
        folder.chmod(0o711)  # PostgreSQL's user needs access
        stack.callback(_leave, folder, say, keep=keep)
        yield World(folder, scenario.layout, say, stack)


def _leave(folder: Path, say: Say, *, keep: bool) -> None:
    if keep:
        say(f"its logs and ledgers are in {folder}")
    for entry in folder.iterdir():
        if keep and entry.suffix in (".log", ".jsonl"):
            continue
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    if not keep:
        folder.rmdir()


def play_scenario(
    scenario: Scenario,
    pace: Pace,
    rate: float,
    say: Say,
    *,
    keep: bool = False,
    hurry: bool = False,
    near: float = NEAR,
) -> Outcome:
    """Run one scenario to its end; `near` as of the audit. Raises Unfit, NoDisk."""
    with open_world(scenario, say, keep=keep) as here:
        here.start(matches_needed(rate, pace.turn), pace.turn)
        here.wait(pace.warm + pace.before)
        begin = clock.now().timestamp()
        scenario.breaks(here, pace.faults, Random(scenario.name))
        end = clock.now().timestamp()
        wait_until(
            pace.turn + pace.back,
            lambda: None not in _recovery(here, pace, begin, end).values(),
            here.tick,
        )
        rated = clock.now().timestamp()
        recovery, measured = (
            _recovery(here, pace, begin, end),
            _rates(here, pace, begin, end, rated),
        )
        here.finish(hurry=hurry)
        audit = Audit(here.ledger(), here.facts(), near)
    closed = sum(
        phase.closed is not None and phase.last_call is not None for phase in audit.facts.phases
    )
    forms = sum(each.fate in ("accepted", "late") for each in audit.ledger.handed)
    letters = (len(audit.ledger.posted), sum(each.kept for each in audit.ledger.kept))
    return Outcome(
        scenario.name,
        len(here.faults),
        closed,
        forms + letters[0],
        letters,
        audit.verdict(),
        measured,
        recovery,
        scenario.goes_on,
    )


def _series(here: World) -> dict[str, list[float]]:
    ledger = here.ledger()
    return dict(
        zip(
            NAMES,
            (
                here.closings(),
                ledger.accepted_at(),
                sorted(each.at for each in ledger.kept if each.kept),
            ),
            strict=True,
        )
    )


def _recovery(here: World, pace: Pace, begin: float, end: float) -> dict[str, float | None]:
    now = clock.now().timestamp()
    return {
        name: rates.recovery_seconds(
            moments, rates.event_rate(moments, begin - pace.before, begin), end, pace.turn, now
        )
        for name, moments in _series(here).items()
    }


def _rates(
    here: World, pace: Pace, begin: float, end: float, now: float
) -> dict[str, tuple[float, float, float]]:
    spans = ((begin - pace.before, begin), (begin, end), (max(now - pace.turn, end), now))
    found = {
        name: [rates.event_rate(moments, *span) for span in spans]
        for name, moments in _series(here).items()
    }
    return {name: (before, during, after) for name, (before, during, after) in found.items()}


# --- the command


def print_outcome(outcome: Outcome, say: Say) -> None:
    """Print the outcome of one scenario."""
    for name, (before, during, after) in outcome.rates.items():
        back = outcome.recovery[name]
        fate = "not back in time" if back is None else f"back after {back:.1f} s"
        say(
            f"  {name:9} a second: {before:.2f} before, {during:.2f} during, {after:.2f} after;"
            f" {fate}"
        )
    for name in outcome.stood_still:
        say(
            f"  {name}: less than {outcome.goes_on:.0%} of the rate before was kept up during the"
            " faults"
        )
    for kind in ("lost", "double", "other"):
        for sentence in first_findings(getattr(outcome.verdict, kind)):
            say(f"  {kind}: {sentence}")


def print_table(outcomes: list[Outcome], say: Say) -> None:
    """Print the outcomes of all scenarios."""
    heads = (
        "scenario",
        "faults",
        "phases",
        "orders",
        "letters in/out",
        "lost",
        "double",
        "other",
        "again",
        "held",
        "back after",
    )
    rows = [heads, *(_row(each) for each in outcomes)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(heads))]
    say("")
    for row in rows:
        say(
            "  ".join(
                cell.ljust(width) if not place else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
        )
    say(
        "lost, double, other: promises broken; again: letters sent twice for a fault; held: letters"
        " to an address that was refused"
    )


def _row(each: Outcome) -> tuple[str, ...]:
    verdict = each.verdict
    counts = (
        len(verdict.lost),
        len(verdict.double),
        len(verdict.other),
        verdict.repeats,
        verdict.held,
    )
    back = "never" if each.slowest is None else f"{each.slowest:.1f} s"
    return (
        each.name,
        str(each.faults),
        str(each.closed),
        str(each.accepted),
        "/".join(map(str, each.letters)),
        *map(str, counts),
        back,
    )


def main(arguments: list[str], say: Say) -> int:
    """Run the requested scenarios; return 0 if every promise was kept, 1 if not, 77 if only a small
    disk was missing.
    """
    asked = _parse(arguments)
    for number in (signal.SIGINT, signal.SIGTERM):
        # context managers then end everything
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    outcomes, codes = list[Outcome](), {0}
    for scenario in (SCENARIOS[name] for name in asked.names or SCENARIOS):
        faults = max(scenario.seconds, asked.minutes * 60)
        say(f"# {scenario.name}: {scenario.says}, for {faults:.0f} s")
        try:
            outcomes.append(
                play_scenario(scenario, Pace.of(faults), asked.rate, say, keep=asked.keep)
            )
            print_outcome(outcomes[-1], say)
            codes.add(not outcomes[-1].held)
        except NoDisk as fault:
            say(str(fault))
            codes.add(NO_DISK)
        except Unfit as fault:
            say(f"  failed: {fault}")
            codes.add(1)
    print_table(outcomes, say)
    return 1 if 1 in codes else max(codes)


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="script/chaos", description="Break real processes on purpose, and count what was lost."
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="SCENARIO",
        help=f"some of {', '.join(SCENARIOS)}; all of them without a name",
    )
    parser.add_argument(
        "--minutes",
        type=float,
        default=0,
        metavar="M",
        help="how long each is broken, where that is longer than usual",
    )
    parser.add_argument(
        "--rate",
        type=float,
        default=RATE,
        metavar="R",
        help=f"orders handed in a second ({RATE:g})",
    )
    parser.add_argument("--keep", action="store_true", help="keep logs and ledgers")
    asked = parser.parse_args(arguments)
    unknown = [name for name in asked.names if name not in SCENARIOS]
    if unknown:
        parser.error(f"there is no scenario “{unknown[0]}”; there are {', '.join(SCENARIOS)}")
    if not (0 <= asked.minutes <= LONGEST_MINUTES and 0 < asked.rate <= HIGHEST_RATE):
        parser.error(
            f"--minutes takes up to {LONGEST_MINUTES}, and --rate more than 0 and up to"
            f" {HIGHEST_RATE}"
        )
    return asked


def _say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], _say))
