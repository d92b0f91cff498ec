"""Handles a stop signal while the program is still loading: the process prints a sentence instead of a traceback."""

import signal
import sys
from types import FrameType

_SERVICES = ("serve", "web", "worker", "beat", "inbox")  # a signal is the normal way to end these


def end_with_a_sentence() -> None:
    """Have SIGINT and SIGTERM print a sentence and exit, until a supervisor installs its own handlers."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)


def _stop(number: int, _frame: FrameType | None) -> None:
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)  # ignore further signals
    asked_for = any(word in _SERVICES for word in sys.argv[1:2])
    sys.stderr.write("\nStopped before anything was started. Nothing is lost.\n" if asked_for else "\nStopped.\n")
    sys.exit(0 if asked_for else 128 + number)
