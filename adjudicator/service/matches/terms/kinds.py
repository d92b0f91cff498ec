"""The kinds of terms of a match. Each reads a value from a field of a form and from a word of a
letter.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adjudicator.platform.words import join_list
from adjudicator.service.base import spans
from adjudicator.service.base.errors import Refused

_WHOLE = re.compile(r"\s*[0-9]{1,6}\s*", re.ASCII)
_IMPOSSIBLE = "“{text}” is not possible for “{word}”: choose {possible}."


@dataclass(frozen=True)
class TermKind:
    """A text of any content; the base of the other kinds."""

    outside: str = ""  # the sentence where a value is not possible, with {least}, {most}, {value}

    @property
    def shape(self) -> str:
        """What a form draws: a line of text, a number, a list, times (a list too) or a tick."""
        return "line"

    def usual(self, default: object) -> str:
        """Return what the field of a new form holds."""
        return ""

    def read_field(self, text: str) -> object:
        """Return the value of a field of a form; raises Refused with what is possible."""
        return text

    def read_word(self, word: str, text: str) -> object:
        """Return the value that stands after a word of a letter; raises Refused."""
        return self.read_field(text)

    def is_possible(self, value: object) -> bool:
        """Whether a match can have this value."""
        return True


@dataclass(frozen=True, kw_only=True)
class NumberKind(TermKind):
    """A whole number."""

    least: int
    most: int
    wrong: str  # what a form says of a text that is no number
    required: bool = False
    empty: int | None = None  # what an empty field means, where it is not required
    unit: str = ""  # the letter that may follow it in a letter
    offered: tuple[int, ...] = ()  # minutes to choose from in a form, instead of a number
    without: str = ""  # what a form calls no number among these

    @property
    def shape(self) -> str:
        return "times" if self.offered else "number"

    def usual(self, default: object) -> str:
        return str(default) if self.required else ""

    def read_field(self, text: str) -> object:
        if not text.strip() and not self.required:
            return self.empty
        if not _WHOLE.fullmatch(text):
            raise Refused(self.wrong)
        return int(text)

    def read_word(self, word: str, text: str) -> object:
        if self.least > 0 and text in spans.NONE:
            return self.empty
        return read_number(word, text.removesuffix(self.unit) or text, self.most)

    def is_possible(self, value: object) -> bool:
        return value is None or (isinstance(value, int) and self.least <= value <= self.most)


@dataclass(frozen=True, kw_only=True)
class MinutesKind(NumberKind):
    """A number of minutes, in letters a time such as `12h`; none there is as an empty field."""

    bare: str = "h"  # the unit of a bare number in a letter

    def read_word(self, word: str, text: str) -> object:
        span = text + self.bare if text.isdecimal() else text
        return spans.read_minutes(span, field=word) or self.empty


@dataclass(frozen=True, kw_only=True)
class ChoiceKind(TermKind):
    """One of several words."""

    labels: Mapping[Any, str]  # what a form calls each of them; the first is the usual one

    @property
    def shape(self) -> str:
        return "list"

    def usual(self, default: object) -> str:
        return next(iter(self.labels)) if default is None else str(default)

    def read_word(self, word: str, text: str) -> object:
        if text not in self.labels:
            possible = join_list(list(self.labels), "or")
            raise Refused(_IMPOSSIBLE.format(text=text[:40], word=word, possible=possible))
        return text

    def is_possible(self, value: object) -> bool:
        return value is None or value in self.labels


@dataclass(frozen=True, kw_only=True)
class SwitchKind(TermKind):
    """Yes or no; in a letter its word says what is not usual, or `no` after it."""

    inverted: bool = False  # whether the tick in a form means no

    @property
    def shape(self) -> str:
        return "tick"

    def usual(self, default: object) -> str:
        return "1" if bool(default) != self.inverted else ""

    def read_word(self, word: str, text: str) -> object:
        return ChoiceKind(labels={"yes": "", "no": ""}).read_word(word, text) == "yes"


@dataclass(frozen=True)
class SpanKind(TermKind):
    """A time in minutes, such as `6 h`."""

    def read_field(self, text: str) -> object:
        return spans.read_minutes(text, field="")

    def read_word(self, word: str, text: str) -> object:
        if not text:
            raise Refused(f"“{word}” needs a time, as in `{word}=6h`.")
        return spans.read_minutes(text, field=word)


@dataclass(frozen=True)
class SpansKind(TermKind):
    """Some times before a deadline in minutes, such as `24 h, 3 h`."""

    def read_field(self, text: str) -> object:
        return spans.read_reminders(spans.split_spans(text))

    def read_word(self, word: str, text: str) -> object:
        if not text:
            raise Refused(
                f"“{word}” needs times before the deadline, as in `{word}=24h,3h`, or `{word}=off`."
            )
        return spans.read_reminders(text.split())


def read_number(word: str, text: str, most: int) -> int:
    """Read a whole number from 0 to `most` after a word of a letter."""
    if not (text.isascii() and text.isdigit() and len(text) < 5 and int(text) <= most):
        possible = f"0 to {most}"
        raise Refused(_IMPOSSIBLE.format(text=text[:40], word=word, possible=possible))
    return int(text)
