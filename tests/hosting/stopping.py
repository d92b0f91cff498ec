"""A worker that is told to stop at one moment of its start: `python -m tests.hosting.stopping
MOMENT`.
"""

import os
import signal
import sys

from celery import signals

from adjudicator.hosting.roles import worker
from adjudicator.platform.config import current_settings
from worker.app import app

MOMENTS = (
    "prepare",
    "celeryd_init",
    "worker_init",
    "celeryd_after_setup",
    "worker_process_init",
    "worker_ready",
    "ready",
)


def main(moment: str) -> None:
    """Run a worker that gets SIGTERM at a moment: before, at or after one of Celery's signals."""
    own = os.getpid()

    def stop(**_: object) -> None:
        os.kill(own, signal.SIGTERM)

    os.setsid()
    if hasattr(signals, moment):
        getattr(signals, moment).connect(stop, weak=False)
    told = {"prepare": stop, "ready": stop}.get(moment, lambda: None)
    worker._run_worker(
        current_settings(),
        app,
        told if moment == "prepare" else lambda: None,
        worker.CONSUMED["all"],
        told,
    )


if __name__ == "__main__":
    main(sys.argv[1])
