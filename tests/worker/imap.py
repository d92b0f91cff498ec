"""A real IMAP server (pymap) in its own process, with one mailbox in memory."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from imaplib import IMAP4
from pathlib import Path

from imap_tools import MailBoxUnencrypted

from adjudicator.hosting.process import die_with_parent
from tests.servers import free_port

USER, PASSWORD = "orders@play.example.org", "open:sesame/now"
START_SECONDS = 120


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
        with MailBoxUnencrypted("127.0.0.1", self.port, timeout=START_SECONDS) as mailbox:
            mailbox.login(USER, PASSWORD)
            yield mailbox

    def put(self, raw: bytes, at: datetime) -> None:
        """Deliver a letter."""
        with self.mailbox() as mailbox:
            mailbox.append(raw, "INBOX", dt=at)

    def seen(self) -> list[bool]:
        """Return for each letter whether it is marked as seen."""
        with self.mailbox() as mailbox:
            return ["\\Seen" in each.flags for each in mailbox.fetch(mark_seen=False, bulk=False, headers_only=True)]


@contextmanager
def imap_server(folder: Path, port: int = 0) -> Iterator[Imap]:
    """Run the server within the block."""
    made = Imap(port or free_port())
    command = [sys.executable, "-c", "from pymap.main import main; main()", "--no-service", "admin", "--no-service", "sieve"]
    command += ["--host", "127.0.0.1", "--port", str(made.port), "--no-tls", "dict", "--demo-user", USER, "--demo-password", PASSWORD]
    with (folder / "imap.log").open("ab") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=die_with_parent)
    try:
        _wait(made, process, folder)
        yield made
    finally:
        process.kill()
        process.wait(START_SECONDS)


def _wait(made: Imap, process: "subprocess.Popen[bytes]", folder: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            with made.mailbox():
                return
        except (OSError, IMAP4.error):
            told = (folder / "imap.log").read_text(errors="replace")
            assert process.poll() is None and time.monotonic() < end, f"the IMAP server does not start: {told}"
            time.sleep(0.05)
