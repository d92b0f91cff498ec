"""What roles and commands cost before they do anything: seconds of the processor and memory, here
and in another release in turn.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.servers import free_port, start_redis, stop_server

ROOT = Path(__file__).parent.parent
ROUNDS = 5
READY_SECONDS = 240  # a bound against hanging
COUNTED_SECONDS = 2  # after it is ready: a worker's processes open their databases
ROLES = ("inbox", "web", "live", "worker --no-beat", "beat", "serve")
COMMANDS = ("migrate", "letters", "block --list", "master list", "matches list")
_TICKS = os.sysconf("SC_CLK_TCK")
# A small process starts each command, since a process begins with the memory of the one that
# started it.
_LAUNCH = """import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)"""


@dataclass(frozen=True)
class Cost:
    """The cost of a start: seconds of the processor of all its processes, and the most memory that
    one of them had.
    """

    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Release:
    """The source of a release, and an installation of it."""

    folder: Path
    environment: dict[str, str]

    def knows(self, words: str) -> bool:
        """Whether this release has the command."""
        return (self.folder / "adjudicator" / "commands" / f"{words.split()[0]}.py").exists()

    def command(self, words: str) -> list[str]:
        """Return a command line."""
        return [sys.executable, "-P", "-m", "adjudicator", *words.split()]


def bench_roles(say: Callable[[str], None], before: Path | None = None) -> None:
    """Start everything five times, in turn with the release in the folder `before`; print the least
    of each, and the ratio.
    """
    with tempfile.TemporaryDirectory() as name:
        redis = start_redis(Path(name) / "redis")
        try:
            folders = [ROOT, *([before.absolute()] if before else [])]
            releases = [
                _install(folder, Path(name) / f"data{number}", redis.url)
                for number, folder in enumerate(folders)
            ]
            for words in (*COMMANDS, *ROLES):
                say(
                    _line(
                        words,
                        _measure(words, [release for release in releases if release.knows(words)]),
                    )
                )
        finally:
            stop_server(redis)


def _install(folder: Path, data: Path, redis: str) -> Release:
    data.mkdir(mode=0o700)
    settings = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(folder),
        "DATA_DIR": str(data),
        "REDIS_URL": redis,
        "INBOX_URL": f"smtp://127.0.0.1:{free_port()}",
        "SECRET_KEY": "0" * 40,
        "LOG_LEVEL": "ERROR",
    }
    release = Release(folder, settings | {port: str(free_port()) for port in ("PORT", "LIVE_PORT")})
    _run("migrate", release)
    return release


def _measure(words: str, releases: list[Release]) -> list[Cost]:
    """Return the least cost of a role or command in each release; the first round, which may
    compile modules, does not count.
    """
    start = _start if words in ROLES else _run
    rounds = [[start(words, release) for release in releases] for _ in range(ROUNDS + 1)]
    return [
        Cost(min(cost.seconds for cost in costs), min(cost.megabytes for cost in costs))
        for costs in zip(*rounds[1:], strict=True)
    ]


def _line(words: str, costs: list[Cost]) -> str:
    now, *before = costs
    told = f"sealed {words}: {now.seconds:.2f} s, {now.megabytes:.0f} MB"
    return told + "".join(
        f"; before {cost.seconds:.2f} s, {cost.megabytes:.0f} MB: {now.seconds / cost.seconds:.2f}"
        for cost in before
    )


def _run(words: str, release: Release) -> Cost:
    """Run a command to its end."""
    command = [sys.executable, "-I", "-c", _LAUNCH, *release.command(words)]
    done = subprocess.run(
        command,
        env=release.environment,
        cwd=release.folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return Cost(*map(float, done.stdout.split()))


def _start(words: str, release: Release) -> Cost:
    """Start a role, count once it is ready, and stop it."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    process = subprocess.Popen(
        release.command(words), env=release.environment, cwd=release.folder, text=True, **streams
    )  # type: ignore[call-overload]  # streams
    try:
        said = []
        for line in process.stdout:
            said.append(line)
            if "Ready after" in line:
                time.sleep(COUNTED_SECONDS)
                return _cost_of(process.pid)
        raise AssertionError("".join(said))
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=READY_SECONDS)


def _cost_of(pid: int) -> Cost:
    """Return the cost of a process and its descendants so far."""
    return Cost(processor_seconds(pid), max(map(_megabytes, _family(pid))))


def processor_seconds(pid: int) -> float:
    """Return the seconds of the processor of a process and its descendants so far."""
    return sum(map(_seconds, _family(pid)))


def _family(pid: int) -> list[int]:
    parents = {
        int(folder.name): int(_stat(int(folder.name))[1])
        for folder in Path("/proc").iterdir()
        if folder.name.isdigit()
    }
    found = [pid]
    for each in found:
        found += [child for child, parent in parents.items() if parent == each]
    return found


def _stat(pid: int) -> list[str]:
    """Return the fields of a process from its state on, the second of which is its parent; it may
    have ended meanwhile.
    """
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ["X"] + ["0"] * 20


def _seconds(pid: int) -> float:
    """Return its seconds of the processor, and those of its children that have ended."""
    return sum(int(ticks) for ticks in _stat(pid)[11:15]) / _TICKS


def _megabytes(pid: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0
