"""Who directs a tournament after its last director: a master of all matches, else the first entrant
who says yes.
"""

from datetime import datetime

from sqlalchemy import ColumnElement, and_
from sqlmodel import Session, col, select

from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.names import PlayerName
from adjudicator.service.base.rows import hold_player
from adjudicator.service.base.tables import Player, Tournament, TournamentDirector, TournamentEntry
from adjudicator.service.matches.notes import SERVICE
from adjudicator.service.requests.acts import act
from adjudicator.service.tournaments.records import (
    appoint,
    directors_of,
    end_overseeing,
    entries_of,
    entry_numbered,
    is_final,
    lock_to_direct,
    lock_tournament,
    may_dismiss,
    note_tournament,
    require_not_final,
    rows_of,
    staying,
)
from adjudicator.service.tournaments.telling.directors import TournamentNews, write_to

LACKS = "The tournament lacks a director"
TAKE_OVER = "direct tournament {uid}"


@act
def stop_directing(session: Session, uid: str, director_id: int, *, now: datetime) -> None:
    """Let a director direct a tournament no more. Raises NotAllowed for others than its
    directors.
    """
    tournament, who = lock_to_direct(session, uid, director_id)
    if director_id not in directors_of(session, tournament):
        raise NotAllowed("You direct this tournament as the host, not as one of its directors.")
    note_tournament(session, tournament, now, who, "stopped directing the tournament")
    leave_direction(session, tournament, director_id, now=now)


@act
def dismiss_director(
    session: Session, uid: str, director_id: int, number: int, *, now: datetime
) -> None:
    """Let the player of an entry direct a tournament no more, as its first director or a master of
    all matches; that player gets a letter. Raises NotAllowed for others, NotNow once the results
    are final, Refused for an entry whose player is no other director.
    """
    tournament, who = lock_to_direct(session, uid, director_id)
    if not may_dismiss(session, tournament, director_id):
        raise NotAllowed("Only the first director of this tournament dismisses another one.")
    require_not_final(tournament, now)
    player = session.get_one(Player, entry_numbered(session, tournament, number).player_id)
    dismissed = PlayerName(player)
    if dismissed.player_id == director_id:
        raise Refused(f"To direct it no more yourself, write `stop directing tournament {uid}`.")
    if dismissed.player_id not in directors_of(session, tournament):
        raise Refused(f"Entrant {number} does not direct this tournament.", field="entry")
    note_tournament(session, tournament, now, who, "dismissed another director")
    note_tournament(session, tournament, now, dismissed, "directs the tournament no more")
    sentence = "Another director dismissed you as a director of this tournament."
    news = TournamentNews("You are no director any more", [sentence])
    write_to(session, tournament, player, news, now=now)
    leave_direction(session, tournament, dismissed.player_id, now=now)


def leave_direction(
    session: Session, tournament: Tournament, director_id: int, *, now: datetime
) -> None:
    """Take a director out of a tournament that the caller has locked, and see that somebody directs
    it until its results are final.

    1. Another director goes on alone.
    2. Without one, the eldest master of all matches becomes director. Without such a master, the
       eldest entrant is asked by letter; on its page every entrant can say yes, and the first who
       does directs it (`take_over`).
    """
    own = col(TournamentDirector.player_id) == director_id
    [directing] = rows_of(session, tournament, TournamentDirector, own)
    directing.left_at = now
    session.flush()
    directors = directors_of(session, tournament)
    if is_final(tournament, now):
        return
    if directors:
        _keep_press(session, tournament, directors, now)
        return
    host = session.exec(
        select(Player)
        .where(_can_direct(), col(Player.master), Player.id != director_id)
        .order_by(col(Player.id))
    ).first()
    if host is not None:
        _appoint(session, tournament, host, now)
        sentence = (
            "Its last director has left, so you direct it now, as a master of all matches. You can"
            " name an entrant a director."
        )
        write_to(session, tournament, host, TournamentNews(LACKS, [sentence]), now=now)
        return
    note_tournament(
        session,
        tournament,
        now,
        SERVICE,
        "looks for a director: the first entrant who says yes on this page directs it",
    )
    eldest = _eldest(session, tournament, director_id)
    if eldest is not None:
        sentence = (
            "Its last director has left. The first entrant who says yes on its page directs it, and"
            " you entered before all others."
        )
        write_to(
            session,
            tournament,
            eldest,
            TournamentNews(LACKS, [sentence], (TAKE_OVER.format(uid=tournament.uid),)),
            now=now,
        )


@act
def take_over(session: Session, uid: str, player_id: int, *, now: datetime) -> None:
    """Make an entrant the director of a tournament that has none. Idempotent.

    Raises NotNow where it has one or is over, NotAllowed for who does not take part.
    """
    tournament = lock_tournament(session, uid)
    directors = directors_of(session, tournament)
    if player_id in directors:
        return
    if directors or is_final(tournament, now):
        raise NotNow(
            "This tournament is over."
            if is_final(tournament, now)
            else "This tournament has a director by now."
        )
    if player_id not in {entry.player_id for entry in staying(entries_of(session, tournament))}:
        raise NotAllowed("Only who takes part in this tournament can become its director.")
    hold_player(session, player_id)
    _appoint(session, tournament, session.get_one(Player, player_id), now)


def _appoint(session: Session, tournament: Tournament, player: Player, now: datetime) -> None:
    appoint(session, tournament, player.id)
    note_tournament(
        session, tournament, now, PlayerName(player), "became a director, as there was none"
    )
    _keep_press(session, tournament, [player.id], now)


def _keep_press(
    session: Session, tournament: Tournament, directors: list[int], now: datetime
) -> None:
    """Let nobody read all press of matches to come if the first director, as their master, plays;
    present ones stay as they are.
    """
    playing = {entry.player_id for entry in staying(entries_of(session, tournament))}
    if directors and directors[0] in playing and tournament.wish["press"]["overseen"]:
        what = "lets nobody read all press of matches to come, as their master plays"
        end_overseeing(session, tournament, what, now)


def _eldest(session: Session, tournament: Tournament, but: int) -> Player | None:
    """Return the person who entered first of those who take part."""
    there = select(Player).join(TournamentEntry)
    there = there.where(
        TournamentEntry.tournament_id == tournament.id, col(TournamentEntry.left_at).is_(None)
    )
    return session.exec(
        there.where(_can_direct(), Player.id != but).order_by(col(TournamentEntry.number))
    ).first()


def _can_direct() -> ColumnElement[bool]:
    return and_(
        col(Player.house).is_(False),
        col(Player.erased_at).is_(None),
        col(Player.address).is_not(None),
    )
