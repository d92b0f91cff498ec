"""Notices: what whoever runs a match changed in it, told to every seat by letter."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlmodel import Session

from adjudicator.service.base import public_keys
from adjudicator.service.base.rows import seats_of
from adjudicator.service.base.state import game_of
from adjudicator.service.base.tables import Match, PhaseRow, Player
from adjudicator.service.letters import outbox
from adjudicator.service.letters.kinds import NoticeLetter, OwedOrders


@dataclass(frozen=True)
class MasterChange:
    """What was changed, and by whom: a player's name, or "the host"."""

    what: Literal["paused", "resumed", "deadline"]
    who: str
    was: datetime | None = None  # the deadline before
    since: datetime | None = None  # when the pause began


def write_notices(session: Session, match: Match, phase: PhaseRow, news: MasterChange, *, now: datetime) -> None:
    """Add a letter for every seat whose player has an address and wants letters; the match is locked, the change is made."""
    public = public_keys.current(session)
    title, owed = game_of(match).about.title, OwedOrders(phase.name, phase.number, phase.deadline) if phase.deadline else None
    for seat in seats_of(session, match):
        player = session.get(Player, seat.player_id) if seat.player_id is not None else None
        if player is None or player.address is None or player.house or not player.letters:
            continue
        due = seat.name in phase.due
        letter = NoticeLetter(
            match=match.name, uid=match.uid, game_key=match.game, seat=seat.name, zone=player.zone, reply_token=seat.token,
            phase=phase.name, what=news.what, who=news.who, deadline=phase.deadline, was=news.was, since=news.since, due=due,
            game=title, owed=owed if due and news.what != "paused" else None,
        )  # fmt: skip
        about = outbox.LetterReference(match.id, seat.name, phase=phase.number)
        outbox.put_letter(session, public, letter, address=player.address, now=now, player_id=player.id, about=about)
