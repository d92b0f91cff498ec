"""Closing the phases of many matches together, as one deadline is everybody's: read, worked out and
written by few statements.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar

import structlog
from sqlmodel import Session

from adjudicator.platform import failpoints
from adjudicator.platform.db import FAULTS, Database
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base import rows
from adjudicator.service.base.memory import look_only
from adjudicator.service.base.tables import Match
from adjudicator.service.letters.acknowledgements import UNANSWERED
from adjudicator.service.letters.incoming import UNREAD
from adjudicator.service.log import log_tail
from adjudicator.service.log.acts import NOTES
from adjudicator.service.log.catching_up import UNLOGGED, is_behind
from adjudicator.service.log.checks import ENVELOPES
from adjudicator.service.log.receipt_chains import NEWEST, SIGNED, WAITING, any_waiting
from adjudicator.service.log.salts import SALTS
from adjudicator.service.matches.absences import ABSENCES
from adjudicator.service.phases.closing import due_matches, look_at, work_out
from adjudicator.service.phases.opening import Clock, as_written
from adjudicator.service.phases.recording import (
    DuePhase,
    WorkedOut,
    lock_unchanged,
    prepare_closing,
    record_closings,
)

MOST = 50  # matches that are read together
# matches of the first transaction; how long one may hold their rows, and on SQLite the database;
# and how many one takes all the same, and of those that are worked out in it: where the processor
# is busy, single ones last longer in all
FIRST_WRITTEN, HELD_SECONDS, FEWEST = 8, 0.015, 4

T = TypeVar("T")

log = structlog.get_logger()


def close_phases(
    database: Database,
    keyring: Keyring,
    uids: Sequence[str],
    *,
    now: datetime,
    monotonic: Callable[[], float],
    clock: Clock | None = None,
    cut_short: tuple[type[Exception], ...] = (),
) -> list[str]:
    """Close the phases of these matches that are due `now`; returns the public names of those that
    this call closed.

    1. Read them by a few statements, and look at each on one snapshot.
    2. Adjudicate outside any transaction, and prepare there what is to be stored.
    3. Store it for those that are unchanged, in transactions of about HELD_SECONDS; those that could
       not be prepared are worked out in one, FEWEST at a time.

    All others are left to `closing.close_phase`, which makes the same promises: matches that were
    overtaken, whose rules fail, or that need anything else before they close. `monotonic` measures
    how long a transaction takes, in seconds.
    Raises as `closing.step_or_stop`.
    """
    batch, closed = (
        _Batch(database, keyring, now, clock, monotonic, (*FAULTS, *cut_short)),
        list[str](),
    )
    for begin in range(0, len(uids), MOST):
        closed += batch.close(uids[begin : begin + MOST])
    return closed


@dataclass(frozen=True)
class _Batch:
    """What the closings of one call have in common."""

    database: Database
    keyring: Keyring
    now: datetime
    clock: Clock | None
    monotonic: Callable[[], float]
    passing: tuple[type[Exception], ...]  # exceptions that end the call

    def close(self, uids: Sequence[str]) -> list[str]:
        seen = self._look_at_all(uids)
        worked_out = [
            each
            for due in seen
            if (each := self._attempt((due.match.uid,), partial(self._work_out, due))) is not None
        ]
        closed: list[str] = []
        at, size = 0, FIRST_WRITTEN
        while at < len(worked_out):
            some = self._prepare(worked_out[at : at + size])
            at += size
            ready = [each for each in some if each.prepared is not None]
            others = [each for each in some if each.prepared is None]
            written = self._write_all(ready)
            if written is not None:
                closed += written.closed
                size = max(FEWEST, min(MOST, round(len(ready) * HELD_SECONDS / written.held)))
            for begin in range(0, len(others), FEWEST):
                if (written := self._write_all(others[begin : begin + FEWEST])) is not None:
                    closed += written.closed
        return closed

    def _write_all(self, some: Sequence[WorkedOut]) -> "_Written | None":
        if not some:
            return None
        failpoints.kill_here("close.before_commit")
        written = self._attempt([each.seen.match.uid for each in some], partial(self._write, some))
        failpoints.kill_here("close.after_commit")
        return written

    def _attempt(self, uids: Sequence[str], work: Callable[[], T]) -> T | None:
        """Return what a piece of work returns, None where it fails: its fault is met again, and
        told, as these matches are closed alone.
        """
        try:
            return work()
        except self.passing:
            raise
        except Exception as error:  # noqa: BLE001 any fault of the rules
            log.warning("batch.left_out", matches=uids, fault=type(error).__name__)
            return None

    def _look_at_all(self, uids: Sequence[str]) -> list[DuePhase]:
        """Return the phases that can be closed at once, in the order in which their matches are
        locked.
        """
        with self.database.read_tx() as session:
            look_only(session)
            due = due_matches(session, self.now, most=len(uids), among=uids)  # still
            found = rows.MATCHES.find(session, due)
            matches = [match for _, match in found if match.status == "running"]
            _read_ahead(session, matches)
            looked_at = [
                self._attempt((match.uid,), partial(self._look, session, match))
                for match in matches
            ]
        return [due for due in looked_at if due is not None]

    def _look(self, session: Session, match: Match) -> DuePhase | None:
        """Return the phase of a match, None unless nothing but its closing is due."""
        if any_waiting(session, match) or is_behind(session, self.keyring, match):
            return None
        due = look_at(session, self.keyring, match, self.now)
        return due if due is not None and not due.unready and not due.delayed else None

    def _work_out(self, due: DuePhase) -> WorkedOut:
        return WorkedOut(due, work_out(due, self.keyring))

    def _prepare(self, some: Sequence[WorkedOut]) -> list[WorkedOut]:
        """Prepare closings that were looked at together; one that fails leaves the batch."""
        memory, at = dict(some[0].seen.memory), as_written(self.now, self.clock)
        prepared = [
            self._attempt(
                (each.seen.match.uid,), partial(prepare_closing, self.keyring, each, memory, at)
            )
            for each in some
        ]
        return [each for each in prepared if each is not None]

    def _write(self, some: Sequence[WorkedOut]) -> "_Written":
        """Write closings of the matches that are unchanged in one transaction."""
        with self.database.write_tx() as session:
            unchanged = lock_unchanged(session, some)
            locked_at = self.monotonic()
            record_closings(session, self.keyring, unchanged, as_written(self.now, self.clock))
            failpoints.kill_here("close.in_transaction")
        held = max(self.monotonic() - locked_at, 0.001)
        return _Written([each.seen.match.uid for each in unchanged], held)


def _read_ahead(session: Session, matches: Sequence[Match]) -> None:
    """Read by a statement of each kind what looking at matches, and writing their closings, asks
    for.
    """
    ids = [match.id or 0 for match in matches]
    phases = [phase.id or 0 for phase in rows.read_ahead(session, matches)]
    log_tail.read_ahead(session, matches)
    for of_match in (WAITING, NEWEST, UNLOGGED, UNREAD, SALTS, ABSENCES, UNANSWERED):
        of_match.read_ahead(session, ids)
    for of_phase in (NOTES, ENVELOPES, SIGNED):
        of_phase.read_ahead(session, phases)


@dataclass(frozen=True)
class _Written:
    closed: list[str]
    held: float  # seconds from the lock to the commit; waiting for the lock is no reason to write less
