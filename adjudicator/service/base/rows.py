"""Rows that every use case shares: matches and their locks, seats, tokens, the open phase,
readiness and lease queues.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic, NoReturn, TypeVar

from sqlalchemy import ColumnElement, bindparam
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, SQLModel, col, func, or_, select, update
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator.core.game import Seat as SeatName
from adjudicator.platform import entropy, wakeups
from adjudicator.service.base.errors import Gone, NotAllowed, NotFound, NotNow
from adjudicator.service.base.memory import OF, RowsOf, forget_read, keep_read, memory_of
from adjudicator.service.base.state import ANONYMOUS, conceded_in
from adjudicator.service.base.storing import change_row
from adjudicator.service.base.tables import (
    Due,
    FormerTenure,
    GoneMatch,
    Incoming,
    Letter,
    Match,
    PhaseRow,
    Player,
    PushMessage,
    Seat,
)

NO_MATCH = "There is no such match here."
GONE_MATCH = "This was a match of guests, and those stay for 90 days after their end."
_EXPIRED = "This match has expired: it was not full in time."
_PAIRED_AGAIN = "This match never began: the round of its tournament was paired again."
# key in Session.info: whether the person who is answered may know of a private match;
# starting.privacy sets it
SIGHT = "sight"
SEATS = RowsOf("seats", select(Seat.match_id, Seat).where(col(Seat.match_id).in_(OF)))
DUES = RowsOf(
    "dues", select(Due.phase_id, Due).where(col(Due.phase_id).in_(OF)).order_by(col(Due.id))
)
_PLAYERS = select(Player).where(col(Player.id).in_(OF))
_UNCLOSED = select(PhaseRow).where(
    col(PhaseRow.match_id).in_(OF), col(PhaseRow.closed_at).is_(None)
)
_COMPARED = ("id", "version", "status", "shown", "log_size")
_OF_MATCH = SQLModel.metadata.tables["match"]
_RAISED = (
    _OF_MATCH.update()
    .where(*[_OF_MATCH.c[name] == bindparam(f"seen_{name}") for name in _COMPARED])
    .values(version=bindparam("raised"))
)
# the advisory lock of `hold_tables`; those of addresses and letters are hashes of 60 bits
_TABLES = 1
_ADDRESS_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


def by_uid(session: Session, uid: str) -> Match:
    """Return the match of this public name; raises NotFound. A transaction reads it once."""
    read = memory_of(session)
    known: Match | None = read.get(("match", uid))
    if known is not None and known in session and SIGHT not in session.info:
        return known
    match = read["match", uid] = _found(session, uid, select(Match).where(Match.uid == uid))
    return match


def lock_by_uid(session: Session, uid: str) -> Match:
    """Lock the match of this public name until the transaction ends, raise its version and return
    it; raises NotFound.
    """
    match = _found(
        session,
        uid,
        select(Match)
        .where(Match.uid == uid)
        .with_for_update()
        .execution_options(populate_existing=True),
    )
    forget_read(session)
    match.version += 1
    session.flush()
    return match


def _found(session: Session, uid: str, wanted: SelectOfScalar[Match]) -> Match:
    match = session.exec(wanted).first() if "\0" not in uid else None  # PostgreSQL takes no NUL
    return require_seen(session, uid, match)


def require_seen(session: Session, uid: str, match: Match | None) -> Match:
    """Return a match that was asked for; raises NotFound where there is none, or none for who is
    answered.
    """
    sees: Callable[[Match], bool] | None = session.info.get(SIGHT)
    if match is None or (sees is not None and match.private and not sees(match)):
        raise_missing(session, uid)
    return match


def raise_missing(session: Session, uid: str) -> NoReturn:
    """Raise Gone for the public name of a match that was erased, NotFound for any other."""
    if "\0" not in uid and session.get(GoneMatch, uid) is not None:
        raise Gone(GONE_MATCH)
    raise NotFound(NO_MATCH)


def lock_match(session: Session, match: Match) -> None:
    """Lock a loaded match, refresh it and raise its version."""
    session.refresh(match, with_for_update=True)
    forget_read(session)
    match.version += 1
    session.flush()


def lock_if_unchanged(session: Session, seen: Match) -> bool:
    """Lock a match that another transaction has read, and raise its version, if neither it nor its
    log has changed since.

    The row that was read then belongs to this transaction; False, and nothing locked, otherwise.
    """
    known = {f"seen_{name}": getattr(seen, name) for name in _COMPARED}
    if session.connection().execute(_RAISED, known | {"raised": seen.version + 1}).rowcount != 1:
        return False
    session.add(seen)
    set_committed_value(seen, "version", seen.version + 1)
    return True


def hold_matches(session: Session, ids: Collection[int]) -> list[Match]:
    """Lock matches until the transaction ends, without a new version, in the order in which
    everybody locks several.
    """
    wanted = select(Match).where(col(Match.id).in_(ids)).order_by(col(Match.id))
    held = list(session.exec(wanted.with_for_update().execution_options(populate_existing=True)))
    forget_read(session)
    return held


def is_same_row(row: SQLModel, seen: SQLModel) -> bool:
    """Whether a row still has all the values that it had when it was `seen`, but for its
    version.
    """
    return _values(row) == _values(seen)


def _values(row: SQLModel) -> dict[str, object]:
    return {
        name: value
        for name, value in vars(row).items()
        if name not in ("_sa_instance_state", "version")
    }


def show_change(match: Match) -> None:
    """Count a change that everybody may see, in a match that the caller has locked.

    Marks, feeds and caches know `shown`, never `version`, which every sealed submission raises.
    """
    match.shown += 1


def hold_player(session: Session, player_id: int) -> None:
    """Keep a player from being erased until the transaction ends; raises NotAllowed for one who was
    erased.

    Whoever gives a player a seat, a place on a list or an entry calls it once the match or
    tournament is locked.
    """
    if player_id not in hold_players(session, (player_id,)):
        raise NotAllowed("This account was erased.")


def hold_players(session: Session, player_ids: Collection[int]) -> set[int]:
    """Keep players from being erased until the transaction ends, as `hold_player`; return those who
    were not erased before.
    """
    wanted = (
        select(Player.id)
        .where(col(Player.id).in_(player_ids), col(Player.erased_at).is_(None))
        .order_by(col(Player.id))
    )
    return {
        each
        for each in session.exec(wanted.with_for_update(read=True, key_share=True))
        if each is not None
    }


def one_at_a_time(session: Session, address: str) -> None:
    """Let nobody else who asks for this address go on until the transaction ends."""
    if session.get_bind().dialect.name == "postgresql":  # SQLite has one writer at a time
        session.exec(select(func.pg_advisory_xact_lock(int(token_hash(address)[:15], 16))))


def hold_tables(session: Session) -> None:
    """Let nobody else look for an open seat, or make a match with one, until the transaction ends:
    two who come at once meet.

    Comes before the locks of matches and players.
    """
    if session.get_bind().dialect.name == "postgresql":  # SQLite has one writer at a time
        session.exec(select(func.pg_advisory_xact_lock(_TABLES)))


def seats_of(session: Session, match: Match) -> list[Seat]:
    """Return the seats of a match in seat order."""
    # lots may have been drawn since they were read
    return sorted(SEATS.read(session, match.id), key=lambda seat: seat.position)


def dues_of(session: Session, phase: PhaseRow) -> list[Due]:
    """Return what the due seats of a phase have handed in or said, in the order in which they
    became due.
    """
    return DUES.read(session, phase.id)


def house_players(session: Session, match: Match) -> set[int]:
    """Return the ids of the house bots that play in a match."""
    return {
        player.id for player in players_of(session, match) if player.house and player.id is not None
    }


def players_of(session: Session, match: Match) -> list[Player]:
    """Return the players who have the seats of a match now."""
    sit = _sitting_players(session, match)
    known: list[Player] | None = memory_of(session).get(("players", sit))
    if known is None:
        known = list(session.exec(_PLAYERS, params={"of": sorted(sit)})) if sit else []
        keep_read(session, ("players", sit), known)
    return list(known)


def _sitting_players(session: Session, match: Match) -> frozenset[int]:
    return frozenset(
        seat.player_id for seat in seats_of(session, match) if seat.player_id is not None
    )


def persons(session: Session, match: Match) -> tuple[SeatName, ...]:
    """Return the seats without a house bot, in seat order; empty seats are included."""
    bots = house_players(session, match)
    return tuple(seat.name for seat in seats_of(session, match) if seat.player_id not in bots)


def note_people(session: Session, match: Match) -> None:
    """Update what a match knows of its seats: `with_people` and `all_taken`. The caller has locked
    it and changed its seats.

    An anonymous match always counts as one with people, to reveal nothing.
    """
    session.flush()
    proved = (
        select(Seat.id)
        .join(Player, onclause=col(Seat.player_id) == col(Player.id))
        .where(Seat.match_id == match.id)
    )
    proved = proved.where(col(Player.house).is_(False), col(Player.address).is_not(None))
    match.with_people = (
        bool(match.options.get(ANONYMOUS)) or session.exec(proved).first() is not None
    )
    match.all_taken = all(seat.taken_at is not None for seat in seats_of(session, match))
    if match.all_taken and match.status == "open":
        wakeups.wake(session, wakeups.START, match.uid)


def sitting(seats: Iterable[Seat], player_id: int | None) -> Seat | None:
    """Return the seat that a player has among `seats`, None if there is none or `player_id` is
    None.
    """
    return next(
        (seat for seat in seats if player_id is not None and seat.player_id == player_id), None
    )


def seated_matches(player_id: int | None) -> SelectOfScalar[int]:
    """Return the query of the matches in which a player has a seat, or has lent one."""
    return select(Seat.match_id).where(
        or_(col(Seat.player_id) == player_id, col(Seat.owner_id) == player_id)
    )


def left_matches(player_id: int | None) -> SelectOfScalar[int]:
    """Return the query of the matches in which a player had a seat that has changed hands since."""
    return select(FormerTenure.match_id).where(FormerTenure.player_id == player_id)


def plays(seats: Iterable[Seat], player_id: int | None) -> bool:
    """Whether a player has a seat among `seats`, or has lent one to a substitute and gets it
    back.
    """
    return any(
        player_id is not None and player_id in (seat.player_id, seat.owner_id) for seat in seats
    )


def is_inside(match: Match, seats: Iterable[Seat], player_id: int | None) -> bool:
    """Whether a viewer is no onlooker of a match: who plays in it, has lent a seat of it, or made
    it.
    """
    return player_id is not None and (player_id == match.master_id or plays(seats, player_id))


def may_run(session: Session, match: Match, player_id: int | None) -> bool:
    """Whether a player may run this match: as its own master, or as a master of all matches."""
    player = session.get(Player, player_id) if player_id is not None else None
    return player is not None and (player.id == match.master_id or player.master)


def token_hash(token: str) -> str:
    """Return the hash under which a secret token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def renew_address(seat: Seat) -> None:
    """Give a seat another mail address, which its next letter tells; those that it had stop
    working.
    """
    seat.token_n += 1
    seat.token_hash = seat.earlier_hash = seat.token = None


