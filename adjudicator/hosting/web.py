"""The web role: the site under gunicorn, one process with threads behind a master; it never reads the key file."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication

from adjudicator.config import Settings
from adjudicator.hosting.logs import configure
from adjudicator.hosting.process import Role, die_with_parent

NAME = "the site"
_GRACE_SECONDS = 8  # for requests under way when the site is stopped
_MEMORY = Path("/dev/shm")  # noqa: S108 gunicorn's heartbeat, no data


class _Site(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn, told everything here instead of on a command line."""

    def __init__(self, make: Callable[[], Flask], options: dict[str, Any]) -> None:
        self._make = make
        self._options = options
        super().__init__()

    def load_config(self) -> None:
        """Take the options over."""
        for name, value in self._options.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Make the application, in the process that serves it."""
        return self._make()


def role(settings: Settings, make: Callable[[], Flask], listener: int) -> Role:
    """The web role: it serves what `make` makes, on a socket that already listens."""
    return Role(NAME, partial(_run, settings, make, listener), patience=_GRACE_SECONDS + 4)


def _run(settings: Settings, make: Callable[[], Flask], listener: int, ready: Callable[[], None]) -> None:
    configure(settings.log_level, "web")
    _Site(make, _options(settings, listener, ready)).run()


def _options(settings: Settings, listener: int, ready: Callable[[], None]) -> dict[str, Any]:
    return {
        "bind": f"fd://{listener}",
        "workers": 1,
        "worker_class": "gthread",
        "threads": settings.web_threads,
        "timeout": 60,
        "graceful_timeout": _GRACE_SECONDS,
        "control_socket_disable": True,
        "loglevel": "debug" if settings.log_level == "DEBUG" else "warning",
        "worker_tmp_dir": str(_MEMORY) if _MEMORY.is_dir() else None,
        "post_fork": lambda _server, _worker: die_with_parent(),
        "post_worker_init": lambda _worker: ready(),
    }
