"""A running `sealed` command for a test: started in its own folder, observed through its output,
ended by its own pid.
"""

import os
import re
import secrets
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from adjudicator.hosting.process import die_with_parent
from tests.databases import new_sqlite
from tests.servers import free_port
from tests.waiting import DUMPS, LIMIT, wait_for_end, wait_until

ROOT = Path(__file__).parent.parent.parent
STANDINS = ROOT / "tests" / "hosting" / "standins"
SEALED = (sys.executable, "-P", "-m", "adjudicator")
_STEP = re.compile(r"^\d of \d  ", re.MULTILINE)  # of a start
_MARK = "SEALED_TEST_MARK"


def _as_from_a_terminal() -> None:
    """Die with the test, and handle SIGHUP even if the tests run under nohup."""
    die_with_parent()
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Service:
    """A `sealed` process and its descendants, identified by a mark in their environment."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        program: Sequence[str | Path] = SEALED,
        new: bool = False,
        **environ: str,
    ) -> None:
        """Start the program with a minimal environment and no settings of the tests' own.

        `serve` finds a migrated database in its folder, which spares it a second, unless the
        installation is to be `new`.
        """
        self.folder = folder
        if arguments[:1] == ("serve",) and not new and "DATABASE_URL" not in environ:
            _lay_database(folder)
        self.port = int(environ.get("PORT", free_port()))
        self._mark = secrets.token_hex(8)
        self._output = folder.with_name(f"{folder.name}.{self._mark}.log")
        settings = {
            "DATA_DIR": str(folder),
            "PORT": str(self.port),
            "SWEEP_SECONDS": "0.5",
            **environ,
        }
        known = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": f"{STANDINS}{os.pathsep}{ROOT}",
            DUMPS: "1",
            _MARK: self._mark,
            **settings,
        }
        with self._output.open("wb") as output:
            streams: dict[str, Any] = {
                "stdin": subprocess.DEVNULL,
                "stdout": output,
                "stderr": output,
            }
            command = [*program, *arguments]
            self.process: subprocess.Popen[bytes] = subprocess.Popen(
                command, env=known, preexec_fn=_as_from_a_terminal, **streams
            )

    @property
    def said(self) -> str:
        """Its output so far."""
        return self._output.read_text(errors="replace")

    def get(self, path: str = "/") -> str:
        """Return the text of a page of its site."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=LIMIT) as answer:
            return str(answer.read().decode())

    def wait_until_ready(self, limit: float = LIMIT) -> None:
        """Wait for the line that says it is ready, at most `limit` for each step of its start."""
        while "Ready after" not in self.said:
            steps = self._steps()
            self.wait_for(
                lambda steps=steps: self._steps() > steps or "Ready after" in self.said,
                "it to be ready",
                limit,
            )  # type: ignore[misc]

    def _steps(self) -> int:
        return len(_STEP.findall(self.said))

    def wait_for(self, happened: Callable[[], object], what: str, limit: float = LIMIT) -> None:
        """Wait until something happened; fail with the output if it does not, or if the process
        ends before.
        """

        def looked() -> bool:
            ended = self.process.poll() is not None  # before looking, since what it did last counts
            if not (found := bool(happened())):
                assert not ended, f"it ended before {what}; it said:\n{self.said}"
            return found

        wait_until(looked, what, of=[self.process], said=lambda: self.said, limit=limit)

    def ended(self) -> int:
        """Wait until it has ended by itself; return the exit code."""
        return wait_for_end(self.process, said=lambda: self.said)

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        """Send a signal; return the exit code."""
        self.process.send_signal(how)
        return self.ended()

    def processes(self) -> dict[int, str]:
        """Return all its processes by pid."""
        return {pid: line for pid in _pids() if (line := _command_of(pid, self._mark))}

    def end(self) -> None:
        """Kill everything that is left."""
        for pid in [self.process.pid, *self.processes()]:
            if pid == self.process.pid and self.process.poll() is not None:
                continue
            os.kill(pid, signal.SIGKILL)
        wait_for_end(self.process)


def _lay_database(folder: Path) -> None:
    file = folder / "sealed.sqlite3"
    if not file.exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        new_sqlite(file)
        file.chmod(0o600)


@contextmanager
def run_service(
    folder: Path,
    *arguments: str,
    program: Sequence[str | Path] = SEALED,
    new: bool = False,
    **environ: str,
) -> Iterator[Service]:
    """Yield a service that is ready; end it afterwards."""
    service = Service(folder, *arguments, program=program, new=new, **environ)
    try:
        service.wait_until_ready()
        yield service
    finally:
        service.end()


def _pids() -> list[int]:
    return [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit()]


def _command_of(pid: int, mark: str) -> str:
    """Return the command line of a process with this mark in its environment, else ""."""
    try:
        marked = f"{_MARK}={mark}".encode() in Path(f"/proc/{pid}/environ").read_bytes()
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip() if marked else ""
    except OSError:
        return ""
