"""Nudges: a door tells the workers that there is something to do now. A nudge may be lost; the sweep finds the work a moment later."""

import time

import structlog
from celery import Celery
from kombu.exceptions import OperationalError

FOUND, START, CLOSE, HOUSE, READ, SIGN, POST = (f"sealed.{name}" for name in ("found", "start", "close", "house", "read", "sign", "post"))
LETTER = "sealed.letter"  # letters came in and wait to be read
_SILENT_FOR = 5.0  # seconds without a try after the broker could not be reached, so that no page waits for it again

log = structlog.get_logger()


class Nudges:
    """Sends nudges from a process that is no worker; never raises, and never waits longer than about a second."""

    def __init__(self, broker_url: str) -> None:
        self._app = Celery("nudges", broker=broker_url, set_as_current=False)
        timeouts = {"socket_connect_timeout": 0.5, "socket_timeout": 1.0, "max_retries": 0}
        self._app.conf.update(broker_transport_options=timeouts, broker_connection_timeout=1, task_ignore_result=True)
        self._silent_until = 0.0

    def send(self, task: str, *arguments: int | str) -> bool:
        """Send one nudge; returns whether the broker took it."""
        if time.monotonic() < self._silent_until:
            return False
        try:
            self._app.send_task(task, args=list(arguments), retry=False, expires=60)
        except (OperationalError, OSError) as error:
            self._silent_until = time.monotonic() + _SILENT_FOR
            log.warning("nudge.lost", task=task, error=str(error)[:200])
            return False
        return True
