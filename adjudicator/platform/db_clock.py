"""The database's clock, which the whole service goes by: a process whose machine is off closes and accepts nothing wrongly."""

from datetime import UTC, datetime, timedelta

import structlog
from sqlalchemy import Connection, Engine

from adjudicator.platform import clock

FAR_OFF = timedelta(seconds=1)  # a difference that is told: names of processes, never a reason to stop
TOLD_AGAIN_SECONDS = 600.0
_ASKED = {"postgresql": "SELECT clock_timestamp()", "sqlite": "SELECT sealed_now()"}  # not now(): that one stands still in a transaction

log = structlog.get_logger()


def read_clock(connection: Connection) -> datetime:
    """Return what the database's clock shows, in UTC, to the millisecond; on SQLite it is this machine's."""
    told = connection.exec_driver_sql(_ASKED[connection.dialect.name]).scalar_one()
    moment = (datetime.fromisoformat(told) if isinstance(told, str) else told).astimezone(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def for_sqlite() -> str:
    """Return what SQLite's `sealed_now()` shows: it has no process of its own, so its clock is this machine's."""
    return clock.now().isoformat()


class DatabaseClock:
    """Reads the database's clock for one process, and knows how far this process's own clock is from it."""

    def __init__(self, engine: Engine) -> None:
        # On PostgreSQL no transaction is begun for it; on SQLite the driver has no transactions of its own to leave out.
        self._engine = engine if engine.dialect.name == "sqlite" else engine.execution_options(isolation_level="AUTOCOMMIT")
        self.ahead = timedelta(0)  # how far this process's clock is ahead of the database's at least; behind: negative
        self._told_at: float | None = None

    def now(self) -> datetime:
        """Return the database's present moment. Raises the database's FAULTS."""
        before = clock.now()
        with self._engine.connect() as connection:
            reading = read_clock(connection)
        self._compare(before, reading, clock.now())
        return reading

    @property
    def far_off(self) -> bool:
        """Whether this process's own clock was more than a second off at the last look."""
        return abs(self.ahead) > FAR_OFF

    def _compare(self, before: datetime, reading: datetime, after: datetime) -> None:
        """Note the difference that no delay of the answer explains; tell the log when it is much, from time to time."""
        self.ahead = max(before - reading, timedelta(0)) or min(after - reading, timedelta(0))
        if not self.far_off:
            self._told_at = None
        elif self._told_at is None or clock.monotonic() - self._told_at > TOLD_AGAIN_SECONDS:
            self._told_at = clock.monotonic()
            remedy = "the database's clock is used; set this machine's by NTP"
            log.warning("clock.off", ahead_seconds=round(self.ahead.total_seconds(), 1), remedy=remedy)
