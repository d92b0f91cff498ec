"""Letters to the directors of a tournament: a table stalls, a round is ready, the end is reached, a
player has left.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from adjudicator import catalogue
from adjudicator.platform.words import format_moment, join_list, plural
from adjudicator.service.base.rows import gets_letters
from adjudicator.service.base.tables import Player, Tournament, TournamentTable
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.seat_content import RankRow, TournamentLetter
from adjudicator.service.tournaments.records import (
    OVER,
    count_paired,
    directors_of,
    entries_of,
    final_at,
    name_of,
    staying,
    tables_of,
)
from adjudicator.service.tournaments.standing import entrant_names

MOST_NAMED = 12  # tables that one letter names
REASON = "REASON"  # stands for one in lines that letters tell; as it is it is none
DECIDE = "decide tournament {uid} round {round} table {table}: 1 : 0 because REASON"
CLOSE = "close tournament {uid} round {round}: REASON"
UNDO = "undo tournament {uid} round {round}: REASON"
GO_ON = "go on tournament {uid}"


@dataclass(frozen=True)
class TournamentNews:
    """What a letter about a tournament tells."""

    title: str
    lines: Sequence[str]  # sentences
    commands: Sequence[str] = ()  # lines that it can be answered with
    ranks: tuple[RankRow, ...] = ()
    cross: bool = False  # whether the ranks are a cross-table


def write_to(
    session: Session,
    tournament: Tournament,
    player: Player,
    news: TournamentNews,
    *,
    now: datetime,
    playing: Collection[int] | None = None,
) -> None:
    """Write one letter about a tournament that the caller has locked; nothing to who gets no
    letters. `playing` are the players who take part, where the caller has read them.
    """
    if not gets_letters(player):
        return
    playing = _playing(session, tournament) if playing is None else playing
    letter = TournamentLetter(
        match=name_of(tournament),
        tournament=tournament.uid,
        game_key=tournament.game,
        game=catalogue.about(tournament.game).title,
        zone=player.zone,
        title=news.title,
        lines=tuple(news.lines),
        ranks=news.ranks,
        entrants=len(playing),
        over=tournament.status in OVER,
        anchor=(tournament.anchors or {}).get("public", ""),
        commands=tuple(news.commands),
        takes_part=player.id in playing,
        cross=news.cross,
    )
    outbox.write_to(session, player, letter, now=now)


def tell_directors(
    session: Session,
    tournament: Tournament,
    tell: Callable[[Player], TournamentNews],
    *,
    now: datetime,
    but: Collection[int] = (),
) -> None:
    """Write to all directors of a tournament that the caller has locked, `but` for these players,
    what each is to be told.
    """
    for player_id in directors_of(session, tournament):
        if player_id not in but:
            player = session.get_one(Player, player_id)
            write_to(session, tournament, player, tell(player), now=now)


def tell_stalled(
    session: Session, tournament: Tournament, waiting: Sequence[TournamentTable], *, now: datetime
) -> None:
    """Tell the directors which tables have no result although the days of their round are over."""
    number, names = waiting[0].round_number, _names(session, tournament)
    tables = [_name_table(table, names) for table in waiting[:MOST_NAMED]]
    left = len(waiting) - len(tables)
    if left:
        tables.append(plural(left, "{n} more table", "{n} more tables"))
    lines = [f"The days of round {number} are over, without a result of {join_list(tables)}."]
    lines.append(_THEN[tournament.stalled])
    first = waiting[0].number
    commands = (
        DECIDE.format(uid=tournament.uid, round=number, table=first),
        CLOSE.format(uid=tournament.uid, round=number),
    )
    news = TournamentNews(f"Round {number} stalls", lines, () if tournament.adjudging else commands)
    tell_directors(session, tournament, lambda player: news, now=now)


_THEN = {
    "wait": "The next round waits until a director decides the tables or closes the round.",
    "adjudge": "Their matches end as they are, so you need not do anything.",
    "substitute": (
        "Seats of players who miss two phases look for new ones. A director can decide the tables"
        " or close the round."
    ),
    "bot": (
        "House bots play on for players who miss two phases. A director can decide the tables or"
        " close the round."
    ),
}


def _names(session: Session, tournament: Tournament) -> dict[int, str]:
    return entrant_names(session, tournament, inside=True)


def _name_table(table: TournamentTable, names: dict[int, str]) -> str:
    return f"table {table.number} ({join_list([names[each] for each in table.entrants])})"


def tell_paired(session: Session, tournament: Tournament, tables: int, *, now: datetime) -> None:
    """Tell the directors who do not take part that the next round is paired; entrants have letters
    of their own.
    """
    number = count_paired(session, tournament)
    one = "Round {round} is paired, with {n} table. Its match begins in a moment."
    paired = plural(
        tables,
        one,
        "Round {round} is paired, with {n} tables. Their matches begin in a moment.",
        round=number,
    )
    lines = [f"All tables of round {number - 1} have a result.", paired] if number > 1 else [paired]
    news = TournamentNews(f"Round {number} is paired", lines)
    tell_directors(
        session, tournament, lambda player: news, now=now, but=_playing(session, tournament)
    )


def tell_drawn(session: Session, tournament: Tournament, number: int, *, now: datetime) -> None:
    """Tell all directors that a round was drawn although its tables were set by hand."""
    sentence = (
        f"Somebody at the tables that were set by hand for round {number} is not there any more, so"
        " the round was drawn. It can be taken back while no phase of it has closed, and its tables"
        " set again."
    )
    news = TournamentNews(
        f"Round {number} was drawn", [sentence], (UNDO.format(uid=tournament.uid, round=number),)
    )
    tell_directors(session, tournament, lambda player: news, now=now)


def tell_waiting(
    session: Session, tournament: Tournament, *, now: datetime, but: Collection[int] = ()
) -> None:
    """Tell the directors that all tables have a result, and the pairing waits for them; nothing
    where it does not.
    """
    until = tournament.waits_until
    if tournament.status != "running" or until is None or until <= now:
        return
    tables = tables_of(session, tournament)
    if not tables or any(table.scored_at is None for table in tables):
        return
    number = tables[-1].round_number
    sentence = (
        "All tables of round {number} have a result. A director typed one, so what follows waits"
        " until {until}, or until you let it go on."
    )
    title, commands = f"Round {number} is ready", (GO_ON.format(uid=tournament.uid),)

    def tell(player: Player) -> TournamentNews:
        return TournamentNews(
            title,
            [sentence.format(number=number, until=format_moment(until, player.zone))],
            commands,
        )

    tell_directors(session, tournament, tell, now=now, but=but)


def tell_end(
    session: Session, tournament: Tournament, why: str, *, now: datetime, but: Collection[int] = ()
) -> None:
    """Tell the directors that a tournament has ended; to those who take part a letter to all
    entrants tells it.
    """
    final = final_at(tournament)
    known = {*but, *(_playing(session, tournament) if tournament.started_at is not None else ())}
    until = "Its results are provisional until {final}: until then directors can correct them."

    def tell(player: Player) -> TournamentNews:
        more = [until.format(final=format_moment(final, player.zone))] if final is not None else []
        return TournamentNews("The tournament is over", [why, *more])

    tell_directors(session, tournament, tell, now=now, but=known)


def tell_left(
    session: Session,
    tournament: Tournament,
    number: int,
    *,
    now: datetime,
    erased: bool,
    but: Collection[int],
) -> None:
    """Tell the directors that an entrant has left, and at which tables that one still plays; of who
    is `erased` no name.
    """
    name = f"Entrant {number}" if erased else _names(session, tournament)[number]
    there = [
        table
        for table in tables_of(session, tournament)
        if table.scored_at is None and number in table.entrants
    ]
    lines = [f"{name} has left the tournament. The next rounds are paired without that player."]
    lines += [
        f"The match at table {table.number} of round {table.round_number} goes on."
        for table in there
    ]
    commands = [
        DECIDE.format(uid=tournament.uid, round=table.round_number, table=table.number)
        for table in there
    ]
    news = TournamentNews("A player has left", lines, commands)
    tell_directors(session, tournament, lambda player: news, now=now, but=but)


def _playing(session: Session, tournament: Tournament) -> set[int]:
    return {entry.player_id for entry in staying(entries_of(session, tournament))}