def new_token() -> str:
    """Return a new secret of 130 bits for a mail address; lower-case only, because mail servers may
    ignore case.
    """
    return "".join(entropy.choose(_ADDRESS_LETTERS) for _ in range(26))


def is_known(session: Session, address: str) -> bool:
    """Whether a player has this address."""
    return session.exec(select(Player.id).where(Player.address == address)).first() is not None


@dataclass(frozen=True)
class OpenSeat:
    """A match that the caller has locked, its open phase and one of its seats, for the present
    tenure or an earlier one.
    """

    match: Match
    phase: PhaseRow
    seat: Seat
    earlier: int | None = None  # the tenure of a letter that came before the seat changed hands

    @property
    def tenure(self) -> int:
        """The tenure whose orders these are."""
        return self.earlier or self.seat.tenure


def open_phase(session: Session, match: Match) -> PhaseRow | None:
    """Return the open phase of a match, None if the match is not running, is about to end, or has
    no open phase.
    """
    phase = waiting_phase(session, match)
    return None if phase is None or phase.why == "stopped" else phase


def waiting_phase(session: Session, match: Match) -> PhaseRow | None:
    """Return the phase of a running match that is not closed; the one in which it was stopped too,
    until the worker ended it.
    """
    return unclosed_phase(session, match) if match.status == "running" else None


