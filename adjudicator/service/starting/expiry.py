"""Open matches that do not fill: after the days that they were given they expire, and everybody in
them is told.
"""

from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from adjudicator.platform.db import Database
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.names import PlayerName
from adjudicator.service.base.rows import lock_by_uid, seats_of
from adjudicator.service.base.tables import Match, Player
from adjudicator.service.matches import waiting_list
from adjudicator.service.matches.notes import SERVICE, add_note
from adjudicator.service.matches.waiting_list import write_to_player
from adjudicator.service.requests.acts import act
from adjudicator.service.requests.rights import require_runs

_AGAIN = timedelta(hours=1)  # a renewal within this time after another changes nothing


def to_expire(session: Session, now: datetime, *, most: int = 200) -> list[str]:
    """Return the public names of open matches with a free seat whose time is over."""
    wanted = select(Match.uid).where(
        Match.status == "open", col(Match.expires_at) <= now, col(Match.all_taken).is_(False)
    )
    return list(session.exec(wanted.order_by(col(Match.expires_at)).limit(most)))


def expire_match(database: Database, uid: str, *, now: datetime) -> bool:
    """End a match that is not full in time; returns whether this call did. A match that is full
    begins instead.
    """
    with database.write_tx() as session:
        match = lock_by_uid(session, uid)
        seats = seats_of(session, match)
        if (
            match.status != "open"
            or match.expires_at is None
            or match.expires_at > now
            or all(seat.taken_at for seat in seats)
        ):
            return False
        match.status, match.ended_at, match.join_token = "expired", now, None
        people = [seat.player_id for seat in seats if seat.player_id is not None]
        for seat in seats:
            seat.kept_for = seat.invitation_hash = None
        for player_id in dict.fromkeys([match.master_id, *people]):
            waiting_list.stop_waiting(session, match, player_id)
            write_to_player(session, match, player_id, "expired", now=now)
        waiting_list.dismiss(session, match, "expired", now=now)
        add_note(
            session,
            match,
            now,
            SERVICE,
            f"ended the match, which was not full within {match.expire_days} days",
        )
    return True


@act
def renew_match(session: Session, uid: str, player_id: int, *, now: datetime) -> datetime:
    """Give an open match its days anew; returns when it expires. Raises NotAllowed for others than
    its masters, or NotNow.
    """
    match = lock_by_uid(session, uid)
    require_runs(session, match, player_id)
    if match.status not in ("making", "open"):
        raise NotNow(
            "This match has expired; make another one."
            if match.status == "expired"
            else "This match has begun."
        )
    if match.expires_at is None or match.expire_days is None:
        raise NotNow("This match waits for players without a limit, so there is nothing to renew.")
    later = now + timedelta(days=match.expire_days)
    if later - match.expires_at >= _AGAIN:
        match.expires_at = later
        name = PlayerName(session.get_one(Player, player_id))
        add_note(session, match, now, name, f"gave the match {match.expire_days} more days to fill")
    return match.expires_at
