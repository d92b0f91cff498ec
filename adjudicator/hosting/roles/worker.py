"""The worker and beat roles: Celery's prefork worker, which alone reads the key file, and the clock that wakes it."""

import os
import signal
import sys
import warnings
from collections.abc import Callable
from functools import partial
from types import FrameType

from adjudicator.hosting.logs import configure_logging
from adjudicator.hosting.process import Role, die_with_parent
from adjudicator.platform import heartbeat, wakeups
from adjudicator.platform.config import Settings

os.environ["REMAP_SIGTERM"] = "SIGQUIT"  # read by Celery as it is imported: SIGTERM gives tasks a bounded time to end

import celery.apps.worker
from celery import Celery, signals
from celery.beat import PersistentScheduler, ScheduleEntry, Service
from celery.schedules import schedstate
from celery.utils.time import maybe_make_aware

WORKER, BEAT = "the worker", "the clock"


def worker_role(settings: Settings, app: Celery, prepare: Callable[[], None]) -> Role:
    """The worker; `prepare` is called in its process first."""
    return Role(WORKER, partial(_run_worker, settings, app, prepare), patience=app.conf.worker_soft_shutdown_timeout + 5)


def beat_role(settings: Settings, app: Celery) -> Role:
    """The clock, which tells the worker to look for what is due; one is enough for any number of workers."""
    return Role(BEAT, partial(_run_beat, settings, app), patience=4)


def _run_worker(settings: Settings, app: Celery, prepare: Callable[[], None], ready: Callable[[], None]) -> None:
    configure_logging(settings.log_level, "worker")
    prepare()
    _quieten()
    signals.worker_ready.connect(lambda **_: ready(), weak=False)
    signals.worker_process_init.connect(lambda **_: die_with_parent(), weak=False)
    worker = app.Worker(
        hostname=f"worker@{os.uname().nodename}.{os.getpid()}",
        concurrency=settings.worker_concurrency,
        pool="prefork",
        loglevel=settings.log_level,
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    sys.exit(worker.exitcode)


def _run_beat(settings: Settings, app: Celery, ready: Callable[[], None]) -> None:
    configure_logging(settings.log_level, "beat")
    signal.signal(signal.SIGTERM, _end)
    app.finalize()
    folder = settings.data_dir / "beat"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    service = Service(app, schedule_filename=str(folder / "schedule"), scheduler_cls=Rhythm)
    ready()
    service.start()


class Rhythm(PersistentScheduler):  # type: ignore[misc]  # Celery has no types
    """Sends each task in its rhythm, but none that still waits to be taken; a clock that was set back does not stop it."""

    def __init__(self, app: Celery, *args: object, **options: object) -> None:
        self._broker = heartbeat.open_client(app.conf.broker_url)
        super().__init__(app, *args, **options)

    def is_due(self, entry: ScheduleEntry) -> schedstate:
        """Return whether it is time, and when to ask again; what was sent at a time that has not come yet is due."""
        if maybe_make_aware(entry.last_run_at) > maybe_make_aware(entry.default_now()):
            return schedstate(True, entry.schedule.run_every.total_seconds())
        return super().is_due(entry)

    def apply_entry(self, entry: ScheduleEntry, producer: object = None) -> None:
        """Send a task unless it is queued: a message that expired would compare this machine's clock with a worker's."""
        if (entry.task, ()) not in wakeups.queued_tasks(self._broker):
            super().apply_entry(entry, producer=producer)
        heartbeat.note_alive(self._broker, heartbeat.name_here(heartbeat.BEAT))


def _end(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)


def _quieten() -> None:
    """Celery's own words are for its own command line: how to press Ctrl-C, and that root is discouraged."""
    signals.setup_logging.connect(lambda **_: None, weak=False)
    warnings.filterwarnings("ignore", message="(?s).*superuser privileges")
    setattr(celery.apps.worker, "safe_say", lambda *_, **__: None)  # noqa: B010 typed as a function
