"""Pieces of sentences, and the nearest legal spelling of a word that was mistyped."""

import difflib
from collections.abc import Iterable, Sequence

QUOTE_LENGTH = 40


def quote(text: str) -> str:
    """Return `text` on one printable line of at most 40 characters."""
    flat = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text.strip()[: QUOTE_LENGTH + 1])
    return flat if len(flat) <= QUOTE_LENGTH else flat[: QUOTE_LENGTH - 1] + "…"


def listing(parts: Sequence[str], last: str = "and") -> str:
    """Return `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def capital(sentence: str) -> str:
    """Return a sentence with its first letter large."""
    return sentence[:1].upper() + sentence[1:]


def count(number: int, one: str, many: str = "") -> str:
    """Return `1 point`, `4 points`; `many` where the plural is not the word with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the one of the `known` words that `word` was probably meant to be, "" where none is near."""
    near = difflib.get_close_matches(word[:QUOTE_LENGTH].lower(), sorted(known), n=1, cutoff=0.6)
    return near[0] if near else ""


def who(you: str | None, seat: str) -> str:
    """Return `you`, or `seat 2` of a game whose seats have numbers."""
    return "you" if seat == you else f"seat {seat}"


def whose(you: str | None, seat: str) -> str:
    """Return `your` or `seat 2’s`."""
    return "your" if seat == you else f"seat {seat}’s"
