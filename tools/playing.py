"""Whole matches for benchmarks: house bots against each other, with chance that needs no long hash
chain.
"""

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from adjudicator.core.chance import STREAMS, ChainChance, Setting
from adjudicator.core.game import AnyGame, Pick, Seat
from adjudicator.core.options import OptionValue, complete_options
from adjudicator.play import bots

MOST_PHASES = 4000
LIMITS = {"year_limit": 1907}
"""Options that end a match which could otherwise go on for ever, where a game has them."""

Player = Callable[[AnyGame, Any, Seat, Pick], str]
"""Returns the orders of a due seat as text, from the game, the state, the seat and a source of
random choices.
"""


def bot_player(skill: bots.Skill) -> Player:
    """Return a house bot as a player."""
    return lambda game, state, seat, pick: bots.choose_orders(
        game, state, seat, skill=skill, pick=pick
    )


def chance_of(match: str, phase: int) -> ChainChance:
    """Return the chance of a phase, with hashes of names as chain elements."""
    elements = {
        name: hashlib.sha256(f"{match} {phase} {name}".encode()).digest() for name in STREAMS
    }
    return ChainChance(
        {name: lambda name=name: elements[name] for name in STREAMS}, Setting(match, phase)
    )  # type: ignore[misc]  # bound now


@dataclass(frozen=True)
class Step:
    """A phase before its adjudication."""

    number: int
    state: Any
    texts: Mapping[Seat, str]
    orders: Mapping[Seat, tuple[Any, ...]]


def play_steps(
    game: AnyGame,
    seats: tuple[Seat, ...],
    players: Mapping[Seat, Player],
    match: str,
    options: Mapping[str, OptionValue] | None = None,
) -> Iterator[Step]:
    """Yield the phases of a match; the last step has the final state and no orders."""
    dice = random.Random(match)  # noqa: S311 no secret
    limits = {
        option.name: LIMITS[option.name] for option in game.about.options if option.name in LIMITS
    }
    state = game.start(
        seats,
        complete_options(game.about, {**limits, **(options or {})}, players=len(seats)),
        chance_of(match, 0),
    )
    for number in range(1, MOST_PHASES):
        due = game.phase(state).due
        texts = {seat: players[seat](game, state, seat, dice.choice) for seat in due}
        orders = {seat: game.parse(state, seat, text).orders for seat, text in texts.items()}
        yield Step(number, state, texts, orders)
        if not due:
            return
        state = game.adjudicate(state, orders, chance_of(match, number)).state
