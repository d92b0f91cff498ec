"""Stamps: each minute the site, the inbox and the workers note that they run, so that a closing can
tell an outage.

A heartbeat in Redis says what runs now; stamps say what ran then.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from threading import Event, Thread

import structlog
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, delete, func, select

from adjudicator.platform.db import FAULTS, Database
from adjudicator.service.base.memory import memory_of
from adjudicator.service.base.tables import ServiceStamp

WEB, INBOX, WORKER = "web", "inbox", "worker"
DOORS = (WEB, INBOX)  # orders come in by either
MINUTE = timedelta(minutes=1)
WINDOW = timedelta(hours=1)  # before a deadline, in which an outage counts
SHORTEST_OUTAGE = timedelta(minutes=12)  # within the window
LONGEST_OUTAGE = timedelta(days=1)  # a deadline moves by no more
KEPT = timedelta(days=2)
STAMP_SECONDS = 20.0  # between two attempts of a process that only waits

log = structlog.get_logger()


class Stamper:
    """Stamps one role for one process, at most once a minute. It raises nothing: a fault of the
    database leaves the minute out.
    """

    def __init__(self, database: Database, role: str) -> None:
        self._database, self._role = database, role
        self._last: datetime | None = None

    def stamp(self) -> None:
        """Note that this process runs in the present minute of the database's clock."""
        try:
            minute = _minute(self._database.now())
            if minute != self._last:
                with self._database.write_tx() as session:
                    write_stamp(session, self._role, minute)
                self._last = minute
        except FAULTS as fault:
            log.warning("stamp.missed", role=self._role, fault=type(fault).__name__)


def stamp_beside(url: str, role: str) -> None:
    """Stamp a role each minute in a thread of this process, beside its work, so that no request or
    letter waits for it.
    """
    Thread(
        target=_stamp_for_ever, args=(Stamper(Database(url), role),), name="stamping", daemon=True
    ).start()


def _stamp_for_ever(stamper: Stamper) -> None:
    never = Event()
    while not never.wait(STAMP_SECONDS):
        stamper.stamp()


def write_stamp(session: Session, role: str, now: datetime) -> None:
    """Note that a role runs in the minute of `now`; a second stamp of a minute changes nothing."""
    insert = (sqlite if session.get_bind().dialect.name == "sqlite" else postgresql).insert(
        ServiceStamp
    )
    session.exec(insert.values(role=role, minute=_minute(now)).on_conflict_do_nothing())


def try_stamp(database: Database) -> None:
    """Write a stamp and take it back. Raises the database's FAULTS if it takes no writes.

    The transaction is committed, since only that writes to SQLite's disk.
    """
    now = database.now()
    with database.write_tx() as session, session.begin_nested() as trial:
        write_stamp(session, "probe", now)
        trial.rollback()


def _minute(at: datetime) -> datetime:
    return at.replace(second=0, microsecond=0)


def erase_old(database: Database, now: datetime) -> None:
    """Erase stamps older than KEPT, but of each role the newest of them: from it on a long outage
    is told.
    """
    before = now - KEPT
    with database.write_tx() as session:
        newest = select(ServiceStamp.role, func.max(ServiceStamp.minute)).where(
            ServiceStamp.minute < before
        )
        for role, minute in session.exec(newest.group_by(ServiceStamp.role)).all():
            session.exec(
                delete(ServiceStamp).where(
                    col(ServiceStamp.role) == role, col(ServiceStamp.minute) < minute
                )
            )


# --- outages


@dataclass(frozen=True)
class _Gap:
    """A span without a stamp of some roles."""

    start: datetime
    end: datetime
    over: bool  # whether one of them has stamped since


@dataclass(frozen=True)
class Outage:
    """How long the service was down around a deadline."""

    length: timedelta  # at most LONGEST_OUTAGE
    over: bool  # False while nothing can be handed in still


def find_outage(
    session: Session, opened: datetime, deadline: datetime, now: datetime
) -> Outage | None:
    """Return the outage that moves a deadline, None if there was none.

    1. The service is down while neither site nor inbox stamps, or no worker does. Before the first
       stamp it never is.
    2. Such a gap counts if SHORTEST_OUTAGE of it is within the hour before the deadline, and within
       the phase.
    3. It lasts until the service is up again, also after the deadline. Gaps that overlap count
       once. All in whole minutes.
    A worker asks, so the workers are up again.
    """
    first, now = max(deadline - WINDOW, opened), _minute(now)
    gaps = [
        *_gaps(session, DOORS, first, now),
        *(replace(gap, over=True) for gap in _gaps(session, (WORKER,), first, now)),
    ]
    down = [
        gap for gap in gaps if min(gap.end, deadline) - max(gap.start, first) >= SHORTEST_OUTAGE
    ]
    if not down:
        return None
    length = _length([(max(gap.start, opened), gap.end) for gap in down])
    return Outage(
        min(length, LONGEST_OUTAGE), over=all(gap.over for gap in down) or length >= LONGEST_OUTAGE
    )


def _gaps(session: Session, roles: Sequence[str], first: datetime, now: datetime) -> list[_Gap]:
    """Return the gaps of some roles that end after `first`; the last may end `now`. A transaction
    asks once for one deadline.
    """
    memory, key = memory_of(session), ("gaps", (roles, first, now))
    if key not in memory:
        memory[key] = _find_gaps(session, roles, first, now)
    found: list[_Gap] = memory[key]
    return found


def _find_gaps(
    session: Session, roles: Sequence[str], first: datetime, now: datetime
) -> list[_Gap]:
    of_roles = col(ServiceStamp.role).in_(roles), col(ServiceStamp.minute) <= now
    before = session.exec(
        select(func.max(ServiceStamp.minute)).where(*of_roles, ServiceStamp.minute <= first)
    ).first()
    since = first if before is None else before
    wanted = select(ServiceStamp.minute).where(*of_roles, ServiceStamp.minute >= since).distinct()
    minutes = list(session.exec(wanted.order_by(col(ServiceStamp.minute))))
    spans = pairwise([*minutes, now] if minutes else [])
    return [
        _Gap(minute + MINUTE, end, over=end <= minutes[-1])
        for minute, end in spans
        if end - minute > MINUTE
    ]


def _length(spans: list[tuple[datetime, datetime]]) -> timedelta:
    """Return how much time these spans cover together."""
    covered, until = timedelta(0), min(start for start, _ in spans)
    for start, end in sorted(spans):
        covered += max(end - max(start, until), timedelta(0))
        until = max(until, end)
    return covered
