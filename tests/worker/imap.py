"""A real IMAP server (pymap) in its own process, with one mailbox in memory."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from imaplib import IMAP4
from pathlib import Path

from imap_tools import MailBoxUnencrypted

from adjudicator.hosting.process import die_with_parent
from tests.servers import free_port
from tests.waiting import LIMIT, wait_for_end, wait_until

USER, PASSWORD = "orders@play.example.org", "open:sesame/now"


@dataclass
class Imap:
    """The server and its mailbox."""

    port: int

    @property
    def url(self) -> str:
        """The value of IMAP_URL for it."""
        return f"imap://{USER.replace('@', '%40')}:{PASSWORD.replace(':', '%3A').replace('/', '%2F')}@127.0.0.1:{self.port}"

    @contextmanager
    def mailbox(self) -> Iterator[MailBoxUnencrypted]:
        """Open the mailbox as its owner would."""
        with MailBoxUnencrypted("127.0.0.1", self.port, timeout=LIMIT) as mailbox:
            mailbox.login(USER, PASSWORD)
            yield mailbox

    def put(self, raw: bytes, at: datetime) -> None:
        """Deliver a letter."""
        with self.mailbox() as mailbox:
            mailbox.append(raw, "INBOX", dt=at)

    def seen(self) -> list[bool]:
        """Return for each letter whether it is marked as seen."""
        with self.mailbox() as mailbox:
            return [
                "\\Seen" in each.flags
                for each in mailbox.fetch(mark_seen=False, bulk=False, headers_only=True)
            ]


@contextmanager
def imap_server(folder: Path, port: int = 0) -> Iterator[Imap]:
    """Run the server within the block."""
    made = Imap(port or free_port())
    command = [
        sys.executable,
        "-c",
        "from pymap.main import main; main()",
        "--no-service",
        "admin",
        "--no-service",
        "sieve",
    ]
    command += [
        "--host",
        "127.0.0.1",
        "--port",
        str(made.port),
        "--no-tls",
        "dict",
        "--demo-user",
        USER,
        "--demo-password",
        PASSWORD,
    ]
    with (folder / "imap.log").open("ab") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=die_with_parent
        )
    try:
        said = (folder / "imap.log").read_text
        wait_until(
            lambda: _answers(made, process),
            "the IMAP server to answer",
            said=lambda: said(errors="replace"),
        )
        yield made
    finally:
        process.kill()
        wait_for_end(process)


def _answers(made: Imap, process: "subprocess.Popen[bytes]") -> bool:
    assert process.poll() is None, "the IMAP server has ended"
    with suppress(OSError, IMAP4.error), made.mailbox():
        return True
    return False
