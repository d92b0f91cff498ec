"""The games this service knows; the only place where a game is named."""

from adjudicator.core.game import AnyGame
from adjudicator.games.diplomacy.rules import DIPLOMACY, RSP_DIPLOMACY
from adjudicator.games.genesis.rules import GENESIS
from adjudicator.games.phoenix.rules import PHOENIX
from adjudicator.games.pyramid.rules import PYRAMID
from adjudicator.games.redeux.rules import REDEUX

GAMES: tuple[AnyGame, ...] = (PYRAMID, REDEUX, PHOENIX, GENESIS, RSP_DIPLOMACY, DIPLOMACY)
"""Every game, in the order they are offered."""


class UnknownGame(LookupError):
    """There is no game of this name here."""


def game(key: str) -> AnyGame:
    """Return the game called `key`; raises UnknownGame with a sentence that names the ones there are."""
    for each in GAMES:
        if each.about.key == key:
            return each
    raise UnknownGame(f"There is no game “{key}” here; there are: {', '.join(each.about.key for each in GAMES)}.")
