"""The one place that asks this machine for the time; everything below the doors is given it.

What is stored or decided goes by the database's clock (`Database.now`): machines may be off.
"""

import os
import time
from datetime import UTC, datetime, timedelta

TEST_SETTING = "SEALED_CLOCK_AHEAD"  # seconds that this process's clock is ahead; set by tests only


def now() -> datetime:
    """Return the present moment in UTC by this machine, to the millisecond (what is stored and stamped is what was compared)."""
    moment = datetime.now(UTC) + timedelta(seconds=float(os.environ.get(TEST_SETTING, "0")))
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def moment_of(reading: datetime, then: float) -> datetime:
    """Return when something happened, whatever the clocks showed: `reading` is the present moment, `then` what `monotonic` showed at it."""
    moment = reading - timedelta(seconds=max(monotonic() - then, 0.0))
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def monotonic() -> float:
    """Return seconds that never step back, for measuring how long something takes; they begin anywhere."""
    return time.monotonic()


def sleep(seconds: float) -> None:
    """Wait so many seconds, or a little longer."""
    time.sleep(seconds)


def cpu_seconds() -> float:
    """Return the seconds that this process has worked, which waiting and standing still do not count to."""
    return time.process_time()
