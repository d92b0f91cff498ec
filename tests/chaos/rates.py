"""How fast things happen before, during and after the faults, and how soon it is as fast again."""

from bisect import bisect_left
from collections.abc import Sequence

BACK = 0.95  # of the rate before
GRAIN = 1  # so many events may fall just outside a window without anything being slower
STEP = 0.5  # seconds


def count(moments: Sequence[float], begin: float, end: float) -> int:
    """Return how many of these sorted moments lie in a span."""
    return bisect_left(moments, end) - bisect_left(moments, begin)


def rate(moments: Sequence[float], begin: float, end: float) -> float:
    """Return how many of them there are a second."""
    return count(moments, begin, end) / max(end - begin, 0.001)


def recovery(moments: Sequence[float], before: float, after: float, window: float, until: float) -> float | None:
    """Return the seconds from `after`, the end of the last fault, until the rate is back; None where it is not by `until`.

    It is back at the first moment at which something happened again and from which one whole window, all of it past, has
    95 % of the rate `before`, but for one event. What had piled up counts where it is worked off.
    """
    happened = next((moment for moment in moments if moment >= after), None)
    if happened is None:
        return None
    begin = after
    while begin + window <= until:
        if count(moments, begin, begin + window) >= BACK * before * window - GRAIN:
            return max(begin, happened) - after
        begin += STEP
    return None
