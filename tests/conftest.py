"""Fixtures for all tests: real databases, a real Redis, a real browser; a test fails if one is
missing.
"""

import gc
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.keeper import start_keeper, stop_keeper
from tests.memory import in_memory
from tests.waiting import DUMPS

pytest_plugins = (
    "tests.chance",
    "tests.compiled_once",
    "tests.databases",
    "tests.browser",
    "tests.hangs",
    "tests.quick",
    "tests.nightly",
    "tests.second_look",
    "tests.times",
)

_SETTINGS = (
    "DATABASE_URL",
    "REDIS_URL",
    "SITE_URL",
    "HOST",
    "PORT",
    "LIVE_PORT",
    "DATA_DIR",
    "KEY_FILE",
    "SECRET_KEY",
    "MAIL_ADDRESS",
    "SMTP_URL",
    "INBOX_URL",
    "IMAP_URL",
    "DKIM_KEY_FILE",
    "METRICS_TOKEN",
    "LOG_LEVEL",
)
# minutes a test
_LONG = (
    "tests/simulation/test_simulation.py",
    "tests/simulation/test_postgres.py",
    "tests/chaos/test_chaos.py",
)
_keepers: list[subprocess.Popen[bytes]] = []
_folders: list[str] = []


# until all is collected; looking for cycles there takes a third of the time and finds none
gc.disable()


def pytest_configure(config: pytest.Config) -> None:
    """Start the keeper of the servers in the controlling process; xdist's workers find it through
    the environment.
    """
    for name in _SETTINGS:
        os.environ.pop(name, None)
    os.environ[DUMPS] = "1"  # for the processes that tests start
    if not hasattr(config, "workerinput"):
        _keepers.append(start_keeper())
        if config.option.basetemp is None and (memory := in_memory()):
            _folders.append(tempfile.mkdtemp(prefix="sealed-files-", dir=memory))
            config.option.basetemp = str(Path(_folders[0]) / "files")


def pytest_unconfigure() -> None:
    """End the servers, whatever the result of the tests, and remove the tests' files from
    memory.
    """
    while _keepers:
        stop_keeper(_keepers.pop())
    while _folders:
        shutil.rmtree(_folders.pop(), ignore_errors=True)


def pytest_collection_finish() -> None:
    """Spare the collector what lasts until the end: modules and thousands of collected tests."""
    gc.collect()
    gc.freeze()
    # counts what is left; otherwise garbage would be looked for only once it is a quarter of what
    # was frozen
    gc.collect()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the long tests, a share in each test process, so that at the end none is left
    alone with one.
    """
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    first = [item for item in items if item.nodeid.startswith(_LONG)]
    others = [item for item in items if not item.nodeid.startswith(_LONG)]
    size = -(-len(others) // processes)
    items[:] = [
        item
        for share in range(processes)
        for item in (*first[share::processes], *others[share * size : (share + 1) * size])
    ]