def unclosed_phase(session: Session, match: Match) -> PhaseRow | None:
    """Return the phase that is not closed, also of a match that is stuck or about to end."""
    read = memory_of(session)
    phase: PhaseRow | None = read.get(("phase", match.id))
    if phase is None or phase.closed_at is not None:
        phase = read["phase", match.id] = session.exec(_UNCLOSED, params={"of": [match.id]}).first()
    return phase


def read_ahead(session: Session, matches: Collection[Match]) -> list[PhaseRow]:
    """Read the seats, players, unclosed phases and due seats of many matches, each by one
    statement; return the phases.
    """
    read, ids = memory_of(session), [match.id or 0 for match in matches]
    read.update({("match", match.uid): match for match in matches})
    SEATS.read_ahead(session, ids)
    read_players(session, matches)
    phases = list(session.exec(_UNCLOSED, params={"of": ids}))
    read.update({("phase", phase.match_id): phase for phase in phases})
    DUES.read_ahead(session, [phase.id or 0 for phase in phases])
    return phases


def read_players(session: Session, matches: Collection[Match]) -> None:
    """Read the players of many matches, whose seats were read, by one statement."""
    sitting = [_sitting_players(session, match) for match in matches]
    wanted = sorted(frozenset[int]().union(*sitting))
    players = {
        player.id: player
        for player in (session.exec(_PLAYERS, params={"of": wanted}) if wanted else ())
    }
    for sit in sitting:
        keep_read(
            session, ("players", sit), [players[each] for each in sorted(sit) if each in players]
        )


