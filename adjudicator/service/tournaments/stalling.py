"""What happens to tables that stall: the days of a round end, or all players have gone, and matches
are adjudged as they are.
"""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement
from sqlmodel import Session, and_, col, or_, select

from adjudicator.platform.db import Database
from adjudicator.platform.words import join_list, plural
from adjudicator.service.base.errors import NotAllowed, NotNow
from adjudicator.service.base.names import PlayerName
from adjudicator.service.base.rows import lock_by_uid, open_phase
from adjudicator.service.base.tables import Match, Player, Tournament, TournamentTable
from adjudicator.service.matches import masters
from adjudicator.service.matches.masters import clean_reason
from adjudicator.service.matches.notes import SERVICE
from adjudicator.service.requests.acts import act
from adjudicator.service.tournaments.records import (
    find_tournament,
    lock_to_direct,
    lock_tournament,
    note_tournament,
    own_table,
    tables_of,
)
from adjudicator.service.tournaments.telling.directors import tell_stalled

WEEK = timedelta(days=7)
WHY = "the round of the tournament is over"  # the reason that the notes of its matches tell
# the reason of notes of matches whose players have all gone
GONE = "nobody plays at this table any more"
MOST_NAMED = 12  # tables that one note names


def end_days(database: Database, uid: str, *, now: datetime) -> bool:
    """Note that the days of a round are over, and begin to adjudge its tables where that was
    chosen; returns whether this call did.
    """
    with database.write_tx() as session:
        tournament = lock_tournament(session, uid)
        if (
            tournament.status != "running"
            or tournament.round_until is None
            or now < tournament.round_until
        ):
            return False
        if not tournament.adjudging:  # a director may have closed the round already
            tournament.adjudging, tournament.adjudged_by = tournament.stalled == "adjudge", None
        tournament.round_until = None
        waiting = [table for table in tables_of(session, tournament) if table.scored_at is None]
        if waiting:
            then = "; they are adjudged as they are" if tournament.adjudging else ""
            sentence = (
                f"saw the days of round {waiting[0].round_number} end without a result of"
                f" {_table_numbers(waiting)}{then}"
            )
            note_tournament(session, tournament, now, SERVICE, sentence)
            tell_stalled(session, tournament, waiting, now=now)
    return True


def _table_numbers(tables: list[TournamentTable]) -> str:
    if len(tables) > MOST_NAMED:
        return f"{len(tables)} tables"
    return plural(
        len(tables),
        "table {numbers}",
        "tables {numbers}",
        numbers=join_list([str(table.number) for table in tables]),
    )


@act
def close_round(
    session: Session, uid: str, director_id: int, reason: str, *, number: int, now: datetime
) -> None:
    """End the open matches of a round as they are, as a director; their standings give the results.
    Idempotent.

    Raises NotAllowed for others than the directors and for one who plays at such a table, Refused
    without a reason, NotNow unless `number` is the round that is played, where another director has
    closed it already, and where no match can end.
    """
    tournament, who = lock_to_direct(session, uid, director_id)
    why = clean_reason(reason)
    waiting = [table for table in tables_of(session, tournament) if table.scored_at is None]
    if tournament.status != "running" or not waiting or waiting[0].round_number != number:
        raise NotNow("That round is over already, and nothing was changed.")
    if tournament.adjudging and tournament.adjudged_by != director_id:
        raise NotNow(
            f"Round {number} is being closed already: its matches end as they are. Nothing was"
            " changed."
        )
    if not tournament.adjudging:
        if own := own_table(session, tournament, waiting, director_id):
            raise NotAllowed(
                f"You play at table {own.number}, which has no result yet, so another director has"
                " to close the round."
            )
        if not _unstopped(session, tournament):
            sentence = (
                f"No match of round {number} that is going on is without its end, so to close it"
                " would change nothing."
            )
            raise NotNow(f"{sentence} Its tables can be decided one by one. Nothing was changed.")
        tournament.adjudging, tournament.adjudged_by = True, director_id
        note_tournament(
            session,
            tournament,
            now,
            who,
            f"closed round {number} without a result of {_table_numbers(waiting)}: {why}",
        )


def adjudge_open(database: Database, uid: str, *, now: datetime, most: int) -> int:
    """Stop at most so many open matches of a round that is being adjudged; returns how many. The
    sweep ends them. Idempotent.

    Their notes name the director who closed the round, or the service where its days are over.

    A match that has not begun is stopped later: the tournament stays among those that the sweep
    finds.
    """
    with database.read_tx() as session:
        tournament = find_tournament(session, uid)
        waiting = (
            _unstopped(session, tournament)
            if tournament.adjudging and tournament.status == "running"
            else []
        )
        who = (
            SERVICE
            if tournament.adjudged_by is None
            else PlayerName(session.get_one(Player, tournament.adjudged_by))
        )
    stopped = 0
    for match in waiting[:most]:
        try:
            with database.write_tx() as session:
                masters.stop_as(
                    session, lock_by_uid(session, match), who, WHY, now=now, adjudged=True
                )
        except NotNow:  # it has just ended
            continue
        stopped += 1
    return stopped


def waits_for_nobody(now: datetime) -> ColumnElement[bool]:
    """Return the condition for matches of tournaments, joined with them, that go on although all of
    their players have gone.

    Where seats look for new players, one that comes within a week plays on.
    """
    came = or_(Tournament.stalled != "substitute", col(Match.paused_at) <= now - WEEK)
    return and_(
        col(Match.status) == "running", col(Match.deserted), col(Match.stopped_why).is_(None), came
    )


def end_deserted(database: Database, uid: str, *, now: datetime, most: int) -> int:
    """Stop at most so many matches at tables without a result whose players have all gone; returns
    how many. Idempotent.

    The sweep ends them, and their standings give the points. Raises NotFound.
    """
    with database.read_tx() as session:
        tournament = find_tournament(session, uid)
        at_tables = select(Match.uid).join(
            TournamentTable, onclause=col(Match.table_id) == col(TournamentTable.id)
        )
        at_tables = at_tables.join(Tournament)
        open_tables = at_tables.where(
            Tournament.uid == uid, col(TournamentTable.scored_at).is_(None), waits_for_nobody(now)
        )
        gone = (
            session.exec(open_tables.order_by(col(Match.id)).limit(most)).all()
            if tournament.status == "running"
            else ()
        )
    stopped = 0
    for uid_of_match in gone:
        with database.write_tx() as session:
            match = lock_by_uid(session, uid_of_match)
            if match.deserted and match.status == "running" and match.stopped_why is None:
                masters.stop_as(session, match, SERVICE, GONE, now=now, adjudged=True)
                stopped += 1
    return stopped


def _unstopped(session: Session, tournament: Tournament) -> list[str]:
    """Return the public names of the open matches at tables without a result that can be
    stopped.
    """
    at_tables = select(Match).join(
        TournamentTable, onclause=col(Match.table_id) == col(TournamentTable.id)
    )
    at_tables = at_tables.where(
        TournamentTable.tournament_id == tournament.id, col(TournamentTable.scored_at).is_(None)
    )
    going_on = at_tables.where(
        col(Match.status).in_(("running", "stuck")), col(Match.stopped_why).is_(None)
    ).order_by(col(Match.id))
    return [match.uid for match in session.exec(going_on) if open_phase(session, match) is not None]
