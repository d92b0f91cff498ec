"""The database's clock, which the whole service uses, so that a process with a wrong clock closes
and accepts nothing wrongly.
"""

from datetime import UTC, datetime, timedelta

import structlog
from sqlalchemy import Engine

from adjudicator.platform import clock

FAR_OFF = timedelta(seconds=1)  # a larger difference is reported, but stops nothing
TOLD_AGAIN_SECONDS = 600.0
_ASKED = "SELECT clock_timestamp()"  # not now(), which is the start of the transaction

log = structlog.get_logger()


def read_clock(engine: Engine) -> datetime:
    """Return the database's time in UTC, to the millisecond; that of SQLite, which has no server,
    is this machine's.
    """
    if engine.dialect.name == "sqlite":
        return clock.now()
    with engine.connect() as connection:
        answer: datetime = connection.exec_driver_sql(_ASKED).scalar_one()
    moment = answer.astimezone(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


class DatabaseClock:
    """Reads the database's clock for one process and measures how far this process's clock
    differs.
    """

    def __init__(self, engine: Engine) -> None:
        # on PostgreSQL the query needs no transaction
        self._engine = (
            engine
            if engine.dialect.name == "sqlite"
            else engine.execution_options(isolation_level="AUTOCOMMIT")
        )
        # lower bound of this process's lead over the database; negative if it is behind
        self.ahead = timedelta(0)
        self._told_at: float | None = None

    def now(self) -> datetime:
        """Return the database's current time. Raises the database's FAULTS."""
        before = clock.now()
        reading = read_clock(self._engine)
        self._compare(before, reading, clock.now())
        return reading

    @property
    def far_off(self) -> bool:
        """Whether this process's clock was more than a second off at the last reading."""
        return abs(self.ahead) > FAR_OFF

    def _compare(self, before: datetime, reading: datetime, after: datetime) -> None:
        """Store the part of the difference that network delay cannot explain; log a large one every
        ten minutes.
        """
        self.ahead = max(before - reading, timedelta(0)) or min(after - reading, timedelta(0))
        if not self.far_off:
            self._told_at = None
        elif self._told_at is None or clock.monotonic() - self._told_at > TOLD_AGAIN_SECONDS:
            self._told_at = clock.monotonic()
            remedy = "the database's clock is used; set this machine's by NTP"
            log.warning(
                "clock.off", ahead_seconds=round(self.ahead.total_seconds(), 1), remedy=remedy
            )
