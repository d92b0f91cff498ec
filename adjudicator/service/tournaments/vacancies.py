"""Matches of tournaments whose seats are vacant before they begin, since a player was erased: they
begin without that player.
"""

from datetime import datetime

from sqlalchemy import Exists
from sqlmodel import Session, col, select

from adjudicator.platform import failpoints, wakeups
from adjudicator.platform.db import Database
from adjudicator.platform.words import seat_phrase
from adjudicator.service.base.rows import lock_by_uid, note_people, seats_of, show_change
from adjudicator.service.base.tables import Match, Player, Tournament, TournamentTable
from adjudicator.service.matches.notes import SERVICE, add_note
from adjudicator.service.people import accounts
from adjudicator.service.tournaments.records import find_tournament


def has_vacant_match() -> Exists:
    """Return the condition for tables of which a prepared match waits for a player who will not
    come.
    """
    at_table = select(Match.id).where(Match.table_id == TournamentTable.id)
    return at_table.where(Match.status == "open", col(Match.all_taken).is_(False)).exists()


def begin_without(database: Database, uid: str, *, now: datetime, most: int) -> tuple[str, ...]:
    """Let at most so many matches of a tournament begin whose seats are vacant; returns their
    public names.

    A vacant seat is like one whose player resigned at once: a house bot gets it where the director
    chose so, else it looks for a new player while the match is played. The points go to who
    entered. Idempotent. Raises NotFound.
    """
    with database.read_tx() as session:
        tournament = find_tournament(session, uid)
        tables = select(TournamentTable.id).where(
            TournamentTable.tournament_id == tournament.id, col(TournamentTable.scored_at).is_(None)
        )
        found = select(Match.uid).where(
            col(Match.table_id).in_(tables), Match.status == "open", col(Match.all_taken).is_(False)
        )
        waiting = (
            session.exec(found.order_by(col(Match.id)).limit(most)).all()
            if tournament.status == "running"
            else ()
        )
    return tuple(match for match in waiting if _begin_without(database, match, tournament, now))


def _begin_without(database: Database, uid: str, tournament: Tournament, now: datetime) -> bool:
    with failpoints.killable_tx(database, "vacant") as session:
        match = lock_by_uid(session, uid)
        seats = seats_of(session, match)
        vacant = [seat for seat in seats if seat.player_id is None and seat.taken_at is None]
        if match.status != "open" or not vacant:
            return False
        takes_bots = tournament.stalled == "bot"
        idle: list[int | None] = (
            [*accounts.idle_bots(session, seats, now=now)] if takes_bots else [None] * len(vacant)
        )
        for seat, bot_id in zip(vacant, idle, strict=False):
            seat.kept_for = seat.invitation_hash = None
            seat.player_id, seat.taken_at = bot_id, now
            seat.open_since = seat.next_ask_at = now if bot_id is None else None
            wakeups.wake(session, wakeups.SEATS, match.uid)
            then = "looks for a new player" if bot_id is None else "is a house bot's"
            add_note(
                session,
                match,
                now,
                SERVICE,
                f"let the match begin without the player of {seat_phrase(seat.name)}; the seat"
                f" {then}",
            )
        note_people(session, match)
        show_change(match)
    return True


def without_erased(session: Session, players: dict[int, int]) -> dict[int, int | None]:
    """Return the players of entries by their numbers, None for those who have been erased."""
    erased = select(Player.id).where(
        col(Player.id).in_(players.values()), col(Player.erased_at).is_not(None)
    )
    gone = set(session.exec(erased))
    return {number: None if player in gone else player for number, player in players.items()}
