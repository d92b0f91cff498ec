"""The one place that asks for the time; everything below the doors is given it."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the present moment in UTC, to the millisecond (what is stored and stamped is what was compared)."""
    moment = datetime.now(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
