"""Entrants between rounds: sitting out one by wish, coming back, coming late with points that a
director sets.
"""

from dataclasses import replace
from datetime import datetime
from fractions import Fraction

from sqlmodel import Session

from adjudicator.core import codec
from adjudicator.platform import wakeups
from adjudicator.platform.words import format_points, plural
from adjudicator.play.tournaments.formats import Mixer, Swiss
from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.names import PlayerName
from adjudicator.service.base.tables import Player, Tournament, TournamentEntry
from adjudicator.service.matches.masters import clean_reason
from adjudicator.service.requests.acts import act
from adjudicator.service.tournaments.records import (
    Directed,
    Granted,
    count_paired,
    directed_of,
    entries_of,
    entry_numbered,
    entry_of,
    format_of,
    free_round,
    granted_of,
    lock_to_direct,
    lock_tournament,
    note_tournament,
    public_name,
    staying,
)
from adjudicator.service.tournaments.results.deciding import read_points
from adjudicator.service.tournaments.telling.directors import TournamentNews, write_to

# what is possible instead in formats whose pairings follow from the first one
_AWAY = (
    "Who is away for a while lends the seat with `substitute`; the table of who is away for good is"
    " given its result with `decide`."
)
_LATE = (
    "Who comes later can take over a seat that its player has left, which `standby` asks for, or"
    " enter the next tournament or season."
)


def next_round(session: Session, tournament: Tournament, instead: str) -> int:
    """Return the next round of a Swiss or a mixer; raises NotNow where none is paired any more,
    Refused in other formats, with what is possible `instead` there.
    """
    if not isinstance(format_of(tournament), Swiss | Mixer):
        raise Refused(
            "This is possible in a Swiss or a mixer only: in other formats every pairing follows"
            f" from the first one. {instead}"
        )
    number = free_round(session, tournament)
    if number is None:
        raise NotNow("No round of this tournament is paired any more, and nothing was changed.")
    return number


@act
def sit_out(session: Session, uid: str, player_id: int, *, out: bool, now: datetime) -> str:
    """Let the player's entry sit out the next round by wish, or take that back; returns the reply.
    Idempotent.

    Raises NotAllowed for who does not take part, NotNow and Refused as `next_round` does.
    """
    tournament = lock_tournament(session, uid)
    wakeups.wake(session, wakeups.ADVANCE, uid)
    entry = entry_of(staying(entries_of(session, tournament)), player_id)
    if entry is None:
        raise NotAllowed("You do not take part in this tournament.")
    number = next_round(session, tournament, _AWAY)
    player = session.get_one(Player, player_id)
    _set_out(
        session,
        tournament,
        entry,
        PlayerName(player, public_name(player, entry.number)),
        out=out,
        now=now,
    )
    return (
        f"You sit out round {number}, without points for it."
        if out
        else f"You are paired for round {number}."
    )


@act
def excuse(session: Session, uid: str, director_id: int, number: int, *, now: datetime) -> str:
    """Let an entrant sit out the next round, as a director; the player is told. Returns the reply.
    Idempotent.
    """
    tournament, who = lock_to_direct(session, uid, director_id)
    entry = entry_numbered(session, tournament, number)
    round_ = next_round(session, tournament, _AWAY)
    if _set_out(session, tournament, entry, who, out=True, now=now):
        sentence = (
            f"A director excused you from round {round_}, so you sit out. `play on tournament"
            f" {uid}` takes that back."
        )
        news = TournamentNews(f"You sit out round {round_}", [sentence])
        write_to(session, tournament, session.get_one(Player, entry.player_id), news, now=now)
    return f"Entrant {number} sits out round {round_}, without points for it."


def _set_out(
    session: Session,
    tournament: Tournament,
    entry: TournamentEntry,
    who: str,
    *,
    out: bool,
    now: datetime,
) -> bool:
    """Let an entrant sit out the next round, or not; returns whether that changed anything."""
    granted, number = granted_of(entry), count_paired(session, tournament) + 1
    if (number in granted.out) == out:
        return False
    rounds = tuple(each for each in granted.out if each != number)
    entry.granted = codec.dump(Granted, replace(granted, out=(*rounds, number) if out else rounds))
    does = (
        "lets entrant {entry} sit out round {number}"
        if out
        else "lets entrant {entry} be paired for round {number}"
    )
    note_tournament(session, tournament, now, who, does.format(entry=entry.number, number=number))
    return True


@act
def admit(
    session: Session,
    uid: str,
    director_id: int,
    number: int | None,
    points: str,
    *,
    reason: str,
    now: datetime,
) -> str:
    """Take somebody in from the next round on, as a director, with these points; returns the reply.

    The entrant of this `number`: one who has left comes back, and the points are added. Without a
    number one player more can enter until the next round is paired, whatever was chosen for who
    comes late. Raises NotAllowed for others than the directors, Refused without a reason or for
    what does not read as points, NotNow before the first round is paired and after the last one.
    """
    tournament, who = lock_to_direct(session, uid, director_id)
    why, (given,), round_ = (
        clean_reason(reason),
        read_points([points or "0"], 1),
        next_round(session, tournament, _LATE),
    )
    if round_ == 1:
        raise NotNow(
            "The first round is not paired yet: whoever comes can still enter, without points."
        )
    sentence = plural(
        1 if 0 < given <= 1 else 2, "{points} point", "{points} points", points=format_points(given)
    )
    if number is None:
        tournament.directed = codec.dump(
            Directed, replace(directed_of(tournament, round_), admits=str(given))
        )
        note_tournament(
            session,
            tournament,
            now,
            who,
            f"lets one player more enter before round {round_}, with {sentence}: {why}",
        )
        return (
            f"One player more can enter by `join tournament {uid}` until round {round_} is paired,"
            f" with {sentence}."
        )
    _take_back(
        session, tournament, entry_numbered(session, tournament, number), given, why=why, now=now
    )
    note_tournament(
        session,
        tournament,
        now,
        who,
        f"takes entrant {number} in for round {round_}, with {sentence} more: {why}",
    )
    return f"Entrant {number} is paired from round {round_} on, with {sentence} more."


def _take_back(
    session: Session,
    tournament: Tournament,
    entry: TournamentEntry,
    given: Fraction,
    *,
    why: str,
    now: datetime,
) -> None:
    player = session.get_one(Player, entry.player_id)
    if player.erased_at is not None:
        raise Refused("This player does not exist any more.")
    granted = granted_of(entry)
    entry.granted = codec.dump(
        Granted, replace(granted, points=str(Fraction(granted.points) + given))
    )
    if entry.left_at is not None:
        entry.left_at = None
        sentence = (
            f"A director took you in again: {why}. `leave tournament {tournament.uid}` leaves it."
        )
        write_to(
            session, tournament, player, TournamentNews("You take part again", [sentence]), now=now
        )
