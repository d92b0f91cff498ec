"""Removes what people write around an order without meaning it: emoji, exclamation marks, notes;
and normalizes characters.

A line that its game can read is left unchanged, so a character that belongs to a grammar keeps its
meaning.
"""

import re
from collections.abc import Callable
from typing import Any
from unicodedata import normalize

from adjudicator.core.game import Parsed

Read = Callable[[str], Parsed[Any]]
"""A game's parser for one line or several."""

# lines and alternatives that are examined; each is parsed several times, and nobody decorates more
MOST = 40
LONGEST_NOTE = 20  # words

_OR = re.compile(r"((?<!\s)\s+OR\s+)", re.IGNORECASE)  # a run of blanks is tried once
# a word follows: `rock #10` may mean a bet
_NOTE = re.compile(r"(.*?\S)\s+(?:#|//)\s*([^\W\d_].*)")
_NOTE_BEGINS = re.compile(r"(?<=\S)\s+(?:#|//)\s*(?=[^\W\d_])")
_EMOJI = (
    "\u2600-\u26ff\u2705\u270f\u2714\u2728\u2733-\u2735\u2744-\u2747\u2763\u2764"
    "\U0001f300-\U0001f64f\U0001f680-\U0001f6ff\U0001f900-\U0001faff"
)
_JOINING = "\u200d\ufe0e\ufe0f"
_TELLING = frozenset(
    "✂✊✋✌✍☝🪨🗿💎⛰🏔🌋🌑👊🤛🤜🖐🤚🫱🫲🫳🫴🫷🫸🖖🤟🤘👌🤏📃📄📜📝🧻🗒📋📰🗞📑🧾💇🔪🗡⚔🪒"  # Rock, Paper, Scissors
    "⚀⚁⚂⚃⚄⚅♔♕♖♗♘♙♚♛♜♝♞♟🔟💯🔢"  # numbers and pieces
    "⚪⚫🔴🔵🔺🔻🔼🔽🔶🔷🔸🔹🔳🔲🔘🟠🟡🟢🟣🟤🟥🟦🟧🟨🟩🟪🟫🔮"  # colours
    "☒☓⛔🚫🚳🚭🚯🚱🚷📵🔞🛑✋🙅👎😶🤷🔄🔁🔀🔃🔙🔚🔛🔜🔝🤔🧐☠💀"  # not this, or not sure
    "🐈🐱🐕🐺🦊🛕🏺💡🐦⚰⚱🪦🐣🐥"  # pieces of Genesis and Phoenix
    "🪖💂⚓⛵🚢🛳⛴🛥🚤🏴🏳🎌🚩🏁"  # units and flags
)  # characters that may be part of an order: they are never removed from a line's edge
_EDGE = re.compile(rf"(?:(?![{''.join(sorted(_TELLING))}])[{_EMOJI}{_JOINING}\s])+")
_SMILES = "\U0001f600-\U0001f636\U0001f638-\U0001f644\U0001f646-\U0001f64f👍👋🎉🍀❤"
_FRIENDLY = re.compile(rf"[{_SMILES}{_JOINING}\s]+")  # a line of these alone means nothing


def normalize_text(text: str) -> str:
    """Return text in NFKC, so that full-width letters and ligatures become plain ones; a
    free-standing accent does not become a space.
    """
    return text if text.isascii() else normalize("NFC", "".join(map(_compatible, text)))


def _compatible(sign: str) -> str:
    plain = normalize("NFKC", sign)
    return sign if plain[:1] == " " and len(plain) > 1 else plain


def strip_edges(text: str) -> str:
    """Return text without emoji at its edges and exclamation marks at its end; a leading one may
    mean `not`.
    """
    before = ""
    while before != text:
        before, text = text, _without_end(text).rstrip("! \t")
    start = _EDGE.match(text)
    return text[start.end() :] if start else text


def _without_end(text: str) -> str:
    """Return text without the emoji at its end, up to one of `_TELLING`."""
    at = len(text)
    while at and _EDGE.fullmatch(text[at - 1]):
        at -= 1
    return text[:at]


def without_note(line: str) -> tuple[str, str]:
    """Split a line before its note; OR and THEN within a note do not separate orders."""
    found = _NOTE_BEGINS.search(line)
    return (line[: found.start()], line[found.start() :]) if found else (line, "")


def remove_decoration(text: str, read: Read) -> str:
    """Return orders without decoration, where the game can read a line only without it.

    A line is unchanged where it can be read with its decoration, cannot be read without it, or has
    a note that could be an order: nothing is guessed (ruling G2).
    """
    if _is_plain(text):
        return "\n".join(text.splitlines())
    left = MOST
    lines = []
    for line in text.splitlines():
        orders, note = without_note(line)
        each = _OR.split(orders)
        each[-1] += note
        for place in range(0, len(each), 2):
            if left and _may_be_decorated(each[place]):
                each[place], left = _undecorated(each[place], read), left - 1
        lines.append("".join(each))
    return "\n".join(lines)


def _is_plain(text: str) -> bool:
    """Whether a text has no sign of decoration anywhere."""
    return text.isascii() and not any(sign in text for sign in ("!", "#", "//"))


def _may_be_decorated(order: str) -> bool:
    return bool(order.strip()) and (
        strip_edges(order) != order.strip() or _NOTE.fullmatch(order.strip()) is not None
    )


def _undecorated(order: str, read: Read) -> str:
    if _FRIENDLY.fullmatch(order):
        return ""
    if not _is_unread(read(order)):
        return order
    plain = strip_edges(order)
    if plain and not _is_unread(read(plain)):
        return plain
    noted = _NOTE.fullmatch(order.strip())
    if noted is None or not _is_talk(noted[2], read):
        return order
    plain = strip_edges(noted[1])
    return plain if plain and not _is_unread(read(plain)) else order


def _is_unread(parsed: Parsed[object]) -> bool:
    """Whether a game does not understand a line."""
    return any(refusal.kind == "invalid" for refusal in parsed.refusals)


def _is_talk(note: str, read: Read) -> bool:
    """Whether neither a note, nor any beginning, end or word of it, is an order."""
    words, whole = note.split(), read(note)
    if (
        len(words) > LONGEST_NOTE
        or whole.orders
        or {refusal.kind for refusal in whole.refusals} != {"invalid"}
    ):
        return False
    parts = {
        *words,
        *(" ".join(words[:at]) for at in range(1, len(words))),
        *(" ".join(words[at:]) for at in range(1, len(words))),
    }
    parsed = read("\n".join(sorted(parts)))
    return not parsed.orders and all(refusal.kind != "illegal" for refusal in parsed.refusals)
