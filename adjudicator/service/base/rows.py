"""Rows that every use case shares: matches and their locks, seats, tokens, the open phase, readiness and lease queues."""

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


def lock_by_uid(session: Session, uid: str) -> Match:
    """Lock the match of this public name until the transaction ends, raise its version and return it; raises NotFound."""
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
    """Lock a loaded match, refresh it and raise its version."""
    session.refresh(match, with_for_update=True)
    match.version += 1
    session.flush()


def seats_of(session: Session, match: Match) -> list[Seat]:
    """Return the seats of a match in seat order."""
    return list(session.exec(select(Seat).where(Seat.match_id == match.id).order_by(col(Seat.position))))


def house_players(session: Session, match: Match) -> set[int]:
    """Return the ids of the house bots that play in a match."""
    playing = select(Player.id).join(Seat, onclause=col(Seat.player_id) == col(Player.id))
    return {bot for bot in session.exec(playing.where(Seat.match_id == match.id, col(Player.house).is_(True))) if bot is not None}


def persons(session: Session, match: Match) -> tuple[SeatName, ...]:
    """Return the seats without a house bot, in seat order; empty seats are included."""
    bots = house_players(session, match)
    return tuple(seat.name for seat in seats_of(session, match) if seat.player_id not in bots)


def note_people(session: Session, match: Match) -> None:
    """Update `with_people`: whether a player with an address has a seat. Always True in an anonymous match, to reveal nothing."""
    session.flush()
    proved = select(Seat.id).join(Player, onclause=col(Seat.player_id) == col(Player.id)).where(Seat.match_id == match.id)
    proved = proved.where(col(Player.house).is_(False), col(Player.address).is_not(None))
    match.with_people = bool(match.options.get(ANONYMOUS)) or session.exec(proved).first() is not None


def sitting(seats: Iterable[Seat], player_id: int | None) -> Seat | None:
    """Return the seat that a player has among `seats`, None if there is none or `player_id` is None."""
    return next((seat for seat in seats if player_id is not None and seat.player_id == player_id), None)


def token_hash(token: str) -> str:
    """Return the hash under which a secret token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    """Return a new secret of 130 bits for a mail address; lower-case only, because mail servers may ignore case."""
    return "".join(entropy.choose(_ADDRESS_LETTERS) for _ in range(26))


def is_known(session: Session, address: str) -> bool:
    """Whether a player has this address."""
    return session.exec(select(Player.id).where(Player.address == address)).first() is not None


def bound_to_phase(match: Match, number: int) -> bytes:
    """Return the bytes that a phase's wrapped private key is bound to."""
    return f"phase:{match.uid}:{number}".encode()


@dataclass(frozen=True)
class OpenSeat:
    """A match that the caller has locked, its open phase and one of its seats."""

    match: Match
    phase: PhaseRow
    seat: Seat


def open_phase(session: Session, match: Match) -> PhaseRow | None:
    """Return the open phase of a match, None if the match is not running or has no open phase."""
    if match.status != "running":
        return None
    return session.exec(select(PhaseRow).where(PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_(None))).first()


def why_not_open(match: Match) -> str:
    """Return the refusal for a player who hands something in while the match has no open phase."""
    if match.status in ("making", "open"):
        return "This match has not begun; orders can be handed in once every seat is taken."
    if match.status == "stuck":
        return "This match stands still because of a fault; its master was told. Nothing was lost."
    return "This match is over; no orders are owed any more."


def last_call(phase: PhaseRow) -> datetime:
    """Return the deadline plus grace; later orders do not count. Raises NotNow where the phase has no deadline."""
    if phase.deadline is None:
        raise NotNow("Nobody owes orders in this phase.")
    return phase.deadline + timedelta(seconds=phase.grace_seconds)


def on_its_clock(match: Match, at: datetime) -> datetime:
    """Return the time to compare with a match's deadlines: `at`, or the start of the pause if that is earlier."""
    return at if match.paused_at is None else min(at, match.paused_at)


def set_closing(session: Session, match: Match, phase: PhaseRow, now: datetime) -> None:
    """Set when the phase closes, in a match that the caller has locked.

    1. A paused match: not at all.
    2. Every due seat is ready, or the phase was forced or closed by the master: now.
    3. Otherwise: after the deadline and grace.
    """
    at_once = phase.why in ("forced", "master") or all_ready(session, match, phase)
    phase.closes_at = None if match.paused_at is not None else now if at_once else last_call(phase)


def all_ready(session: Session, match: Match, phase: PhaseRow) -> bool:
    """Whether every due seat is ready; False where no seat is due."""
    dues = session.exec(select(Due).where(Due.phase_id == phase.id)).all()
    return bool(dues) and all(is_ready(match.ready_rule, due) for due in dues)


def is_ready(rule: str, due: Due) -> bool:
    """Whether one seat is ready: it said `ready`, or rule `complete` applies, its orders are complete and it did not say `wait`."""
    return due.says == "ready" or (rule == "complete" and due.complete and due.says != "wait")


def say_readiness(database: Database, uid: str, player_id: int, word: Literal["ready", "wait"], *, now: datetime) -> bool:
    """Say `ready` or `wait` without changing the orders; returns whether the phase can close at once.

    Raises NotAllowed without a seat. Raises NotNow without an open phase, where the seat owes nothing, or after deadline and grace.
    """
    with database.write_tx() as session:
        match = lock_by_uid(session, uid)
        seat = sitting(seats_of(session, match), player_id)
        phase = open_phase(session, match)
        if seat is None or phase is None:
            raise (NotNow(why_not_open(match)) if seat else NotAllowed("You have no seat in this match."))
        return say_in(session, OpenSeat(match, phase, seat), word, now=now)


def say_in(session: Session, open_seat: OpenSeat, word: Literal["ready", "wait"], *, now: datetime) -> bool:
    """Do as `say_readiness` in a match that the caller has locked."""
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
    """The rows of a table that wait for a worker. A claim takes a lease by compare-and-set, so a row has one worker at a time.

    A row can be claimed from `next_try` on. A claim sets `next_try` to the end of the lease.
    """

    table: type[Row]
    waits: ColumnElement[bool]  # the SQL condition of rows that wait
    lease: timedelta  # longer than the work on a row may take

    def claim(self, session: Session, row_id: int, now: datetime) -> Row | None:
        """Lease a row, count a try and return it; None if another worker has it, it is not due yet, or it no longer waits."""
        table = self.table
        free = update(table).where(col(table.id) == row_id, self.waits, col(table.next_try) <= now)
        taken = session.exec(free.values(next_try=now + self.lease, tries=table.tries + 1))
        return session.get_one(table, row_id) if taken.rowcount == 1 else None

    def retry_at(self, session: Session, row_id: int, at: datetime, **values: str) -> None:
        """Store the outcome of a try and the time of the next one; a row that no longer waits is not changed."""
        session.exec(update(self.table).where(col(self.table.id) == row_id, self.waits).values(next_try=at, **values))

    def uncount(self, session: Session, row_id: int) -> None:
        """Take back the try that a claim counted, after a fault that the row did not cause; the lease remains."""
        session.exec(update(self.table).where(col(self.table.id) == row_id).values(tries=self.table.tries - 1))
