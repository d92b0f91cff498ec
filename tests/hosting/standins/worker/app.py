"""A worker with two tasks: the sweep, which writes a file in DATA_DIR, and one that takes an
hour.
"""

import os
import time

from celery import Celery

from adjudicator.platform import heartbeat
from adjudicator.platform.config import current_settings

HOUR = 3600

app = Celery("standin", broker=current_settings().redis_url)
app.conf.update(
    task_acks_late=True,
    task_ignore_result=True,
    worker_prefetch_multiplier=1,
    worker_concurrency=current_settings().worker_concurrency,
    worker_soft_shutdown_timeout=2.0,
    broker_connection_retry_on_startup=True,
    beat_schedule={
        "sweep": {
            "task": "sweep",
            "schedule": current_settings().sweep_seconds,
            "options": {"expires": 5},
        }
    },
)


@app.task(name="sweep")
def sweep() -> None:
    """Write the file, and tell the broker."""
    with (current_settings().data_dir / "swept").open("a") as file:
        file.write(f"{os.getpid()}\n")
    heartbeat.note_alive(heartbeat.open_client(current_settings().redis_url), heartbeat.SWEEP)


@app.task(name="busy")
def busy() -> None:
    """Take an hour."""
    (current_settings().data_dir / "busy").touch()
    time.sleep(HOUR)
