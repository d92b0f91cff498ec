"""The keeper: a process beside pytest that starts a server when a test first asks for it, and ends
all of them with pytest.

It listens on a Unix socket in its folder: "postgres" or "redis" in, a line of JSON out: {"url",
"words"} or {"missing"}. It ends when its standard input closes, which happens however pytest ends;
so no server outlives the tests.
"""

import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.memory import in_memory
from tests.server_search import ServerMissing
from tests.servers import Running, start_postgres, start_redis, stop_server
from tests.waiting import LIMIT, wait_for_end, wait_until

ADDRESS = "SEALED_TEST_KEEPER"  # the environment variable that leads a test process to the keeper
_START = {"postgres": start_postgres, "redis": start_redis}
_ANSWER_SECONDS = 3 * LIMIT  # it may start a server for this or another test process


def start_keeper() -> subprocess.Popen[bytes]:
    """Start the keeper for this process and all that it starts; it ends with `stop_keeper`, or when
    this process ends.
    """
    folder = Path(tempfile.mkdtemp(prefix="sealed-tests-", dir=in_memory()))
    os.environ[ADDRESS] = str(folder / "keeper")
    environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    keeper = subprocess.Popen(
        [sys.executable, "-P", "-m", "tests.keeper", folder],
        stdin=subprocess.PIPE,
        start_new_session=True,
        env=environ,
    )
    return keeper


def stop_keeper(keeper: subprocess.Popen[bytes]) -> None:
    """Have the keeper end its servers and itself."""
    os.environ.pop(ADDRESS, None)
    if keeper.stdin:
        keeper.stdin.close()
    wait_for_end(keeper, "the keeper to stop its servers")


def ask_keeper(name: str) -> str:
    """The address of a running server, started if it was not. Raises ServerMissing with the reason
    where it cannot be had.
    """
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(_ANSWER_SECONDS)
        _connect(line, os.environ[ADDRESS])
        line.sendall(f"{name}\n".encode())
        answer = json.loads(
            line.makefile().readline() or '{"missing": "the keeper of the test servers has ended"}'
        )
    if "missing" in answer:
        raise ServerMissing(answer["missing"])
    return str(answer["url"])


def _connect(line: socket.socket, address: str) -> None:
    def connected() -> bool:
        with suppress(FileNotFoundError, ConnectionRefusedError):
            line.connect(address)
            return True
        return False

    wait_until(connected, f"the keeper of the test servers at {address}")


def _serve(folder: Path, running: dict[str, Running]) -> None:
    with socket.socket(socket.AF_UNIX) as listener, selectors.DefaultSelector() as selector:
        listener.bind(str(folder / "keeper"))
        listener.listen(64)
        selector.register(listener, selectors.EVENT_READ)
        selector.register(sys.stdin, selectors.EVENT_READ)
        while not any(key.fileobj is sys.stdin for key, _ in selector.select()):
            _answer(listener.accept()[0], folder, running)


def _answer(line: socket.socket, folder: Path, running: dict[str, Running]) -> None:
    with line:
        name = line.makefile().readline().strip()
        try:
            if name not in running:
                running[name] = _START[name](folder / name)
            told = {"url": running[name].url, "words": running[name].words}
        except ServerMissing as missing:
            shutil.rmtree(folder / name, ignore_errors=True)
            told = {"missing": str(missing)}
        line.sendall((json.dumps(told) + "\n").encode())


def main() -> None:
    """Keep servers until standard input closes."""
    folder, running = Path(sys.argv[1]), dict[str, Running]()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        _serve(folder, running)
    finally:
        for server in running.values():
            stop_server(server)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
