"""The fixtures every test may use: real databases, a real Redis, a real browser; one that cannot be had fails the test."""

import os
import subprocess

import pytest

from tests.keeper import start_keeper, stop_keeper

pytest_plugins = ("tests.databases", "tests.browser", "tests.quick")

_SETTINGS = (
    "DATABASE_URL",
    "REDIS_URL",
    "SITE_URL",
    "HOST",
    "PORT",
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
_keepers: list[subprocess.Popen[bytes]] = []


def pytest_configure(config: pytest.Config) -> None:
    """Start the keeper of the servers in the one process that leads; xdist's workers find it by the environment."""
    for name in _SETTINGS:
        os.environ.pop(name, None)
    if not hasattr(config, "workerinput"):
        _keepers.append(start_keeper())


def pytest_unconfigure() -> None:
    """End the servers, whatever became of the tests."""
    while _keepers:
        stop_keeper(_keepers.pop())
