"""Calendars of days off (RFC 5545): fetched from outside and read in a child process with limits."""

import json
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from adjudicator.platform.net.outside import MOST_BYTES, CannotFetch, fetch_page

MOST_SENT = 384 * 1024  # of a file: a request of the site, which holds it, has its own limit
CHILD_SECONDS = 5.0  # of CPU to read a calendar that was fetched
FILE_SECONDS = 1.0  # of CPU to read a file: somebody waits for the page
# of the clock to start a child, fetch and read: a busy machine alone makes no calendar unreadable
LONGEST = 60.0
READERS = 1  # of files at a time in one process
MEMORY = 512 * 1024 * 1024  # bytes of addresses of the child
DAYS = 400  # that are read ahead
MOST_DAYS = 366
_FROM_PARENT = "-"  # in the place of an address: the parent gives the calendar itself
_TOO_LONG = "That calendar took too long to fetch or to read."
_ROOT = Path(__file__).resolve().parents[3]


class ReaderBusy(CannotFetch):
    """As many files are being read as may be at a time."""


@dataclass(frozen=True)
class DaysOff:
    """The days off that a calendar names, and each entry that was not understood: its title, and
    why in brackets.
    """

    days: frozenset[date]
    unread: tuple[str, ...] = ()


def fetch_days_off(url: str, first: date, *, seconds: float = CHILD_SECONDS) -> DaysOff:
    """Return the days off that the calendar at an https address names in the `DAYS` days from
    `first` on.

    A child process without this one's environment fetches and reads it: a calendar that is slow,
    huge or repeats without end costs at most `seconds` of CPU, LONGEST on the clock and `MEMORY`.
    Raises CannotFetch with a sentence.
    """
    return _ask_child(url, first, b"", seconds)


_reading = threading.BoundedSemaphore(READERS)


def read_file(text: bytes, first: date, *, seconds: float = FILE_SECONDS) -> DaysOff:
    """Return the days off in a calendar that somebody sent, as `fetch_days_off` does for an
    address. Raises CannotFetch.

    Raises ReaderBusy at once while READERS threads of this process read others: few threads wait
    for files, however many are sent.
    """
    if len(text) > MOST_SENT:
        raise CannotFetch(f"That file is larger than {MOST_SENT // 1024} kilobytes.")
    if not _reading.acquire(blocking=False):
        raise ReaderBusy("Another calendar is being read just now. Try again in a few seconds.")
    try:
        return _ask_child(_FROM_PARENT, first, text, seconds)
    finally:
        _reading.release()


def _ask_child(source: str, first: date, given: bytes, seconds: float) -> DaysOff:
    command = [
        sys.executable,
        "-P",
        "-B",
        "-m",
        "adjudicator.service.calendars.calendars",
        source,
        first.isoformat(),
        str(seconds),
    ]
    kept = {
        name: os.environ[name] for name in ("SSL_CERT_FILE", "SSL_CERT_DIR") if name in os.environ
    }
    clean = {
        "PATH": os.defpath,
        "PYTHONPATH": str(_ROOT),
        "PYTHONUTF8": "1",
        "LC_ALL": "C.UTF-8",
        **kept,
    }
    try:
        done = subprocess.run(
            command,
            env=clean,
            cwd="/",
            input=given,
            capture_output=True,
            timeout=LONGEST,
            check=False,
            start_new_session=True,
        )
    except subprocess.TimeoutExpired as error:
        raise CannotFetch(_TOO_LONG) from error
    except OSError as error:
        raise CannotFetch("That calendar cannot be fetched at present.") from error
    if done.returncode == -signal.SIGPROF:
        raise CannotFetch(_TOO_LONG)
    return days_from_child(done.stdout)


def answer_parent(url: str, first: date, fetch: Callable[[str], bytes] = fetch_page) -> str:
    """Return the days off of a calendar, or why there are none, as the JSON that `days_from_child`
    reads.
    """
    from adjudicator.service.calendars import days_off  # in the child only: it is heavy

    try:
        found = days_off.read_days_off(fetch(url), first, DAYS)
        return json.dumps(
            {"days": sorted(day.isoformat() for day in found.days), "unread": found.unread}
        )
    except CannotFetch as error:
        return json.dumps({"why": str(error)})


def days_from_child(text: bytes | str) -> DaysOff:
    """Read what `answer_parent` wrote; raises CannotFetch with its reason, or where a child that
    broke wrote nothing.
    """
    try:
        answer = json.loads(text)
    except ValueError as error:
        raise CannotFetch("That calendar could not be read.") from error
    if "days" not in answer:
        raise CannotFetch(str(answer["why"]))
    return DaysOff(
        frozenset(date.fromisoformat(day) for day in answer["days"]),
        tuple(map(str, answer["unread"])),
    )


def _main() -> None:
    """Limit this process, and answer for the calendar that the arguments name."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    # of CPU; then SIGPROF ends this process, also if its parent is gone
    signal.setitimer(signal.ITIMER_PROF, float(sys.argv[3]))
    source, first = sys.argv[1], date.fromisoformat(sys.argv[2])
    fetch = fetch_page if source != _FROM_PARENT else lambda _: sys.stdin.buffer.read(MOST_BYTES)
    sys.stdout.write(answer_parent(source, first, fetch))


if __name__ == "__main__":
    # the module that `ical` imports, so that its exceptions are those caught here
    from adjudicator.service.calendars import calendars

    calendars._main()
