"""TEST_TIMES=FILE: append a line of JSON for each test: name, seconds by the wall and of the
processor, peak of memory in MB.
"""

import json
import os
import resource
import time
from collections.abc import Generator
from pathlib import Path

import pytest

_FILE = os.environ.get("TEST_TIMES")


def _cpu() -> float:
    """Return the processor seconds of this process and of its children that have ended."""
    return sum(os.times()[:4])


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool | None, bool | None]:
    """Measure a test with its fixtures."""
    if _FILE is None:
        return (yield)
    wall, cpu = time.perf_counter(), _cpu()
    try:
        return (yield)
    finally:
        line = {
            "test": item.nodeid,
            "wall": round(time.perf_counter() - wall, 3),
            "cpu": round(_cpu() - cpu, 3),
            "peak": _peak(),
        }
        with Path(_FILE).open("a") as file:
            file.write(json.dumps(line) + "\n")
