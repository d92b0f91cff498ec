"""The context of a worker process's tasks: settings, database, private keys and connections that
stay open.
"""

import copy
from dataclasses import dataclass, field
from functools import cached_property

import redis

from adjudicator.mail.reading.sandbox import LetterReader
from adjudicator.mail.sending.post import Carrier
from adjudicator.platform import heartbeat, queues, wakeups
from adjudicator.platform.config import Settings, current_settings
from adjudicator.platform.db import Database
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base import public_keys
from adjudicator.service.checkpoints import cosigning, growing
from adjudicator.service.checkpoints.peers import Peers, read_peers
from adjudicator.service.phases import stamps
from adjudicator.service.requests import signing
from adjudicator.service.tokens.earlier import Hasher
from adjudicator.service.views import game_info

# of closings and house bots; then letters have a turn (worker.letters.TURN_SECONDS)
PLAY_SECONDS = 1.5


class Turns:
    """Counts the seconds that this process has spent on matches since the letters' last turn."""

    def __init__(self) -> None:
        self._played = 0.0

    def count_played(self, seconds: float) -> bool:
        """Add the seconds of a match's task; returns whether the letters have a turn, and then
        counts from zero.
        """
        self._played += seconds
        if self._played < PLAY_SECONDS:
            return False
        self._played = 0.0
        return True


@dataclass(frozen=True)
class WorkerContext:
    """The resources of one worker process."""

    settings: Settings
    database: Database
    keyring: Keyring
    carrier: Carrier  # keeps its connection to the mail server open between letters
    reader: LetterReader = field(
        default_factory=lambda: LetterReader(game_info.order_words())
    )  # starts its sandbox process with the first letter

    turns: Turns = field(default_factory=Turns)
    clock_note: heartbeat.ClockNote = field(default_factory=lambda: heartbeat.ClockNote("a worker"))

    @cached_property
    def stamper(self) -> stamps.Stamper:
        """What notes each minute that a worker runs."""
        return stamps.Stamper(self.database, stamps.WORKER)

    @cached_property
    def hasher(self) -> Hasher:
        """What hashes tokens that processes of the previous release store."""
        return Hasher(self.database)

    @cached_property
    def peers(self) -> Peers:
        """The witnesses and logs that the settings name."""
        return read_peers(
            self.settings.witnesses,
            self.settings.witness_for,
            on_this_machine=self.settings.local_site,
        )

    @cached_property
    def broker(self) -> redis.Redis:
        """The broker, for heartbeats and the marks of queued tasks."""
        return heartbeat.open_client(self.settings.redis_url)


_open: WorkerContext | None = None


def open_context(chosen: Settings) -> WorkerContext:
    """Open the database and read the key file; raises seal.crypto.KeyFileError,
    mail.signing.DkimKeyError, PeersError.
    """
    global _open
    database = Database(chosen.database_url)
    keyring = public_keys.open_keyring(database, chosen.key_file, now=database.now())
    database = signing.as_worker(database, keyring).waking(_sender(chosen))
    opened = WorkerContext(chosen, database, keyring, Carrier(chosen))
    growing.begin_log(database, keyring, chosen.log_origin, now=database.now())
    cosigning.name_witnesses(database, opened.peers, now=database.now())
    _open = opened
    return opened


def _sender(chosen: Settings) -> wakeups.Send | None:
    return queues.Wakeups(chosen.redis_url).send if chosen.redis_url else None


def current_context() -> WorkerContext:
    """Return this process's context, opened at first use, with the keys of the key file of now."""
    global _open
    if _open is None:
        return open_context(current_settings())
    _open = with_newest_keys(_open)
    return _open


def with_newest_keys(opened: WorkerContext) -> WorkerContext:
    """Return a context with the keys of the key file if a rotation has replaced it, else as it is;
    it keeps its open connections.
    """
    newer = opened.keyring.reread()
    if newer is None:
        return opened
    # with what cached properties hold, which `dataclasses.replace` would leave out
    renewed = copy.copy(opened)
    vars(renewed)["keyring"] = newer
    return renewed


def unmark_task(name: str, arguments: tuple[object, ...]) -> None:
    """Remove the mark of a queued task: from now on a wakeup queues another."""
    if _open is not None and _open.settings.redis_url:
        queues.unmark_queued(_open.broker, name, arguments)


def release_idle() -> None:
    """Close an idle connection to the mail server; report this machine's clock if it is off."""
    if _open is not None:
        _open.carrier.rest()
        if _open.settings.redis_url:
            _open.clock_note.tell(_open.broker, _open.database.clock)


def close_context() -> None:
    """Close the connection to the mail server."""
    if _open is not None:
        _open.carrier.close()
