"""Leaving a running match, and coming back."""

from datetime import datetime

from sqlmodel import Session, select

from adjudicator.platform.words import seat_phrase
from adjudicator.service.base.rows import lock_by_uid
from adjudicator.service.base.tables import Seat
from adjudicator.service.handover import substitutes
from adjudicator.service.handover.takeovers import require_running
from adjudicator.service.matches import tenure_letters, tenures
from adjudicator.service.requests.acts import act
from adjudicator.service.requests.rights import lock_own_seat


@act
def resign(session: Session, uid: str, player_id: int, *, now: datetime) -> str:
    """Leave a seat of a running match for good; others may take it over. Returns the sentence for
    the player.

    Raises NotAllowed for a player without a seat, NotNow where the match is not running. A
    substitute gives the seat back.
    """
    match, seat = lock_own_seat(session, uid, player_id)
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
    match, seat = lock_own_seat(session, uid, player_id)
    require_running(match)
    back = tenures.come_back(session, match, seat, now=now)
    name = tenure_letters.capitalize(seat_phrase(seat.name))
    return (
        f"{name} in {match.name} stays yours."
        if back
        else f"{name} in {match.name} is yours; it looks for nobody."
    )
