"""What the host reads while the service starts and stops."""

import contextlib
import sys
import time
from collections.abc import Iterator

from adjudicator.platform.errors import HostFault


class CannotStart(HostFault):
    """The service cannot start; the message is one sentence for the host."""


def say(text: str, *, end: str = "\n") -> None:
    """Print a message; a closed terminal is no reason to stop."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.write(text + end)
        sys.stdout.flush()


def printable(text: str) -> str:
    """Return `text` with control characters replaced, since they could command a terminal."""
    return "".join(char if char.isprintable() or char == "\n" else "\ufffd" for char in text)


def hide_password(url: str) -> str:
    """Return a URL with its password hidden."""
    from sqlalchemy.engine import make_url  # not for a health check

    return make_url(url).render_as_string(hide_password=True)


class Steps:
    """Numbers the steps of a start and prints how long each took."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._begun = time.monotonic()

    @contextlib.contextmanager
    def step(self, what: str) -> Iterator[None]:
        """Print a step's name, run the block, print its duration."""
        self._done += 1
        say(f"{self._done} of {self._total}  {what} ...", end="")
        begun = time.monotonic()
        try:
            yield
        except BaseException:
            say("")
            raise
        say(f" {time.monotonic() - begun:.1f} s")

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._begun