def phase_numbered(session: Session, match: Match, number: int) -> PhaseRow | None:
    """Return a phase of a match by its number; the one that is not closed is read once."""
    unclosed = unclosed_phase(session, match)
    if unclosed is not None and unclosed.number == number:
        return unclosed
    return session.exec(
        select(PhaseRow).where(PhaseRow.match_id == match.id, PhaseRow.number == number)
    ).first()


def why_expired(match: Match) -> str:
    """Return why an expired match never began: one of a tournament has all its players, and expires
    with a pairing that is void.
    """
    return _EXPIRED if match.table_id is None else _PAIRED_AGAIN


def why_not_open(match: Match) -> str:
    """Return the refusal for a player who hands something in while the match has no open phase."""
    if match.status in ("making", "open"):
        if match.muster_until is not None:
            return "This match has not begun; orders can be handed in once everybody has confirmed."
        return "This match has not begun; orders can be handed in once every seat is taken."
    if match.status == "expired":
        return why_expired(match)
    if match.status == "stuck":
        return "This match stands still because of a fault; its master was told. Nothing was lost."
    return "This match is over; no orders are owed any more."


def why_not_gathering(match: Match) -> str:
    """Return the refusal for somebody who wants a seat of a match that takes no players, or gives
    one back.
    """
    if match.status == "making":
        return "This match is still being set up; try again in a moment."
    return why_expired(match) if match.status == "expired" else "This match has begun."


def last_call(phase: PhaseRow) -> datetime:
    """Return the deadline plus grace, or the end of the overtime; later orders do not count. Raises
    NotNow without a deadline.
    """
    if phase.deadline is None:
        raise NotNow("Nobody owes orders in this phase.")
    if phase.overtime_until is not None and in_overtime(phase):
        return phase.overtime_until
    return phase.deadline + timedelta(seconds=phase.grace_seconds)


def in_overtime(phase: PhaseRow) -> bool:
    """Whether overtime has followed the deadline; a deadline that moved since has ended it."""
    return phase.overtime_until is not None and phase.overtime_after == phase.deadline


def on_its_clock(match: Match, at: datetime) -> datetime:
    """Return the time to compare with a match's deadlines: `at`, or the start of the pause if that
    is earlier.
    """
    return at if match.paused_at is None else min(at, match.paused_at)


