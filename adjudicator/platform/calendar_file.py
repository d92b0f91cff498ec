"""The days off that a calendar in the form of RFC 5545 (.ics) names: fetched and read in a child process with limits."""

import json
import os
import resource
import subprocess
import sys
from datetime import date, datetime, timedelta
from pathlib import Path

import recurring_ical_events
from icalendar import Calendar

from adjudicator.platform.fetching import CannotFetch, fetch_page

SECONDS = 20.0  # to fetch and read a calendar
MEMORY = 512 * 1024 * 1024  # bytes of addresses of the child
DAYS = 400  # that are read ahead
MOST_DAYS = 366
_ROOT = Path(__file__).resolve().parents[2]


def fetch_days_off(url: str, first: date, *, seconds: float = SECONDS) -> frozenset[date]:
    """Return the days off that the calendar at an https address names in the `DAYS` days from `first` on.

    A child process without this one's environment fetches and reads it: a calendar that is slow, huge or repeats without end
    costs at most `seconds` and `MEMORY`. Raises CannotFetch with a sentence.
    """
    command = [sys.executable, "-P", "-B", "-m", "adjudicator.platform.calendar_file", url, first.isoformat()]
    clean = {"PATH": os.defpath, "PYTHONPATH": str(_ROOT), "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"}
    try:
        done = subprocess.run(command, env=clean, cwd="/", capture_output=True, timeout=seconds, check=False, start_new_session=True)
    except subprocess.TimeoutExpired as error:
        raise CannotFetch("That calendar took too long to fetch or to read.") from error
    except OSError as error:
        raise CannotFetch("That calendar cannot be fetched at present.") from error
    try:
        answer = json.loads(done.stdout)
    except ValueError as error:
        raise CannotFetch("That calendar could not be read.") from error
    if "days" not in answer:
        raise CannotFetch(str(answer["why"]))
    return frozenset(date.fromisoformat(day) for day in answer["days"])


def read_days_off(text: bytes, first: date, days: int = DAYS) -> frozenset[date]:
    """Return the days in `days` days from `first` on that an event of the calendar covers whole.

    Events of whole days count, and of events with hours the days that lie wholly inside. Raises ValueError where the text is no
    calendar, CannotFetch where it names more than `MOST_DAYS` days.
    """
    last = first + timedelta(days=days)
    found: set[date] = set()
    for event in recurring_ical_events.of(Calendar.from_ical(text)).between(first, last):
        begin, end = event.start, event.end
        if isinstance(begin, datetime):
            begin = begin.date() + timedelta(days=begin.time() > datetime.min.time())
        end = end.date() if isinstance(end, datetime) else end
        begin, end = max(begin, first), min(max(end, begin + timedelta(days=not isinstance(event.start, datetime))), last)
        found |= {begin + timedelta(days=day) for day in range((end - begin).days)}
    if len(found) > MOST_DAYS:
        raise CannotFetch(f"That calendar names more than {MOST_DAYS} days off.")
    return frozenset(found)


def _main() -> None:
    """Fetch and read the calendar that the arguments name; write the days, or why there are none, as JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    url, first = sys.argv[1], date.fromisoformat(sys.argv[2])
    try:
        found: dict[str, object] = {"days": sorted(day.isoformat() for day in read_days_off(fetch_page(url), first))}
    except CannotFetch as error:
        found = {"why": str(error)}
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    _main()
