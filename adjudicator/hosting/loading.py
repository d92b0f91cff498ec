"""While a program loads: a stop signal prints a sentence instead of a traceback, and Python's
collector seldom looks for cycles.

Loading makes none, and takes a third longer otherwise.
"""

import gc
import signal
import sys
from types import FrameType

_USUAL = gc.get_threshold()
# new objects before a look: loading makes fewer, and a long command does not grow without bound
_SELDOM = (500_000, 10, 10)
_SERVICES = ("serve", "web", "worker", "beat", "inbox")  # a signal is the normal way to end these


def end_with_a_sentence() -> None:
    """Have SIGINT and SIGTERM print a sentence and exit, until a supervisor installs its own
    handlers.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)


def _stop(number: int, _frame: FrameType | None) -> None:
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)  # ignore further signals
    asked_for = any(word in _SERVICES for word in sys.argv[1:2])
    sys.stderr.write(
        "\nStopped before anything was started. Nothing is lost.\n" if asked_for else "\nStopped.\n"
    )
    sys.exit(0 if asked_for else 128 + number)


def collect_seldom() -> None:
    """Call this before what takes its time to be imported."""
    gc.set_threshold(*_SELDOM)


def collect_as_usual() -> None:
    """Call this once all is loaded: from now on the collector leaves out what exists, which
    lasts.
    """
    gc.freeze()
    gc.set_threshold(*_USUAL)
