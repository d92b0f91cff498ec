"""How often a second a process does something, and what each takes of the processor."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    """What doing something several times took by the clock, and of this process's processor."""

    count: int
    seconds: float
    processor: float

    @property
    def a_second(self) -> float:
        """How many were done a second."""
        return self.count / self.seconds

    @property
    def processor_ms(self) -> float:
        """The milliseconds of the processor for each."""
        return self.processor / self.count * 1000


def measure(work: Callable[[], object], count: int) -> Rate:
    """Return the rate of `work`, which does something `count` times."""
    begin, used = time.perf_counter(), time.process_time()
    work()
    return Rate(count, time.perf_counter() - begin, time.process_time() - used)
