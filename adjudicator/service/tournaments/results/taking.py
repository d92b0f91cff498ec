"""The results of tables, taken from matches that have ended."""

from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction

from sqlmodel import Session, col, select

from adjudicator.core.game import Seat, Standing
from adjudicator.platform import failpoints
from adjudicator.platform.db import Database
from adjudicator.play.scoring.systems import ScoringSystem, find_system, score_match
from adjudicator.service.base.rows import seats_of
from adjudicator.service.base.state import game_of, load_state
from adjudicator.service.base.tables import Match, PhaseRow, Tournament, TournamentTable
from adjudicator.service.matches.preferences import drawn
from adjudicator.service.tournaments.records import (
    find_tournament,
    lock_tournament,
    matches_of,
    select_of,
)
from adjudicator.service.tournaments.telling.directors import tell_waiting

_UNSCORED = col(TournamentTable.scored_at).is_(None)


def take_results(database: Database, uid: str, *, now: datetime, most: int) -> int:
    """Give at most so many tables their results whose matches have all ended; returns how many.
    What a director decided stands.

    The points are worked out before the tournament is locked: an ended match does not change.
    Idempotent. Raises NotFound.
    """
    with database.read_tx() as session:
        tournament = find_tournament(session, uid)
        found = _count_points(session, tournament, most) if tournament.status == "running" else {}
    if not found:
        return 0
    with failpoints.killable_tx(database, "results") as session:
        tournament = lock_tournament(session, uid)
        if tournament.status == "running":
            for table in session.exec(
                select(TournamentTable).where(col(TournamentTable.id).in_(found), _UNSCORED)
            ):
                table.points, table.scored_at = found[table.id], now
            session.flush()
            tell_waiting(session, tournament, now=now)
    return len(found)


def _count_points(session: Session, tournament: Tournament, most: int) -> dict[int, list[str]]:
    """Return the points of tables without a result whose matches have all ended, by the id of the
    table.
    """
    matched = select(Match.id).where(Match.table_id == TournamentTable.id)
    going_on = matched.where(Match.status != "ended")
    done = select_of(tournament, TournamentTable, _UNSCORED, matched.exists(), ~going_on.exists())
    ended, system = list(session.exec(done.limit(most))), find_system(tournament.scoring)
    played = matches_of(session, ended)
    return {
        table.id: list(map(str, score_table(session, system, table, played[table.id])))
        for table in ended
    }


def score_table(
    session: Session, system: ScoringSystem, table: TournamentTable, matches: Sequence[Match]
) -> list[Fraction]:
    """Return the points of a table in the order of its entrants: the sum over its matches, in each
    of which all sit one place on.

    They go to who entered, whoever has the seat at the end.
    """
    totals = [Fraction(0)] * len(table.entrants)
    for leg, match in enumerate(matches):
        points = _score(session, system, match)
        places = {lot.seat: place for place, lot in enumerate(drawn(match))}
        for seat in seats_of(session, match):
            totals[(places.get(seat.name, seat.position) + leg) % len(totals)] += points[seat.name]
    return totals


def _score(session: Session, system: ScoringSystem, match: Match) -> dict[Seat, Fraction]:
    """Return the points of every seat of a match that has ended."""
    game = game_of(match)
    closed = select(PhaseRow).where(
        PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_not(None)
    )
    states = [
        load_state(game, phase.after)
        for phase in session.exec(closed.order_by(col(PhaseRow.number)))
    ]
    result = {seat: Standing(**standing) for seat, standing in (match.result or {}).items()}
    return score_match(system, game.finishes(states, result))
