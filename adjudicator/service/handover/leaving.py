"""Leaving a running match, and coming back."""

from datetime import datetime

from sqlmodel import Session, select

from adjudicator.platform.words import seat_phrase
from adjudicator.service.base.errors import NotAllowed
from adjudicator.service.base.rows import lock_by_uid, seats_of, sitting
from adjudicator.service.base.tables import Match, Seat
from adjudicator.service.handover import substitutes
from adjudicator.service.handover.takeovers import require_running
from adjudicator.service.matches import tenure_letters, tenures
from adjudicator.service.requests.acts import act

_NONE = "You have no seat in this match."


@act
def resign(session: Session, uid: str, player_id: int, *, now: datetime) -> str:
    """Leave a seat of a running match for good; others may take it over. Returns the sentence for
    the player.

    Raises NotAllowed for a player without a seat, NotNow where the match is not running. A
    substitute gives the seat back.
    """
    match, seat = _own(session, uid, player_id)
    require_running(match)
    name = seat_phrase(seat.name)
    if seat.owner_id is not None:
        substitutes.return_seat(session, match, seat, player_id, now=now)
        return f"You gave {name} in {match.name} back to its player."
    tenures.open_seat(session, match, seat, "resigned", now=now)
    return (
        f"You left {name} in {match.name}, and it looks for a new player. Orders that you sealed"
        " count until that player hands in others."
    )


@act
def come_back(session: Session, uid: str, player_id: int, *, now: datetime) -> str:
    """Keep an open seat, or take back one that a substitute plays; returns the sentence for the
    player. Raises NotAllowed, NotNow.
    """
    match = lock_by_uid(session, uid)
    lent = session.exec(
        select(Seat).where(Seat.match_id == match.id, Seat.owner_id == player_id)
    ).first()
    if lent is not None:
        require_running(match)
        substitutes.return_seat(session, match, lent, player_id, now=now)
        return (
            f"{tenure_letters.capitalize(seat_phrase(lent.name))} in {match.name} is yours again."
        )
    match, seat = _own(session, uid, player_id)
    require_running(match)
    back = tenures.come_back(session, match, seat, now=now)
    name = tenure_letters.capitalize(seat_phrase(seat.name))
    return (
        f"{name} in {match.name} stays yours."
        if back
        else f"{name} in {match.name} is yours; it looks for nobody."
    )


def _own(session: Session, uid: str, player_id: int) -> tuple[Match, Seat]:
    match = lock_by_uid(session, uid)
    seat = sitting(seats_of(session, match), player_id)
    if seat is None:
        raise NotAllowed(_NONE)
    return match, seat
