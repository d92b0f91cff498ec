"""Reads the records of matches that were played elsewhere: phases as lines, or games as the
research tools save them (R8).
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from adjudicator.core.options import Options
from adjudicator.games.diplomacy.exchange.exchange import read_texts, rules_of
from adjudicator.games.diplomacy.exchange.lines import (
    PHASE,
    LineFault,
    read_position,
    write_position,
)
from adjudicator.games.diplomacy.exchange.loading import lines_of
from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.model.calendar import OPENING, phase_name
from adjudicator.games.diplomacy.model.state import State, position_of

GAME, EDITION = "diplomacy", "via"  # the edition that these tools play
MOST_GAMES = 10_000  # in one file
MOST_PHASES = 1_000  # of one game
MOST_ORDERS = 100  # texts of one power in one phase
LONGEST_ORDER = 100  # characters
_TOLD = ("units", "dislodged", "centres")
_MOST_TOLD = 4  # differences of one phase that are named


@dataclass(frozen=True)
class GamePhase:
    """A phase of a record."""

    name: str  # as `Phase.name` has it
    orders: Mapping[str, str]  # the text of each power that gave any
    # from our state after the phase: how it differs from the record, "" if it does not or is not
    # told
    difference: Callable[[Any], str]


@dataclass(frozen=True)
class GameRecord:
    """A match from its opening on, with all its seats."""

    game: str  # its key
    options: Options
    seats: tuple[str, ...]
    phases: tuple[GamePhase, ...]
    digest: bytes  # equal for two records of the same phases, orders and positions


def read_records(values: Iterable[object]) -> Iterator[GameRecord]:
    """Yield the matches of a file, of which each value is a phase or a saved game. Raises
    LineFault, which says of which value.

    Lines of phases with the same `game` follow each other and are one match.
    """
    lines: list[tuple[int, Mapping[str, Any]]] = []
    games = 0
    for number, value in enumerate(values, 1):
        with _at(number):
            found = _lines(value)
        for line in found:
            if lines and line.get("game") != lines[0][1].get("game"):
                yield _record(lines)
                games, lines = games + 1, []
            lines.append((number, line))
            with _at(number):
                if len(lines) > MOST_PHASES or games >= MOST_GAMES:
                    raise LineFault(
                        f"A file has {MOST_GAMES:,} games of {MOST_PHASES:,} phases at most."
                    )
    if lines:
        yield _record(lines)


@contextmanager
def _at(number: int) -> Iterator[None]:
    """Say of which value a LineFault is, unless that is known."""
    try:
        yield
    except LineFault as fault:
        fault.value = fault.value or number
        raise


def _lines(value: object) -> Iterable[Mapping[str, Any]]:
    if not isinstance(value, Mapping):
        raise LineFault(
            "Each line has to be a phase with “phase”, “before” and “orders”, or a saved game with"
            " “phases”."
        )
    if "phases" not in value:
        return [value]
    phases = value["phases"]
    if isinstance(phases, list) and len(phases) > MOST_PHASES:
        raise LineFault(f"A game has {MOST_PHASES:,} phases at most.")
    rules = {key: value[key] for key in ("game", "edition", "rules") if key in value}
    if rules.get("game", GAME) != GAME:
        raise LineFault("Only matches of Diplomacy by the standard rules can be imported.")
    record = {**value, "id": _fingerprint(value)}  # two games of one file may have the same name
    return list(lines_of(record, rules_of(GAME, EDITION)))


def _fingerprint(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _record(numbered: list[tuple[int, Mapping[str, Any]]]) -> GameRecord:
    """Return the match of these phases; raises LineFault unless it begins in Spring 1901 with all
    powers.
    """
    phases: list[GamePhase] = []
    for number, line in numbered:
        with _at(number):
            phase = _phase(line)
            if phase.orders and any(each.name == phase.name for each in phases):
                raise LineFault(
                    f"A record has each phase only once, and {phase.name} is here again."
                )
            phases.append(phase)
    with _at(numbered[0][0]):
        return _whole_record([line for _, line in numbered], phases)


def _whole_record(lines: list[Mapping[str, Any]], phases: list[GamePhase]) -> GameRecord:
    first = read_position(lines[0].get("phase"), lines[0].get("before"))
    opening = {unit: power for power, units in STANDARD.opening.items() for unit in units}
    if first.phase != OPENING or first.owner != opening:
        raise LineFault(
            "A record has to begin in Spring 1901 with all seven powers where the rules put them."
        )
    if not phases[-1].orders:
        phases = phases[:-1]  # not adjudicated yet
    names = [phase.name for phase in phases]
    if not phases or len(set(names)) < len(names):  # a phase without orders that comes once more
        raise LineFault("A record needs orders, and each phase only once.")
    summary = [[line.get("phase"), line.get("orders"), line.get("after")] for line in lines]
    digest = hashlib.sha256(json.dumps(summary, sort_keys=True).encode()).digest()
    return GameRecord(
        GAME, {"edition": EDITION, "press": "none"}, STANDARD.powers, tuple(phases), digest
    )


def _phase(line: Mapping[str, Any]) -> GamePhase:
    code = line.get("phase")
    if not isinstance(code, str) or not PHASE.fullmatch(code):
        raise LineFault(
            f"The phase is “{str(code)[:20]}”; it would be like S1901M, F1901R or W1901A."
        )
    orders = {}
    for power, texts in read_texts(line.get("orders")).items():
        if len(texts) > MOST_ORDERS or any(len(text) > LONGEST_ORDER for text in texts):
            raise LineFault(f"{power} has more or longer orders in {code} than any position needs.")
        orders[power] = "\n".join(" ".join(text.split()) for text in texts)
    return GamePhase(phase_name(code), orders, partial(_difference, _wanted(line.get("after"))))


def _wanted(after: object) -> dict[str, set[tuple[str, str]]] | None:
    """Return what a record says of the position after a phase, None where it says nothing."""
    if after is None:
        return None
    if not isinstance(after, Mapping):
        raise LineFault('“after” has to be an object with "units", "dislodged" and "centres".')
    try:
        return _holdings_of(write_position(read_position("S1901R", after)))
    except LineFault as fault:
        raise LineFault(f"In “after”: {fault}") from fault


def _holdings_of(written: Mapping[str, Any]) -> dict[str, set[tuple[str, str]]]:
    """Return who has which units, dislodged units and centres."""
    return {
        key: {(power, each) for power, own in written[key].items() for each in own} for key in _TOLD
    }


def _difference(wanted: Mapping[str, set[tuple[str, str]]] | None, state: State) -> str:
    """Return how a state differs from the position of the record: what only one of them has; "" if
    nothing.
    """
    if wanted is None:
        return ""
    now = position_of(state)
    ours = _holdings_of(write_position(now))
    # a record may list units that had no retreat
    wanted = {**wanted, "dislodged": wanted["dislodged"] & ours["dislodged"]}
    here = [
        f"{power.capitalize()} has {each} here"
        for key in _TOLD
        for power, each in sorted(ours[key] - wanted[key])
    ]
    there = [
        f"{power.capitalize()} has {each} there"
        for key in _TOLD
        for power, each in sorted(wanted[key] - ours[key])
    ]
    samples = [*here[:_MOST_TOLD], *there[:_MOST_TOLD]]
    return ", ".join(samples) + (" and more" if len(samples) < len(here) + len(there) else "")
