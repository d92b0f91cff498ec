"""A role and the process it runs in: forked, tied to its parent's life, ended by its own pid."""

import contextlib
import ctypes
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from adjudicator.hosting import machine_errors

_PR_SET_PDEATHSIG = 1
_HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGQUIT)
_fork = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Role:
    """One part of the service that runs in a process of its own."""

    name: str  # as the host reads it: "the worker"
    run: Callable[[Callable[[], None]], None]  # runs until SIGTERM; calls what it is given once it is ready
    patience: float  # seconds it is given to end after SIGTERM
    orphaned: signal.Signals = signal.SIGKILL  # what it gets when its supervisor dies


class Child:
    """The process of a role."""

    def __init__(self, role: Role, ready: Callable[[], None]) -> None:
        """Fork it. It leads a session of its own, so that Ctrl-C reaches the supervisor only."""
        self.role = role
        self.since = time.monotonic()
        self._process = _fork.Process(target=_live, args=(role, ready, os.getpid()), name=role.name)
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, _HANDLED)  # until the child has its own handlers
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid or 0

    def ended(self) -> bool:
        """Whether it has ended; what it left behind in its group is then killed."""
        if self._process.exitcode is None:
            return False
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        return True

    def how_it_ended(self) -> str:
        """In words: with which exit code or by which signal."""
        code = self._process.exitcode or 0
        return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"

    @property
    def failed(self) -> bool:
        """Whether it ended otherwise than well."""
        return self._process.exitcode != 0

    def ask_to_end(self) -> None:
        """Send it SIGTERM."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)

    def kill(self) -> None:
        """End it, and what it started, at once."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()
        self._process.join()


def run_once(name: str, work: Callable[[], None]) -> bool:
    """Do a piece of work in a forked process, so that nothing it opens is carried into the roles; whether it went well."""
    child = Child(Role(name, lambda ready: work(), patience=0), lambda: None)
    while not child.ended():
        time.sleep(0.01)
    return not child.failed


def die_with_parent(how: signal.Signals = signal.SIGKILL, parent: int | None = None) -> None:
    """Have the system send this process a signal when the thread that forked it ends (Linux; elsewhere nothing is done)."""
    if sys.platform == "linux":
        _libc().prctl(_PR_SET_PDEATHSIG, int(how), 0, 0, 0)
        if parent is not None and os.getppid() != parent:
            os._exit(1)  # it died before this was set


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _live(role: Role, ready: Callable[[], None], parent: int) -> None:
    """What a forked process does: forget its parent's signals, then be the role."""
    os.setsid()
    die_with_parent(role.orphaned, parent)
    signal.set_wakeup_fd(-1)
    for number in _HANDLED:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _HANDLED)
    try:
        role.run(ready)
    except machine_errors.KINDS as fault:
        said = machine_errors.describe_fault(fault)
        if not said:
            raise
        raise SystemExit(f"\n{said}") from None
