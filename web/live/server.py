"""The live stream: one asyncio process that tells listening pages "match X is at step N", by
server-sent events.

It says the same to everybody whose ticket names the match. One statement a second reads the steps
of all matches that somebody listens for. Each page then fetches the content with its viewer's own
session.
"""

import asyncio
import resource
import signal
import socket
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from adjudicator.platform import clock, db
from adjudicator.platform.config import Settings
from adjudicator.service.base.shown import read_steps
from web.live.connection import Connection
from web.live.hub import Hub
from web.live.listeners import Limits

INTERVAL = 1.0  # seconds between two readings
# for which a reading of the database's clock is continued by this process's own
CLOCK_SECONDS = 60.0
_END_SECONDS = 1.0  # to say goodbye
_OTHER_FILES = 100  # descriptors beside the connections

log = structlog.get_logger()


def run_server(
    settings: Settings,
    listener: socket.socket,
    ready: Callable[[], None],
    limits: Limits | None = None,
) -> None:
    """Serve the live stream on an open listening socket until SIGTERM; call `ready` once it
    answers.
    """
    reader = StepReader(db.Database(settings.database_url))
    try:
        asyncio.run(
            LiveServer(settings, reader, _affordable(limits or Limits())).run(listener, ready)
        )
    finally:
        reader.close()


def _affordable(limits: Limits) -> Limits:
    """Raise this process's limit of open files as far as needed; return the limits with as many
    listeners as it then allows.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.listeners + limits.silent + _OTHER_FILES
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed < wanted:
        listeners = max(allowed - limits.silent - _OTHER_FILES, 1)
        log.warning(
            "live.few_files",
            listeners=listeners,
            remedy="allow this process more open files (nofile)",
        )
        return replace(limits, listeners=listeners)
    return limits


class StepReader:
    """Reads the steps of matches, and the database's clock once in CLOCK_SECONDS."""

    def __init__(self, database: db.Database) -> None:
        self._database = database
        self._clock = clock.now(), clock.monotonic()
        self._asked = False

    def now(self) -> datetime:
        """Return the time by the last reading of the database's clock; asks nobody."""
        reading, since = self._clock
        return reading + timedelta(seconds=clock.monotonic() - since)

    def read(self, uids: Collection[str]) -> dict[str, str]:
        """Return the steps of these matches and lists, in a statement for each kind. Raises the
        database's FAULTS.
        """
        at = clock.monotonic()
        if not self._asked or at - self._clock[1] > CLOCK_SECONDS:
            self._clock, self._asked = (self._database.now(), at), True
        if not uids:
            return {}
        with self._database.read_tx() as session:
            return read_steps(session, uids, self.now())

    def close(self) -> None:
        """Close the connections to the database."""
        self._database.engine.dispose()


class LiveServer:
    """The stream on one event loop; it reads in a thread, one reading at a time."""

    def __init__(self, settings: Settings, reader: StepReader, limits: Limits) -> None:
        self._reader = reader
        self._hub = Hub(settings, limits, reader.now)
        self._connections: set[Connection] = set()

    async def run(self, listener: socket.socket, ready: Callable[[], None]) -> None:
        """Serve until SIGTERM or SIGINT, then close every connection."""
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        await self._read()
        served = await loop.create_server(
            lambda: Connection(self._hub, self._connections), sock=listener
        )
        reading = asyncio.create_task(self._keep_reading())
        stopping = asyncio.create_task(stop.wait())
        ready()
        await asyncio.wait((reading, stopping), return_when=asyncio.FIRST_COMPLETED)
        served.close()
        if reading.done():
            reading.result()  # its fault ends this process, and the supervisor starts another
        reading.cancel()
        for connection in tuple(self._connections):
            connection.close()
        end = loop.time() + _END_SECONDS
        while self._connections and loop.time() < end:
            await asyncio.sleep(0.02)

    async def _keep_reading(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            begun = loop.time()
            await self._read()
            await asyncio.sleep(max(INTERVAL - (loop.time() - begun), INTERVAL / 10))

    async def _read(self) -> None:
        """Read the steps of all watched matches and tell the listeners; after a fault of the
        database the next second tries again.
        """
        with self._hub.figures.seconds.time():
            try:
                steps = await asyncio.to_thread(self._reader.read, self._hub.listeners.watched)
            except db.FAULTS as error:
                log.warning("live.unread", error=type(error).__name__)
                return
        self._hub.read_at = clock.monotonic()
        self._hub.figures.told.inc(self._hub.listeners.tell(steps))
