"""Rows of a table that wait for a worker, who takes a lease of one."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Generic, TypeVar

from sqlalchemy import BindParameter, ColumnElement, bindparam
from sqlmodel import Session, col, select, update
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator.service.base.memory import OF
from adjudicator.service.base.tables import Incoming, Letter, PushMessage

Queued = TypeVar("Queued", Letter, Incoming, PushMessage)


@dataclass(frozen=True)
class LeaseQueue(Generic[Queued]):
    """The rows of a table that wait for a worker. A claim takes a lease by compare-and-set, so a
    row has one worker at a time.

    A row can be claimed from `next_try` on. A claim sets `next_try` to the end of the lease.
    """

    table: type[Queued]
    waits: ColumnElement[bool]  # the SQL condition of rows that wait
    lease: timedelta  # longer than the work on a row may take

    def claim(self, session: Session, row_id: int, now: datetime) -> Queued | None:
        """Lease a row, count a try and return it; None if another worker has it, it is not due yet,
        or it no longer waits.
        """
        table = self.table
        free = update(table).where(col(table.id) == row_id, *self._is_free(now))
        taken = session.exec(free.values(next_try=now + self.lease, tries=table.tries + 1))
        return session.get_one(table, row_id) if taken.rowcount == 1 else None

    def hold_free(self, session: Session, row_ids: Collection[int], now: datetime) -> list[Queued]:
        """Lock those of these rows that can be claimed and that nobody else claims just now;
        `lease_held` claims a locked one.
        """
        return list(session.exec(self._free, params={"of": list(row_ids), "now": now}))

    @cached_property
    def _free(self) -> SelectOfScalar[Queued]:
        wanted = (
            select(self.table)
            .where(col(self.table.id).in_(OF), *self._is_free(bindparam("now")))
            .order_by(col(self.table.id))
        )
        return wanted.with_for_update(skip_locked=True).execution_options(populate_existing=True)

    def lease_held(self, row: Queued, now: datetime) -> None:
        """Lease a row that this transaction has locked, and count a try."""
        row.next_try = now + self.lease
        row.tries += 1

    def give_back(
        self, session: Session, row_ids: Collection[int], until: datetime, now: datetime
    ) -> None:
        """End the leases until this time, and take back the tries that they counted; a row that was
        claimed again is not changed.
        """
        ours = (col(self.table.id).in_(row_ids), self.waits, col(self.table.next_try) == until)
        session.exec(
            update(self.table).where(*ours).values(next_try=now, tries=self.table.tries - 1)
        )

    def _is_free(self, now: datetime | BindParameter[datetime]) -> tuple[ColumnElement[bool], ...]:
        table = self.table
        return (self.waits, col(table.next_try) <= now)

    def retry_at(self, session: Session, row_id: int, at: datetime, **values: str) -> None:
        """Store the outcome of a try and the time of the next one; a row that no longer waits is
        not changed.
        """
        session.exec(
            update(self.table)
            .where(col(self.table.id) == row_id, self.waits)
            .values(next_try=at, **values)
        )

    def renew(self, session: Session, row_id: int, now: datetime) -> None:
        """Extend the lease of a claimed row; a row that no longer waits is not changed."""
        self.retry_at(session, row_id, now + self.lease)

    def uncount(self, session: Session, row_id: int) -> None:
        """Take back the try that a claim counted, after a fault that the row did not cause; the
        lease remains.
        """
        session.exec(
            update(self.table)
            .where(col(self.table.id) == row_id)
            .values(tries=self.table.tries - 1)
        )
