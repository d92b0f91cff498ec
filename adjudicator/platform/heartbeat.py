"""Heartbeats: each role writes a key to Redis, so that checks can tell a stopped role from an idle
one.

Of several schedulers one leads, by a lease. Without Redis there are no heartbeats and no leases.
Redis counts their ages, because machines' clocks may differ.
"""

import os

import redis

from adjudicator.platform import clock
from adjudicator.platform.db_clock import DatabaseClock

SWEEP, WORKER, BEAT = "sweep", "worker", "beat"
LONGEST_SILENCE = 60.0  # seconds without a heartbeat that are a fault
_KEPT = 24 * 3600  # seconds
_SECONDS = 1.0
_CLOCK = "sealed.clock."
_CLOCK_KEPT, _CLOCK_TOLD_AGAIN = 120, 30.0  # seconds


def name_here(role: str) -> str:
    """Return the name of a role on this machine; each of several workers has its own heartbeat."""
    return f"{role}.{os.uname().nodename}"


def open_client(url: str) -> redis.Redis:
    """Return a Redis client with short timeouts; it connects at first use."""
    return redis.Redis.from_url(url, socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS)


def note_alive(broker: redis.Redis, name: str) -> None:
    """Write a role's heartbeat; do nothing if the broker cannot be reached."""
    try:
        broker.set(_key(name), "alive", ex=_KEPT)
    except redis.RedisError:
        return


def seconds_since(broker: redis.Redis, name: str) -> float | None:
    """Return the age of a role's heartbeat; None if it is over a day old or missing, or the broker
    cannot be reached.
    """
    try:
        left = broker.pttl(_key(name))
    except redis.RedisError:
        return None
    return max(_KEPT - left / 1000, 0.0) if left >= 0 else None


def sweep_trouble(seconds: float | None) -> str:
    """Return one sentence if nobody looks for due phases and waiting letters any more; `seconds` is
    the age of the last sweep.
    """
    if seconds is not None and seconds <= LONGEST_SILENCE:
        return ""
    since = "as far as is known" if seconds is None else f"for {seconds:.0f} seconds"
    return (
        f"Nobody has looked for what is due {since}: see whether the worker, the clock and Redis"
        " run."
    )


def hold_lease(broker: redis.Redis, role: str, holder: str, seconds: float) -> bool:
    """Take or renew the lease by which one of several does a role's work; False while another holds
    it.

    True where the broker cannot be reached. Two may hold it for a moment, as a lease runs out while
    it is renewed.
    """
    key, lasts = f"sealed.lease.{role}", round(seconds * 1000)
    try:
        if broker.set(key, holder, nx=True, px=lasts):
            return True
        mine = broker.get(key) == holder.encode()
        return mine and bool(broker.pexpire(key, lasts))
    except redis.RedisError:
        return True


def _key(name: str) -> str:
    return f"sealed.pulse.{name}"


# --- wrong clocks


class ClockNote:
    """Reports that this process's clock is more than a second off, repeats it while it is, and
    withdraws it at the end.
    """

    def __init__(self, role: str) -> None:
        self._key = f"{_CLOCK}{role} on {os.uname().nodename}, process {os.getpid()}"
        self._told_at: float | None = None

    def tell(self, broker: redis.Redis, kept: DatabaseClock) -> None:
        """Report the last comparison with the database's clock; a right clock costs no request."""
        if not kept.far_off and self._told_at is None:
            return
        if (
            kept.far_off
            and self._told_at is not None
            and clock.monotonic() - self._told_at < _CLOCK_TOLD_AGAIN
        ):
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
    """Return how many seconds each wrong clock is ahead, by process (negative: behind). Raises
    RedisError.
    """
    keys = sorted(broker.scan_iter(match=f"{_CLOCK}*", count=1000))
    values = {key.decode().removeprefix(_CLOCK): broker.get(key) for key in keys}
    return {name: float(ahead) for name, ahead in values.items() if isinstance(ahead, bytes)}
