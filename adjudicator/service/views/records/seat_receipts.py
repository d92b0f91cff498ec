"""The receipts of a viewer's own seat, each with what became of its orders; for that seat alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlmodel import Session, col, select

from adjudicator.seal.commitments import receipt_hash
from adjudicator.seal.crypto import PublicKeys, is_signed_by
from adjudicator.service.base import public_keys
from adjudicator.service.base.errors import NotFound
from adjudicator.service.base.rows import by_uid, seats_of, sitting
from adjudicator.service.base.tables import Match, PhaseRow, Receipt, Seat
from adjudicator.service.log.receipt_chains import signed_body
from adjudicator.service.views.match_page import LARGEST_NUMBER

Fate = Literal["sealed", "counted", "replaced", "refused", "left", "ready", "wait", "foreign"]


@dataclass(frozen=True)
class CountedOrders:
    """Orders of a submission that counted: in its own phase, or in a later one where they came from
    a plan.
    """

    phase: str  # its name
    orders: tuple[str, ...]


@dataclass(frozen=True)
class SeatReceipt:
    """One receipt in a seat's own list."""

    phase: int
    phase_name: str
    seq: int
    at: datetime
    channel: str  # form, letter, house
    late: bool  # after the deadline, and still in time
    # sealed: still closed. left: accepted, and neither counted nor replaced in its phase, such as a
    # plan that was dropped. ready, wait: a bare word. foreign: not from this player, as the worker
    # found, so it is never signed.
    fate: Fate
    counted: tuple[CountedOrders, ...]
    commitments: tuple[tuple[int, str], ...]
    # its place in the tenure's chain of receipts, from 1; None in a match without a log, or until
    # it is signed
    number: int | None
    prev: str
    head: str
    hash: str  # what the signature covers, and what the next receipt names as `prev`
    signature: str  # hex, "" until the worker has signed


@dataclass(frozen=True)
class SeatReceipts:
    """What a player holds of the seat that they have now."""

    seat: str
    tenure: int
    nonce: str  # of the tenure's hash in the log; "" where there is none
    lines: tuple[SeatReceipt, ...]  # newest first


def seat_receipts(session: Session, uid: str, player_id: int) -> SeatReceipts | None:
    """Return everything that a player handed in from the seat that they have now; None for an
    observer. Raises NotFound.
    """
    match = by_uid(session, uid)
    seat = sitting(seats_of(session, match), player_id)
    if seat is None:
        return None
    receipts = list(session.exec(_own(match, seat).order_by(col(Receipt.id).desc())))
    phases = {
        row.number: row
        for row in session.exec(select(PhaseRow).where(PhaseRow.match_id == match.id))
    }
    counted = _counted(phases, seat.name)
    newest: dict[int, int] = {}
    for each in receipts:
        if each.disposition != "refused" and each.commitments and each.rejected is None:
            newest[each.phase_number] = max(each.seq, newest.get(each.phase_number, 0))
    lines = tuple(
        _line(match, each, phases, counted, newest.get(each.phase_number, 0)) for each in receipts
    )
    return SeatReceipts(seat.name, seat.tenure, seat.tenure_nonce or "", lines)


def _own(match: Match, seat: Seat) -> Any:
    return select(Receipt).where(
        Receipt.match_id == match.id, Receipt.seat == seat.name, Receipt.tenure == seat.tenure
    )


def _counted(phases: Mapping[int, PhaseRow], seat: str) -> dict[str, CountedOrders]:
    """Return the orders of a seat that counted, by the commitment that they were opened from."""
    taken = (
        (row.name, (row.taken or {}).get(seat, {}))
        for row in phases.values()
        if row.closed_at is not None
    )
    return {
        given["commitment"]: CountedOrders(name, tuple(given["orders"].splitlines()))
        for name, given in taken
        if "commitment" in given
    }


def _line(
    match: Match,
    row: Receipt,
    phases: Mapping[int, PhaseRow],
    counted: Mapping[str, CountedOrders],
    newest: int,
) -> SeatReceipt:
    phase = phases.get(row.phase_number)
    own = tuple(counted[commitment] for _, commitment in row.commitments if commitment in counted)
    fate: Fate = (
        "foreign"
        if row.rejected is not None
        else (
            "refused"
            if row.disposition == "refused"
            else (
                "counted"
                if own
                else (
                    "ready"
                    if not row.commitments and row.says == "ready"
                    else (
                        "wait"
                        if not row.commitments
                        else (
                            "replaced"
                            if row.seq < newest
                            else (
                                "sealed"
                                if phase is not None and phase.closed_at is None
                                else "left"
                            )
                        )
                    )
                )
            )
        )
    )
    return SeatReceipt(
        row.phase_number,
        phase.name if phase is not None else "",
        row.seq,
        row.at,
        row.channel,
        row.disposition == "late",
        fate,
        own,
        tuple((part, commitment) for part, commitment in row.commitments),
        row.number,
        row.prev or "",
        row.head or "",
        receipt_hash(signed_body(row, match.uid)).hex(),
        row.signature.hex() if row.signature else "",
    )


def signed_receipt(
    session: Session, uid: str, player_id: int, phase: int, seq: int
) -> dict[str, Any]:
    """Return one signed receipt of the player's own seat as the file of a receipt letter has it,
    without the orders and their nonces.

    Raises NotFound where the seat has no such receipt, or until it is signed.
    """
    match = by_uid(session, uid)
    seat = sitting(seats_of(session, match), player_id)
    row = (
        session.exec(
            _own(match, seat).where(Receipt.phase_number == phase, Receipt.seq == seq)
        ).first()
        if seat is not None and max(phase, seq) <= LARGEST_NUMBER
        else None
    )
    if row is None or row.signature is None:
        raise NotFound("There is no such signed receipt of your seat.")
    body, signature = signed_body(row, match.uid), row.signature
    digest = receipt_hash(body)
    published = public_keys.list_keys(session)[::-1]
    signers = (
        each.fingerprint
        for each in published
        if is_signed_by(PublicKeys.of(each.document).signing, digest, signature)
    )
    return {"receipt": body, "signature": signature.hex(), "keys": next(signers, "")}


def sealing_times(session: Session, uid: str, player_id: int) -> dict[str, datetime]:
    """Return when each commitment of the player's own seat was sealed; nothing for an observer."""
    match = by_uid(session, uid)
    seat = sitting(seats_of(session, match), player_id)
    if seat is None:
        return {}
    columns = col(Receipt.at), col(Receipt.commitments)
    rows = session.execute(_own(match, seat).with_only_columns(*columns))
    return {commitment: at for at, commitments in rows for _, commitment in commitments}
