"""The faults: what may go wrong in a run, how likely each is in this seed's world, and when it last
did.
"""

import random
from dataclasses import dataclass, field
from typing import Any, NoReturn

from celery.exceptions import SoftTimeLimitExceeded

from tests.simulation.db_points import COMMITTED
from tests.simulation.world import Killed, Strand, World

UNTIL = 600.0  # seconds during which faults are made
LONGEST_FREEZE = 900.0
READING, WRITING = "read a letter", "at close.before_commit"  # points
SENDING = ("at post.before_send", "smtp letter")
READERS = ("sealed.letter", "sealed.close")  # tasks that read letters
# faults that interrupt the reading of a letter
CUTS = ("crash", "freeze", "reader freezes", "soft time limit", "hard time limit")
TASK_SECONDS, SOFT_SECONDS = 120.0, 110.0  # of worker.conf

# The probability of each fault at each place where it may happen; each world has some of them.
CHOICES: dict[str, tuple[float, ...]] = {
    "crash": (0, 0, 0.0005, 0.002, 0.008),  # a process is killed at any input or output
    "freeze": (0, 0, 0, 0.0003, 0.001),  # a process is frozen for up to a quarter of an hour
    "reader freezes": (0, 0, 0.02, 0.1),  # longer than a letter's lease, while it is read
    "step": (0, 0, 0, 0.0003),  # the wall clock is stepped
    "statement fails": (0, 0, 0.0005, 0.003),
    "serialization failure": (0, 0, 0.0005, 0.003),
    "connection lost": (0, 0, 0.0005, 0.002),  # in a transaction
    "commit fails": (0, 0, 0.005, 0.02),
    "lost after commit": (0, 0, 0.005, 0.02),  # the commit was done, but its answer was lost
    "task lost": (0, 0, 0.05, 0.5),
    "task doubled": (0, 0, 0.1, 0.5),
    "task late": (0, 0, 0.1, 0.3),
    "task reordered": (0, 0.2, 0.5),
    "broker away": (0, 0, 0, 0.05),
    "broker emptied": (0, 0, 0.01),  # when a task is published
    "smtp 421": (0, 0, 0.05, 0.2),
    "smtp 451": (0, 0, 0.05, 0.2),
    "smtp 550": (0, 0, 0, 0.02),
    "smtp silent before": (0, 0, 0.03, 0.1),
    "smtp silent after": (0, 0, 0.03, 0.1),
    "no reader": (0, 0, 0, 0.6),  # the child process that parses letters cannot be started
    "smtp cut": (0, 0, 0.03, 0.1),
    "smtp hung up": (0, 0, 0.05, 0.2),  # between two letters
    "closer freezes": (0, 0, 0, 0.3),  # for minutes, between computing a phase and writing it
    "sender freezes": (0, 0, 0, 0.05),  # for more than a minute, with a claimed letter
    "late nudge lost": (0, 0, 0.5),  # after all other faults; the sweep must find the work
}
_LATER = ("closer freezes", "sender freezes", "late nudge lost")
APART, SET_BACK = "clocks apart", "a clock was set back"
# made when the world is set up
OF_A_WORLD = (APART, SET_BACK, "second beat", "retry at the close", "smtp 452 for ever")
KINDS = (*CHOICES, *OF_A_WORLD)


