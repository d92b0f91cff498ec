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


def article(game_key: str, language: str) -> str:
    """Return the name of the article that tells a game's rules in one of its languages; raises NotFound where it has no such one."""
    languages = about(game_key).languages
    if language not in languages:
        raise NotFound(f"These rules are not told in “{language[:40]}”; they are in {', '.join(languages)}.")
    return game_key if language == languages[0] else f"{game_key}.{language}"


def pictures(game_key: str) -> dict[str, str]:
    """Return the pictures of a game's rules page, SVG text by name; raises NotFound."""
    return catalogue.rule_pictures(about(game_key).key)
