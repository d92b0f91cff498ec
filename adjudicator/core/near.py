"""The nearest known spelling of a mistyped word."""

import difflib
from collections.abc import Iterable

_LONGEST = 40  # letters that are compared
# words that are nearest at once, and the difference of similarity that tells none of them apart
_MOST, _AS_MUCH = 8, 0.08


def nearest(word: str, known: Iterable[str], *, alike: float = 0.6) -> str:
    """Return the `known` lower-case word most similar to `word`, "" where none has the similarity
    `alike` (0 to 1).
    """
    near = difflib.get_close_matches(word[:_LONGEST].lower(), list(known), n=1, cutoff=alike)
    return near[0] if near else ""


def all_nearest(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the `known` lower-case words that `word` resembles most: the nearest one, and those
    that are nearly as near.
    """
    near = difflib.get_close_matches(word[:_LONGEST].lower(), sorted(known), n=_MOST)
    ratios = [difflib.SequenceMatcher(None, each, word[:_LONGEST].lower()).ratio() for each in near]
    return tuple(
        each for each, ratio in zip(near, ratios, strict=True) if ratio >= ratios[0] - _AS_MUCH
    )
