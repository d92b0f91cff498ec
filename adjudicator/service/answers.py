"""Answers to letters: ten a day to an address, a few more for each phase; and the questions whose answer proves an address."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, delete, func, select, update

from adjudicator.db import Database
from adjudicator.service import accounts, keys, outbox
from adjudicator.service.inbox import Claimed
from adjudicator.service.readiness import open_phase
from adjudicator.service.tables import Confirmation, Incoming, Letter, Match, Seat

MOST_A_DAY = 10  # answers to one address within 24 hours
MOST_NAMED = 7  # of them to letters that only give the address as their writer's
MOST_A_PHASE = 8  # answers to a seat for its match's open phase, whatever the day's count: a game of turns may go on quickly
MOST_IN_ALL = 100  # answers of every kind to one address within 24 hours
MOST_STRANGERS = 100  # answers within an hour to addresses that nobody plays with: who writes in others' names gets little of it
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


def left_today(session: Session, address: str, now: datetime, *, named: bool = False) -> int:
    """Return how many more answers may go to an address now; `named`: to a letter that From alone says came from there.

    Of the day's ten, such letters get seven: who writes in a player's name cannot use up the receipts of the player's own.
    """
    answers = select(func.count()).select_from(Letter).where(col(Letter.incoming_id).is_not(None))
    today = answers.where(Letter.address == address, Letter.made_at > now - timedelta(days=1))
    given = session.exec(today).one()
    if named and given == 0 and not accounts.known(session, address):
        strangers = answers.where(col(Letter.player_id).is_(None), Letter.made_at > now - timedelta(hours=1))
        return MOST_NAMED if session.exec(strangers).one() < MOST_STRANGERS else 0
    left = max(0, MOST_A_DAY - given)
    if not named:
        return left
    to_service = today.join(Incoming, onclause=col(Letter.incoming_id) == col(Incoming.id)).where(Incoming.kind == "service")
    return min(left, max(0, MOST_NAMED - session.exec(to_service).one()))


def left_for_phase(session: Session, claimed: Claimed, address: str, now: datetime) -> int:
    """Return how many answers a letter to a seat may still have for the open phase; 0 where nothing is open, or for other addresses.

    Machines that write to each other stop here too: no phase goes on without orders.
    """
    seat = session.get(Seat, claimed.target.seat_id) if claimed.target.kind == "seat" else None
    phase = open_phase(session, session.get_one(Match, seat.match_id)) if seat else None
    if seat is None or phase is None:
        return 0
    answers = select(func.count()).select_from(Letter).where(col(Letter.incoming_id).is_not(None))
    here = answers.where(Letter.match_id == seat.match_id, Letter.seat == seat.name, Letter.phase_number == phase.number)
    today = answers.where(Letter.address == address, Letter.made_at > now - timedelta(days=1))
    return max(0, min(MOST_A_PHASE - session.exec(here).one(), MOST_IN_ALL - session.exec(today).one()))


def put(session: Session, claimed: Claimed, make: Callable[[], Answer], *, address: str, now: datetime) -> bool:
    """Write the answer that `make` returns to `address`, saying so where it is the last; False where that one was written already.

    The letter that is answered must be claimed by the caller's transaction.
    """
    named = claimed.target.kind == "service"
    today, phase = left_today(session, address, now, named=named), left_for_phase(session, claimed, address, now)
    left = max(today, phase)
    if not left:
        return False
    answer = make()  # only now: a question leaves a row behind
    uid = answer.context.get("uid")
    match_id = session.exec(select(Match.id).where(Match.uid == uid)).first() if uid else None
    about = outbox.About(match_id, answer.seat, answer.receipt_id, answer.phase, claimed.id)
    context = dict(answer.context) | {"last_today": left == 1, "last_named": named, "last_of_phase": phase == 1}
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
    good: bool  # whether it was not answered yet and its week is not over: until then its answer proves the address


def question(session: Session, claimed: Claimed, now: datetime) -> Question:
    """Return the question whose address a letter came to."""
    row = session.get_one(Confirmation, int(claimed.target.ref or 0))
    return Question(row.address, tuple(row.wanted), row.used_at is None and row.until > now)


def use(session: Session, claimed: Claimed, now: datetime) -> bool:
    """Mark the question as answered; False where it was answered before, or its week is over. Two letters at once: one of them wins."""
    still_good = (col(Confirmation.id) == int(claimed.target.ref or 0), col(Confirmation.used_at).is_(None), col(Confirmation.until) > now)
    return session.exec(update(Confirmation).where(*still_good).values(used_at=now)).rowcount == 1


def erase_old(database: Database, before: datetime) -> None:
    """Erase questions whose time was over before that moment."""
    with database.writing() as session:
        session.exec(delete(Confirmation).where(col(Confirmation.until) < before))
