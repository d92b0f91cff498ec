"""The standings, the cross-table and the stalled tables of a tournament, as everybody may see them; writes nothing."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import cast

from sqlmodel import Session, col, select

from adjudicator.play.tournaments import standings as ranking
from adjudicator.play.tournaments.formats import KnockOut, Swiss
from adjudicator.play.tournaments.methods.knock_out import rank_knock_out
from adjudicator.play.tournaments.records import Entrant, History
from adjudicator.play.tournaments.standings import TieBreak
from adjudicator.service.base.tables import Player, Tournament, TournamentEntry
from adjudicator.service.tournaments.records import entries_of, find_tournament, format_of, history_of, rounds_of, staying, tables_of


@dataclass(frozen=True)
class EntryStanding:
    """One player's line of the standings; equal ones share a place."""

    place: int
    number: int  # of the entry
    name: str
    total: Fraction
    tables: int  # that have a result
    breaks: tuple[Fraction, ...]  # one for each tie break of the tournament
    left: bool


@dataclass(frozen=True)
class CrossTable:
    """Who met whom at tables of two: for each pair of entry numbers the points of the first and of the second, in order of rounds."""

    names: dict[int, str]  # by entry number, in entry order
    cells: dict[tuple[int, int], tuple[tuple[Fraction, Fraction], ...]]


def list_standings(session: Session, uid: str) -> tuple[EntryStanding, ...]:
    """Return the standings of a tournament, the best first; raises NotFound.

    Points rank, then the tie breaks. In a knock-out who comes further ranks higher, and the round that is played counts once
    all of its tables have a result.
    """
    tournament = find_tournament(session, uid)
    entries, history, wanted = entries_of(session, tournament), history_of(session, tournament), format_of(tournament)
    sitting_out = wanted.sitting_out if isinstance(wanted, Swiss) else 0
    tie_breaks = cast("list[TieBreak]", tournament.tie_breaks)
    lines = ranking.standings([entry.number for entry in entries], history, tie_breaks, sitting_out=sitting_out)
    places = {line.entrant: line.place for line in lines}
    if isinstance(wanted, KnockOut):
        places = dict.fromkeys(places, 1) | _places_in_bracket(wanted, entries, history)
    names, by_number = _names(session, tournament), {entry.number: entry for entry in entries}
    found = [
        EntryStanding(
            places[line.entrant], int(line.entrant), names[int(line.entrant)], line.total, line.tables, line.breaks,
            left=by_number[int(line.entrant)].left_at is not None,
        )
        for line in lines
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda each: each.place))  # stable: then by points


def _places_in_bracket(wanted: KnockOut, entries: list[TournamentEntry], history: History) -> dict[Entrant, int]:
    done = [played for played in history if None not in played.points]
    return rank_knock_out(wanted, [entry.number for entry in staying(entries)], done)


def cross_table(session: Session, uid: str) -> CrossTable:
    """Return the cross-table of a tournament, which has cells only for tables of two; raises NotFound."""
    tournament = find_tournament(session, uid)
    cells = ranking.cross_table(history_of(session, tournament))
    exact = {
        (int(one), int(other)): tuple((Fraction(mine), Fraction(theirs)) for mine, theirs in cell) for (one, other), cell in cells.items()
    }
    return CrossTable(_names(session, tournament), exact)


def list_stalled(session: Session, uid: str, *, now: datetime) -> tuple[tuple[int, int], ...]:
    """Return the round and number of each table that has no result although the days of its round are over; raises NotFound.

    A director may adjudge it (`results.decide_table`); nothing happens by itself.
    """
    tournament = find_tournament(session, uid)
    if tournament.round_days is None or tournament.status != "running":
        return ()
    until = {row.number: row.paired_at + timedelta(days=tournament.round_days) for row in rounds_of(session, tournament)}
    waiting = [table for table in tables_of(session, tournament) if table.scored_at is None and until[table.round_number] <= now]
    return tuple((table.round_number, table.number) for table in waiting)


def _names(session: Session, tournament: Tournament) -> dict[int, str]:
    named = select(TournamentEntry.number, Player.name).join(Player, onclause=col(Player.id) == col(TournamentEntry.player_id))
    named = named.where(TournamentEntry.tournament_id == tournament.id).order_by(col(TournamentEntry.number))
    return dict(session.exec(named).all())
