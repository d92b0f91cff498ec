"""The kinds of terms of a match. Each reads a value from a field of a form and from a word of a
letter.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from adjudicator.core.game import About
from adjudicator.platform.words import join_list
from adjudicator.service.base import spans
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.tables import Match

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
        return read_number(word, text.removesuffix(self.unit) or text, self.most)

    def is_possible(self, value: object) -> bool:
        return value is None or (isinstance(value, int) and self.least <= value <= self.most)


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
    """Yes or no; in a letter its word alone says what is not usual."""

    inverted: bool = False  # whether the tick in a form means no

    @property
    def shape(self) -> str:
        return "tick"

    def usual(self, default: object) -> str:
        return "1" if bool(default) != self.inverted else ""


@dataclass(frozen=True)
class SpanKind(TermKind):
    """A time in minutes, such as `6 h`."""

    def read_field(self, text: str) -> object:
        return spans.read_minutes(text, field="")


@dataclass(frozen=True)
class SpansKind(TermKind):
    """Some times before a deadline in minutes, such as `24 h, 3 h`."""

    def read_field(self, text: str) -> object:
        return spans.read_reminders(spans.split_spans(text))


def read_number(word: str, text: str, most: int) -> int:
    """Read a whole number from 0 to `most` after a word of a letter."""
    if not (text.isascii() and text.isdigit() and len(text) < 5 and int(text) <= most):
        possible = f"0 to {most}"
        raise Refused(_IMPOSSIBLE.format(text=text[:40], word=word, possible=possible))
    return int(text)


@dataclass(frozen=True)
class TermWord:
    """The word of a term in a letter."""

    example: str  # how it is written
    meaning: str  # a clause
    # reads the value after it as terms by their names, where the kind does not; raises Refused
    read: Callable[[str, About], Mapping[str, Any]] | None = None
    alone: Mapping[str, Any] = field(default_factory=dict)  # what it says without a value
    short_example: str = ""  # these two in a game without short phases
    short_meaning: str = ""


def always(about: About) -> bool:
    """Tell that a term is for all games."""
    return True


@dataclass(frozen=True)
class Term:
    """One thing that a match is made with: all that forms, letters and pages need to know of it."""

    kind: TermKind
    label: str = ""  # beside its field of the form, with {phases}; "": drawn by hand, or not at all
    hint: str = ""
    placeholder: str = ""
    group: str = ""  # the group of the form in which it is folded
    field: str = ""  # of the form; where it is not called as the term
    given: str | None = None  # what the field of a new form holds, if not what the kind says
    longest: int = 0  # characters of its field
    word: TermWord | None = None
    offered: Callable[[About], bool] = always
    column: str | None = ""  # of `Match`; "": its name, None: it is not stored
    factor: int = 1  # of the column to the value
    copied: bool = True  # whether the next match of the same people has it
    compared: bool = True  # whether a match that differs in it has no rule sheet
    row: tuple[str, Callable[[Match], str]] | None = None  # a line of *About*, "" for none
    told: Callable[[Match], str] | None = None  # a sentence of *About*, "" for none
    name: str = ""  # these two are given by the record
    default: Any = None

    @property
    def usual(self) -> str:
        """What its field in a new form holds."""
        return self.kind.usual(self.default) if self.given is None else self.given

    def read_form(self, fields: Mapping[str, str]) -> object:
        """Return its value in a form; raises Refused with what is possible."""
        if isinstance(self.kind, SwitchKind):
            return (self.field in fields) != self.kind.inverted
        text = fields.get(self.field, self.usual)
        is_usual = isinstance(self.kind, ChoiceKind) and text == self.usual
        return self.default if is_usual else self.kind.read_field(text)

    def read_word(self, text: str, about: About) -> Mapping[str, Any]:
        """Return what the value after its word says, by the names of terms; raises Refused."""
        assert self.word is not None  # noqa: S101 only terms with a word are read by one
        if self.word.read is not None:
            return self.word.read(text, about)
        return {self.name: self.kind.read_word(self.key, text)}

    @property
    def alone(self) -> Mapping[str, Any]:
        """What its word says without a value; {} where one has to follow."""
        assert self.word is not None  # noqa: S101 as above
        switched = {self.name: not self.default} if self.valueless else {}
        return {**switched, **self.word.alone}

    @property
    def valueless(self) -> bool:
        """Whether no value can follow its word."""
        return (
            self.word is not None and isinstance(self.kind, SwitchKind) and self.word.read is None
        )

    @property
    def key(self) -> str:
        """Its word in a letter, "" for none."""
        return self.word.example.split("=")[0] if self.word else ""
