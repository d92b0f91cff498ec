"""What every task of a worker process works with: the settings, the database, the worker's private keys."""

from dataclasses import dataclass, field
from functools import cached_property

import redis

from adjudicator.mail.reading.sandbox import LetterReader
from adjudicator.mail.sending.post import Carrier
from adjudicator.platform import heartbeat, wakeups
from adjudicator.platform.config import Settings, settings
from adjudicator.platform.db import Database
from adjudicator.seal.keyfile import Keyring
from adjudicator.service.base import public_keys
from adjudicator.service.views import game_info
from worker.turns import Turns


@dataclass(frozen=True)
class WorkerContext:
    """One process's tools."""

    settings: Settings
    database: Database
    keyring: Keyring
    carrier: Carrier  # keeps its connection to the mail server between letters
    reader: LetterReader = field(
        default_factory=lambda: LetterReader(game_info.order_words())
    )  # its own process is started when a letter has to be read

    turns: Turns = field(default_factory=Turns)
    clock_note: heartbeat.ClockNote = field(default_factory=lambda: heartbeat.ClockNote("a worker"))

    @cached_property
    def broker(self) -> redis.Redis:
        """The broker, for the pulse and for what is queued."""
        return heartbeat.open_client(self.settings.redis_url)


_open: WorkerContext | None = None


def open_context(chosen: Settings) -> WorkerContext:
    """Open the database and read the key file; raises seal.keyfile.KeyFileError, mail.signing.DkimKeyError."""
    global _open
    database = Database(chosen.database_url)
    _open = WorkerContext(chosen, database, public_keys.open_ring(database, chosen.key_file, now=database.now()), Carrier(chosen))
    return _open


def current_context() -> WorkerContext:
    """Return this process's bench, opening it at the first task."""
    return _open or open_context(settings())


def unmark_task(name: str, arguments: tuple[object, ...]) -> None:
    """Note that a task is not queued any more: a wakeup sent from now on may need another."""
    if _open is not None and _open.settings.redis_url:
        wakeups.unmark_queued(_open.broker, name, arguments)


def release_idle() -> None:
    """End what is kept open for letters that did not come; tell it where this machine's clock is off."""
    if _open is not None:
        _open.carrier.rest()
        if _open.settings.redis_url:
            _open.clock_note.tell(_open.broker, _open.database.clock)


def close_context() -> None:
    """End what this process keeps open."""
    if _open is not None:
        _open.carrier.close()
