"""The fixture of worlds: the initial database, settings and keys; created once and reused for each
world.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol, Self
from unittest import mock

from sqlalchemy import event

from adjudicator.core.jcs import H
from adjudicator.platform import db
from adjudicator.platform.config import Settings, read_settings
from adjudicator.platform.db import Database
from adjudicator.platform.db_clock import DatabaseClock
from adjudicator.seal import crypto
from tests.keychain import Keychain
from tests.memory import in_memory
from tests.simulation.db_points import SqliteConnection, connect_sqlite
from tests.simulation.postgres import Server
from tests.simulation.stubs import stub_machine

SLOTS = ("web", "inbox", "worker 1", "worker 2")
_FOLDER = "SIMULATION_FOLDER"  # environment variable with the folder for fixtures


def _fresh_folder() -> str:
    place = os.environ.get(_FOLDER) or in_memory()
    return tempfile.mkdtemp(prefix="sealed-world-", dir=place)


@contextmanager
def nothing_left_behind() -> Iterator[None]:
    """Remove afterwards everything that fixtures of this process and its children created, even if
    they were killed.
    """
    before, folder = os.environ.get(_FOLDER), _fresh_folder()
    os.environ[_FOLDER] = folder
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.environ.pop(_FOLDER)
        if before is not None:
            os.environ[_FOLDER] = before


class Ground(Protocol):
    """The database in which worlds are played one after the other."""

    url: str

    def open(self) -> None:
        """Create the tables."""

    def connect(self, *_: Any) -> Any:
        """Return a connection; SQLAlchemy passes its own arguments."""

    def look(self, database: Database) -> None:
        """Let the observer connect too."""

    def clear(self) -> None:
        """Restore the initial state; nothing is connected through SQLAlchemy."""

    def close(self) -> None:
        """Release the database."""


class Files:
    """SQLite, in a file system in memory."""

    def __init__(self, folder: Path) -> None:
        self._template, self._file = folder / "template.sqlite3", folder / "world.sqlite3"
        self.url = f"sqlite:///{self._file}"

    def open(self) -> None:
        """Create a file with the tables, which is copied for each world."""
        db.migrate(f"sqlite:///{self._template}")

    def connect(self, *_: Any) -> SqliteConnection:
        """Return a connection."""
        return connect_sqlite(str(self._file))

    def look(self, database: Database) -> None:
        """Files need no preparation for the observer."""

    def clear(self) -> None:
        """Start with a fresh copy."""
        for end in ("", "-wal", "-shm"):
            self._file.with_name(self._file.name + end).unlink(missing_ok=True)
        shutil.copy(self._template, self._file)

    def close(self) -> None:
        """Nothing to do: its folder is removed with the fixture's."""


class FixtureDb:
    """Settings, keys, a database for each process and one for the observer; the machine is stubbed
    inside `with`.
    """

    def __init__(self, database: str = "") -> None:
        """Play on SQLite in memory, or on this PostgreSQL database, which is emptied.

        Entering raises what `Server.open` does, and SettingsError for a URL that is not a
        database's.
        """
        self._stack, self._postgres = ExitStack(), database

    def __enter__(self) -> Self:
        with ExitStack() as stack:  # undoes the earlier steps if a later one fails
            stack.callback(self._stack.close)
            self._fill()
            stack.pop_all()
        return self

    def _fill(self) -> None:
        self._stack.enter_context(mock.patch.dict(os.environ))
        for name in Settings.model_fields:  # the host's own settings must not affect worlds
            os.environ.pop(name.upper(), None)
        self.folder = Path(_fresh_folder())
        self._stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.ground: Ground = Server(self._address()) if self._postgres else Files(self.folder)
        self.ground.open()
        self._stack.callback(self.ground.close)
        self.keyring = self._keys()
        self.keychain = Keychain(self.keyring)
        self._stack.enter_context(stub_machine())
        self.settings = self._settings()
        self.databases = {slot: self._of_process() for slot in SLOTS}
        self.eyes = self.keychain.bind(Database(self.url))
        self.ground.look(self.eyes)

    def __exit__(self, *_: object) -> None:
        self._let_go()
        self._stack.close()

    def _address(self) -> str:
        """Return the URL of the PostgreSQL database in the service's spelling."""
        return read_settings(data_dir=self.folder, database_url=self._postgres).database_url

    @property
    def url(self) -> str:
        """The database's URL."""
        return self.ground.url

    def _keys(self) -> crypto.Keyring:
        """Return the keys of every world, always the same, so that a seed writes the same bytes."""
        secrets = {
            name: H("simulation", name.encode()).hex() for name in ("signing", "wrapping", "inbox")
        }
        file = self.folder / "worker.key"
        file.touch(0o600)
        file.write_text(json.dumps({"version": 1, **secrets}))
        return crypto.load_key_file(file)

    def _settings(self) -> Settings:
        return read_settings(
            data_dir=self.folder,
            database_url=self.url,
            redis_url="redis://broker.invalid",
            site_url="https://orders.example.org",
            smtp_url="smtp://mail.example.org:25",
            inbox_url="smtp://127.0.0.1:2525",
            mail_address="orders@play.example.org",
            key_file=self.folder / "worker.key",
        )

    def _of_process(self) -> Database:
        """Return a database with simulated connections; compiled statements are shared by all
        worlds.
        """
        database = Database(self.url)
        event.listen(database.engine, "do_connect", self.ground.connect)
        # SQLAlchemy identifies a server once: do it before the first world, so that all are alike
        if self._postgres:
            database.engine.connect().close()
            database.engine.dispose()
        return self.keychain.bind(database)

    def clear(self) -> None:
        """Restore the state before the first world."""
        self._let_go()
        self.ground.clear()
        self.keyring = self._keys()
        for database in self.databases.values():
            # it remembers when it told that a machine's clock is off
            database.clock = DatabaseClock(database.engine)

    def _let_go(self) -> None:
        for database in (*self.databases.values(), self.eyes):
            database.engine.dispose()
