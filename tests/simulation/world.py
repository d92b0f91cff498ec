"""The world: one seeded clock and one seeded random generator; all threads take turns at every
input and output.
"""

import heapq
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from typing import Any, ClassVar

import greenlet

BEGIN = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
# shares of inputs and outputs that take up to 3 ms and up to 300 ms; the rest take seconds
_HURRIED, _ORDINARY = 0.9, 0.99
LONGEST_WAIT = 4.0  # seconds


class Killed(BaseException):
    """The process of this thread was killed; the thread ends."""


@dataclass(frozen=True)
class Put:
    """A letter that was put into the outbox, in a transaction that may have failed."""

    kind: str
    address: str
    match_id: int | None
    seat: str | None
    tenure: int
    title: str  # "" for most kinds


@dataclass(eq=False)
class Process:
    """One process of the service, from its start to its end."""

    slot: str  # web, inbox, worker 1 ...; a process is restarted in its slot
    dead: bool = False
    ahead: float = 0.0  # seconds that its machine's clock is ahead of the database's
    frozen_until: float = 0.0
    strands: "list[Strand]" = field(default_factory=list)
    connections: list[Any] = field(default_factory=list)  # its connections to the database
    bench: Any = None  # of a worker
    # whether it was frozen in a transaction that had written, since its last commit
    froze_writing: bool = False
    # uids of accepted letters that are not marked yet -> faults since
    unmarked: dict[str, int] = field(default_factory=dict)


@dataclass(eq=False)
class Strand:
    """One thread of a process."""

    name: str
    process: Process
    greenlet: greenlet.greenlet
    ended: Callable[[Any, BaseException | None], None]
    shaken: bool = False  # whether it was frozen, or its clock stepped, since it began a letter
    begun: float = 0.0  # seconds of the world
    is_task: bool = False  # of a worker: its time is limited
    warned: bool = False  # whether its soft time limit was reached
    committed: int = 0  # its last commit, counted over the whole world
    # uids of letters written to the outbox since then
    writing: list[str] = field(default_factory=list)
    carried: set[str] = field(default_factory=set)  # letters that were accepted from it since then


