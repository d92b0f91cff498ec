"""Letters that came in: claimed with a lease, and read once, to one disposition each."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlmodel import Session, case, col, func, select

from adjudicator.platform import failpoints
from adjudicator.platform.db import PASSING, Database
from adjudicator.seal import crypto
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base import public_keys
from adjudicator.service.base.memory import OF, RowsOf
from adjudicator.service.base.rows import LeaseQueue, lock_match
from adjudicator.service.base.tables import Incoming, Match
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
_UNREAD = select(Incoming.match_id, Incoming.received_at).where(col(Incoming.match_id).in_(OF), col(Incoming.disposition).is_(None))
UNREAD = RowsOf("unread letters", _UNREAD)  # when those to seats and masters of a match arrived
QUEUE = LeaseQueue(Incoming, col(Incoming.disposition).is_(None), LEASE)


class Overtaken(Exception):
    """Another worker has stored a disposition for this letter already."""


def _bound_before(uid: str) -> bytes:
    """Return what a letter was bound to by the previous release, which sealed no address with it."""
    return f"incoming:{uid}".encode()


# --- reading


def waiting_letters(session: Session, now: datetime, *, most: int = 100) -> list[int]:
    """Return the ids of letters that may be read now, oldest first.

    To keep their order, only the oldest of each seat, and of the masters of each match.
    """
    return _ids(session, now, most)


def waiting_of(session: Session, uid: str, now: datetime, *, most: int = 100) -> list[int]:
    """Return the ids of letters to one match's seats and masters that may be read now, as `waiting_letters` does."""
    return _ids(session, now, most, Match.uid == uid)


def _ids(session: Session, now: datetime, most: int, *more: bool) -> list[int]:
    unread = col(Incoming.disposition).is_(None)
    alone = case((col(Incoming.match_id).is_(None), col(Incoming.id)))
    first = select(func.min(Incoming.id)).where(unread).group_by(col(Incoming.match_id), col(Incoming.seat_id), alone)
    found = select(Incoming.id).where(unread, col(Incoming.next_try) <= now, col(Incoming.id).in_(first))
    if more:
        found = found.join(Match, onclause=col(Incoming.match_id) == col(Match.id)).where(*more)
    return [each for each in session.exec(found.order_by(col(Incoming.id)).limit(most)) if each is not None]


def any_unread(session: Session, match: Match, before: datetime) -> bool:
    """Whether a letter to a seat or a master of this match arrived before `before` and is unread, so the phase must not be closed."""
    return any(received_at < before for received_at in UNREAD.read(session, match.id, keep=False))


@dataclass(frozen=True, repr=False)
class LetterToRead:
    """A letter that this worker may read until its lease ends. `raw` is None if it cannot be opened, or after too many tries."""

    id: int
    uid: str
    target: Target
    received_at: datetime
    null_sender: bool
    raw: bytes | None


def claim_letter(database: Database, keyring: Keyring, letter_id: int, now: datetime) -> LetterToRead | None:
    """Lease a letter and open it; None if another worker has it, it is not due yet, or it was read."""
    with database.write_tx() as session:
        row = QUEUE.claim(session, letter_id, now)
        if row is None:
            return None
        public_keys.require_newest(session, keyring)
    token, raw = _open(row, keyring) if row.tries <= MOST_TRIES else (None, None)
    to = Target(row.kind, row.seat_id, row.match_id, row.ref, row.tenure, token)  # type: ignore[arg-type]  # kinds are ours
    return LetterToRead(letter_id, row.uid, to, row.received_at, row.null_sender, raw)


def renew_lease(database: Database, claimed: LetterToRead, now: datetime) -> None:
    """Extend the lease of a letter that is still being read; not where the database has a fault that may pass."""
    with suppress(*PASSING), database.write_tx() as session:
        QUEUE.renew(session, claimed.id, now)


def give_back(database: Database, claimed: LetterToRead) -> None:
    """Take back the try that a claim counted, after a fault that the letter did not cause; the lease remains."""
    with database.write_tx() as session:
        QUEUE.uncount(session, claimed.id)


def _open(row: Incoming, keyring: Keyring) -> tuple[str | None, bytes | None]:
    """Return the secret part of the address that a letter came to, and the letter; each is None where the box does not hold it."""
    try:
        token, _, raw = keyring.unseal_letter(row.raw or b"", bound_to=bound_to(row.uid)).partition(b"\n")
        return token.decode(), raw
    except crypto.CannotOpen:
        with suppress(crypto.CannotOpen):
            return None, keyring.unseal_letter(row.raw or b"", bound_to=_bound_before(row.uid))
        return None, None


def fit_of(session: Session, keyring: Keyring, claimed: LetterToRead) -> Fit:
    """Return whether a letter came to the address of the row that it is stored for, in the transaction of `finishing`."""
    return arrivals.fit_of(session, keyring, session.get_one(Incoming, claimed.id), claimed.target.token)


@contextmanager
def finishing(database: Database, claimed: LetterToRead) -> Iterator[Session]:
    """Run one transaction for all effects of a letter and its disposition; raises Overtaken if it has a disposition already.

    The match of a letter to a seat or a master is locked first. The caller must store a disposition, else AssertionError is raised.
    """
    with database.write_tx() as session:
        if claimed.target.match_id is not None:
            lock_match(session, session.get_one(Match, claimed.target.match_id))
        row = session.get_one(Incoming, claimed.id)
        session.refresh(row, with_for_update=True)
        if row.disposition is not None:
            raise Overtaken
        yield session
        session.refresh(row)
        if row.disposition is None:
            raise AssertionError("a letter was read without a disposition")
        failpoints.kill_here("read.before_commit")
    failpoints.kill_here("read.after_commit")


def dispose_letter(
    session: Session, claimed: LetterToRead, disposition: Disposition, *, now: datetime, reason: str = "", digest: str = ""
) -> None:
    """Store a letter's disposition; `reason` is a sentence that repeats nothing from the letter."""
    row = session.get_one(Incoming, claimed.id)
    row.disposition, row.reason, row.digest, row.read_at = disposition, reason[:300] or None, digest or None, now
    session.flush()


def came_before(session: Session, claimed: LetterToRead, digest: str, *, named: bool) -> bool:
    """Whether the same letter to the same address was read before; within an hour if it has no Message-ID (not `named`).

    Of two copies read at the same time, the second waits for the first: by an advisory lock, or by the lock of their match.
    """
    to = claimed.target
    if to.match_id is None and session.get_bind().dialect.name == "postgresql":  # SQLite has one writer at a time
        session.exec(select(func.pg_advisory_xact_lock(int(digest[:15], 16))))
    same = select(Incoming.id).where(Incoming.digest == digest, Incoming.kind == to.kind, col(Incoming.id) != claimed.id)
    same = same.where(col(Incoming.seat_id).is_(None) if to.seat_id is None else Incoming.seat_id == to.seat_id)
    same = same.where(func.coalesce(Incoming.tenure, 1) == (to.tenure or 1))  # else it would tell what a former player wrote
    same = same.where(col(Incoming.ref).is_(None) if to.ref is None else Incoming.ref == to.ref)  # one text may answer two questions
    if not named:  # without a Message-ID, the same few words may be sent again on purpose
        same = same.where(Incoming.received_at > claimed.received_at - UNNAMED, Incoming.disposition != "repeated")
    return session.exec(same.limit(1)).first() is not None
