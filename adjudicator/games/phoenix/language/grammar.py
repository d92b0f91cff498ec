"""The grammar of a line: patterns over the code of its words, and the reason where none of them
matches.
"""

import re
from typing import cast

from adjudicator.core.game import Seat
from adjudicator.games.kit.glyphs import Kind
from adjudicator.games.kit.parsing import Misread
from adjudicator.games.kit.words import quote
from adjudicator.games.phoenix.language.wording import Word, read_words
from adjudicator.games.phoenix.model.grid import SIDE, Direction, Square, on_grid, square_text
from adjudicator.games.phoenix.model.orders import (
    Chain,
    Diagonal,
    Move,
    Order,
    Phoenix,
    Place,
    Roll,
    Second,
    Stay,
)
from adjudicator.games.phoenix.model.state import State

MOST_SQUARES = SIDE - 1  # of a diagonal
MOST_STEPS = SIDE - 2  # of a chain reaction: the move before it takes one square at least
LONGEST = 12  # words of an order

_MEETING = r"(?P<meeting>t(?:a?d)+)"
_DIAGONAL = r"m?(?P<bird>b)(?:(?P<way>dn?)|(?P<square>q|nn))"
_PATTERNS = (
    re.compile(r"(?P<verb>r|s)"),
    re.compile(r"(?P<verb>p)(?P<bird>b)(?P<square>q|nn)?"),
    re.compile(
        r"(?P<verb>x)(?P<bird>b)(?P<square>q|nn)?(?:a?x?(?P<second>b)(?P<to>q|nn))?"
        + _MEETING
        + "?"
    ),
    re.compile(
        r"(?P<verb>x)(?P<bird>b)(?P<square>q|nn)?" + _MEETING + r"a?x?(?P<second>b)(?P<to>q|nn)"
    ),
    re.compile(_DIAGONAL + r"(?P<chain>cn?)?" + _MEETING + "?"),
    re.compile(_DIAGONAL + _MEETING + r"(?P<chain>cn?)"),
    re.compile(r"(?P<verb>m)(?P<bird>b)" + _MEETING + "?"),
)
_MISSING = {
    "b": "“{line}” does not say what your {bird} is to do.",
    "p": "“{line}” does not say which Bird is to be placed.",
    "m": "“{line}” does not say which Bird is to move.",
    "x": "“{line}” does not say which Bird is to rise.",
    "xbb": "“{line}” does not say on which square the second Bird is to rise.",
    "xbab": "“{line}” does not say on which square the second Bird is to rise.",
}
_NO_BIRD = re.compile(r"m?[dqn].*")
_OPEN_MEETING = re.compile(r".*t")


def read_order(state: State, seat: Seat, line: str) -> Order | Misread:
    """Return the order that a line spells, legal or not, or why it spells none."""
    words = read_words(line, seat)
    if isinstance(words, Misread):
        return words
    code = "".join(word.code for word in words)
    for pattern in _PATTERNS:
        if found := pattern.fullmatch(code):
            parts = _Parts(found, words)
            return parts.misread() or _order(state, seat, parts)
    return _what_is_wrong(line, code, words)


class _Parts:
    """The parts of a line that matches a pattern."""

    def __init__(self, found: re.Match[str], words: tuple[Word, ...]) -> None:
        self._found, self._words = found, words

    def words(self, part: str) -> tuple[Word, ...]:
        """Return the words of a part, none where it is missing or the pattern has no such part."""
        if part not in self._found.re.groupindex:
            return ()
        start, end = self._found.span(part)
        return self._words[max(start, 0) : max(end, 0)]

    def meaning(self, part: str) -> str:
        """Return what a part of one word means, "" where it is missing."""
        return "".join(word.meaning for word in self.words(part))

    def kind(self, part: str) -> Kind:
        """Return the type of Bird that a part names."""
        return cast(Kind, self.meaning(part))

    def square(self, part: str) -> Square | None:
        """Return the square that a part names, as `3,4` or as two numbers."""
        digits = [int(digit) for digit in self.meaning(part) if digit != ","]
        return (digits[0], digits[1]) if digits else None

    @property
    def chain(self) -> Chain:
        """The chain reaction that is ordered."""
        words = self.words("chain")
        if not words:
            return 0
        return int(words[1].meaning) if len(words) > 1 else "all"

    @property
    def meeting(self) -> tuple[Direction, ...]:
        """The directions named after `meeting`."""
        return tuple(
            cast(Direction, word.meaning) for word in self.words("meeting") if word.code == "d"
        )

    def misread(self) -> Misread | None:
        """Return why it can never be legal: a square or number out of bounds, a direction named
        twice (ruling R5).
        """
        for part in ("square", "to"):
            square = self.square(part)
            if square and not on_grid(square):
                return Misread(
                    _written(self.words(part)),
                    f"There is no square {square_text(square)}; both numbers go from 1 to {SIDE}.",
                )
        for part, most, what in (
            ("way", MOST_SQUARES, "A diagonal move"),
            ("chain", MOST_STEPS, "A chain reaction"),
        ):
            numbers = self.words(part)[1:]
            if numbers and not 1 <= int(numbers[0].meaning) <= most:
                return Misread(_written(self.words(part)), f"{what} goes from 1 to {most} squares.")
        for place, direction in enumerate(self.meeting):
            if direction in self.meeting[:place]:
                return Misread(
                    _written(self.words("meeting")),
                    f"{direction} is named twice; name each direction once.",
                )
        return None


