"""Seasons of a league: the next one is made from the final order of the last one, and its players
are in it unless they leave.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import cast

from sqlmodel import Session, select

from adjudicator.platform import wakeups
from adjudicator.play.tournaments.formats import League
from adjudicator.play.tournaments.leagues import divisions_of, list_moves, next_season
from adjudicator.play.tournaments.records import Entrant, History
from adjudicator.play.tournaments.standings import TieBreak, rank_entrants
from adjudicator.service.base.errors import NotNow, Refused
from adjudicator.service.base.names import PlayerName
from adjudicator.service.base.rows import hold_player, hold_players
from adjudicator.service.base.tables import Player, Tournament, TournamentDirector, TournamentEntry
from adjudicator.service.matches.creation import new_uid
from adjudicator.service.requests.acts import act
from adjudicator.service.tournaments.records import (
    OVER,
    directors_of,
    end_overseeing,
    entries_of,
    format_of,
    has_new_reader,
    history_of,
    lock_to_direct,
    note_tournament,
    staying,
)

MOST_DAYS = 365
# what a season has from the one before
COPIED = (
    "name named_after game format policies scoring tie_breaks legs wish round_days stalled late"
    " wait_hours"
)
MADE = -1  # the round "after" which letters tell that a season was made


@act
def make_season(session: Session, uid: str, director_id: int, *, days: int, now: datetime) -> str:
    """Make the next season of a league that is over, with entries for so many days; returns its
    public name. Idempotent.

    It has the same options and directors. Where the first of them, as the master of its matches,
    reads all press, it is one who does not play, and notes of the season and of its matches tell
    who; if every director plays, nobody reads it, and a note says so. Its players are entered as
    the worker fixes its chance (`carry_over`). Raises NotAllowed for others than the directors,
    NotNow for a season that goes on, Refused for what is no league or another number of days.
    """
    last, who = lock_to_direct(session, uid, director_id)
    if last.format != "league":
        raise Refused("Only a league has seasons; make a new tournament instead.")
    known = following_of(session, last)
    if known is not None:
        return known.uid
    if last.status not in OVER:
        raise NotNow("This season is not over yet.")
    if not 1 <= days <= MOST_DAYS:
        raise Refused(f"Entries to a season are open for 1 to {MOST_DAYS} days.", field="days")
    season = Tournament(
        **{name: getattr(last, name) for name in COPIED.split()},
        uid=new_uid(),
        closes_at=now + timedelta(days=days),
        made_at=now,
        season=last.season + 1,
        previous_id=last.id,
    )
    session.add(season)
    session.flush()
    wakeups.wake(session, wakeups.ADVANCE, season.uid)
    hold_player(session, director_id)
    directing = directors_of(session, last)
    there = hold_players(session, directing)
    directors = [each for each in directing if each in there] or [director_id]
    if season.wish["press"]["overseen"]:
        playing = {entry.player_id for entry in staying(entries_of(session, last))}
        directors.sort(key=playing.__contains__)
        if directors[0] in playing:
            what = "lets nobody read all press of this season, as every director plays in it"
            end_overseeing(session, season, what, now)
    session.add_all(
        TournamentDirector(tournament_id=season.id, player_id=player_id) for player_id in directors
    )
    session.flush()
    if has_new_reader(session, season):
        reader = PlayerName(session.get_one(Player, directors[0]))
        note_tournament(
            session,
            season,
            now,
            reader,
            "reads all press of this season; another director read that of the season before",
        )
    note_tournament(session, last, now, who, f"made season {season.season}")
    return season.uid


def following_of(session: Session, tournament: Tournament) -> Tournament | None:
    """Return the season after one, None where it was not made."""
    return session.exec(select(Tournament).where(Tournament.previous_id == tournament.id)).first()


def carry_over(session: Session, season: Tournament, *, now: datetime) -> None:
    """Enter the players of the last season into a new one that the caller has locked, as its chance
    is fixed; they get a letter.

    Does nothing for a first season.

    Their numbers are the ladder after the moves up and down, without those who left; newcomers
    follow with higher ones. The divisions are cut from it as the entries close, so gaps are filled
    from below.
    """
    format_ = format_of(season)
    if season.previous_id is None or not isinstance(format_, League):
        return
    last = session.get_one(Tournament, season.previous_id)
    entries = entries_of(session, last)
    players = {entry.number: entry.player_id for entry in staying(entries)}
    wishes = {entry.number: entry.wishes for entry in entries}
    there = hold_players(session, list(players.values()))
    stay = {number for number, player_id in players.items() if player_id in there}
    numbers, history = [entry.number for entry in entries], history_of(session, last)
    ranked = rank_divisions(format_, numbers, history, last.tie_breaks, playing=list(players))
    gone = {entrant for division in ranked for entrant in division} - stay
    ladder = [
        entrant
        for division in next_season(ranked, format_.size, moving=format_.moving, leaving=gone)
        for entrant in division
    ]
    for number, entrant in enumerate(ladder, 1):
        session.add(
            TournamentEntry(
                tournament_id=season.id,
                player_id=players[int(entrant)],
                number=number,
                entered_at=now,
                wishes=wishes[int(entrant)],
            )
        )
    season.tell_round, season.told_to = MADE, 0
    session.flush()


def rank_divisions(
    format_: League,
    numbers: Sequence[Entrant],
    history: History,
    tie_breaks: Sequence[str],
    *,
    playing: Sequence[Entrant],
) -> list[list[Entrant]]:
    """Return the order of each division as it stands, equal ones in the order of entry."""
    lines = rank_entrants(format_, numbers, playing, history, cast("list[TieBreak]", tie_breaks))
    order = {line.entrant: at for at, line in enumerate(lines)}
    return [
        sorted(each, key=order.__getitem__)
        for each in divisions_of(numbers, history, format_.size, format_.least)
    ]


def divisions_and_moves(
    tournament: Tournament, entries: Sequence[TournamentEntry], history: History
) -> dict[int, tuple[int, int]]:
    """Return the division of each entrant of a league, from 1, and whether they would go up (-1) or
    down (1); {} for other formats.
    """
    format_ = format_of(tournament)
    if not isinstance(format_, League):
        return {}
    numbers = [entry.number for entry in entries]
    playing = [entry.number for entry in staying(entries)]
    ranked = rank_divisions(format_, numbers, history, tournament.tie_breaks, playing=playing)
    moves = list_moves(ranked, format_.moving) if history else {}
    return {
        int(who): (number, moves.get(who, 0))
        for number, division in enumerate(ranked, 1)
        for who in division
    }
