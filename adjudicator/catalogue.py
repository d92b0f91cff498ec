"""The games this service knows; the only place where a game is named."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adjudicator.chance import Chance
from adjudicator.game import Event, Game, Pick, Seat, Slots
from adjudicator.games.diplomacy import house as diplomacy_house
from adjudicator.games.diplomacy import lessons as diplomacy_lessons
from adjudicator.games.diplomacy import saving as diplomacy_saving
from adjudicator.games.diplomacy.rules import DIPLOMACY, RSP_DIPLOMACY
from adjudicator.games.genesis import house as genesis_house
from adjudicator.games.genesis import lessons as genesis_lessons
from adjudicator.games.genesis import rules as genesis_rules
from adjudicator.games.genesis.rules import GENESIS
from adjudicator.games.phoenix import draw as phoenix_draw
from adjudicator.games.phoenix import house as phoenix_house
from adjudicator.games.phoenix.rules import PHOENIX
from adjudicator.games.pyramid import draw as pyramid_draw
from adjudicator.games.pyramid import house as pyramid_house
from adjudicator.games.pyramid import rules as pyramid_rules
from adjudicator.games.pyramid.rules import PYRAMID
from adjudicator.games.redeux import draw as redeux_draw
from adjudicator.games.redeux import house as redeux_house
from adjudicator.games.redeux.rules import REDEUX
from adjudicator.options import Options

Thought = Callable[[Any, Slots, Pick], str]
"""What a sensible house bot orders: from the view of its seat, the slots it has to answer, and something to break ties with."""

Saver = Callable[[str, Sequence[tuple[Any, Sequence[Event]]], Any], dict[str, Any]]
"""Writes a match as other programs save it, public things only.

It takes the match's name, of each closed phase the state before and the events, and the state now.
"""


Start = Callable[[tuple[Seat, ...], Options, Chance], Any]
"""How a match begins: the verb `start` of its game, or what that was under an older version of the rules."""


Vote = Callable[[Any], str]
"""What any house bot says beside its orders, whether it thinks or not, from the view of its seat; "" where it says nothing."""


def _none(view: Any) -> str:
    return ""


class UnknownGame(LookupError):
    """There is no game of this name here."""


@dataclass(frozen=True)
class _Entry:
    """A game and what stands beside it."""

    game: Game
    rule_pictures: Callable[[], dict[str, str]]
    think: Thought
    vote: Vote = _none
    save: Saver | None = None
    started: Mapping[int, Start] = field(default_factory=dict)  # by older versions of the rules, where their matches began otherwise


_ENTRIES = {
    entry.game.about.key: entry
    for entry in (
        _Entry(PYRAMID, pyramid_draw.rule_pictures, pyramid_house.think, started={1: pyramid_rules.start_under_rules_1}),
        _Entry(REDEUX, redeux_draw.rule_pictures, redeux_house.think),
        _Entry(PHOENIX, phoenix_draw.rule_pictures, phoenix_house.think),
        _Entry(GENESIS, genesis_lessons.rule_pictures, genesis_house.think, started={1: genesis_rules.start_under_rules_1}),
        _Entry(RSP_DIPLOMACY, diplomacy_lessons.rsp_rule_pictures, diplomacy_house.think, diplomacy_house.vote, diplomacy_saving.save),
        _Entry(DIPLOMACY, diplomacy_lessons.rule_pictures, diplomacy_house.think, diplomacy_house.vote, diplomacy_saving.save),
    )
}  # fmt: skip


def games() -> tuple[Game, ...]:
    """Return every game, in the order they are offered."""
    return tuple(entry.game for entry in _ENTRIES.values())


def game(key: str) -> Game:
    """Return the game called `key`; raises UnknownGame with a sentence that names the ones there are."""
    return _entry(key).game


def rule_pictures(key: str) -> dict[str, str]:
    """Return the pictures of a game's rules page, SVG text by name; raises UnknownGame."""
    return _entry(key).rule_pictures()


def thought(key: str) -> Thought:
    """Return how a sensible house bot plays a game; raises UnknownGame."""
    return _entry(key).think


def vote(key: str) -> Vote:
    """Return how any house bot votes in a game; raises UnknownGame."""
    return _entry(key).vote


def saver(key: str) -> Saver | None:
    """Return what writes a match of this game as other programs save it, None where no other program does; raises UnknownGame."""
    return _entry(key).save


def start(key: str, rules_version: int) -> Start:
    """Return what opens a match begun under this version of a game's rules; raises UnknownGame.

    Later versions change a running match from its next phase on, but not what it began with (genesis R16, pyramid R4).
    """
    entry = _entry(key)
    return entry.started.get(rules_version, entry.game.start)


def _entry(key: str) -> _Entry:
    try:
        return _ENTRIES[key]
    except KeyError:
        raise UnknownGame(f"There is no game “{key}” here; there are: {', '.join(_ENTRIES)}.") from None
