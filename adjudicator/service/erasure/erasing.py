"""A player is erased: name, addresses, page and sessions go, in one transaction. Matches, orders
and receipts stay, with the seat's name.

What stays names nobody: sealed orders, receipts and the ratings of others follow from rows that
only have the player's number.
"""

from collections.abc import Iterable
from datetime import datetime

from sqlmodel import Session, col, delete, or_, select, update

from adjudicator.platform import wakeups
from adjudicator.platform.words import plural
from adjudicator.service.base.errors import NotFound
from adjudicator.service.base.names import (
    ERASED,
    NOBODYS_TABLE,
    NOBODYS_TOURNAMENT,
    USUAL_TABLE,
    holds_name,
    table_name,
)
from adjudicator.service.base.rows import (
    left_matches,
    lock_match,
    note_people,
    seated_matches,
    seats_of,
    show_change,
)
from adjudicator.service.base.state import game_of
from adjudicator.service.base.tables import (
    Absence,
    Confirmation,
    Letter,
    Link,
    MasterAddress,
    MasterNote,
    Match,
    Mute,
    Offer,
    Player,
    PressRead,
    QueueEntry,
    Salt,
    Seat,
    SignedIn,
    Standby,
    Tournament,
    TournamentDirector,
    TournamentEntry,
    TournamentNote,
    TournamentTable,
)
from adjudicator.service.erasure import finishing
from adjudicator.service.handover import substitutes
from adjudicator.service.matches import tenures, waiting_list
from adjudicator.service.people import pushes
from adjudicator.service.requests.acts import act
from adjudicator.service.requests.seat_requests import add_request
from adjudicator.service.tournaments.entering import leave
from adjudicator.service.tournaments.records import lock_tournament
from adjudicator.service.tournaments.succession import leave_direction


@act
def erase_player(session: Session, player_id: int, *, now: datetime) -> None:
    """Erase a player for good. Idempotent; raises NotFound where there is no such person.

    1. Replace the names of matches and tournaments that hold the player's, before letters are
       written about them.
    2. Leave the tournaments, the running matches and those that gather; a substitute keeps a seat
       that the player lent. Take away the seats' reservations for the address, and from ended
       matches what opens tenures.
    3. Delete whatever is for the player alone: sessions, links, letters, absences, offers, lists.
       Replace the player's name in notes.
    4. Clear the account itself; tournaments that the player directed get another director.
    5. Note what the worker takes away afterwards: the texts of press, letters that came, and the
       session that signed that seats are left (`finishing`).
    """
    player = session.get(Player, player_id)
    if player is None or player.house:
        raise NotFound("There is no such player.")
    if player.erased_at is not None:
        return
    matches = _lock_all(session, player)
    if player.erased_at is not None:
        return
    finishing.note_letters(session, player, now)
    wakeups.wake(session, wakeups.ERASE)
    _rename_named(session, player, matches)
    _leave_tournaments(session, player_id, now)
    for match in matches:
        _leave(session, match, player, now)
    session.flush()
    _delete_own(session, player, now)
    for table in (MasterNote, TournamentNote):
        session.exec(update(table).where(col(table.player_id) == player.id).values(who=ERASED))
    player.name, player.zone, player.address, player.profile = ERASED, "UTC", None, None
    player.stop_hash = player.earlier_stop_hash = player.stop_token = None
    player.bounced_at, player.bounce, player.name_hidden = None, None, False
    player.letters = player.receipts = player.reminders = player.master = False
    player.erased_at = now
    session.flush()
    _stop_directing(session, player_id, now)
    for match in matches:
        note_people(session, match)
        show_change(match)


# --- locking


def _lock_all(session: Session, player: Player) -> list[Match]:
    """Lock a player and all matches and tournaments that know of the player; returns the matches,
    the oldest first.

    Whoever joins a match locks it before the player (`rows.hold_player`), and so does this. What
    was joined meanwhile shows once the player is locked; then everything is let go and locked
    again.
    """
    while True:
        held = session.begin_nested()
        matches, tournaments = _matches_of(session, player), _tournaments_of(session, player)
        for match in matches:
            lock_match(session, match)
        for uid in tournaments:
            lock_tournament(session, uid)
        session.refresh(player, with_for_update=True)
        if (_matches_of(session, player), _tournaments_of(session, player)) == (
            matches,
            tournaments,
        ):
            held.commit()
            return matches
        held.rollback()


def _matches_of(session: Session, player: Player) -> list[Match]:
    """Return all matches that know of a player, the oldest first: with a seat or a former one, as
    master, invited, waiting or in a note.
    """
    invited = select(Seat.match_id).where(
        col(Seat.kept_for) == player.address, col(Seat.kept_for).is_not(None)
    )
    waits = select(QueueEntry.match_id).where(QueueEntry.player_id == player.id)
    noted = select(MasterNote.match_id).where(MasterNote.player_id == player.id)
    ways = [seated_matches(player.id), invited, left_matches(player.id), waits, noted]
    known = or_(
        *(col(Match.id).in_(each) for each in ways),
        col(Match.master_id) == player.id,
        col(Match.named_after) == player.id,
    )
    return list(session.exec(select(Match).where(known).order_by(col(Match.id))))


def _tournaments_of(session: Session, player: Player) -> list[str]:
    """Return the public names of the tournaments that a player entered or directs, or gave the own
    name, the oldest first.
    """
    entered = select(TournamentEntry.tournament_id).where(TournamentEntry.player_id == player.id)
    directed = select(TournamentDirector.tournament_id).where(
        TournamentDirector.player_id == player.id
    )
    known = or_(
        col(Tournament.id).in_(entered),
        col(Tournament.id).in_(directed),
        col(Tournament.named_after) == player.id,
    )
    return list(session.exec(select(Tournament.uid).where(known).order_by(col(Tournament.id))))


