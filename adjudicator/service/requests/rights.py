"""Who may do an act: what the acts of matches ask of a person, and what everybody else is told."""

from sqlmodel import Session

from adjudicator.service.base.errors import NotAllowed
from adjudicator.service.base.rows import lock_by_uid, may_run, seats_of, sitting
from adjudicator.service.base.tables import Match, Seat

NO_SEAT = "You have no seat in this match."


def require_seat(
    session: Session, match: Match, player_id: int | None, refusal: str = NO_SEAT
) -> Seat:
    """Return a player's seat; raises NotAllowed for a player without one."""
    seat = sitting(seats_of(session, match), player_id)
    if seat is None:
        raise NotAllowed(refusal)
    return seat


def lock_own_seat(
    session: Session, uid: str, player_id: int, refusal: str = NO_SEAT
) -> tuple[Match, Seat]:
    """Lock a match and return it with a player's seat; raises NotAllowed for a player without
    one.
    """
    match = lock_by_uid(session, uid)
    return match, require_seat(session, match, player_id, refusal)


def require_runs(
    session: Session, match: Match, player_id: int | None, *, own: bool = False
) -> None:
    """Raise NotAllowed for a player who does not run a match; `own`: as its own master, who made
    it.
    """
    if not (match.master_id == player_id if own else may_run(session, match, player_id)):
        raise NotAllowed("Only the master of this match may do that.")
