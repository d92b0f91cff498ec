"""Envelopes and receipts as rows: made, stored with a signature, and the newest that count."""

from datetime import datetime

from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator.platform import wakeups
from adjudicator.seal import commitments
from adjudicator.seal.commitments import Contents, Place
from adjudicator.seal.requests import Voucher
from adjudicator.service.base.rows import seats_of
from adjudicator.service.base.storing import insert_row
from adjudicator.service.base.tables import Envelope, Match, PhaseRow, Receipt, Seat
from adjudicator.service.log.checks import ENVELOPES
from adjudicator.service.log.vouching import receipt_request
from adjudicator.service.requests.signing import find_signer


def make_envelope(
    phase: PhaseRow,
    place: Place,
    contents: Contents,
    at: datetime,
    *,
    tenure: int,
    for_later: bool = False,
) -> Envelope:
    """Return a draft of an envelope sealed to the phase's key; append only, the newest of the
    seat's latest tenure counts.
    """
    assert phase.public_key is not None  # noqa: S101 an open phase has one
    return Envelope.draft(
        phase_id=phase.id,
        seat=place.seat,
        seq=place.seq,
        sealed=commitments.seal_contents(phase.public_key, place, contents),
        commitments=[part.commitment for part in contents.parts],
        for_later=for_later,
        at=at,
        tenure=tenure,
    )


def newest_envelope(
    session: Session, phase: PhaseRow, seat: Seat, *, tenure: int | None = None
) -> Envelope | None:
    """Return the newest envelope of a phase that the seat's present player sealed, or that of
    another `tenure`; None for none.

    Nobody is shown an envelope of an earlier tenure; only the closing opens it.
    """
    own = (
        Envelope.phase_id == phase.id,
        Envelope.seat == seat.name,
        Envelope.tenure == (tenure or seat.tenure),
    )
    return session.exec(select(Envelope).where(*own).order_by(col(Envelope.id).desc())).first()


def is_inherited(session: Session, phase: PhaseRow, seat: Seat) -> bool:
    """Whether orders of an earlier tenure count for a seat in a phase, as its present player has
    handed in nothing.
    """
    if seat.tenure == 1:
        return False
    sealed = select(func.max(Envelope.tenure)).where(
        Envelope.phase_id == phase.id, Envelope.seat == seat.name
    )
    newest: int | None = session.exec(sealed).one()
    return newest is not None and newest < seat.tenure


def inherited_seats(session: Session, match: Match, phase: PhaseRow) -> set[str]:
    """Return the seats of a match for which `is_inherited` holds."""
    later = {seat.name: seat.tenure for seat in seats_of(session, match) if seat.tenure > 1}
    if not later:
        return set()
    newest = {each.seat: each.tenure for each in ENVELOPES.read(session, phase.id)}  # the last one
    return {name for name, tenure in later.items() if newest.get(name, tenure) < tenure}


def next_seq(session: Session, match: Match, phase: PhaseRow, seat: Seat) -> int:
    """Return the number of a seat's next submission or bare word in a phase; refused ones have
    numbers too.
    """
    return max(session.exec(_last_seq(match, phase, seat)).one() or 0, match.seq_from) + 1


def _last_seq(match: Match, phase: PhaseRow, seat: Seat) -> SelectOfScalar[int]:
    own = (
        Receipt.match_id == match.id,
        Receipt.phase_number == phase.number,
        Receipt.seat == seat.name,
    )
    return select(func.max(Receipt.seq)).where(*own)


def add_signed(
    session: Session, match: Match, receipt: Receipt, player_id: int, signer: Voucher | None
) -> None:
    """Store a receipt with the signature of who asks for it. Raises SignInAgain where nobody can
    vouch for the player.
    """
    known = signer or find_signer(session, player_id)
    receipt.signer, receipt.request_signature = (
        known.public,
        known.sign(receipt_request(match.uid, receipt)),
    )
    insert_row(session, receipt)
    wakeups.wake(session, wakeups.SIGN)
