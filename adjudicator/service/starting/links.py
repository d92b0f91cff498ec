"""Secret links that a master gives away: one shows a private match, one gives whoever opens it a
free seat.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlmodel import Session, col, delete, select, update

from adjudicator.service.base import rows
from adjudicator.service.base.errors import NotFound, NotNow
from adjudicator.service.base.names import PlayerName
from adjudicator.service.base.rows import by_uid, exists, lock_by_uid, seats_of, sitting
from adjudicator.service.base.state import person_in
from adjudicator.service.base.tables import Match, Offer, Player, Standby
from adjudicator.service.matches import seats
from adjudicator.service.matches.notes import add_note
from adjudicator.service.matches.waiting_list import add_waiting
from adjudicator.service.requests.acts import act, act_once
from adjudicator.service.requests.rights import require_runs

Kind = Literal["watch", "join"]
KINDS: tuple[Kind, ...] = ("watch", "join")
_WHAT = {"watch": "that shows the match", "join": "to a free seat"}
_OVER = "This link is over: its maker has changed it, or the match has begun. Ask for the new one."


@dataclass(frozen=True)
class Links:
    """The secret parts of a match's links, for those who run it; None: there is none now."""

    watch: str | None
    join: str | None
    can_watch: bool  # whether a link that shows the match makes sense: it is private
    can_join: bool  # whether a link to a free seat makes sense: the match has not begun


def links_of(match: Match) -> Links:
    """Return a match's links."""
    gathers = match.status in ("making", "open")
    return Links(match.watch_token, match.join_token if gathers else None, match.private, gathers)


@act_once
def change_link(
    session: Session, uid: str, player_id: int, kind: Kind, *, off: bool, now: datetime
) -> str:
    """Make a link of a match, so that an older one stops working; or switch it off. Only for those
    who run the match. Returns its public name.

    Raises NotAllowed, or NotNow for a link that the match has no use for.
    """
    match = lock_by_uid(session, uid)
    require_runs(session, match, player_id)
    own = links_of(match)
    had = match.watch_token if kind == "watch" else match.join_token
    if off and had is None:
        return uid
    if kind == "watch" and not own.can_watch:
        raise NotNow("Everybody can see this match, so it needs no link.")
    if kind == "join" and not own.can_join:
        raise NotNow("This match has begun, so there is no seat to give away.")
    token = None if off else rows.new_token()
    if kind == "watch":
        match.watch_token = token
        _shut_out_standbys(session, match, now)
    else:
        match.join_token = token
    did = "switched off the link" if off else "made a link" if had is None else "renewed the link"
    add_note(
        session, match, now, PlayerName(session.get_one(Player, player_id)), f"{did} {_WHAT[kind]}"
    )
    return uid


def _shut_out_standbys(session: Session, match: Match, now: datetime) -> None:
    """Take everybody off the list of those who would take over a seat of a private match, with the
    offers that they got.

    They knew of it by the link that is over now.
    """
    listed = select(Player.address).join(Standby).where(Standby.match_id == match.id)
    offered = update(Offer).where(
        col(Offer.match_id) == match.id,
        col(Offer.asker_id).is_(None),
        col(Offer.answered_at).is_(None),
    )
    session.exec(offered.where(col(Offer.address).in_(listed)).values(answered_at=now))
    session.exec(delete(Standby).where(col(Standby.match_id) == match.id))


def links_for(session: Session, uid: str, player_id: int) -> Links:
    """Return the links of the match with this public name; raises NotAllowed for a player who does
    not run it.
    """
    match = by_uid(session, uid)
    require_runs(session, match, player_id)
    return links_of(match)


# --- following one


def watched(session: Session, token: str) -> str:
    """Return the public name of the match that a link shows; raises NotFound if there is none (any
    more).
    """
    uid = (
        session.exec(
            select(Match.uid).where(Match.watch_token == token, col(Match.private).is_(True))
        ).first()
        if _fits(token)
        else None
    )
    if uid is None:
        raise NotFound(_OVER)
    return uid


@dataclass(frozen=True, kw_only=True)
class FreeSeat(seats.JoinedMatch):
    """The page of a link to a free seat."""

    master: str
    left: int  # free seats
    has_seat: bool  # whether the viewer has one already


def free_seat(session: Session, token: str, player_id: int | None) -> FreeSeat:
    """Return what the page of a link to a free seat shows one viewer; raises NotFound if the link
    is over.
    """
    match = _joined(session, token)
    places = seats_of(session, match)
    return FreeSeat(
        **seats.describe_match(session, match),
        master=person_in(match, session.get_one(Player, match.master_id), inside=False),
        left=sum(1 for seat in places if seat.player_id is None and seat.kept_for is None),
        has_seat=sitting(places, player_id) is not None,
    )


@act
def join_by_link(
    session: Session, token: str, player_id: int, *, now: datetime, wishes: Sequence[str] = ()
) -> tuple[str, str]:
    """Take a free seat by its link; returns the match's public name and the reply to the player.
    Raises NotFound if the link is over, Refused without a free seat.
    """
    match = _joined(session, token)
    rows.lock_match(session, match)
    if match.join_token != token:
        raise NotFound(_OVER)
    reply = seats.sit_anywhere(session, match, player_id, now=now, wishes=wishes, any_free=True)
    return match.uid, reply


@act
def queue(session: Session, name: str, player_id: int, *, now: datetime) -> tuple[str, int]:
    """Put a player on the waiting list of a match, given its public name or the secret of its link;
    returns the name and the place.

    Raises Refused as `waiting_list.add_waiting` does.
    """
    by_link = is_link(session, name)
    match = _joined(session, name) if by_link else by_uid(session, name)
    rows.lock_match(session, match)
    if by_link and match.join_token != name:
        raise NotFound(_OVER)
    return match.uid, add_waiting(session, match, player_id, now=now, by_link=by_link)


@act
def queue_by_link(
    session: Session, token: str, player_id: int, *, now: datetime
) -> tuple[str, int]:
    """Do as `queue` for the bearer of a link to a free seat."""
    return queue(session, _joined(session, token).join_token or "", player_id, now=now)


def is_link(session: Session, token: str) -> bool:
    """Whether this is the secret part of a link to a free seat that works."""
    return _fits(token) and exists(session, select(Match.id).where(Match.join_token == token))


def _joined(session: Session, token: str) -> Match:
    match = (
        session.exec(select(Match).where(Match.join_token == token)).first()
        if _fits(token)
        else None
    )
    if match is None or not links_of(match).can_join:
        raise NotFound(_OVER)
    return match


def _fits(token: str) -> bool:
    return "\0" not in token  # PostgreSQL takes none
