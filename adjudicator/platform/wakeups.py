"""Kinds of background work by name: what entry points and the service wake the workers for, and
the noting of wakeups in a transaction, to be sent after its commit.

A task is declared beside the function that does its work (`worker.task.task`). Here stand those
that are also woken from elsewhere, since site, inbox and service import nothing of the worker.
"""

from collections.abc import Callable
from enum import IntEnum

from sqlalchemy import event
from sqlalchemy.orm import SessionTransaction
from sqlmodel import Session

# queues in the broker; the first one keeps the name that it had alone
MATCHES, LETTERS = "celery", "letters"
QUEUES = (MATCHES, LETTERS)


class Priority(IntEnum):
    """How urgently a worker takes a task.

    Bulk work does not starve: a worker that closed phases for a while reads and sends for a part
    of it (worker.context.Turns).
    """

    AWAITED = 0  # short, and somebody waits for it
    PHASES = 3
    UPKEEP = 6
    BULK = 9


class Task(str):
    """A task's name in the broker, which survives upgrades and never changes; with it, its priority
    and the queue that it is sent to.

    A worker takes each task from whichever queue it consumes.
    """

    __slots__ = ("priority", "queue")
    priority: Priority
    queue: str

    def __new__(
        cls, name: str, priority: Priority = Priority.AWAITED, queue: str = MATCHES
    ) -> "Task":
        """Return the task with this name."""
        task = super().__new__(cls, name)
        task.priority, task.queue = priority, queue
        return task


PREPARE = Task("sealed.found", Priority.PHASES)  # a match is to be prepared
START = Task("sealed.start", Priority.PHASES)  # the seats of a match are taken
CLOSE = Task("sealed.close", Priority.PHASES)  # the phase of a match is due
HOUSE = Task("sealed.house", Priority.UPKEEP)  # house bots owe orders in a match
SEATS = Task("sealed.seats", Priority.UPKEEP)  # seats are to be returned, or offered to standbys
ADVANCE = Task("sealed.tournament", Priority.UPKEEP)  # steps of a tournament are due
DISCLOSE = Task("sealed.read")  # a seat asks for its own sealed orders
WITNESS = Task("sealed.witness")  # another log asked for a cosignature
READ_LETTERS = Task("sealed.letter", Priority.UPKEEP)  # letters that came in wait to be read
SIGN = Task("sealed.sign")  # receipts wait for their signature
# letters that somebody is waiting for, and news, are to be sent; REPORTS: all that wait
POST = Task("sealed.post", queue=LETTERS)
REPORTS = Task("sealed.reports", Priority.BULK, LETTERS)
# press and letters of an erased player are to be taken away
ERASE = Task("sealed.erase", Priority.BULK)


# --- noted in a transaction

Send = Callable[..., object]  # with a task and its arguments; it never raises and may lose them
_WOKEN = "woken"  # key in Session.info: wakeups, with the savepoint in which each was noted


def wake(session: Session, task: Task, *arguments: int | str) -> None:
    """Have the workers woken for a task, once, after the commit of this transaction.

    A rollback forgets it, also one to a savepoint. A wakeup that is lost only leaves the work to the
    sweep.
    """
    noted, inner = session.info.setdefault(_WOKEN, {}), session.get_nested_transaction()
    if inner is None or (task, arguments) not in noted:
        noted[task, arguments] = inner


def send_noted(session: Session, send: Send) -> None:
    """Send what a committed transaction has noted, in its order."""
    for task, arguments in take_noted(session):
        send(task, *arguments)


def take_noted(session: Session) -> list[tuple[Task, tuple[int | str, ...]]]:
    """Return what a session has noted, in its order, and forget it."""
    return list(session.info.pop(_WOKEN, ()))


@event.listens_for(Session, "after_soft_rollback")
def _forget(session: Session, undone: SessionTransaction) -> None:
    noted: dict[object, SessionTransaction | None] = session.info.get(_WOKEN, {})
    for wakeup, inner in list(noted.items()):
        while inner is not None and inner is not undone:
            inner = inner.parent
        if inner is undone:
            del noted[wakeup]
