"""The pulse: each role notes in Redis that it lives, so that checks can tell one that has stopped from one that has nothing to do.

It is no channel between rooms: nothing is decided by it, and where Redis is away there is simply no pulse to be felt. Ages are
counted by Redis, since the clocks of two machines may differ.
"""

import os

import redis

from adjudicator.platform import clock
from adjudicator.platform.db_clock import DatabaseClock

SWEEP, WORKER, BEAT = "sweep", "worker", "beat"
_KEPT = 24 * 3600  # seconds
_SECONDS = 1.0
_CLOCK = "sealed.clock."
_CLOCK_KEPT, _CLOCK_TOLD_AGAIN = 120, 30.0  # seconds


def name_here(role: str) -> str:
    """Return the name of this machine's own role: several workers have a pulse each."""
    return f"{role}.{os.uname().nodename}"


def open_client(url: str) -> redis.Redis:
    """Return a connection that is never waited for long; it is made at its first use."""
    return redis.Redis.from_url(url, socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS)


def note_alive(broker: redis.Redis, name: str) -> None:
    """Note that this role lives; where the broker cannot be reached nothing is noted."""
    try:
        broker.set(_key(name), "alive", ex=_KEPT)
    except redis.RedisError:
        return


def seconds_since(broker: redis.Redis, name: str) -> float | None:
    """Return how long ago a role's pulse was noted; None where there was none for a day, or the broker cannot be reached."""
    try:
        left = broker.pttl(_key(name))
    except redis.RedisError:
        return None
    return max(_KEPT - left / 1000, 0.0) if left >= 0 else None


def _key(name: str) -> str:
    return f"sealed.pulse.{name}"


# --- clocks that are off


class ClockNote:
    """Tells of one process that its clock is more than a second off, again from time to time, and once more when it is right."""

    def __init__(self, role: str) -> None:
        self._key = f"{_CLOCK}{role} on {os.uname().nodename}, process {os.getpid()}"
        self._told_at: float | None = None

    def tell(self, broker: redis.Redis, kept: DatabaseClock) -> None:
        """Tell what the last look at the database's clock showed; a clock that is right costs nothing."""
        if not kept.far_off and self._told_at is None:
            return
        if kept.far_off and self._told_at is not None and clock.monotonic() - self._told_at < _CLOCK_TOLD_AGAIN:
            return
        try:
            if kept.far_off:
                broker.set(self._key, f"{kept.ahead.total_seconds():.1f}", ex=_CLOCK_KEPT)
            else:
                broker.delete(self._key)
        except redis.RedisError:
            return
        self._told_at = clock.monotonic() if kept.far_off else None


def read_clocks_off(broker: redis.Redis) -> dict[str, float]:
    """Return the processes whose clocks are off, and by how many seconds each is ahead (behind: below 0); raises RedisError."""
    keys = sorted(broker.scan_iter(match=f"{_CLOCK}*", count=1000))
    told = {key.decode().removeprefix(_CLOCK): broker.get(key) for key in keys}
    return {name: float(ahead) for name, ahead in told.items() if isinstance(ahead, bytes)}
