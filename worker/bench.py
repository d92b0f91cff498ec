"""What every task of a worker process works with: the settings, the database, the worker's private keys."""

from dataclasses import dataclass, field
from functools import cached_property

import redis

from adjudicator import clock, pulse
from adjudicator.config import Settings, settings
from adjudicator.db import Database
from adjudicator.mail.post import Carrier
from adjudicator.mail.reading.limited import Reader
from adjudicator.seal.keyfile import Keyring
from adjudicator.service import keys


@dataclass(frozen=True)
class Bench:
    """One process's tools."""

    settings: Settings
    database: Database
    keyring: Keyring
    carrier: Carrier  # keeps its connection to the mail server between letters
    reader: Reader = field(default_factory=Reader)  # its own process is started when a letter has to be read

    @cached_property
    def broker(self) -> redis.Redis:
        """The broker, for the pulse only."""
        return pulse.client(self.settings.redis_url)


_open: Bench | None = None


def open_for(chosen: Settings) -> Bench:
    """Open the database and read the key file; raises seal.keyfile.KeyFileError, mail.signing.DkimKeyError."""
    global _open
    database = Database(chosen.database_url)
    _open = Bench(chosen, database, keys.open_ring(database, chosen.key_file, now=clock.now()), Carrier(chosen))
    return _open


def here() -> Bench:
    """Return this process's bench, opening it at the first task."""
    return _open or open_for(settings())


def rest() -> None:
    """End what is kept open for letters that did not come."""
    if _open is not None:
        _open.carrier.rest()


def leave() -> None:
    """End what this process keeps open."""
    if _open is not None:
        _open.carrier.close()