@dataclass
class Faults:
    """The faults of one world. With `crash_at` the only fault is a crash at that point."""

    world: World
    crash_at: int | None = None
    quiet: bool = False
    until: float = UNTIL  # when the last fault may be made and players act for the last time
    last: float = 0.0  # when something last failed or recovered
    likely: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._dice = random.Random(f"{self.world.seed}/faults")
        none = self.quiet or self.crash_at is not None
        self.likely = (
            dict.fromkeys(CHOICES, 0.0) if none else {kind: self._choose(kind) for kind in CHOICES}
        )
        self.world.strike, self.world.limit = self.strike, self.limit
        self.world.connection_fault = self.connection_fault
        self.down = lambda process: None  # called with a killed process

    def _choose(self, kind: str) -> float:
        """Draw a fault's probability in this world; a fault added later leaves worlds without it
        unchanged.
        """
        dice = random.Random(f"{self.world.seed}/{kind}") if kind in _LATER else self._dice
        return dice.choice(CHOICES[kind])

    @property
    def on(self) -> bool:
        """Whether faults may still be made."""
        return self.world.seconds < self.until

    def draw(self, kind: str) -> bool:
        """Draw whether this fault happens here, and count it if so."""
        likely = self.likely[kind]
        if not likely or not self.on or self._dice.random() >= likely:
            return False
        self.happens(kind)
        return True

    def draw_late(self, kind: str) -> bool:
        """Draw whether this happens after all other faults, and count it without restarting the
        waiting time.
        """
        happens = not self.on and self.likely[kind] > self._dice.random()
        if happens:
            self.world.fire(kind)
        return happens

    def happens(self, kind: str) -> None:
        """Count a fault."""
        self.world.fault(kind)
        self.last = max(self.last, self.world.seconds)
        strand = self.world.current
        if strand is not None and strand.name in READERS and kind in CUTS:
            self.world.cut_readings += 1

    # --- at any input or output

    def strike(self, strand: Strand, what: str) -> None:
        """Kill or freeze the running process, or step the clock."""
        if self.crash_at is not None:
            if self.world.points == self.crash_at:
                self._crash(strand)
            return
        if self.draw("crash"):
            self._crash(strand)
        if self.draw("freeze"):
            drawn = self._dice.random()
            long = (
                5.0 * drawn,
                40.0 * drawn,
                150.0 * drawn,
                TASK_SECONDS - 10 * drawn,
                LONGEST_FREEZE * drawn,
            )
            self._freeze(strand, self._dice.choice(long))
        if what == READING and self.draw("reader freezes"):
            self._freeze(strand, 31 + 60 * self._dice.random())
        if what == WRITING and self.draw("closer freezes"):
            self._freeze(strand, 100 * self._dice.random())
        if what in SENDING and self.draw("sender freezes"):
            self._freeze(strand, 65 + 40 * self._dice.random())
        if self.draw("step"):
            self.world.skew += (
                self._dice.choice((-1, 1))
                * self._dice.choice((1.0, 30.0, 300.0))
                * self._dice.random()
            )
            for process in self.world.living():
                self.world.ambiguous(process)

    def _freeze(self, strand: Strand, seconds: float) -> None:
        self.world.troubled.append((self.world.seconds, self.world.seconds + seconds))
        self.freeze(strand, seconds)

    def freeze(self, strand: Strand, seconds: float) -> None:
        """Freeze a process."""
        self.last = max(self.last, self.world.seconds + seconds)
        self.world.freeze(strand.process, seconds)
        self.world.ambiguous(strand.process)

    def limit(self, strand: Strand) -> None:
        """Limit a task's time as Celery does: first raise an exception wherever it is, then kill
        its process.
        """
        ran = self.world.seconds - strand.begun
        if not strand.is_task or ran < SOFT_SECONDS:
            return
        if ran >= TASK_SECONDS:
            self._crash(strand, "hard time limit")
        elif not strand.warned:
            strand.warned = True
            self.happens("soft time limit")
            raise SoftTimeLimitExceeded

    def _crash(self, strand: Strand, kind: str = "crash") -> None:
        self.happens(kind)
        self.kill(strand)

    def kill(self, strand: Strand) -> NoReturn:
        """Kill the running process; another one is started in its place."""
        self.last = max(self.last, self.world.seconds)
        self.world.ambiguous(strand.process)
        self.world.kill(strand.process)
        self.down(strand.process)
        raise Killed

    # --- at the database

    def connection_fault(self, connection: Any, stage: str) -> None:
        """Raise a database error before a statement or commit, or after a commit."""
        if stage == COMMITTED:
            if self.draw("lost after commit"):
                raise connection.lose()
            return
        if stage == "commit" and self.draw("commit fails"):
            connection.undo()
            raise connection.serialization()
        if self.draw("statement fails"):
            raise connection.failure()
        if self.draw("serialization failure"):
            connection.undo()
            raise connection.serialization()
        if self.draw("connection lost"):
            raise connection.lose()
