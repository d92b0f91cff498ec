"""Letters that came in: claimed with a lease, and read once, to one disposition each."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, func, select

from adjudicator.platform import failpoints
from adjudicator.platform.db import PASSING, Database
from adjudicator.seal import crypto
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base import public_keys
from adjudicator.service.base.due.lease_queue import LeaseQueue
from adjudicator.service.base.due.phase_clock import last_call
from adjudicator.service.base.memory import OF, RowsOf
from adjudicator.service.base.rows import lock_match, open_phase
from adjudicator.service.base.tables import Incoming, Match, Player, Seat
from adjudicator.service.letters.receiving import Target, bound_to
from adjudicator.service.tokens import arrivals
from adjudicator.service.tokens.arrivals import Fit

Disposition = Literal[
    "orders",  # orders were handed in, alone or with other commands
    "commands",  # commands were carried out or refused
    "asked",  # it was answered by a request to confirm
    "empty",  # it contained nothing to act on
    "repeated",  # the same letter was read before
    "automatic",  # a program wrote it, so it was neither read nor answered
    "bounce",  # it reports that a letter of ours came back
    "complaint",  # it reports that somebody marked a letter of ours as spam
    "unreadable",  # it could not be parsed within the limits
    "forged",  # it did not come to the address of the seat or row that it is stored for
    "discarded",  # no answer is possible: no usable sender, or a report about an unknown letter
]

LEASE = timedelta(seconds=30)  # renewed while a letter is parsed; afterwards another worker may try
UNNAMED = timedelta(hours=1)  # within this time, equal letters without a Message-ID are one letter
MOST_TRIES = 5  # tries that do not finish, because the letter itself may crash its reader
MOST_SEATS = 2_000  # whose letters are put in turn at a time
# a seat whose letter was read within this time waits for those of others
TURN = timedelta(minutes=1)
# of the letters that are read in turn, one to no match follows so many to matches
UNSEATED_EACH = 4
_UNREAD = select(Incoming.match_id, Incoming.received_at).where(
    col(Incoming.match_id).in_(OF), col(Incoming.disposition).is_(None)
)
UNREAD = RowsOf("unread letters", _UNREAD)  # when those to seats and masters of a match arrived
QUEUE = LeaseQueue(Incoming, col(Incoming.disposition).is_(None), LEASE)


class Overtaken(Exception):
    """Another worker has stored a disposition for this letter already."""


def _bound_before(uid: str) -> bytes:
    """Return what a letter was bound to by the previous release, which sealed no address with
    it.
    """
    return f"incoming:{uid}".encode()


# --- reading


def waiting_letters(session: Session, now: datetime, *, most: int = 100) -> list[int]:
    """Return the ids of letters that may be read now, in the order in which they are to be.

    1. To keep their order, only the oldest of each seat, and of the masters of each match. 2. Seats
       in turn: first those of which no
    letter was read within TURN, then the one whose turn was longest ago; of equal ones the oldest
    letter. 3. Letters to no match, which hold up no closing, are mixed in, the oldest first.
    """
    seated = _oldest(session, now, col(Incoming.match_id).is_not(None))
    turns = _turns(session, now)
    never = now - TURN
    in_turn = sorted(seated, key=lambda each: (turns.get(each[:2], never), each[2] or 0))
    return _mixed(
        [letter for *_, letter in in_turn if letter],
        [letter for letter in _unseated(session, now, most) if letter],
    )[:most]


def waiting_of(session: Session, uid: str, now: datetime, *, most: int = 100) -> list[int]:
    """Return the ids of letters to one match's seats and masters that may be read now, the oldest
    of each.

    Where a deadline runs, only to those that have one from before its last call: later ones hold up
    no closing.
    """
    match = session.exec(select(Match).where(Match.uid == uid)).first()
    if match is None:
        return []
    phase = open_phase(session, match)
    before = last_call(phase) if phase is not None and phase.deadline is not None else None
    return [
        letter
        for *_, letter in _oldest(session, now, col(Incoming.match_id) == match.id, before)
        if letter
    ][:most]


# a match, a seat of it, and the id of the oldest unread letter to it
_Oldest = tuple[int | None, int | None, int | None]
_UNREAD_ONE = col(Incoming.disposition).is_(None)


def _oldest(
    session: Session, now: datetime, of: ColumnElement[bool], before: datetime | None = None
) -> list[_Oldest]:
    """Return the oldest unread letter of each seat, and of the masters of each match, that may be
    read now, the oldest first.

    Only of those that have one from `before`.
    """
    first = (
        select(func.min(Incoming.id))
        .where(_UNREAD_ONE, of)
        .group_by(col(Incoming.match_id), col(Incoming.seat_id))
    )
    first = first.having(func.min(Incoming.received_at) < before) if before is not None else first
    found = select(Incoming.match_id, Incoming.seat_id, Incoming.id).where(
        _UNREAD_ONE, of, col(Incoming.next_try) <= now
    )
    return list(
        session.exec(
            found.where(col(Incoming.id).in_(first)).order_by(col(Incoming.id)).limit(MOST_SEATS)
        )
    )


def _unseated(session: Session, now: datetime, most: int) -> list[int]:
    """Return letters to no match that may be read now, the oldest first."""
    found = select(Incoming.id).where(
        _UNREAD_ONE, col(Incoming.match_id).is_(None), col(Incoming.next_try) <= now
    )
    return list(session.exec(found.order_by(col(Incoming.id)).limit(most)))


def _turns(session: Session, now: datetime) -> dict[tuple[int | None, int | None], datetime]:
    """Return when a letter of each seat, and of the masters of each match, was last read, within
    TURN.
    """
    read = select(Incoming.match_id, Incoming.seat_id, func.max(Incoming.read_at)).where(
        col(Incoming.read_at) > now - TURN
    )
    read = read.where(col(Incoming.match_id).is_not(None)).group_by(
        col(Incoming.match_id), col(Incoming.seat_id)
    )
    return {(match, seat): at for match, seat, at in session.exec(read) if at is not None}


def _mixed(seated: Sequence[int], unseated: Sequence[int]) -> list[int]:
    """Return letters to matches with one to none after each UNSEATED_EACH of them, and the rest."""
    mixed, others = list[int](), list(unseated)
    for number, each in enumerate(seated, 1):
        mixed.append(each)
        if number % UNSEATED_EACH == 0 and others:
            mixed.append(others.pop(0))
    return mixed + others


def any_unread(session: Session, match: Match, before: datetime) -> bool:
    """Whether a letter to a seat or a master of this match arrived before `before` and is unread,
    so the phase must not be closed.
    """
    return any(received_at < before for received_at in UNREAD.read(session, match.id, keep=False))


@dataclass(frozen=True, repr=False)
class LetterToRead:
    """A letter that this worker may read until its lease ends. `raw` is None if it cannot be
    opened, or after too many tries.
    """

    id: int
    uid: str
    target: Target
    received_at: datetime
    null_sender: bool
    raw: bytes | None


def claim_letter(
    database: Database, keyring: Keyring, letter_id: int, now: datetime
) -> LetterToRead | None:
    """Lease a letter and open it; None if another worker has it, it is not due yet, or it was
    read.
    """
    with database.write_tx() as session:
        row = QUEUE.claim(session, letter_id, now)
        if row is None:
            return None
        public_keys.require_newest(session, keyring)
    token, raw = _open(row, keyring) if row.tries <= MOST_TRIES else (None, None)
    to = Target(row.kind, row.seat_id, row.match_id, row.ref, row.tenure, token)  # type: ignore[arg-type]  # kinds are ours
    return LetterToRead(letter_id, row.uid, to, row.received_at, row.null_sender, raw)


def renew_lease(database: Database, claimed: LetterToRead, now: datetime) -> None:
    """Extend the lease of a letter that is still being read; not where the database has a fault
    that may pass.
    """
    with suppress(*PASSING), database.write_tx() as session:
        QUEUE.renew(session, claimed.id, now)


def give_back(database: Database, claimed: LetterToRead) -> None:
    """Take back the try that a claim counted, after a fault that the letter did not cause; the
    lease remains.
    """
    with database.write_tx() as session:
        QUEUE.uncount(session, claimed.id)


def _open(row: Incoming, keyring: Keyring) -> tuple[str | None, bytes | None]:
    """Return the secret part of the address that a letter came to, and the letter; each is None
    where the box does not hold it.
    """
    try:
        token, _, raw = keyring.unseal_letter(row.raw or b"", bound_to=bound_to(row.uid)).partition(
            b"\n"
        )
        return token.decode(), raw
    except crypto.CannotOpen:
        with suppress(crypto.CannotOpen):
            return None, keyring.unseal_letter(row.raw or b"", bound_to=_bound_before(row.uid))
        return None, None


def fit_of(session: Session, keyring: Keyring, claimed: LetterToRead) -> Fit:
    """Return whether a letter came to the address of the row that it is stored for, in the
    transaction of `finishing`.
    """
    return arrivals.fit_of(
        session, keyring, session.get_one(Incoming, claimed.id), claimed.target.token
    )


@contextmanager
def finishing(database: Database, claimed: LetterToRead) -> Iterator[Session]:
    """Run one transaction for all effects of a letter and its disposition; raises Overtaken if it
    has a disposition already.

    The match of a letter to a seat or a master is locked first. The caller must store a
    disposition, else AssertionError is raised.
    """
    with database.write_tx() as session:
        match_id = claimed.target.match_id
        match = session.get_one(Match, match_id) if match_id is not None else None
        if match is not None:
            lock_match(session, match)
        row = session.get_one(Incoming, claimed.id, with_for_update=True)
        if row.disposition is not None:
            raise Overtaken
        _hold_rows(session, match, claimed.target)
        yield session
        if row.disposition is None:
            raise AssertionError("a letter was read without a disposition")
        failpoints.kill_here("read.before_commit")
    failpoints.kill_here("read.after_commit")


def _hold_rows(session: Session, match: Match | None, target: Target) -> None:
    """Hold the rows that a letter is for as long as the session lives: it forgets a row that nobody
    holds, and each step would read them again.
    """
    seat = session.get(Seat, target.seat_id) if target.seat_id is not None else None
    player_id = seat.player_id if seat is not None else None
    player = session.get(Player, player_id) if player_id is not None else None
    session.info["letter"] = match, seat, player


def dispose_letter(
    session: Session,
    claimed: LetterToRead,
    disposition: Disposition,
    *,
    now: datetime,
    reason: str,
    digest: str = "",
) -> None:
    """Store a letter's disposition; `reason` is a sentence that repeats nothing from the letter."""
    row = session.get_one(Incoming, claimed.id)
    row.disposition = disposition
    row.reason = reason[:300] or None
    row.digest = digest or None
    row.read_at = now
    session.flush()


