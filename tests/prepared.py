"""What hundreds of tests begin with is made once in a test process: the worker's keys, and matches
that have just been made or begun.

EVERY_CASE=1 makes everything anew.
"""

import atexit
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from adjudicator import catalogue
from adjudicator.platform.db import Database
from adjudicator.seal import crypto
from adjudicator.seal.crypto import Keyring
from tests.memory import in_memory
from tests.sampling import EVERY_CASE

_MOST = 200  # databases of a test process, of about a megabyte each


def keys_in(folder: Path) -> Keyring:
    """Put the keys of this test process into a data folder, unless it has keys; return its keys."""
    file = folder / "keys" / "worker.key"
    if not EVERY_CASE and not file.exists():
        file.parent.mkdir(parents=True)
        shutil.copy(_key_file(), file)
    return crypto.ensure_key_file(file)


@cache
def usual_keys() -> Keyring:
    """Return the keys of this test process."""
    return crypto.load_key_file(_key_file())


@cache
def _key_file() -> Path:
    file = _folder() / "keys" / "worker.key"
    crypto.ensure_key_file(file)
    return file


@cache
def _folder() -> Path:
    folder = tempfile.mkdtemp(dir=in_memory())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@dataclass(frozen=True)
class Made:
    """What was made in a database: a copy of all that was there then, and what the harness knew."""

    file: Path
    uid: str
    people: dict[str, int]
    cookies: dict[int, str]


_MADE: dict[Any, Made] = {}
_ABOUTS = catalogue.ABOUTS  # a test that offers another game makes everything anew


class Prepared:
    """The SQLite database of a harness, as long as nobody else writes it: what is made in it is the
    same wherever it was made before.
    """

    def __init__(self, database: Database, beginning: object) -> None:
        """`beginning` is what the database holds at first."""
        file = database.engine.url.database if database.engine.dialect.name == "sqlite" else None
        self._connection = sqlite3.connect(file) if file and not EVERY_CASE else None
        self._steps: tuple[object, ...] = (beginning,)
        self._makes = False  # whether a step is taken that was not found
        self._version = self._read_version()

    def find(self, step: object) -> Made | None:
        """Return what a step made before, if all steps before it were the same, and put it into the
        database.
        """
        self._begin(step)
        made = _MADE.get(self._steps) if self._connection is not None else None
        self._makes = made is None
        if made is not None and self._connection is not None:
            with closing(sqlite3.connect(made.file)) as source:
                source.backup(self._connection)
        return made

    @contextmanager
    def passing(self, step: object) -> Iterator[None]:
        """Let the block take a step that has always the same outcome and is not worth keeping."""
        if self._makes:  # as part of a step that is kept
            yield
            return
        self._begin(step)
        yield
        self._version = self._read_version()

    def _begin(self, step: object) -> None:
        with_other_games = catalogue.ABOUTS is not _ABOUTS
        if self._makes or with_other_games or self._read_version() != self._version:
            self.close()
        self._steps = (*self._steps, step)

    def keep(self, uid: str, people: dict[str, int], cookies: dict[int, str]) -> None:
        """Keep what the step that was not found has made."""
        if self._connection is None:
            return
        self._version, self._makes = self._read_version(), False
        if len(_MADE) < _MOST:
            file = _folder() / f"{len(_MADE)}.sqlite3"
            with closing(sqlite3.connect(file)) as copy:
                self._connection.backup(copy)
            _MADE[self._steps] = Made(file, uid, dict(people), dict(cookies))

    def _read_version(self) -> int:
        return (
            int(self._connection.execute("PRAGMA data_version").fetchone()[0])
            if self._connection
            else 0
        )

    def close(self) -> None:
        """Make everything anew from now on."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None
