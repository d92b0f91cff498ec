"""Wakeups: an entry point tells the workers that there is work. A wakeup may be lost; the next
sweep finds the work.

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

# The broker's names must survive upgrades and never change: PREPARE is "found" there, DISCLOSE
# "read", READ_LETTERS "letter".
PREPARE, START, CLOSE, HOUSE, DISCLOSE, SIGN, POST = (
    f"sealed.{name}" for name in ("found", "start", "close", "house", "read", "sign", "post")
)
BATCH = "sealed.batch"  # the phases of these matches are due
READ_LETTERS = "sealed.letter"  # letters that came in are waiting to be read
MUSTER = "sealed.muster"  # a match's muster is to begin or to end
EXPIRE = "sealed.expire"  # a match was not full in time
DAYS_OFF = "sealed.days_off"  # a match's holidays and calendar are to be read anew
SEATS = "sealed.seats"  # seats of a match are to be returned, or offered to standbys
RATE = "sealed.rate"  # rated matches have ended
ADVANCE = "sealed.tournament"  # steps of a tournament are due
REMIND = "sealed.remind"  # those who owe orders in a match are to be reminded
LOG = "sealed.log"  # a match's log is to tell what changed
ARCHIVE = "sealed.archive"  # an ended match is to be put into the archive
PUSH = "sealed.push"  # push messages wait
CHECKPOINT = "sealed.checkpoint"  # entries wait for a checkpoint
COSIGN = "sealed.cosign"  # witnesses are to be asked for cosignatures of the newest checkpoint
WITNESS = "sealed.witness"  # another log asked for a cosignature
ERASE = "sealed.erase"  # press and letters of an erased player are to be taken away
# all letters waiting to be sent; POST is for those that somebody is waiting for
REPORTS = "sealed.reports"

_STEPS = (0, 3, 6, 9)  # priorities, most urgent first
_LATER = (
    dict.fromkeys((PREPARE, START, CLOSE, BATCH), _STEPS[1])
    | dict.fromkeys(
        (HOUSE, READ_LETTERS, DAYS_OFF, SEATS, MUSTER, EXPIRE, ADVANCE, REMIND, RATE, LOG),
        _STEPS[2],
    )
    | {
        ARCHIVE: _STEPS[3],
        ERASE: _STEPS[3],
        PUSH: _STEPS[3],
        CHECKPOINT: _STEPS[2],
        COSIGN: _STEPS[3],
    }
    | {REPORTS: _STEPS[3]}
)
# Naming of the broker's lists; senders and workers must use the same.
TRANSPORT = {"priority_steps": list(_STEPS), "sep": "\x06\x16"}
# queues in the broker; the first one keeps the name that it had alone
MATCHES, LETTERS = "celery", "letters"
QUEUES = (MATCHES, LETTERS)
_OF_LETTERS = frozenset({POST, REPORTS, PUSH})
# seconds without another attempt after the broker was unreachable, so that no page waits for it
# again
_SILENT_FOR = 5.0
MARKED_SECONDS = 300  # lifetime of a mark
_NO_LIMITS = {"eta": None, "expires": None, "timelimit": [None, None]}  # in a message

Task = tuple[str, tuple[int | str, ...]]  # its name and arguments

log = structlog.get_logger()


def priority_of(task: str) -> int:
    """Return a task's priority, 0 the highest: short tasks that somebody waits for, then matches,
    then bulk work.

    Bulk work does not starve: a worker that closed phases for two seconds then reads and sends for
    as long (worker.context.Turns).
    """
    return _LATER.get(task, 0)


def queue_of(task: str) -> str:
    """Return the queue that a task is sent to; a worker takes each task from whichever queue it
    consumes.
    """
    return LETTERS if task in _OF_LETTERS else MATCHES


def queue_names(queues: Iterable[str] = QUEUES) -> list[str]:
    """Return the names of the Redis lists that hold the tasks of these queues."""
    return [_list_of(queue, step) for queue in queues for step in _STEPS]


def _list_of(queue: str, priority: int) -> str:
    return f"{queue}{TRANSPORT['sep']}{priority}" if priority else queue


# --- what is queued


def queued_tasks(broker: redis.Redis) -> set[Task]:
    """Return all tasks waiting in the broker; an empty set if it cannot be reached."""
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


def put_task(broker: redis.Redis, name: str, arguments: tuple[int | str, ...]) -> None:
    """Put a task into its queue as Celery would (version 2 of its messages), whose import would
    slow the start of site and inbox.

    Raises RedisError.
    """
    queue, priority, task = queue_of(name), priority_of(name), entropy.token_hex(16)
    message = {
        "body": b64encode(json.dumps([arguments, {}, {}]).encode()).decode(),
        "content-type": "application/json",
        "content-encoding": "utf-8",
        "headers": (
            {
                "lang": "py",
                "task": name,
                "id": task,
                "root_id": task,
                "parent_id": None,
                "group": None,
                "retries": 0,
            }
            | _NO_LIMITS
        ),
        "properties": {
            "correlation_id": task,
            "delivery_info": {"exchange": "", "routing_key": queue},
            "delivery_mode": 2,  # kept on disk
            "delivery_tag": task,
            "priority": priority,
            "body_encoding": "base64",
        },
    }
    broker.lpush(_list_of(queue, priority), json.dumps(message))


def _mark_of(name: str, arguments: tuple[object, ...]) -> str:
    return " ".join(("sealed.queued", name, *map(str, arguments)))


class Wakeups:
    """Sends wakeups from a process that is not a worker; never raises and never blocks for much
    over a second.
    """

    def __init__(self, broker_url: str) -> None:
        self._broker = heartbeat.open_client(broker_url)
        self._silent_until = 0.0

    def send(self, task: str, *arguments: int | str) -> bool:
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
