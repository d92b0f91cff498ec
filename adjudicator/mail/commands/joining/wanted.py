"""The words after `join` and a game: what a letter asks of a match. Everything that the form of a
new match offers has a word here.

Options of the game are written by their names; `matches.terms.record` lists the terms of every
match, and `texts.py` the free texts.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from adjudicator.core.game import About
from adjudicator.core.options import Option, OptionError, OptionValue, Preset, complete_options
from adjudicator.mail.commands.joining.texts import PREFER, TEXTS
from adjudicator.platform.words import display_seat, join_list
from adjudicator.play import rule_sheets
from adjudicator.play.timetable import Timetable
from adjudicator.service.base.errors import Refused
from adjudicator.service.matches.terms import reading
from adjudicator.service.matches.terms.kinds import read_number

HOUSE = "house"  # it may stand alone, or with a number after `=`
_SHORTEST = 3  # letters of an option's name that may abbreviate it
_ON, _OFF = frozenset({"on", "yes", "true"}), frozenset({"off", "no", "false"})
_WITH_UNIT = re.compile(r"\d{1,5}(?:m|min|h|d)")


@dataclass
class Wanted:
    """A match as a letter asks for it; the game decides what was not said."""

    game: About
    command: str = "join"  # what stands before the game's name
    house: bool = False  # whether house bots get all other seats
    sheet: str = ""  # key of a rule sheet
    players: int | None = None
    options: dict[str, OptionValue] = field(default_factory=dict)
    wishes: tuple[str, ...] = ()  # as they were written
    timetable: Timetable | None = None
    terms: dict[str, Any] = field(
        default_factory=dict
    )  # by their names, or by those of `creation.Wish`


# --- the words of a line


def read_wanted(
    game: About, words: list[str], wishes: tuple[str, ...], *, command: str = "join"
) -> Wanted:
    """Read the words after a game's name, in any order; raises Refused with what is possible there.

    A word means what the game says: `red` is an option of one game and a seat of another. An option
    is written `name=value`, `name value`, or alone where it is a switch. The first three letters of
    its name suffice.
    """
    wanted = Wanted(game, command, wishes=wishes)
    pending = [part for word in words for part in word.replace("=", " = ").split()]
    while pending:
        pending = _take(wanted, pending)
    try:
        complete_options(game, wanted.options, players=wanted.players)
    except OptionError as fault:
        raise Refused(str(fault)) from fault
    return wanted


def _take(wanted: Wanted, words: list[str]) -> list[str]:
    """Take the first of these words with its value, if it has one; return the words that are
    left.
    """
    word, rest = words[0], words[1:]
    game = wanted.game
    bare = rest[1:] if rest[:1] == ["="] else rest
    term = reading.words_of(game).get(word)
    if term is not None:
        if term.alone and (bare == rest or term.valueless):
            wanted.terms |= term.alone
            return bare
        value, left = _part_value(term.key, bare)
        wanted.terms |= term.read_word(value, game)
        return left
    if word == HOUSE and bare != rest:
        wanted.terms[HOUSE] = read_number(HOUSE, bare[0] if bare else "", max(game.seats))
        return bare[1:]
    option = _find_option(game, word)
    preset = next((each for each in game.presets if each.name == word), None)
    if option is not None and (bare != rest or (bare and _read_value(option, bare[0]) is not None)):
        option_value = _read_value(option, bare[0]) if bare else None
        if option_value is None:
            raise Refused(
                f"“{(bare or [''])[0][:40]}” is not possible for “{option.name}”: choose"
                f" {option.possible}."
            )
        wanted.options[option.name] = option_value
        return bare[1:]
    _take_alone(wanted, word, option, preset)
    return rest


def _part_value(key: str, words: list[str]) -> tuple[str, list[str]]:
    """Return the value of a term, and the words after it; reminders may have several times, each
    with its unit.
    """
    count = 1
    while key == "reminders" and count < len(words) and _WITH_UNIT.fullmatch(words[count]):
        count += 1
    return " ".join(words[:count]), words[count:]


def _take_alone(wanted: Wanted, word: str, option: Option | None, preset: Preset | None) -> None:
    """Take a word that no value follows."""
    game = wanted.game
    if word == HOUSE:
        wanted.house = True
    elif preset is None and rule_sheets.find_sheet(word) is not None:
        wanted.sheet = word
    elif preset is not None:
        wanted.options |= preset.options
    elif word.isdecimal() and int(word) in game.seats:
        wanted.players = int(word)
    elif option is not None and _is_switch(option):
        wanted.options[option.name] = True
    elif option is not None and option.default != "none" and "none" in option.values:
        wanted.options[option.name] = option.default  # `press`: with it, in the usual way
    elif game.seating == "preference" and word in _seat_names(game):
        wanted.wishes = (*wanted.wishes, word)
    elif option is not None:
        raise Refused(
            f"“{option.name}” needs a value: choose {option.possible}, as in"
            f" `{option.name}={option.default}`."
        )
    else:
        examples = join_list([f"`{each}`" for each in _examples(game)], "or")
        all_words = f"`help join {game.key}` lists all of these words."
        raise Refused(
            f"After `{wanted.command} {game.key}` may stand a word such as {examples}; “{word[:40]}” is none of"
            f" them. {all_words}"
        )


def _find_option(game: About, word: str) -> Option | None:
    """Return the option that a word names: by its whole name, or by a prefix of no other option."""
    plain = {_plain(option.name): option for option in game.options}
    meant = [
        option
        for name, option in plain.items()
        if len(word) >= _SHORTEST and name.startswith(_plain(word))
    ]
    return plain.get(_plain(word)) or (meant[0] if len(meant) == 1 else None)


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "")


def _read_value(option: Option, word: str) -> OptionValue | None:
    """Return the value that a word means, None where it means none."""
    if _is_switch(option) and word in _ON | _OFF:
        return word in _ON
    return next(
        (value for value in option.values if str(value) == word and not isinstance(value, bool)),
        None,
    )


def _is_switch(option: Option) -> bool:
    return isinstance(option.default, bool)


def _seat_names(game: About) -> set[str]:
    return {seat.casefold() for seats in game.seats.values() for seat in seats}


def _examples(game: About) -> Iterator[str]:
    """Yield examples of what may follow a game's name: its own words, and some of those of every
    match.
    """
    yield HOUSE
    yield from (preset.name for preset in game.presets)
    yield from (str(number) for number in game.seats if len(game.seats) > 1)
    names = {preset.name for preset in game.presets}
    for option in game.options:
        if _is_switch(option) or option.name not in names:
            yield option.name if _is_switch(option) else f"{option.name}={option.default}"
    if game.seating == "preference":
        yield f"{PREFER} {display_seat(next(iter(game.seats.values()))[0]).lower()}"
    yield from (sheet.key for sheet in rule_sheets.SHEETS)
    yield from ("private", "muster", "hours=24")


def explain_words(game: About) -> Iterator[tuple[str, str]]:
    """Yield each word that may follow this game's name by an example, with what it means."""
    for preset in game.presets:
        yield preset.name, f"{preset.title}: {preset.hint}" if preset.hint else preset.title
    if len(game.seats) > 1:
        yield (
            str(max(game.seats)),
            f"how many play: {join_list([str(number) for number in sorted(game.seats)], 'or')}",
        )
    for option in game.options:
        if _is_switch(option):
            yield option.name, option.title
        else:
            yield f"{option.name}={option.default}", f"{option.title}: {option.possible}"
    if game.seating == "preference":
        yield (
            f"{PREFER} {display_seat(next(iter(game.seats.values()))[0]).lower()}",
            "the seats that you would like, the dearest first",
        )
    yield HOUSE, "house bots take all other seats; `house=2`: two of them"
    yield from (
        (sheet.key, f"the rule sheet “{sheet.title}”. {sheet.hint}") for sheet in rule_sheets.SHEETS
    )
    yield from reading.examples_of(game)
    yield from TEXTS.items()
