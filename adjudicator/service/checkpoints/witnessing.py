"""Cosignatures for other logs: the site stores a request, the worker judges and answers it (C2SP
tlog-witness, add-checkpoint).
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog
from sqlmodel import Session, col, delete, select, update

from adjudicator.platform import entropy, failpoints, wakeups
from adjudicator.platform.db import Database
from adjudicator.seal import merkle
from adjudicator.seal.checkpoints import SIZE_TYPE, AddCheckpoint, Checkpoint
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.merkle import EMPTY_ROOT, ProofError
from adjudicator.seal.notes import NoteError
from adjudicator.service.base.rows import one_at_a_time
from adjudicator.service.base.tables import WitnessDispute, WitnessedLog, WitnessRequest
from adjudicator.service.checkpoints.growing import witness_signer
from adjudicator.service.checkpoints.peers import Peers
from adjudicator.service.checkpoints.reading import growing_log

LASTS = timedelta(minutes=1)  # of a request that nobody waits for any more
MOST_WAITING = 100
PLAIN = "text/plain; charset=utf-8"

log = structlog.get_logger()


@dataclass(frozen=True)
class Answer:
    """What a log is answered: the status of HTTP and the body."""

    status: int
    body: str

    @property
    def kind(self) -> str:
        """The body's content type."""
        return SIZE_TYPE if self.status == 409 and self.body.strip().isdecimal() else PLAIN


@dataclass(frozen=True)
class Known:
    """The newest checkpoint of a log that was cosigned here."""

    size: int = 0
    root: bytes = EMPTY_ROOT


@dataclass(frozen=True)
class Judged:
    """What becomes of a request: why it is refused (None: it is cosigned), and what that says of
    the log.
    """

    refusal: Answer | None
    head: Checkpoint | None = None
    # with the log's own signatures alone; set together with `head`
    request: AddCheckpoint | None = None
    disputed: bool = False  # signed by the log, but not shown to continue the known checkpoint
    proven: bool = False  # the log has forked: nobody but its key's holder could make this request


def judge(body: bytes, peers: Peers, known: Known | None) -> Judged:
    """Judge a request in the order of tlog-witness; without `known` only what needs no memory: its
    form, origin and signature.
    """
    try:
        request = AddCheckpoint.read(body)
        head = Checkpoint.read(request.note.text)
    except NoteError as error:
        return Judged(Answer(400, f"{error}\n"))
    keys = peers.keys_of(head.origin)
    if not keys:
        return Judged(Answer(404, "This witness does not cosign that log.\n"))
    try:
        signed = {each.line for each in request.note.verify(keys)}
    except NoteError as error:
        return Judged(Answer(403, f"{error}\n"))
    if request.old > head.size:
        return Judged(Answer(400, "The old size is above the new one.\n"))
    own = tuple(each for each in request.note.signatures if each.line in signed)
    request = replace(request, note=replace(request.note, signatures=own))
    return Judged(None, head, request) if known is None else _judge_growth(request, head, known)


def _judge_growth(request: AddCheckpoint, head: Checkpoint, known: Known) -> Judged:
    if request.old != known.size:
        return Judged(Answer(409, f"{known.size}\n"), head, request)
    if request.old == head.size and known.root != head.root:
        refusal = "Another checkpoint of that size was cosigned here, with another root.\n"
        return Judged(Answer(409, refusal), head, request, disputed=True, proven=True)
    try:
        merkle.verify_consistency(known.size, known.root, head.size, head.root, request.proof)
    except ProofError as error:
        proven = merkle.shows_fork(known.size, known.root, head.size, head.root, request.proof)
        refusal = f"That checkpoint does not follow from the one cosigned here: {error}.\n"
        return Judged(Answer(422, refusal), head, request, disputed=True, proven=proven)
    return Judged(None, head, request)


# --- the site's side


def request_cosignature(
    database: Database, peers: Peers, body: bytes, *, now: datetime
) -> Answer | str:
    """Store a request for the worker and return its name, or the answer where the worker would
    refuse it without looking anything up.
    """
    refused = judge(body, peers, None).refusal
    if refused is not None:
        return refused
    uid = entropy.token_urlsafe(18)
    with database.write_tx() as session:
        session.exec(delete(WitnessRequest).where(col(WitnessRequest.made_at) < now - LASTS))
        if len(unanswered_requests(session, now=now)) >= MOST_WAITING:
            return Answer(503, "Too many requests wait for this witness; try again in a minute.\n")
        session.add(WitnessRequest(uid=uid, body=body, made_at=now, answered=False))
        wakeups.wake(session, wakeups.WITNESS, uid)
    return uid


