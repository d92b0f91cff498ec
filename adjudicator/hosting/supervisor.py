"""The supervisor: starts roles in order, restarts those that die, and stops them in reverse
order.
"""

import contextlib
import os
import select
import signal
import time
from dataclasses import dataclass, field
from functools import partial
from types import FrameType

from adjudicator.hosting.messages import say
from adjudicator.hosting.process import Child, Role

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0  # seconds of backoff before a restart
_HOPELESS_DEATHS = 3
_PROVEN_SECONDS = 60.0  # after this uptime earlier deaths are forgotten
_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass
class _Post:
    """The supervision of one role: its process and its restarts."""

    role: Role
    child: Child | None = None
    deaths: int = 0  # in a row
    next_start: float = 0.0
    ready: bool = field(default=False)


class Supervisor:
    """Supervises the roles of one service; create and use it once, in the main thread."""

    def __init__(self) -> None:
        self.stopping = False
        self._posts: list[_Post] = []
        self._news, self._tell = os.pipe()
        self._wakes, wake = os.pipe()
        for end in (self._news, self._tell, self._wakes, wake):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        for number in _STOP_SIGNALS:
            # `nohup` ignores it on purpose
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._ask_to_stop)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # wakes `look_after`

    def start(self, role: Role) -> None:
        """Start a role and supervise it from now on."""
        post = _Post(role)
        self._posts.append(post)
        self._fill(post)

    def look_after(self, seconds: float) -> None:
        """Wait up to `seconds` for an event; restart roles that died and whose backoff is over."""
        self._pause(seconds)
        for post in self._posts:
            if post.child and post.child.ended():
                self._note_the_death(post, post.child)
            if not post.child and not self.stopping and time.monotonic() >= post.next_start:
                self._fill(post)

    def is_ready(self, name: str) -> bool:
        """Whether the role has reported that it is ready."""
        return any(post.ready for post in self._posts if post.role.name == name)

    def hopeless(self) -> str | None:
        """Return the name of a role that died several times in a row; None if there is none."""
        return next(
            (post.role.name for post in self._posts if post.deaths >= _HOPELESS_DEATHS), None
        )

    def stop(self) -> None:
        """Stop the roles in reverse order, each within its patience; then kill what is left."""
        self.stopping = True
        for post in reversed(self._posts):
            if post.child:
                self._stop_one(post.child)
                post.child = None

    def _stop_one(self, child: Child) -> None:
        begun = time.monotonic()
        say(f"Stopping {child.role.name} ...", end="")
        child.ask_to_end()
        while not child.ended() and time.monotonic() < begun + child.role.patience:
            self._pause(0.1)
        if not child.ended():
            say(" it does not end by itself, killing it ...", end="")
            child.kill()
        say(f" {time.monotonic() - begun:.1f} s")

    def _fill(self, post: _Post) -> None:
        post.child = Child(post.role, partial(self._tell_ready, post.role.name))

    def _tell_ready(self, name: str) -> None:
        """Report readiness; called in the role's process."""
        os.write(self._tell, f"{name}\n".encode())

    def _note_the_death(self, post: _Post, child: Child) -> None:
        now = time.monotonic()
        post.deaths = 1 if now - child.since > _PROVEN_SECONDS else post.deaths + 1
        wait = min(_FIRST_WAIT * 2 ** (post.deaths - 1), _LONGEST_WAIT)
        post.child, post.ready, post.next_start = None, False, now + wait
        if not self.stopping:
            say(
                f"{post.role.name[0].upper()}{post.role.name[1:]} {child.how_it_ended()}; it starts"
                f" again in {wait:g} s."
            )

    def _pause(self, seconds: float) -> None:
        """Sleep until a signal, a message of a role, or for `seconds`."""
        select.select([self._wakes, self._news], [], [], seconds)
        _read_all(self._wakes)
        names = _read_all(self._news).decode().splitlines()
        for post in self._posts:
            post.ready = post.ready or post.role.name in names

    def _ask_to_stop(self, _number: int, _frame: FrameType | None) -> None:
        self.stopping = True


def _read_all(pipe: int) -> bytes:
    with contextlib.suppress(BlockingIOError):
        return os.read(pipe, 65536)
    return b""
