"""The vocabulary of orders in English and Russian, and the splitting of a line into words."""

import re
from dataclasses import dataclass
from typing import Literal
from unicodedata import normalize

from adjudicator.games.genesis.model.world import CENTRE, SQUARES

Head = Literal[
    "anubis",
    "bastet",
    "pyramid",
    "deed",
    "throw",
    "rebirth",
    "leap",
    "decline",
    "return",
    "pass",
    "birth",
]
Role = Literal["head", "work", "square", "off", "unknown"]

_HEADS: dict[Head, str] = {
    "anubis": "anubis анубис анубиса анубисом",
    "bastet": "bastet бастет",
    "pyramid": "pyramid pyramids пирамида пирамиду пирамиды",
    "deed": "deed deeds деяние деяния деяний",
    "throw": "throw roll бросок бросить бросаю",
    "rebirth": "rebirth reborn возрождение возродить возродиться",
    "leap": "leap jump прыжок прыгнуть прыгаю",
    "decline": "decline отказ отказаться отказываюсь",
    "return": "return вернуть возврат возвращаю",
    "pass": "pass пас пасую пропуск пропустить пропускаю",
    "birth": "birth born рождение родить",
}
_WORKS = {
    "idea": "idea ideas generate идея идею породить порождает",
    "destroy": "destroy уничтожить разрушить разрушает",
}
_FILLERS = (
    "play move place put lay moves order my the a an and to from at on in with of all corner die"
    " dice ход хожу ходит иду идет поставить ставлю положить и на в во с со из у мой моя мою мои"
    " все угол углу кость кубик кости"
)
_CENTRE_WORDS = "centre center центр"

MEANINGS: dict[str, tuple[Role, str]] = {
    **{word: ("head", head) for head, words in _HEADS.items() for word in words.split()},
    **{word: ("work", work) for work, words in _WORKS.items() for word in words.split()},
    **dict.fromkeys(_CENTRE_WORDS.split(), ("square", CENTRE)),
}
FILLERS = frozenset(_FILLERS.split())

_SEPARATORS = re.compile(r"[\s,.;:!()\[\]<>=→+&/|\u2010-\u2015\u2212-]+")
_SQUARE = re.compile(r"[^\W\d_][0-9]+")
_LOOK_ALIKE = str.maketrans("асе", "ace")  # Cyrillic letters that look like those of the files
# other Cyrillic letters: never read as a file, only used to suggest a square
_MAY_MEAN = str.maketrans("бвдэ", "bbde")


@dataclass(frozen=True)
class Word:
    """One word of a line and what it is."""

    written: str
    role: Role
    meaning: str = ""  # the head, the work or the square in its canonical spelling


def read_words(line: str) -> tuple[Word, ...]:
    """Split a line into words, leaving out separators and filler words."""
    return tuple(
        _word(written)
        for written in _SEPARATORS.split(line)
        if written and _plain(written) not in FILLERS
    )


def is_blank(line: str) -> bool:
    """Whether a line holds separators only."""
    return not _SEPARATORS.sub("", line)


def _plain(word: str) -> str:
    """Return a word in lower case, with е for ё."""
    return normalize("NFC", word).lower().replace("ё", "е")


def _word(written: str) -> Word:
    word = _plain(written)
    if word in MEANINGS:
        return Word(written, *MEANINGS[word])
    if not _SQUARE.fullmatch(word):
        return Word(written, "unknown")
    square = word.translate(_LOOK_ALIKE)
    return (
        Word(written, "square", square)
        if square in SQUARES
        else Word(written, "off", square.translate(_MAY_MEAN))
    )