# --- leaving


def _leave_tournaments(session: Session, player_id: int, now: datetime) -> None:
    entered = select(Tournament.uid).join(TournamentEntry)
    entered = entered.where(
        TournamentEntry.player_id == player_id,
        col(Tournament.status).in_(("making", "entering", "running")),
    )
    for uid in session.exec(entered.order_by(col(Tournament.id))).all():
        leave(session, uid, player_id, now=now, erased=True)


def _stop_directing(session: Session, player_id: int, now: datetime) -> None:
    directed = select(Tournament).join(TournamentDirector)
    mine = directed.where(
        TournamentDirector.player_id == player_id, col(TournamentDirector.left_at).is_(None)
    )
    mine = mine.where(col(Tournament.status).in_(("making", "entering", "running")))
    for tournament in session.exec(mine.order_by(col(Tournament.id))).all():
        leave_direction(session, tournament, player_id, now=now)


def _leave(session: Session, match: Match, player: Player, now: datetime) -> None:
    """Take a player out of a locked match that has not ended, and free what is kept for the
    address.
    """
    for seat in seats_of(session, match):
        if seat.owner_id == player.id and seat.player_id != player.id:
            if match.status in ("running", "stuck"):
                add_request(session, match, seat, "keep", now, player_id=player.id)
            seat.owner_id = seat.returns_at = None  # the substitute keeps it
        if seat.kept_for is not None and seat.kept_for == player.address:
            seat.kept_for, seat.kept_secretly, seat.invitation_hash = None, False, None
        if seat.player_id == player.id and match.status in ("running", "stuck"):
            _resign(session, match, seat, now)
        elif seat.player_id == player.id and match.status in ("making", "open"):
            waiting_list.vacate(seat)
        if seat.player_id == player.id:
            # nobody can open who had it in a match that is over
            seat.tenure_nonce = seat.tenure_who = seat.tenure_proof = None
    session.flush()
    if match.status == "open":
        waiting_list.refill(session, match, now=now)


def _resign(session: Session, match: Match, seat: Seat, now: datetime) -> None:
    if seat.owner_id is not None:
        substitutes.return_seat(session, match, seat, seat.player_id, now=now)
    else:
        tenures.open_seat(session, match, seat, "resigned", now=now)


# --- deleting


def _delete_own(session: Session, player: Player, now: datetime) -> None:
    """Delete the rows that are for a player alone, also letters that were not sent yet."""
    pushes.remove_browsers(session, player.id)
    _end_sessions(session, player, now)
    own = (Absence, Standby, QueueEntry, MasterAddress, Mute, PressRead, Letter, Salt)
    for table in own:
        session.exec(delete(table).where(col(table.player_id) == player.id))
    session.exec(delete(Link).where(col(Link.guest_id) == player.id))
    session.exec(delete(Offer).where(col(Offer.asker_id) == player.id))
    if player.address is not None:
        for addressed in (Link, Confirmation, Offer, Letter):
            session.exec(delete(addressed).where(col(addressed.address) == player.address))


def _end_sessions(session: Session, player: Player, now: datetime) -> None:
    """Delete the sessions of a player. One that just signed that a seat is left stays, ended, until
    the worker has looked at that.
    """
    kept = set(session.exec(finishing.waiting_sessions(player.id)))
    session.exec(
        delete(SignedIn).where(
            col(SignedIn.player_id) == player.id, col(SignedIn.token_hash).not_in(kept)
        )
    )
    session.exec(
        update(SignedIn)
        .where(col(SignedIn.token_hash).in_(kept), col(SignedIn.ended_at).is_(None))
        .values(ended_at=now)
    )


# --- names


def _rename_named(session: Session, player: Player, matches: Iterable[Match]) -> None:
    """Replace the names of matches and tournaments that hold a player's.

    Whose name a name holds was kept as it was given. Where nobody's was, the present name counts,
    in what the player made.
    """
    for match in matches:
        if _holds(
            match,
            player,
            made=match.master_id == player.id and match.name != game_of(match).about.title,
        ):
            match.name, match.named_after = _replaced(session, match), None
    directed = select(TournamentDirector.tournament_id).where(
        TournamentDirector.player_id == player.id
    )
    ours = or_(col(Tournament.named_after) == player.id, col(Tournament.id).in_(directed))
    for tournament in session.exec(select(Tournament).where(ours)):
        if _holds(tournament, player, made=True):
            tournament.name, tournament.named_after = NOBODYS_TOURNAMENT, None


def _holds(thing: Match | Tournament, player: Player, *, made: bool) -> bool:
    """Whether the name of a match or tournament holds the name of a player, who `made` it or did
    not.
    """
    if thing.named_after is not None:
        return thing.named_after == player.id
    usual = thing.name == table_name(player.name)
    return usual or (
        made and (USUAL_TABLE.match(thing.name) is not None or holds_name(thing.name, player.name))
    )


def _replaced(session: Session, match: Match) -> str:
    """Return the name of a match that held a player's; one of a tournament keeps its round and
    table.
    """
    table = session.get(TournamentTable, match.table_id) if match.table_id is not None else None
    return (
        f"{NOBODYS_TOURNAMENT}, round {table.round_number}, table {table.number}"
        if table is not None
        else NOBODYS_TABLE
    )


def describe_backups(days: int) -> str:
    """Return the sentence that says for how long backups keep what is erased; 0 where the host has
    not said so.
    """
    if not days:
        return "Backups that the host made before keep it until the host deletes them."
    one = "Backups that the host made before keep it for at most {n} day."
    return plural(days, one, "Backups that the host made before keep it for at most {n} days.")
