"""Kinds of background work by name: what entry points and the service wake the workers for.

A task is declared beside the function that does its work (`worker.task.task`). Here stand those
that are also woken from elsewhere, since site, inbox and service import nothing of the worker.
"""

from enum import IntEnum

# queues in the broker; the first one keeps the name that it had alone
MATCHES, LETTERS = "celery", "letters"
QUEUES = (MATCHES, LETTERS)


class Priority(IntEnum):
    """How urgently a worker takes a task.

    Bulk work does not starve: a worker that closed phases for two seconds then reads and sends for
    as long (worker.context.Turns).
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
