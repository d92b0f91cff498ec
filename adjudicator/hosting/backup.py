"""Copies of the database for the host: whole or not there at all, for their owner only, the oldest
removed.
"""

import os
import re
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import URL, make_url

from adjudicator.hosting import machine_errors
from adjudicator.hosting.messages import hide_password
from adjudicator.platform import db, disk
from adjudicator.platform.config import Settings
from adjudicator.platform.errors import HostFault

_NAMED = re.compile(r"sealed-orders-\d{8}T\d{6}Z\.(?:sqlite3|dump)")
_PART = ".part"  # ends the name of a copy that is not whole
_WAIT_SECONDS = 60


@dataclass(frozen=True)
class Backup:
    """A copy that was made, and the older ones beside it."""

    path: Path
    size: int  # bytes
    kept: int  # copies in the folder, with this one
    removed: int


def back_up(settings: Settings, folder: Path, *, keep: int | None, now: datetime) -> Backup:
    """Copy the database into a folder while the service runs; `keep` is how many copies stay there,
    None for all.

    1. Write the copy beside its later name, readable for this user only.
    2. Check that it can be read and that the database is one of this service; give it its name.
    3. Remove the oldest copies beyond `keep`. Other files in the folder are left alone.

    Raises HostFault; then no copy was removed.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (FileNotFoundError, NotADirectoryError) as fault:
        raise HostFault(f"There can be no folder {folder}: {fault.strerror}.") from None
    ending = "sqlite3" if settings.on_sqlite else "dump"
    path = folder / f"sealed-orders-{now:%Y%m%dT%H%M%SZ}.{ending}"
    part = path.with_name(path.name + _PART)
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        (_copy_sqlite if settings.sqlite_file is not None else _dump_postgres)(settings, part)
        _require_tables(settings.database_url)
        disk.sync(part)
        part.rename(path)
        disk.sync(folder)
    finally:
        part.unlink(missing_ok=True)
    kept = sorted(each for each in folder.iterdir() if _NAMED.fullmatch(each.name))
    old = kept[:-keep] if keep is not None else []
    for each in old:
        each.unlink()
    return Backup(path, path.stat().st_size, len(kept) - len(old), len(old))


def _require_tables(url: str) -> None:
    try:
        found, _ = db.revisions(url)
    except db.FAULTS as fault:
        raise HostFault(machine_errors.describe_database_fault(url, fault)) from None
    if found is None:
        raise HostFault(
            f"DATABASE_URL {hide_password(url)} holds nothing of this service: see whether it is the"
            " database that the service uses. The older copies were left alone."
        )


# --- SQLite


def _copy_sqlite(settings: Settings, part: Path) -> None:
    """Copy one snapshot, without the freed pages that still hold what was erased."""
    if settings.lacks_database:
        raise HostFault(f"There is no database at {settings.sqlite_file} to copy.")
    try:
        with closing(sqlite3.connect(str(settings.sqlite_file), timeout=_WAIT_SECONDS)) as source:
            source.execute("VACUUM INTO ?", [str(part)])
        with closing(sqlite3.connect(str(part))) as copy:
            found = copy.execute("PRAGMA quick_check").fetchone()[0]
    except sqlite3.Error as fault:
        raise HostFault(
            f"The database {settings.sqlite_file} could not be copied to {part.parent}: {fault}."
        ) from None
    if found != "ok":
        raise HostFault(
            f"The copy of {settings.sqlite_file} is damaged: {found}. The older copies were left alone."
        )


# --- PostgreSQL


def _dump_postgres(settings: Settings, part: Path) -> None:
    """Copy one snapshot in pg_dump's own format; the password is not among the arguments, which
    everybody on the machine can read.
    """
    url = make_url(settings.database_url)
    where = URL.create(
        "postgresql", url.username, None, url.host, url.port, url.database, url.query
    ).render_as_string()
    _run(
        "pg_dump",
        "--format=custom",
        "--no-password",
        f"--file={part}",
        f"--dbname={where}",
        url=url,
    )
    _run("pg_restore", "--list", str(part), url=url)


def _run(program: str, *arguments: str, url: URL) -> None:
    password = {"PGPASSWORD": str(url.password)} if url.password is not None else {}
    try:
        done = subprocess.run(
            [program, *arguments],
            env=os.environ | password,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        raise HostFault(
            f"There is no {program} on this machine: install PostgreSQL's client programs (Debian:"
            " postgresql-client)."
        ) from None
    if done.returncode:
        message = (
            done.stderr.strip().splitlines()
            or [f"{program} ended with exit code {done.returncode}"]
        )[0]
        raise HostFault(f"The database could not be copied: {message}")
