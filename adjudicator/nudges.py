"""Nudges: a door tells the workers that there is something to do now. A nudge may be lost; the sweep finds the work a moment later."""

import structlog
from celery import Celery
from kombu.exceptions import OperationalError

from adjudicator import clock

FOUND, START, CLOSE, HOUSE, READ, SIGN, POST = (f"sealed.{name}" for name in ("found", "start", "close", "house", "read", "sign", "post"))
LETTER = "sealed.letter"  # letters came in and wait to be read

_STEPS = (0, 3, 6)  # the first are taken first
_LATER = {HOUSE: _STEPS[1], LETTER: _STEPS[1], POST: _STEPS[2]}
# How the broker's lists are named; whoever sends and whoever takes must agree.
TRANSPORT = {"priority_steps": list(_STEPS), "sep": "\x06\x16"}
_SILENT_FOR = 5.0  # seconds without a try after the broker could not be reached, so that no page waits for it again

log = structlog.get_logger()


def priority(task: str) -> int:
    """Return how urgent a task is, 0 the most: what a deadline waits for comes before letters, which may be thousands at once."""
    return _LATER.get(task, 0)


def lists(queue: str) -> list[str]:
    """Return the names of the broker's lists that hold a queue's tasks."""
    return [f"{queue}{TRANSPORT['sep']}{step}" if step else queue for step in _STEPS]


class Nudges:
    """Sends nudges from a process that is no worker; never raises, and never waits longer than about a second."""

    def __init__(self, broker_url: str) -> None:
        self._app = Celery("nudges", broker=broker_url, set_as_current=False)
        timeouts = TRANSPORT | {"socket_connect_timeout": 0.5, "socket_timeout": 1.0, "max_retries": 0}
        self._app.conf.update(broker_transport_options=timeouts, broker_connection_timeout=1, task_ignore_result=True)
        self._silent_until = 0.0

    def send(self, task: str, *arguments: int | str) -> bool:
        """Send one nudge; returns whether the broker took it."""
        if clock.monotonic() < self._silent_until:
            return False
        try:
            self._app.send_task(task, args=list(arguments), retry=False, expires=60, priority=priority(task))
        except (OperationalError, OSError) as error:
            self._silent_until = clock.monotonic() + _SILENT_FOR
            log.warning("nudge.lost", task=task, error=str(error)[:200])
            return False
        return True
