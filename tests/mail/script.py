"""A mail server that keeps to a script: what it answers to which word, where it says nothing, where it breaks off."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

_USUAL = {"greeting": "220 mail.example.org", "EHLO": "250 mail.example.org", "DATA": "354 go on", "QUIT": "221 bye"}
SILENCE, BREAK = "silence", "break"


class Script:
    """Answers on a free port of loopback. Each answer of `script` is used once, by any connection; then the usual ones again.

    The steps are `greeting`, the words of SMTP, and `dot` for the end of a letter. An answer is a line, SILENCE or BREAK.
    """

    def __init__(self, script: dict[str, list[str]]) -> None:
        self.script = script
        self.connections, self.letters = 0, list[bytes]()
        self.heard: list[str] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> "Script":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._over.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.hang_up()
        self._thread.join(10)

    def hang_up(self) -> None:
        """Break every connection off, as a server does that was idle for too long."""
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _listen(self) -> None:
        while not self._over.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(connection)
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            if not self._say(connection, "greeting"):
                return
            lines = connection.makefile("rb")
            for line in iter(lines.readline, b""):
                word = line.split(b" ")[0].strip().decode().upper()
                self.heard.append(line.strip().decode())
                answered = self._say(connection, word)
                if answered.startswith("354"):
                    self.letters.append(b"".join(iter(lines.readline, b".\r\n")))
                    answered = self._say(connection, "dot")
                if not answered or word == "QUIT":
                    return

    def _say(self, connection: socket.socket, step: str) -> str:
        answers = self.script.get(step, [])
        answer = answers.pop(0) if answers else _USUAL.get(step, "250 OK")
        if answer == SILENCE:
            self._over.wait(20)
        if answer in (SILENCE, BREAK):
            return ""
        connection.sendall(answer.encode() + b"\r\n")
        return answer


@contextmanager
def scripted(**script: list[str]) -> Iterator[Script]:
    """Run such a server; `rcpt=["451 later"]`."""
    with Script({step if step in ("greeting", "dot") else step.upper(): answers for step, answers in script.items()}) as server:
        yield server
