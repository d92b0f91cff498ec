"""The tasks' queues in the broker. A wakeup tells the workers that there is work; it may be lost,
and the next sweep finds the work.

Wakeups do not expire, because expiry compares two machines' clocks. The queue is bounded by marks
instead: the sender marks a task as queued until a worker takes it, and the sweep looks at the
queue. A mark that outlives its task only leaves the work to the sweep.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable

import redis
import structlog

from adjudicator.platform import clock, entropy, heartbeat
from adjudicator.platform.wakeups import QUEUES, Priority, Task

# Naming of the broker's lists; senders and workers must use the same.
TRANSPORT = {"priority_steps": [int(each) for each in Priority], "sep": "\x06\x16"}
# seconds without another attempt after the broker was unreachable, so that no page waits for it
# again
_SILENT_FOR = 5.0
MARKED_SECONDS = 300  # lifetime of a mark
_NO_LIMITS = {"eta": None, "expires": None, "timelimit": [None, None]}  # in a message

Queued = tuple[str, tuple[int | str, ...]]  # a task's name and arguments

log = structlog.get_logger()


def queue_names(queues: Iterable[str] = QUEUES) -> list[str]:
    """Return the names of the Redis lists that hold the tasks of these queues."""
    return [_list_of(queue, step) for queue in queues for step in Priority]


def _list_of(queue: str, priority: int) -> str:
    return f"{queue}{TRANSPORT['sep']}{priority}" if priority else queue


# --- what is queued


def queued_tasks(broker: redis.Redis) -> set[Queued]:
    """Return all tasks waiting in the broker; an empty set if it cannot be reached."""
    try:
        messages = [message for each in queue_names() for message in broker.lrange(each, 0, -1)]
    except redis.RedisError:
        return set()
    return {_read(json.loads(message)) for message in messages}


def _read(message: dict[str, object]) -> Queued:
    headers, body = message["headers"], message["body"]
    assert isinstance(headers, dict) and isinstance(body, str)  # noqa: S101 Celery's protocol 2
    arguments, *_ = json.loads(b64decode(body))
    return str(headers["task"]), tuple(arguments)


def count_queued(broker: redis.Redis) -> dict[str, int]:
    """Return how many tasks of each name wait in the broker."""
    counted: dict[str, int] = {}
    for name, _ in sorted(queued_tasks(broker)):
        counted[name] = counted.get(name, 0) + 1
    return counted


def mark_queued(broker: redis.Redis, name: str, arguments: tuple[object, ...]) -> bool:
    """Mark a task as queued; return False if it already was. An unreachable broker counts as not
    marked: sending will fail.
    """
    try:
        return bool(broker.set(_mark_of(name, arguments), "queued", nx=True, ex=MARKED_SECONDS))
    except redis.RedisError:
        return True


def unmark_queued(broker: redis.Redis, name: str, arguments: tuple[object, ...]) -> None:
    """Remove a task's mark, when a worker takes it or it could not be sent."""
    try:
        broker.delete(_mark_of(name, arguments))
    except redis.RedisError:
        return  # the mark expires by itself


def put_task(broker: redis.Redis, task: Task, arguments: tuple[int | str, ...]) -> None:
    """Put a task into its queue as Celery would (version 2 of its messages), whose import would
    slow the start of site and inbox.

    Raises RedisError.
    """
    uid = entropy.token_hex(16)
    message = {
        "body": b64encode(json.dumps([arguments, {}, {}]).encode()).decode(),
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": (
            {
                "lang": "py",
                "task": task,
                "id": uid,
                "root_id": uid,
                "parent_id": None,
                "group": None,
                "retries": 0,
            }
            | _NO_LIMITS
        ),
        "properties": {
            "correlation_id": uid,
            "delivery_info": {"exchange": "", "routing_key": task.queue},
            "delivery_mode": 2,  # kept on disk
            "delivery_tag": uid,
            "priority": int(task.priority),
            "body_encoding": "base64",
        },
    }
    broker.lpush(_list_of(task.queue, task.priority), json.dumps(message))


def _mark_of(name: str, arguments: tuple[object, ...]) -> str:
    return " ".join(("sealed.queued", name, *map(str, arguments)))


class Wakeups:
    """Sends wakeups from a process that is not a worker; never raises and never blocks for much
    over a second.
    """

    def __init__(self, broker_url: str) -> None:
        self._broker = heartbeat.open_client(broker_url)
        self._silent_until = 0.0

    def send(self, task: Task, *arguments: int | str) -> bool:
        """Send a wakeup unless it is queued; return whether it is in the broker."""
        if clock.monotonic() < self._silent_until:
            return False
        if not mark_queued(self._broker, task, arguments):
            return True
        try:
            put_task(self._broker, task, arguments)
        except redis.RedisError as error:
            self._silent_until = clock.monotonic() + _SILENT_FOR
            unmark_queued(self._broker, task, arguments)
            log.warning("wakeup.lost", task=task, error=str(error)[:200])
            return False
        return True
