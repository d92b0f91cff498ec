"""Whether a line looks like an order or a command, and the word lists of `words/`.

Such a line is never taken for a greeting, a signature or a footer. The lists hold patterns, one a
line, as people of many languages and their programs write them.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from adjudicator.core.game import OrderWords

_FOLDER = Path(__file__).parent / "words"
_MOST_WORDS, _LONGEST = 14, 120
_BULLET = r"(?:\d{1,2}[.)]\s*|[*•·–-]\s+)?"
_NOTE = re.compile(r"\s#")
_ALTERNATIVES = re.compile(r"\S\s+(?:OR|THEN)\s+\S|\S\s+(?:OR|THEN)$|^(?:OR|THEN)\b")


def lines_of(name: str) -> list[str]:
    """Return the lines of a list without its comments."""
    return [
        line
        for line in (_FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    ]


def any_of(*names: str) -> str:
    """Return a pattern that matches any line of these lists; a space in a line matches any
    whitespace character.
    """
    spaced = "|".join(line.replace(" ", r"\s") for name in names for line in lines_of(name))
    return f"(?:{spaced})"


def compile_text(pattern: str) -> re.Pattern[str]:
    """Return the pattern compiled for any case and for text of several lines."""
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


_SERVICE = OrderWords(first=tuple(lines_of("orders")), alone=tuple(lines_of("commands")))


class Shapes:
    """The lines that look like orders of some games, or like commands of the service."""

    def __init__(self, games: Sequence[OrderWords]) -> None:
        """Compile the patterns; raises re.error for an invalid one."""
        known = (_SERVICE, *games)
        self._first = _pattern(rf"{_any(word for each in known for word in each.first)}\b")
        alone = rf"{_any(word for each in known for word in each.alone)}\b(?:\s+\S+){{0,2}}\W*"
        self._whole = _pattern(_any([alone, *(form for each in known for form in each.forms)]))
        self._parts = _pattern(_any(part for each in known for part in each.parts))

    def has(self, line: str) -> bool:
        """Whether this line may be an order or a command."""
        line = _bare(line)
        if not line or len(line) > _LONGEST or len(line.split()) > _MOST_WORDS:
            return False
        return bool(
            self._begins(line)
            or self._whole.fullmatch(line)
            or self._parts.fullmatch(line)
            or _ALTERNATIVES.search(line)
        )

    def has_part(self, line: str) -> bool:
        """Whether this line is part of an order and not a whole one."""
        return bool(self._parts.fullmatch(line)) and not self._whole.fullmatch(line)

    def _begins(self, line: str) -> bool:
        """Whether a word of an order comes first and few words follow: a disclaimer may begin with
        one, too.
        """
        return bool(self._first.match(line)) and len(line.split()) <= 8


def _any(patterns: Iterable[str]) -> str:
    return f"(?:{'|'.join(patterns) or '(?!)'})"


def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(_BULLET + pattern, re.IGNORECASE)


def _bare(line: str) -> str:
    """Return a line without decoration around an order: `B3!!!`, `*B3*`, `B3 # note`, emoji."""
    kept = _NOTE.split(line.strip(), maxsplit=1)[0]
    start = 0
    while start < len(kept) and not kept[start].isalnum():
        start += 1
    end = len(kept)
    while end > start and not kept[end - 1].isalnum() and kept[end - 1] != ")":
        end -= 1
    return kept[start:end]


# --- the patterns of this process

_known = Shapes(())


def learn_orders(games: Sequence[OrderWords]) -> None:
    """Set the games whose orders this process recognises; called once, before the first letter."""
    global _known
    _known = Shapes(games)


def is_order(line: str) -> bool:
    """Whether this line may be an order of one of these games, or a command."""
    return _known.has(line)


def is_part(line: str) -> bool:
    """Whether this line is part of an order and not a whole one, such as a single letter."""
    return _known.has_part(line)
