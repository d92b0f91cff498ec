"""What every task has around it: its mark is taken away, its faults are logged, and it sends others on their way."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

import structlog
from kombu.exceptions import OperationalError

from adjudicator.platform import clock, wakeups
from adjudicator.platform.db import PASSING
from worker import context
from worker.app import SWEEP, app

P = ParamSpec("P")

log = structlog.get_logger()


def task(name: str) -> Callable[[Callable[P, None]], Any]:
    """Register a task that logs whatever goes wrong and leaves it to the next sweep; nothing is lost by a failed task."""

    def register(work: Callable[P, None]) -> Any:
        @wraps(work)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
            begun = clock.monotonic()
            context.unmark_task(name, args)
            try:
                work(*args, **kwargs)
                note = log.debug if name == SWEEP else log.info
                note("task", task=name, ms=round((clock.monotonic() - begun) * 1000))
            except PASSING as fault:
                log.error(
                    "task.failed", task=name, fault=type(fault).__name__, remedy="`sealed check` says why; the next sweep tries again"
                )
            except Exception:  # whatever it was: the worker lives on, the sweep finds the work again
                log.exception("task.failed", task=name)
            context.release_idle()

        return app.task(name=name)(guarded)

    return register


def send_wakeup(name: str, *arguments: int | str, swept: bool = False) -> None:
    """Send a task on its way unless it is marked as queued; the sweep, which has looked at what is, sends what has a stale mark, too."""
    broker = context.current_context().broker
    if not wakeups.mark_queued(broker, name, arguments) and not swept:
        return
    try:
        app.send_task(name, args=list(arguments), retry=False, priority=wakeups.priority_of(name))
    except (OperationalError, OSError):
        wakeups.unmark_queued(broker, name, arguments)
        raise
