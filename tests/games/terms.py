"""What the contract test has to know of each game; `terms.py` in the folder of the game's tests
says it.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from adjudicator.core.game import Seat
from adjudicator.core.options import OptionValue

Scramble = Callable[[Any, Seat | None, random.Random], Any]
"""Returns a state that differs in what a reader (None: an observer) may not know, and in nothing
else.
"""


@dataclass(frozen=True)
class Terms:
    """How the contract test plays a game."""

    most_phases: int  # the longest match; a game without end is played this far
    scramble: Scramble | None = None  # None: every seat knows everything once a phase is closed
    # the options with which there are secrets; {}: always
    hiding: Mapping[str, OptionValue] = field(default_factory=dict)


def all_terms() -> dict[str, Terms]:
    """Return the terms of every game that has tests, by its key."""
    found: dict[str, Terms] = {}
    for path in sorted(Path(__file__).parent.glob("*/terms.py")):
        found |= import_module(f"tests.games.{path.parent.name}.terms").TERMS
    return found