def came_before(session: Session, claimed: LetterToRead, digest: str, *, named: bool) -> bool:
    """Whether the same letter to the same address was read before; within an hour if it has no
    Message-ID (not `named`).

    Of two copies read at the same time, the second waits for the first: by an advisory lock, or by
    the lock of their match.
    """
    to = claimed.target
    # SQLite has one writer at a time
    if to.match_id is None and session.get_bind().dialect.name == "postgresql":
        session.exec(select(func.pg_advisory_xact_lock(int(digest[:15], 16))))
    same = select(Incoming.id).where(
        Incoming.digest == digest, Incoming.kind == to.kind, col(Incoming.id) != claimed.id
    )
    same = same.where(
        col(Incoming.seat_id).is_(None) if to.seat_id is None else Incoming.seat_id == to.seat_id
    )
    # else it would tell what a former player wrote
    same = same.where(func.coalesce(Incoming.tenure, 1) == (to.tenure or 1))
    # one text may answer two questions
    same = same.where(col(Incoming.ref).is_(None) if to.ref is None else Incoming.ref == to.ref)
    if not named:  # without a Message-ID, the same few words may be sent again on purpose
        same = same.where(
            Incoming.received_at > claimed.received_at - UNNAMED, Incoming.disposition != "repeated"
        )
    return session.exec(same.limit(1)).first() is not None
