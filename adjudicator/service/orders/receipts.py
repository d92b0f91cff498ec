"""Receipts and the worker's signatures on them; a signature covers everything on a receipt except
its nonces.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from adjudicator.platform import failpoints, wakeups
from adjudicator.platform.db import Database
from adjudicator.seal.crypto import Keyring
from adjudicator.service.base import rows
from adjudicator.service.base.rows import by_uid, seats_of, sitting
from adjudicator.service.base.tables import Receipt
from adjudicator.service.log import receipt_chains
from adjudicator.service.log.receipt_chains import WAITS
from adjudicator.service.requests import confirming


def any_unsigned(session: Session) -> bool:
    """Whether a receipt waits for its signature."""
    return session.exec(select(Receipt.id).where(*WAITS).limit(1)).first() is not None


def sign_receipts(database: Database, keyring: Keyring, *, most: int = 500) -> int:
    """Sign receipts that are not signed yet, oldest first; returns how many.

    The worker first looks at the sessions that wait for it. A receipt that is not from who it says
    is never signed. The matches are held meanwhile, so that no closing counts a chain of receipts
    that is being extended.
    """
    confirming.confirm_sessions(database, keyring)
    with database.read_tx() as session:
        # SQLite would read all receipts in the order of the column itself
        oldest_first = col(Receipt.id) + 0
        unsigned = (
            select(Receipt.id, Receipt.match_id).where(*WAITS).order_by(oldest_first).limit(most)
        )
        waiting = session.exec(unsigned).all()
    signed = 0
    if waiting:
        with database.write_tx() as session:
            held = rows.hold_matches(session, {match_id for _, match_id in waiting})
            signed = receipt_chains.sign_all(session, keyring, held, last=waiting[-1][0])
            if signed:
                wakeups.wake(session, wakeups.POST)
            failpoints.kill_here("sign.before_commit")
        failpoints.kill_here("sign.after_commit")
    return signed


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
    says: str = ""  # ready or wait, if it is a bare word
    rejected: bool = False  # whether the worker found that it is not from this seat's player


def receipts_of(session: Session, uid: str, player_id: int) -> tuple[str, list[ReceiptLine]]:
    """Return a player's seat and everything the player handed in there, newest first; ("", []) for
    an observer.
    """
    match = by_uid(session, uid)
    sits = sitting(seats_of(session, match), player_id)
    if sits is None:
        return "", []
    own = select(Receipt).where(
        Receipt.match_id == match.id, Receipt.seat == sits.name, Receipt.tenure == sits.tenure
    )
    return sits.name, [
        ReceiptLine(
            each.phase_number,
            each.seq,
            each.at,
            each.channel,
            each.disposition,
            tuple((part, commitment) for part, commitment in each.commitments),
            each.signature.hex() if each.signature else "",
            (each.says or "") if not each.commitments else "",
            each.rejected is not None,
        )
        for each in session.exec(own.order_by(col(Receipt.id).desc()))
    ]
