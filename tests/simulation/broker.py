"""The simulated broker: takes tasks from processes and gives them to workers; may lose, duplicate,
delay or reorder them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from redis import RedisError

from adjudicator.platform import queues, wakeups
from adjudicator.platform.queues import MARKED_SECONDS
from tests.simulation.faults import Faults
from tests.simulation.world import Process, World
from worker.app import SWEEP
from worker.tasks import BATCH

VISIBILITY = 360.0  # seconds after which an unacknowledged task is given to another worker
# a sweep sends these when a wakeup was lost
_SWEPT = (wakeups.PREPARE, wakeups.START, wakeups.CLOSE, BATCH, wakeups.HOUSE)
_LATEST = 240.0


@dataclass(eq=False)
class Message:
    """A queued task."""

    name: str
    arguments: tuple[Any, ...]
    priority: int
    number: int


class Broker:
    """Redis as Celery uses it; `take` is called by idle workers."""

    def __init__(self, world: World, faults: Faults) -> None:
        self._world, self._faults = world, faults
        self._queue: list[Message] = []
        self._held: dict[int, tuple[Process, Message]] = {}
        self._sent = 0
        self._marks: dict[tuple[str, tuple[Any, ...]], float] = {}  # expiry of each mark
        self.passed_over: set[str] = set()  # names of tasks that are no longer delivered
        self.wake: Callable[[], None] = lambda: None  # tells the workers that tasks are waiting

    def publish(self, name: str, arguments: tuple[Any, ...] = (), *, priority: int = 0) -> None:
        """Queue a task. Raises RedisError if the broker cannot be reached."""
        world, faults = self._world, self._faults
        world.point(f"publish {name}")
        if faults.draw("broker away"):
            raise RedisError("connection refused")
        if faults.draw("broker emptied"):
            self._queue, self._held, self._marks = [], {}, {}
        if faults.draw("task lost") or (
            name in _SWEPT and not self._swept() and faults.draw_late("late nudge lost")
        ):
            return
        for _ in range(2 if faults.draw("task doubled") else 1):
            self._sent += 1
            message = Message(name, tuple(arguments), priority, self._sent)
            delay = world.dice.random() * _LATEST if faults.draw("task late") else 0.0
            world.at(delay, self._arrive, message)

    def _arrive(self, message: Message) -> None:
        if message.name in self.passed_over:
            return
        self._queue.append(message)
        self.wake()

    def take(self, process: Process) -> Message | None:
        """Give the most urgent task to an idle worker, which acknowledges it when it is done."""
        if not self._queue:
            return None
        first = min(self._queue, key=lambda each: (each.priority, each.number))
        chosen = (
            self._world.dice.choice(self._queue)
            if len(self._queue) > 1 and self._faults.draw("task reordered")
            else first
        )
        self._queue.remove(chosen)
        self._held[chosen.number] = (process, chosen)
        self._world.at(VISIBILITY, self._overdue, chosen.number)
        return chosen

    def _swept(self) -> bool:
        return self._world.current is not None and self._world.current.name == SWEEP

    def queued(self) -> set[queues.Queued]:
        """Return the waiting tasks."""
        return {(each.name, each.arguments) for each in self._queue}

    def mark(self, name: str, arguments: tuple[Any, ...]) -> bool:
        """Mark a task as queued; return False if it already was."""
        new = self._marks.get((name, arguments), 0.0) <= self._world.seconds
        if new:
            self._marks[name, arguments] = self._world.seconds + MARKED_SECONDS
        return new

    def unmark(self, name: str, arguments: tuple[Any, ...]) -> None:
        """Remove a task's mark."""
        self._marks.pop((name, arguments), None)

    def done(self, message: Message) -> None:
        """Acknowledge a task."""
        self._held.pop(message.number, None)

    def lost_worker(self, process: Process) -> None:
        """Redeliver a killed worker's tasks: at once if its parent noticed, else after
        VISIBILITY.
        """
        for number, (holder, message) in list(self._held.items()):
            if holder is process and self._world.dice.random() < 0.7:
                del self._held[number]
                self._arrive(message)

    def _overdue(self, number: int) -> None:
        held = self._held.pop(number, None)
        if held is not None:
            self._world.fire("task given again")
            self._arrive(held[1])
