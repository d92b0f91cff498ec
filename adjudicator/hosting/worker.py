"""The worker and beat roles: Celery's prefork worker, which alone reads the key file, and the clock that nudges it."""

import os
import signal
import sys
import warnings
from collections.abc import Callable
from functools import partial
from types import FrameType

from adjudicator import clock, pulse
from adjudicator.config import Settings
from adjudicator.hosting.logs import configure
from adjudicator.hosting.process import Role, die_with_parent

os.environ["REMAP_SIGTERM"] = "SIGQUIT"  # read by Celery as it is imported: SIGTERM gives tasks a bounded time to end

import celery.apps.worker
from celery import Celery, signals
from celery.beat import Service

WORKER, BEAT = "the worker", "the clock"


def worker_role(settings: Settings, app: Celery, prepare: Callable[[], None]) -> Role:
    """The worker; `prepare` is called in its process first."""
    return Role(WORKER, partial(_run_worker, settings, app, prepare), patience=app.conf.worker_soft_shutdown_timeout + 5)


def beat_role(settings: Settings, app: Celery) -> Role:
    """The clock, which tells the worker to look for what is due; one is enough for any number of workers."""
    return Role(BEAT, partial(_run_beat, settings, app), patience=4)


def _run_worker(settings: Settings, app: Celery, prepare: Callable[[], None], ready: Callable[[], None]) -> None:
    configure(settings.log_level, "worker")
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
    configure(settings.log_level, "beat")
    signal.signal(signal.SIGTERM, _end)
    app.finalize()
    folder = settings.data_dir / "beat"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    service = Service(app, schedule_filename=str(folder / "schedule"))
    broker, own = pulse.client(settings.redis_url), pulse.own(pulse.BEAT)
    signals.after_task_publish.connect(lambda **_: pulse.note(broker, own, clock.now()), weak=False)
    ready()
    service.start()


def _end(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)


def _quieten() -> None:
    """Celery's own words are for its own command line: how to press Ctrl-C, and that root is discouraged."""
    signals.setup_logging.connect(lambda **_: None, weak=False)
    warnings.filterwarnings("ignore", message="(?s).*superuser privileges")
    setattr(celery.apps.worker, "safe_say", lambda *_, **__: None)  # noqa: B010 typed as a function
