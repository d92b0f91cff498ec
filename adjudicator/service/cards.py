"""Matches as lines of a list: what everybody may see of them, and what the viewer owes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from adjudicator.game import Seat
from adjudicator.service.matches import by_uid
from adjudicator.service.readers import hides_players
from adjudicator.service.readiness import is_ready, open_phase
from adjudicator.service.state import game_of
from adjudicator.service.tables import Due, Match, Phase, Player
from adjudicator.service.tables import Seat as SeatRow
from adjudicator.service.wishes import rhythm_of, unsettled

SOMEBODY = "a player"  # of an anonymous match


@dataclass(frozen=True)
class SeatFace:
    """A seat as everybody sees it."""

    name: str
    player: str  # "" while it is free
    house: bool
    yours: bool
    kept_for: str  # the invited address: for the master only, "" for everybody else
    kept: bool
    hidden: bool = False  # somebody plays it, and who is told once the match has ended


@dataclass(frozen=True)
class Card:
    """A match in a list."""

    uid: str
    name: str
    game: str
    game_key: str
    status: str
    phase: str
    deadline: datetime | None
    owed: bool  # whether the viewer owes orders and has handed in none
    ready: bool  # whether the viewer handed in orders and is waited for no longer
    seats: tuple[SeatFace, ...]
    free: int  # seats the viewer could take
    every_seconds: int
    options: Mapping[str, Any]
    rhythm: str = ""  # how long phases last: "2 days for each phase, 24 hours for retreats and builds"
    unsettled: bool = False  # whether the seats are given as it begins, so that they only carry numbers yet
    paused: bool = False  # whether the clock stands still: orders may be handed in, nothing closes


def cards(session: Session, player_id: int) -> list[Card]:
    """Return the matches a player sits in or runs: those that wait for the player first, then by deadline, ended ones last."""
    own = select(SeatRow.match_id).where(SeatRow.player_id == player_id)
    found = session.exec(select(Match).where((col(Match.id).in_(own)) | (col(Match.master_id) == player_id)))
    return sorted((card(session, match, player_id) for match in found), key=_urgency)


def _urgency(each: Card) -> tuple[bool, bool, float, str]:
    deadline = each.deadline.timestamp() if each.deadline else float("inf")
    return not each.owed, each.status == "ended", deadline, each.uid


def open_matches(session: Session, player_id: int | None, *, most: int = 20) -> list[Card]:
    """Return matches that have a seat for this viewer, the oldest first."""
    at_table = select(SeatRow.id).where(SeatRow.match_id == Match.id)
    free = at_table.where(col(SeatRow.player_id).is_(None), col(SeatRow.kept_for).is_(None))
    waiting = select(Match).where(Match.status == "open", col(Match.open_seats).is_(True), free.exists())
    if player_id is not None:
        waiting = waiting.where(~at_table.where(SeatRow.player_id == player_id).exists())
    return [card(session, match, player_id) for match in session.exec(waiting.order_by(col(Match.id)).limit(most))]


def recent_matches(session: Session, *, most: int = 6) -> list[Card]:
    """Return matches anybody can look at now: running ones, then ended ones, the newest first."""
    seen = (
        select(Match)
        .where(col(Match.status).in_(("running", "ended")))
        .order_by(col(Match.status).desc(), col(Match.id).desc())
        .limit(most)
    )
    return [card(session, match, None) for match in session.exec(seen)]


def all_matches(session: Session, status: str | None = None, *, most: int = 500) -> list[Card]:
    """Return the matches of a status, or all, the newest first: for the host."""
    wanted = select(Match).order_by(col(Match.id).desc()).limit(most)
    return [card(session, match, None) for match in session.exec(wanted.where(Match.status == status) if status else wanted)]


def card(session: Session, match: Match, player_id: int | None) -> Card:
    """Return one match as a line of a list."""
    seats = _faces(session, match, player_id)
    phase = open_phase(session, match)
    mine = next((seat.name for seat in seats if seat.yours), None)
    due = due_of(session, phase, mine)
    ready = due is not None and is_ready(match.ready_rule, due)
    free = sum(1 for seat in seats if not seat.player and not seat.kept) if match.open_seats and match.status == "open" else 0
    about = game_of(match).about
    return Card(
        match.uid, match.name, about.title, match.game, match.status, phase.name if phase else "",
        phase.deadline if phase else None, due is not None and due.handed_in_at is None and not ready, ready, tuple(seats), free,
        match.every_seconds, match.options, rhythm_of(match), unsettled(match),
        match.paused_at is not None,
    )  # fmt: skip


def _faces(session: Session, match: Match, player_id: int | None) -> list[SeatFace]:
    sitting = select(SeatRow, Player).join(Player, onclause=col(SeatRow.player_id) == col(Player.id), isouter=True)
    rows = session.exec(sitting.where(SeatRow.match_id == match.id).order_by(col(SeatRow.position)))
    hidden = hides_players(match)
    sees_kept = player_id == match.master_id and not hidden
    return [_face(seat, player, viewer=player_id, hidden=hidden, sees_kept=sees_kept) for seat, player in rows]


def _face(seat: SeatRow, player: Player | None, *, viewer: int | None, hidden: bool, sees_kept: bool) -> SeatFace:
    if player is None:
        return SeatFace(seat.name, "", False, False, (seat.kept_for or "") if sees_kept else "", seat.kept_for is not None)
    if hidden and player.id != viewer:
        return SeatFace(seat.name, SOMEBODY, False, False, "", False, hidden=True)
    return SeatFace(seat.name, player.name, player.house, player.id == viewer, "", False)


def due_of(session: Session, phase: Phase | None, seat: Seat | None) -> Due | None:
    """Return how a seat stands in a phase, None where it owes nothing."""
    if phase is None or seat is None:
        return None
    return session.exec(select(Due).where(Due.phase_id == phase.id, Due.seat == seat)).first()


def named(session: Session, uid: str) -> str:
    """Return what people call the match of this public name; raises NotFound."""
    return by_uid(session, uid).name
