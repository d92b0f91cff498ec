"""What the site shows about the games themselves."""

from adjudicator import catalogue
from adjudicator.core.game import About, AnyGame, OrderWords
from adjudicator.core.options import Options
from adjudicator.service.base.errors import NotFound
from adjudicator.service.base.press_rules import OPTION

_SHORTEST = 3  # letters: the shortest abbreviation of a game's key


def games() -> tuple[About, ...]:
    """Return the description of every game, in the order of the catalogue."""
    return catalogue.ABOUTS


def about(game_key: str) -> About:
    """Return the description of one game; raises NotFound."""
    try:
        return catalogue.about(game_key)
    except catalogue.UnknownGame as error:
        raise NotFound(str(error)) from error


def known(game_key: str) -> AnyGame:
    """Return the rules of one game; raises NotFound."""
    return catalogue.game(about(game_key).key)


def order_words() -> tuple[OrderWords, ...]:
    """Return what orders look like, for each game."""
    return tuple(each.order_words for each in catalogue.ABOUTS)


def named(word: str) -> str:
    """Return the key of the game that a word names, "" if none: the whole key, or an unambiguous prefix of at least three letters."""
    keys = [each.key for each in catalogue.ABOUTS]
    meant = [key for key in keys if len(word) >= _SHORTEST and key.startswith(word.lower())]
    return word.lower() if word.lower() in keys else meant[0] if len(meant) == 1 else ""


def alone(about: About) -> Options:
    """Return the options that suit one person among house bots: there is nobody to write press to."""
    return {option.name: "none" for option in about.options if option.name == OPTION}


def article(game_key: str, language: str) -> str:
    """Return the name of a game's rules article in a language; raises NotFound if it has none in that language."""
    languages = about(game_key).languages
    if language not in languages:
        raise NotFound(f"These rules are not told in “{language[:40]}”; they are in {', '.join(languages)}.")
    return game_key if language == languages[0] else f"{game_key}.{language}"


def pictures(game_key: str) -> dict[str, str]:
    """Return the pictures of a game's rules page, SVG text by name; raises NotFound."""
    return known(game_key).pictures()
