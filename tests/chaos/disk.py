"""A small tmpfs mounted on a folder for the duration of a block, and a file that fills it."""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

NO_DISK = 77  # the exit code if none can be mounted


class NoDisk(Exception):
    """No tmpfs can be mounted here; the message says why."""


@contextlib.contextmanager
def mount_tmpfs(folder: Path, megabytes: int) -> Iterator[Path]:
    """Mount a tmpfs of this size on the folder. Raises NoDisk."""
    folder.mkdir()
    asked = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0711", "tmpfs", folder],
        capture_output=True,
        text=True,
        check=False,
    )
    if asked.returncode:
        raise NoDisk(
            f"A tmpfs cannot be mounted here ({asked.stderr.strip()}): run this as root, outside of"
            " a container without that right."
        )
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=False)


def fill_disk(folder: Path) -> Path:
    """Write a file until the disk is full; return it."""
    ballast = folder / "ballast"
    with ballast.open("ab", buffering=0) as file:
        for size in (1 << 20, 1 << 12):
            with contextlib.suppress(OSError):
                while file.write(b"\0" * size) == size:
                    pass
    return ballast


def free_bytes(folder: Path) -> int:
    """Return the free bytes."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize
