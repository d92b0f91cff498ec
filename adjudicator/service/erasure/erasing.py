"""A player is erased: name, addresses, page and sessions go, in one transaction. Matches, orders and receipts stay, with the seat's name.

What stays names nobody: sealed orders, receipts and the ratings of others follow from rows that only have the player's number.
"""

import re
from collections.abc import Iterable
from datetime import datetime

from sqlmodel import Session, col, delete, or_, select

from adjudicator.platform import failpoints
from adjudicator.platform.db import Database
from adjudicator.service.base.errors import NotFound
from adjudicator.service.base.names import ERASED
from adjudicator.service.base.rows import lock_match, note_people, seats_of, show_change
from adjudicator.service.base.tables import (
    Absence,
    Confirmation,
    FormerTenure,
    Letter,
    Link,
    MasterAddress,
    MasterNote,
    Match,
    Mute,
    Offer,
    Player,
    QueueEntry,
    Seat,
    SignedIn,
    Standby,
    Tournament,
    TournamentDirector,
    TournamentEntry,
    TournamentNote,
)
from adjudicator.service.handover import substitutes
from adjudicator.service.matches import tenures, waiting_list
from adjudicator.service.tournaments.entering import leave_tournament_in


def erase_player(database: Database, player_id: int, *, now: datetime) -> None:
    """Erase a player for good. Idempotent; raises NotFound where there is no such person.

    1. Leave the tournaments, the running matches and those that gather; a substitute keeps a seat that the player lent.
    2. Delete whatever is for the player alone: sessions, links, letters, absences, offers, lists.
    3. Take the name out of matches and their notes, and the seats' reservations for the address away.
    4. Clear the account itself.
    """
    with database.write_tx() as session:
        erase_in(session, player_id, now=now)
        failpoints.kill_here("erase.before_commit")


def erase_in(session: Session, player_id: int, *, now: datetime) -> None:
    """Do as `erase_player` in the caller's transaction."""
    player = session.get(Player, player_id)
    if player is None or player.house:
        raise NotFound("There is no such player.")
    matches = _matches_of(session, player_id, player.address) if player.erased_at is None else []
    for match in matches:
        lock_match(session, match)
    session.refresh(player, with_for_update=True)
    if player.erased_at is not None:
        return
    _leave_tournaments(session, player_id, now)
    for match in matches:
        _leave(session, match, player, now)
    session.flush()
    _delete_own(session, player)
    _unname(session, player, matches)
    player.name, player.zone, player.address, player.profile, player.stop_token = ERASED, "UTC", None, None, None
    player.bounced_at, player.bounce = None, None
    player.letters = player.receipts = player.reminders = player.master = False
    player.erased_at = now
    session.flush()
    for match in matches:
        note_people(session, match)
        show_change(match)


def _matches_of(session: Session, player_id: int, address: str | None) -> list[Match]:
    """Return all matches that know of a player, the oldest first: with a seat or a former one, as master, or invited."""
    sits = select(Seat.match_id).where(or_(col(Seat.player_id) == player_id, col(Seat.owner_id) == player_id))
    invited = select(Seat.match_id).where(col(Seat.kept_for) == address, col(Seat.kept_for).is_not(None))
    sat = select(FormerTenure.match_id).where(FormerTenure.player_id == player_id)
    known = or_(*(col(Match.id).in_(each) for each in (sits, invited, sat)), col(Match.master_id) == player_id)
    return list(session.exec(select(Match).where(known).order_by(col(Match.id))))


# --- leaving


def _leave_tournaments(session: Session, player_id: int, now: datetime) -> None:
    entered = select(Tournament.uid).join(TournamentEntry, onclause=col(TournamentEntry.tournament_id) == col(Tournament.id))
    entered = entered.where(TournamentEntry.player_id == player_id, col(Tournament.status).in_(("making", "entering", "running")))
    for uid in session.exec(entered.order_by(col(Tournament.id))).all():
        leave_tournament_in(session, uid, player_id, now=now)


def _leave(session: Session, match: Match, player: Player, now: datetime) -> None:
    """Take a player out of a locked match that has not ended, and free what is kept for the address."""
    for seat in seats_of(session, match):
        if seat.owner_id == player.id and seat.player_id != player.id:
            seat.owner_id = seat.returns_at = None  # the substitute keeps it
        if seat.kept_for is not None and seat.kept_for == player.address:
            seat.kept_for, seat.kept_secretly, seat.invitation_hash = None, False, None
        if seat.player_id == player.id and match.status in ("running", "stuck"):
            _resign(session, match, seat, now)
        elif seat.player_id == player.id and match.status in ("making", "open"):
            waiting_list.vacate(seat)
    session.flush()
    if match.status == "open":
        waiting_list.refill(session, match, now=now)


def _resign(session: Session, match: Match, seat: Seat, now: datetime) -> None:
    if seat.owner_id is not None:
        substitutes.return_seat(session, match, seat, now=now)
    else:
        tenures.open_seat(session, match, seat, "resigned", now=now)


# --- deleting


def _delete_own(session: Session, player: Player) -> None:
    """Delete the rows that are for a player alone, also letters that were not sent yet."""
    own = (SignedIn, Absence, Standby, QueueEntry, MasterAddress, Mute, Letter)
    for table in own:
        session.exec(delete(table).where(col(table.player_id) == player.id))
    session.exec(delete(Link).where(col(Link.guest_id) == player.id))
    session.exec(delete(Offer).where(col(Offer.asker_id) == player.id))
    if player.address is not None:
        for addressed in (Link, Confirmation, Offer, Letter):
            session.exec(delete(addressed).where(col(addressed.address) == player.address))


def _unname(session: Session, player: Player, matches: Iterable[Match]) -> None:
    """Take a player's name out of the notes and names of matches and tournaments."""
    name = re.compile(rf"(?<!\w){re.escape(player.name)}(?!\w)")
    ids = [match.id for match in matches]
    for match in matches:
        if match.master_id == player.id:
            match.name = name.sub("Somebody", match.name)
    for note in session.exec(select(MasterNote).where(col(MasterNote.match_id).in_(ids))):
        note.who, note.what = name.sub(ERASED, note.who), name.sub(ERASED, note.what)
    entered = select(TournamentEntry.tournament_id).where(TournamentEntry.player_id == player.id)
    directed = select(TournamentDirector.tournament_id).where(TournamentDirector.player_id == player.id)
    ours = or_(col(TournamentNote.tournament_id).in_(entered), col(TournamentNote.tournament_id).in_(directed))
    for told in session.exec(select(TournamentNote).where(ours)):
        told.who, told.what = name.sub(ERASED, told.who), name.sub(ERASED, told.what)
    for tournament in session.exec(select(Tournament).where(col(Tournament.id).in_(directed))):
        tournament.name = name.sub("Somebody", tournament.name)
