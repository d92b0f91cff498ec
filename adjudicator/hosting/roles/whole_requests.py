"""Requests read whole: the bytes of one connection up to the end of a request, and which requests a
site has in hand.

The bytes are taken apart by gunicorn's own parser, so that what counts as whole here is whole for
the thread that answers it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Any

from gunicorn.http.body import LengthReader
from gunicorn.http.errors import ParseException
from gunicorn.http.message import Request
from gunicorn.http.unreader import IterUnreader

from adjudicator.platform import clock

LARGEST_HEAD = 32 * 1024  # bytes
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
TOO_LARGE_HEAD = "431 Request Header Fields Too Large"
NO_LENGTH = "411 Length Required"
_END = b"\r\n\r\n"
_OF_A_MATCH = re.compile(r"/matches/[^/?#]+/")


@dataclass(frozen=True)
class Whole:
    """A request of which nothing more has to come. `broken`: it is no request, or larger than any
    may be, and is refused unread.
    """

    broken: bool = False
    # whether a closing waits for its answer: it may hold orders or another act in a match
    awaited: bool = False


@dataclass
class RequestBuffer:
    """What has come of a connection's next request."""

    config: Any
    peer: Any
    largest: int  # bytes of a body
    received: bytearray = field(default_factory=bytearray)
    awaits_continue: bool = False  # whether its sender waits for CONTINUE before it sends the body
    _size: int | None = None  # of the whole request; None until its head has come
    _found: Whole = Whole()

    def look(self) -> Whole | str | None:
        """Return the request if it is whole, the status line with which it is refused, or None
        while more has to come.
        """
        if self._size is None:
            refused = self._look_at_head()
            if self._size is None or refused:
                return refused
        if len(self.received) < self._size and not self._found.broken:
            return None
        return self._found

    def take(self) -> bytes:
        """Return the bytes and begin anew, with no request."""
        taken = bytes(self.received)
        self.received = bytearray()
        self.awaits_continue = False
        self._size = None
        self._found = Whole()
        return taken

    def _look_at_head(self) -> str | None:
        whole = _END in self.received
        if not whole and self.received.count(b"\n") == self.received.count(b"\r\n"):
            return TOO_LARGE_HEAD if len(self.received) > LARGEST_HEAD else None
        unread = IterUnreader([bytes(self.received)])
        try:
            request = Request(self.config, unread, self.peer)
        except (ParseException, OSError, StopIteration):
            # the thread that reads it finds the same fault, and says so
            self._size, self._found = 0, Whole(broken=True)
            return None
        if not isinstance(request.body.reader, LengthReader):
            return NO_LENGTH
        length = request.body.reader.length
        self._size = len(self.received) - len(unread.buf.getvalue()) + length
        awaited = request.method == "POST" and _OF_A_MATCH.search(request.path or "") is not None
        self._found = Whole(broken=length > self.largest, awaited=awaited)
        self.awaits_continue = request._expected_100_continue and len(self.received) < self._size
        return None


class RequestsInHand:
    """The requests that are whole and not answered yet, for which a closing waits; for all threads
    of a site.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._came: dict[object, float] = {}

    def take(self, request: object) -> float:
        """Note a request that has become whole; return its arrival, a monotonic time."""
        with self._lock:
            return self._came.setdefault(request, clock.monotonic())

    def done(self, request: object) -> None:
        """Forget a request that was answered, if it was noted."""
        with self._lock:
            self._came.pop(request, None)

    def oldest(self) -> float:
        """Return the monotonic time before which every request that was whole has been answered."""
        with self._lock:
            return min(self._came.values(), default=clock.monotonic())

    def answered_until(self, read_clock: Callable[[], datetime]) -> datetime:
        """Return `oldest` by another clock, which is read after it: what becomes whole meanwhile is
        later by that clock, too.
        """
        answered = self.oldest()
        return clock.moment_of(read_clock(), answered)
