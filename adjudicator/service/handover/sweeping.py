"""What the sweep finds to do for seats that change hands: spans of substitutes that are over,
standbys to be asked, house bots that play on in tournaments whose directors chose so.
"""

from datetime import datetime

from sqlmodel import Session, col, select, union

from adjudicator.platform.db import Database
from adjudicator.service.base.rows import lock_by_uid, seats_of
from adjudicator.service.base.tables import Match, Seat, Tournament, TournamentTable
from adjudicator.service.handover import standbys, substitutes
from adjudicator.service.matches import tenures
from adjudicator.service.people import accounts
from adjudicator.service.requests.seat_requests import Taker


def matches_to_tend(session: Session, now: datetime, *, most: int) -> list[str]:
    """Return the public names of matches with a seat to return or standbys to ask; an index serves
    each.
    """
    returning = select(Seat.match_id).where(col(Seat.returns_at) <= now)
    asking = select(Seat.match_id).where(col(Seat.next_ask_at) <= now)
    wanted = (
        select(Match.uid).where(col(Match.id).in_(union(returning, asking))).order_by(col(Match.id))
    )
    return list(session.exec(wanted.limit(most)))


def tend_seats(database: Database, uid: str, *, now: datetime) -> bool:
    """Return the seats of a match whose span is over, seat bots if its tournament says so, then ask
    its standbys.

    Returns whether it did anything. Idempotent.
    """
    returned = substitutes.return_seats(database, uid, now=now) + _seat_bots(database, uid, now=now)
    return bool(standbys.ask_standbys(database, uid, now=now) + returned)


def _seat_bots(database: Database, uid: str, *, now: datetime) -> int:
    """Give the seats of a match that look for a player to house bots, if its tournament says so;
    returns how many. Idempotent.
    """
    with database.write_tx() as session:
        match = lock_by_uid(session, uid)
        seats = seats_of(session, match)
        free = [
            seat
            for seat in seats
            if seat.open_since is not None and not tenures.has_returned(session, seat)
        ]
        if match.status != "running" or not free or not _takes_bots(session, match):
            return 0
        for seat, bot_id in zip(free, accounts.idle_bots(session, seats, now=now), strict=False):
            tenures.take_over(session, match, seat, Taker(bot_id), now=now)
        return len(free)


def _takes_bots(session: Session, match: Match) -> bool:
    at = select(Tournament.stalled).join(TournamentTable)
    return (
        match.table_id is not None
        and session.exec(at.where(TournamentTable.id == match.table_id)).first() == "bot"
    )
