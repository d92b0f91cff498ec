"""What follows a restore from a backup: a new public log, and in each match new chance and a letter
(SEAL/1, After a restore).

Nothing of it may run beside the service: a phase that was played meanwhile would use chance that
players know.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, func, select

from adjudicator.platform import failpoints
from adjudicator.platform.db import Database
from adjudicator.seal import merkle
from adjudicator.seal.checkpoints import Checkpoint
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.notes import NoteError, SignedNote
from adjudicator.service.base.rows import hold_matches, one_at_a_time
from adjudicator.service.base.tables import LogEntry, Match, PublicLog, Receipt, ServiceStamp
from adjudicator.service.checkpoints.growing import add_leaves, log_signer, sign_checkpoint
from adjudicator.service.checkpoints.reading import growing_log, newest_checkpoint, tile_reader
from adjudicator.service.upkeep.restored_matches import (
    BATCH,
    count_restorable,
    restorable,
    restore_match,
)


class NothingRestored(Exception):
    """There is nothing to do; the message says why in a sentence."""


class AlreadyTold(NothingRestored):
    """This restore was told before, to its end."""


class UnfitCheckpoint(Exception):
    """The checkpoint that was given does not belong to this installation's log; the message says
    why in a sentence.
    """


@dataclass(frozen=True)
class Plan:
    """What a restore will do, for the host to agree to."""

    origin: str  # of the new log
    cites: str  # note of the last checkpoint of the log before, "" for none
    lost: int | None  # entries that the database has lost by then; None: nobody knows
    backup: datetime | None  # the newest time in the database
    matches: int  # that get a new beginning of their chance
    resumed: bool  # whether it was begun before


def plan_restore(session: Session, keyring: Keyring, note: str | None) -> Plan:
    """Return what `finish_restore` will do with this note (None: no newer checkpoint was kept), or
    go on with.

    Raises NothingRestored where the database holds the checkpoint already, or told of this restore;
    UnfitCheckpoint.
    """
    log = growing_log(session)
    if log is None:
        raise NothingRestored(
            "This database has no public log yet, so no log has to be begun anew. Start the"
            " service."
        )
    if log.cites is not None and log.done_at is None:
        return Plan(
            log.origin,
            log.cites,
            None,
            log.lost_since,
            count_restorable(session, log),
            resumed=True,
        )
    _require_untold(session, log, note)
    lost = _count_lost(session, keyring, log, note) if note is not None else None
    newest = newest_checkpoint(session, log.number)
    cites = note if note is not None else newest.note if newest is not None else ""
    return Plan(
        _next_origin(session, log),
        cites,
        lost,
        _newest_time(session),
        count_restorable(session, None),
        resumed=False,
    )


def _require_untold(session: Session, log: PublicLog, note: str | None) -> None:
    """Raise AlreadyTold where the newest log was begun by this restore, and nothing has happened
    since.
    """
    if log.done_at is None:
        return
    count = (
        f"The restore was told on {log.done_at:%Y-%m-%d %H:%M} UTC, when the log {log.origin}"
        " began; there is nothing left to do."
    )
    since = session.exec(select(LogEntry.id).where(LogEntry.at > log.done_at).limit(1)).first()
    if note == log.cites or (note is None and since is None):
        raise AlreadyTold(count)


def _next_origin(session: Session, log: PublicLog) -> str:
    first = session.get_one(PublicLog, 1)
    return f"{first.origin}/{log.number + 1}"


def _count_lost(session: Session, keyring: Keyring, log: PublicLog, note: str) -> int:
    """Return how many entries a checkpoint has that the database has not, at least; raises
    NothingRestored, UnfitCheckpoint.
    """
    try:
        signed = SignedNote.read(note.encode())
        signed.verify([log_signer(keyring, log).verifier])
        head = Checkpoint.read(signed.text)
    except NoteError as error:
        raise UnfitCheckpoint(
            f"That is no checkpoint which the log {log.origin} signed: {error}"
        ) from error
    if head.origin != log.origin:
        raise UnfitCheckpoint(
            f"That is a checkpoint of {head.origin}, and this database’s newest log is"
            f" {log.origin}."
        )
    if head.size > log.size:
        return head.size - log.size
    if merkle.tree_root(tile_reader(session, log.number), head.size) != head.root:
        raise UnfitCheckpoint(
            "The log in this database contradicts that checkpoint: it is a backup of something"
            " else."
        )
    raise NothingRestored(
        f"This database holds all {head.size} entries of that checkpoint, so it shows no restore."
        " If entries after it were lost, say --without-checkpoint."
    )


def _newest_time(session: Session) -> datetime | None:
    """Return the newest time of what the service wrote: the time of the backup, to about a
    minute.
    """
    times = (
        session.exec(select(func.max(LogEntry.at))).one(),
        session.exec(select(func.max(Receipt.at))).one(),
        session.exec(select(func.max(ServiceStamp.minute))).one(),
    )
    return max(filter(None, times), default=None)


@dataclass(frozen=True)
class Restored:
    """The outcome of a restore."""

    origin: str
    log_key: str
    witness_key: str
    matches: int  # that this call brought into the new log


def finish_restore(
    database: Database, keyring: Keyring, note: str | None, *, now: Callable[[], datetime]
) -> Restored:
    """Do what `plan_restore` tells, or the rest of it; killed anywhere and run again, it ends
    alike.

    1. Begin the next public log; its first leaf is the SHA-256 of the note that it cites. 2. In
       batches, in each match: a `restored`
    and an `anchor` entry, numbers of submissions 1,000 higher, a whole phase, letters. 3. Note that
    it is done. Raises what `plan_restore` raises.
    """
    with database.write_tx() as session:
        one_at_a_time(session, "log")
        plan = plan_restore(session, keyring, note)
        if not plan.resumed:
            _begin_log(session, keyring, plan, now())
        failpoints.kill_here("restore.before_log")
    failpoints.kill_here("restore.after_log")
    done = _restore_matches(database, keyring, now)
    failpoints.kill_here("restore.before_done")
    with database.write_tx() as session:
        log = growing_log(session)
        assert log is not None  # noqa: S101 begun above
        log.done_at = now()
        session.add(log)
        return Restored(log.origin, log.log_key, log.witness_key, done)


def _begin_log(session: Session, keyring: Keyring, plan: Plan, now: datetime) -> None:
    before = growing_log(session)
    assert before is not None  # noqa: S101 `plan_restore` looked
    log = PublicLog(
        number=before.number + 1,
        origin=plan.origin,
        log_key="",
        witness_key="",
        signature=b"",
        begun_at=now,
        cites=plan.cites,
        lost_since=plan.backup,
    )
    session.add(log)
    session.flush()
    add_leaves(session, log, [hashlib.sha256(plan.cites.encode()).digest()])
    sign_checkpoint(session, keyring, log, now=now)


def _restore_matches(database: Database, keyring: Keyring, now: Callable[[], datetime]) -> int:
    done = 0
    while True:
        with database.write_tx() as session:
            log = growing_log(session)
            assert log is not None  # noqa: S101 begun by the caller
            waiting = session.exec(restorable(log).order_by(col(Match.id)).limit(BATCH)).all()
            for match in hold_matches(session, waiting):
                restore_match(session, keyring, match, log, now=now())
                done += 1
            failpoints.kill_here("restore.in_batch")
        failpoints.kill_here("restore.after_batch")
        if not waiting:
            return done
