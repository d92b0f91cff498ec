"""Rows that every use case shares: matches and their locks, seats, tokens, the open phase and whom it waits for."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic, Literal, TypeVar

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select, update
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator.core.game import Seat as SeatName
from adjudicator.platform import entropy
from adjudicator.platform.db import Database
from adjudicator.service.base.errors import NotAllowed, NotFound, NotNow
from adjudicator.service.base.state import ANONYMOUS
from adjudicator.service.base.tables import Due, Incoming, Letter, Match, PhaseRow, Player, Seat

_ADDRESS_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


def by_uid(session: Session, uid: str) -> Match:
    """Return the match of this public name; raises NotFound."""
    return _found(session, uid, select(Match).where(Match.uid == uid))


def locked(session: Session, uid: str) -> Match:
    """Return the match of this public name as it is now, locked until the transaction ends, its version raised; raises NotFound."""
    match = _found(session, uid, select(Match).where(Match.uid == uid).with_for_update().execution_options(populate_existing=True))
    match.version += 1
    session.flush()
    return match


def _found(session: Session, uid: str, wanted: SelectOfScalar[Match]) -> Match:
    match = session.exec(wanted).first() if "\0" not in uid else None  # PostgreSQL takes no NUL
    if match is None:
        raise NotFound("There is no match at this address.")
    return match


def lock_match(session: Session, match: Match) -> None:
    """Lock a match that is known already, see its newest values, and raise its version."""
    session.refresh(match, with_for_update=True)
    match.version += 1
    session.flush()


def seats_of(session: Session, match: Match) -> list[Seat]:
    """Return the seats of a match in seat order."""
    return list(session.exec(select(Seat).where(Seat.match_id == match.id).order_by(col(Seat.position))))


def house_players(session: Session, match: Match) -> set[int]:
    """Return the ids of the house bots who play in a match."""
    playing = select(Player.id).join(Seat, onclause=col(Seat.player_id) == col(Player.id))
    return {bot for bot in session.exec(playing.where(Seat.match_id == match.id, col(Player.house).is_(True))) if bot is not None}


def persons(session: Session, match: Match) -> tuple[SeatName, ...]:
    """Return the seats of people, in seat order: all but those of house bots; one that waits for a substitute is a person's."""
    bots = house_players(session, match)
    return tuple(seat.name for seat in seats_of(session, match) if seat.player_id not in bots)


def note_people(session: Session, match: Match) -> None:
    """Note whether somebody with a proved address plays; in an anonymous match this is not told, so it counts as such."""
    session.flush()
    proved = select(Seat.id).join(Player, onclause=col(Seat.player_id) == col(Player.id)).where(Seat.match_id == match.id)
    proved = proved.where(col(Player.house).is_(False), col(Player.address).is_not(None))
    match.with_people = bool(match.options.get(ANONYMOUS)) or session.exec(proved).first() is not None


def sitting(seats: Iterable[Seat], player_id: int | None) -> Seat | None:
    """Return the seat that a player has among these; None without one, and for nobody in particular."""
    return next((seat for seat in seats if player_id is not None and seat.player_id == player_id), None)


def token_hash(token: str) -> str:
    """Return what is stored of a secret token: enough to know it again, not enough to use it."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    """Return a fresh secret of 130 bits that may stand in an address of ours: mail servers are free to ignore its case."""
    return "".join(entropy.choose(_ADDRESS_LETTERS) for _ in range(26))


def known(session: Session, address: str) -> bool:
    """Whether there is a player of this address."""
    return session.exec(select(Player.id).where(Player.address == address)).first() is not None


def bound_to_phase(match: Match, number: int) -> bytes:
    """Return what a phase\'s wrapped private key is bound to."""
    return f"phase:{match.uid}:{number}".encode()


@dataclass(frozen=True)
class OpenSeat:
    """Where orders are handed in: a match that the caller has locked, its phase and the seat."""

    match: Match
    phase: PhaseRow
    seat: Seat


def open_phase(session: Session, match: Match) -> PhaseRow | None:
    """Return the phase of a running match that waits for orders."""
    if match.status != "running":
        return None
    return session.exec(select(PhaseRow).where(PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_(None))).first()


def why_not_open(match: Match) -> str:
    """Return the sentence for a player who hands something in while no phase of the match is open."""
    if match.status in ("making", "open"):
        return "This match has not begun; orders can be handed in once every seat is taken."
    if match.status == "stuck":
        return "This match stands still because of a fault; its master was told. Nothing was lost."
    return "This match is over; no orders are owed any more."


def last_call(phase: PhaseRow) -> datetime:
    """Return deadline and grace: from that moment on nothing counts."""
    if phase.deadline is None:
        raise NotNow("Nobody owes orders in this phase.")
    return phase.deadline + timedelta(seconds=phase.grace_seconds)


def on_its_clock(match: Match, at: datetime) -> datetime:
    """Return a moment as a match's deadlines are compared with: while it is paused its clock stands at the moment of the pause."""
    return at if match.paused_at is None else min(at, match.paused_at)


def set_closing(session: Session, match: Match, phase: PhaseRow, now: datetime) -> None:
    """Let the phase close now when every due seat is ready, else at deadline and grace, not at all while the match is paused.

    The match is locked by the caller.
    """
    at_once = phase.why in ("forced", "master") or all_ready(session, match, phase)
    phase.closes_at = None if match.paused_at is not None else now if at_once else last_call(phase)


def all_ready(session: Session, match: Match, phase: PhaseRow) -> bool:
    """Whether no due seat has to be waited for."""
    dues = session.exec(select(Due).where(Due.phase_id == phase.id)).all()
    return bool(dues) and all(is_ready(match.ready_rule, due) for due in dues)


def is_ready(rule: str, due: Due) -> bool:
    """Whether one seat is ready: it said so, or its orders are complete and it did not say wait."""
    return due.says == "ready" or (rule == "complete" and due.complete and due.says != "wait")


def say_readiness(database: Database, uid: str, player_id: int, word: Literal["ready", "wait"], *, now: datetime) -> bool:
    """Say `ready` or `wait` without changing the orders; returns whether the phase can close at once.

    Raises NotAllowed without a due seat, NotNow after the deadline and grace.
    """
    with database.write_tx() as session:
        match = locked(session, uid)
        seat = sitting(seats_of(session, match), player_id)
        phase = open_phase(session, match)
        if seat is None or phase is None:
            raise (NotNow(why_not_open(match)) if seat else NotAllowed("You have no seat in this match."))
        return say_in(session, OpenSeat(match, phase, seat), word, now=now)


def say_in(session: Session, open_seat: OpenSeat, word: Literal["ready", "wait"], *, now: datetime) -> bool:
    """Say it in a match that the caller has locked; returns whether the phase can close at once. Raises NotNow."""
    phase = open_seat.phase
    due = session.exec(select(Due).where(Due.phase_id == phase.id, Due.seat == open_seat.seat.name)).first()
    if due is None:
        raise NotNow("You owe no orders in this phase.")
    if on_its_clock(open_seat.match, now) >= last_call(phase):
        raise NotNow(f"The deadline of {phase.name} has passed.")
    due.says = word
    session.flush()
    set_closing(session, open_seat.match, phase, now)
    return phase.closes_at is not None and phase.closes_at <= now


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
