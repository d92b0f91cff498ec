"""The mail server of the tests: an SMTP server on loopback that accepts letters or gives scripted
answers.

`python -m tests.mail_sink` runs one that keeps nothing, prints its port, and ends when its standard
input closes.
"""

import base64
import contextlib
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import IO, Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

SILENCE, BREAK = "silence", "break"  # answers: send nothing; close the connection
PASSWORD = "open sesame"
_USUAL = {
    "greeting": "220 mail.example.org",
    "DATA": "354 go on",
    "QUIT": "221 bye",
    "STARTTLS": "220 go on",
}


@dataclass
class Transaction:
    """A letter in transfer: the contents of MAIL, RCPT and DATA."""

    sender: str = ""  # "" is the null sender
    recipients: list[str] = field(default_factory=list)
    content: bytes = b""  # with SMTP's dots removed
    encrypted: bool = False

    @property
    def message(self) -> EmailMessage:
        return message_from_bytes(self.content, policy=default)


class MailSink:
    """A server with a thread for each connection, by default on a free port.

    The steps of a dialogue are `greeting`, the verbs of SMTP in capitals, and `dot` for the end of
    a letter. Each answer of `script` is used once, by any connection: a line, SILENCE or BREAK.
    Then the normal answers apply.
    """

    quiet_seconds = 20.0  # how long SILENCE lasts

    def __init__(
        self,
        *,
        port: int = 0,
        tls: ssl.SSLContext | None = None,
        asks_password: bool = False,
        pipelining: bool = False,
        **script: list[str],
    ) -> None:
        """`script` has its steps in small letters: `rcpt=["451 later"]`."""
        self.script = {
            step if step in ("greeting", "dot") else step.upper(): answers
            for step, answers in script.items()
        }
        self.connections = 0
        self.heard: list[str] = []  # every line outside letters
        self.arrived: list[Transaction] = []  # every letter that was received completely
        self.taken: list[Transaction] = []  # those that were not refused
        self.logins: list[tuple[str, str]] = []
        self._tls, self._asks_password, self._pipelining = tls, asks_password, pipelining
        self._listener = socket.create_server(("127.0.0.1", port))
        self._open: set[socket.socket] = set()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    @property
    def place(self) -> str:
        """Its address as `127.0.0.1:port`."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"smtp://{self.place}"

    def answer(self, step: str, _letter: Transaction) -> str:
        """Return the answer to a step; a subclass may decide by the letter."""
        answers = self.script.get(step, [])
        return answers.pop(0) if answers else _USUAL.get(step, "250 OK")

    def keep(self, letter: Transaction, answer: str) -> None:
        """Keep a letter that arrived; it counts as accepted unless `answer` refuses it."""
        self.arrived.append(letter)
        if answer[:1] not in ("4", "5"):
            self.taken.append(letter)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.hang_up()
        self._thread.join()

    def hang_up(self) -> None:
        """Close every connection, as a server does after a timeout."""
        for connection in list(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    # --- a connection

    def _listen(self) -> None:
        while not self._over.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            # else the second of two replies waits for an acknowledgement
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections += 1
            self._open.add(connection)
            threading.Thread(target=self._converse, args=(connection,), daemon=True).start()

    def _converse(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            if not self._say(connection, self.answer("greeting", Transaction())).startswith("220"):
                return
            if self._hear(connection, encrypted=False) and self._tls is not None:
                with self._tls.wrap_socket(connection, server_side=True) as secured:
                    self._open.add(secured)
                    self._hear(secured, encrypted=True)
                self._open.discard(secured)
        self._open.discard(connection)

    def _hear(self, connection: socket.socket, *, encrypted: bool) -> bool:
        """Serve the connection until it ends; return whether TLS is to begin."""
        lines, letter = connection.makefile("rb"), Transaction(encrypted=encrypted)
        for line in iter(lines.readline, b""):
            words = line.strip().decode()
            self.heard.append(words)
            verb = words.split(" ")[0].upper()
            if verb == "MAIL":
                letter = Transaction(_path(words), encrypted=encrypted)
            if verb == "RCPT":
                letter.recipients.append(_path(words))
            said = self._say(connection, self._reply(verb, words, letter))
            if verb == "RCPT" and not said.startswith("250"):
                letter.recipients.pop()
            if said.startswith("354"):
                letter.content = b"".join(_lines_of_letter(lines))
                answer = self.answer("dot", letter)
                self.keep(letter, answer)
                said = self._say(connection, answer)
            if verb == "STARTTLS":
                return True
            if not said or said.startswith("421") or verb == "QUIT":
                break
        return False

    def _reply(self, verb: str, words: str, letter: Transaction) -> str:
        if verb == "AUTH" and self._asks_password:
            _, user, password = base64.b64decode(words.split(" ")[2]).decode().split("\0")
            self.logins.append((user, password))
            return "235 welcome" if password == PASSWORD else "535 5.7.8 wrong"
        said = self.answer(verb, letter)
        if verb != "EHLO" or said != "250 OK":
            return said
        able = [
            "mail.example.org",
            *(["STARTTLS"] if self._tls and not letter.encrypted else []),
            *(["AUTH PLAIN"] * self._asks_password),
            *(["PIPELINING"] * self._pipelining),
        ]
        return "\r\n".join([*(f"250-{each}" for each in able[:-1]), f"250 {able[-1]}"])

    def _say(self, connection: socket.socket, answer: str) -> str:
        """Send an answer; return "" if the connection is to be closed."""
        if answer == SILENCE:
            self._over.wait(self.quiet_seconds)
        if answer in (SILENCE, BREAK):
            return ""
        connection.sendall(answer.encode() + b"\r\n")
        return answer


def _lines_of_letter(lines: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines before the dot. Raises ConnectionError where the connection ends before it:
    that letter was not handed over.
    """
    for line in iter(lines.readline, b".\r\n"):
        if not line:
            raise ConnectionError("the connection ended within a letter")
        yield line.removeprefix(b".")


def _path(words: str) -> str:
    """Return the address in `MAIL FROM:<a@b> SIZE=3`."""
    return words.partition("<")[2].partition(">")[0]


class Forgetful(MailSink):
    """A server that accepts everything and keeps nothing."""

    def keep(self, letter: Transaction, answer: str) -> None:
        """Discard it."""
        self.heard.clear()


@contextmanager
def sink_process() -> Iterator[str]:
    """Run a Forgetful sink in its own process; yield its URL."""
    command = [sys.executable, "-m", "tests.mail_sink"]
    root = Path(__file__).parent.parent
    with subprocess.Popen(
        command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stdin is not None
        try:
            yield f"smtp://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.stdin.close()


def self_signed(folder: Path) -> ssl.SSLContext:
    """Return a server's context with a self-signed certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail.example.org")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "key.pem").write_bytes(pem)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context


if __name__ == "__main__":
    with Forgetful(pipelining=True) as sink:  # as nearly all servers offer
        sys.stdout.write(f"{sink.port}\n")
        sys.stdout.flush()
        sys.stdin.read()
