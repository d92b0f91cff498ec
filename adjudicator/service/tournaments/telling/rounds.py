"""Letters to the entrants of a tournament: when it has begun, after each round, and at its end;
with standings and a cross-table.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from sqlmodel import Session, col

from adjudicator.platform import failpoints
from adjudicator.platform.db import Database
from adjudicator.platform.words import format_day, format_moment, format_points, join_list, plural
from adjudicator.service.base.tables import (
    Player,
    Tournament,
    TournamentEntry,
    TournamentNote,
    TournamentTable,
    TournamentVoid,
)
from adjudicator.service.letters.contents.seat_content import RankRow
from adjudicator.service.tournaments.records import (
    OVER,
    entries_of,
    final_at,
    find_tournament,
    lock_tournament,
    points_at,
    rounds_of,
    rows_of,
    staying,
    tables_of,
)
from adjudicator.service.tournaments.seasons import MADE
from adjudicator.service.tournaments.standing import (
    CrossTable,
    EntryStanding,
    cross_table,
    list_standings,
)
from adjudicator.service.tournaments.telling.directors import TournamentNews, write_to

MOST_CROSSED = 10  # entrants of a tournament whose letters have the whole cross-table
# lines of the standings in other letters: the first ones, and so many on both sides of the reader's
MOST_RANKED, ABOUT_OWN = 12, 2


@dataclass(frozen=True)
class _News:
    """What the letters after one round tell, read once for many of them."""

    tournament: Tournament
    after: int  # the round that is over, 0 at the beginning
    waiting: Sequence[TournamentEntry]  # who gets a letter next
    playing: Collection[int]  # the players who have not left
    lines: tuple[EntryStanding, ...]
    cross: CrossTable | None
    # of the round that is over and of the next one, by round and entry
    tables: Mapping[tuple[int, int], TournamentTable]
    out: frozenset[tuple[int, int]]  # who sat out or sits out in them, by round and entry
    again: bool  # whether the next round was paired before, and that pairing is void
    why_over: str  # a sentence, "" while the tournament goes on


def write_letters(database: Database, uid: str, *, now: datetime, most: int) -> int:
    """Write the next letters about the round that is over, at most so many; returns for how many
    entries. Idempotent.

    A letter is written once, in the order of entries, in the transaction that notes how far they
    are. Raises NotFound.
    """
    with database.read_tx() as session:
        news = _read_news(session, uid, most)
    if news is None:
        return 0
    with failpoints.killable_tx(database, "told") as session:
        tournament = lock_tournament(session, uid)
        if (tournament.tell_round, tournament.told_to) != (news.after, news.tournament.told_to):
            return 0
        for entry in news.waiting:
            _write(session, news, entry, now)
            tournament.told_to = entry.number
        if len(news.waiting) < most:
            tournament.tell_round, tournament.told_to = None, 0
    return len(news.waiting)


def _read_news(session: Session, uid: str, most: int) -> _News | None:
    tournament = find_tournament(session, uid)
    if tournament.tell_round is None:
        return None
    after, lines = tournament.tell_round, list_standings(session, uid, inside=True)
    entries, tables = entries_of(session, tournament), tables_of(session, tournament)
    there = staying(entries)
    played = _seated(tables, after) if tournament.status in OVER else set[int]()
    waiting = [
        entry
        for entry in entries
        if (entry.left_at is None or entry.number in played)
        and entry.number > tournament.told_to
        and entry.first_round <= max(after, 0) + 1
    ]
    # who entered since was not carried over
    if after == MADE and tournament.previous_id is not None:
        last = {
            entry.player_id
            for entry in staying(
                entries_of(session, session.get_one(Tournament, tournament.previous_id))
            )
        }
        waiting = [entry for entry in waiting if entry.player_id in last]
    waiting = waiting[:most]
    numbers = (after, after + 1)
    rounds = [row for row in rounds_of(session, tournament) if row.number in numbers]
    tables = [table for table in tables if table.round_number in numbers]
    return _News(
        tournament,
        after,
        waiting,
        {entry.player_id for entry in there},
        lines,
        cross_table(session, uid, inside=True, most=MOST_CROSSED),
        {(table.round_number, number): table for table in tables for number in table.entrants},
        frozenset((row.number, number) for row in rounds for number in row.sitting_out),
        _is_again(session, tournament, after + 1),
        _why_over(session, tournament),
    )


def _seated(tables: Sequence[TournamentTable], number: int) -> set[int]:
    """Return who sat at the tables of a round: of the last one also who has left since is told how
    the tournament ended.
    """
    return {who for table in tables if table.round_number == number for who in table.entrants}


def _why_over(session: Session, tournament: Tournament) -> str:
    """Return the sentence that says why a tournament is over, "" while it is not."""
    at, ended = col(TournamentNote.at), col(TournamentNote.what).startswith("ended the tournament")
    notes = rows_of(session, tournament, TournamentNote, at == tournament.ended_at, ended)
    if tournament.status not in OVER or not notes:
        return ""
    sentence = "The service {what}." if notes[0].player_id is None else "A director {what}."
    return sentence.format(what=notes[0].what)


def _is_again(session: Session, tournament: Tournament, number: int) -> bool:
    return bool(rows_of(session, tournament, TournamentVoid, col(TournamentVoid.number) == number))


def _write(session: Session, news: _News, entry: TournamentEntry, now: datetime) -> None:
    player = session.get_one(Player, entry.player_id)
    own = next(line for line in news.lines if line.number == entry.number)
    letter = TournamentNews(
        _title(news),
        _sentences(news, own, player.zone),
        ranks=_ranks(news, own) if news.after > 0 else (),
        cross=news.cross is not None and news.after > 0,
    )
    write_to(session, news.tournament, player, letter, now=now, playing=news.playing)


# --- what they say


def _title(news: _News) -> str:
    if news.after == MADE:
        return "A new season takes entries"
    if news.tournament.status in OVER:
        return "The tournament is over"
    if news.again:
        return f"Round {news.after + 1} is paired again"
    return f"Round {news.after} is over" if news.after else "The tournament has begun"


def _sentences(news: _News, own: EntryStanding, zone: str) -> list[str]:
    """Say what the reader did in the round that is over, how they stand, and what comes next."""
    if news.after == MADE:
        return _season(news, own)
    sentences = [_played(news, own), tell_place(own, news.lines)] if news.after else []
    if own.move and news.tournament.status in OVER:
        sentences.append(
            "You go up a division in the next season."
            if own.move < 0
            else "You go down a division in the next season."
        )
    if news.tournament.status in OVER:
        chance = "Its chance is published now, so that everybody can draw all rounds again."
        why = [news.why_over] if news.why_over else []
        return [*sentences, *why, *tell_final(news.tournament, zone), chance]
    return [*sentences, _next(news, own)]


def _season(news: _News, own: EntryStanding) -> list[str]:
    closes = news.tournament.closes_at
    last = max(line.division for line in news.lines)
    return [
        (
            f"You played in the season before, so you are entered, in division {own.division} of"
            f" {last} as it stands."
        ),
        *(
            [
                f"Entries close on {format_day(closes.date())}, and who leaves or comes until then"
                " may change your division."
            ]
            if closes
            else []
        ),
    ]


def tell_place(own: EntryStanding, lines: Sequence[EntryStanding]) -> str:
    """Return the sentence that says how an entrant stands."""
    tied = sum(line.place == own.place for line in lines) > 1
    place = f"place {own.place} of {len(lines)}, with {_points(own.total)}."
    return f"You share {place}" if tied else f"You have {place}"


def tell_final(tournament: Tournament, zone: str) -> list[str]:
    """Say until when the results of a tournament that is over are provisional."""
    final = final_at(tournament)
    sentence = (
        "The results are provisional until {final}: directors can correct them until then, and a"
        " letter tells whom it concerns."
    )
    return [sentence.format(final=format_moment(final, zone))] if final is not None else []


def _played(news: _News, own: EntryStanding) -> str:
    table = news.tables.get((news.after, own.number))
    if table is None:
        return (
            f"You sat out in round {news.after}."
            if (news.after, own.number) in news.out
            else f"You did not play in round {news.after}."
        )
    points, others = points_at(table), _others(news, table, own)
    if points is None:
        return f"In round {news.after} you met {others}; the table has no result."
    mine = points[table.entrants.index(own.number)]
    return (
        f"In round {news.after} you met {others} at table {table.number} and got {_points(mine)}."
    )


def _next(news: _News, own: EntryStanding) -> str:
    number = news.after + 1
    table = news.tables.get((number, own.number))
    if table is not None:
        return (
            f"In round {number} you meet {_others(news, table, own)} at table {table.number}; a"
            " letter of the match follows."
        )
    if (number, own.number) in news.out:
        return f"In round {number} you sit out; there is nothing you have to do."
    return f"You do not play in round {number}."


def _others(news: _News, table: TournamentTable, own: EntryStanding) -> str:
    names = {line.number: line.name for line in news.lines}
    return join_list([names[number] for number in table.entrants if number != own.number])


def _points(points: Fraction) -> str:
    return plural(
        1 if 0 < points <= 1 else 2,
        "{points} point",
        "{points} points",
        points=format_points(points),
    )


def _ranks(news: _News, own: EntryStanding) -> tuple[RankRow, ...]:
    """Return the whole standings where they are short, else the first ones and those about the
    reader.
    """
    place = news.lines.index(own)
    lines = [
        line
        for at, line in enumerate(news.lines)
        if news.cross or at < MOST_RANKED or abs(at - place) <= ABOUT_OWN
    ]
    return tuple(
        RankRow(line.place, line.name, format_points(line.total), line is own, _cells(news, line))
        for line in lines
    )


def _cells(news: _News, line: EntryStanding) -> tuple[str, ...]:
    """Return the points of one entrant against each other, in the order of the standings; () where
    the letter has no cross-table.
    """
    if news.cross is None:
        return ()
    cells = news.cross.cells
    return tuple(
        (
            "×"
            if other is line
            else " ".join(
                format_points(mine) for mine, _ in cells.get((line.number, other.number), ())
            )
            or "·"
        )
        for other in news.lines
    )
