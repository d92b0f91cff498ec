"""A stop while the program is still being loaded: it ends with a sentence, not with a traceback of some import."""

import signal
import sys
from types import FrameType

_SERVICES = ("serve", "web", "worker", "beat", "inbox")  # which are stopped by a signal, so that this is no failure


def end_with_a_sentence() -> None:
    """Have SIGINT and SIGTERM end this process with a sentence from now on; a supervisor puts its own handlers in their place."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)


def _stop(number: int, _frame: FrameType | None) -> None:
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)  # once is enough
    asked_for = any(word in _SERVICES for word in sys.argv[1:2])
    sys.stderr.write("\nStopped before anything was started. Nothing is lost.\n" if asked_for else "\nStopped.\n")
    sys.exit(0 if asked_for else 128 + number)
