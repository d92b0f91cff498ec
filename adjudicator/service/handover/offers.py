"""Offers of seats by letter: what the page of the link shows, taking and declining, by the link or
by answering.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, select

from adjudicator.platform.db import Database
from adjudicator.platform.words import seat_phrase
from adjudicator.service.base.errors import NotFound, NotNow
from adjudicator.service.base.rows import exists, lock_match, open_phase, token_hash
from adjudicator.service.base.tables import Match, Offer, Seat
from adjudicator.service.handover.substitutes import lend_seat
from adjudicator.service.handover.takeovers import GONE, Taken, give_seat, require_running
from adjudicator.service.matches import tenures
from adjudicator.service.matches.seats import Accepted, JoinedMatch, describe_match
from adjudicator.service.matches.tenure_letters import News, tell_player
from adjudicator.service.people import accounts, sessions
from adjudicator.service.requests.acts import act
from adjudicator.service.requests.confirming import of_token
from adjudicator.service.requests.seat_requests import Taker
from adjudicator.service.tokens.references import Reference

_OVER = "This seat is no longer offered: somebody has it, or the match is over."


@dataclass(frozen=True, kw_only=True)
class Offered(JoinedMatch):
    """A seat that is offered to the reader of a letter."""

    id: int
    seat: str
    address: str
    phase: str
    deadline: datetime | None
    returns_at: datetime | None  # when a substitute's span ends; None: the seat is to be taken over
    # to the address that takes the answer; None where it is over, or of an earlier release
    reference: Reference | None


def offer_of_token(session: Session, token: str) -> Offered:
    """Return the offer of a letter's link; raises NotFound if it cannot be accepted any more.
    Read-only.
    """
    offer = _of_link(session, token)
    if not _stands(session, offer):
        raise NotFound(_OVER)
    return _described(session, offer)


def _of_link(session: Session, token: str) -> Offer:
    offer = (
        session.exec(select(Offer).where(Offer.token_hash == token_hash(token))).first()
        if "\0" not in token
        else None
    )
    if offer is None:
        raise NotFound(_OVER)
    return offer


def _stands(session: Session, offer: Offer) -> bool:
    match = session.get_one(Match, offer.match_id)
    return match.status == "running" and exists(
        session, tenures.standing_offers().where(Offer.id == offer.id)
    )


def find_offer(session: Session, offer_id: int) -> Offered:
    """Return an offer that a letter answers, also one that was answered or is over."""
    return _described(session, session.get_one(Offer, offer_id))


def _described(session: Session, offer: Offer) -> Offered:
    match, seat = session.get_one(Match, offer.match_id), session.get_one(Seat, offer.seat_id)
    phase = open_phase(session, match)
    return Offered(
        **describe_match(session, match),
        id=offer.id,
        seat=seat.name,
        address=offer.address,
        phase=phase.name if phase else "",
        deadline=phase.deadline if phase else None,
        returns_at=offer.returns_at,
        reference=Reference("offer", offer.uid) if offer.uid and _stands(session, offer) else None,
    )


def accept_offer(
    database: Database, token: str, *, zone: str, now: datetime, viewer_id: int | None = None
) -> Accepted:
    """Take the seat of a letter's link; taking it again changes nothing. A new player is signed in,
    and is the guest who opens it. Raises Refused with a sentence.
    """
    with database.write_tx() as session:
        offer = _of_link(session, token)
        opened = sessions.open_letter(
            session, offer.address, of_token(session, "offer", token), viewer_id
        )
        taken, player_id = accept_in(session, offer.id, zone=zone, now=now, token=token)
    entry = sessions.enter_by_letter(database, player_id, opened, uid=taken.uid, zone=zone, now=now)
    return Accepted(taken.uid, opened.address, entry)


def accept_in(
    session: Session, offer_id: int, *, zone: str, now: datetime, token: str = ""
) -> tuple[Taken, int]:
    """Take an offered seat in the caller's transaction; returns it and the player's id. Doing it
    again changes nothing.

    The `token` of the letter's link proves to the worker who takes it; without one the process
    vouches, as of the answer to a letter.
    """
    offer = session.get_one(Offer, offer_id)
    match = session.get_one(Match, offer.match_id)
    lock_match(session, match)
    session.refresh(offer)
    seat = session.get_one(Seat, offer.seat_id, populate_existing=True)
    player = accounts.for_address(session, offer.address, zone=zone, now=now)
    taker = Taker(player.id, offer, token)
    if seat.player_id != player.id:
        require_running(match)
        if not _stands(session, offer):
            raise NotNow(GONE if offer.asker_id is None else "This is no longer asked for.")
    if offer.asker_id is None or seat.player_id == player.id:
        taken = give_seat(session, match, seat, taker, now=now)
    else:
        taken = lend_seat(session, match, seat, offer, taker, now=now)
    offer.answered_at = now
    return taken, player.id


@act
def decline_offer(session: Session, token: str, *, now: datetime) -> str:
    """Decline the seat of a letter's link; returns the match's name. Raises NotFound."""
    offered = offer_of_token(session, token)
    decline_in(session, offered.id, now=now)
    return offered.match


def decline_in(session: Session, offer_id: int, *, now: datetime) -> None:
    """Decline an offer in the caller's transaction; who asked a substitute is told."""
    offer = session.get_one(Offer, offer_id)
    match = session.get_one(Match, offer.match_id)
    lock_match(session, match)
    session.refresh(offer)
    if offer.answered_at is None:
        offer.answered_at = now
        _tell_asker(session, match, offer, now)


def _tell_asker(session: Session, match: Match, offer: Offer, now: datetime) -> None:
    seat = session.get_one(Seat, offer.seat_id)
    news = News(
        "Your substitute declined",
        (f"{offer.address} will not play {seat_phrase(seat.name)}; the seat stays yours.",),
    )
    if offer.asker_id is not None and (seat.player_id, seat.tenure) == (
        offer.asker_id,
        offer.tenure,
    ):
        tell_player(session, match, offer.asker_id, news, now=now, seat=seat)
