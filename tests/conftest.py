"""Fixtures for all tests: real databases, a real Redis, a real browser; a test fails if one is missing."""

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
    """Start the keeper of the servers in the controlling process; xdist's workers find it through the environment."""
    for name in _SETTINGS:
        os.environ.pop(name, None)
    if not hasattr(config, "workerinput"):
        _keepers.append(start_keeper())


def pytest_unconfigure() -> None:
    """End the servers, whatever the result of the tests."""
    while _keepers:
        stop_keeper(_keepers.pop())
