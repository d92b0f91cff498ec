"""Support of the contract test: plays matches of every game with random choices, and checks
pictures.
"""

import json
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

from adjudicator import catalogue
from adjudicator.core import codec
from adjudicator.core.chance import ChainChance, Setting, first_element, of_phase
from adjudicator.core.game import Adjudication, AnyGame, Phase, Seat
from adjudicator.core.options import Option, OptionValue, complete_options
from adjudicator.play import bots
from tests.games.terms import Terms, all_terms
from tests.sampling import EVERY_CASE, sample

SEEDS = (1, 2)
GLIMPSES, FEW_GLIMPSES = 12, 4  # few of a match that differs from another only by an option
TERMS = all_terms()


@dataclass(frozen=True)
class Case:
    """One match to be played."""

    key: str
    seats: tuple[Seat, ...]
    options: tuple[tuple[str, OptionValue], ...]  # the ones that differ from their default
    seed: int

    def __str__(self) -> str:
        return "-".join(
            [
                self.key,
                str(len(self.seats)),
                *(f"{name}={value}" for name, value in self.options),
                str(self.seed),
            ]
        )

    @property
    def game(self) -> AnyGame:
        return catalogue.game(self.key)

    @property
    def terms(self) -> Terms:
        return TERMS[self.key]

    @property
    def is_open(self) -> bool:
        """Whether every seat knows everything in this match once a phase is closed."""
        return (
            self.terms.scramble is None
            or not self.terms.hiding.items() <= dict(self.options).items()
        )

    @property
    def start(self) -> Any:
        """The first state, which holds all options that the game itself reads."""
        return self.game.start(
            self.seats,
            complete_options(self.game.about, dict(self.options), players=len(self.seats)),
            self.chance(0),
        )

    @property
    def beginning(self) -> tuple[object, ...]:
        """All that the course of a match depends on."""
        return (
            self.key,
            self.seats,
            self.seed,
            json.dumps(codec.dump(self.game.kinds.state, self.start)),
        )

    def chance(self, phase: int) -> ChainChance:
        seed = self.seed.to_bytes(32, "big")
        return of_phase(
            {"public": first_element(seed, "public"), "hidden": first_element(seed, "hidden")},
            Setting("", phase),
        )


@dataclass(frozen=True)
class Step:
    """One phase of a match: the state before, the orders and the adjudication."""

    before: Any
    phase: Phase
    orders: Mapping[Seat, tuple[Any, ...]]
    done: Adjudication[Any]


@dataclass(frozen=True)
class Playthrough:
    """A whole match."""

    case: Case
    start: Any
    steps: tuple[Step, ...]

    @property
    def states(self) -> tuple[Any, ...]:
        return (self.start, *(step.done.state for step in self.steps))

    @property
    def glimpses(self) -> tuple[Any, ...]:
        """Some of the states, spread over the match, because a picture of each would take too
        long.
        """
        apart = max(
            1,
            len(self.states)
            // (FEW_GLIMPSES if self.case.options and not EVERY_CASE else GLIMPSES),
        )
        return (*self.states[::apart], self.states[-1])


@cache
def cases() -> tuple[Case, ...]:
    """Return the matches to play: each game for each number of players, twice for the most; once
    with each value of each option.

    Options that change nothing of a game's state, such as its press, are not played again; neither
    are the same ones of a preset.
    """
    found: dict[object, Case] = {}
    for game in catalogue.every_game():
        for case in (*_by_number(game), *_by_option(game)):
            found.setdefault(case.beginning, case)
    return tuple(found.values())


def _by_number(game: AnyGame) -> list[Case]:
    most = max(game.about.seats)
    return [
        Case(game.about.key, seats, (), seed)
        for number, seats in game.about.seats.items()
        for seed in SEEDS[: 2 if number == most else 1]
    ]


def _by_option(game: AnyGame) -> list[Case]:
    """Return a match for each set of options, with the fewest players that it is for."""
    found = []
    for options in _option_sets(game):
        numbers = [number for number in game.about.seats if _possible(game, options, number)]
        found.append(Case(game.about.key, game.about.seats[min(numbers)], options, SEEDS[0]))
    return found


def _option_sets(game: AnyGame) -> list[tuple[tuple[str, OptionValue], ...]]:
    single = [
        ((option.name, value),)
        for option in game.about.options
        for value in _telling(option)
        if value != option.default
    ]
    return [*single, *(tuple(preset.options.items()) for preset in game.about.presets)]


def _telling(option: Option) -> tuple[OptionValue, ...]:
    """Return the values to play: all of them, but of a typed option only the first two numbers and
    the last.
    """
    return (*option.numbers[:2], option.numbers[-1]) if option.typed else option.values


