"""Private matches: who may know of them. To everybody else they do not exist, on the site and by
letter alike.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Integer, String, bindparam, or_
from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator.service.base.errors import NotAllowed, NotNow
from adjudicator.service.base.names import PlayerName
from adjudicator.service.base.rows import SIGHT, lock_by_uid, raise_missing, token_hash
from adjudicator.service.base.tables import Match, Offer, Player, QueueEntry, Seat
from adjudicator.service.matches import tenures
from adjudicator.service.matches.notes import add_note
from adjudicator.service.requests.acts import act

_GATHERING = ("making", "open")  # statuses in which the link to a free seat shows the match too
_RUNNING = ("running", "stuck")  # statuses in which the offer of a seat does


def require_sight(
    session: Session, uid: str, player_id: int | None, tokens: Sequence[str] = ()
) -> None:
    """Raise NotFound unless this person may know of the match, Gone for one that was erased.

    `tokens` are the secret parts of links that the person opened.

    One statement looks for the match and for the right to see it, so that a private match takes as
    long as one that does not exist.
    """
    if (
        "\0" in uid
        or session.execute(_wanted(player_id, tokens), {"wanted": uid, "viewer": player_id}).first()
        is None
    ):
        raise_missing(session, uid)


def _wanted(player_id: int | None, tokens: Sequence[str]) -> SelectOfScalar[Any]:
    """Return the query for the match `wanted` if the person `viewer` may know of it; built once
    where no link was opened.
    """
    if tokens:
        return _build_wanted(player_id, tokens)
    return _visitors_match() if player_id is None else _players_match()


@cache
def _visitors_match() -> SelectOfScalar[Any]:
    return _build_wanted(None, ())


@cache
def _players_match() -> SelectOfScalar[Any]:
    return _build_wanted(bindparam("viewer", type_=Integer()), ())


def _build_wanted(
    player_id: int | BindParameter[int] | None, tokens: Sequence[str]
) -> SelectOfScalar[Any]:
    return select(Match.id).where(
        col(Match.uid) == bindparam("wanted", type_=String()), visible(player_id, tokens)
    )


def visible_uids(
    session: Session, uids: Collection[str], player_id: int | None, tokens: Sequence[str] = ()
) -> list[str]:
    """Return which of these public names are matches that this person may know of, in one
    statement; others look like no match.
    """
    wanted = [uid for uid in uids if "\0" not in uid]
    return list(
        session.exec(
            select(Match.uid).where(col(Match.uid).in_(wanted), visible(player_id, tokens))
        )
    )


def visible(
    player_id: int | BindParameter[int] | None, tokens: Sequence[str] = ()
) -> ColumnElement[bool]:
    """Return the SQL condition of matches that a person may know of; the id may be a parameter of
    the query.

    A private match is known to its players and master, the masters of all matches, those who wait
    for a seat, the people whom a seat is kept for or offered to, and the bearers of its links.
    """
    known: list[ColumnElement[bool]] = [col(Match.private).is_(False)]
    if player_id is None and not tokens:
        return known[0]
    seat = select(Seat.id).where(Seat.match_id == Match.id)
    offer = tenures.standing_offers().where(
        Offer.match_id == Match.id, col(Match.status).in_(_RUNNING)
    )
    if player_id is not None:
        seated = seat.where(or_(col(Seat.player_id) == player_id, col(Seat.owner_id) == player_id))
        kept = seat.join(Player, onclause=col(Player.address) == col(Seat.kept_for)).where(
            Player.id == player_id
        )
        waits = select(QueueEntry.id).where(
            QueueEntry.match_id == Match.id, QueueEntry.player_id == player_id
        )
        reader = offer.join(Player, onclause=col(Player.address) == col(Offer.address)).where(
            Player.id == player_id
        )
        runs_all = select(Player.id).where(Player.id == player_id, col(Player.master).is_(True))
        known += [
            col(Match.master_id) == player_id,
            seated.exists(),
            kept.exists(),
            waits.exists(),
            reader.exists(),
            runs_all.exists(),
        ]
    if tokens:
        hashes = [token_hash(token) for token in tokens]
        invited = seat.where(col(Seat.invitation_hash).in_(hashes))
        offered = offer.where(col(Offer.token_hash).in_(hashes))
        joins = col(Match.join_token).in_(tokens) & col(Match.status).in_(_GATHERING)
        known += [col(Match.watch_token).in_(tokens), joins, invited.exists(), offered.exists()]
    return or_(*known)


def answer_only(session: Session, address: str, *, own: str) -> None:
    """Hide private matches in this transaction from the person of an address, who is answered;
    `own` is the match they wrote to.

    A match that was seen once stays visible until the transaction ends: a player who leaves it is
    still told its name.
    """
    seen = {own}

    def sees(match: Match) -> bool:
        player_id = session.exec(select(Player.id).where(Player.address == address)).first()
        if (
            match.uid not in seen
            and session.exec(
                select(Match.id).where(Match.id == match.id, visible(player_id))
            ).first()
            is not None
        ):
            seen.add(match.uid)
        return match.uid in seen

    session.info[SIGHT] = sees


# --- after the end


def participants(session: Session, match: Match) -> set[int]:
    """Return the ids of the people who took part in a match: its last players who are no house
    bots, and its own master.

    A lent seat stands for its player, not for the substitute. Who left a seat before the end is not
    among them.
    """
    player = func.coalesce(Seat.owner_id, Seat.player_id)
    seated = (
        select(Player.id)
        .join(Seat, onclause=player == col(Player.id))
        .where(Seat.match_id == match.id)
    )
    people = session.exec(seated.where(col(Player.house).is_(False)))
    return {match.master_id, *people}


@act
def publish_match(session: Session, uid: str, player_id: int, *, now: datetime) -> bool:
    """Say that everybody may see an ended private match; returns whether they may now, all
    participants having said so.

    Raises NotAllowed for other people, NotNow before the end or where the match is not private.
    """
    match = lock_by_uid(session, uid)
    people = participants(session, match)
    if player_id not in people:
        raise NotAllowed("Only those who took part in this match may open it to everybody.")
    if not match.private and not match.published_by:
        raise NotNow("Everybody can see this match already.")
    if match.status != "ended":
        raise NotNow("A private match can be opened to everybody once it is over.")
    if player_id in (match.published_by or ()):
        return not match.private
    match.published_by = [*(match.published_by or ()), player_id]
    add_note(
        session,
        match,
        now,
        PlayerName(session.get_one(Player, player_id)),
        "agreed that everybody may see the match",
    )
    if people <= set(match.published_by):
        match.private = False
    return not match.private


def awaited(session: Session, match: Match, player_id: int | None) -> tuple[bool, int] | None:
    """Return whether a participant has agreed to open an ended private match, and how many have
    not; None for anybody else.
    """
    if not match.private or match.status != "ended":
        return None
    people = participants(session, match)
    if player_id not in people:
        return None
    agreed = set(match.published_by or ())
    return player_id in agreed, len(people - agreed)
