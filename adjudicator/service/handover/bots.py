"""House bots that play on for silent players, in the matches of tournaments whose directors chose
so.
"""

from datetime import datetime

from sqlmodel import Session, select

from adjudicator.platform.db import Database
from adjudicator.service.base.rows import lock_by_uid, seats_of
from adjudicator.service.base.tables import Match, Seat, Tournament, TournamentTable
from adjudicator.service.matches import tenures
from adjudicator.service.people import accounts
from adjudicator.service.requests.seat_requests import Taker


def seat_bots(database: Database, uid: str, *, now: datetime) -> int:
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
        for seat, bot_id in zip(free, _idle_bots(session, seats, len(free), now), strict=True):
            tenures.take_over(session, match, seat, Taker(bot_id), now=now)
        return len(free)


def _takes_bots(session: Session, match: Match) -> bool:
    at = select(Tournament.stalled).join(TournamentTable)
    return (
        match.table_id is not None
        and session.exec(at.where(TournamentTable.id == match.table_id)).first() == "bot"
    )


def _idle_bots(session: Session, seats: list[Seat], count: int, now: datetime) -> list[int]:
    """Return house bots that have no seat in the match."""
    seated = {seat.player_id for seat in seats}
    bots = accounts.house_bots(session, len(seats), skill="sensible", now=now)
    return [bot.id for bot in bots if bot.id is not None and bot.id not in seated][:count]
