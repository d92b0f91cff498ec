"""The lists of the home page, each by itself."""

from datetime import datetime

from sqlmodel import Session

from adjudicator.service.views import match_list
from adjudicator.service.views.finding import match_queries
from adjudicator.service.views.match_list import Card


def open_matches(session: Session, player_id: int | None, *, most: int = 20) -> list[Card]:
    """Return open matches with a free seat for this viewer."""
    found = session.exec(match_queries.open_matches(session, player_id, most))
    return match_list.cards_of(session, found, player_id)


def recent_matches(
    session: Session, *, most: int = match_list.MOST_RECENT, now: datetime | None = None
) -> list[Card]:
    """Return running matches, then ended ones."""
    found = session.exec(match_queries.recent_matches(most))
    return match_list.cards_of(session, found, None, now=now)
