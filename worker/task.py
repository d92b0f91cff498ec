"""The declaration of a task, its wrapper, which removes its queue mark and logs its faults, and the
sending of further tasks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Any, ParamSpec

import redis
import structlog

from adjudicator.platform import clock, queues
from adjudicator.platform.db import PASSING, ReadTx
from adjudicator.platform.wakeups import Task
from worker import context
from worker.app import SWEEP, app

P = ParamSpec("P")

Find = Callable[[ReadTx, datetime], Sequence[str]]
Waits = Callable[[ReadTx, datetime], bool]

log = structlog.get_logger()


@dataclass(frozen=True)
class Swept:
    """A task that the sweep sends, and how it finds the work; indexes make both cheap while nothing
    is due.
    """

    task: Task
    find: Find | None = None  # a task for each public name: of matches, requests ...
    waits: Waits | None = None  # one task if this is true, for all that waits


SWEPT: list[Swept] = []  # by their declarations


def task(
    declared: Task, *, find: Find | None = None, waits: Waits | None = None
) -> Callable[[Callable[P, None]], Any]:
    """Declare a task: register what does its work, and have each sweep look for it by `find` or
    `waits`.

    It logs every error and leaves the work to the next sweep, so a failed task loses nothing.
    """
    if find is not None or waits is not None:
        SWEPT.append(Swept(declared, find, waits))

    def register(work: Callable[P, None]) -> Any:
        @wraps(work)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
            begun = clock.monotonic()
            context.unmark_task(declared, args)
            try:
                work(*args, **kwargs)
                note = log.debug if declared == SWEEP else log.info
                note("task", task=declared, ms=round((clock.monotonic() - begun) * 1000))
            except PASSING as fault:
                log.error(
                    "task.failed",
                    task=declared,
                    fault=type(fault).__name__,
                    remedy="`sealed check` says why; the next sweep tries again",
                )
            except Exception:  # any error: the worker keeps running, the sweep finds the work again
                log.exception("task.failed", task=declared)
            context.release_idle()

        return app.task(name=str(declared))(guarded)

    return register


def send_wakeup(task: Task, *arguments: int | str, swept: bool = False) -> None:
    """Send a task unless it is marked as queued. `swept`: ignore the mark, since the sweep has read
    the queue and the mark is stale.
    """
    broker = context.current_context().broker
    if not queues.mark_queued(broker, task, arguments) and not swept:
        return
    try:
        queues.put_task(broker, task, arguments)
    except redis.RedisError:
        queues.unmark_queued(broker, task, arguments)
        raise
