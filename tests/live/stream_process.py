"""A live process on a real database, and clients that listen to it over sockets."""

import json
import os
import signal
import socket
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adjudicator.hosting.process import die_with_parent
from tests.databases import as_role
from tests.harness import Harness
from tests.waiting import LIMIT, wait_for_end, wait_until
from web.live import tickets
from web.live.listeners import Limits

ROOT = Path(__file__).parent.parent.parent
SECRET = "a secret of the sites"
_READINGS = "sealed_live_read_seconds_count"
_PROGRAM = """
import json, socket, sys
from adjudicator.hosting import loading
loading.collect_seldom()
from adjudicator.hosting.logs import configure_logging
from adjudicator.platform.config import current_settings
from web.live import server
from web.live.listeners import Limits
configure_logging("INFO", "live")
loading.collect_as_usual()
settings = current_settings()
server.run_server(settings, socket.socket(fileno=int(sys.argv[1])), lambda: print("ready", flush=True), Limits(**json.loads(sys.argv[2])))
"""


@dataclass
class StreamProcess:
    """A harness and the live process on its database."""

    url: str
    folder: Path
    limits: Limits = field(default_factory=Limits)
    proxies: int = 0
    harness: Harness = field(init=False)
    process: "subprocess.Popen[bytes]" = field(init=False)
    listener: socket.socket = field(
        default_factory=lambda: socket.create_server(("127.0.0.1", 0), backlog=1024)
    )

    def __post_init__(self) -> None:
        self.harness = Harness(self.url, now=datetime.now(UTC))

    def __enter__(self) -> "StreamProcess":
        given = {
            "DATABASE_URL": as_role(self.url, "live"),
            "DATA_DIR": str(self.folder),
            "SECRET_KEY": SECRET,
            "TRUSTED_PROXIES": str(self.proxies),
        }
        command = [
            sys.executable,
            "-c",
            _PROGRAM,
            str(self.listener.fileno()),
            json.dumps(asdict(self.limits)),
        ]
        with (self.folder / "live.log").open("ab") as log:
            streams: dict[str, Any] = {
                "stdin": subprocess.DEVNULL,
                "stdout": subprocess.PIPE,
                "stderr": log,
            }
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=os.environ | given,
                pass_fds=[self.listener.fileno()],
                preexec_fn=die_with_parent,
                **streams,
            )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n", self.said
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            wait_for_end(self.process)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.listener.close()
        self.harness.dispose()

    @property
    def said(self) -> str:
        """The process's log."""
        return (self.folder / "live.log").read_text(errors="replace")

    @property
    def port(self) -> int:
        return int(self.listener.getsockname()[1])

    def stop(self) -> int:
        """Stop the process gracefully; return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return wait_for_end(self.process, said=lambda: self.said)

    def ticket(self, *uids: str) -> str:
        """Return a ticket that the site would give now."""
        return tickets.sign_ticket(SECRET, uids, datetime.now(UTC))

    def listen(self, *uids: str, **headers: str) -> "StreamClient":
        """Listen for some matches."""
        return self.request(f"/live?ticket={self.ticket(*uids)}", **headers)

    def request(self, path: str, **headers: str) -> "StreamClient":
        """Ask for a path."""
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        return self.raw(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n".encode())

    def raw(self, text: bytes) -> "StreamClient":
        """Connect and send bytes, before the process sees the connection: a slow machine makes no
        slow client.
        """
        self.process.send_signal(signal.SIGSTOP)
        try:
            return StreamClient(self.port, text)
        finally:
            self.process.send_signal(signal.SIGCONT)

    def figure(self, name: str) -> float:
        """Return one of the metrics."""
        with self.request("/metrics") as client:
            client.read_head()
            lines = client.rest().decode().splitlines()
        return next(
            (float(line.rpartition(" ")[2]) for line in lines if line.rpartition(" ")[0] == name),
            0.0,
        )

    def until(self, name: str, least: float) -> None:
        """Wait until one of the metrics has grown to `least`."""
        wait_until(
            lambda: self.figure(name) >= least,
            f"{name} to be {least:g}",
            of=[self.process],
            said=lambda: self.said,
        )

    def read_again(self) -> None:
        """Wait until the process has read the database once more, from beginning to end: what would
        be heard was sent by then.
        """
        self.until(_READINGS, self.figure(_READINGS) + 2)


class StreamClient:
    """A raw connection that reads server-sent events."""

    def __init__(self, port: int, text: bytes) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=LIMIT)
        self.socket.sendall(text)
        self.status, self.head, self._unread = 0, "", b""

    def __enter__(self) -> "StreamClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def read_head(self) -> int:
        """Read status and headers; return the status."""
        self.head = self._until(b"\r\n\r\n").decode()
        self.status = int(self.head.split()[1])
        return self.status

    def event(self) -> dict[str, str]:
        """Return the fields of the next event; signs of life are passed over."""
        while True:
            block = self._until(b"\n\n").decode()
            fields = dict(
                line.split(": ", 1)
                for line in block.split("\n")
                if line and not line.startswith(":")
            )
            if "data" in fields:
                return fields

    def steps(self) -> dict[str, str]:
        """Return the steps that the next event tells."""
        found: dict[str, str] = json.loads(self.event()["data"])
        return found

    def rest(self) -> bytes:
        """Return everything until the server closes the connection."""
        while chunk := self.socket.recv(65536):
            self._unread += chunk
        return self._unread

    def ended(self) -> bool:
        """Wait until the server has ended the connection."""
        try:
            self.rest()
        except ConnectionResetError:
            return True
        return True

    def _until(self, end: bytes) -> bytes:
        while end not in self._unread:
            chunk = self.socket.recv(4096)
            assert chunk, f"the connection ended after {self._unread!r}"
            self._unread += chunk
        found, self._unread = self._unread.split(end, 1)
        return found
