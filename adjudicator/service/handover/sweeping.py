"""What the sweep finds to do for seats that change hands: spans of substitutes that are over,
standbys to be asked.
"""

from datetime import datetime

from sqlmodel import Session, col, select, union

from adjudicator.platform.db import Database
from adjudicator.service.base.tables import Match, Seat
from adjudicator.service.handover import bots, standbys, substitutes


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
    returned = substitutes.return_seats(database, uid, now=now) + bots.seat_bots(
        database, uid, now=now
    )
    return bool(standbys.ask_standbys(database, uid, now=now) + returned)
