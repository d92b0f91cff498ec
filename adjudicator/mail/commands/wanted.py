"""What stands after `join` and a game: a number of players, presets, options by their names, seats where they go by wishes, `house`."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from adjudicator.core.game import About
from adjudicator.core.options import Option, OptionError, OptionValue, Preset, complete_options
from adjudicator.platform.words import display_seat, join_list
from adjudicator.service.base.errors import Refused

HOUSE = "house"
_SHORTEST = 3  # letters of an option's name that may stand for it
_ON, _OFF = frozenset({"on", "yes", "true"}), frozenset({"off", "no", "false"})


@dataclass
class Wanted:
    """A match as a letter asks for it; what was not said is left to the game."""

    game: About
    house: bool = False
    players: int | None = None
    options: dict[str, OptionValue] = field(default_factory=dict)
    wishes: tuple[str, ...] = ()  # as they were written


def read(game: About, words: list[str], wishes: tuple[str, ...]) -> Wanted:
    """Read the words after a game's name, in any order; raises Refused with what may stand there.

    Each game says what a word is: `red` is an option of one and a seat of another. An option may stand as `name=value`, as
    `name value`, or alone where it is a switch; three letters of its name will do.
    """
    wanted = Wanted(game, wishes=wishes)
    pending = [part for word in words for part in word.replace("=", " = ").split()]
    while pending:
        pending = _take(wanted, pending)
    try:
        complete_options(game, wanted.options, players=wanted.players)
    except OptionError as fault:
        raise Refused(str(fault)) from fault
    return wanted


def _take(wanted: Wanted, said: list[str]) -> list[str]:
    """Take the first of these words, with its value where it has one; returns the words that are left."""
    word, rest = said[0], said[1:]
    game = wanted.game
    option, preset = _option(game, word), next((each for each in game.presets if each.name == word), None)
    bare = rest[1:] if rest[:1] == ["="] else rest
    if option is not None and (bare != rest or (bare and _value(option, bare[0]) is not None)):
        value = _value(option, bare[0]) if bare else None
        if value is None:
            raise Refused(f"“{(bare or [''])[0][:40]}” is not possible for “{option.name}”: choose {option.possible}.")
        wanted.options[option.name] = value
        return bare[1:]
    _take_alone(wanted, word, option, preset)
    return rest


def _take_alone(wanted: Wanted, word: str, option: Option | None, preset: Preset | None) -> None:
    """Take a word that has no value behind it."""
    game = wanted.game
    if word == HOUSE:
        wanted.house = True
    elif preset is not None:
        wanted.options |= preset.options
    elif word.isdecimal() and int(word) in game.seats:
        wanted.players = int(word)
    elif option is not None and _is_switch(option):
        wanted.options[option.name] = True
    elif option is not None and option.default != "none" and "none" in option.values:
        wanted.options[option.name] = option.default  # `press`: with it, in the usual way
    elif game.seating == "preference" and word in _seats(game):
        wanted.wishes = (*wanted.wishes, word)
    elif option is not None:
        raise Refused(f"“{option.name}” needs a value: choose {option.possible}, as in `{option.name}={option.default}`.")
    else:
        raise Refused(f"After `join {game.key}` may stand {join_list(list(_possible(game)), 'or')}; “{word[:40]}” is none of them.")


def _option(game: About, word: str) -> Option | None:
    """Return the option that a word names: by its whole name, or by a beginning of this one alone."""
    plain = {_plain(option.name): option for option in game.options}
    meant = [option for name, option in plain.items() if len(word) >= _SHORTEST and name.startswith(_plain(word))]
    return plain.get(_plain(word)) or (meant[0] if len(meant) == 1 else None)


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "")


def _value(option: Option, word: str) -> OptionValue | None:
    """Return the value that a word means, None where it means none."""
    if _is_switch(option) and word in _ON | _OFF:
        return word in _ON
    return next((value for value in option.values if str(value) == word and not isinstance(value, bool)), None)


def _is_switch(option: Option) -> bool:
    return isinstance(option.default, bool)


def _seats(game: About) -> set[str]:
    return {seat.casefold() for seats in game.seats.values() for seat in seats}


def _possible(game: About) -> Iterator[str]:
    """Yield what may stand after a game's name, by examples."""
    yield f"`{HOUSE}`"
    yield from (f"`{preset.name}`" for preset in game.presets)
    yield from (f"`{number}`" for number in game.seats if len(game.seats) > 1)
    names = {preset.name for preset in game.presets}
    for option in game.options:
        if _is_switch(option) or option.name not in names:
            yield f"`{option.name}`" if _is_switch(option) else f"`{option.name}={option.default}`"
    if game.seating == "preference":
        yield f"`prefer {display_seat(next(iter(game.seats.values()))[0]).lower()}`"
