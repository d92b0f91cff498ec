"""What the contract test has to know of a game: `terms.py` in the folder of its tests says it, for each key."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from adjudicator.core.game import Seat
from adjudicator.core.options import OptionValue

Scramble = Callable[[Any, Seat | None, random.Random], Any]
"""Returns a state that differs in what a reader (None: an observer) may not know, and in nothing else."""


@dataclass(frozen=True)
class Terms:
    """How a game is played by the contract test."""

    most_phases: int  # that a match can last; a game that may go on for ever is played this far
    scramble: Scramble | None = None  # None: every seat knows everything once a phase is closed
    hiding: Mapping[str, OptionValue] = field(default_factory=dict)  # the options with which there are secrets, {} where there always are


def all_terms() -> dict[str, Terms]:
    """Return the terms of every game that has tests, by its key."""
    found: dict[str, Terms] = {}
    for path in sorted(Path(__file__).parent.glob("*/terms.py")):
        found |= import_module(f"tests.games.{path.parent.name}.terms").TERMS
    return found
