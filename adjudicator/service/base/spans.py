"""Spans of time that people write, on the form for a match and in letters: overtime and
reminders.
"""

import re
from collections.abc import Sequence

from adjudicator.platform.words import format_duration
from adjudicator.service.base.errors import Refused

USUAL_REMINDERS = (24 * 60, 3 * 60)  # minutes before the deadline
SHORTEST_REMINDER, LONGEST_REMINDER = 5, 14 * 24 * 60
MOST_REMINDERS = 5
NONE = frozenset({"", "0", "no", "none", "off"})
_SPAN = re.compile(r"(\d{1,5})\s*(m|min|minutes?|h|hours?|d|days?)?", re.IGNORECASE)
_MINUTES = {"m": 1, "h": 60, "d": 24 * 60}


def read_minutes(text: str, *, field: str) -> int:
    """Read `6 h`, `90 min`, `1 day` or a number of hours as minutes, no text as 0; raises Refused
    with a sentence.
    """
    if text.strip().lower() in NONE:
        return 0
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        raise Refused(
            f"“{text.strip()[:40]}” does not read as a time. Write hours, or such as 90 min.",
            field=field,
        )
    return int(found[1]) * _MINUTES[(found[2] or "h")[0].lower()]


def read_reminders(texts: Sequence[str]) -> tuple[int, ...]:
    """Read times before a deadline as minutes, the longest first; raises Refused with a
    sentence.
    """
    found = sorted(
        {minutes for text in texts if (minutes := read_minutes(text, field="reminders"))},
        reverse=True,
    )
    if len(found) > MOST_REMINDERS:
        raise Refused(f"A phase has at most {MOST_REMINDERS} reminders.", field="reminders")
    if found and not SHORTEST_REMINDER <= found[-1] <= found[0] <= LONGEST_REMINDER:
        least, most = (
            format_duration(minutes * 60) for minutes in (SHORTEST_REMINDER, LONGEST_REMINDER)
        )
        raise Refused(
            f"A reminder comes from {least} to {most} before the deadline.", field="reminders"
        )
    return tuple(found)


def split_spans(text: str) -> list[str]:
    """Return the parts of a list such as `24 h, 3 h` or `24 and 3`."""
    return [part.strip() for part in re.split(r"[,;]|\band\b", text) if part.strip()]
