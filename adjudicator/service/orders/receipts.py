"""Receipts and the worker's signatures on them; a signature covers everything on a receipt except its nonces."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select, update

from adjudicator.platform import failpoints
from adjudicator.platform.db import Database
from adjudicator.seal.commitments import Place, receipt_body, receipt_hash
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.rows import by_uid, seats_of, sitting
from adjudicator.service.base.tables import Match, Receipt


def any_unsigned(session: Session) -> bool:
    """Whether a receipt waits for its signature."""
    return session.exec(select(Receipt.id).where(col(Receipt.signature).is_(None)).limit(1)).first() is not None


def sign_receipts(database: Database, keyring: Keyring, *, most: int = 500) -> int:
    """Sign receipts that are not signed yet, oldest first; returns how many."""
    with database.read_tx() as session:
        unsigned = select(Receipt, Match.uid).join(Match, onclause=col(Receipt.match_id) == col(Match.id))
        rows = list(session.exec(unsigned.where(col(Receipt.signature).is_(None)).order_by(col(Receipt.id)).limit(most)))
    signed = [(receipt.id, keyring.sign(receipt_hash(signed_body(receipt, uid)))) for receipt, uid in rows]
    if signed:
        with database.write_tx() as session:
            for receipt_id, signature in signed:
                session.exec(update(Receipt).where(col(Receipt.id) == receipt_id).values(signature=signature))
            failpoints.kill_here("sign.before_commit")
        failpoints.kill_here("sign.after_commit")
    return len(signed)


def signed_body(receipt: Receipt, uid: str) -> dict[str, object]:
    """Return what the signature of a receipt covers, as in docs/sealing.md."""
    place = Place(uid, receipt.phase_number, receipt.seat, receipt.seq)
    commitments = [(part, commitment) for part, commitment in receipt.commitments]
    return receipt_body(place, channel=receipt.channel, at=receipt.at, disposition=receipt.disposition, commitments=commitments)


@dataclass(frozen=True)
class ReceiptLine:
    """One receipt in a seat's own list."""

    phase: int
    seq: int
    at: datetime
    channel: str
    disposition: str
    commitments: tuple[tuple[int, str], ...]
    signature: str  # hex, "" until the worker has signed


def receipts_of(session: Session, uid: str, player_id: int) -> tuple[str, list[ReceiptLine]]:
    """Return a player's seat and everything the player handed in there, newest first; ("", []) for an observer."""
    match = by_uid(session, uid)
    sits = sitting(seats_of(session, match), player_id)
    if sits is None:
        return "", []
    own = select(Receipt).where(Receipt.match_id == match.id, Receipt.seat == sits.name, Receipt.tenure == sits.tenure)
    return sits.name, [
        ReceiptLine(
            each.phase_number, each.seq, each.at, each.channel, each.disposition,
            tuple((part, commitment) for part, commitment in each.commitments), each.signature.hex() if each.signature else "",
        )
        for each in session.exec(own.order_by(col(Receipt.id).desc()))
    ]  # fmt: skip
