"""Recipients of press: the seats that the words after `press` name, by their own names or by what
else they play.
"""

import re
from collections.abc import Mapping

from adjudicator.core.game import Seat
from adjudicator.core.near import nearest
from adjudicator.platform.words import display_seat, join_list
from adjudicator.service.base.errors import Refused

EVERYBODY: tuple[Seat, ...] = ()  # stands for all seats and the observers
_ALL = frozenset({"all", "everybody", "everyone", "public"})
_BETWEEN = re.compile(r"[\s,;&.:]+")
_JOINERS = frozenset({"and", "to", "seat", "the", "und", "et", "y", "e"})
_LOOKS_LIKE = 0.7  # similarity, from 0 to 1
_LONGEST = 40  # letters of a word that a refusal quotes

Named = Mapping[str, Seat]  # by the case-folded names of all that a seat plays


def named(plays: Mapping[Seat, tuple[str, ...]]) -> Named:
    """Return the names that seats can be written to by, given what each plays."""
    return {name.casefold(): seat for seat, names in plays.items() for name in (*names, seat)}


def read_recipients(text: str, names: Named) -> tuple[Seat, ...]:
    """Return the seats that a text such as `france, england` names, by names or unambiguous
    prefixes; EVERYBODY for `all`.

    Raises Refused with a sentence that quotes the word.
    """
    words = _words(text)
    if not words:
        raise Refused(
            "It does not say to whom: begin with `press all:`, or with a name, as in "
            + _example(next(iter(names.values())))
        )
    if any(word in _ALL for word in words):
        return EVERYBODY
    return tuple(dict.fromkeys(_one(word, names) for word in words))


def looks_meant(text: str, names: Named) -> bool:
    """Whether any word of `text` names a seat, or looks like a name of one."""
    return any(word in _ALL or word in names or _closest(word, names) for word in _words(text))


def _words(text: str) -> list[str]:
    return [word for word in _BETWEEN.split(text.casefold()) if word and word not in _JOINERS]


def _one(word: str, names: Named) -> Seat:
    meant = (
        {names[word]}
        if word in names
        else {seat for name, seat in names.items() if len(word) > 1 and name.startswith(word)}
    )
    if len(meant) == 1:
        return meant.pop()
    if meant:
        others = join_list(sorted(map(display_seat, meant)), "or")
        raise Refused(
            f"“{word[:_LONGEST]}” may be {others}: write a little more of the name. Nothing was"
            " sent."
        )
    closest = _closest(word, names) or next(iter(names.values()))
    raise Refused(
        f"“{word[:_LONGEST]}” has no seat in this match, so nothing was sent. It is written as in"
        f" {_example(closest)}"
    )


def _closest(word: str, names: Named) -> Seat:
    return names.get(nearest(word, names, alike=_LOOKS_LIKE), "")


def _example(seat: Seat) -> str:
    return f"`press {seat.lower()}:`."
