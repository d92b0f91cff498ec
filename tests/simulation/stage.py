"""Where worlds are played: the database that every world begins with, the settings, the keys; made once, used by one world after the other."""

import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from sqlalchemy import event

from adjudicator import db
from adjudicator.config import Settings, read_settings
from adjudicator.db import Database
from adjudicator.seal import keyfile
from tests.simulation.furniture import furnished
from tests.simulation.wires import connect_sqlite

SLOTS = ("web", "inbox", "worker 1", "worker 2")
_IN_MEMORY = Path("/dev/shm")


class Stage:
    """A furnished place with a database for each process and one to look on with; use it in a `with`."""

    def __init__(self, database: str = "") -> None:
        """Play on SQLite in memory, or on this PostgreSQL database, which is emptied."""
        self._stack, self._postgres = ExitStack(), database

    def __enter__(self) -> Self:
        folder = tempfile.mkdtemp(prefix="sealed-world-", dir=_IN_MEMORY if _IN_MEMORY.is_dir() else None)
        self.folder = Path(folder)
        self._stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self._template, self._file = self.folder / "template.sqlite3", self.folder / "world.sqlite3"
        self._prepare()
        self._stack.enter_context(furnished())
        self.settings = self._settings()
        self.databases = {slot: self._of_process() for slot in SLOTS}
        self.eyes = Database(self.url)
        return self

    def __exit__(self, *_: object) -> None:
        self._let_go()
        self._stack.close()

    @property
    def url(self) -> str:
        """The database's address."""
        return f"sqlite:///{self._file}"

    def _prepare(self) -> None:
        db.migrate(f"sqlite:///{self._template}")
        self.keyring = keyfile.ensure(self.folder / "worker.key")

    def _settings(self) -> Settings:
        return read_settings(
            data_dir=self.folder, database_url=self.url, redis_url="redis://broker.invalid", site_url="https://orders.example.org",
            smtp_url="smtp://mail.example.org:25", inbox_url="smtp://127.0.0.1:2525", mail_address="orders@play.example.org",
            key_file=self.folder / "worker.key",
        )  # fmt: skip

    def _of_process(self) -> Database:
        """Return a database whose connections are wires; their statements stay compiled from one world to the next."""
        database = Database(self.url)
        event.listen(database.engine, "do_connect", lambda *_: connect_sqlite(str(self._file)))
        return database

    def clear(self) -> None:
        """Make everything as it was before the first world."""
        self._let_go()
        for end in ("", "-wal", "-shm"):
            self._file.with_name(self._file.name + end).unlink(missing_ok=True)
        shutil.copy(self._template, self._file)

    def _let_go(self) -> None:
        for database in (*self.databases.values(), self.eyes):
            database.engine.dispose()
