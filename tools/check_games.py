"""Replays recorded phases and prints where the rules differ from the file: `script/check-games
FILE`.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator.commands.adjudicate import EDITIONS, GAMES, load_line, numbered_lines
from adjudicator.games.diplomacy.exchange.exchange import answer_line, rules_of
from adjudicator.games.diplomacy.exchange.lines import LineFault
from adjudicator.games.diplomacy.model.editions import Rules
from adjudicator.platform.errors import HostFault

FIELDS = ("units", "dislodged", "centres", "attackers", "contested", "characteristics")


@dataclass
class Figures:
    """Counts of a run."""

    lines: int = 0
    compared: int = 0
    different: int = 0


def differences(rules: Rules, line: Mapping[str, Any]) -> list[str]:
    """Return where the rules differ from a line; only fields that the line has are compared. Raises
    LineFault.
    """
    given = answer_line(rules, line)
    recorded = line["after"]
    found = [
        _sentence(key, recorded[key], given["after"].get(key)) for key in FIELDS if key in recorded
    ]
    found += [
        _sentence(key, line[key], given[key])
        for key in ("outcomes", "revealed")
        if key in line and key in given
    ]
    return [sentence for sentence in found if sentence]


def _sentence(key: str, recorded: Any, given: Any) -> str:
    """Return the difference in one field, ignoring the order of lists and powers with empty
    values.
    """
    if not isinstance(recorded, Mapping) or not isinstance(given, Mapping):
        same = sorted(recorded or ()) == sorted(given or ())
        return "" if same else f"{key}: recorded {recorded}, the rules give {given}"
    each = [
        name
        for name in sorted({*recorded, *given})
        if _plain(recorded.get(name)) != _plain(given.get(name))
    ]
    told = (
        f"{name} recorded {_told(recorded.get(name))}, the rules give {_told(given.get(name))}"
        for name in each
    )
    return f"{key}: {'; '.join(told)}" if each else ""


def _plain(value: Any) -> Any:
    return sorted(value) if isinstance(value, list) else value or []


def _told(value: Any) -> str:
    return ", ".join(sorted(value)) if isinstance(value, list) else str(value or "nothing")


def check_file(file: Path, rules: Rules, figures: Figures) -> Iterator[str]:
    """Yield a sentence for each difference and each invalid line, and count them."""
    for number, raw in numbered_lines(file):
        figures.lines += 1
        try:
            line = load_line(raw)
            if not isinstance(line, dict) or not isinstance(line.get("after"), dict):
                continue
            figures.compared += 1
            found = differences(rules, line)
        except LineFault as fault:
            line, found = {}, [str(fault)]
        figures.different += bool(found)
        where = " ".join(
            ("line", str(number), *(str(line[key]) for key in ("game", "phase") if key in line))
        )
        yield from (f"{where}: {sentence}" for sentence in found)


def main(arguments: list[str]) -> int:
    """Check a file; return 1 if anything differs, 2 if it cannot be read."""
    parser = argparse.ArgumentParser(prog="script/check-games", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--game", choices=GAMES, default="diplomacy")
    parser.add_argument("--edition", choices=EDITIONS, default="via")
    chosen = parser.parse_args(arguments)
    figures, begin = Figures(), time.perf_counter()
    try:
        for sentence in check_file(chosen.file, rules_of(chosen.game, chosen.edition), figures):
            sys.stdout.write(sentence + "\n")
    except (HostFault, OSError) as fault:
        sys.stderr.write(f"{fault}\n")
        return 2
    seconds = time.perf_counter() - begin
    sys.stdout.write(
        f"{figures.lines} phases, {figures.compared} compared, {figures.different} different "
        f"(edition {chosen.edition}; {figures.lines / seconds:.0f} a second)\n"
    )
    return 1 if figures.different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
