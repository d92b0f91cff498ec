"""The games this service knows; the only place where a game is named. The rules of a game are
imported when they are asked for.
"""

import importlib
from functools import cache

from adjudicator.core.game import About, AnyGame
from adjudicator.games.diplomacy.about import ABOUT as DIPLOMACY
from adjudicator.games.diplomacy.about import RSP_ABOUT as RSP_DIPLOMACY
from adjudicator.games.genesis.about import ABOUT as GENESIS
from adjudicator.games.phoenix.about import ABOUT as PHOENIX
from adjudicator.games.pyramid.about import ABOUT as PYRAMID
from adjudicator.games.redeux.about import ABOUT as REDEUX

ABOUTS: tuple[About, ...] = (PYRAMID, REDEUX, PHOENIX, GENESIS, RSP_DIPLOMACY, DIPLOMACY)
"""What every game is, in the order they are offered."""

_FOLDERS = {RSP_DIPLOMACY.key: DIPLOMACY.key}  # of games whose rules are in another's folder


class UnknownGame(LookupError):
    """There is no game of this name here."""


def about(key: str) -> About:
    """Return what the game called `key` is; raises UnknownGame with a sentence that names the ones
    there are.
    """
    for each in ABOUTS:
        if each.key == key:
            return each
    raise UnknownGame(
        f"There is no game “{key}” here; there are: {', '.join(each.key for each in ABOUTS)}."
    )


def game(key: str) -> AnyGame:
    """Return the game called `key`; raises UnknownGame as `about` does."""
    return rules_of(about(key).key)


def every_game() -> tuple[AnyGame, ...]:
    """Import all games, and return them in the same order."""
    return tuple(rules_of(each.key) for each in ABOUTS)


@cache
def rules_of(key: str) -> AnyGame:
    """Import a game that is known: `DIPLOMACY` of the module `rules` in its folder."""
    rules = importlib.import_module(f"adjudicator.games.{_FOLDERS.get(key, key)}.rules")
    found: AnyGame = getattr(rules, key.upper().replace("-", "_"))
    return found
