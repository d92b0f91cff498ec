"""What masters do about silent players: open a seat to a new player, or forgive what its player
missed. Each has a public reason.
"""

from datetime import datetime

from sqlmodel import Session

from adjudicator.core.game import Seat
from adjudicator.platform.words import seat_phrase
from adjudicator.service.base.errors import NotAllowed, NotNow
from adjudicator.service.handover.takeovers import require_running
from adjudicator.service.matches import masters, tenures
from adjudicator.service.matches.notes import add_note
from adjudicator.service.matches.tenure_letters import AtOnce, capitalize
from adjudicator.service.requests.acts import act_once


@act_once
def replace_player(
    session: Session, uid: str, player_id: int, seat_name: str, reason: str, *, now: datetime
) -> Seat:
    """Open a seat to a new player, as master. Raises Refused with a sentence if nothing was
    changed.
    """
    match, name = masters.lock_to_run(session, uid, player_id, now=now)
    require_running(match)
    seat, why = masters.named_seat(session, match, seat_name), masters.clean_reason(reason)
    if seat.player_id == player_id:
        raise NotAllowed("That is your own seat: `resign` and its name leave it.")
    if seat.player_id is None:
        raise NotNow(f"{seat_phrase(seat.name).capitalize()} looks for a new player already.")
    if not masters.may_hasten(session, match, player_id):
        raise NotAllowed(
            "You play in this match yourself, and so do other people: only a master who does not"
            " play replaces one of them."
        )
    masters.require_few_at(
        session, match, f"opened {seat_phrase(seat.name)} to a new player: ", now
    )
    tenures.open_seat(session, match, seat, "replaced", now=now, who=name, reason=why)
    return seat.name


@act_once
def excuse_player(
    session: Session, uid: str, player_id: int, seat_name: str, reason: str, *, now: datetime
) -> Seat:
    """Forgive the phases that the player of a seat missed, as master. Raises Refused with a
    sentence if nothing was changed.
    """
    match, name = masters.lock_to_run(session, uid, player_id, now=now)
    require_running(match)
    seat, why = masters.named_seat(session, match, seat_name), masters.clean_reason(reason)
    if seat.player_id is None or (not seat.misses and seat.open_since is None):
        raise NotNow(
            f"{seat_phrase(seat.name).capitalize()} has missed nothing that could be forgiven."
        )
    excused = f"excused {seat_phrase(seat.name)}: "
    masters.require_few_at(session, match, excused, now)
    searched = tenures.come_back(session, match, seat, now=now, quiet=True)
    seat.misses = 0
    title = f"{capitalize(seat_phrase(seat.name))} was excused"
    more = ("The seat looks for nobody any more.",) if searched else ()
    add_note(session, match, now, name, excused + why, news=AtOnce(title, more))
    return seat.name
