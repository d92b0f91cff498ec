"""Metrics for monitoring: counts and ages only, never a name, an address or a token."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, func, select

from adjudicator.service.base.tables import (
    Incoming,
    Letter,
    LogWitness,
    Match,
    PhaseRow,
    Player,
    Receipt,
    WitnessDispute,
)
from adjudicator.service.checkpoints.cosigning import REFUSALS
from adjudicator.service.letters import outbox
from adjudicator.service.log.receipt_chains import WAITS

STATUSES = ("making", "open", "running", "ended", "stuck", "expired")


@dataclass(frozen=True)
class Figures:
    """The state of the service at one moment; "today" is the UTC day."""

    matches: Mapping[str, int]  # by status
    paused: int
    phases_open: int
    phases_overdue: int  # whose closing time has passed
    overdue_seconds: float  # of the longest overdue
    letters_out: Mapping[str, int]  # waiting, held, bounced
    # seconds that the oldest due letter has waited: "soon" (all but reports) and "report"
    letter_waits: Mapping[str, float]
    letters_sent_today: int
    letters_in_waiting: int  # stored, not read yet
    letters_in_seconds: float  # age of the oldest of these
    letters_in_today: Mapping[str, int]  # by disposition
    receipts_unsigned: int
    players: int  # without house bots
    log_refused: int  # witnesses that refuse the newest checkpoint
    logs_forked: int  # of those that are witnessed here


def read_metrics(session: Session, now: datetime) -> Figures:
    """Return all figures as of `now`."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    overdue, oldest_overdue = _count_and_least(
        session, PhaseRow.closes_at, col(PhaseRow.closes_at) <= now
    )
    unread, oldest_unread = _count_and_least(
        session, Incoming.received_at, col(Incoming.disposition).is_(None)
    )
    # next_try of a sent letter is the end of its lease, later than sent_at, and it is indexed
    sent_today = (
        Letter.state == "sent",
        col(Letter.next_try) >= midnight,
        col(Letter.sent_at) >= midnight,
    )
    return Figures(
        matches=dict.fromkeys(STATUSES, 0) | _by(session, Match.status),
        paused=_count(session, Match, col(Match.paused_at).is_not(None), Match.status == "running"),
        phases_open=_count(session, PhaseRow, col(PhaseRow.closed_at).is_(None)),
        phases_overdue=overdue,
        overdue_seconds=_age(oldest_overdue, now),
        letters_out={
            state: _count(session, Letter, Letter.state == state)
            for state in ("waiting", "held", "bounced")
        },
        letter_waits={
            "soon": _age(outbox.oldest_due(session, outbox.SOON), now),
            "report": _age(outbox.oldest_due(session, (outbox.REPORT,)), now),
        },
        letters_sent_today=_count(session, Letter, *sent_today),
        letters_in_waiting=unread,
        letters_in_seconds=_age(oldest_unread, now),
        letters_in_today=_by(session, Incoming.disposition, col(Incoming.read_at) >= midnight),
        receipts_unsigned=_count(session, Receipt, *WAITS),
        players=_count(session, Player, col(Player.house).is_(False)),
        log_refused=_count(
            session, LogWitness, col(LogWitness.status).in_(REFUSALS), LogWitness.trouble != ""
        ),
        logs_forked=_count(session, WitnessDispute, col(WitnessDispute.proven).is_(True)),
    )


def _count(session: Session, table: Any, *conditions: Any) -> int:
    return int(session.exec(select(func.count()).select_from(table).where(*conditions)).one())


def _count_and_least(
    session: Session, column: Any, *conditions: Any
) -> tuple[int, datetime | None]:
    number, least = session.exec(select(func.count(), func.min(column)).where(*conditions)).one()
    return number, least


def _by(session: Session, column: Any, *conditions: Any) -> dict[str, int]:
    return {
        str(name): number
        for name, number in session.exec(
            select(column, func.count()).where(*conditions).group_by(column)
        )
    }


def _age(at: datetime | None, now: datetime) -> float:
    return max((now - at).total_seconds(), 0.0) if at is not None else 0.0
