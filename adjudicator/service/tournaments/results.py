"""The results of tables: taken from matches that have ended, or decided by a director, who gives a reason."""

import re
from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction

from sqlmodel import Session, col, select

from adjudicator.core.game import Seat, Standing
from adjudicator.platform import failpoints
from adjudicator.platform.db import Database
from adjudicator.play.scoring.systems import ScoringSystem, find_system, score_match
from adjudicator.service.base.errors import NotAllowed, NotFound, NotNow, Refused
from adjudicator.service.base.rows import seats_of
from adjudicator.service.base.state import game_of, load_state
from adjudicator.service.base.tables import Match, PhaseRow, Tournament, TournamentTable
from adjudicator.service.matches.masters import clean_reason
from adjudicator.service.tournaments.records import (
    entries_of,
    find_tournament,
    lock_to_direct,
    lock_tournament,
    matches_of,
    note_tournament,
    points_at,
    tables_of,
)

_UNSCORED = col(TournamentTable.scored_at).is_(None)
_POINTS = re.compile(r"-?\d{1,6}(?:\.\d{1,6}|/\d{1,6})?", re.ASCII)


def take_results(database: Database, uid: str, *, now: datetime, most: int) -> int:
    """Give at most so many tables their results whose matches have all ended; returns how many. What a director decided stands.

    The points are worked out before the tournament is locked: an ended match does not change. Idempotent. Raises NotFound.
    """
    with database.read_tx() as session:
        tournament = find_tournament(session, uid)
        found = _count_points(session, tournament, most) if tournament.status == "running" else {}
    if not found:
        return 0
    with database.write_tx() as session:
        tournament = lock_tournament(session, uid)
        if tournament.status == "running":
            for table in session.exec(select(TournamentTable).where(col(TournamentTable.id).in_(found), _UNSCORED)):
                table.points, table.scored_at = found[table.id or 0], now
        failpoints.kill_here("results.before_commit")
    failpoints.kill_here("results.after_commit")
    return len(found)


def _count_points(session: Session, tournament: Tournament, most: int) -> dict[int, list[str]]:
    """Return the points of tables without a result whose matches have all ended, by the id of the table."""
    matched = select(Match.id).where(Match.table_id == TournamentTable.id)
    done = select(TournamentTable).where(TournamentTable.tournament_id == tournament.id, _UNSCORED, matched.exists())
    done = done.where(~matched.where(Match.status != "ended").exists()).order_by(col(TournamentTable.id)).limit(most)
    ended, system = list(session.exec(done)), find_system(tournament.scoring)
    played = matches_of(session, ended)
    return {table.id or 0: list(map(str, score_table(session, system, table, played[table.id or 0]))) for table in ended}


def score_table(session: Session, system: ScoringSystem, table: TournamentTable, matches: Sequence[Match]) -> list[Fraction]:
    """Return the points of a table in the order of its entrants: the sum over its matches, in each of which all sit one seat on.

    They go to who entered, whoever has the seat at the end.
    """
    totals = [Fraction(0)] * len(table.entrants)
    for leg, match in enumerate(matches):
        points = _score(session, system, match)
        for seat in seats_of(session, match):
            totals[(seat.position + leg) % len(totals)] += points[seat.name]
    return totals


def _score(session: Session, system: ScoringSystem, match: Match) -> dict[Seat, Fraction]:
    """Return the points of every seat of a match that has ended."""
    game = game_of(match)
    closed = select(PhaseRow).where(PhaseRow.match_id == match.id, col(PhaseRow.closed_at).is_not(None))
    states = [load_state(game, phase.after) for phase in session.exec(closed.order_by(col(PhaseRow.number)))]
    result = {seat: Standing(**standing) for seat, standing in (match.result or {}).items()}
    return score_match(system, game.finishes(states, result))


# --- by a director


def decide_table(
    database: Database, uid: str, director_id: int, place: tuple[int, int], points: Sequence[str], *, reason: str, now: datetime,
    seen: str | None = None,
) -> None:  # fmt: skip
    """Decide the result of a table, as an adjudgement if it has none yet, else as a correction; a public note tells it.

    `seen` is the result that the director saw, as `told_result` has it: if another director has changed it, nothing is done.
    `place` is the number of the round and of the table; `points` are in seat order: `1`, `1/2`, `0.5`. The table's matches go on
    and no longer count. Rounds that were paired before stand. Idempotent. Raises NotAllowed for others than the directors and for
    who plays at the table, NotFound where there is no such table, NotNow for a changed result,
    Refused for what does not read as points, or without a reason.
    """
    with database.write_tx() as session:
        decide_in(session, uid, director_id, place, points, reason=reason, now=now, seen=seen)


def decide_in(
    session: Session, uid: str, director_id: int, place: tuple[int, int], points: Sequence[str], *, reason: str, now: datetime,
    seen: str | None = None,
) -> None:  # fmt: skip
    """Do as `decide_table` in the caller's transaction."""
    tournament, who = lock_to_direct(session, uid, director_id)
    tables = [table for table in tables_of(session, tournament) if (table.round_number, table.number) == place]
    if not tables:
        raise NotFound(f"This tournament has no table {place[1]} in round {place[0]}.")
    table, why = tables[0], clean_reason(reason)
    own = {entry.number for entry in entries_of(session, tournament) if entry.player_id == director_id}
    if own & set(table.entrants):
        raise NotAllowed("You play at this table, so another director has to decide it.")
    wanted, before = _read_points(points, len(table.entrants)), points_at(table)
    if before == tuple(wanted) and table.corrected_why == why:
        return
    if seen is not None and seen != told_result(before):
        raise NotNow(f"Another director has just decided this table, as {told_result(before)}, and nothing was changed. Look again.")
    act = f"adjudged {told_result(wanted)} to" if before is None else f"corrected {told_result(before)} to {told_result(wanted)} at"
    table.points, table.scored_at = list(map(str, wanted)), table.scored_at or now
    table.corrected_by, table.corrected_why = director_id, why
    note_tournament(session, tournament, now, who, f"{act} table {place[1]} of round {place[0]}: {why}")


def _read_points(points: Sequence[str], seats: int) -> list[Fraction]:
    """Return exact points; raises Refused with a sentence."""
    if len(points) != seats:
        raise Refused(f"This table has {seats} seats: give as many numbers of points.", field="points")
    found = []
    for text in map(str.strip, points):
        if not _POINTS.fullmatch(text) or re.search(r"/0+$", text):
            raise Refused(f"“{text[:20]}” does not read as points; write them like 1, 0.5 or 1/3.", field="points")
        found.append(Fraction(text))
    return found


def told_result(points: Sequence[Fraction] | None) -> str:
    """Return the exact points of a table as notes and forms have them: `1 : 1/2`, "" without a result."""
    return " : ".join(map(str, points or ()))
