"""Detects a stalled worker: after the broker was away, Celery can be connected and yet never take a
task again.
"""

import os
from typing import Any

import redis
import structlog
from celery import Celery, bootsteps
from celery.signals import task_received
from celery.worker import state

from adjudicator.platform import clock, heartbeat, queues

LISTEN_EVERY = 2.0  # seconds
PATIENCE = 10.0  # seconds without a new task, though tasks wait and none runs here
DEAF = 75  # the exit code; the supervisor starts another process

log = structlog.get_logger()


class Watchdog(bootsteps.StartStopStep):  # type: ignore[misc]  # Celery has no types
    """Ends the worker's process if tasks wait in the broker and none is taken; the sweep finds
    their work again.
    """

    requires = ("celery.worker.components:Timer",)

    def __init__(self, worker: Any, **options: Any) -> None:
        super().__init__(worker, **options)
        self._heard = clock.monotonic()
        self._broker = redis.Redis.from_url(
            worker.app.conf.broker_url, socket_timeout=1, socket_connect_timeout=1
        )
        self._lists = queues.queue_names(worker.app.amqp.queues.consume_from)

    def start(self, worker: Any) -> None:
        """Start to watch."""
        task_received.connect(self._hear, weak=False)
        self._timer = worker.timer.call_repeatedly(LISTEN_EVERY, self._listen)

    def stop(self, worker: Any) -> None:
        """Stop watching."""
        self._timer.cancel()

    def _hear(self, **_: object) -> None:
        self._heard = clock.monotonic()

    def _listen(self) -> None:
        heartbeat.note_alive(self._broker, heartbeat.name_here(heartbeat.WORKER))
        if state.active_requests or state.reserved_requests or not self._waiting():
            self._heard = clock.monotonic()
        elif clock.monotonic() - self._heard > PATIENCE:
            log.error("worker.deaf", remedy="this process ends and another is started")
            os._exit(DEAF)

    def _waiting(self) -> bool:
        """Whether tasks wait in the broker; False if it cannot be reached."""
        try:
            return any(self._broker.llen(each) for each in self._lists)
        except redis.RedisError:
            return False


def install(app: Celery) -> None:
    """Add the watchdog to this app's worker."""
    app.steps["worker"].add(Watchdog)
