"""The file of a tournament for other programs: entrants, rounds with what they were paired from, results, standings, its chance.

It is the same for every reader, and `sealed replay` draws the rounds again from it.
"""

from typing import Any

from sqlmodel import Session

from adjudicator import catalogue
from adjudicator.platform.words import format_utc
from adjudicator.service.base.tables import Tournament, TournamentTable
from adjudicator.service.tournaments.records import entries_of, find_tournament, matches_of, rounds_of, tables_of
from adjudicator.service.tournaments.standing import entrant_names, list_standings


def read_tournament(session: Session, uid: str) -> dict[str, Any]:
    """Return the file of a tournament as plain values; docs/tournaments.md explains each. Raises NotFound.

    Who has no public page has no name in it.
    """
    tournament = find_tournament(session, uid)
    names = entrant_names(session, tournament, inside=False)
    return {
        **_summary(tournament),
        "entrants": [
            {"number": each.number, "name": None if names[each.number] == f"Entrant {each.number}" else names[each.number],
             "left": each.left_at is not None}
            for each in entries_of(session, tournament)
        ],
        "rounds": _rounds(session, tournament),
        "standings": [
            {"place": line.place, "entrant": line.number, "points": str(line.total), "tables": line.tables,
             "tie_breaks": list(map(str, line.breaks))}
            for line in list_standings(session, uid)
        ],
        "chance": {"anchors": tournament.anchors or {}, "opened": tournament.opened_chains},
    }  # fmt: skip


def _summary(tournament: Tournament) -> dict[str, Any]:
    return {
        "id": tournament.uid,
        "name": tournament.name,
        "game": tournament.game,
        "game_title": catalogue.game(tournament.game).about.title,
        "format": tournament.format,
        "policies": tournament.policies,
        "scoring": tournament.scoring,
        "tie_breaks": tournament.tie_breaks,
        "legs": tournament.legs,
        "round_days": tournament.round_days,
        "stalled": tournament.stalled,
        "status": tournament.status,
        "made_at": format_utc(tournament.made_at),
        "closes_at": format_utc(tournament.closes_at),
        "began_at": format_utc(tournament.started_at),
        "ended_at": format_utc(tournament.ended_at),
    }


def _rounds(session: Session, tournament: Tournament) -> list[dict[str, Any]]:
    tables = tables_of(session, tournament)
    matches = matches_of(session, tables)
    return [
        {
            "number": row.number,
            "paired_at": format_utc(row.paired_at),
            "pairing_version": row.pairing_version,
            "element": row.element,
            "entrants": row.entrants,
            "results": row.results,
            "order": row.drawn,
            "turn": row.turn,
            "sitting_out": row.sitting_out,
            "tables": [
                _table(table, [each.uid for each in matches.get(table.id or 0, ())]) for table in tables if table.round_number == row.number
            ],
        }
        for row in rounds_of(session, tournament)
    ]


def _table(table: TournamentTable, matches: list[str]) -> dict[str, Any]:
    return {
        "number": table.number,
        "entrants": table.entrants,
        "points": table.points if table.scored_at is not None else None,
        "decided": table.corrected_why or None,
        "matches": matches,
    }