def _possible(game: AnyGame, options: tuple[tuple[str, OptionValue], ...], players: int) -> bool:
    only_for = {option.name: option.only_for for option in game.about.options}
    return all(not only_for[name] or players in only_for[name] for name, _ in options)


def each_of(chosen: Iterable[Case]) -> pytest.MarkDecorator:
    """Run a test with each match; all tests of a match follow each other, so that one test process
    plays it for all of them.
    """
    return pytest.mark.parametrize("case", tuple(chosen), ids=str, scope="module")


every_match = each_of(cases())
some_matches = each_of(sample(cases(), 30))  # for what is dear
every_game = each_of(case for case in cases() if not case.options and case.seed == 1)


# --- playing


@cache
def played(case: Case) -> Playthrough:
    """Return the match of `case`, which is played only once."""
    return play(case)


def play(case: Case) -> Playthrough:
    """Play a match in which each due seat fills its slots at random, or is silent one time in
    ten.
    """
    game, dice = case.game, random.Random(case.seed)
    steps: list[Step] = []
    state = start = case.start
    while game.phase(state).due and len(steps) < case.terms.most_phases:
        chance = case.chance(len(steps) + 1)
        phase = game.phase(state)
        orders = {seat: _orders(game, state, seat, dice, chance) for seat in phase.due}
        steps.append(Step(state, phase, orders, game.adjudicate(state, orders, chance)))
        state = steps[-1].done.state
    return Playthrough(case, start, tuple(steps))


def _orders(
    game: AnyGame, state: Any, seat: Seat, dice: random.Random, chance: ChainChance
) -> tuple[Any, ...]:
    if dice.random() < 0.1:
        return game.default(state, seat, chance)
    text = bots.choose_at_random(game, state, seat, dice.choice)
    return game.parse(state, seat, text).orders or game.default(state, seat, chance)


def as_json(kind: Any, value: Any) -> str:
    """Return the value as JSON with sorted keys."""
    return json.dumps(codec.dump(kind, value), sort_keys=True)


def from_json(kind: Any, text: str) -> Any:
    """Return the value that `as_json` wrote."""
    return codec.load(kind, json.loads(text))


def from_store(kind: Any, value: Any) -> Any:
    """Return a value as read from a store that reorders the keys of JSON (PostgreSQL's `jsonb`)."""
    return from_json(kind, json.dumps(_rekeyed(json.loads(as_json(kind, value)))))


def _rekeyed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rekeyed(value[key]) for key in sorted(value, key=lambda key: (len(key), key))}
    return [_rekeyed(each) for each in value] if isinstance(value, list) else value


def readers(case: Case) -> tuple[Seat | None, ...]:
    """Return readers of a match: an observer and all its seats, of a middle number of players the
    first and the last.
    """
    numbers = case.game.about.seats
    middle = min(numbers) < len(case.seats) < max(numbers) and not EVERY_CASE
    return (case.seats[0], case.seats[-1], None) if middle else (*case.seats, None)


def marks(case: Case, state: Any) -> set[str]:
    """Return the ids that a picture of the state may hold beside the game's own: those of all
    choices.
    """
    return {
        mark
        for seat in case.seats
        for slot in case.game.slots(state, seat)
        for choice in slot.choices
        for mark in choice.marks
    }


# --- pictures


def faults_of_picture(game: AnyGame, svg: str, marks: set[str]) -> Iterator[str]:
    """Yield what is wrong with a picture, a sentence each."""
    root = ElementTree.fromstring(svg)
    if (
        root.tag != "{http://www.w3.org/2000/svg}svg"
        or root.get("role") != "img"
        or not root.get("aria-label")
    ):
        yield "The root is no svg element with role img and a label."
    found: set[str] = set()
    for element in root.iter():
        yield from _faults_of_element(element)
        name = element.get("id")
        if name is None:
            continue
        if name in found:
            yield f"The id {name} is there twice."
        if name not in marks and not name.startswith(game.about.key):
            yield f"The id {name} is neither a slot's mark nor begins with the game's key."
        found.add(name)


def _faults_of_element(element: ElementTree.Element) -> Iterator[str]:
    tag = element.tag.rpartition("}")[2]
    if tag in {"script", "style", "a", "foreignObject", "image", "use", "animate", "set"}:
        yield f"There is a {tag} element."
    for attribute in element.attrib:
        name = attribute.rpartition("}")[2]
        if name in {"style", "href", "src"} or name.startswith("on"):
            yield f"The attribute {name} is not allowed in a picture."
