"""The public log: each entry has one place, each checkpoint is the root over them, and the witness
follows.

The tree is computed here again from its definition (RFC 6962), with no code of the service.
"""

import hashlib
from collections.abc import Iterator
from datetime import timedelta

from sqlmodel import Session, col, func, select

import verify_match
from adjudicator.seal.checkpoints import Checkpoint
from adjudicator.seal.notes import NoteError, SignedNote, VerifierKey
from adjudicator.service.base.tables import (
    LogCheckpoint,
    LogCosignature,
    LogEntry,
    LogPlace,
    LogTile,
    LogWitness,
    PublicLog,
)
from adjudicator.service.base.tables.public_log import ENTRY_DATA
from adjudicator.service.checkpoints import reading
from tests.simulation.scene import Check, Scene

LATE = timedelta(seconds=150)  # an entry has its place by then, and a checkpoint its cosignature


def _leaf(entry: str) -> bytes:
    return hashlib.sha256(b"\0" + bytes.fromhex(entry)).digest()


def _root(leaves: list[bytes]) -> bytes:
    """Return MTH of RFC 6962, 2.1."""
    if len(leaves) < 2:
        return leaves[0] if leaves else hashlib.sha256().digest()
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return hashlib.sha256(b"\1" + _root(leaves[:split]) + _root(leaves[split:])).digest()


def each_entry_has_one_place_in_the_tree(session: Session, scene: Scene) -> Iterator[str]:
    """Entries that are old enough have a place, and none has two."""
    if scene.world.witness is None:
        return
    places = list(session.exec(select(LogPlace).order_by(col(LogPlace.position))))
    hashes = [place.hash for place in places]
    if [place.position for place in places] != list(range(len(places))):
        yield "the places are not numbered without gaps"
    if len(set(hashes)) < len(hashes):
        yield "an entry has two places"
    entries = {entry.hash: entry.at for entry in session.exec(select(LogEntry))}
    missing = [
        each
        for each, at in entries.items()
        if each not in set(hashes) and at <= scene.world.now() - LATE
    ]
    if missing:
        yield f"{len(missing)} of {len(entries)} entries have no place"


def each_checkpoint_is_the_root_over_the_entries(session: Session, scene: Scene) -> Iterator[str]:
    """Checkpoints, tiles and proofs are what the places of the entries give."""
    if scene.world.witness is None:
        return
    log, hashes = (
        session.exec(select(PublicLog)).one(),
        list(session.exec(select(LogPlace.hash).order_by(col(LogPlace.position)))),
    )
    leaves, key = [_leaf(each) for each in hashes], VerifierKey.read(log.log_key)
    made = list(session.exec(select(LogCheckpoint).order_by(col(LogCheckpoint.size))))
    for row in made:
        note = SignedNote.read(row.note.encode())
        note.verify([key])
        if Checkpoint.read(note.text) != Checkpoint(
            log.origin, row.size, row.root
        ) or row.root != _root(leaves[: row.size]):
            yield f"the checkpoint of {row.size} entries has another root"
    if not made or made[-1].size != len(leaves) or log.size != len(leaves):
        yield (
            f"{len(leaves)} entries have a place, and the newest checkpoint has"
            f" {made[-1].size if made else 0}"
        )
    for level, wanted in ((ENTRY_DATA, [bytes.fromhex(each) for each in hashes]), (0, leaves)):
        tiles = session.exec(
            select(LogTile.hashes).where(LogTile.level == level).order_by(col(LogTile.index))
        )
        if b"".join(tiles) != b"".join(wanted):
            yield f"the tiles of level {level} are not the entries'"
    for match in scene.matches.values():
        yield from _proof(session, match.uid, reading.prove_head(session, match))


def entries_beside_the_checkpoint(session: Session) -> list[str]:
    """Return where the log has another size than its newest checkpoint; after each commit both have
    the same.
    """
    sizes = session.exec(
        select(PublicLog.size, select(func.max(LogCheckpoint.size)).scalar_subquery())
    ).all()
    return [
        f"places, tiles and checkpoint are one commit: {size} entries beside one of {made or 0}"
        for size, made in sizes
        if size != (made or 0)
    ]


def _proof(session: Session, uid: str, told: dict[str, object] | None) -> Iterator[str]:
    """Verify the proof that a match's bundle has."""
    newest = reading.newest_checkpoint(session)
    if told is None or newest is None:
        return
    index, steps = (
        int(str(told["index"])),
        [bytes.fromhex(str(step)) for step in list(told["proof"])],
    )  # type: ignore[call-overload]
    entry = session.exec(select(LogPlace.hash).where(LogPlace.position == index)).one()
    root = verify_match.proven_root(bytes.fromhex(entry), index, newest.head.size, steps)
    if root != newest.head.root:
        yield f"the proof of {uid} does not lead to the root"


def the_witness_follows_the_log(session: Session, scene: Scene) -> Iterator[str]:
    """The witness was never shown another history, and has cosigned the newest checkpoint; nobody
    else's signature is kept.
    """
    witness = scene.world.witness
    if witness is None:
        return
    yield from witness.troubles
    for row in session.exec(select(LogCosignature)):
        text = SignedNote.read(
            session.get_one(LogCheckpoint, (row.log, row.size)).note.encode()
        ).text
        try:
            SignedNote.read(f"{text}\n{row.line}".encode()).verify([witness.signer.verifier])
        except NoteError as fault:
            yield (
                f"what is kept as the witness's cosignature of {row.size} entries is none: {fault}"
            )
    old = select(func.max(LogCheckpoint.size)).where(LogCheckpoint.at <= scene.world.now() - LATE)
    wanted, known = session.exec(old).one() or 0, session.exec(select(LogWitness)).first()
    if known is None:
        yield "no witness is known"
    elif known.size < wanted:
        yield f"the witness has cosigned {known.size} entries, and not {wanted}: {known.trouble}"


CHECKS: tuple[Check, ...] = (
    each_entry_has_one_place_in_the_tree,
    each_checkpoint_is_the_root_over_the_entries,
    the_witness_follows_the_log,
)
