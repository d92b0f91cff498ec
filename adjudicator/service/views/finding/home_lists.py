"""What the home page lists, for one viewer; the matches of all its lists are read together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session

from adjudicator.service.base.shown import read_steps
from adjudicator.service.views import match_list
from adjudicator.service.views.finding import match_queries, thumbnails, watching
from adjudicator.service.views.finding.thumbnails import NewestBoard
from adjudicator.service.views.match_list import Card

MOST_WATCHED = 4  # matches of other people; *Watch* has all of them


@dataclass(frozen=True)
class HomeLists:
    """The matches on the home page, by list."""

    mine: Sequence[Card]  # the viewer's own, as `match_list.match_cards` orders them
    free: Sequence[Card]  # with a seat that the viewer may take
    looking: Sequence[Card]  # with a seat that looks for a new player
    recent: Sequence[Card]  # to watch
    shown: Card | None  # whose board somebody without matches sees
    boards: Mapping[str, NewestBoard]
    steps: Mapping[str, str]


def read_home(session: Session, player_id: int | None, *, now: datetime) -> HomeLists:
    """Return the lists of the home page of a player, or of a visitor (None)."""
    mine = match_list.match_cards(session, player_id, now=now) if player_id is not None else []
    free = session.exec(match_queries.open_matches(session, player_id, match_list.MOST_FREE)).all()
    looking = session.exec(match_queries.looking_matches(player_id, match_list.MOST_LOOKING)).all()
    shown = None if mine else watching.pictured_match(session, now=now)
    passed_over = {card.uid for card in mine} | ({shown.uid} if shown else set())
    recent = session.exec(match_queries.recent_matches(match_list.MOST_RECENT))
    watched = [each for each in recent if each.uid not in passed_over][:MOST_WATCHED]
    others = match_list.cards_of(
        session, [*free, *looking, *watched, *([shown] if shown else [])], player_id, now=now
    )
    cards = {card.uid: card for card in others}
    uids = list(dict.fromkeys([*(card.uid for card in mine), *cards]))
    return HomeLists(
        mine,
        [cards[each.uid] for each in free],
        [replace(cards[each.uid], progress=None) for each in looking],
        [cards[each.uid] for each in watched],
        cards[shown.uid] if shown else None,
        thumbnails.newest_boards(session, uids),
        read_steps(session, uids, now),
    )
