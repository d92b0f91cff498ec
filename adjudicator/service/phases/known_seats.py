"""Who has the seats of a match, by its rows: as it begins, or as a worker of this release opens its
first phase of the match.
"""

from collections.abc import Sequence

from sqlmodel import Session, col, select

from adjudicator.seal.crypto import Keyring
from adjudicator.seal.requests import WorkerSigner, tenure_proof, who_of_address
from adjudicator.service.base.phase_records import KnownSeat
from adjudicator.service.base.rows import seats_of
from adjudicator.service.base.tables import Match, Offer, Seat, SeatRequest
from adjudicator.service.log.entries import tenure_of
from adjudicator.service.log.seats.rows import plain_time
from adjudicator.service.requests.bodies import seat_request
from adjudicator.service.requests.identities import find_who


def know_seats(session: Session, keyring: Keyring, match: Match) -> dict[str, KnownSeat]:
    """Return who has each seat, and vouch for what substitutes were asked for. The log tells the
    present tenures already.
    """
    seats = seats_of(session, match)
    _vouch_for_asks(session, keyring, match, seats)
    return {seat.name: _know_seat(session, keyring, match, seat) for seat in seats}


def _know_seat(session: Session, keyring: Keyring, match: Match, seat: Seat) -> KnownSeat:
    if seat.player_id is None:
        return KnownSeat(seat.tenure)
    who = find_who(session, keyring, seat.player_id)
    if seat.tenure_proof is None:  # it began before there were proofs
        seat.tenure_proof = tenure_proof(keyring, tenure_of(match, seat), who)
    owner = find_who(session, keyring, seat.owner_id) if seat.owner_id is not None else None
    return KnownSeat(
        seat.tenure,
        plain_time(seat.taken_at),
        who,
        seat.tenure_nonce,
        owner,
        plain_time(seat.returns_at),
    )


def _vouch_for_asks(
    session: Session, keyring: Keyring, match: Match, seats: Sequence[Seat]
) -> None:
    """Vouch for the requests of substitutes that stand since before these were signed."""
    sitting = {(each.id, each.player_id, each.tenure): each for each in seats}
    query = select(Offer).where(
        col(Offer.seat_id).in_([seat.id for seat in seats]),
        col(Offer.asker_id).is_not(None),
        col(Offer.answered_at).is_(None),
        col(Offer.uid).is_not(None),
    )
    for offer in session.exec(query.order_by(col(Offer.id))).all():
        seat = sitting.get((offer.seat_id, offer.asker_id, offer.tenure))
        if seat is not None:
            _vouch_for_ask(session, keyring, match, seat, offer)


def _vouch_for_ask(
    session: Session, keyring: Keyring, match: Match, seat: Seat, offer: Offer
) -> None:
    row = SeatRequest(
        match_id=match.id or 0,
        seat=seat.name,
        tenure=seat.tenure,
        what="ask",
        at=offer.made_at,
        offer=offer.uid,
    )
    row.until, row.who = offer.returns_at, find_who(session, keyring, seat.player_id)
    row.whom = who_of_address(keyring, offer.address)
    row.request_signature = WorkerSigner(keyring).sign(seat_request(match.uid, row))
    session.add(row)
