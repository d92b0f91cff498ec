"""The simulated mail server: speaks SMTP to the service's client; accepts letters, refuses them,
hangs or hangs up.
"""

import re
import smtplib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.simulation.faults import Faults
from tests.simulation.world import World

_UID = re.compile(rb"(?mi)^Message-ID: <([0-9a-f]{24})@[^>]*>")
# Faults that may prevent the service from noting a permanent refusal.
_EXCUSES = (
    "crash",
    "freeze",
    "step",
    "statement fails",
    "serialization failure",
    "connection lost",
    "commit fails",
    "lost after commit",
    "a task failed",
    "a database was busy",
)
SILENCE = 61.0  # seconds after which a client gives up


@dataclass(frozen=True)
class Taken:
    """An accepted letter."""

    uid: str  # its Message-ID is derived from it
    message_id: str
    to: str
    sender: str  # of its envelope; "" is the null sender
    at: float
    commits: int  # of the whole world before it
    content: bytes = field(repr=False)


class Sink:
    """All accepted letters in order, and those that may be sent twice."""

    def __init__(self, world: World, faults: Faults) -> None:
        self.world, self.faults = world, faults
        self.taken: list[Taken] = []
        self.ambiguous: set[str] = set()
        self.full = ""  # an address whose mailbox is always full
        # sent after a permanent refusal although no fault of the service explains it
        self.sent_all_the_same: list[str] = []
        self.takes_time: Callable[[str], None] = lambda to: None  # delays each letter to an address
        # the letter with this token in its return address
        self.uid_of: Callable[[str], str] = lambda token: token
        # readers of accepted letters, besides the checks
        self.readers: list[Callable[[Taken], None]] = []
        # permanently refused letters -> the number of faults at that time
        self._refused: dict[str, int] = {}
        world.ambiguous = self._explain

    def accept(self, content: bytes, to: str, sender: str) -> None:
        """Accept a letter and pass it to the readers."""
        found = _UID.search(content)
        assert found is not None, "a letter has a Message-ID"
        uid = found[1].decode()
        self.taken.append(
            Taken(
                uid, found[0].decode(), to, sender, self.world.seconds, self.world.commits, content
            )
        )
        for reader in self.readers:
            reader(self.taken[-1])
        self.world.note(f"took {uid}")
        if self._refused.get(uid) == self._faults():
            self.sent_all_the_same.append(uid)
        strand = self.world.current
        if strand is not None:
            strand.process.unmarked[uid] = 0
            strand.carried.add(uid)
            if strand.shaken:
                self.ambiguous.add(uid)

    def times(self, uid: str) -> int:
        """Return how often a letter was accepted."""
        return sum(each.uid == uid for each in self.taken)

    def refuse(self, uid: str) -> None:
        """Record a permanent refusal."""
        self._refused[uid] = self._faults()

    @property
    def refused(self) -> set[str]:
        """The permanently refused letters."""
        return set(self._refused)

    def _faults(self) -> int:
        return sum(self.world.fired[kind] for kind in _EXCUSES)

    def _explain(self, process: Any) -> None:
        """Allow the unmarked letters of a process to be sent again, because it cannot know that
        they were accepted.
        """
        self.ambiguous |= set(process.unmarked)
        for strand in process.strands:
            strand.shaken = True


def note_sending(world: World) -> None:
    """Record that a letter is being sent: if this process freezes, another may send it
    meanwhile.
    """
    if world.current is not None:
        world.current.shaken = False


class Line:
    """One connection from the client's side; smtplib uses it as its socket."""

    def __init__(self, sink: Sink) -> None:
        self._sink, self._world = sink, sink.world
        self._said, self._content, self._in_data, self._to = b"", b"", False, ""
        self._uid = self._sender = ""
        self._open, self._silent = True, False
        self._say(
            b"421 4.3.2 Busy" if sink.faults.draw("smtp 421") else b"220 mail.example.org ESMTP"
        )

    def _say(self, line: bytes) -> None:
        self._said += line + b"\r\n"
        if line.startswith(b"421"):
            self._open = False

    # --- the socket interface for smtplib

    def sendall(self, data: bytes) -> None:
        """Receive the client's data."""
        if data[:4] in (b"MAIL", b"RSET"):
            note_sending(self._world)
            self._open = self._open and not self._sink.faults.draw("smtp hung up")
        self._world.point(f"smtp {'letter' if self._in_data else data[:4].decode()}")
        if not self._open:
            raise ConnectionResetError("the other side hung up")
        if self._in_data:
            self._hear_letter(data)
        else:
            self._hear(data.decode().strip())

    def makefile(self, _mode: str) -> "Line":
        """Return the file of replies, this object."""
        return self

    def readline(self, _most: int = -1) -> bytes:
        """Return the next line of a reply; time out if there is none."""
        line, end, self._said = self._said.partition(b"\r\n")
        if end:
            return line + end
        if self._silent:
            self._world.wait(SILENCE)
            raise TimeoutError("timed out")
        return b""

    def settimeout(self, _seconds: float) -> None:
        """Ignore it: the world sets the time limits."""

    def setsockopt(self, *_option: int) -> None:
        """Ignore it: nothing is delayed here."""

    def close(self) -> None:
        """Close the connection."""
        self._open = False

    # --- the dialogue

    def _hear(self, line: str) -> None:
        verb = line[:4].upper()
        if verb == "MAIL":
            self._sender = line.partition("<")[2].partition(">")[0]
            self._uid = self._sink.uid_of(self._sender.partition("+b-")[2].partition("@")[0])
            self._say(b"250 2.1.0 Ok")
        elif verb == "RCPT":
            self._to = line.partition("<")[2].rstrip(">")
            self._say(self._answer())
        elif verb == "DATA":
            self._in_data, self._content = True, b""
            self._say(b"354 Go on")
        elif verb == "EHLO":
            self._say(b"250-mail.example.org\r\n250 SIZE 10000000")
        else:
            self._say(b"221 Bye" if verb == "QUIT" else b"250 Ok")

    def _answer(self) -> bytes:
        """Return the reply to a recipient."""
        if self._to == self._sink.full:
            self._world.fire("smtp 452 for ever")
            return b"452 4.2.2 Mailbox full"
        if self._sink.faults.draw("smtp 550"):
            self._sink.refuse(self._uid)
            return b"550 5.1.1 No such user"
        return b"250 2.1.5 Ok"

    def _hear_letter(self, data: bytes) -> None:
        self._content += data
        if not self._content.endswith(b"\r\n.\r\n"):
            return
        self._in_data, faults = False, self._sink.faults
        self._sink.takes_time(self._to)
        if faults.draw("smtp 451"):
            self._say(b"451 4.3.0 Try again")
        elif faults.draw("smtp 421"):
            self._say(b"421 4.3.2 Closing")
        elif faults.draw("smtp silent before"):
            self._silent = True
        elif faults.draw("smtp cut"):
            self._open = False
        else:
            self._sink.accept(self._content, self._to, self._sender)
            if faults.draw("smtp silent after"):
                self._sink.ambiguous |= (
                    set(self._world.current.process.unmarked) if self._world.current else set()
                )
                self._silent = True
            else:
                self._say(b"250 2.0.0 Taken")


class Client(smtplib.SMTP):
    """The standard library's client on a simulated connection."""

    def __init__(self, host: str = "", port: int = 0, timeout: float = 0) -> None:
        super().__init__(host, port, local_hostname="orders.example.org", timeout=timeout)

    def _get_socket(self, host: str, port: int, timeout: float) -> Any:
        world = World.here
        note_sending(world)
        world.point("smtp connect")
        return Line(world.sink)