def fetch_answer(database: Database, uid: str) -> Answer | None:
    """Return the worker's answer and erase the request; None while there is none."""
    with database.read_tx() as session:
        row = session.get(WitnessRequest, uid)
    if row is None or not row.answered:
        return None
    with database.write_tx() as session:
        session.exec(delete(WitnessRequest).where(col(WitnessRequest.uid) == uid))
    return Answer(row.status, row.answer)


# --- the worker's side


def unanswered_requests(session: Session, *, now: datetime) -> list[str]:
    """Return the requests that still wait for an answer."""
    waiting = select(WitnessRequest.uid).where(
        col(WitnessRequest.answered).is_(False), WitnessRequest.made_at > now - LASTS
    )
    return list(session.exec(waiting.order_by(col(WitnessRequest.made_at)).limit(MOST_WAITING)))


def answer_request(
    database: Database, keyring: Keyring, peers: Peers, uid: str, *, now: datetime
) -> bool:
    """Judge a request and answer it, at most once; returns whether it was cosigned.

    The comparison with the newest cosigned checkpoint and the storing of the new one are one
    transaction, so that of two requests the second sees the first. A cosignature that was not
    committed was never seen by anybody.
    """
    with failpoints.killable_tx(database, "witness") as session:
        taken = update(WitnessRequest).where(
            col(WitnessRequest.uid) == uid, col(WitnessRequest.answered).is_(False)
        )
        if session.exec(taken.values(answered=True)).rowcount != 1:
            return False
        row = session.exec(select(WitnessRequest).where(WitnessRequest.uid == uid)).one()
        answer = _answer(session, keyring, peers, row.body, now)
        row.status, row.answer = answer.status, answer.body
    return answer.status == 200


def _answer(session: Session, keyring: Keyring, peers: Peers, body: bytes, now: datetime) -> Answer:
    first = judge(body, peers, None)
    if first.head is None:
        return first.refusal or Answer(400, "")
    one_at_a_time(session, first.head.origin)
    own = growing_log(session)
    if own is None:
        return Answer(503, "This witness is still starting.\n")
    known = session.get(
        WitnessedLog, first.head.origin, with_for_update=True, populate_existing=True
    )
    judged = judge(body, peers, Known(known.size, known.root) if known is not None else Known())
    if judged.head is None or judged.request is None:
        return judged.refusal or Answer(400, "")
    if judged.disputed:
        _keep_dispute(
            session, judged.head.origin, known, judged.request, proven=judged.proven, now=now
        )
    if judged.refusal is not None:
        return judged.refusal
    if known is None:
        known = WitnessedLog(origin=judged.head.origin, size=0, root=b"", note="", at=now)
        session.add(known)
    known.size = judged.head.size
    known.root = judged.head.root
    known.note = str(judged.request.note)
    known.at = now
    return Answer(
        200, witness_signer(keyring, own).cosign(judged.request.note.text, int(now.timestamp()))
    )


def _keep_dispute(
    session: Session,
    origin: str,
    known: WitnessedLog | None,
    request: AddCheckpoint,
    *,
    proven: bool,
    now: datetime,
) -> None:
    """Keep the first request that proves a fork, and the newest one that does not."""
    kept = session.get(WitnessDispute, (origin, proven))
    if kept is not None and proven:
        return
    if proven:
        log.error(
            "witness.fork_proven", origin=origin, remedy="`sealed check` prints both checkpoints"
        )
    else:
        log.warning("witness.not_continued", origin=origin)
    note = known.note if known is not None else ""
    session.merge(
        WitnessDispute(origin=origin, proven=proven, known=note, request=str(request), at=now)
    )


def list_witnessed(session: Session) -> list[WitnessedLog]:
    """Return the newest cosigned checkpoint of each other log."""
    return list(session.exec(select(WitnessedLog).order_by(col(WitnessedLog.origin))))


def list_disputes(session: Session) -> list[WitnessDispute]:
    """Return the signed checkpoints of other logs that were not shown to continue what was cosigned
    here.
    """
    return list(
        session.exec(
            select(WitnessDispute).order_by(
                col(WitnessDispute.origin), col(WitnessDispute.proven).desc()
            )
        )
    )
