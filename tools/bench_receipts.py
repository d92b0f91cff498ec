"""The latency from a letter's 250 to its receipt at the next mail server; real inbox, worker and
sockets.
"""

import os
import re
import smtplib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from sqlmodel import delete

from adjudicator.platform import clock, db
from adjudicator.seal import crypto
from adjudicator.service.base.tables import Letter
from tests.harness import Harness
from tests.servers import free_port, start_redis, stop_server

ROOT = Path(__file__).parent.parent
LETTERS = 60
REST = 0.4  # seconds between two letters
_ANSWERS = re.compile(rb"^In-Reply-To: (<bench-\d+@example\.net>)", re.MULTILINE)


class _Sink:
    """Records when the answer to each letter arrived."""

    def __init__(self) -> None:
        self.came: dict[str, float] = {}

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 aiosmtpd calls it so
        found = _ANSWERS.search(envelope.content.replace(b"\r\n", b"\n"))
        if found:
            self.came[found[1].decode()] = time.perf_counter()
        return "250 OK"


@contextmanager
def run_role(name: str, settings: dict[str, str]) -> Iterator[None]:
    """Run one `sealed` role during the block."""
    quiet: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    process = subprocess.Popen(
        [sys.executable, "-m", "adjudicator", name], cwd=ROOT, env=os.environ | settings, **quiet
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


def bench_receipts(say: Callable[[str], None]) -> None:
    """Send letters with orders one after another, each to a seat of its own, and print the
    latencies of their receipts.
    """
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder, sink, port = Path(name), _Sink(), free_port()
        url = f"sqlite:///{folder / 'sealed.sqlite3'}"
        db.migrate(url)
        harness = Harness(url, crypto.ensure_key_file(folder / "keys" / "worker.key"))
        harness.now = clock.now()
        tokens = _seats(harness)
        controller = Controller(sink, hostname="127.0.0.1", port=free_port())
        controller.start()
        stack.callback(controller.stop)
        redis = start_redis(folder / "redis")
        stack.callback(stop_server, redis)
        settings = {
            "DATABASE_URL": url,
            "REDIS_URL": redis.url,
            "DATA_DIR": name,
            "LOG_LEVEL": "ERROR",
            "MAIL_ADDRESS": "orders@example.org",
            "SMTP_URL": f"smtp://127.0.0.1:{controller.port}",
            "INBOX_URL": f"smtp://127.0.0.1:{port}",
            "SITE_URL": "https://orders.example.org",
        }
        stack.enter_context(run_role("worker", settings))
        stack.enter_context(run_role("inbox", settings))
        _wait_for(port)
        time.sleep(5)
        sent = _send(port, tokens)
        end = time.monotonic() + 60
        while len(sink.came) < len(sent) and time.monotonic() < end:
            time.sleep(0.05)
        took = sorted(sink.came[each] - at for each, at in sent.items() if each in sink.came)
        say(
            f"receipts: {len(took)} of {len(sent)} letters answered; from 250 to sent median"
            f" {statistics.median(took):.2f} s, p90 {took[int(len(took) * 0.9)]:.2f} s, the longest"
            f" {took[-1]:.2f} s"
        )
        harness.dispose()


def _seats(harness: Harness) -> list[str]:
    """Start matches of players with an address each, since answers to one address are limited;
    return the seats' secrets.
    """
    uids = [
        harness.match(*(f"{name}{number}" for name in ("Alice", "Bob", "Charlie")))
        for number in range(LETTERS // 3)
    ]
    with harness.database.write_tx() as session:
        session.exec(delete(Letter))
    return [harness.address_token(uid, place) for uid in uids for place in range(3)]


def _send(port: int, tokens: list[str]) -> dict[str, float]:
    sent: dict[str, float] = {}
    for number, token in enumerate(tokens):
        letter = EmailMessage()
        letter["From"], letter["To"] = "alice@example.org", f"orders+{token}@example.org"
        letter["Message-ID"] = f"<bench-{number}@example.net>"
        letter.set_content("B3\nwait\n")
        with smtplib.SMTP("127.0.0.1", port) as server:
            server.send_message(letter)
            sent[str(letter["Message-ID"])] = time.perf_counter()
        time.sleep(REST)
    return sent


def _wait_for(port: int) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            smtplib.SMTP("127.0.0.1", port, timeout=2).close()
            return
        except OSError:
            time.sleep(0.1)
