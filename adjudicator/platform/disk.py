"""What the disk of a folder still takes, and when it has what was written."""

import os
import tempfile
from pathlib import Path

SCARCE = 50_000_000  # bytes; a host whose disk has fewer should make room
_PROBE = bytes(65536)


def free_bytes(folder: Path) -> int | None:
    """Return how many bytes can be written in a folder; None where its file system does not say.
    Raises OSError.
    """
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize if disk.f_blocks else None


def try_folder(folder: Path) -> None:
    """Write a file in a folder and remove it. Raises OSError, with the folder as its file name, if
    that is not possible.
    """
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(_PROBE)
            file.flush()
    except OSError as fault:
        raise OSError(fault.errno, fault.strerror, str(folder)) from fault


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk. Raises OSError."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_scarce(free: int | None) -> bool:
    """Whether so few free bytes are too few."""
    return free is not None and free < SCARCE


def is_short(folder: Path) -> bool:
    """Whether a folder takes no files, or its disk is nearly full."""
    try:
        try_folder(folder)
        return is_scarce(free_bytes(folder))
    except OSError:
        return True
