"""The one waiter of the tests: it waits for a condition that it names, never for a time
(`tests/test_waiting.py` holds the others to it).

LIMIT is a bound against hanging and no measure: what a test asserts depends neither on luck nor on
the machine's speed. A wait that gives up says what it waited for, and where the processes stand
that it waited for.
"""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

# a process that yields to all others may stand still for long, and so may what it starts
YIELDS = 10 if os.nice(0) >= 10 else 1
LIMIT = 120.0 * YIELDS  # seconds; clients and sockets of tests have it, too
# a Python process with it in its environment writes its stacks to its standard error as it is given
# up
DUMPS = "PYTHONFAULTHANDLER"
_PAUSE, _DUMP_SECONDS, _TAIL = 0.02, 20.0, 12_000
T = TypeVar("T")
on_progress: list[Callable[[], None]] = []  # called as a wait has come to its end
Process = subprocess.Popen[Any]


def wait_until(
    condition: Callable[[], T],
    what: str,
    *,
    of: Iterable[Process] = (),
    said: Callable[[], str] = str,
    limit: float = LIMIT,
) -> T:
    """Return the first true value of `condition`; raise AssertionError after the limit, which is
    another only for what is installed.

    The message names `what` and ends with what was `said`: the log of the processes `of` which it
    is waited for. They and their descendants are killed before, so that the log ends with their
    stacks.
    """
    end = time.monotonic() + limit
    while not (found := condition()):
        if time.monotonic() > end:
            dumped = dump_stacks(of)
            raise AssertionError(
                f"waited {limit:g} s in vain for {what}{dumped}; it said:\n{said()[-_TAIL:]}"
            )
        time.sleep(_PAUSE)
    for each in on_progress:
        each()
    return found


def wait_for_end(
    process: Process, what: str = "a process to end", *, said: Callable[[], str] = str
) -> int:
    """Return the exit code of a process that ends; raise AssertionError as `wait_until` does."""
    wait_until(lambda: process.poll() is not None, what, of=[process], said=said)
    return int(process.returncode)


def is_gone(pid: int) -> bool:
    """Whether a process has ended; one that its parent has not reaped has."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def dump_stacks(processes: Iterable[Process]) -> str:
    """Have each Python process that DUMPS, and its descendants, write its stacks and end; return
    which did, in words.
    """
    running = [process.pid for process in processes if process.poll() is None]
    pids = [pid for process in running for pid in (process, *_descendants(process)) if _dumps(pid)]
    end = time.monotonic() + _DUMP_SECONDS
    for pid in reversed(pids):  # children first, as they die with their parents
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSEGV)  # which no program handles itself
        while time.monotonic() < end and not is_gone(pid):
            time.sleep(_PAUSE)
    return f" (stacks of {', '.join(map(str, pids))} are in the log)" if pids else ""


def _dumps(pid: int) -> bool:
    with suppress(OSError):
        python = "python" in Path(f"/proc/{pid}/exe").readlink().name
        return python and f"{DUMPS}=1".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(
            b"\0"
        )
    return False


def _descendants(pid: int) -> list[int]:
    children = dict[int, list[int]]()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            children.setdefault(
                int((folder / "stat").read_text().rpartition(")")[2].split()[1]), []
            ).append(int(folder.name))
    found, new = list[int](), [pid]
    while new:
        new = [child for each in new for child in children.get(each, [])]
        found += new
    return found
