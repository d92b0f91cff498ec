"""What may be chosen when a match is made: options, whole presets of them, and the reading of what was chosen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

OptionValue = bool | int | str
Options = Mapping[str, OptionValue]

MOST_LISTED = 12  # values that are offered one by one; more than these are a number to be typed


class OptionError(ValueError):
    """An option of a match has a value its game does not know."""


@dataclass(frozen=True)
class Option:
    """One thing that may be chosen when a match is made."""

    name: str
    title: str
    default: OptionValue
    values: tuple[OptionValue, ...]  # every value that may be chosen
    labels: tuple[str, ...]  # what each of them means, alike in number
    hint: str = ""
    only_for: tuple[int, ...] = ()  # the numbers of players with which it may differ from its default; () is all

    @property
    def typed(self) -> bool:
        """Whether it is a number to be typed, there being too many to list."""
        return len(self.values) > MOST_LISTED

    @property
    def possible(self) -> str:
        """The values for a person: `one of ask, always, never`, `a multiple of 5 from 50 to 500`."""
        if not self.typed:
            return f"one of {', '.join(map(_spelled, self.values))}"
        words = "".join(f"{value}, " for value in self.values if isinstance(value, str))
        numbers = self.numbers[1:] if self.numbers[0] == 0 else self.numbers
        step = numbers[1] - numbers[0]
        span = f"{words}{'a number' if step == 1 else f'a multiple of {step}'} from {numbers[0]} to {numbers[-1]}"
        return f"{span}, or 0" if len(numbers) < len(self.numbers) else span

    @property
    def numbers(self) -> tuple[int, ...]:
        """The values that are numbers, of an option that is typed."""
        return tuple(int(value) for value in self.values if not isinstance(value, str))

    @property
    def named(self) -> tuple[tuple[OptionValue, str], ...]:
        """The values that mean something else than they say, each with its meaning: 0 is `no limit`."""
        pairs = zip(self.values, self.labels, strict=True)
        return tuple((value, label) for value, label in pairs if label != _spelled(value))


@dataclass(frozen=True)
class Preset:
    """Several options under one name."""

    name: str  # a word, as in `join genesis short`
    title: str
    options: Options
    hint: str = ""


def numbers(
    name: str, title: str, default: OptionValue, values: Sequence[int], *, zero: str = "", auto: str = "", hint: str = ""
) -> Option:
    """Return an option whose values are numbers; 0 may stand before them and means `zero`, and the word `auto`, which means `auto`."""
    offered: tuple[OptionValue, ...] = (("auto",) if auto else ()) + ((0,) if zero else ()) + tuple(values)
    labels = tuple(auto if value == "auto" else zero if zero and not value else str(value) for value in offered)
    return Option(name, title, default, offered, labels, hint)


def switch(name: str, title: str, hint: str) -> Option:
    """Return an option that is off or on, off by default."""
    return Option(name, title, False, (False, True), ("off", "on"), hint)


@dataclass(frozen=True)
class Chosen:
    """What was chosen for one option, for a person."""

    title: str
    value: str
    meaning: str  # a sentence, where the value is a bare number


def chosen(about: "HasOptions", options: Options) -> tuple[Chosen, ...]:
    """Return what was chosen for each option of a game, its default where nothing was."""
    return tuple(_told(option, options.get(option.name, option.default)) for option in about.options)


def _told(option: Option, value: OptionValue) -> Chosen:
    label = dict(zip(map(str, option.values), option.labels, strict=True)).get(str(value), str(value))
    return Chosen(option.title, label, option.hint if label == str(value) and isinstance(value, int) else "")


class HasOptions(Protocol):
    """What a game says of itself, as far as it matters here."""

    @property
    def title(self) -> str: ...
    @property
    def options(self) -> tuple[Option, ...]: ...


def complete_options(about: HasOptions, given: Mapping[str, object], *, players: int | None = None) -> dict[str, OptionValue]:
    """Return every option of the game, `given` values first, defaults else.

    Raises OptionError with a sentence for a person; with `players`, also where an option is not for that many.
    """
    known = {option.name: option for option in about.options}
    for name in given:
        if name not in known:
            raise OptionError(f"{about.title} has no option “{str(name)[:40]}”; it has {', '.join(known) or 'none'}.")
    return {option.name: _value(option, given.get(option.name, option.default), players) for option in about.options}


def _value(option: Option, value: object, players: int | None) -> OptionValue:
    if type(value) is int and str(value) in option.values:
        value = str(value)  # a year that names an edition is a word, however it is written
    chosen = next((each for each in option.values if each == value and type(each) is type(value)), None)
    if chosen is None:
        raise OptionError(f"“{_spelled(value)[:40]}” is not possible for “{option.name}”: choose {option.possible}.")
    if players is not None and option.only_for and players not in option.only_for and chosen != option.default:
        raise OptionError(f"“{option.name}” is only for {' or '.join(map(str, option.only_for))} players; this match has {players}.")
    return chosen


def _spelled(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
