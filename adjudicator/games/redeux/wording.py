"""The words of an order of RPS Redeux: which cards, bets and answers a line names, in many
spellings.
"""

import re
from dataclasses import dataclass

from adjudicator.core.near import nearest
from adjudicator.games.kit.glyphs import KINDS, Kind

CARD_WORDS: dict[str, Kind] = {word: kind for kind in KINDS for word in (kind, kind[0])}
CARD_WORDS |= {"rocks": "rock", "papers": "paper", "scissor": "scissors"}
ANSWER_WORDS = {"yes": True, "y": True, "no": False, "n": False}
BET_WORDS = {"bet", "bets", "betting", "stake"}
RISK_WORDS = {"risk"}
_FILLERS = "play show pick answer card point points rounds the a an my i and with of on please"
FILLERS = frozenset(_FILLERS.split())
VOCABULARY = sorted(
    word for word in {*CARD_WORDS, *ANSWER_WORDS, "bet", "risk", "play", "show"} if len(word) > 1
)

_WITHOUT_BET = re.compile(r"\b(?:no|without(?:\s+a)?)\s+bets?\b", re.IGNORECASE)
_JOINED = re.compile(r"\b([rps])(?=[0-9])", re.IGNORECASE)
# but not in 7.5 or 1,000
_SEPARATORS = re.compile(
    r"(?:[\s;:()!?\"“”]|,(?![0-9])|(?<![0-9]),|\.(?![0-9])|(?<=[a-z])\.)+", re.IGNORECASE
)
_NUMBER = re.compile(r"[-\N{MINUS SIGN}]?[0-9.,]*[0-9]")
_WHOLE = re.compile(r"[-\N{MINUS SIGN}]?[0-9]+")
_LONGEST_NUMBER = 6  # characters; no bet of any match has more


@dataclass(frozen=True)
class Words:
    """What a line's words name."""

    count: int = 0  # how many words there are at all
    cards: tuple[Kind, ...] = ()  # each once
    bets: tuple[int | None, ...] = ()  # each once; None for a number no bet could be
    answers: tuple[bool, ...] = ()  # each once
    bet: bool = False  # whether a word says that a bet is meant
    risk: bool = False  # whether the Risk Rounds are named
    card: str = ""  # the word that names the card, as written
    amount: str = ""  # the word that names the bet, as written
    named: str = ""  # all the words that mean something, as written
    unknown: str = ""  # the first word that means nothing here

    @property
    def lowest(self) -> int:
        """The lowest bet named, 0 where none is."""
        return min((bet for bet in self.bets if bet is not None), default=0)


def read_words(line: str) -> Words:
    """Read the words of a line; case is ignored, and `r10` is `r 10`."""
    words = _split(line)
    lower = [word.lower() for word in words]
    numbers = [word for word in words if _NUMBER.fullmatch(word)]
    known = [word for word, small in zip(words, lower, strict=True) if _means_something(small)]
    strange = (
        word
        for word, small in zip(words, lower, strict=True)
        if not _means_something(small) and small not in FILLERS
    )
    return Words(
        count=len(words),
        cards=tuple(dict.fromkeys(CARD_WORDS[small] for small in lower if small in CARD_WORDS)),
        bets=tuple(dict.fromkeys(_amount(word) for word in numbers)),
        answers=tuple(
            dict.fromkeys(ANSWER_WORDS[small] for small in lower if small in ANSWER_WORDS)
        ),
        bet=not BET_WORDS.isdisjoint(lower),
        risk=not RISK_WORDS.isdisjoint(lower),
        card=next((word for word in words if word.lower() in CARD_WORDS), ""),
        amount=next(iter(numbers), ""),
        named=" ".join(known),
        unknown=next(strange, ""),
    )


def respelled(line: str) -> str:
    """Return the line with its first unknown word corrected, "" where it still has an unknown
    word.
    """
    unknown = read_words(line).unknown
    near = nearest(unknown, VOCABULARY)
    guess = " ".join(near if word == unknown else word for word in _split(line))
    return guess if near and not read_words(guess).unknown else ""


def _split(line: str) -> list[str]:
    return [
        word
        for word in _SEPARATORS.split(_JOINED.sub(r"\1 ", _WITHOUT_BET.sub("bet 0", line)))
        if word
    ]


def _means_something(word: str) -> bool:
    return (
        word in CARD_WORDS
        or word in ANSWER_WORDS
        or word in BET_WORDS
        or word in RISK_WORDS
        or bool(_NUMBER.fullmatch(word))
    )


def _amount(word: str) -> int | None:
    if len(word) > _LONGEST_NUMBER or not _WHOLE.fullmatch(word):
        return None
    return int(word.replace("\N{MINUS SIGN}", "-"))
