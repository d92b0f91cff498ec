"""The Celery app; its settings in `worker.conf` are read at first use."""

import structlog
from celery import Celery
from celery.signals import worker_process_init, worker_process_shutdown

from adjudicator.platform.config import current_settings
from adjudicator.platform.db import PASSING
from adjudicator.platform.wakeups import Task
from worker import watchdog

log = structlog.get_logger()

SWEEP, TIDY = Task("sealed.sweep"), Task("sealed.tidy")

app = Celery("sealed", include=["worker.sweep", "worker.tasks", "worker.letters"])
app.config_from_object("worker.conf")
watchdog.install(app)


@worker_process_init.connect  # type: ignore[untyped-decorator]  # Celery has no types
def _open_context(**_: object) -> None:
    """Open the database pool and the keyring of this worker process."""
    # imports all that tasks need, and the scheduler imports this module too
    from worker import context

    try:
        context.open_context(current_settings())
    except PASSING as fault:
        log.error(
            "worker.no_database",
            fault=type(fault).__name__,
            remedy="the first task tries again; `sealed check` says why",
        )


@worker_process_shutdown.connect  # type: ignore[untyped-decorator]  # Celery has no types
def _close_context(**_: object) -> None:
    """Close the connection to the mail server."""
    from worker import context

    context.close_context()
