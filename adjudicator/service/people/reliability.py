"""The reliability of players: which of the phases that waited for them they played, and which
matches they may join by it.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from functools import cache

from sqlalchemy import ColumnElement, Select
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, func, or_, select

from adjudicator.core.game import Seat as SeatName
from adjudicator.play.reliability import BEGINNING, MOST, Reliability, reliability
from adjudicator.service.base.errors import NotAllowed
from adjudicator.service.base.memory import OF
from adjudicator.service.base.rows import house_players, seats_of
from adjudicator.service.base.state import ANONYMOUS
from adjudicator.service.base.storing import add_at_end
from adjudicator.service.base.tables import Attendance, Match


def note_phase(
    session: Session, match: Match, number: int, played: Mapping[SeatName, bool], *, now: datetime
) -> None:
    """Note for every person whose seat was due in a phase whether they handed in anything, as it
    closes in a locked match.

    The row belongs to the player who has the seat at that moment, whoever has it later. House bots
    have none.
    """
    bots, hidden = house_players(session, match), bool(match.options.get(ANONYMOUS))
    for seat in seats_of(session, match):
        if seat.name in played and seat.player_id is not None and seat.player_id not in bots:
            add_at_end(
                session,
                Attendance.draft(
                    player_id=seat.player_id,
                    match_id=match.id,
                    phase_number=number,
                    seat=seat.name,
                    played=played[seat.name],
                    hidden=hidden,
                    at=now,
                ),
            )


@cache
def _newest_wanted() -> Select[tuple[int, bool]]:
    newest = func.row_number().over(
        partition_by=col(Attendance.player_id),
        order_by=(col(Attendance.at).desc(), col(Attendance.id).desc()),
    )
    shown = select(Attendance.player_id, Attendance.played, newest.label("place")).join(Match)
    shown = shown.where(
        col(Attendance.player_id).in_(OF),
        or_(col(Attendance.hidden).is_(False), Match.status == "ended"),
    )
    rows = shown.subquery()
    return (
        select_columns(rows.c.player_id, rows.c.played)
        .where(rows.c.place <= MOST)
        .order_by(rows.c.player_id, rows.c.place)
    )


def of_players(session: Session, players: Collection[int]) -> dict[int, Reliability]:
    """Return the reliability of players; what an anonymous match adds counts once that match has
    ended.
    """
    played: dict[int, list[bool]] = {player: [] for player in players}
    for player, each in session.execute(_newest_wanted(), {OF.key: list(players)}):
        played[player].append(bool(each))
    return {player: reliability(found) for player, found in played.items()}


def of_player(session: Session, player_id: int) -> Reliability:
    """Return the reliability of one player."""
    return of_players(session, [player_id])[player_id]


def admits(own: Reliability) -> ColumnElement[bool]:
    """Return the SQL condition of matches that a player of this reliability may join without an
    invitation.
    """
    return (
        col(Match.beginners).is_(True)
        if own.beginner
        else col(Match.least_reliability) <= own.percent
    )


def asked_of_players(match: Match) -> str:
    """Return what a match asks of those who take an open seat, "" where it asks nothing."""
    least = (
        f"who play at least {match.least_reliability} % of phases"
        if match.least_reliability
        else ""
    )
    news = "" if match.beginners else f"who have had {BEGINNING} phases to play"
    return f"for players {' and '.join(filter(None, (least, news)))}" if least or news else ""


def require_admitted(session: Session, match: Match, player_id: int) -> None:
    """Raise NotAllowed, with a sentence, where a match asks for more than a player's reliability.
    Invited players are not asked.
    """
    if not match.least_reliability and match.beginners:
        return
    own = of_player(session, player_id)
    if own.beginner and not match.beginners:
        raise NotAllowed(
            f"This match takes nobody who has had fewer than {BEGINNING} phases to play; you have"
            f" had {own.phases}."
        )
    if not own.beginner and own.percent < match.least_reliability:
        raise NotAllowed(
            f"This match asks for players who play at least {match.least_reliability} % of phases;"
            f" you play {own.percent} %."
        )
