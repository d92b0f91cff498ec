"""The Celery app: how tasks are taken and given back, and the sweep that finds whatever a lost nudge left behind."""

from celery import Celery
from celery.signals import worker_process_init

from adjudicator.config import Settings, settings
from worker import bench

SWEEP = "sealed.sweep"
TASK_SECONDS = 120  # then a task is ended; the sweep starts it again

app = Celery("sealed", include=["worker.tasks"])


def configure(chosen: Settings) -> Celery:
    """Set the app up for these settings; called once, before a worker or beat starts."""
    app.conf.update(
        broker_url=chosen.redis_url,
        broker_connection_retry_on_startup=True,
        broker_transport_options={
            "visibility_timeout": TASK_SECONDS * 3,  # longer than any task may run, else it runs twice
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            "socket_connect_timeout": 5,
        },
        worker_prefetch_multiplier=1,
        worker_concurrency=chosen.worker_concurrency,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        worker_hijack_root_logger=False,
        worker_soft_shutdown_timeout=8,
        worker_enable_soft_shutdown_on_idle=False,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_ignore_result=True,
        task_time_limit=TASK_SECONDS + 30,
        task_soft_time_limit=TASK_SECONDS,
        timezone="UTC",
        beat_schedule={
            "sweep": {"task": SWEEP, "schedule": chosen.sweep_seconds, "options": {"expires": max(chosen.sweep_seconds * 3, 5)}}
        },
        beat_max_loop_interval=max(chosen.sweep_seconds, 1),
    )
    return app


@worker_process_init.connect
def _open_bench(**_: object) -> None:
    """Give every worker process a database connection pool and a keyring of its own."""
    bench.open_for(settings())
