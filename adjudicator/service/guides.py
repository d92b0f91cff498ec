"""What the site tells of the games themselves."""

from adjudicator import catalogue
from adjudicator.game import About
from adjudicator.service.errors import NotFound


def games() -> tuple[About, ...]:
    """Return what every game says of itself, in the order they are offered."""
    return tuple(game.about for game in catalogue.games())


def about(game_key: str) -> About:
    """Return what one game says of itself; raises NotFound."""
    try:
        return catalogue.game(game_key).about
    except catalogue.UnknownGame as error:
        raise NotFound(str(error)) from error


def pictures(game_key: str) -> dict[str, str]:
    """Return the pictures of a game's rules page, SVG text by name; raises NotFound."""
    return catalogue.rule_pictures(about(game_key).key)
