"""Signatures on receipts. Those of one tenure are a chain, whose newest hash a close entry commits
to (SEAL/1, Receipt).
"""

from collections.abc import Collection, Sequence
from operator import attrgetter

from sqlalchemy import bindparam, update
from sqlalchemy.orm import defer
from sqlmodel import Session, and_, col, func, select, tuple_

from adjudicator.platform.byte_cache import ByteCache
from adjudicator.platform.statements.prepared import Prepared
from adjudicator.seal.commitments import Place, receipt_body, receipt_hash
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.log import BEGINNING
from adjudicator.service.base.memory import OF, RowsOf, memory_of
from adjudicator.service.base.rows import SEATS
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
_OPEN = RowsOf(
    "open phase",
    select(PhaseRow.match_id, PhaseRow)
    .where(col(PhaseRow.match_id).in_(OF), col(PhaseRow.closed_at).is_(None))
    # no signature depends on it
    .options(defer(PhaseRow.before)),  # type: ignore[arg-type]  # SQLModel tells another type
)
# what signing changes, with the names of the parameters
_SIGNING = {name: f"new_{name}" for name in ("number", "prev", "head", "signature")}
_STORE_SIGNED = Prepared(
    update(Receipt)
    .where(col(Receipt.id) == bindparam("key"))
    .values({name: bindparam(new) for name, new in _SIGNING.items()})
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


def _read_ahead(session: Session, keyring: Keyring, matches: Collection[Match]) -> None:
    """Read by a statement of each kind what signing asks for, of matches that the caller has
    locked.
    """
    ids, memory = [match.id or 0 for match in matches], memory_of(session)
    phases = dict(_OPEN.find(session, ids))
    memory.update({("phase", of): phase for of, phase in phases.items()})
    log_tail.read_ahead(session, matches, anchors=False)
    for of_match in (SEATS, UNSIGNED, NEWEST, UNLOGGED):
        of_match.read_ahead(session, ids)
    NOTES.read_ahead(session, [phase.id or 0 for phase in phases.values()])
    signers = {
        row.signer for of in ids for row in UNSIGNED.read(session, of) if row.signer is not None
    }
    find_sessions(session, keyring, signers)


def any_waiting(session: Session, match: Match) -> bool:
    """Whether a receipt of a match waits for its signature."""
    return bool(WAITING.read(session, match.id, keep=False))


def sign_waiting(session: Session, keyring: Keyring, match: Match) -> int:
    """Do as `sign_all` with one match."""
    return sign_all(session, keyring, [match])


def sign_all(
    session: Session, keyring: Keyring, matches: Collection[Match], *, last: int | None = None
) -> int:
    """Sign the receipts of matches that wait, oldest first, up to the row `last`; returns how many.
    The caller holds the matches.

    A receipt that is not from who it says is never signed, and its orders are never opened; the log
    tells that there was one.
    """
    if len(matches) > 1:
        _read_ahead(session, keyring, matches)
    signed = [row for match in matches for row in _sign(session, keyring, match, last)]
    if signed:
        values = [
            {"key": row.id, **{new: getattr(row, name) for name, new in _SIGNING.items()}}
            for row in signed
        ]
        _STORE_SIGNED.run_many(session.connection(), values)
    return len(signed)


def _sign(session: Session, keyring: Keyring, match: Match, last: int | None) -> Sequence[Receipt]:
    """Return the receipts of a match that wait, signed, but not yet stored so."""
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
        held = vars(row)  # SQLAlchemy need not find what has changed
        if match.sealing:
            before = newest.get((row.seat, row.tenure))
            held["number"] = (before.number or 0) + 1 if before else 1
            held["prev"] = hash_receipt(before, match.uid).hex() if before else BEGINNING
            held["head"] = match.log_hash
            newest[row.seat, row.tenure] = row
        held["signature"] = signing.sign(hash_receipt(row, match.uid))
    return waiting


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


# columns of a receipt that its signature covers, besides its parts
_covered = attrgetter(
    *("phase_number", "seat", "seq", "tenure", "prev", "channel", "at", "disposition", "head")
)
# by all that they depend on; one is asked for as its receipt is signed and checked, as the next one
# refers to it, and as its phase closes
_hashes: ByteCache[tuple[object, ...], bytes] = ByteCache(4_000_000)
_BYTES = 1_000  # one with its key takes about, besides its parts


def hash_receipt(receipt: Receipt, uid: str) -> bytes:
    """Return the hash of what a receipt's row says, which its signature is over."""
    # the text of its parts, as 1 equals true
    key = uid, _covered(receipt), repr(receipt.commitments)
    if (known := _hashes.get(key)) is None:
        _hashes.put(key, known := receipt_hash(signed_body(receipt, uid)), _BYTES + len(key[-1]))
    return known


def is_signed_receipt(keyring: Keyring, receipt: Receipt, uid: str) -> bool:
    """Whether one of the worker's keys signed what a receipt's row says."""
    return keyring.has_signed(hash_receipt(receipt, uid), receipt.signature or b"")


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
