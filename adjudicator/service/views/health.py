"""Whether the database can serve this release, and how long due work waits; used by the health page
and the health checks.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, func, select

from adjudicator.platform.db import FAULTS, Database, explain_revisions
from adjudicator.service.base.tables import Incoming, PhaseRow
from adjudicator.service.letters import outbox
from adjudicator.service.phases import stamps


def trouble(database: Database) -> str:
    """Return one sentence, without secrets, that says what is wrong with the database; "" if it
    answers and has the newest tables.
    """
    try:
        found, newest = database.revisions()
    except SQLAlchemyError:
        return "The database does not answer."
    return explain_revisions(found, newest)


def write_trouble(database: Database) -> str:
    """Return one sentence, without secrets, if the database takes no writes; "" if one was tried
    and rolled back.
    """
    try:
        stamps.try_stamp(database)
    except FAULTS:
        return (
            "The database takes no writes: see whether its disk is full, and whether this login may"
            " write."
        )
    return ""


# a longer wait is reported
PHASE_SECONDS, SOON_SECONDS, REPORT_SECONDS, LETTER_IN_SECONDS = 120.0, 60.0, 600.0, 120.0
_LOOK_AT = "see whether the workers run, and are enough"


@dataclass(frozen=True)
class Waits:
    """How many seconds the longest overdue work of each kind has waited; 0 if none is overdue."""

    phase: float  # to be closed
    soon: float  # a letter that somebody waits for, or news, to be posted
    report: float
    letter_in: float  # to be read


def waits(session: Session, now: datetime) -> Waits:
    """Return how late the service is; every query uses an index, so long queues cost no more."""
    phase = session.exec(
        select(func.min(PhaseRow.closes_at)).where(col(PhaseRow.closes_at) <= now)
    ).one()
    unread = session.exec(
        select(func.min(Incoming.received_at)).where(col(Incoming.disposition).is_(None))
    ).one()
    soon, report = (
        outbox.oldest_due(session, urgencies) for urgencies in (outbox.SOON, (outbox.REPORT,))
    )
    ages = [
        max((now - each).total_seconds(), 0.0) if each is not None else 0.0
        for each in (phase, soon, report, unread)
    ]
    return Waits(*ages)


def strain(waits: Waits) -> list[str]:
    """Return a sentence for each kind of work that has waited longer than its bound."""
    bounds = (
        ("The phase that is due longest waits to be closed", waits.phase, PHASE_SECONDS),
        ("The oldest letter that somebody waits for is not posted", waits.soon, SOON_SECONDS),
        ("The oldest report is not posted", waits.report, REPORT_SECONDS),
        ("The oldest letter that came in is not read", waits.letter_in, LETTER_IN_SECONDS),
    )
    return [
        f"{what} for {seconds:.0f} s: {_LOOK_AT}."
        for what, seconds, bound in bounds
        if seconds > bound
    ]
