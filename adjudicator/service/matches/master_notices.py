"""Notices: what whoever runs a match changed in it, told to every seat by letter."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlmodel import Session

from adjudicator.service.base import public_keys
from adjudicator.service.base.rows import seats_of
from adjudicator.service.base.state import game_of
from adjudicator.service.base.tables import Match, Phase, Player
from adjudicator.service.letters import outbox


@dataclass(frozen=True)
class News:
    """What was changed, and by whom: a player's name, or "the host"."""

    what: Literal["paused", "resumed", "deadline"]
    who: str
    was: datetime | None = None  # the deadline before
    since: datetime | None = None  # when the pause began


def write(session: Session, match: Match, phase: Phase, news: News, *, now: datetime) -> None:
    """Add a letter for every seat whose player has an address and wants letters; the match is locked, the change is made."""
    public = public_keys.current(session)
    told = {
        "match": match.name, "uid": match.uid, "game_key": match.game, "phase": phase.name, "what": news.what, "who": news.who,
        "deadline": phase.deadline.isoformat() if phase.deadline else None, "was": news.was.isoformat() if news.was else None,
        "since": news.since.isoformat() if news.since else None,
    }  # fmt: skip
    title, owed = game_of(match).about.title, {"phase": phase.name, "number": phase.number, "deadline": told["deadline"]}
    for seat in seats_of(session, match):
        player = session.get(Player, seat.player_id) if seat.player_id is not None else None
        if player is None or player.address is None or player.house or not player.letters:
            continue
        context = told | {"seat": seat.name, "zone": player.zone, "reply_token": seat.token, "due": seat.name in phase.due}
        if seat.name in phase.due and news.what != "paused":  # for the player's calendar, which holds the old deadline
            context |= {"game": title, "owed": owed}
        about = outbox.About(match.id, seat.name, phase=phase.number)
        outbox.put(session, public, kind="notice", address=player.address, context=context, now=now, player_id=player.id, about=about)
