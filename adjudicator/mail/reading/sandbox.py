"""The reader of letters: runs one child process that parses them, with a limit of CPU time for each
letter.

A busy machine costs a letter time on the clock, but none of its limit. LONGEST on the clock ends a
child that does not move at all.
"""

import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from adjudicator.core.game import OrderWords
from adjudicator.mail.reading import letter_text
from adjudicator.mail.reading.letter_text import LetterText, Unreadable
from adjudicator.platform import clock

SECONDS = 5.0  # of CPU for one letter
# seconds of the clock for one letter and the start of its child; a task's time limit is longer
LONGEST = 60.0
# seconds of the clock after which the caller is told that a letter is still being read
RENEW = 10.0
LETTERS = 200  # that one child reads
_ROOT = Path(__file__).resolve().parents[3]
_CHUNK = 65536

TOO_LONG = "It took too long to take apart."
TOO_LARGE = "It is larger than a letter may be."


class NoReader(Exception):
    """The child cannot be started; no letter is to blame."""


class CutShort(NoReader):
    """The child was not done after LONGEST, although it had CPU time left. A busy machine may be to
    blame, or the letter.
    """


class _Ended(Exception):
    """The child ended or broke the protocol."""


class LetterReader:
    """Reads letters, one at a time, in a child process with limits. Only the thread and the process
    that use it first may use it.
    """

    def __init__(self, order_words: Sequence[OrderWords], *, seconds: float = SECONDS) -> None:
        """Start no child yet; `order_words` describe the games' orders, `seconds` of CPU are the
        limit for one letter.
        """
        self._order_words = letter_text.frame_bytes(letter_text.encode_words(order_words))
        self._seconds = seconds
        self._child: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._letters = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The child's process id, None while there is no child."""
        return self._child.pid if self._child is not None and self._owner == os.getpid() else None

    def read(self, raw: bytes, *, still: Callable[[], None] = lambda: None) -> LetterText:
        """Parse a letter; call `still` every RENEW seconds meanwhile.

        Raises Unreadable, NoReader where no child can be started, and CutShort after LONGEST.
        When a child breaks that has read other letters, a new one tries the letter again: the
        others may be to blame.
        """
        if len(raw) > letter_text.LARGEST_LETTER:
            raise Unreadable(TOO_LARGE)
        limit = _Limit(clock.monotonic() + LONGEST, still)
        answer, fresh = self._try(raw, limit)
        if (answer is None or answer.worn) and not fresh:
            answer, _ = self._try(raw, limit)
        if answer is None or answer.said is None:
            raise Unreadable(answer.unreadable if answer is not None else letter_text.BROKE)
        return answer.said

    def close(self) -> None:
        """Kill the child, if there is one."""
        self._end()

    def _end(self) -> int | None:
        """Kill the child; return how it ended, a signal's number below zero, None without a child
        of this process.
        """
        child, self._child = self._child, None
        if child is None or self._owner != os.getpid():
            return None
        child.kill()
        code = child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                pipe.close()
        return code

    def _try(self, raw: bytes, limit: "_Limit") -> tuple[letter_text.ChildAnswer | None, bool]:
        """Read it once; return None where the child broke, and whether the child was new."""
        child = self._started(limit)
        fresh = self._letters == 0
        self._letters += 1
        try:
            answer = letter_text.decode_answer(
                _exchange(child, letter_text.frame_bytes(raw), limit)
            )
        except TimeoutError:
            self.close()
            raise CutShort("the process that reads letters does not get on") from None
        except (_Ended, OSError, ValueError, KeyError, TypeError, RecursionError):
            if self._end() == -signal.SIGPROF:
                raise Unreadable(TOO_LONG) from None
            return None, fresh
        except BaseException:
            # such as a task's time limit: a late answer must not be taken for the next letter's
            self.close()
            raise
        if answer.worn or self._letters >= LETTERS:
            self.close()
        return answer, fresh

    def _started(self, limit: "_Limit") -> subprocess.Popen[bytes]:
        if self._child is not None and self._owner == os.getpid():
            return self._child
        self._child, self._owner, self._letters = _start(self._seconds), os.getpid(), 0
        try:
            if _exchange(self._child, self._order_words, limit) != letter_text.READY:
                raise _Ended
        except (_Ended, OSError) as error:  # a TimeoutError is an OSError
            self.close()
            raise NoReader("the process that reads letters does not start") from error
        except BaseException:
            self.close()
            raise
        return self._child


@dataclass(frozen=True)
class _Limit:
    """Until when a letter may be read, by `clock.monotonic`, and whom to tell meanwhile that it
    is.
    """

    until: float
    still: Callable[[], None]


def _start(seconds: float) -> subprocess.Popen[bytes]:
    """Start a child that inherits nothing: no environment, no open files, no terminal."""
    command = [
        sys.executable,
        "-P",
        "-B",
        "-m",
        "adjudicator.mail.reading.sandbox_child",
        str(os.getpid()),
        str(seconds),
    ]
    clean = {"PATH": os.defpath, "PYTHONPATH": str(_ROOT), "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"}
    try:
        child = subprocess.Popen(
            command,
            env=clean,
            cwd="/",
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
    except OSError as error:
        raise NoReader("the process that reads letters does not start") from error
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            os.set_blocking(pipe.fileno(), False)
    return child


def _exchange(child: subprocess.Popen[bytes], out: bytes, limit: _Limit) -> bytes:
    """Write `out` and return the one frame of the answer. Raises TimeoutError at the limit, _Ended
    or OSError.
    """
    rest, found = memoryview(out), bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(_pipe(child.stdout), selectors.EVENT_READ)
        if rest:
            selector.register(_pipe(child.stdin), selectors.EVENT_WRITE)
        while not _whole(found):
            for key, mask in _events(selector, limit):
                if mask & selectors.EVENT_READ:
                    found += _more(key.fd)
                    continue
                rest = rest[os.write(key.fd, rest[:_CHUNK]) :]
                if not rest:
                    selector.unregister(key.fileobj)
    if rest:
        raise _Ended  # it answered before it had read everything
    return bytes(found[letter_text.LENGTH.size :])


def _events(
    selector: selectors.BaseSelector, limit: _Limit
) -> list[tuple[selectors.SelectorKey, int]]:
    """Wait for the next events, at most RENEW; then tell `still` and return none. Raises
    TimeoutError at the limit.
    """
    left = limit.until - clock.monotonic()
    events = selector.select(max(0.0, min(left, RENEW)))
    if not events and left <= RENEW:
        raise TimeoutError
    if not events:
        limit.still()
    return events


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise _Ended
    return pipe


def _more(fd: int) -> bytes:
    data = os.read(fd, _CHUNK)
    if not data:
        raise _Ended
    return data


def _whole(found: bytearray) -> bool:
    if len(found) < letter_text.LENGTH.size:
        return False
    (length,) = letter_text.LENGTH.unpack_from(found)
    if length > letter_text.LARGEST_ANSWER or len(found) > letter_text.LENGTH.size + length:
        raise _Ended
    return bool(len(found) == letter_text.LENGTH.size + length)
