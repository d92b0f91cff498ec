"""What one term of a match declares of itself, for forms, letters, pages and the table of matches."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from adjudicator.core.game import About
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.press_rules import OPTION, PressWish
from adjudicator.service.base.tables import Match
from adjudicator.service.matches.terms.kinds import ChoiceKind, SwitchKind, TermKind

USUAL_SHORT = 24  # hours of a short phase, at most, if nothing else was said
_HOURS = re.compile(r"(\d{1,3})h?(?:/(\d{1,3})h?)?")


@dataclass(frozen=True)
class TermWord:
    """The word of a term in a letter."""

    example: str = ""  # how it is written, "" for none
    meaning: str = ""  # a clause
    # reads the value after it as terms by their names, where the kind does not; raises Refused
    read: Callable[[str, About], Mapping[str, Any]] | None = None
    alone: Mapping[str, Any] = field(default_factory=dict)  # what it says without a value
    short_example: str = ""  # these two in a game without short phases
    short_meaning: str = ""


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
    word: TermWord = TermWord()
    offered: Callable[[About], bool] = lambda about: True  # by the game
    sought: bool = False  # whether a letter's table is looked for by it, among those that wait
    stored: bool = True  # whether `Match` has a column of it
    copied: bool = True  # whether the next match of the same people has it
    compared: bool = True  # whether a match that differs in it has no rule sheet
    row: tuple[str, Callable[[Match], str]] | None = None  # a line of *About*, "" for none
    told: Callable[[Match], str] | None = None  # a sentence of *About*, "" for none
    name: str = ""  # these two are given by the record
    default: Any = None

    @cached_property
    def factor(self) -> int:
        """How many of the column's unit are one of the value's; lengths are stored in seconds."""
        return {"hours": 3600, "minutes": 60}.get(self.name.rpartition("_")[2], 1)

    @cached_property
    def column(self) -> str:
        """The column of `Match` that stores it."""
        return re.sub("_(hours|minutes)$", "_seconds", self.name)

    def in_column(self, value: Any) -> Any:
        """Return a value as the column has it."""
        return value if self.factor == 1 or value is None else value * self.factor

    def of_match(self, match: Match) -> Any:
        """Return the value that a match has."""
        value = getattr(match, self.column)
        if value is None:
            return "" if self.default == "" else None
        return value if self.factor == 1 else value // self.factor

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
        if self.word.read is not None:
            return self.word.read(text, about)
        return {self.name: self.kind.read_word(self.key, text)}

    @property
    def alone(self) -> Mapping[str, Any]:
        """What its word says without a value; {} where one has to follow."""
        switched = {self.name: not self.default} if self.valueless else {}
        return {**switched, **self.word.alone}

    @property
    def valueless(self) -> bool:
        """Whether no value can follow its word."""
        return isinstance(self.kind, SwitchKind) and "=" not in self.word.example

    @property
    def key(self) -> str:
        """Its word in a letter, "" for none."""
        return self.word.example.split("=")[0]


def declared_terms(record: type) -> tuple[Term, ...]:
    """Return the terms that the fields of a record declare, in their order."""
    return tuple(
        _complete_term(each.name, each.default, declared)
        for each in fields(record)
        for declared in each.metadata.get("terms", ())
    )


def _complete_term(name: str, default: object, declared: Term) -> Term:
    if isinstance(default, PressWish):  # a rule of press is called as its field of the form
        name, default = declared.field, False
    return replace(declared, name=name, field=declared.field or name, default=default)


def has_short_phases(about: About) -> bool:
    """Whether a game has short phases."""
    return bool(about.short_phases)


def goes_by_preference(about: About) -> bool:
    """Whether its seats can be wished for."""
    return about.seating == "preference"


def has_press(about: About) -> bool:
    """Whether it has press."""
    return any(option.name == OPTION for option in about.options)


def has_both(about: About) -> bool:
    """Whether it has both."""
    return has_press(about) and has_short_phases(about)


def read_hours(text: str, game: About) -> Mapping[str, Any]:
    """Read `48`, or `48/12` with the hours of short phases."""
    found = _HOURS.fullmatch(text)
    if found is None:
        raise Refused(
            f"“{text[:40]}” is not possible for “hours”: write `hours=48`, or `hours=48/24` with"
            " the hours of short phases."
        )
    if found[2] and not game.short_phases:
        raise Refused(f"{game.title} has no short phases: write `hours={found[1]}`.")
    every = int(found[1])
    return {
        "every_hours": every,
        "short_hours": int(found[2]) if found[2] else min(USUAL_SHORT, every),
    }
