"""The web role: the site under gunicorn, one process with threads; it never reads the key file."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter

from adjudicator.hosting import machine_errors
from adjudicator.hosting.messages import say
from adjudicator.hosting.process import Role, die_with_parent
from adjudicator.hosting.roles.site_worker import MOST_CONNECTIONS, SiteWorker
from adjudicator.platform.config import Settings
from adjudicator.service.phases import site_marks, stamps

NAME = "the site"
_GRACE_SECONDS = 8  # to finish requests when the site is stopped
_MEMORY = Path("/dev/shm")  # noqa: S108 gunicorn's heartbeat, no data


class _Site(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn, configured here instead of by a command line."""

    def __init__(self, make: Callable[[], Flask], options: dict[str, Any]) -> None:
        self._make = make
        self._options = options
        super().__init__()

    def load_config(self) -> None:
        """Copy our options into gunicorn's configuration."""
        for name, value in self._options.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Create the application in the worker process; an error of disk or database ends that
        process with a sentence.
        """
        try:
            return self._make()
        except machine_errors.KINDS as fault:
            reason = machine_errors.describe_fault(fault)
            if not reason:
                raise
            say(f"\n{reason}")
            sys.exit(Arbiter.WORKER_BOOT_ERROR)


def web_role(settings: Settings, make: Callable[[], Flask], listener: int) -> Role:
    """Return the role that serves what `make` returns on an open listening socket."""
    return Role(
        NAME, partial(_run, settings, make, listener), patience=_GRACE_SECONDS + 4, logs_as="web"
    )


def _run(
    settings: Settings, make: Callable[[], Flask], listener: int, ready: Callable[[], None]
) -> None:
    _Site(make, _options(settings, listener, ready)).run()


def _options(settings: Settings, listener: int, ready: Callable[[], None]) -> dict[str, Any]:
    return {
        "bind": f"fd://{listener}",
        "workers": 1,
        "worker_class": SiteWorker,
        "threads": settings.web_threads,
        "worker_connections": MOST_CONNECTIONS,
        "timeout": 60,
        "limit_request_line": 8190,  # an address may hold a position and orders
        "forwarder_headers": "",  # no header moves the site below another address
        "graceful_timeout": _GRACE_SECONDS,
        "control_socket_disable": True,
        "loglevel": "debug" if settings.log_level == "DEBUG" else "warning",
        "worker_tmp_dir": str(_MEMORY) if _MEMORY.is_dir() else None,
        "post_fork": lambda _server, _worker: die_with_parent(),
        "post_worker_init": lambda worker: _begin(settings, worker, ready),
        "worker_exit": lambda _server, worker: _end(worker),
    }


def _begin(settings: Settings, worker: SiteWorker, ready: Callable[[], None]) -> None:
    stamps.stamp_beside(settings.database_url, stamps.WEB)
    worker.marker = site_marks.mark_beside(settings.database_url, worker.in_hand.answered_until)
    ready()


def _end(worker: SiteWorker) -> None:
    if worker.marker is not None:
        worker.marker.end()
