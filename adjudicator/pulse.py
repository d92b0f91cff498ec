"""The pulse: each role notes in Redis that it lives, so that checks can tell one that has stopped from one that has nothing to do.

It is no channel between rooms: nothing is decided by it, and where Redis is away there is simply no pulse to be felt.
"""

import os
from datetime import datetime

import redis

SWEEP, WORKER, BEAT = "sweep", "worker", "beat"
_KEPT = 24 * 3600  # seconds
_SECONDS = 1.0


def own(role: str) -> str:
    """Return the name of this machine's own role: several workers have a pulse each."""
    return f"{role}.{os.uname().nodename}"


def client(url: str) -> redis.Redis:
    """Return a connection that is never waited for long; it is made at its first use."""
    return redis.Redis.from_url(url, socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS)


def note(broker: redis.Redis, name: str, now: datetime) -> None:
    """Note that this role lives; where the broker cannot be reached nothing is noted."""
    try:
        broker.set(_key(name), now.isoformat(), ex=_KEPT)
    except redis.RedisError:
        return


def seconds_since(broker: redis.Redis, name: str, now: datetime) -> float | None:
    """Return how long ago a role's pulse was noted; None where there was none for a day, or the broker cannot be reached."""
    try:
        noted = broker.get(_key(name))
    except redis.RedisError:
        return None
    return max((now - datetime.fromisoformat(noted.decode())).total_seconds(), 0.0) if isinstance(noted, bytes) else None


def _key(name: str) -> str:
    return f"sealed.pulse.{name}"
