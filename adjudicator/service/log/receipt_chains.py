"""Signatures on receipts. Those of one tenure are a chain, whose newest hash a close entry commits
to (SEAL/1, Receipt).
"""

from collections.abc import Collection, Sequence

from sqlmodel import Session, and_, col, func, select, tuple_

from adjudicator.seal.commitments import Place, receipt_body, receipt_hash
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.log import BEGINNING
from adjudicator.service.base import rows as match_rows
from adjudicator.service.base.memory import OF, RowsOf
from adjudicator.service.base.tables import Match, PhaseRow, Receipt
from adjudicator.service.log import log_tail
from adjudicator.service.log.acts import NOTES
from adjudicator.service.log.catching_up import UNLOGGED, catch_up_if_needed
from adjudicator.service.log.key_changes import keyring_in_force
from adjudicator.service.log.tampering import tell_seat
from adjudicator.service.log.vouching import Vouching
from adjudicator.service.requests.confirming import find_sessions

# the SQL conditions of receipts without a signature
WAITS = (col(Receipt.signature).is_(None), col(Receipt.rejected).is_(None))
_UNSIGNED = select(Receipt.match_id, Receipt).where(col(Receipt.match_id).in_(OF), *WAITS)
UNSIGNED = RowsOf("unsigned receipts", _UNSIGNED.order_by(col(Receipt.id)))
WAITING = RowsOf(
    "waiting receipts",
    select(Receipt.match_id, Receipt.seq).where(col(Receipt.match_id).in_(OF), *WAITS),
)
_IN_PHASE = and_(
    col(Receipt.match_id) == col(PhaseRow.match_id),
    col(Receipt.phase_number) == col(PhaseRow.number),
)
_OF_PHASE = (
    select(PhaseRow.id, Receipt).join(Receipt, onclause=_IN_PHASE).where(col(PhaseRow.id).in_(OF))
)
_CHAIN = col(Receipt.match_id), col(Receipt.seat), col(Receipt.tenure)
_LAST = (
    select(*_CHAIN, func.max(Receipt.number)).where(col(Receipt.match_id).in_(OF)).group_by(*_CHAIN)
)
_NEWEST = select(Receipt.match_id, Receipt).where(tuple_(*_CHAIN, col(Receipt.number)).in_(_LAST))
# signed ones of a match, one of each tenure
NEWEST = RowsOf("newest receipts", _NEWEST.where(col(Receipt.match_id).in_(OF)))
# by their numbers
SIGNED = RowsOf(
    "signed receipts",
    _OF_PHASE.where(col(Receipt.signature).is_not(None)).order_by(col(Receipt.seq)),
)


def read_ahead(session: Session, keyring: Keyring, matches: Collection[Match]) -> None:
    """Read by a statement of each kind what `sign_waiting` asks for, of matches that the caller has
    locked.
    """
    ids = [match.id or 0 for match in matches]
    phases = [phase.id or 0 for phase in match_rows.read_ahead(session, matches)]
    log_tail.read_ahead(session, matches)
    for of_match in (UNSIGNED, NEWEST, UNLOGGED):
        of_match.read_ahead(session, ids)
    NOTES.read_ahead(session, phases)
    signers = {
        row.signer for of in ids for row in UNSIGNED.read(session, of) if row.signer is not None
    }
    find_sessions(session, keyring, signers)


def any_waiting(session: Session, match: Match) -> bool:
    """Whether a receipt of a match waits for its signature."""
    return bool(WAITING.read(session, match.id, keep=False))


