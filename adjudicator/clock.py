"""The one place that asks for the time; everything below the doors is given it."""

import time
from datetime import UTC, datetime


def now() -> datetime:
    """Return the present moment in UTC, to the millisecond (what is stored and stamped is what was compared)."""
    moment = datetime.now(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def monotonic() -> float:
    """Return seconds that never step back, for measuring how long something takes; they begin anywhere."""
    return time.monotonic()


def sleep(seconds: float) -> None:
    """Wait so many seconds, or a little longer."""
    time.sleep(seconds)


def cpu() -> float:
    """Return the seconds that this process has worked, which waiting and standing still do not count to."""
    return time.process_time()
