"""Who takes part in a tournament: entries, leaving, and the close of entries."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NoReturn

from sqlmodel import Session

from adjudicator import catalogue
from adjudicator.core import codec
from adjudicator.core.game import Seat as SeatName
from adjudicator.platform import wakeups
from adjudicator.platform.words import plural
from adjudicator.play.seat_allocation import SeatingError, read_preferences
from adjudicator.play.tournaments.formats import MOST_ROUNDS, Format, count_rounds
from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.names import PlayerName
from adjudicator.service.base.rows import hold_player
from adjudicator.service.base.tables import Player, Tournament, TournamentEntry
from adjudicator.service.matches.masters import clean_reason
from adjudicator.service.matches.notes import SERVICE
from adjudicator.service.people import accounts
from adjudicator.service.requests.acts import act
from adjudicator.service.tournaments.making import fewest_entries
from adjudicator.service.tournaments.records import (
    OVER,
    Directed,
    Granted,
    count_paired,
    directed_of,
    end_now,
    entries_of,
    entry_numbered,
    entry_of,
    format_of,
    free_round,
    lock_to_direct,
    lock_tournament,
    master_of,
    note_tournament,
    public_name,
    staying,
)
from adjudicator.service.tournaments.telling.directors import (
    TournamentNews,
    tell_end,
    tell_left,
    write_to,
)

MOST_ENTRIES = 500  # for which a round is paired in half a second, and told within a minute


@act
def enter(
    session: Session,
    uid: str,
    player_id: int,
    *,
    now: datetime,
    wishes: Sequence[str] | None = None,
) -> int:
    """Enter a player; returns the number of the entry, the same for whoever is entered already.

    Between rounds it is open to late entrants where its director chose so: they are paired from the
    next round on. Raises NotNow before the chance is fixed, once entries have closed, where the
    tournament is full, and for who has left it; NotAllowed for who reads all press of its matches.
    `wishes` are the seats that the player prefers, best first, None: as before; they hold for the
    matches that are not made yet. Raises Refused for one that cannot be wished for.
    """
    tournament = lock_tournament(session, uid)
    wakeups.wake(session, wakeups.ADVANCE, uid)
    entries = entries_of(session, tournament)
    preferred = _preferred(tournament, wishes or ())
    known = entry_of(staying(entries), player_id)
    if known is not None:
        known.wishes = known.wishes if wishes is None else preferred
        return known.number
    first = _first_round(session, tournament, now)
    if entry_of(entries, player_id) is not None:
        raise NotNow("You left this tournament, and who has left it does not come back.")
    hold_player(session, player_id)
    most = most_entries(format_of(tournament))
    if len(entries) >= most:
        raise NotNow(f"This tournament is full: {most} have entered.")
    if tournament.wish["press"]["overseen"] and master_of(session, tournament) == player_id:
        raise NotAllowed(
            "You read all press of the matches of this tournament, so you cannot play in it."
        )
    accounts.enter_as_oneself(session, tournament, player_id)
    number = max((entry.number for entry in entries), default=0) + 1
    session.add(
        TournamentEntry(
            tournament_id=tournament.id,
            player_id=player_id,
            number=number,
            entered_at=now,
            first_round=first,
            wishes=preferred,
            granted=_use_admission(tournament, first),
        )
    )
    if first > 1:
        player = session.get_one(Player, player_id)
        who = PlayerName(player, public_name(player, number))
        note_tournament(
            session, tournament, now, who, f"entered, to be paired from round {first} on"
        )
    return number


def offered_seats(tournament: Tournament) -> tuple[SeatName, ...]:
    """Return the seats that entrants can wish for, of which a table leaves some over (phoenix R16);
    () where the pairing gives them.

    Where seats play for each other, the pairing tells who plays with whom.
    """
    about = catalogue.about(tournament.game)
    return (
        ()
        if any(tournament.wish["options"].get(name) for name in about.shared_options)
        else about.palette
    )


def _preferred(tournament: Tournament, wishes: Sequence[str]) -> list[SeatName]:
    """Return the seats that wishes name; raises Refused."""
    offered = offered_seats(tournament)
    if wishes and not offered:
        raise Refused(
            "The seats of this tournament’s matches are given by its pairings, so none can be"
            " wished for.",
            field="wishes",
        )
    try:
        return list(read_preferences(" ".join(wishes), offered))
    except SeatingError as error:
        raise Refused(str(error), field="wishes") from error


def _use_admission(tournament: Tournament, number: int) -> dict[str, Any] | None:
    """Return what a director granted whoever enters before this round; it is for one entry."""
    directed = directed_of(tournament, number)
    if directed.admits is None:
        return None
    tournament.directed = codec.dump(Directed, replace(directed, admits=None))
    granted: dict[str, Any] = codec.dump(Granted, Granted(directed.admits))
    return granted


def most_entries(format_: Format) -> int:
    """Return how many can enter: as many as MOST_ENTRIES, but no more than MOST_ROUNDS rounds have
    room for.
    """
    return max(
        number
        for number in range(2, MOST_ENTRIES + 1)
        if count_rounds(format_, number) <= MOST_ROUNDS
    )


def _first_round(session: Session, tournament: Tournament, now: datetime) -> int:
    """Return the first round that somebody who enters now is paired for; raises NotNow where nobody
    can.
    """
    if takes_late(session, tournament):
        return count_paired(session, tournament) + 1
    if tournament.status == "making":
        raise NotNow("This tournament is still being set up; try again in a moment.")
    if tournament.status in OVER:
        raise NotNow("This tournament is over.")
    if tournament.status != "entering" or is_late(tournament, now):
        raise NotNow("Entries to this tournament have closed.")
    return 1


def takes_late(session: Session, tournament: Tournament) -> bool:
    """Whether players can enter a tournament that has begun: if late ones may or one more is
    admitted, until its last round is paired.
    """
    number = free_round(session, tournament)
    if tournament.status != "running" or number is None:
        return False
    return tournament.late != "no" or directed_of(tournament, number).admits is not None


def is_late(tournament: Tournament, now: datetime) -> bool:
    """Whether the moment has passed at which entries close by themselves."""
    return tournament.closes_at is not None and now >= tournament.closes_at


@act
def leave(
    session: Session, uid: str, player_id: int, *, now: datetime, erased: bool = False
) -> str:
    """Take a player out of a tournament; returns the reply. Idempotent.

    Before it begins the entry is erased, and the player may enter again. Later all rounds to come
    are paired without the player, whose present match goes on. Raises NotAllowed for who never
    entered, NotNow once it is over.
    """
    tournament = lock_tournament(session, uid)
    wakeups.wake(session, wakeups.ADVANCE, uid)
    entry = entry_of(entries_of(session, tournament), player_id)
    if tournament.status in OVER:
        raise NotNow("This tournament is over.")
    if tournament.status == "running":
        if entry is None:
            raise NotAllowed("You did not enter this tournament.")
        if entry.left_at is None:
            entry.left_at = now
            player = session.get_one(Player, player_id)
            who = PlayerName(player, public_name(player, entry.number))
            note_tournament(session, tournament, now, who, "left the tournament")
            tell_left(session, tournament, entry.number, now=now, erased=erased, but={player_id})
        return (
            f"The next rounds of {tournament.name} are played without you. A match that you play"
            " now goes on."
        )
    if entry is not None:
        session.delete(entry)
    return f"You are not entered in {tournament.name} any more."


@act
def remove(
    session: Session, uid: str, director_id: int, number: int, *, reason: str, now: datetime
) -> None:
    """Take an entrant out of a tournament, as a director: a no-show at its start, or one who is
    excused for good. Idempotent.

    Before it begins the entry is erased; later the next rounds are paired without the player, whose
    present match goes on. The player gets a letter. Raises NotAllowed for others than the
    directors, Refused without a reason or such an entrant, NotNow where the tournament takes no
    entries and is not played.
    """
    tournament, who = lock_to_direct(session, uid, director_id)
    entry, why = entry_numbered(session, tournament, number), clean_reason(reason)
    if tournament.status not in ("entering", "running"):
        _raise_closed(tournament)
    if entry.left_at is not None:
        return
    note_tournament(
        session, tournament, now, who, f"took entrant {number} out of the tournament: {why}"
    )
    player = session.get_one(Player, entry.player_id)
    sentence = [f"A director took you out of this tournament: {why}."]
    if tournament.status == "running":
        entry.left_at = now
        sentence.append("A match that you play now goes on.")
    else:
        session.delete(entry)
    session.flush()
    write_to(
        session,
        tournament,
        player,
        TournamentNews("You are not in this tournament any more", sentence),
        now=now,
    )


# --- closing


@act
def close_entries(session: Session, uid: str, director_id: int, *, now: datetime) -> None:
    """Close the entries, so that the first round is paired next. Idempotent while the tournament
    runs.

    Raises NotAllowed for others than its directors, NotNow where too few have entered or the
    tournament is over.
    """
    tournament, who = lock_to_direct(session, uid, director_id)
    if tournament.status == "running":
        return
    if tournament.status != "entering":
        _raise_closed(tournament)
    missing = too_few(session, tournament)
    if missing:
        raise NotNow(missing)
    _begin(session, tournament, who, now)


def _raise_closed(tournament: Tournament) -> NoReturn:
    over = tournament.status in OVER
    raise NotNow("This tournament is over." if over else "This tournament is still being set up.")


def too_few(session: Session, tournament: Tournament) -> str:
    """Return the sentence that says how many entries a tournament lacks, "" if it lacks none."""
    count = len(staying(entries_of(session, tournament)))
    fewest = fewest_entries(format_of(tournament))
    if count >= fewest:
        return ""
    if not count:
        return f"This tournament needs at least {fewest} players; nobody has entered."
    one = "This tournament needs at least {fewest} players; only one has entered."
    return plural(
        count,
        one,
        "This tournament needs at least {fewest} players; only {n} have entered.",
        fewest=fewest,
    )


def close_by_moment(session: Session, tournament: Tournament, *, now: datetime) -> None:
    """Close entries whose moment has come, in a tournament that the caller has locked; with too few
    it ends. Idempotent.
    """
    if tournament.status != "entering" or not is_late(tournament, now):
        return
    if too_few(session, tournament):
        end_now(session, tournament, now)
        note_tournament(
            session, tournament, now, SERVICE, "ended the tournament, for which too few had entered"
        )
        tell_end(
            session,
            tournament,
            "Its entries have closed, but too few had entered, so it is over.",
            now=now,
        )
    else:
        _begin(session, tournament, SERVICE, now)


def _begin(session: Session, tournament: Tournament, who: str, now: datetime) -> None:
    tournament.status, tournament.started_at = "running", now
    note_tournament(session, tournament, now, who, "closed the entries")
