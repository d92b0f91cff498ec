"""Reads the terms of a match: from a wish, a letter's words, and the columns of a match."""

from collections.abc import Iterator, Mapping
from typing import Any

from adjudicator.core.game import About
from adjudicator.platform.words import describe_rhythm
from adjudicator.service.base.errors import Refused
from adjudicator.service.base.press_rules import PressWish
from adjudicator.service.base.tables import Match
from adjudicator.service.matches.terms import record
from adjudicator.service.matches.terms.kinds import NumberKind
from adjudicator.service.matches.terms.record import Terms
from adjudicator.service.matches.terms.term import Term

_STORED = tuple(each for each in record.TERMS if each.stored)


def offered(about: About) -> tuple[Term, ...]:
    """Return the terms that a match of a game can have."""
    return tuple(each for each in record.TERMS if each.offered(about))


def words_of(about: About) -> dict[str, Term]:
    """Return the terms that letters can name for a match of a game, by their words."""
    return {each.key: each for each in offered(about) if each.key}


def examples_of(about: About) -> Iterator[tuple[str, str]]:
    """Yield an example of each of these words, with what it means."""
    for each in words_of(about).values():
        word = each.word
        if word.short_example and not about.short_phases:
            yield word.short_example, word.short_meaning
        else:
            yield word.example, word.meaning


def as_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of terms by the fields of the record: the rules of press as one."""
    rules = {name: value for name, value in values.items() if name.startswith("press_")}
    rest = {name: value for name, value in values.items() if name not in rules}
    press = PressWish(**{name.removeprefix("press_"): value for name, value in rules.items()})
    return rest | ({"press": press} if rules else {})


def value_of(terms: Terms, name: str) -> Any:
    """Return the value of a term."""
    if name.startswith("press_"):
        return getattr(terms.press, name.removeprefix("press_"))
    return getattr(terms, name)


def check(terms: Terms, about: About) -> None:
    """Raise Refused where a term of this game has a value that is not possible."""
    phases = about.short_phases[:1].upper() + about.short_phases[1:]
    for each in offered(about):
        kind, value = each.kind, value_of(terms, each.name)
        if not kind.is_possible(value):
            span = (kind.least, kind.most) if isinstance(kind, NumberKind) else (0, 0)
            sentence = kind.outside.format(least=span[0], most=span[1], value=value, phases=phases)
            raise Refused(sentence, field=each.field)


def columns(terms: Terms) -> dict[str, Any]:
    """Return the terms by the columns of a match."""
    stored = (each for each in record.TERMS if each.stored)
    return {each.column: each.in_column(value_of(terms, each.name)) for each in stored}


def of_match(match: Match) -> Terms:
    """Return the terms that a match has; their lengths are in whole hours and minutes."""
    return Terms(**as_fields({each.name: each.of_match(match) for each in _STORED}))


def has_terms(match: Match, terms: Mapping[str, Any]) -> bool:
    """Whether a match has these terms, given by their names."""
    asked = (each for each in record.TERMS if each.name in terms)
    return all(each.of_match(match) == terms[each.name] for each in asked)


def copied_columns() -> tuple[str, ...]:
    """Return the columns that the next match of the same people has from this one."""
    return tuple(each.column for each in record.TERMS if each.stored and each.copied)


def compared() -> dict[str, Any]:
    """Return the defaults of the terms that a rule sheet compares, by the names of terms."""
    return {each.name: each.default for each in record.TERMS if each.compared}


def rhythm(terms: Terms, about: About) -> str:
    """Return how long phases last that have no timetable."""
    short = terms.short_hours * 3600 if terms.short_hours else None
    return describe_rhythm(terms.every_hours * 3600, short, about.short_phases)
