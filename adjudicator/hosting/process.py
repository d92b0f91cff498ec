"""Roles and their processes: forked, killed when their parent dies, ended by their own pid."""

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
from adjudicator.hosting.logs import configure_logging
from adjudicator.hosting.messages import CannotStart
from adjudicator.platform.config import current_settings
from adjudicator.platform.errors import HostFault, WrongSetting

_PR_SET_PDEATHSIG = 1
_HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGQUIT)
_fork = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Role:
    """One part of the service, which runs in its own process."""

    name: str  # as shown to the host: "the worker"
    # runs until SIGTERM; calls its argument once it is ready
    run: Callable[[Callable[[], None]], None]
    patience: float  # seconds between SIGTERM and SIGKILL
    logs_as: str = ""  # what the lines of its log say; "": it writes none
    orphaned: signal.Signals = signal.SIGKILL  # the signal it gets if its supervisor dies


class Child:
    """The process of a role."""

    def __init__(self, role: Role, ready: Callable[[], None]) -> None:
        """Fork the process. It leads a new session, so that Ctrl-C reaches only the supervisor."""
        self.role = role
        self.since = time.monotonic()
        self._process = _fork.Process(target=_live, args=(role, ready, os.getpid()), name=role.name)
        # until the child has installed its handlers
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, _HANDLED)
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid or 0

    def ended(self) -> bool:
        """Whether the process has ended; its process group is then killed."""
        if self._process.exitcode is None:
            return False
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        return True

    def how_it_ended(self) -> str:
        """Return the exit code or the signal in words."""
        code = self.exit_code
        return (
            f"was ended by {signal.Signals(-code).name}"
            if code < 0
            else f"ended with exit code {code}"
        )

    @property
    def exit_code(self) -> int:
        """The exit code of a process that has ended; negative after a signal."""
        return self._process.exitcode or 0

    def ask_to_end(self) -> None:
        """Send it SIGTERM."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)

    def kill(self) -> None:
        """Kill the process and its process group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()
        self._process.join()


def run_once(name: str, work: Callable[[], object], otherwise: str) -> None:
    """Run `work` in a forked process, so that roles inherit nothing it opens. Raises CannotStart or
    WrongSetting, saying `otherwise`.
    """
    child = Child(Role(name, lambda ready: work(), patience=0), lambda: None)  # type: ignore[arg-type]  # the result is dropped
    while not child.ended():
        time.sleep(0.01)
    if child.exit_code:
        raise (WrongSetting if child.exit_code == WrongSetting.exit_code else CannotStart)(
            otherwise
        )


def die_with_parent(how: signal.Signals = signal.SIGKILL, parent: int | None = None) -> None:
    """Have the kernel signal this process when the thread that forked it ends (on Linux only)."""
    if sys.platform == "linux":
        _libc().prctl(_PR_SET_PDEATHSIG, int(how), 0, 0, 0)
        if parent is not None and os.getppid() != parent:
            os._exit(1)  # the parent died before prctl


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _live(role: Role, ready: Callable[[], None], parent: int) -> None:
    """Run a role in the forked process: reset the inherited signal handlers, then call it."""
    os.setsid()
    die_with_parent(role.orphaned, parent)
    signal.set_wakeup_fd(-1)
    for number in _HANDLED:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _HANDLED)
    try:
        if role.logs_as:
            configure_logging(current_settings().log_level, role.logs_as)
        role.run(ready)
    except HostFault as fault:
        sys.stderr.write(f"\n{fault}\n")
        raise SystemExit(fault.exit_code) from None
    except machine_errors.KINDS as fault:
        reason = machine_errors.describe_fault(fault)
        if not reason:
            raise
        raise SystemExit(f"\n{reason}") from None
