"""Cosignatures of this installation's checkpoints: which witnesses are to be asked, with what, and
which answers are kept.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlmodel import Session, col, delete, select, update

from adjudicator.platform import failpoints
from adjudicator.platform.db import Database
from adjudicator.seal import merkle, notes
from adjudicator.seal.checkpoints import MOST_STEPS, SIZE_TYPE, AddCheckpoint, read_size
from adjudicator.seal.notes import NoteError, SignedNote, VerifierKey
from adjudicator.service.base.rows import one_at_a_time
from adjudicator.service.base.tables import LogCosignature, LogWitness
from adjudicator.service.checkpoints.peers import Peers, Witness
from adjudicator.service.checkpoints.reading import (
    PublishedCheckpoint,
    growing_log,
    newest_checkpoint,
    tile_reader,
)

LEASE = timedelta(minutes=1)
BACK_OFF = (30, 120, 600, 1800, 3600)  # seconds until a witness is asked again that did not cosign
NO_ANSWER = 0  # in the place of a status
REFUSED = 409
REFUSALS = (REFUSED, 422)  # statuses of HTTP that say: this log does not continue what was cosigned

log = structlog.get_logger()


@dataclass(frozen=True)
class WitnessAnswer:
    """What a witness answered: status, content type and body; or why there is no answer."""

    status: int
    kind: str = ""
    body: bytes = b""
    why: str = ""


Ask = Callable[[Witness, str], WitnessAnswer]  # posts a request's body to a witness; never raises


def name_witnesses(database: Database, peers: Peers, *, now: datetime) -> None:
    """Have the witnesses in the settings asked about the log that grows, and no others;
    idempotent.
    """
    keys = {str(each.key) for each in peers.witnesses}
    with database.write_tx() as session:
        one_at_a_time(session, "log")  # all processes of a worker start at once
        log = growing_log(session)
        if log is None:
            return
        session.exec(
            delete(LogWitness).where(
                col(LogWitness.witness).not_in(keys) | (col(LogWitness.log) != log.number)
            )
        )
        known = set(session.exec(select(LogWitness.witness)))
        session.add_all(
            LogWitness(log=log.number, witness=key, next_try=now) for key in sorted(keys - known)
        )


def due_witnesses(session: Session, now: datetime, *, most: int = 20) -> list[int]:
    """Return the witnesses that are to be asked now: they have not cosigned the newest
    checkpoint.
    """
    newest = newest_checkpoint(session)
    if newest is None:
        return []
    wanted = select(LogWitness.id).where(
        LogWitness.log == newest.log, LogWitness.size < newest.head.size, LogWitness.next_try <= now
    )
    return list(session.exec(wanted.order_by(col(LogWitness.next_try)).limit(most)))


def ask_witness(
    database: Database, peers: Peers, witness_id: int, ask: Ask, now: Callable[[], datetime]
) -> bool:
    """Ask one witness to cosign the newest checkpoint; returns whether it did.

    1. Take a lease. 2. Post the checkpoint with the proof from the size that the witness knows. 3.
       Where it names another size that it
    knows, post again with the proof from there. 4. Keep its own key's cosignature, or why there is
    none.
    """
    taken = _claim(database, peers, witness_id, now())
    if taken is None:
        return False
    witness, old = taken
    answer, checkpoint = _post(database, old, witness, ask)
    if (
        answer.status == REFUSED
        and answer.kind == SIZE_TYPE
        and (known := _known_size(answer)) is not None
    ):
        answer, checkpoint = _post(database, known, witness, ask)
    failpoints.kill_here("cosign.before_store")
    return checkpoint is not None and _settle(
        database, witness, witness_id, answer, checkpoint, now()
    )


def _claim(
    database: Database, peers: Peers, witness_id: int, now: datetime
) -> tuple[Witness, int] | None:
    with database.write_tx() as session:
        newest = newest_checkpoint(session)
        if newest is None:
            return None
        # another worker may have asked since the witness was found due
        wanting = col(LogWitness.size) < newest.head.size
        free = update(LogWitness).where(
            col(LogWitness.id) == witness_id, wanting, col(LogWitness.next_try) <= now
        )
        if (
            session.exec(free.values(next_try=now + LEASE, tries=LogWitness.tries + 1)).rowcount
            != 1
        ):
            return None
        row = session.get_one(LogWitness, witness_id)
        found = next((each for each in peers.witnesses if str(each.key) == row.witness), None)
        return (found, row.size) if found is not None else None


def _post(
    database: Database, old: int, witness: Witness, ask: Ask
) -> tuple[WitnessAnswer, PublishedCheckpoint | None]:
    """Post the newest checkpoint, if there is one, with the proof from size `old`; return the
    answer and the checkpoint.
    """
    with database.read_tx() as session:
        newest = newest_checkpoint(session)
        if newest is None:
            return WitnessAnswer(NO_ANSWER), None
        if old > newest.head.size:
            why = (
                f"it cosigned {old} entries of this log, which has {newest.head.size}: was a backup"
                " restored without `sealed restored`?"
            )
            return WitnessAnswer(REFUSED, why=why), newest
        proof = merkle.prove_consistency(tile_reader(session, newest.log), old, newest.head.size)
    assert len(proof) <= MOST_STEPS  # noqa: S101 of a tree of at most 2^63 leaves
    return (
        ask(witness, str(AddCheckpoint(old, tuple(proof), SignedNote.read(newest.own.encode())))),
        newest,
    )


def _known_size(answer: WitnessAnswer) -> int | None:
    try:
        return read_size(answer.body.decode("ascii").removesuffix("\n"))
    except (NoteError, UnicodeDecodeError):
        return None


def _settle(
    database: Database,
    witness: Witness,
    witness_id: int,
    answer: WitnessAnswer,
    checkpoint: PublishedCheckpoint,
    now: datetime,
) -> bool:
    line, trouble = _own_line(witness, answer, checkpoint)
    with database.write_tx() as session:
        row = session.get(LogWitness, witness_id)
        if row is None or row.log != checkpoint.log:  # another log has begun meanwhile
            return False
        row.trouble, row.status = trouble, answer.status
        if line:
            key = (row.log, checkpoint.head.size, row.witness)
            if session.get(LogCosignature, key) is None:
                session.add(
                    LogCosignature(
                        log=row.log,
                        size=checkpoint.head.size,
                        witness=row.witness,
                        line=line,
                        at=now,
                    )
                )
            row.size, row.tries, row.next_try = max(row.size, checkpoint.head.size), 0, now
        else:
            row.next_try = now + timedelta(seconds=BACK_OFF[min(row.tries, len(BACK_OFF)) - 1])
    if answer.status in REFUSALS:
        log.error(
            "checkpoint.refused",
            witness=witness.key.name,
            why=trouble,
            remedy="`sealed check` says what it means",
        )
    return bool(line)


def _own_line(
    witness: Witness, answer: WitnessAnswer, checkpoint: PublishedCheckpoint
) -> tuple[str, str]:
    """Return the witness's own cosignature line in an answer and "", or "" and why there is
    none.
    """
    if answer.status != 200:
        return "", answer.why or f"it answered {answer.status}: {_printable(answer.body)}"
    text = SignedNote.read(checkpoint.own.encode()).text
    try:
        lines = notes.read_signatures(answer.body.decode())
        (found,) = SignedNote(text, tuple(lines)).verify([witness.key])
    except (NoteError, UnicodeDecodeError) as error:
        return "", f"its answer is no cosignature of its key: {error}"
    return found.line, ""


def _printable(body: bytes) -> str:
    """Return the beginning of an answer on one line, for terminals and logs: it may hold
    anything.
    """
    text = " ".join(body[:300].decode("utf-8", "replace").split())
    return "".join(char if char.isprintable() else "?" for char in text)


@dataclass(frozen=True)
class WitnessStanding:
    """How far a witness has cosigned the log that grows, and why not further."""

    key: str
    name: str
    size: int  # of the newest checkpoint that it cosigned
    newest: int  # size of the newest checkpoint
    status: int  # of its last answer
    trouble: str

    @property
    def refuses(self) -> bool:
        """Whether it says that the newest checkpoint does not continue what it cosigned."""
        return bool(self.trouble) and self.status in REFUSALS


def list_witnesses(session: Session) -> list[WitnessStanding]:
    """Return what has become of each witness that the host named."""
    newest = newest_checkpoint(session)
    size = newest.head.size if newest is not None else 0
    rows = session.exec(select(LogWitness).order_by(col(LogWitness.witness)))
    return [_standing(each, size) for each in rows]


def _standing(row: LogWitness, newest: int) -> WitnessStanding:
    return WitnessStanding(
        row.witness, VerifierKey.read(row.witness).name, row.size, newest, row.status, row.trouble
    )
