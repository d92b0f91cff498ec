"""The envelopes that the worker may open for a seat: those that the seat's own player sealed."""

from sqlmodel import Session, col, select

from adjudicator.seal.crypto import Keyring
from adjudicator.service.base.phase_records import asks_for_signatures
from adjudicator.service.base.tables import Envelope, Match, PhaseRow, Receipt, Seat
from adjudicator.service.log.key_changes import keyring_in_force
from adjudicator.service.log.receipt_chains import is_signed_receipt, sign_waiting
from adjudicator.service.log.vouching import carried_on
from adjudicator.service.orders.envelopes import newest_envelope


def newest_known(
    session: Session,
    keyring: Keyring,
    match: Match,
    phase: PhaseRow,
    seat: Seat,
    *,
    tenure: int | None = None,
) -> Envelope | None:
    """Return the newest envelope that the seat's present player sealed, or that of another
    `tenure`; None for none.

    The caller holds the match. Receipts that wait are signed first. An envelope without a signed
    receipt is passed over, unless the worker carried it on from a plan.
    """
    if not match.sealing or not asks_for_signatures(keyring, match, phase):
        return newest_envelope(session, phase, seat, tenure=tenure)
    sign_waiting(session, keyring, match)
    own = (
        Envelope.phase_id == phase.id,
        Envelope.seat == seat.name,
        Envelope.tenure == (tenure or seat.tenure),
    )
    stored = {each.seq: each for each in session.exec(select(Envelope).where(*own))}
    receipts = (
        Receipt.match_id == match.id,
        Receipt.phase_number == phase.number,
        Receipt.seat == seat.name,
    )
    held = keyring_in_force(keyring, match)  # it holds all keys of the log so far
    known = {
        each.seq
        for each in session.exec(
            select(Receipt).where(*receipts, col(Receipt.signature).is_not(None))
        )
        if each.disposition != "refused"
        and each.seq in stored
        and each.tenure == stored[each.seq].tenure
        and stored[each.seq].commitments == [commitment for _, commitment in each.commitments]
        and is_signed_receipt(held, each, match.uid)
    }
    if 0 in stored and carried_on(keyring, match.uid, phase.number, stored[0]) is not None:
        known.add(0)
    return stored[max(known)] if known else None