# --- the order


def _order(state: State, seat: Seat, parts: _Parts) -> Order | Misread:
    match parts.meaning("verb"):
        case "roll":
            return Roll()
        case "stay":
            return Stay()
        case "place":
            return _against_dice(state, seat, parts) or Place(parts.kind("bird"))
        case "phoenix":
            to = parts.square("to")
            second = Second(parts.kind("second"), to) if to else None
            if second and second.bird == parts.kind("bird"):
                return Misread(
                    _written(parts.words("second")),
                    f"Your {second.bird.capitalize()} cannot rise twice; name another Bird.",
                )
            return _against_dice(state, seat, parts) or Phoenix(
                parts.kind("bird"), second, parts.meeting
            )
        case "move":
            return Move(parts.kind("bird"), parts.meeting)
        case _:
            return _diagonal(parts)


def _diagonal(parts: _Parts) -> Order:
    """Return the order to move a Bird in a direction or to a square."""
    if square := parts.square("square"):
        return Diagonal(parts.kind("bird"), square, parts.chain, parts.meeting)
    direction, *squares = parts.words("way")
    way = (cast(Direction, direction.meaning), int(squares[0].meaning) if squares else 1)
    return Diagonal(parts.kind("bird"), way, parts.chain, parts.meeting)


def _against_dice(state: State, seat: Seat, parts: _Parts) -> Misread | None:
    """Return why the order is misread if it names a square other than the dice's."""
    square, dice = parts.square("square"), _dice(state, seat)
    if square is None or square == dice:
        return None
    shown = f" and show {square_text(dice)}" if dice else ""
    return Misread(
        _written(parts.words("square")), f"The dice name this square{shown}; leave it out."
    )


def _dice(state: State, seat: Seat) -> Square | None:
    return state.dice if seat == state.on_turn else None


# --- what is wrong with it


def _what_is_wrong(line: str, code: str, words: tuple[Word, ...]) -> Misread:
    if not words:
        return Misread(line, f"“{quote(line)}” names no order.")
    if code in _MISSING:
        return Misread(
            line,
            _MISSING[code].format(line=quote(line), bird=words[0].meaning.capitalize()),
            kind="ambiguous",
        )
    if _NO_BIRD.fullmatch(code):
        return Misread(line, f"“{quote(line)}” does not say which Bird is meant.", kind="ambiguous")
    if _OPEN_MEETING.fullmatch(code):
        return Misread(
            words[-1].written,
            "After “meeting” stand the directions to look first: NE, SE, SW, NW.",
            kind="ambiguous",
        )
    fitting = next(
        (length for length in range(min(len(code) - 1, LONGEST), 0, -1) if _fits(code[:length])), 0
    )
    rest = _written(words[fitting:])
    if not fitting:
        return Misread(rest, f"“{quote(rest)}” is not put as an order.")
    return Misread(
        rest,
        f"“{quote(rest)}” cannot follow “{quote(_written(words[:fitting]))}”; one order stands on a"
        " line.",
    )


def _fits(code: str) -> bool:
    return any(pattern.fullmatch(code) for pattern in _PATTERNS)


def _written(words: tuple[Word, ...]) -> str:
    return " ".join(word.written for word in words)
