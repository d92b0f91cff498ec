"""Splits a line of orders into words, each with its kind, its meaning and the piece of the line
that it came from.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from adjudicator.games.diplomacy.map.geography import Province, World
from adjudicator.games.diplomacy.map.names import Names, Phrase, fold, names_of, words_of_orders

_DASHES = "-‐‑‒–—―−─━⁃﹘﹣－~〜～ーｰ"
# the last ones are arrows of Wingdings and Symbol, as Word writes them
_HEADS = ">＞﹥→⇒⇨⇾➔➙➛➜➝➞➡➤⟶⟹⟼►▶▸\uf0e0\uf0e8\uf0ae\uf0de"
_ARROWS = rf"[={_DASHES}]*[{_HEADS}]\ufe0f?|[{_DASHES}]+"
_TOKEN = re.compile(rf"(?:(?![ーｰ])[^\W_])+|{_ARROWS}|\S")
_ARROW_LETTERS = "àÀèÈ"  # French and Italian words, and arrows of Wingdings whose font is lost
_ARROW = re.compile(_ARROWS)
_FORGOTTEN = frozenset(".,;!'’`´*_[]\"“”„)")
_SIGNS = frozenset("/(:")
_COAST_LETTERS = {"n": "NC", "s": "SC", "e": "EC", "w": "WC"}
_TRAIT_LETTERS = {"r": "Rock", "s": "Scissors", "p": "Paper"}
# characters of a line whose words are kept, so that they take some megabytes at most
_KEPT_LENGTH = 100
_KINDS = {
    "A": "K",
    "F": "K",
    "hold": "H",
    "to": "-",
    "support": "S",
    "convoy": "C",
    "via": "V",
    "retreat": "R",
    "disband": "D",
    "build": "B",
    "waive": "W",
    "draw": "Y",
    "no draw": "Y",
    "concede": "Q",
    "Rock": "T",
    "Scissors": "T",
    "Paper": "T",
    "from": "<",
    "nothing": "",
}


@dataclass(frozen=True)
class Word:
    """One word, name or sign of a line."""

    kind: str
    """One letter: K army or fleet, P place, N power, T characteristic, - arrow, < from, H S C V R D
    B W Y Q order words, ? unknown.
    """
    means: str  # `hold`; the code of a place, the name of a power, an unknown word unchanged
    piece: str  # as the player wrote it
    coast: str = ""  # of a place: `SC`
    others: tuple[Province, ...] = ()  # of a place: the other provinces that its name could mean


def lex(line: str, world: World) -> tuple[Word, ...]:
    """Return the words of a line in order; the longest known phrase wins, an unknown word has the
    kind `?`.
    """
    return _lex(line, world) if len(line) <= _KEPT_LENGTH else _lex.__wrapped__(line, world)


@lru_cache(maxsize=1024)  # an order is read twice, and a form or a bot reads the same ones again
def _lex(line: str, world: World) -> tuple[Word, ...]:
    names = names_of(world)
    words = _with_traits(_with_coasts(_known(_tokens(line), _table(names)), names))
    return tuple(_without_echoes([word for word in words if word.kind not in ":("]))


# --- from signs to words


@dataclass(frozen=True)
class _Table:
    """The meaning of every known phrase, and the length in words of the longest phrase for each
    first word.
    """

    names: Names
    words: Mapping[Phrase, Word]
    longest: Mapping[str, int]


@cache
def _table(names: Names) -> _Table:
    """Return all known phrases: the names of a map and the words of orders; of several meanings the
    later line wins.
    """
    found: dict[Phrase, Word] = {
        phrase: Word("N", power, "") for phrase, power in names.powers.items()
    }
    found = {
        phrase: Word("P", codes[0], "", others=codes[1:])
        for phrase, codes in names.provinces.items()
    } | found
    found |= {phrase: Word("P", code, "") for phrase, code in names.stated.items()}
    found |= {phrase: Word("L", coast, "") for phrase, coast in names.coasts.items()}
    found |= {phrase: Word(_KINDS[means], means, "") for phrase, means in words_of_orders().items()}
    longest: dict[str, int] = {}
    for phrase in found:
        longest[phrase[0]] = max(longest.get(phrase[0], 0), len(phrase))
    return _Table(names, found, longest)


def _tokens(line: str) -> list[str]:
    return [
        text
        for text in _TOKEN.findall(unicodedata.normalize("NFC", line))
        if text not in _FORGOTTEN
    ]


def _known(tokens: Sequence[str], table: _Table) -> list[Word]:
    folded = [
        "-" if _ARROW.fullmatch(text) else "to" if text in _ARROW_LETTERS else fold(text)
        for text in tokens
    ]
    words: list[Word] = []
    at = 0
    while at < len(tokens):
        word, length = _longest_at(tokens, folded, at, table)
        if word.kind:
            words.append(word)
        at += length
    return words


def _longest_at(
    tokens: Sequence[str], folded: Sequence[str], at: int, table: _Table
) -> tuple[Word, int]:
    """Return the longest known phrase that begins at a token, with its length in tokens; hyphens
    inside are ignored: `mid-atlantic`.
    """
    first = folded[at]
    if first == "-":
        return Word("-", "to", tokens[at]), 1
    if first in _SIGNS:
        return Word(first, first, first), 1
    ends = [
        end
        for end in range(at, min(len(folded), at + 2 * table.longest.get(first, 0)))
        if folded[end] != "-"
    ]
    for end in reversed(ends):
        phrase = tuple(word for word in folded[at : end + 1] if word != "-")
        if phrase in table.words and not _is_move(folded[at : end + 1], table.names):
            return replace(table.words[phrase], piece=" ".join(tokens[at : end + 1])), end + 1 - at
    return Word("?", tokens[at], tokens[at]), 1


def _is_move(folded: Sequence[str], names: Names) -> bool:
    """Whether a hyphen separates two names rather than the words of one: `Mar - Egeo` is a move,
    not the name `Mar Egeo`.
    """
    if "-" not in folded:
        return False
    at = folded.index("-")
    parts = (tuple(folded[:at]), tuple(word for word in folded[at + 1 :] if word != "-"))
    return all(part in names.stated for part in parts)


# --- words whose meaning depends on their neighbours


def _with_coasts(words: Sequence[Word], names: Names) -> list[Word]:
    """Return the words with each coast joined to the place before it: `STP/SC`, `Stp(sc)`, `Spain
    south coast`, `STP-SC`.
    """
    found: list[Word] = []
    at = 0
    while at < len(words):
        word, end = words[at], _coast_after(words, at)
        if end:
            written = _COAST_LETTERS.get(words[end].piece.lower(), words[end].means)
            coast = names.other_coasts.get(word.means, {}).get(written, written)
            found.append(replace(word, coast=coast, piece=f"{word.piece}/{words[end].piece}"))
        else:
            found.append(_no_coast(word, names))
        at = (end or at) + 1
    return found


def _coast_after(words: Sequence[Word], at: int) -> int:
    """Return the index of the coast that belongs to the place at `at`, 0 if there is none."""
    sign = words[at + 1].kind if at + 1 < len(words) else ""
    end = at + 2 if sign and sign in "/(-" else at + 1
    if words[at].kind != "P" or end >= len(words):
        return 0
    word = words[end]
    if word.kind == "L" and (sign != "-" or len(word.piece) == len(word.means)):
        return end
    return end if sign and sign in "/(" and word.piece.lower() in _COAST_LETTERS else 0


def _no_coast(word: Word, names: Names) -> Word:
    if word.kind == "/":
        return replace(word, kind="?")
    if word.kind != "L":
        return word
    codes = names.provinces.get(tuple(fold(word.piece).split()), ())
    return Word("P", codes[0], word.piece, others=codes[1:]) if codes else replace(word, kind="?")


def _with_traits(words: Sequence[Word]) -> list[Word]:
    """Return the words with `R:`, `S:` or `P:` before the unit as a characteristic; the colon is
    optional before `A` and `F`.
    """
    at = next((at for at, word in enumerate(words) if word.kind not in "N:B"), len(words))
    if (
        at + 1 < len(words)
        and words[at + 1].kind in ":K"
        and words[at].piece.lower() in _TRAIT_LETTERS
    ):
        trait = Word("T", _TRAIT_LETTERS[words[at].piece.lower()], words[at].piece)
        return [*words[:at], trait, *words[at + 1 :]]
    return list(words)


def _without_echoes(words: Sequence[Word]) -> list[Word]:
    """Return the words without redundant arrows and prepositions: `army in Paris`, `retreats to`,
    `moves -`, `convoys from`.
    """
    found: list[Word] = []
    for at, word in enumerate(words):
        before, after = (
            found[-1].kind if found else "",
            (words[at + 1].kind if at + 1 < len(words) else ""),
        )
        if word.kind == "<" and (before != "P" or after not in ("N", "K", "P")):
            continue
        spelled = word.kind == "-" and word.piece[0].isalpha()
        if word.kind == "-" and (before in ("R", "-") or (spelled and before in ("K", "S"))):
            continue
        if word.kind == "H" and before == "-":
            found.pop()
        found.append(word)
    return found
