"""The nearest known spelling of a mistyped word."""

import difflib
from collections.abc import Iterable

_LONGEST = 40  # letters that are compared


def nearest(word: str, known: Iterable[str], *, alike: float = 0.6) -> str:
    """Return the `known` lower-case word most similar to `word`, "" where none has the similarity `alike` (0 to 1)."""
    near = difflib.get_close_matches(word[:_LONGEST].lower(), list(known), n=1, cutoff=alike)
    return near[0] if near else ""
