"""The wrapper of every task, which removes its queue mark and logs its faults, and the sending of
further tasks.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

import redis
import structlog

from adjudicator.platform import clock, wakeups
from adjudicator.platform.db import PASSING
from worker import context
from worker.app import SWEEP, app

P = ParamSpec("P")

log = structlog.get_logger()


def task(name: str) -> Callable[[Callable[P, None]], Any]:
    """Register a task that logs every error and leaves the work to the next sweep, so a failed task
    loses nothing.
    """

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
                    "task.failed",
                    task=name,
                    fault=type(fault).__name__,
                    remedy="`sealed check` says why; the next sweep tries again",
                )
            except Exception:  # any error: the worker keeps running, the sweep finds the work again
                log.exception("task.failed", task=name)
            context.release_idle()

        return app.task(name=name)(guarded)

    return register


def send_wakeup(name: str, *arguments: int | str, swept: bool = False) -> None:
    """Send a task unless it is marked as queued. `swept`: ignore the mark, since the sweep has read
    the queue and the mark is stale.
    """
    broker = context.current_context().broker
    if not wakeups.mark_queued(broker, name, arguments) and not swept:
        return
    try:
        wakeups.put_task(broker, name, arguments)
    except redis.RedisError:
        wakeups.unmark_queued(broker, name, arguments)
        raise
