"""Ends a test process whose test hangs: after 300 seconds without progress it dumps the stacks of
all threads and exits.

The seconds are `hang_seconds` of the configuration; `_LONG` names tests that compute for longer.
Each wait that came to its end (`tests/waiting.py`) counts as progress, so that a busy machine ends
no test. Under xdist the controller reports the test whose process exited as failed, and goes on
with another process; the second look runs it again, with the same limit.
"""

import faulthandler
import os
import threading
from collections.abc import Generator

import pytest

from tests.waiting import YIELDS, on_progress

_LONG = {  # tests that compute for minutes at a stretch, on a quiet machine
    "tests/chaos/test_chaos.py": 3600.0,
    "tests/games": 1800.0,
    "tests/hosting/test_environment.py": 1800.0,
    "tests/hosting/test_wheel.py": 1800.0,
    "tests/interference": 1800.0,
    "tests/simulation": 3600.0,
    "tests/web/test_lighthouse.py": 1800.0,
}
_SECONDS = "hang_seconds"
_stderr = pytest.StashKey[int]()
# the limit of the running phase in seconds, and where its dump goes; else empty
_armed: list[tuple[float, int]] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `hang_seconds`."""
    parser.addini(
        _SECONDS,
        "seconds without progress after which a test is dumped and its process exits",
        default="300",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Keep the standard error from before a test's output is captured."""
    config.stash[_stderr] = os.dup(2)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Close it."""
    os.close(config.stash[_stderr])


def limit_of(name: str, usual: float) -> float:
    """Return the seconds without progress after which a test hangs, by its node id."""
    return max((seconds for path, seconds in _LONG.items() if name.startswith(path)), default=usual)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool | None, bool | None]:
    """Arm for a test and its fixtures; disarm after it."""
    _armed[:] = [
        (
            YIELDS * limit_of(item.nodeid, float(item.config.getini(_SECONDS))),
            item.config.stash[_stderr],
        )
    ]
    note_progress()
    try:
        return (yield)
    finally:
        _armed.clear()
        faulthandler.cancel_dump_traceback_later()


def note_progress() -> None:
    """Count the seconds of the running test anew."""
    if _armed and threading.current_thread() is threading.main_thread():
        ((seconds, stderr),) = _armed
        faulthandler.dump_traceback_later(seconds, file=stderr, exit=True)


on_progress.append(note_progress)
