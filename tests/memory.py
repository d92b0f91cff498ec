"""A file system in memory for the tests' files, where the machine has one with room: there nothing
waits for a disk.
"""

import shutil
from pathlib import Path

_SHARED = Path("/dev/shm")
_ROOM = 2_000_000_000  # bytes that must be free; containers often have 64 MB


def in_memory() -> Path | None:
    """Return the folder of a file system in memory with room for the tests' files; None where there
    is none.
    """
    return _SHARED if _SHARED.is_dir() and shutil.disk_usage(_SHARED).free > _ROOM else None
