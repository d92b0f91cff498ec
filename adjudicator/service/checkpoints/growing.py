"""The growth of the tree: entries get their places, tiles are filled, and the worker signs the
checkpoint, all in one transaction.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, exists, select

from adjudicator.core.jcs import H
from adjudicator.platform import failpoints
from adjudicator.platform.db import Database
from adjudicator.seal import merkle, notes
from adjudicator.seal.checkpoints import Checkpoint
from adjudicator.seal.crypto import Keyring, is_signed_by
from adjudicator.seal.notes import COSIGNATURE, SIGNATURE, NoteSigner
from adjudicator.service.base.rows import one_at_a_time
from adjudicator.service.base.tables import LogCheckpoint, LogEntry, LogPlace, LogTile, PublicLog
from adjudicator.service.base.tables.public_log import ENTRY_DATA
from adjudicator.service.checkpoints.reading import growing_log, read_tile, tile_reader

EVERY = timedelta(minutes=10)  # at most one checkpoint
MOST = 5000  # entries that get their place in one transaction
# no transaction is open for longer, so that older entries are all to be seen
OVERLAP = timedelta(hours=1)
_HASH = re.compile("[0-9a-f]{64}")


def log_signer(keyring: Keyring, log: PublicLog) -> NoteSigner:
    """Return the key of a log's checkpoints."""
    return NoteSigner(log.origin, SIGNATURE, keyring.log_key("log", log.number))


def witness_signer(keyring: Keyring, log: PublicLog) -> NoteSigner:
    """Return the key of this installation's cosignatures, while this log grows."""
    return NoteSigner(
        _witness_name(log.origin), COSIGNATURE, keyring.log_key("witness", log.number)
    )


def _witness_name(origin: str) -> str:
    site, _, rest = origin.rpartition("/log")
    return f"{site}/witness{rest}"


def begin_log(database: Database, keyring: Keyring, origin: str, *, now: datetime) -> None:
    """Begin the first log of an installation, which is called `origin`; publish the keys of the
    newest one; idempotent.
    """
    with database.write_tx() as session:
        one_at_a_time(session, "log")
        log = growing_log(session)
        if log is None:
            log = PublicLog(
                number=1, origin=origin, log_key="", witness_key="", signature=b"", begun_at=now
            )
        publish_log(session, keyring, log)


def publish_log(session: Session, keyring: Keyring, log: PublicLog) -> None:
    """Store a log with its verifier keys, which the worker's signing key signs."""
    keys = str(log_signer(keyring, log).verifier), str(witness_signer(keyring, log).verifier)
    # by the newest keys, after a rotation
    signed = is_signed_by(keyring.public.signing, log_hash(log), log.signature)
    if (log.log_key, log.witness_key) != keys or not signed:
        log.log_key, log.witness_key = keys
        log.signature = keyring.sign(log_hash(log))
        session.add(log)
        session.flush()


def log_hash(log: PublicLog) -> bytes:
    """Return H("log", {origin, log, witness}), which the worker's signing key signs."""
    return H("log", {"origin": log.origin, "log": log.log_key, "witness": log.witness_key})


def is_due(session: Session, now: datetime) -> bool:
    """Whether a checkpoint is due: there are entries without a place, and the last checkpoint is
    EVERY ago.
    """
    log = growing_log(session)
    if log is None:
        return False
    last = (
        select(LogCheckpoint.at)
        .where(LogCheckpoint.log == log.number)
        .order_by(col(LogCheckpoint.size).desc())
        .limit(1)
    )
    made = session.exec(last).first()
    return (made is None or made + EVERY <= now) and bool(_without_place(session, log, most=1))


def _without_place(session: Session, log: PublicLog, *, most: int) -> Sequence[str]:
    """Return the hashes of entries that have no place yet, by their ids. Rows that no worker wrote
    are passed over.
    """
    placed = exists().where(
        col(LogPlace.log) == log.number, col(LogPlace.hash) == col(LogEntry.hash)
    )
    wanted = select(LogEntry.hash).where(~placed).order_by(col(LogEntry.id)).limit(most)
    if log.looked_from is not None:
        wanted = wanted.where(col(LogEntry.at) >= log.looked_from)
    return [each for each in dict.fromkeys(session.exec(wanted)) if _HASH.fullmatch(each)]


def grow_log(database: Database, keyring: Keyring, *, now: datetime) -> bool:
    """Give at most MOST entries their places and sign the checkpoint; returns whether there was
    any.

    Idempotent. A worker that is killed has published nothing, or a checkpoint with its tiles and
    places.
    """
    with database.write_tx() as session:
        log = session.exec(
            select(PublicLog).order_by(col(PublicLog.number).desc()).limit(1).with_for_update()
        ).first()
        entries = _without_place(session, log, most=MOST) if log is not None else ()
        if log is None or not entries:
            return False
        _add_entries(session, log, entries)
        if len(entries) < MOST:
            log.looked_from = now - OVERLAP
        sign_checkpoint(session, keyring, log, now=now)
        failpoints.kill_here("checkpoint.before_commit")
    failpoints.kill_here("checkpoint.after_commit")
    return True


def _add_entries(session: Session, log: PublicLog, hashes: Sequence[str]) -> None:
    """Give entries the next places in a log that the caller has locked, and extend its tiles."""
    session.add_all(
        LogPlace(log=log.number, position=log.size + at, hash=value)
        for at, value in enumerate(hashes)
    )
    add_leaves(session, log, [bytes.fromhex(value) for value in hashes])


def add_leaves(session: Session, log: PublicLog, data: Sequence[bytes]) -> None:
    """Append leaves of this data to a log that the caller has locked."""
    changed = merkle.add_leaves(
        tile_reader(session, log.number), log.size, [merkle.hash_leaf(each) for each in data]
    )
    for (level, index), hashes in (changed | _data_tiles(session, log, data)).items():
        row = session.get(LogTile, (log.number, level, index))
        if row is None:
            session.add(LogTile(log=log.number, level=level, index=index, hashes=hashes))
        else:
            row.hashes = hashes
    log.size += len(data)
    session.flush()


def _data_tiles(
    session: Session, log: PublicLog, data: Sequence[bytes]
) -> dict[tuple[int, int], bytes]:
    """Return the tiles of entries' data that change."""
    changed: dict[tuple[int, int], bytes] = {}
    for position, each in enumerate(data, log.size):
        index = position // merkle.TILE_WIDTH
        if (ENTRY_DATA, index) not in changed:
            changed[ENTRY_DATA, index] = read_tile(session, log.number, ENTRY_DATA, index)
        changed[ENTRY_DATA, index] += each
    return changed


def sign_checkpoint(session: Session, keyring: Keyring, log: PublicLog, *, now: datetime) -> None:
    """Sign the checkpoint of a log's present size."""
    publish_log(session, keyring, log)
    head = Checkpoint(
        log.origin, log.size, merkle.tree_root(tile_reader(session, log.number), log.size)
    )
    note = notes.write_note(head.text, [log_signer(keyring, log).sign(head.text)])
    session.add(LogCheckpoint(log=log.number, size=head.size, root=head.root, note=note, at=now))
