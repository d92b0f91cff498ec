"""Processes of a run: started, restarted after a crash as systemd would, and ended by their own
pids.
"""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from adjudicator.hosting.process import die_with_parent
from tests.waiting import wait_for_end

ROOT = Path(__file__).parent.parent.parent
RESTART_SECONDS = 1.0  # between a crash and the restart


@dataclass
class Role:
    """A process to be kept running; created in the main thread, which it does not outlive."""

    name: str
    command: tuple[str, ...]
    log: Path
    environ: Mapping[str, str]
    piped: bool = False  # whether it gets lines on standard input
    wanted: bool = True
    process: subprocess.Popen[bytes] | None = None
    _next: float = 0.0

    def look_after(self) -> None:
        """Start the process if it should run and does not."""
        if self.process is not None and self.process.poll() is not None:
            self.process, self._next = None, time.monotonic() + RESTART_SECONDS
        if self.process is None and self.wanted and time.monotonic() >= self._next:
            self._start()

    def _start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                cwd=ROOT,
                env={**os.environ, **self.environ},
                preexec_fn=die_with_parent,
                stdin=subprocess.PIPE if self.piped else subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    @property
    def pid(self) -> int | None:
        """Its pid; None while it is down."""
        return (
            self.process.pid if self.process is not None and self.process.poll() is None else None
        )

    def tell(self, words: str) -> None:
        """Send it a line on standard input."""
        if self.process is not None and self.process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.write(words.encode() + b"\n")
                self.process.stdin.flush()

    def kill(self) -> None:
        """Kill it; its child processes die with it."""
        if self.process is not None:
            send_signal(self.process.pid, signal.SIGKILL)
            wait_for_end(self.process)
            if self.process.stdin is not None:
                self.process.stdin.close()

    def end(self) -> None:
        """Kill it and its descendants, without a restart."""
        self.wanted = False
        below = descendant_pids(self.pid) if self.pid else []
        self.kill()
        for pid in below:
            send_signal(pid, signal.SIGKILL)


@dataclass
class Crew:
    """All processes of a run."""

    roles: dict[str, Role] = field(default_factory=dict)

    def add(self, role: Role) -> Role:
        """Add a process."""
        self.roles[role.name] = role
        role.look_after()
        return role

    def look_after(self) -> None:
        """Restart crashed processes."""
        for role in self.roles.values():
            role.look_after()

    def end(self) -> None:
        """End all processes in reverse order."""
        for role in reversed(self.roles.values()):
            role.end()


# --- the tree of processes


def send_signal(pid: int, number: signal.Signals) -> None:
    """Send a signal; ignore a process that has ended."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def child_pids(pid: int) -> list[int]:
    """Return the pids of a process's children."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and _parent(entry) == pid:
            found.append(int(entry.name))
    return sorted(found)


def descendant_pids(pid: int) -> list[int]:
    """Return the pids of all descendants, parents before children."""
    found = child_pids(pid)
    for each in found:
        found += child_pids(each)
    return found


def _parent(entry: Path) -> int:
    try:
        return int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return 0


def wait_until(seconds: float, done: Callable[[], bool], tick: Callable[[], None]) -> bool:
    """Wait until `done`, at most for `seconds`, calling `tick` meanwhile; return whether it is
    done.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        tick()
        if done():
            return True
        time.sleep(0.1)
    return done()
