"""Rates of events before, during and after the faults, and the time until they recover."""

from bisect import bisect_left
from collections.abc import Sequence

BACK = 0.95  # of the rate before
GRAIN = 1  # events that may fall just outside a window by chance
STEP = 0.5  # seconds


def count_events(moments: Sequence[float], begin: float, end: float) -> int:
    """Return how many of these sorted times lie in a span."""
    return bisect_left(moments, end) - bisect_left(moments, begin)


def event_rate(moments: Sequence[float], begin: float, end: float) -> float:
    """Return the events per second in a span."""
    return count_events(moments, begin, end) / max(end - begin, 0.001)


def recovery_seconds(
    moments: Sequence[float], before: float, after: float, window: float, until: float
) -> float | None:
    """Return the seconds from `after`, the end of the last fault, until the rate has recovered;
    None if it has not by `until`.

    It has recovered at the first event from which a whole window has 95 % of the rate `before`,
    less one event. A backlog counts when it is processed.
    """
    happened = next((moment for moment in moments if moment >= after), None)
    if happened is None:
        return None
    begin = after
    while begin + window <= until:
        if count_events(moments, begin, begin + window) >= BACK * before * window - GRAIN:
            return max(begin, happened) - after
        begin += STEP
    return None
