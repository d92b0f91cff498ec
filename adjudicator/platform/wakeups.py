"""Wakeups: a door tells the workers that there is something to do now. A wakeup may be lost; the next sweep finds the work.

No wakeup expires: that would compare the clocks of two machines. The queue is bounded otherwise: a door marks what it sends until a worker
takes it, and the sweep looks at what waits. A mark that outlives its task only makes the sweep the one who finds it.
"""

import json
from base64 import b64decode

import redis
import structlog
from celery import Celery
from kombu.exceptions import OperationalError

from adjudicator.platform import clock, heartbeat

# The names in the broker outlive an upgrade and do not change: PREPARE is "found" there, DISCLOSE "read", READ_LETTERS "letter".
PREPARE, START, CLOSE, HOUSE, DISCLOSE, SIGN, POST = (
    f"sealed.{name}" for name in ("found", "start", "close", "house", "read", "sign", "post")
)
READ_LETTERS = "sealed.letter"  # letters came in and wait to be read
REPORTS = "sealed.reports"  # all letters that wait to be posted; POST is for those that somebody waits for

_STEPS = (0, 3, 6, 9)  # the first are taken first
_LATER = dict.fromkeys((PREPARE, START, CLOSE), _STEPS[1]) | dict.fromkeys((HOUSE, READ_LETTERS), _STEPS[2]) | {REPORTS: _STEPS[3]}
# How the broker's lists are named; whoever sends and whoever takes must agree.
TRANSPORT = {"priority_steps": list(_STEPS), "sep": "\x06\x16"}
QUEUE = "celery"
_SILENT_FOR = 5.0  # seconds without a try after the broker could not be reached, so that no page waits for it again
MARKED_SECONDS = 300  # at most

Task = tuple[str, tuple[int | str, ...]]  # its name and what it is about

log = structlog.get_logger()


def priority_of(task: str) -> int:
    """Return how urgent a task is, 0 the most: what is short and somebody waits for, then matches, then what may be thousands at once.

    What comes last is not left out: whoever has played for two seconds reads and posts for as long (worker.turns).
    """
    return _LATER.get(task, 0)


def queue_names(queue: str = QUEUE) -> list[str]:
    """Return the names of the broker's lists that hold a queue's tasks."""
    return [f"{queue}{TRANSPORT['sep']}{step}" if step else queue for step in _STEPS]


# --- what is queued already


def queued_tasks(broker: redis.Redis) -> set[Task]:
    """Return every task that waits in the broker to be taken; none where it cannot be reached."""
    try:
        messages = [message for each in queue_names() for message in broker.lrange(each, 0, -1)]
    except redis.RedisError:
        return set()
    return {_task(json.loads(message)) for message in messages}


def _task(message: dict[str, object]) -> Task:
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
    """Mark a task as queued; returns whether it was not. Where the broker cannot be reached the sending will tell."""
    try:
        return bool(broker.set(_mark_of(name, arguments), "queued", nx=True, ex=MARKED_SECONDS))
    except redis.RedisError:
        return True


def unmark_queued(broker: redis.Redis, name: str, arguments: tuple[object, ...]) -> None:
    """Take a task's mark away: a worker takes it, or it could not be sent."""
    try:
        broker.delete(_mark_of(name, arguments))
    except redis.RedisError:
        return  # it ends by itself


def _mark_of(name: str, arguments: tuple[object, ...]) -> str:
    return " ".join(("sealed.queued", name, *map(str, arguments)))


class Wakeups:
    """Sends wakeups from a process that is no worker; never raises, and never waits longer than about a second."""

    def __init__(self, broker_url: str) -> None:
        self._app = Celery("wakeups", broker=broker_url, set_as_current=False)
        timeouts = TRANSPORT | {"socket_connect_timeout": 0.5, "socket_timeout": 1.0, "max_retries": 0}
        self._app.conf.update(broker_transport_options=timeouts, broker_connection_timeout=1, task_ignore_result=True)
        self._broker = heartbeat.open_client(broker_url)
        self._silent_until = 0.0

    def send(self, task: str, *arguments: int | str) -> bool:
        """Send one wakeup unless it is queued; returns whether the broker took it, or has it."""
        if clock.monotonic() < self._silent_until:
            return False
        if not mark_queued(self._broker, task, arguments):
            return True
        try:
            self._app.send_task(task, args=list(arguments), retry=False, priority=priority_of(task))
        except (OperationalError, OSError) as error:
            self._silent_until = clock.monotonic() + _SILENT_FOR
            unmark_queued(self._broker, task, arguments)
            log.warning("wakeup.lost", task=task, error=str(error)[:200])
            return False
        return True
