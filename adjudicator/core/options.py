"""The options of a match: their values, presets of them, and the validation of chosen values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

OptionValue = bool | int | str
Options = Mapping[str, OptionValue]

MOST_LISTED = 12  # an option with more values is a number to be typed


class OptionError(ValueError):
    """The game has no such option, or the option no such value."""


@dataclass(frozen=True)
class Option:
    """One setting that is chosen when a match is created."""

    name: str
    title: str
    default: OptionValue
    values: tuple[OptionValue, ...]  # all possible values
    labels: tuple[str, ...]  # the meaning of each value
    hint: str = ""
    # the numbers of players for which it may differ from its default; () for all
    only_for: tuple[int, ...] = ()

    @property
    def typed(self) -> bool:
        """Whether it is a number to be typed, because it has too many values to list."""
        return len(self.values) > MOST_LISTED

    @property
    def possible(self) -> str:
        """The values for a person: `one of ask, always, never`, `a multiple of 5 from 50 to
        500`.
        """
        if not self.typed:
            return f"one of {', '.join(map(_spelled, self.values))}"
        words = "".join(f"{value}, " for value in self.values if isinstance(value, str))
        numbers = self.numbers[1:] if self.numbers[0] == 0 else self.numbers
        step = numbers[1] - numbers[0]
        span = (
            f"{words}{'a number' if step == 1 else f'a multiple of {step}'} from {numbers[0]} to"
            f" {numbers[-1]}"
        )
        return f"{span}, or 0" if len(numbers) < len(self.numbers) else span

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numeric values of an option that is typed."""
        return tuple(int(value) for value in self.values if not isinstance(value, str))

    @property
    def named(self) -> tuple[tuple[OptionValue, str], ...]:
        """The values with a special meaning, each with its label: 0 is `no limit`."""
        pairs = zip(self.values, self.labels, strict=True)
        return tuple((value, label) for value, label in pairs if label != _spelled(value))


@dataclass(frozen=True)
class Preset:
    """Several options under one name."""

    name: str  # a word, as in `join genesis short`
    title: str
    options: Options
    hint: str = ""


def number_option(
    name: str,
    title: str,
    default: OptionValue,
    values: Sequence[int],
    *,
    zero: str = "",
    auto: str = "",
    hint: str = "",
) -> Option:
    """Return a numeric option; a label `zero` adds the value 0, a label `auto` the value `auto`."""
    offered: tuple[OptionValue, ...] = (
        (("auto",) if auto else ()) + ((0,) if zero else ()) + tuple(values)
    )
    labels = tuple(
        auto if value == "auto" else zero if zero and not value else str(value) for value in offered
    )
    return Option(name, title, default, offered, labels, hint)


def switch_option(name: str, title: str, hint: str) -> Option:
    """Return an option that is off or on, off by default."""
    return Option(name, title, False, (False, True), ("off", "on"), hint)


@dataclass(frozen=True)
class Chosen:
    """The chosen value of one option, in words."""

    title: str
    value: str
    meaning: str  # a sentence, where the value is a bare number


def describe_options(about: "HasOptions", options: Options) -> tuple[Chosen, ...]:
    """Describe the value of each option of a game, the default where none was chosen."""
    return tuple(
        _chosen_value(option, options.get(option.name, option.default)) for option in about.options
    )


def _chosen_value(option: Option, value: OptionValue) -> Chosen:
    label = dict(zip(map(str, option.values), option.labels, strict=True)).get(
        str(value), str(value)
    )
    return Chosen(
        option.title, label, option.hint if label == str(value) and isinstance(value, int) else ""
    )


class HasOptions(Protocol):
    """The part of a game's `About` that is needed here."""

    @property
    def title(self) -> str: ...
    @property
    def options(self) -> tuple[Option, ...]: ...


def complete_options(
    about: HasOptions, given: Mapping[str, object], *, players: int | None = None
) -> dict[str, OptionValue]:
    """Return every option of the game with its `given` value, else its default.

    Raises OptionError with a sentence for the player; with `players`, also for an option that is
    not for that many.
    """
    known = {option.name: option for option in about.options}
    for name in given:
        if name not in known:
            raise OptionError(
                f"{about.title} has no option “{str(name)[:40]}”; it has"
                f" {', '.join(known) or 'none'}."
            )
    return {
        option.name: _value(option, given.get(option.name, option.default), players)
        for option in about.options
    }


def _value(option: Option, value: object, players: int | None) -> OptionValue:
    if type(value) is int and str(value) in option.values:
        value = str(value)  # the year of an edition is a string, even where a number was given

    chosen = next(
        (each for each in option.values if each == value and type(each) is type(value)), None
    )
    if chosen is None:
        raise OptionError(
            f"“{_spelled(value)[:40]}” is not possible for “{option.name}”: choose"
            f" {option.possible}."
        )
    if (
        players is not None
        and option.only_for
        and players not in option.only_for
        and chosen != option.default
    ):
        raise OptionError(
            f"“{option.name}” is only for {' or '.join(map(str, option.only_for))} players; this"
            f" match has {players}."
        )
    return chosen


def _spelled(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
