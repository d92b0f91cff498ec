"""What the site shows about the games themselves, and which game a text names."""

import re
from collections.abc import Sequence
from functools import cache

from adjudicator import catalogue
from adjudicator.core.game import About, AnyGame, OrderWords
from adjudicator.core.near import nearest
from adjudicator.core.options import Options
from adjudicator.service.base.errors import NotFound
from adjudicator.service.base.press_rules import OPTION

_SHORTEST = 3  # letters: the shortest abbreviation of a game's key
_ALIKE = 0.8  # of 1
_LONGEST = 80  # characters of a text that may name a game
# words without letters that may stand within a title: `Rock / Scissors / Paper Diplomacy`
_STROKES = 2


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


def named(text: str, *, whole: bool = False) -> str:
    """Return the key of the game that a text names, "" if none; case and punctuation do not matter.

    A name is a key, a title, or what both share, such as `phoenix`, also below words that adorn
    other titles: `rps pyramid`. Where two games share it, such words mean the one whose title has
    some: `rps diplomacy`. An unambiguous prefix of at least three letters suffices, unless the
    `whole` name is wanted.
    """
    word = _squeeze(text[:_LONGEST])
    known = [
        each.key
        for each in catalogue.ABOUTS
        if word in map(_squeeze, (each.key, each.title, *each.other_titles))
    ]
    if not known and not whole and len(word) >= _SHORTEST:
        known = [each.key for each in catalogue.ABOUTS if _squeeze(each.key).startswith(word)]
    bare = _adornment().sub("", word, count=1)
    if not known and len(bare) >= _SHORTEST:
        meant = [
            each
            for each in catalogue.ABOUTS
            if bare == _core(each) or (not whole and _core(each).startswith(bare))
        ]
        known = [
            each.key for each in meant if len(meant) == 1 or _core(each) != _squeeze(each.title)
        ]
    return known[0] if len(known) == 1 else ""


def named_first(words: Sequence[str], *, whole: bool = False) -> tuple[str, int]:
    """Return the key of the game that the first of these words name and how many of them do, as
    many as can; ("", 0) if none.
    """
    longest = max(len(_words(each.title)) for each in catalogue.ABOUTS) + _STROKES
    for count in range(min(longest, len(words)), 0, -1):
        if key := named(" ".join(words[:count]), whole=whole):
            return key, count
    return "", 0


def named_within(words: Sequence[str]) -> str:
    """Return the key of the first game that these words name by a whole name, "" if they name
    none.
    """
    return next(
        (key for start in range(len(words)) if (key := named_first(words[start:], whole=True)[0])),
        "",
    )


def named_nearly(text: str) -> str:
    """Return the key of the game that a misspelt text resembles or names among other words, "" if
    none.
    """
    keys = [each.key for each in catalogue.ABOUTS]
    return named_within(text[:_LONGEST].split()) or nearest(
        text[:_LONGEST].casefold(), keys, alike=_ALIKE
    )


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _squeeze(text: str) -> str:
    return "".join(_words(text))


def _core(about: About) -> str:
    """Return the words that a game's key and title share, as one word: `phoenix` of *RPS
    Phoenix*.
    """
    return "".join(word for word in _words(about.key) if word in _words(about.title))


@cache
def _adornment() -> re.Pattern[str]:
    """Return a pattern of the words before a name that a title or a key has and the other has not:
    `rps`, `rock`, `rsp`.
    """
    words = {
        word for each in catalogue.ABOUTS for word in {*_words(each.title)} ^ {*_words(each.key)}
    }
    return re.compile(f"(?:{'|'.join(sorted(words, key=len, reverse=True)) or '(?!)'})*")


def alone(about: About) -> Options:
    """Return the options that suit one person among house bots: there is nobody to write press
    to.
    """
    return {option.name: "none" for option in about.options if option.name == OPTION}


def article(game_key: str, language: str) -> str:
    """Return the name of a game's rules article in a language; raises NotFound if it has none in
    that language.
    """
    languages = about(game_key).languages
    if language not in languages:
        raise NotFound(
            f"These rules are not told in “{language[:40]}”; they are in {', '.join(languages)}."
        )
    return game_key if language == languages[0] else f"{game_key}.{language}"


@cache
def pictures(game_key: str) -> dict[str, str]:
    """Return the pictures of a game's rules page, SVG text by name; raises NotFound."""
    return known(game_key).pictures()
