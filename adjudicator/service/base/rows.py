"""Rows that every use case shares: matches and their locks, seats, tokens, the open phase, readiness and lease queues."""

import hashlib
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select, update
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator.core.game import Seat as SeatName
from adjudicator.platform import entropy
from adjudicator.service.base.errors import NotFound, NotNow
from adjudicator.service.base.state import ANONYMOUS, conceded_in
from adjudicator.service.base.tables import Due, Incoming, Letter, Match, PhaseRow, Player, Seat

NO_MATCH = "There is no such match here."
EXPIRED = "This match has expired: it was not full in time."
SIGHT = "sight"  # key in Session.info: whether the person who is answered may know of a private match; starting.privacy sets it
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
    sees: Callable[[Match], bool] | None = session.info.get(SIGHT)
    if match is None or (sees is not None and match.private and not sees(match)):
        raise NotFound(NO_MATCH)
    return match


def lock_match(session: Session, match: Match) -> None:
    """Lock a loaded match, refresh it and raise its version."""
    session.refresh(match, with_for_update=True)
    match.version += 1
    session.flush()


def show_change(match: Match) -> None:
    """Count a change that everybody may see, in a match that the caller has locked.

    Marks, feeds and caches know `shown`, never `version`, which every sealed submission raises.
    """
    match.shown += 1


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
    """Update what a match knows of its seats: `with_people` and `all_taken`. The caller has locked it and changed its seats.

    An anonymous match always counts as one with people, to reveal nothing.
    """
    session.flush()
    proved = select(Seat.id).join(Player, onclause=col(Seat.player_id) == col(Player.id)).where(Seat.match_id == match.id)
    proved = proved.where(col(Player.house).is_(False), col(Player.address).is_not(None))
    match.with_people = bool(match.options.get(ANONYMOUS)) or session.exec(proved).first() is not None
    match.all_taken = all(seat.taken_at is not None for seat in seats_of(session, match))


def sitting(seats: Iterable[Seat], player_id: int | None) -> Seat | None:
    """Return the seat that a player has among `seats`, None if there is none or `player_id` is None."""
    return next((seat for seat in seats if player_id is not None and seat.player_id == player_id), None)


def plays(seats: Iterable[Seat], player_id: int | None) -> bool:
    """Whether a player has a seat among `seats`, or has lent one to a substitute and gets it back."""
    return any(player_id is not None and player_id in (seat.player_id, seat.owner_id) for seat in seats)


def may_run(session: Session, match: Match, player_id: int | None) -> bool:
    """Whether a player may run this match: as its own master, or as a master of all matches."""
    player = session.get(Player, player_id) if player_id is not None else None
    return player is not None and (player.id == match.master_id or player.master)


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
    """A match that the caller has locked, its open phase and one of its seats, for the present tenure or an earlier one."""

    match: Match
    phase: PhaseRow
    seat: Seat
    earlier: int | None = None  # the tenure of a letter that came before the seat changed hands

    @property
    def tenure(self) -> int:
        """The tenure whose orders these are."""
        return self.earlier or self.seat.tenure


def open_phase(session: Session, match: Match) -> PhaseRow | None:
    """Return the open phase of a match, None if the match is not running, is about to end, or has no open phase."""
    phase = waiting_phase(session, match)
    return None if phase is None or phase.why == "stopped" else phase


def waiting_phase(session: Session, match: Match) -> PhaseRow | None:
    """Return the phase of a running match that is not closed; the one in which it was stopped too, until the worker ended it."""
    if match.status != "running":
        return None
    return session.exec(select(PhaseRow).where(PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_(None))).first()


def why_not_open(match: Match) -> str:
    """Return the refusal for a player who hands something in while the match has no open phase."""
    if match.status in ("making", "open"):
        return "This match has not begun; orders can be handed in once every seat is taken."
    if match.status == "expired":
        return EXPIRED
    if match.status == "stuck":
        return "This match stands still because of a fault; its master was told. Nothing was lost."
    return "This match is over; no orders are owed any more."


