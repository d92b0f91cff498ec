"""The worker and beat roles: Celery's prefork worker, the only one that reads the key file, and its
scheduler.
"""

import os
import signal
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from threading import Event
from types import FrameType

import structlog

from adjudicator.hosting.process import Role, die_with_parent
from adjudicator.platform import heartbeat, wakeups
from adjudicator.platform.config import Settings
from adjudicator.platform.queues import queued_tasks

# Celery reads it at import: SIGTERM then gives tasks a bounded time to finish
os.environ["REMAP_SIGTERM"] = "SIGQUIT"

import celery.apps.worker
from celery import Celery, signals
from celery.beat import PersistentScheduler, ScheduleEntry, SchedulingError, Service
from celery.schedules import schedstate
from celery.utils.time import maybe_make_aware

log = structlog.get_logger()
WORKER, BEAT = "the worker", "the clock"
# queues by what a worker is told to do
CONSUMED = {"all": wakeups.QUEUES, "matches": (wakeups.MATCHES,), "letters": (wakeups.LETTERS,)}
# at least, without a tick of the scheduler that leads, before another machine's does
LEASE_SECONDS = 20.0


def worker_role(
    settings: Settings, app: Celery, prepare: Callable[[], None], queues: str = "all"
) -> Role:
    """Return the worker's role, which consumes the queues `all`, `matches` or `letters`; `prepare`
    is called in its process first.
    """
    return Role(
        WORKER,
        partial(_run_worker, settings, app, prepare, CONSUMED[queues]),
        patience=app.conf.worker_soft_shutdown_timeout + 5,
        logs_as="worker",
    )


def beat_role(settings: Settings, app: Celery) -> Role:
    """Return the role of the scheduler, which triggers the sweep. One serves any number of workers;
    of several machines' one leads.
    """
    return Role(BEAT, partial(_run_beat, settings, app), patience=4, logs_as="beat")


def _run_worker(
    settings: Settings,
    app: Celery,
    prepare: Callable[[], None],
    queues: Sequence[str],
    ready: Callable[[], None],
) -> None:
    prepare()
    _quieten()
    _stop_at_once_while_starting()
    signals.worker_ready.connect(lambda **_: ready(), weak=False)
    signals.worker_process_init.connect(lambda **_: die_with_parent(), weak=False)
    worker = app.Worker(
        hostname=f"worker@{os.uname().nodename}.{os.getpid()}",
        concurrency=settings.worker_concurrency,
        queues=list(queues),
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
    signal.signal(signal.SIGTERM, _end)
    app.finalize()
    folder = settings.data_dir / "beat"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    service = Service(app, schedule_filename=str(folder / "schedule"), scheduler_cls=Rhythm)
    ready()
    service.start()


class Rhythm(PersistentScheduler):  # type: ignore[misc]  # Celery has no types
    """Schedules each task unless it is still queued, while its machine leads; a clock that was set
    back does not stop it.
    """

    def __init__(self, app: Celery, *args: object, **options: object) -> None:
        self._broker = heartbeat.open_client(app.conf.broker_url)
        self._name = heartbeat.name_here(heartbeat.BEAT)
        super().__init__(app, *args, **options)

    def is_due(self, entry: ScheduleEntry) -> schedstate:
        """Return whether a task is due and when to ask again; one last sent at a future time is
        due.
        """
        if maybe_make_aware(entry.last_run_at) > maybe_make_aware(entry.default_now()):
            return schedstate(True, entry.schedule.run_every.total_seconds())
        return super().is_due(entry)

    def apply_entry(self, entry: ScheduleEntry, producer: object = None) -> None:
        """Send a task unless it is queued; messages do not expire, since that would compare two
        machines' clocks.
        """
        lease = max(LEASE_SECONDS, 3 * self.app.conf.beat_max_loop_interval)
        leads = heartbeat.hold_lease(self._broker, heartbeat.BEAT, self._name, lease)
        if leads and (entry.task, ()) not in queued_tasks(self._broker):
            self._send(entry, producer)
        heartbeat.note_alive(self._broker, self._name)

    def _send(self, entry: ScheduleEntry, producer: object) -> None:
        """Send a task; where the broker does not take it, log one line instead of Celery's two
        tracebacks, and the next tick tries again.
        """
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except SchedulingError as error:
            log.warning("beat.not_sent", task=entry.task, fault=str(error))


def _stop_at_once_while_starting() -> None:
    """End this process at SIGTERM until its loop runs, and only then as Celery does, which needs
    all of a worker to stop it.

    Nothing has been begun by then. The supervisor ends what this process has forked.
    """
    loops, usual = Event(), celery.apps.worker.install_worker_term_handler

    def install(worker: object) -> None:
        usual(worker)
        stop = signal.getsignal(signal.SIGTERM)
        signal.signal(
            signal.SIGTERM,
            lambda number, frame: (
                stop(number, frame) if loops.is_set() and callable(stop) else os._exit(0)
            ),
        )

    setattr(celery.apps.worker, "install_worker_term_handler", install)  # noqa: B010 typed as a function
    signals.worker_ready.connect(lambda sender, **_: sender.hub.call_soon(loops.set), weak=False)


def _end(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)


def _quieten() -> None:
    """Silence Celery's messages for its own command line: how to press Ctrl-C, and the warning
    about root.
    """
    signals.setup_logging.connect(lambda **_: None, weak=False)
    warnings.filterwarnings("ignore", message="(?s).*superuser privileges")
    setattr(celery.apps.worker, "safe_say", lambda *_, **__: None)  # noqa: B010 typed as a function
