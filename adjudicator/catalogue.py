"""The games this service knows; the only place where a game is named."""

from collections.abc import Callable

from adjudicator.game import Game
from adjudicator.games.pyramid import draw as pyramid_draw
from adjudicator.games.pyramid.rules import PYRAMID


class UnknownGame(LookupError):
    """There is no game of this name here."""


_GAMES: dict[str, Game] = {game.about.key: game for game in (PYRAMID,)}


def games() -> tuple[Game, ...]:
    """Return every game, in the order they are offered."""
    return tuple(_GAMES.values())


def game(key: str) -> Game:
    """Return the game called `key`; raises UnknownGame with a sentence that names the ones there are."""
    try:
        return _GAMES[key]
    except KeyError:
        raise UnknownGame(f"There is no game “{key}” here; there are: {', '.join(_GAMES)}.") from None


_RULE_PICTURES: dict[str, Callable[[], dict[str, str]]] = {"pyramid": pyramid_draw.rule_pictures}


def rule_pictures(key: str) -> dict[str, str]:
    """Return the pictures of a game's rules page, SVG text by name; raises UnknownGame."""
    return _RULE_PICTURES[game(key).about.key]()