class World:
    """A simulated clock, a random generator and a scheduler of threads. One world at a time is
    current.
    """

    here: ClassVar["World"]
    interrupted: ClassVar[bool] = False  # whether the run is to end

    def __init__(self, seed: int, *, keep: bool = False) -> None:
        self.seed = seed
        self.dice = random.Random(f"{seed}/turns")
        self._entropy = random.Random(f"{seed}/entropy")
        self.seconds = 0.0  # since the beginning, never going back
        self.settled: datetime | None = None  # when everything should have been done
        self.skew = 0.0  # how far the wall clock is from `seconds`
        self.current: Strand | None = None
        self.points = 0  # inputs and outputs so far
        self.commits = 0
        self.cut_readings = 0
        self.fired: Counter[str] = Counter()  # faults that were made and branches that were taken
        self.troubled: list[tuple[float, float]] = []  # start and end of each fault
        self.put: dict[str, Put] = {}  # letters by uid, also those that were erased later
        # slot, start and end of each time without a working process
        self.out: list[tuple[str, float, float]] = []
        self._heap: list[tuple[float, int, Callable[..., None], tuple[Any, ...]]] = []
        self._numbers = count()
        self._hash = sha256()
        self.lines: list[str] | None = [] if keep else None
        # Callbacks of the faults and the ledger, set when the world is set up.
        self.strike: Callable[[Strand, str], None] = lambda strand, what: None
        self.limit: Callable[[Strand], None] = lambda strand: None
        self.reached: Callable[[str], None] = lambda what: None  # called at each input or output
        self.connection_fault: Callable[[Any, str], None] = lambda connection, fixture_db: None
        self.committed: Callable[[Strand], None] = lambda strand: None
        self.ambiguous: Callable[[Process], None] = lambda process: None
        self.logged: Callable[[str, dict[str, Any]], None] = lambda method, event: None
        self.sink: Any = None
        self.broker: Any = None
        self.witness: Any = None  # of the public log, in some worlds
        self.slots: dict[str, Process] = {}
        self._hub = greenlet.getcurrent()
        self._parked: list[Strand] = []

    # --- time and chance

    def now(self) -> datetime:
        """Return the database's time, to the millisecond."""
        return BEGIN + timedelta(milliseconds=int((self.seconds + self.skew) * 1000))

    def machine_now(self) -> datetime:
        """Return the wall clock of the running process; the observer gets the database's."""
        return self.now() + timedelta(
            milliseconds=int(self.current.process.ahead * 1000) if self.current else 0
        )

    def token_bytes(self, size: int) -> bytes:
        """Return the seed's next bytes, for all randomness outside games."""
        return self._entropy.randbytes(size)

    # --- turns

    def at(self, delay: float, action: Callable[..., None], *arguments: Any) -> None:
        """Run an action after `delay` seconds, outside every process."""
        heapq.heappush(self._heap, (self.seconds + delay, next(self._numbers), action, arguments))

    def spawn(
        self,
        process: Process,
        name: str,
        work: Callable[[], Any],
        ended: Callable[[Any, BaseException | None], None],
        *,
        is_task: bool = False,
    ) -> None:
        """Start a thread; `ended` gets its result or exception, unless its process is killed."""
        run = greenlet.greenlet(lambda: self._live(strand, work), self._hub)
        strand = Strand(name, process, run, ended, begun=self.seconds, is_task=is_task)
        process.strands.append(strand)
        self.at(0.0, self._resume, strand)

    def _live(self, strand: Strand, work: Callable[[], Any]) -> None:
        told: tuple[Any, BaseException | None]
        try:
            told = work(), None
        except Killed:
            told = None, None
        except Exception as fault:  # noqa: BLE001 whoever asked is told of it
            told = None, fault
        strand.process.strands.remove(strand)
        if not strand.process.dead:
            self.note(f"{strand.name} ends {type(told[1]).__name__}")
            self.at(0.0, strand.ended, *told)

    def _resume(self, strand: Strand) -> None:
        if strand.greenlet.dead:
            return
        if self.seconds < strand.process.frozen_until and not strand.process.dead:
            self.at(strand.process.frozen_until - self.seconds, self._resume, strand)
            return
        self.current = strand
        if not strand.process.dead:
            strand.greenlet.switch()
        elif strand.greenlet:  # it was started
            strand.greenlet.throw(Killed)
        self.current = None

    def point(self, what: str) -> None:
        """Reach an input or output: faults may happen here, and other threads may run first."""
        strand = self.current
        if strand is None:  # the observer
            return
        if strand.process.dead:
            raise Killed
        self.points += 1
        self.note(what)
        self.strike(strand, what)
        self.reached(what)
        self.wait(self._lasts())

    def _lasts(self) -> float:
        drawn = self.dice.random()
        if drawn < _HURRIED:
            return drawn * 0.003
        return (
            (drawn - _HURRIED) * 3
            if drawn < _ORDINARY
            else (drawn - _ORDINARY) / (1 - _ORDINARY) * LONGEST_WAIT
        )

    def wait(self, seconds: float) -> None:
        """Let the current thread wait, longer if its process is frozen."""
        strand = self.current
        assert strand is not None, "only a thread waits"
        wakes = max(self.seconds + seconds, strand.process.frozen_until)
        if not self._heap or wakes < self._heap[0][0]:
            self.seconds = wakes  # no other thread runs before
        else:
            self.at(wakes - self.seconds, self._resume, strand)
            self._hub.switch()
        if strand.process.dead:
            raise Killed
        self.limit(strand)

    def park(self) -> None:
        """Block the current thread until it is woken."""
        strand = self.current
        assert strand is not None, "only a thread stands"
        self._parked.append(strand)
        try:
            self._hub.switch()
        finally:
            self._parked.remove(strand)
        if strand.process.dead:
            raise Killed
        self.limit(strand)

    def wake(self, strand: Strand) -> None:
        """Wake a blocked thread."""
        self.at(0.0, self._resume, strand)

    def sleep(self, seconds: float) -> None:
        """Sleep a little longer than requested, as real sleeps do; only a thread can, since time
        stands still for all others.
        """
        assert self.current is not None, "the observer would wait for ever"
        self.wait(seconds + self.dice.random() * 0.5)

    def run(self, until: float) -> None:
        """Run everything scheduled up to a moment."""
        while self._heap and self._heap[0][0] <= until:
            if World.interrupted:
                raise KeyboardInterrupt
            when, _, action, arguments = heapq.heappop(self._heap)
            self.seconds = max(self.seconds, when)
            action(*arguments)
        self.seconds = max(self.seconds, until)

    # --- recording

    def note(self, what: str) -> None:
        """Add a line to the story of this run; two runs of one seed have the same story."""
        strand = self.current
        line = (
            f"{self.seconds:.6f} {strand.process.slot if strand else '-'}:"
            f" {strand.name if strand else '-'}: {what}"
        )
        self._hash.update(line.encode())
        if self.lines is not None:
            self.lines.append(line)

    def fire(self, kind: str) -> None:
        """Count a fault or a branch."""
        self.fired[kind] += 1
        self.note(f"! {kind}")

    def fault(self, kind: str) -> None:
        """Count a fault of the current process, also for its accepted but unmarked letters."""
        self.fire(kind)
        self.troubled.append((self.seconds, self.seconds))
        if self.current is not None:
            for uid in self.current.process.unmarked:
                self.current.process.unmarked[uid] += 1

    @property
    def digest(self) -> str:
        """Return a hash of the whole story."""
        return self._hash.hexdigest()

    # --- processes

    def kill(self, process: Process) -> None:
        """Kill a process: its connections are cut, uncommitted changes are rolled back, its threads
        never run again.
        """
        process.dead = True
        for connection in process.connections:
            connection.cut()
        for strand in list(process.strands):
            if strand is not self.current:
                self.at(0.0, self._resume, strand)

    def living(self) -> list[Process]:
        """Return the living processes."""
        return [process for process in self.slots.values() if not process.dead]

    def at_rest(self) -> bool:
        """Whether no process is at work: none is suspended in the middle of it, and no lock is
        held.
        """
        return not any(process.strands for process in self.living())

    def freeze(self, process: Process, seconds: float) -> None:
        """Freeze a process."""
        process.frozen_until = max(process.frozen_until, self.seconds + seconds)
        self.out.append((process.slot, self.seconds, process.frozen_until))
        process.froze_writing |= any(connection.wrote for connection in process.connections)

    def end(self) -> None:
        """End all waiting threads where they are."""
        for strand in list(self._parked):
            strand.process.dead = True
            self._resume(strand)
        waiting, self._heap = self._heap, []
        for _, _, action, arguments in sorted(waiting, key=lambda each: each[1]):
            if action == self._resume:
                arguments[0].process.dead = True
                self._resume(arguments[0])
