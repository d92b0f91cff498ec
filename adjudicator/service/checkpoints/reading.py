"""What the site and letters show of the tree: the newest checkpoint, tiles, and the proof that an
entry is in it.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from adjudicator.seal import merkle
from adjudicator.seal.checkpoints import Checkpoint, TilePath, write_entries
from adjudicator.service.base.tables import (
    LogCheckpoint,
    LogCosignature,
    LogEntry,
    LogPlace,
    LogTile,
    Match,
    PublicLog,
)
from adjudicator.service.base.tables.public_log import ENTRY_DATA


@dataclass(frozen=True)
class PublishedCheckpoint:
    """A checkpoint with the cosignatures that it has by now."""

    log: int
    head: Checkpoint
    own: str  # the note with the log's signature alone
    cosigned: str  # the lines of its witnesses
    at: datetime

    @property
    def note(self) -> str:
        """The note with all its signatures."""
        return self.own + self.cosigned


def growing_log(session: Session) -> PublicLog | None:
    """Return the newest log; None while no worker has begun one."""
    return session.exec(select(PublicLog).order_by(col(PublicLog.number).desc()).limit(1)).first()


def described(log: PublicLog) -> dict[str, str]:
    """Return what programs need to check a log's checkpoints: its origin, its verifier keys, and
    the worker's signature over these.
    """
    return {
        "origin": log.origin,
        "log": log.log_key,
        "witness": log.witness_key,
        "signed": log.signature.hex(),
    }


def list_logs(session: Session) -> list[dict[str, str]]:
    """Return all logs of this installation as `described`, the oldest first; a restore begins
    another one.
    """
    return [
        described(log) for log in session.exec(select(PublicLog).order_by(col(PublicLog.number)))
    ]


def newest_checkpoint(session: Session, number: int | None = None) -> PublishedCheckpoint | None:
    """Return the newest checkpoint of the log of this number, by default of the one that grows;
    None before the first.
    """
    log = session.get(PublicLog, number) if number is not None else growing_log(session)
    if log is None:
        return None
    wanted = (
        select(LogCheckpoint)
        .where(LogCheckpoint.log == log.number)
        .order_by(col(LogCheckpoint.size).desc())
    )
    row = session.exec(wanted.limit(1)).first()
    if row is None:
        return None
    lines = select(LogCosignature.line).where(
        LogCosignature.log == row.log, LogCosignature.size == row.size
    )
    cosigned = "".join(
        session.exec(lines.order_by(col(LogCosignature.at), col(LogCosignature.witness)))
    )
    return PublishedCheckpoint(
        row.log, Checkpoint(log.origin, row.size, row.root), row.note, cosigned, row.at
    )


def read_tile(session: Session, log: int, level: int, index: int) -> bytes:
    """Return the hashes that a tile has by now; b"" for one that is not there."""
    wanted = select(LogTile.hashes).where(
        LogTile.log == log, LogTile.level == level, LogTile.index == index
    )
    return session.exec(wanted).first() or b""


def tile_reader(session: Session, log: int) -> merkle.ReadTile:
    """Return what reads the tiles of a log; each is fetched once."""
    kept: dict[tuple[int, int], bytes] = {}

    def read(level: int, index: int) -> bytes:
        if (level, index) not in kept:
            kept[level, index] = read_tile(session, log, level, index)
        return kept[level, index]

    return read


def published_tile(session: Session, log: int, tile: TilePath) -> bytes | None:
    """Return the bytes that a tile's path names: hashes, or an entry bundle; None where the tree
    does not reach so far.
    """
    held = read_tile(session, log, ENTRY_DATA if tile.level is None else tile.level, tile.index)
    wanted = tile.width * merkle.HASH_BYTES
    if len(held) < wanted:
        return None
    if tile.level is not None:
        return held[:wanted]
    return write_entries(
        [held[at : at + merkle.HASH_BYTES] for at in range(0, wanted, merkle.HASH_BYTES)]
    )


def prove_head(session: Session, match: Match) -> dict[str, object] | None:
    """Return a bundle's `checkpoint`: note, position of the match's newest entry, and proof.

    None while no checkpoint has that entry: the next one will.
    """
    newest = (
        select(LogEntry.hash)
        .where(LogEntry.match_id == match.id)
        .order_by(col(LogEntry.index).desc())
        .limit(1)
    )
    head, checkpoint = session.exec(newest).first(), newest_checkpoint(session)
    if head is None or checkpoint is None:
        return None
    placed = select(LogPlace.position).where(LogPlace.log == checkpoint.log, LogPlace.hash == head)
    position = session.exec(placed).first()
    if position is None or position >= checkpoint.head.size:
        return None
    proof = merkle.prove_inclusion(
        tile_reader(session, checkpoint.log), position, checkpoint.head.size
    )
    return {"note": checkpoint.note, "index": position, "proof": [step.hex() for step in proof]}
