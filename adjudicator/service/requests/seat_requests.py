"""The signed requests by which seats of running matches change hands: what the site and the workers
store for the log.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from adjudicator.seal import crypto
from adjudicator.seal.requests import SignedRequest, WorkerSigner, who_of_address
from adjudicator.service.base import public_keys
from adjudicator.service.base.tables import Match, Offer, Seat, SeatRequest
from adjudicator.service.requests.bodies import SeatChange, seat_request
from adjudicator.service.requests.identities import find_who
from adjudicator.service.requests.signing import WHOEVER, find_signer


@dataclass(frozen=True)
class Taker:
    """Who takes a seat, and the offer whose letter's link proves who that is; without its token the
    player's session signs.
    """

    player_id: int
    offer: Offer | None = None
    token: str = ""


def bound_to(request: SignedRequest) -> bytes:
    """Return what a box with the token of an offer is bound to: one change of one seat."""
    return b"seat:" + request.digest


def add_request(
    session: Session,
    match: Match,
    seat: Seat,
    what: SeatChange,
    now: datetime,
    *,
    player_id: int | None,
    offer: Offer | None = None,
) -> None:
    """Store why a seat changes hands, signed by the session of who asks; the worker names the
    player itself for whom it acts.

    `player_id` is None where the service itself acts. The tenure is the seat's present one. Nothing
    in a match without a log. Raises SignInAgain where nobody can vouch for it.
    """
    if not match.sealing:
        return
    row = _new_row(match, seat, what, now, offer)
    signer = find_signer(session, player_id if player_id is not None else WHOEVER)
    if isinstance(signer, WorkerSigner):
        row.who = find_who(session, signer.keyring, player_id) if player_id is not None else None
        row.whom = (
            who_of_address(signer.keyring, offer.address)
            if offer is not None and what == "ask"
            else None
        )
    address = offer.address if offer is not None else None
    row.signer, row.request_signature = (
        signer.public,
        signer.sign(seat_request(match.uid, row, address)),
    )
    session.add(row)


def add_taking(
    session: Session, match: Match, seat: Seat, what: SeatChange, now: datetime, taker: Taker
) -> None:
    """Store that somebody takes a seat in the tenure that begins, signed as by `add_request`, or
    proved by the token of an offer.
    """
    if not taker.token or taker.offer is None or not match.sealing:
        add_request(session, match, seat, what, now, player_id=taker.player_id, offer=taker.offer)
        return
    row = _new_row(match, seat, what, now, taker.offer)
    bound = bound_to(seat_request(match.uid, row, taker.offer.address))
    row.box = crypto.seal(
        public_keys.current_keys(session).wrapping, taker.token.encode(), bound_to=bound
    )
    session.add(row)


def _new_row(
    match: Match, seat: Seat, what: SeatChange, now: datetime, offer: Offer | None
) -> SeatRequest:
    row = SeatRequest(match_id=match.id, seat=seat.name, tenure=seat.tenure, what=what, at=now)
    row.offer, row.until = (offer.uid, offer.returns_at) if offer is not None else (None, None)
    return row
