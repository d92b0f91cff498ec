"""Marks of running sites: until when each has answered all requests to matches, so that a closing
passes over none that was in time.

A request is in time if its last byte came before the last call, though all threads of its site are
busy until later. The site alone knows what waits there. It looks each second whether a phase is due
that its mark does not cover, and tells where it is.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from threading import Event, Thread

import structlog
from sqlmodel import Session, col, delete, func, select

from adjudicator.platform import entropy
from adjudicator.platform.db import FAULTS, Database
from adjudicator.service.base.memory import Key, memory_of
from adjudicator.service.base.tables import PhaseRow, SiteMark

# between two looks; and while a phase that is due waits for this site
LOOK_SECONDS, AGAIN_SECONDS = 1.0, 0.2
TOLD_EACH = timedelta(minutes=1)  # though no phase is due
GONE = timedelta(minutes=3)  # a site that told nothing for so long does not run
SILENT = timedelta(seconds=10)  # for which a closing waits for a site that says nothing
LONGEST = timedelta(minutes=2)  # after its last call that a closing waits for sites
_NEVER, _FAR_OFF = datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
# given a clock, until when a site has answered all that was whole
AnsweredUntil = Callable[[Callable[[], datetime]], datetime]
_KEY: Key = ("site marks", "")

log = structlog.get_logger()


class Marker:
    """Tells the mark of one site."""

    def __init__(self, database: Database, answered_until: AnsweredUntil) -> None:
        """Begin without a mark."""
        self._database, self._answered_until = database, answered_until
        self._site, self._ended = entropy.token_hex(12), Event()
        self._told_at = self._covered = _NEVER

    def look(self) -> float:
        """Tell the mark if a phase is due that it does not cover, or it is time to; return the
        seconds until the next look.

        Raises the database's FAULTS.
        """
        until, now = self._answered_until(self._database.now), self._database.now()
        due = self._next_due()
        if due <= now or now - self._told_at >= TOLD_EACH:
            self._tell(until, now)
            due = self._next_due()
        return (
            AGAIN_SECONDS if due <= now else min(LOOK_SECONDS, (due - now).total_seconds() + 0.01)
        )

    def _next_due(self) -> datetime:
        """Return when the next phase is due that the mark does not cover; far off if there is
        none.
        """
        waiting = select(func.min(PhaseRow.closes_at)).where(
            col(PhaseRow.closes_at) > self._covered
        )
        with self._database.read_tx() as session:
            found: datetime | None = session.exec(waiting).first()
        return found if found is not None else _FAR_OFF

    def _tell(self, until: datetime, now: datetime) -> None:
        with self._database.write_tx() as session:
            if self._told_at == _NEVER:
                session.exec(delete(SiteMark).where(col(SiteMark.told_at) < now - GONE))
            session.merge(SiteMark(site=self._site, answered_until=until, told_at=now))
        self._told_at, self._covered = now, until

    def run(self) -> None:
        """Look again and again until `end`; a fault of the database leaves a look out."""
        wait = 0.0
        while not self._ended.wait(wait):
            try:
                wait = self.look()
            except FAULTS as fault:
                log.warning("site.mark_missed", fault=type(fault).__name__)
                wait = LOOK_SECONDS

    def end(self) -> None:
        """Take the mark away, as the site has answered its last request. A fault of the database
        leaves it, and it grows old.
        """
        self._ended.set()
        try:
            with self._database.write_tx() as session:
                session.exec(delete(SiteMark).where(col(SiteMark.site) == self._site))
        except FAULTS as fault:
            log.warning("site.mark_left", fault=type(fault).__name__)


def mark_beside(url: str, answered_until: AnsweredUntil) -> Marker:
    """Tell a site's mark in a thread of this process; return what ends it."""
    marker = Marker(Database(url), answered_until)
    Thread(target=marker.run, name="marking", daemon=True).start()
    return marker


def any_behind(session: Session, last_call: datetime, now: datetime) -> bool:
    """Whether a site may have a request in hand that was whole before a last call, so that the
    phase must not be closed.

    A site that says nothing for SILENT has ended or hangs, and no site is waited for after LONGEST.
    """
    if now - last_call > LONGEST:
        return False
    behind = [mark for mark in _marks(session, now) if mark.answered_until < last_call]
    return any(now - max(mark.told_at, last_call) < SILENT for mark in behind)


def _marks(session: Session, now: datetime) -> Sequence[SiteMark]:
    """Return the marks of the sites that run; a transaction asks once."""
    memory = memory_of(session)
    if _KEY not in memory:
        memory[_KEY] = session.exec(
            select(SiteMark).where(col(SiteMark.told_at) > now - GONE)
        ).all()
    found: Sequence[SiteMark] = memory[_KEY]
    return found
