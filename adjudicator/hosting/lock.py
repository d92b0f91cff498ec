"""One service for each DATA_DIR: a file lock that all child processes inherit, so that a surviving
one is noticed.
"""

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from adjudicator.hosting.messages import CannotStart, say
from adjudicator.platform import disk

_LINGER_SECONDS = 60  # far more than a killed process needs to end on a busy machine
_LEAST_ROOM = 1024 * 1024  # bytes of free space


@contextlib.contextmanager
def hold_folder(data_dir: Path, address: str) -> Iterator[int]:
    """Hold the lock of DATA_DIR during the block; yield its descriptor. Raises CannotStart with the
    holder's name.

    Processes of a killed service hold the lock until the last one ends; this waits up to a minute
    for them.
    """
    file = _open(data_dir / "serve.lock")
    try:
        _take(file, data_dir)
        _require_room(data_dir)
        os.ftruncate(file, 0)
        os.pwrite(
            file, f"{os.getpid()}\n{address}\n{datetime.now(UTC):%Y-%m-%d %H:%M} UTC\n".encode(), 0
        )
        yield file
        os.ftruncate(file, 0)
    finally:
        os.close(file)


def _open(path: Path) -> int:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as fault:
        raise CannotStart(
            f"DATA_DIR {path.parent} cannot be written to ({fault.strerror}): choose another"
            " folder."
        ) from fault


def _require_room(data_dir: Path) -> None:
    """Raise CannotStart if the disk of DATA_DIR is full."""
    room = disk.free_bytes(data_dir)
    if room is not None and room < _LEAST_ROOM:
        raise CannotStart(
            f"The disk of DATA_DIR {data_dir} is full ({room // 1024} kB are left): make room, then"
            " start again."
        )


def _take(file: int, data_dir: Path) -> None:
    end = time.monotonic() + _LINGER_SECONDS
    printed = False
    while not _locked(file):
        pid, address, since = _holder(file)
        if _lives(pid) or time.monotonic() > end:
            raise CannotStart(
                f"DATA_DIR {data_dir} is in use by another sealed (process {pid}, {address}, since"
                f" {since}): stop that one first, or give this one a DATA_DIR of its own."
            )
        if not printed:
            say(f"Waiting for the last processes of a service that was killed (process {pid}) ...")
            printed = True
        time.sleep(0.1)


def _locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder(file: int) -> tuple[str, str, str]:
    lines = os.pread(file, 1000, 0).decode(errors="replace").splitlines()
    pid, address, since, *_ = (
        [*lines, "unknown", "address unknown", "a moment ago"] if len(lines) < 3 else lines
    )
    return pid, address, since


def _lives(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True
