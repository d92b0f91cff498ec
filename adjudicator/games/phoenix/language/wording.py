"""The vocabulary of orders: each word of a line becomes one letter of a code, which grammar.py
matches.
"""

import re
from dataclasses import dataclass

from adjudicator.core.game import Seat
from adjudicator.core.near import nearest
from adjudicator.games.kit.glyphs import KINDS
from adjudicator.games.kit.parsing import Misread
from adjudicator.games.kit.words import quote

WORDS: dict[str, dict[str, tuple[str, ...]]] = {
    "p": {"place": ("place", "put", "enter")},
    "r": {"roll": ("roll", "throw", "shake")},
    "m": {"move": ("move", "jump")},
    "x": {"phoenix": ("phoenix", "raise", "resurrect", "revive")},
    "s": {"stay": ("stay", "pass", "hold")},
    "b": {kind: (kind, kind[0]) for kind in KINDS},
    "d": {
        "NE": ("ne", "northeast", "upright", "rightup"),
        "SE": ("se", "southeast", "downright", "rightdown"),
        "SW": ("sw", "southwest", "downleft", "leftdown"),
        "NW": ("nw", "northwest", "upleft", "leftup"),
    },
    "c": {"chain": ("chain",)},
    "t": {"meeting": ("meeting", "meet")},
    "a": {"and": ("and", "+", "&")},
}
"""For each letter of the code its meanings, for each meaning its words; `q` is a square and `n` a
number.
"""

_FILLERS = (
    "the my a i to on onto at dice bird birds square squares play go please first - -> → –"
    " from ashes of"
)
FILLERS = frozenset(_FILLERS.split())
SEATS = ("red", "blue", "pink", "green")

_MEANINGS = {
    word: (code, meaning)
    for code, table in WORDS.items()
    for meaning, words in table.items()
    for word in words
}
_VOCABULARY = tuple(word for word in _MEANINGS if len(word) > 2)
_COMPOUND = re.compile(
    r"\b(north|south|up|down|left|right)[\s-]+(east|west|left|right|up|down)\b", re.IGNORECASE
)
_TOKEN = re.compile(r"[0-9]+ *[,/] *[0-9]+|[0-9]+-[0-9]+|[^\s,.;:!?()\"']+")
_SQUARE = re.compile(r"([0-9])(?: *[,/-] *)?([0-9])")


@dataclass(frozen=True)
class Word:
    """One word of a line: a letter of the code, what it means, and how it was written."""

    code: str
    meaning: str
    written: str


def read_words(line: str, seat: Seat) -> tuple[Word, ...] | Misread:
    """Return the words of a line without fillers, or why the first unknown word is none."""
    words: list[Word] = []
    for written in _TOKEN.findall(_COMPOUND.sub(r"\1\2", line)):
        plain = written.lower()
        if plain in FILLERS or plain == seat.lower():
            continue
        word = _word(plain, written)
        if isinstance(word, Misread):
            return word
        words.append(word)
    return tuple(words)


def _word(plain: str, written: str) -> Word | Misread:
    if plain in _MEANINGS:
        return Word(*_MEANINGS[plain], written)
    if plain in SEATS:
        return Misread(written, f"You order your own Birds only, not {plain.capitalize()}’s.")
    if pair := _SQUARE.fullmatch(plain):
        return Word("q", f"{pair[1]},{pair[2]}", written)
    if re.fullmatch("[0-9]", plain):
        return Word("n", plain, written)
    if re.match("[0-9]", plain):
        return Misread(
            written,
            f"“{quote(written)}” is neither a square, such as 3,4, nor a number of squares.",
        )
    near = nearest(plain, _VOCABULARY)
    meant = f"; perhaps “{near}” is meant" if near else ""
    return Misread(written, f"“{quote(written)}” is no word of an order here{meant}.")
