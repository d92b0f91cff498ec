"""A clock under a test's control, both this machine's and the database's."""

from collections.abc import Callable
from datetime import datetime

import pytest

from adjudicator.platform import clock, db_clock


def set_clocks(monkeypatch: pytest.MonkeyPatch, now: Callable[[], datetime]) -> None:
    """Make both clocks return `now()`; nothing takes any time."""
    monkeypatch.setattr(clock, "now", now)
    monkeypatch.setattr(db_clock, "read_clock", lambda _: now())
    monkeypatch.setattr(clock, "moment_of", lambda reading, _then: reading)
