"""The file of a tournament for other programs: entrants, rounds with what they were paired from,
results, standings, its chance.

It is the same for every reader, and `sealed replay` draws the rounds again from it.
"""

import hashlib
import json
from collections import defaultdict
from typing import Any

from sqlmodel import Session, col, func, select

from adjudicator import catalogue
from adjudicator.core import codec
from adjudicator.platform.words import format_utc
from adjudicator.play.tournaments.changes import list_changes
from adjudicator.service.base.tables import (
    Match,
    Tournament,
    TournamentNote,
    TournamentRound,
    TournamentTable,
    TournamentVoid,
)
from adjudicator.service.tournaments.records import (
    CHANGES,
    entries_of,
    final_at,
    find_tournament,
    granted_of,
    matches_of,
    paired_from,
    rounds_of,
    tables_of,
)
from adjudicator.service.tournaments.results.corrections import plain_round, void_tables
from adjudicator.service.tournaments.standing import entrant_names, list_standings

FORM = 6  # raised by every change of what the file says of the same rows


def read_tag(session: Session, uid: str) -> str:
    """Return what changes with the file of a tournament, without reading its rounds; raises
    NotFound.

    Rounds and tables never change once they are written, but for the results of tables, and a round
    that is taken back or is outdated. Each correction and each round that is taken back has its
    note.
    """
    tournament = find_tournament(session, uid)
    of_tables = select(
        func.count(),
        func.count(col(TournamentTable.scored_at)),
        func.count(col(TournamentTable.corrected_by)),
    )
    matches = (
        select(func.count())
        .select_from(Match)
        .join(TournamentTable, onclause=col(TournamentTable.id) == col(Match.table_id))
    )
    parts = (
        FORM,
        _summary(tournament),
        tournament.anchors,
        tournament.opened_chains,
        entrant_names(session, tournament, inside=False),
        [
            (each.number, each.left_at is not None, each.first_round, granted_of(each).points)
            for each in entries_of(session, tournament)
        ],
        [[row.number, row.outdated] for row in rounds_of(session, tournament)],
        list(session.exec(of_tables.where(TournamentTable.tournament_id == tournament.id)).one()),
        session.exec(matches.where(TournamentTable.tournament_id == tournament.id)).one(),
        session.exec(
            select(func.max(TournamentNote.id)).where(TournamentNote.tournament_id == tournament.id)
        ).one(),
    )
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def read_tournament(session: Session, uid: str) -> dict[str, Any]:
    """Return the file of a tournament as plain values; docs/tournaments.md explains each. Raises
    NotFound.

    Who has no public page has no name in it.
    """
    tournament = find_tournament(session, uid)
    names = entrant_names(session, tournament, inside=False)
    previous = (
        session.get(Tournament, tournament.previous_id)
        if tournament.previous_id is not None
        else None
    )
    return {
        **_summary(tournament),
        "previous": previous.uid if previous is not None else None,
        "entrants": [
            {
                "number": each.number,
                "name": (
                    None if names[each.number] == f"Entrant {each.number}" else names[each.number]
                ),
                "left": each.left_at is not None,
                "first_round": each.first_round,
                "given": granted_of(each).points,
            }
            for each in entries_of(session, tournament)
        ],
        "rounds": _rounds(session, tournament),
        "voided": _voided(session, tournament),
        "standings": [
            {
                "place": line.place,
                "entrant": line.number,
                "points": str(line.total),
                "tables": line.tables,
                "tie_breaks": list(map(str, line.breaks)),
                "division": line.division or None,
            }
            for line in list_standings(session, uid)
        ],
        "chance": {"anchors": tournament.anchors or {}, "opened": tournament.opened_chains},
    }


def _summary(tournament: Tournament) -> dict[str, Any]:
    return {
        "id": tournament.uid,
        "name": tournament.name,
        "game": tournament.game,
        "game_title": catalogue.about(tournament.game).title,
        "format": tournament.format,
        "policies": tournament.policies,
        "scoring": tournament.scoring,
        "tie_breaks": tournament.tie_breaks,
        "legs": tournament.legs,
        "round_days": tournament.round_days,
        "stalled": tournament.stalled,
        "late": tournament.late,
        "wait_hours": tournament.wait_hours,
        "season": tournament.season,
        "status": tournament.status,
        "made_at": format_utc(tournament.made_at),
        "closes_at": format_utc(tournament.closes_at),
        "began_at": format_utc(tournament.started_at),
        "ended_at": format_utc(tournament.ended_at),
        "final_at": format_utc(final_at(tournament)),
    }


def _rounds(session: Session, tournament: Tournament) -> list[dict[str, Any]]:
    tables, rounds = tables_of(session, tournament), rounds_of(session, tournament, whole=True)
    matches = matches_of(session, tables)
    by_round: defaultdict[int, list[TournamentTable]] = defaultdict(list)
    for table in tables:
        by_round[table.round_number].append(table)
    return [
        plain_round(row)
        | {
            "changes": changes,
            "outdated": row.outdated,
            "tables": _tables(by_round[row.number], matches),
        }
        for row, changes in zip(rounds, _list_changes(session, tournament, rounds), strict=True)
    ]


def _voided(session: Session, tournament: Tournament) -> list[dict[str, Any]]:
    """Return the pairings that were taken back before a phase of them had closed, as rounds."""
    voids = session.exec(
        select(TournamentVoid)
        .where(TournamentVoid.tournament_id == tournament.id)
        .order_by(col(TournamentVoid.id))
    )
    return [
        void.paired
        | {
            "voided_at": format_utc(void.voided_at),
            "tables": _tables(tables, matches_of(session, tables)),
        }
        for void in voids
        for tables in [void_tables(session, void)]
    ]


def _tables(tables: list[TournamentTable], matches: dict[int, list[Match]]) -> list[dict[str, Any]]:
    return [
        _table(table, [each.uid for each in matches.get(table.id or 0, ())]) for table in tables
    ]


def _list_changes(
    session: Session, tournament: Tournament, rounds: list[TournamentRound]
) -> list[Any]:
    """Return for each round the results that were new when it was paired, also for rounds of
    releases that kept all results.
    """
    if all(row.results is None for row in rounds):
        return [row.changes for row in rounds]
    known = paired_from(session, tournament)
    pairs = zip([(), *known], known, strict=False)
    return [
        None if now is None else codec.dump(CHANGES, list_changes(before or (), now))
        for before, now in pairs
    ]


def _table(table: TournamentTable, matches: list[str]) -> dict[str, Any]:
    return {
        "number": table.number,
        "entrants": table.entrants,
        "points": table.points if table.scored_at is not None else None,
        "decided": table.corrected_why or None,
        "matches": matches,
    }
