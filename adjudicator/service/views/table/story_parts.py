"""The sentences of a phase by the seat that they are about, for stories too long to read from end
to end.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from adjudicator.core.game import Seat
from adjudicator.platform.words import display_seat
from adjudicator.service.posting.phase_sections import seat_label

SHORT = 8  # sentences that are told in one piece
MOST_GISTS = 2  # sentences that sum a phase up
_TELLING = (
    re.compile(r"\b(?:took|won|match is over)\b"),
    re.compile(r"\b(?:captured|eliminated|driven out|disbanded)\b"),
)
_DULL = re.compile(r"handed in no orders|left nobody a choice")
_OWN = re.compile(r"(?:You|Your)\b")


@dataclass(frozen=True)
class StoryPart:
    """The sentences about one power or seat, in the order of the story."""

    name: str  # as the sentences call it; "" for those about several, or about none
    lines: tuple[str, ...]
    own: bool = False

    @property
    def gist(self) -> str:
        """The sentence that is shown where the part is folded."""
        return (*sum_up(self.lines), *self.lines)[0]


def split_story(
    lines: Sequence[str], plays: Mapping[Seat, tuple[str, ...]], own: Seat | None
) -> tuple[StoryPart, ...]:
    """Return the sentences in parts: the reader's own first, then those about nobody alone, then
    each other power's in seat order.

    A sentence is about whom it begins with. A story of at most SHORT sentences, or about a single
    seat, stays one part. `plays` has what each seat plays, as `About.plays` returns it.
    """
    if len(lines) <= SHORT:
        return (StoryPart("", tuple(lines)),)
    names = {
        label: seat == own for seat, played in plays.items() for label in _labels(seat, played)
    }
    parts: dict[tuple[bool, str], list[str]] = {}
    for line in lines:
        parts.setdefault(_about(line, names), []).append(line)
    if len([name for _, name in parts if name]) + ((True, "") in parts) < 2:
        return (StoryPart("", tuple(lines)),)
    order = [(True, ""), (False, ""), *((False, name) for name in names)]
    return tuple(StoryPart(key[1], tuple(parts[key]), key[0]) for key in order if key in parts)


def _labels(seat: Seat, played: Sequence[str]) -> list[str]:
    return (
        [seat_label(seat)]
        if seat.isdigit()
        else list(dict.fromkeys(map(display_seat, (seat, *played))))
    )


def _about(line: str, names: Mapping[str, bool]) -> tuple[bool, str]:
    """Return whether a sentence is about the reader, and else whom it is about."""
    if _OWN.match(line):
        return True, ""
    found = next(
        (name for name in names if re.match(rf"{re.escape(name)}(?![\w-])(?! and )", line)), ""
    )
    return (True, "") if names.get(found) else (False, found)


@lru_cache(maxsize=128)  # a page made anew tells mostly what the page before it did
def sum_up(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sentences that tell who took what, else the first that says that something
    happened; () for no sentences.
    """
    events = [line for line in lines if not _DULL.search(line)]
    found = (tuple(line for line in events if pattern.search(line)) for pattern in _TELLING)
    return next(filter(None, found), tuple(events[:1]))[:MOST_GISTS]
