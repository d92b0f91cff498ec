"""The nearest spelling of a word that was mistyped."""

import difflib
from collections.abc import Iterable

_LONGEST = 40  # letters that are looked at


def nearest(word: str, known: Iterable[str], *, alike: float = 0.6) -> str:
    """Return the one of the `known` lower-case words that `word` is most like, "" where none is at least so much `alike` (0 to 1)."""
    near = difflib.get_close_matches(word[:_LONGEST].lower(), list(known), n=1, cutoff=alike)
    return near[0] if near else ""
