"""The child process of the reader: limits itself, receives the order words, then parses letters
until its input ends.
"""

import contextlib
import ctypes
import os
import resource
import signal
import sys
from typing import BinaryIO

from adjudicator.mail.reading import letter, letter_text, orderlike
from adjudicator.mail.reading.letter_text import Unreadable

MEMORY = 256 * 1024 * 1024  # bytes of address space, including code and libraries
_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Answer a frame for each letter until the input ends or the limits were reached."""
    parent, seconds = int(sys.argv[1]), float(sys.argv[2])
    _limit(parent)
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    if (words := _receive(source)) is None:
        return
    orderlike.learn_orders(letter_text.decode_words(words))
    _send(sink, letter_text.READY)
    while (raw := _receive(source)) is not None:
        signal.setitimer(signal.ITIMER_PROF, seconds)  # of CPU; then SIGPROF ends this process
        answer = _answer(raw)
        _send(sink, letter_text.encode_answer(answer))
        if answer.worn:
            return


def _limit(parent: int) -> None:
    """Limit memory and files, and have the kernel kill this process when its parent ends."""
    with (
        contextlib.nullcontext()
        if sys.platform == "linux"
        else contextlib.suppress(ValueError, OSError)
    ):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))  # not every system supports it
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # in case that the parent ignores it
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)  # the parent ended before prctl took effect


def _receive(source: BinaryIO) -> bytes | None:
    head = source.read(letter_text.LENGTH.size)
    if len(head) < letter_text.LENGTH.size:
        return None
    (length,) = letter_text.LENGTH.unpack(head)
    if length > letter_text.LARGEST_LETTER:
        return None
    body = source.read(length)
    return body if len(body) == length else None


def _send(sink: BinaryIO, body: bytes) -> None:
    sink.write(letter_text.frame_bytes(body))
    sink.flush()


def _answer(raw: bytes) -> letter_text.ChildAnswer:
    try:
        return letter_text.ChildAnswer(letter.parse_letter(raw))
    except Unreadable as reason:
        return letter_text.ChildAnswer(unreadable=str(reason))
    except (MemoryError, RecursionError):
        return letter_text.ChildAnswer(unreadable=letter_text.BROKE, worn=True)


if __name__ == "__main__":
    main()