def why_not_gathering(match: Match) -> str:
    """Return the refusal for somebody who wants a seat of a match that takes no players, or gives one back."""
    if match.status == "making":
        return "This match is still being set up; try again in a moment."
    return EXPIRED if match.status == "expired" else "This match has begun."


def last_call(phase: PhaseRow) -> datetime:
    """Return the deadline plus grace, or the end of the overtime; later orders do not count. Raises NotNow without a deadline."""
    if phase.deadline is None:
        raise NotNow("Nobody owes orders in this phase.")
    if phase.overtime_until is not None and in_overtime(phase):
        return phase.overtime_until
    return phase.deadline + timedelta(seconds=phase.grace_seconds)


def in_overtime(phase: PhaseRow) -> bool:
    """Whether overtime has followed the deadline; a deadline that moved since has ended it."""
    return phase.overtime_until is not None and phase.overtime_after == phase.deadline


def on_its_clock(match: Match, at: datetime) -> datetime:
    """Return the time to compare with a match's deadlines: `at`, or the start of the pause if that is earlier."""
    return at if match.paused_at is None else min(at, match.paused_at)


def set_closing(session: Session, match: Match, phase: PhaseRow, now: datetime) -> None:
    """Set when the phase closes, in a match that the caller has locked.

    1. A paused match: not at all.
    2. Every due seat is ready, or the phase was forced, closed by the master or stopped: now.
    3. Otherwise: after the deadline and grace.
    """
    at_once = phase.why in ("forced", "master", "stopped") or all_ready(session, match, phase)
    phase.closes_at = None if match.paused_at is not None else now if at_once else last_call(phase)
    phase.remind_at = None if match.paused_at is not None else next_reminder(match, phase)


def next_reminder(match: Match, phase: PhaseRow) -> datetime | None:
    """Return when those who owe orders are next reminded, None if they are not.

    No reminder falls into the first quarter of its phase, and each comes once. It follows a deadline that moves.
    """
    if phase.deadline is None or phase.why is not None:
        return None
    first = phase.opened_at + (phase.deadline - phase.opened_at) / 4
    moments = [phase.deadline - timedelta(minutes=minutes) for minutes in match.reminders]
    return min((at for at in moments if at >= first and (phase.reminded_until is None or at > phase.reminded_until)), default=None)


def all_ready(session: Session, match: Match, phase: PhaseRow) -> bool:
    """Whether every due seat is ready, in overtime every late one; False where no seat is due."""
    dues = [due for due in session.exec(select(Due).where(Due.phase_id == phase.id)) if due.late or not in_overtime(phase)]
    return bool(dues) and all(is_ready(match.ready_rule, due) for due in dues)


def owing_seats(session: Session, match: Match, phase: PhaseRow, *, inherited: Collection[SeatName] = ()) -> list[Seat]:
    """Return the seats of people who owe orders and have handed in nothing, in seat order.

    A seat that said `ready` wants the default. Nobody waits for one that conceded or looks for a new player. `inherited` are seats
    that owe although orders count, as only a former player handed in.
    """
    dues = session.exec(select(Due).where(Due.phase_id == phase.id)).all()
    silent = {due.seat for due in dues if due.handed_in_at is None or due.seat in inherited}
    owing = silent - {due.seat for due in dues if due.says == "ready"} - conceded_in(match).keys()
    bots = house_players(session, match)
    return [
        seat for seat in seats_of(session, match) if seat.name in owing and seat.open_since is None and seat.player_id not in {None, *bots}
    ]


def is_ready(rule: str, due: Due) -> bool:
    """Whether one seat is ready: it said `ready`, or rule `complete` applies, its orders are complete and it did not say `wait`."""
    return due.says == "ready" or (rule == "complete" and due.complete and due.says != "wait")


def is_silent(due: Due) -> bool:
    """Whether a due seat gave no sign: it handed in nothing and said neither `ready` nor `wait` (NMR)."""
    return due.handed_in_at is None and due.says is None


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
