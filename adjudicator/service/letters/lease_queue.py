"""Rows that workers take one by one: a claim is a lease, written by compare-and-set, so that a row has one worker at a time."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, update

from adjudicator.service.base.tables import Incoming, Letter

Row = TypeVar("Row", Letter, Incoming)


@dataclass(frozen=True)
class LeaseQueue(Generic[Row]):
    """The rows of a table that wait for a worker. `next_try` is when a row may be claimed: while a worker has it, when its lease ends."""

    table: type[Row]
    waits: ColumnElement[bool]  # whether a row waits at all
    lease: timedelta  # longer than the work on a row may take

    def claim(self, session: Session, row_id: int, now: datetime) -> Row | None:
        """Take the lease of a row and count a try; None when another worker has it, it is not due, or it does not wait any more."""
        table = self.table
        free = update(table).where(col(table.id) == row_id, self.waits, col(table.next_try) <= now)
        taken = session.exec(free.values(next_try=now + self.lease, tries=table.tries + 1))
        return session.get_one(table, row_id) if taken.rowcount == 1 else None

    def retry_at(self, session: Session, row_id: int, at: datetime, **values: str) -> None:
        """Write what became of a try, and when the next one may begin; a row that does not wait any more stays as it is."""
        session.exec(update(self.table).where(col(self.table.id) == row_id, self.waits).values(next_try=at, **values))

    def uncount(self, session: Session, row_id: int) -> None:
        """Take back the try that a claim counted, for a fault that is not the row's; its lease stays."""
        session.exec(update(self.table).where(col(self.table.id) == row_id).values(tries=self.table.tries - 1))
