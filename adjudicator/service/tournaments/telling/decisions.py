"""Letters about results that directors decided or corrected, to those at the table and to those
whose place changed by it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

from sqlmodel import Session, col

from adjudicator.platform import failpoints
from adjudicator.platform.db import Database
from adjudicator.platform.words import format_moment, format_points, join_list, plural
from adjudicator.service.base.tables import (
    Player,
    Tournament,
    TournamentDecision,
    TournamentEntry,
    TournamentTable,
)
from adjudicator.service.tournaments.records import (
    OVER,
    entries_of,
    find_tournament,
    lock_tournament,
    rounds_of,
    rows_of,
    staying,
    tables_of,
)
from adjudicator.service.tournaments.standing import EntryStanding, list_standings
from adjudicator.service.tournaments.telling.directors import TournamentNews, write_to
from adjudicator.service.tournaments.telling.rounds import tell_final, tell_place


@dataclass(frozen=True)
class _DecisionNews:
    """What the letters about one decision tell, read once for many of them."""

    tournament: Tournament
    decision: TournamentDecision
    table: TournamentTable
    waiting: Sequence[TournamentEntry]  # who gets a letter next
    playing: Collection[int]  # the players who have not left
    lines: tuple[EntryStanding, ...]
    stand: Sequence[int]  # rounds that were paired from the result before


def tell_decisions(database: Database, uid: str, *, now: datetime, most: int) -> int:
    """Write the next letters about the oldest decision that is still to be told, at most so many;
    returns for how many entries.

    At least one while some are left, so that the caller asks again. Idempotent. Raises NotFound.
    """
    with database.read_tx() as session:
        news = _read_news(session, uid, most)
    if news is None:
        return 0
    with failpoints.killable_tx(database, "decision") as session:
        lock_tournament(session, uid)
        decision = session.get_one(TournamentDecision, news.decision.id)
        if (decision.told_to, decision.concerned) == (
            news.decision.told_to,
            news.decision.concerned,
        ):
            for entry in news.waiting:
                _write(session, news, entry, now)
                decision.told_to = entry.number
            if len(news.waiting) < most:
                decision.told_at = now
    return max(len(news.waiting), 1)


def next_untold(session: Session, tournament: Tournament) -> TournamentDecision | None:
    """Return the oldest decision of which letters are still to be written."""
    untold = col(TournamentDecision.told_at).is_(None)
    return next(iter(rows_of(session, tournament, TournamentDecision, untold)), None)


def _read_news(session: Session, uid: str, most: int) -> _DecisionNews | None:
    tournament = find_tournament(session, uid)
    decision = next_untold(session, tournament)
    if decision is None:
        return None
    entries = entries_of(session, tournament)
    waiting = [
        entry
        for entry in entries
        if entry.number in decision.concerned and entry.number > decision.told_to
    ][:most]
    place = (decision.round_number, decision.number)
    table = next(
        each for each in tables_of(session, tournament) if (each.round_number, each.number) == place
    )
    later = [
        row
        for row in rounds_of(session, tournament)
        if row.number > decision.round_number and row.paired_at <= decision.at
    ]
    lines = list_standings(session, uid, inside=True)
    stand = [row.number for row in later if row.outdated and decision.before is not None]
    playing = {entry.player_id for entry in staying(entries)}
    return _DecisionNews(tournament, decision, table, waiting, playing, lines, stand)


def _write(session: Session, news: _DecisionNews, entry: TournamentEntry, now: datetime) -> None:
    player = session.get_one(Player, entry.player_id)
    title = "A result was corrected" if news.decision.before is not None else "A result was decided"
    letter = TournamentNews(title, _sentences(news, entry.number, player.zone, now))
    write_to(session, news.tournament, player, letter, now=now, playing=news.playing)


def _sentences(news: _DecisionNews, number: int, zone: str, now: datetime) -> list[str]:
    decision = news.decision
    values = {
        "table": decision.number,
        "round": decision.round_number,
        "now": _result(news, decision.points),
    }
    if decision.before is None:
        sentence = "A director decided table {table} of round {round}: {now}.".format(**values)
    else:
        was = _result(news, decision.before)
        sentence = "A director corrected table {table} of round {round}: {now}. Before it was {was}.".format(
            **values, was=was
        )
    own = next(line for line in news.lines if line.number == number)
    return [
        sentence,
        f"The reason: {decision.why}.",
        tell_place(own, news.lines),
        *_rounds(news),
        *_until(news.tournament, zone, now),
    ]


def _result(news: _DecisionNews, points: Sequence[str]) -> str:
    names = {line.number: line.name for line in news.lines}
    return join_list(
        [
            f"{names[who]} {format_points(Fraction(each))}"
            for who, each in zip(news.table.entrants, points, strict=True)
        ]
    )


def _rounds(news: _DecisionNews) -> list[str]:
    """Say what the correction does to rounds that were paired before it."""
    sentences = []
    if news.decision.voided is not None:
        again = (
            "Round {number} is paired again from the corrected result, as no phase of it had"
            " closed. What was paired before is void."
        )
        sentences.append(again.format(number=news.decision.voided))
    if news.stand:
        rounds = join_list(list(map(str, news.stand)))
        one = (
            "Round {rounds} had begun before the correction, so it stands: its tables count as they"
            " were paired."
        )
        more = (
            "Rounds {rounds} had begun before the correction, so they stand: their tables count as"
            " they were paired."
        )
        sentences.append(plural(len(news.stand), one, more, rounds=rounds))
    return sentences


def _until(tournament: Tournament, zone: str, now: datetime) -> list[str]:
    """Say until when a mistake can be mended without consequences."""
    if tournament.status in OVER:
        return tell_final(tournament, zone)
    until = tournament.waits_until
    if until is None or until <= now:
        return []
    wait = (
        "The next round is not paired before {until}, unless a director lets it go on. If this"
        " result is wrong, tell a director before."
    )
    return [wait.format(until=format_moment(until, zone))]