def set_closing(
    session: Session, match: Match, phase: PhaseRow, now: datetime, *, waits: bool = False
) -> None:
    """Set when the phase closes, in a match that the caller has locked; `waits` where the caller
    knows of a due seat that is not ready.

    1. A paused match: not at all.
    2. Every due seat is ready, or the phase was forced, closed by the master or stopped: now.
    3. Otherwise: after the deadline and grace.
    """
    at_once = phase.why in ("forced", "master", "stopped") or (
        not waits and all_ready(session, match, phase)
    )
    closes_at = None if match.paused_at is not None else now if at_once else last_call(phase)
    if closes_at is not None and closes_at <= now:
        wakeups.wake(session, wakeups.CLOSE, match.uid)
    change_row(
        session,
        phase,
        closes_at=closes_at,
        remind_at=None if match.paused_at is not None else next_reminder(match, phase),
    )


def next_reminder(match: Match, phase: PhaseRow) -> datetime | None:
    """Return when those who owe orders are next reminded, None if they are not.

    No reminder falls into the first quarter of its phase, and each comes once. It follows a
    deadline that moves.
    """
    if phase.deadline is None or phase.why is not None:
        return None
    first = phase.opened_at + (phase.deadline - phase.opened_at) / 4
    moments = [phase.deadline - timedelta(minutes=minutes) for minutes in match.reminders]
    return min(
        (
            at
            for at in moments
            if at >= first and (phase.reminded_until is None or at > phase.reminded_until)
        ),
        default=None,
    )


def all_ready(session: Session, match: Match, phase: PhaseRow) -> bool:
    """Whether every due seat is ready, in overtime every late one; False where no seat is due."""
    dues = [due for due in dues_of(session, phase) if due.late or not in_overtime(phase)]
    return bool(dues) and all(is_ready(match.ready_rule, due) for due in dues)


def owing_seats(
    session: Session, match: Match, phase: PhaseRow, *, inherited: Collection[SeatName] = ()
) -> list[Seat]:
    """Return the seats of people who owe orders and have handed in nothing, in seat order.

    A seat that said `ready` wants the default. Nobody waits for one that conceded or looks for a
    new player. `inherited` are seats that owe although orders count, as only a former player handed
    in.
    """
    dues = dues_of(session, phase)
    silent = {due.seat for due in dues if due.handed_in_at is None or due.seat in inherited}
    owing = silent - {due.seat for due in dues if due.says == "ready"} - conceded_in(match).keys()
    bots = house_players(session, match)
    return [
        seat
        for seat in seats_of(session, match)
        if seat.name in owing and seat.open_since is None and seat.player_id not in {None, *bots}
    ]


def is_ready(rule: str, due: Due) -> bool:
    """Whether one seat is ready: it said `ready`, or rule `complete` applies, its orders are
    complete and it did not say `wait`.
    """
    return due.says == "ready" or (rule == "complete" and due.complete and due.says != "wait")


def is_silent(due: Due) -> bool:
    """Whether a due seat gave no sign: it handed in nothing and said neither `ready` nor `wait`
    (NMR).
    """
    return due.handed_in_at is None and due.says is None


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
        wanted = (
            select(self.table)
            .where(col(self.table.id).in_(row_ids), *self._is_free(now))
            .order_by(col(self.table.id))
        )
        return list(
            session.exec(
                wanted.with_for_update(skip_locked=True).execution_options(populate_existing=True)
            )
        )

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

    def _is_free(self, now: datetime) -> tuple[ColumnElement[bool], ...]:
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


def tournament_of(session: Session, match: Match) -> tuple[str, str] | None:
    """Return the name and the public name of the tournament that a match is played in."""
    if match.table_id is None:
        return None
    # most processes and commands need these tables never
    from adjudicator.service.base.tables import Tournament, TournamentTable

    of_table = select(Tournament.name, Tournament.uid).join(
        TournamentTable, onclause=col(TournamentTable.tournament_id) == Tournament.id
    )
    return session.exec(of_table.where(TournamentTable.id == match.table_id)).one()
