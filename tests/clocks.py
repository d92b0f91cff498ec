"""A clock that a test turns: this machine's and the database's, which is the one that counts."""

from collections.abc import Callable
from datetime import datetime

import pytest

from adjudicator.platform import clock, db_clock


def turn(monkeypatch: pytest.MonkeyPatch, now: Callable[[], datetime]) -> None:
    """Have both clocks show what `now` returns; nothing takes any time."""
    monkeypatch.setattr(clock, "now", now)
    monkeypatch.setattr(db_clock, "read_clock", lambda _: now())
    monkeypatch.setattr(clock, "moment_of", lambda reading, _then: reading)
