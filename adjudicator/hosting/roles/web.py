"""The web role: the site under gunicorn, one process with threads; it never reads the key file."""

import selectors
import socket
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.workers.gthread import TConn, ThreadWorker

from adjudicator.hosting import machine_errors
from adjudicator.hosting.logs import configure_logging
from adjudicator.hosting.messages import say
from adjudicator.hosting.process import Role, die_with_parent
from adjudicator.platform import clock
from adjudicator.platform.config import Settings
from adjudicator.service.phases import stamps

NAME = "the site"
_GRACE_SECONDS = 8  # to finish requests when the site is stopped
_MEMORY = Path("/dev/shm")  # noqa: S108 gunicorn's heartbeat, no data
_SILENT_SECONDS = 20  # that a connection may stay open before its first request, since browsers open some ahead


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
        """Create the application in the worker process; an error of disk or database ends that process with a sentence."""
        try:
            return self._make()
        except machine_errors.KINDS as fault:
            said = machine_errors.describe_fault(fault)
            if not said:
                raise
            say(f"\n{said}")
            sys.exit(Arbiter.WORKER_BOOT_ERROR)


class SiteWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's threaded worker, in which a silent connection occupies no thread.

    gunicorn gives each new connection a thread for five seconds, so a few browsers that open connections ahead would block the site.
    """

    def accept(self, listener: socket.socket) -> None:
        """Accept a connection and wait for its first bytes before a thread gets it."""
        try:
            client, address = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        self.nr_conns += 1
        conn = TConn(self.cfg, client, address, listener.getsockname())
        conn.timeout = clock.monotonic() + _SILENT_SECONDS
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def murder_pending(self) -> None:
        """Close connections that stayed silent for too long, and all of them when the worker stops."""
        if not self.alive:
            for conn in self.pending_conns:
                conn.timeout = 0.0
        super().murder_pending()


def web_role(settings: Settings, make: Callable[[], Flask], listener: int) -> Role:
    """Return the role that serves what `make` returns on an open listening socket."""
    return Role(NAME, partial(_run, settings, make, listener), patience=_GRACE_SECONDS + 4)


def _run(settings: Settings, make: Callable[[], Flask], listener: int, ready: Callable[[], None]) -> None:
    configure_logging(settings.log_level, "web")
    _Site(make, _options(settings, listener, ready)).run()


def _options(settings: Settings, listener: int, ready: Callable[[], None]) -> dict[str, Any]:
    return {
        "bind": f"fd://{listener}",
        "workers": 1,
        "worker_class": SiteWorker,
        "threads": settings.web_threads,
        "timeout": 60,
        "limit_request_line": 8190,  # an address may hold a position and orders
        "graceful_timeout": _GRACE_SECONDS,
        "control_socket_disable": True,
        "loglevel": "debug" if settings.log_level == "DEBUG" else "warning",
        "worker_tmp_dir": str(_MEMORY) if _MEMORY.is_dir() else None,
        "post_fork": lambda _server, _worker: die_with_parent(),
        "post_worker_init": lambda _worker: _begin(settings, ready),
    }


def _begin(settings: Settings, ready: Callable[[], None]) -> None:
    stamps.stamp_beside(settings.database_url, stamps.WEB)
    ready()
