"""Thrown stairs: the stairs of `sample_game` with a die that everybody sees in each turn, as short
or as long as a test wants.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from adjudicator.core.chance import Chance
from adjudicator.core.game import Adjudication, Seat
from adjudicator.core.options import Option
from tests.games.sample_game import STAIRS, Climb, adjudicate, start

LONG = 300  # forced turns of a long match


def start_with_throw(seats: tuple[Seat, ...], options: Mapping[str, Any], chance: Chance) -> Climb:
    """Lay the stairs, and throw a die of each stream."""
    for stream in (chance.public, chance.hidden):
        stream.die("first", 100)
    return start(seats, options, chance)


def throw(
    state: Climb, orders: Mapping[Seat, tuple[str, ...]], chance: Chance
) -> Adjudication[Climb]:
    """Climb, and throw a die."""
    chance.public.die("throw", 6)
    return adjudicate(state, orders, chance)


THROWN = replace(
    STAIRS,
    about=replace(
        STAIRS.about,
        key="thrown",
        options=(Option("forced", "Forced turns", 3, (3, LONG), ("three", "very many")),),
    ),
    start=start_with_throw,
    adjudicate=throw,
)
