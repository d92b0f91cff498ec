"""Seats whose press a player does not want to read. The writer is never told; only the player who
muted a seat sees that.
"""

from sqlmodel import Session, select

from adjudicator.core.game import Seat
from adjudicator.platform.words import seat_phrase
from adjudicator.service.base.errors import NotNow, Refused
from adjudicator.service.base.press_rules import hides_writers, press_kind
from adjudicator.service.base.tables import Match, Mute
from adjudicator.service.matches import masters
from adjudicator.service.requests.acts import act
from adjudicator.service.requests.rights import lock_own_seat


@act
def mute_seat(session: Session, uid: str, player_id: int, seat_name: str, *, mute: bool) -> Seat:
    """Hide the press of a seat from a player, or show it again; returns the seat. A repetition
    changes nothing. Raises Refused with a sentence.

    Anonymous press cannot be muted by seat: what is missing would tell who wrote it.
    """
    match, own = lock_own_seat(session, uid, player_id)
    if press_kind(match) == "none":
        raise NotNow("This match is played without press, so there is none to mute.")
    if hides_writers(match):
        raise NotNow(
            "The press of this match is anonymous: muting a seat would tell who wrote what."
        )
    seat = masters.named_seat(session, match, seat_name).name
    if seat == own.name:
        raise Refused(
            f"{seat_phrase(seat).capitalize()} is your own seat; you read what you write."
        )
    _set(session, match, player_id, seat, mute=mute)
    return seat


def _set(session: Session, match: Match, player_id: int, seat: Seat, *, mute: bool) -> None:
    known = select(Mute).where(
        Mute.match_id == match.id, Mute.player_id == player_id, Mute.seat == seat
    )
    row = session.exec(known).first()
    if mute and row is None:
        session.add(Mute(match_id=match.id, player_id=player_id, seat=seat))
    elif not mute and row is not None:
        session.delete(row)
    session.flush()
