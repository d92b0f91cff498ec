"""Answers to letters: at most ten a day to an address, whoever writes; and the questions whose answer proves an address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, func, select

from adjudicator.service import accounts, keys, outbox
from adjudicator.service.inbox import Claimed
from adjudicator.service.tables import Confirmation, Letter, Match

MOST_A_DAY = 10  # answers to one address within 24 hours
LASTS = timedelta(days=7)  # of a question


@dataclass(frozen=True)
class Answer:
    """What is to be answered: the letter's kind, what it says, and what it is about."""

    kind: str  # answer, confirm, receipt
    context: Mapping[str, Any]
    player_id: int | None = None
    seat: str | None = None
    receipt_id: int | None = None
    phase: int | None = None


def left_today(session: Session, address: str, now: datetime) -> int:
    """Return how many more answers may go to an address now."""
    day = (Letter.address == address, col(Letter.incoming_id).is_not(None), Letter.made_at > now - timedelta(days=1))
    return max(0, MOST_A_DAY - session.exec(select(func.count()).select_from(Letter).where(*day)).one())


def put(session: Session, claimed: Claimed, answer: Answer, *, address: str, now: datetime) -> bool:
    """Write an answer to `address`, saying so where it is the day's last; False where that one was written already.

    The letter that is answered must be claimed by the caller's transaction.
    """
    left = left_today(session, address, now)
    if not left:
        return False
    uid = answer.context.get("uid")
    match_id = session.exec(select(Match.id).where(Match.uid == uid)).first() if uid else None
    about = outbox.About(match_id, answer.seat, answer.receipt_id, answer.phase, claimed.id)
    context = dict(answer.context) | {"last_today": left == 1}
    outbox.put(
        session, keys.current(session), kind=answer.kind, address=address, context=context, now=now, player_id=answer.player_id, about=about
    )
    return True


# --- questions


def ask(session: Session, address: str, wanted: Sequence[str], *, now: datetime) -> str:
    """Remember commands from an address that nobody has proved; returns the secret part of the address that `yes` is to be sent to."""
    token = accounts.new_token()
    session.add(Confirmation(token_hash=accounts.token_hash(token), address=address, wanted=list(wanted), made_at=now, until=now + LASTS))
    return token


@dataclass(frozen=True)
class Question:
    """What was asked of whom."""

    address: str
    wanted: tuple[str, ...]
    still_good: bool  # it was not answered yet, and its week is not over


def question(session: Session, claimed: Claimed, now: datetime) -> Question:
    """Return the question whose address a letter came to."""
    row = session.get_one(Confirmation, int(claimed.target.ref or 0))
    return Question(row.address, tuple(row.wanted), row.used_at is None and row.until > now)


def answered(session: Session, claimed: Claimed, now: datetime) -> None:
    """Mark the question as answered: it is good once."""
    session.get_one(Confirmation, int(claimed.target.ref or 0)).used_at = now
