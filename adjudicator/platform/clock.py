"""The only place that reads this machine's clock; the entry points pass the time to everything
below them.

What is stored or decided uses the database's clock (`Database.now`), because a machine's clock may
be wrong.
"""

import os
import time
from datetime import UTC, datetime, timedelta

TEST_SETTING = "SEALED_CLOCK_AHEAD"  # seconds that this process's clock is ahead; set by tests only


def now() -> datetime:
    """Return the current UTC time of this machine, to the millisecond, which is the precision that
    is stored and signed.
    """
    moment = datetime.now(UTC) + timedelta(seconds=float(os.environ.get(TEST_SETTING, "0")))
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def moment_of(reading: datetime, then: float) -> datetime:
    """Return the wall time of an event, given its `monotonic` time as `then` and the current wall
    time as `reading`.
    """
    moment = reading - timedelta(seconds=max(monotonic() - then, 0.0))
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def monotonic() -> float:
    """Return seconds from an arbitrary start that never go back; use differences only."""
    return time.monotonic()


def sleep(seconds: float) -> None:
    """Sleep for `seconds` or a little longer."""
    time.sleep(seconds)


def cpu_seconds() -> float:
    """Return the CPU time of this process in seconds."""
    return time.process_time()
