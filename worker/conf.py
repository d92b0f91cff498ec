"""Celery's settings: how tasks are taken and acknowledged, and when the sweep runs. Celery reads
this module at first use.
"""

from kombu import Queue  # type: ignore[attr-defined]  # kombu has no types

from adjudicator.platform.config import current_settings
from adjudicator.platform.queues import TRANSPORT
from adjudicator.platform.wakeups import MATCHES, QUEUES

_told = current_settings()
_DAY = 24 * 3600.0
TASK_SECONDS = 120  # then a task is killed; the sweep sends it again

broker_url = _told.redis_url
broker_connection_retry_on_startup = True
broker_transport_options = TRANSPORT | {
    "visibility_timeout": TASK_SECONDS * 3,  # longer than a task may run, else it runs twice
    "unacked_restore_interval": 5,  # the default is 100
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 5,
}
task_default_queue = MATCHES
# A worker consumes both, unless it is told one.
task_queues = [Queue(each, routing_key=each) for each in QUEUES]  # type: ignore[no-untyped-call]  # kombu has no types
worker_prefetch_multiplier = 1
worker_concurrency = _told.worker_concurrency
worker_enable_remote_control = False
# for running tasks when the worker stops; interrupted tasks run again
worker_soft_shutdown_timeout = 4.0
worker_enable_soft_shutdown_on_idle = False
task_acks_late = True
task_reject_on_worker_lost = True
task_ignore_result = True
task_time_limit = TASK_SECONDS
task_soft_time_limit = TASK_SECONDS - 10
timezone = "UTC"
beat_schedule = {
    "sweep": {"task": "sealed.sweep", "schedule": _told.sweep_seconds},
    "tidy": {"task": "sealed.tidy", "schedule": _DAY},
}
beat_max_loop_interval = max(_told.sweep_seconds, 1)
