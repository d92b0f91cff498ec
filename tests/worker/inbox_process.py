"""An inbox process on a real database: letters go over sockets, and the keys open the stored
ones.
"""

import os
import signal
import smtplib
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from sqlmodel import col, select

from adjudicator.hosting.process import die_with_parent
from adjudicator.mail import addresses
from adjudicator.platform.config import read_settings
from adjudicator.service.base.tables import Incoming
from adjudicator.service.letters import incoming
from tests.cast import ALICE, BOB, CHARLIE
from tests.databases import as_role
from tests.harness import Harness
from tests.waiting import LIMIT, wait_for_end, wait_until

ROOT = Path(__file__).parent.parent.parent
LETTER = b"From: Alice <alice@example.org>\r\nSubject: Round 1\r\n\r\nB3\r\n"
_PROGRAM = """
import socket, sys
from adjudicator.hosting import loading
loading.collect_seldom()
from adjudicator.platform.config import current_settings
from adjudicator.hosting.logs import configure_logging
from worker.inbox import server, smtp
smtp.MOST_CONNECTIONS, smtp.MOST_HELD = int(sys.argv[2]), int(sys.argv[3])
if sys.argv[4]:
    smtp.MOST_FROM_ONE, smtp.counted_network = int(sys.argv[4]), lambda peer: peer[0]
smtp.SmtpConnection.__init__.__kwdefaults__["idle"] = server.STOP_SECONDS = 3600  # a busy machine is no idle client
configure_logging("INFO", "inbox")
loading.collect_as_usual()
server.run_server(current_settings(), socket.socket(fileno=int(sys.argv[1])), lambda: print("ready", flush=True))
"""


@dataclass
class InboxProcess:
    """A harness and, once started, the inbox on its database."""

    harness: Harness
    url: str
    folder: Path
    scheme: str = "smtp"
    mail_address: str = "orders@play.example.org"
    redis: str = ""
    process: "subprocess.Popen[bytes] | None" = None
    listener: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))

    def open(
        self,
        *,
        crash_at: str = "",
        connections: int = 100,
        held: int = 16 * 1024 * 1024,
        from_one: int | None = None,
    ) -> None:
        """Start the inbox and wait until it accepts letters; it kills itself once at `crash_at`.

        With `from_one` it counts connections of this machine's own addresses too, each for itself.
        """
        if crash_at:
            (self.folder / "crash").touch()
            crash_at = f"{crash_at}@{self.folder / 'crash'}"
        given = {
            "DATABASE_URL": as_role(self.url, "inbox"),
            "INBOX_URL": self.inbox_url,
            "MAIL_ADDRESS": self.mail_address,
            "REDIS_URL": self.redis,
        }
        environ = os.environ | given | {"DATA_DIR": str(self.folder), "SEALED_CRASH_AT": crash_at}
        command = [
            sys.executable,
            "-c",
            _PROGRAM,
            str(self.listener.fileno()),
            str(connections),
            str(held),
            str(from_one or ""),
        ]
        with (self.folder / "inbox.log").open("ab") as log:
            streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": log}
            self.process = subprocess.Popen(  # type: ignore[call-overload]
                command,
                cwd=ROOT,
                env=environ,
                pass_fds=[self.listener.fileno()],
                preexec_fn=die_with_parent,
                **streams,
            )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n", self.said

    @property
    def inbox_url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"

    @property
    def port(self) -> int:
        return int(self.listener.getsockname()[1])

    @property
    def said(self) -> str:
        """The inbox's log."""
        return (self.folder / "inbox.log").read_text(errors="replace")

    def client(self) -> smtplib.SMTP:
        """Connect to the inbox."""
        return (smtplib.LMTP if self.scheme == "lmtp" else smtplib.SMTP)(
            "127.0.0.1", self.port, timeout=LIMIT
        )

    def line(self, source: str = "127.0.0.1") -> "Line":
        """Connect to the inbox with a raw connection, from one of this machine's addresses."""
        return Line(self.port, source)

    def ended(self) -> int:
        """Wait until the process has ended; returns its exit code."""
        assert self.process is not None
        code = wait_for_end(self.process, "the inbox to end", said=lambda: self.said)
        self._hang_up()
        return code

    def stop(self) -> int:
        """Stop the inbox gracefully."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.ended()

    def close(self) -> None:
        """Clean up after any result of the test."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            wait_for_end(self.process)
        self._hang_up()
        self.listener.close()
        self.harness.dispose()

    def _hang_up(self) -> None:
        if self.process is not None and self.process.stdout is not None:
            self.process.stdout.close()

    # --- matches and stored letters

    def match(self) -> str:
        """Begin a match of Alice, Bob and Charlie."""
        return self.harness.match(ALICE, BOB, CHARLIE)

    def token(self, uid: str, seat: str = "1") -> str:
        """Return the token in a seat's address."""
        return self.harness.address_token(
            uid, next(each.position for each in self.harness.seats(uid) if each.name == seat)
        )

    def seat(self, uid: str, seat: str = "1") -> str:
        """Return a seat's own address."""
        told = read_settings(mail_address=self.mail_address, data_dir=self.folder)
        return addresses.token_address(told, self.token(uid, seat)).addr_spec

    def stored(self) -> list[Incoming]:
        """Return the stored letters in order."""
        with self.harness.database.read_tx() as session:
            return list(session.exec(select(Incoming).order_by(col(Incoming.id))))

    def read(self, row: Incoming) -> bytes | None:
        """Return the content of a stored letter, opened as by a worker."""
        claimed = incoming.claim_letter(
            self.harness.database, self.harness.keyring, row.id or 0, row.received_at
        )
        return claimed.raw if claimed else None

    def until(self, count: int) -> list[Incoming]:
        """Wait until `count` letters are stored."""
        wait_until(
            lambda: len(self.stored()) >= count,
            f"{count} letters",
            of=filter(None, [self.process]),
            said=lambda: self.said,
        )
        return self.stored()


class Line:
    """A raw connection: bytes out, lines in."""

    def __init__(self, port: int, source: str) -> None:
        self.socket = socket.create_connection(
            ("127.0.0.1", port), timeout=LIMIT, source_address=(source, 0)
        )
        self._lines = self.socket.makefile("rb")

    def __enter__(self) -> "Line":
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()
        self.socket.close()

    def say(self, *lines: bytes) -> None:
        """Send lines at once."""
        self.socket.sendall(b"".join(line + b"\r\n" for line in lines))

    def hear(self) -> bytes:
        """Return the last line of the next reply, b"" on a closed connection."""
        while (line := self._lines.readline())[3:4] == b"-":
            pass
        return line.rstrip()

    def ask(self, *lines: bytes) -> bytes:
        """Send lines and return the last reply."""
        self.say(*lines)
        return [self.hear() for _ in lines][-1]


def hand_over(client: smtplib.SMTP, raw: bytes = LETTER) -> int:
    """Send a letter and return the code of its reply."""
    return client.data(raw)[0]
