"""Notices that this worker has gone deaf: after its broker was away, Celery can be connected and yet never take a task again."""

import os
from typing import Any

import redis
import structlog
from celery import Celery, bootsteps
from celery.signals import task_received
from celery.worker import state

from adjudicator.platform import clock, heartbeat, wakeups

LISTEN_EVERY = 2.0  # seconds
PATIENCE = 10.0  # seconds without a task, though some wait and nothing is being done here
DEAF = 75  # the exit code; whoever looks after this process starts another

log = structlog.get_logger()


class Watchdog(bootsteps.StartStopStep):  # type: ignore[misc]  # Celery has no types
    """Ends the worker's process when tasks wait in the broker and none is taken; nothing is lost, the sweep finds it all again."""

    requires = ("celery.worker.components:Timer",)

    def __init__(self, worker: Any, **options: Any) -> None:
        super().__init__(worker, **options)
        self._heard = clock.monotonic()
        self._broker = redis.Redis.from_url(worker.app.conf.broker_url, socket_timeout=1, socket_connect_timeout=1)
        self._lists = wakeups.queue_names(worker.app.conf.task_default_queue)

    def start(self, worker: Any) -> None:
        """Begin to listen."""
        task_received.connect(self._hear, weak=False)
        self._timer = worker.timer.call_repeatedly(LISTEN_EVERY, self._listen)

    def stop(self, worker: Any) -> None:
        """Stop listening."""
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
        """Whether tasks wait in the broker; a broker that cannot be reached has none."""
        try:
            return any(self._broker.llen(each) for each in self._lists)
        except redis.RedisError:
            return False


def install(app: Celery) -> None:
    """Give the worker of this app its ear."""
    app.steps["worker"].add(Watchdog)