def sign_waiting(
    session: Session, keyring: Keyring, match: Match, *, last: int | None = None
) -> int:
    """Sign the receipts of a match that wait, oldest first, up to the row `last`; returns how many.
    The caller holds the match.

    A receipt that is not from who it says is never signed, and its orders are never opened; the log
    tells that there was one.
    """
    waiting: Sequence[Receipt] = [
        row
        for row in UNSIGNED.read(session, match.id, keep=False)
        if last is None or (row.id or 0) <= last
    ]
    if waiting and match.sealing:
        # whose seat it is may have changed just before
        catch_up_if_needed(session, keyring, match, now=waiting[-1].at)
        waiting = _known_rows(session, keyring, match, waiting)
    signing = keyring_in_force(keyring, match) if match.sealing else keyring
    newest = (
        newest_receipts(session, match, {(row.seat, row.tenure) for row in waiting})
        if match.sealing and waiting
        else {}
    )
    for row in waiting:
        if match.sealing:
            before = newest.get((row.seat, row.tenure))
            row.number = (before.number or 0) + 1 if before else 1
            row.prev = receipt_hash(signed_body(before, match.uid)).hex() if before else BEGINNING
            row.head = match.log_hash
            newest[row.seat, row.tenure] = row
        row.signature = signing.sign(receipt_hash(signed_body(row, match.uid)))
    return len(waiting)


def _known_rows(
    session: Session, keyring: Keyring, match: Match, waiting: Sequence[Receipt]
) -> list[Receipt]:
    """Return the receipts that are from who they say, and reject the others for good."""
    vouching = Vouching(session, keyring, match)
    vouching.prepare(row.signer for row in waiting)
    for row in waiting:
        row.rejected = vouching.reject(row) or None
    for row in waiting:
        if row.rejected is not None:
            tell_seat(
                session,
                keyring,
                match,
                row.seat,
                row.phase_number,
                "orders",
                row.rejected,
                now=row.at,
            )
    return [row for row in waiting if row.rejected is None]


def newest_receipts(
    session: Session, match: Match, tenures: Collection[tuple[str, int]]
) -> dict[tuple[str, int], Receipt]:
    """Return the newest signed receipt of each of these pairs of a seat and a tenure that has
    one.
    """
    found = {(row.seat, row.tenure): row for row in NEWEST.read(session, match.id, keep=False)}
    return {each: found[each] for each in tenures if each in found}


def newest_of_phase(
    session: Session, match: Match, phase: PhaseRow, tenures: Collection[tuple[str, int]]
) -> dict[tuple[str, int], Receipt]:
    """Do as `newest_receipts` as a phase closes: its receipts are the newest, and only where it has
    none others are asked for.
    """
    found = {
        (row.seat, row.tenure): row
        for row in sorted(SIGNED.read(session, phase.id), key=lambda row: row.number or 0)
    }
    silent = [each for each in tenures if each not in found]
    return {each: found[each] for each in tenures if each in found} | (
        newest_receipts(session, match, silent) if silent else {}
    )


def receipts_of_words(session: Session, match: Match, phases: Sequence[PhaseRow]) -> list[Receipt]:
    """Return the signed receipts of a bare `ready` or `wait` in these phases, oldest first; no
    letter of their own tells them.
    """
    if len(phases) == 1:
        rows = sorted(SIGNED.read(session, phases[0].id), key=lambda row: row.id or 0)
    else:
        query = select(Receipt).where(
            Receipt.match_id == match.id,
            col(Receipt.phase_number).in_([phase.number for phase in phases]),
        )
        rows = list(
            session.exec(query.where(col(Receipt.says).is_not(None)).order_by(col(Receipt.id)))
        )
    return [
        row
        for row in rows
        if row.says is not None and not row.commitments and row.signature is not None
    ]


def is_signed_receipt(keyring: Keyring, receipt: Receipt, uid: str) -> bool:
    """Whether one of the worker's keys signed what a receipt's row says."""
    return keyring.has_signed(receipt_hash(signed_body(receipt, uid)), receipt.signature or b"")


def signed_body(receipt: Receipt, uid: str) -> dict[str, object]:
    """Return what the signature of a receipt covers, as in docs/sealing.md."""
    place = Place(uid, receipt.phase_number, receipt.seat, receipt.seq)
    commitments = [(part, commitment) for part, commitment in receipt.commitments]
    chained = (receipt.tenure, receipt.prev) if receipt.prev is not None else None
    return receipt_body(
        place,
        channel=receipt.channel,
        at=receipt.at,
        disposition=receipt.disposition,
        commitments=commitments,
        head=receipt.head,
        chained=chained,
    )
