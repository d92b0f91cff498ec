"""The standings, the cross-table and the stalled tables of a tournament, as everybody may see them;
writes nothing.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from sqlmodel import Session, col, select

from adjudicator.play.tournaments import standings as ranking
from adjudicator.play.tournaments.standings import TieBreak
from adjudicator.service.base.tables import Player, Tournament, TournamentEntry
from adjudicator.service.tournaments.records import (
    entries_of,
    find_tournament,
    format_of,
    history_of,
    public_name,
    staying,
)
from adjudicator.service.tournaments.seasons import divisions_and_moves


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
    division: int = 0  # of a league, from 1 for the highest
    move: int = 0  # of a league: -1 for who goes up after the season as it stands, 1 for down


@dataclass(frozen=True)
class CrossTable:
    """Who met whom at tables of two: for each pair of entry numbers the points of the first and of
    the second, in order of rounds.
    """

    names: dict[int, str]  # by entry number, in entry order
    cells: dict[tuple[int, int], tuple[tuple[Fraction, Fraction], ...]]


def list_standings(
    session: Session, uid: str, *, inside: bool = False
) -> tuple[EntryStanding, ...]:
    """Return the standings of a tournament, the best first; raises NotFound.

    Points rank, then the tie breaks; a knock-out by how far each came. `inside`: for who takes
    part, who may know all names.
    """
    tournament = find_tournament(session, uid)
    entries = entries_of(session, tournament)
    tie_breaks = cast("list[TieBreak]", tournament.tie_breaks)
    numbers = [entry.number for entry in entries]
    playing = [entry.number for entry in staying(entries)]
    history = history_of(session, tournament)
    lines = ranking.rank_entrants(format_of(tournament), numbers, playing, history, tie_breaks)
    divisions = divisions_and_moves(tournament, entries, history)
    names, there = entrant_names(session, tournament, inside=inside), set(playing)
    return tuple(
        EntryStanding(
            line.place,
            int(line.entrant),
            names[int(line.entrant)],
            line.total,
            line.tables,
            line.breaks,
            left=line.entrant not in there,
            division=divisions.get(int(line.entrant), (0, 0))[0],
            move=divisions.get(int(line.entrant), (0, 0))[1],
        )
        for line in lines
    )


def cross_table(
    session: Session, uid: str, *, most: int, inside: bool = False
) -> CrossTable | None:
    """Return the cross-table of a tournament, with cells for tables of two alone; `inside` as
    above.

    None without such tables, or with more entrants than `most`. Raises NotFound.
    """
    tournament = find_tournament(session, uid)
    names = entrant_names(session, tournament, inside=inside)
    if len(names) > most:
        return None
    cells = ranking.cross_table(history_of(session, tournament))
    exact = {
        (int(one), int(other)): tuple((Fraction(mine), Fraction(theirs)) for mine, theirs in cell)
        for (one, other), cell in cells.items()
    }
    return CrossTable(names, exact) if exact else None


def entrant_names(session: Session, tournament: Tournament, *, inside: bool) -> dict[int, str]:
    """Return the names of all entrants by the numbers of their entries: `inside` all of them, else
    as everybody may know them.
    """
    query = select(TournamentEntry.number, Player).join(Player)
    query = query.where(TournamentEntry.tournament_id == tournament.id).order_by(
        col(TournamentEntry.number)
    )
    found = session.exec(query).all()
    shown = {
        number
        for number, player in found
        if inside and player.erased_at is None and not player.name_hidden
    }
    return {
        number: player.name if number in shown else public_name(player, number)
        for number, player in found
    }
