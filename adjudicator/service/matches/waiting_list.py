"""The waiting list of a match whose seats are all taken, and what happens before the match begins
when one becomes free.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from adjudicator.service.base import rows
from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.press_rules import refuse_overseer
from adjudicator.service.base.rows import (
    letter_reader,
    lock_by_uid,
    note_people,
    seats_of,
    show_change,
    sitting,
)
from adjudicator.service.base.state import about_of
from adjudicator.service.base.tables import Match, Player, QueueEntry, Seat
from adjudicator.service.letters import outbox
from adjudicator.service.letters.contents.seat_content import GatheringLetter, GatheringNews
from adjudicator.service.matches.notes import SERVICE, add_note
from adjudicator.service.matches.tenure_letters import AtOnce
from adjudicator.service.people import accounts, reliability
from adjudicator.service.requests.acts import act
from adjudicator.service.tokens.references import of_seat

MOST_WAITING = 50  # people on the waiting list of one match


@dataclass(frozen=True)
class WaitingList:
    """A match's waiting list as one viewer sees it."""

    length: int
    place: int | None  # the viewer's, from 1; None: not on it
    open: bool  # whether the viewer may join it
    kept: bool  # whether a seat is kept for the viewer, who therefore waits for none


def waiting_list(session: Session, match: Match, player_id: int | None) -> WaitingList:
    """Return the waiting list of a match for one viewer; that of a match which has begun has no
    length.
    """
    if match.status != "open":
        return WaitingList(0, None, False, False)
    people = [entry.player_id for entry in _entries(session, match)]
    place = people.index(player_id) + 1 if player_id in people else None
    seats = seats_of(session, match)
    gathers = sitting(seats, player_id) is None
    kept = gathers and player_id is not None and _is_kept(session, seats, player_id)
    reads_all = match.press_overseen and match.master_id == player_id  # and so cannot play
    may_join = gathers and match.open_seats and place is None and not reads_all and not kept
    return WaitingList(
        len(people), place, may_join and not any(_is_free(seat) for seat in seats), kept
    )


def _is_kept(session: Session, seats: Sequence[Seat], player_id: int) -> bool:
    kept = {seat.kept_for for seat in seats if seat.player_id is None and seat.kept_for is not None}
    return bool(kept) and session.get_one(Player, player_id).address in kept


def _entries(session: Session, match: Match) -> list[QueueEntry]:
    return list(
        session.exec(
            select(QueueEntry).where(QueueEntry.match_id == match.id).order_by(col(QueueEntry.id))
        )
    )


def _is_free(seat: Seat) -> bool:
    return seat.player_id is None and seat.kept_for is None


@act
def wait_for_seat(session: Session, uid: str, player_id: int, *, now: datetime) -> int:
    """Put a player on the waiting list of a match; returns the place on it, from 1. Idempotent.

    Raises NotNow before the match is set up, once it has begun or expired, or while a seat is free;
    NotAllowed where seats are for invited people only; Refused for a player who has a seat or too
    long a list.
    """
    return add_waiting(session, lock_by_uid(session, uid), player_id, now=now)


def add_waiting(
    session: Session, match: Match, player_id: int, *, now: datetime, by_link: bool = False
) -> int:
    """Do as `wait_for_seat` in a match that the caller has locked; `by_link`: the player has the
    link to a free seat.
    """
    if match.status != "open":
        raise NotNow(rows.why_not_gathering(match))
    seats = seats_of(session, match)
    people = [entry.player_id for entry in _entries(session, match)]
    if sitting(seats, player_id):
        raise Refused("You have a seat in this match already.")
    if player_id in people:
        return people.index(player_id) + 1
    if not (match.open_seats or by_link):
        raise NotAllowed("The seats of this match are for those whom its master invites.")
    if any(_is_free(seat) for seat in seats):
        raise NotNow("A seat of this match is free: take it instead.")
    refuse_overseer(match, player_id)
    rows.hold_player(session, player_id)
    reliability.require_admitted(session, match, player_id)
    accounts.join_as_oneself(session, match, player_id)
    if len(people) >= MOST_WAITING:
        raise Refused(
            f"{MOST_WAITING} people wait for a seat in this match already, which is the most."
        )
    session.add(QueueEntry(match_id=match.id, player_id=player_id, at=now))
    show_change(match)
    session.flush()
    return len(people) + 1


def stop_waiting(session: Session, match: Match, player_id: int) -> bool:
    """Take a player off the waiting list of a match that the caller has locked; returns whether
    they were on it.
    """
    entry = session.exec(
        select(QueueEntry).where(QueueEntry.match_id == match.id, QueueEntry.player_id == player_id)
    ).first()
    if entry is not None:
        session.delete(entry)
        show_change(match)
        session.flush()
    return entry is not None


# --- seats that become free


def vacate(seat: Seat) -> None:
    """Free a seat; its mail address changes, so that its last player cannot write to it."""
    seat.player_id = seat.taken_at = seat.kept_for = seat.invitation_hash = seat.confirmed_at = None
    seat.wishes = []
    rows.renew_address(seat)


def refill(session: Session, match: Match, *, now: datetime) -> None:
    """Give the free seats of a match to the first on its waiting list, who get a letter; the caller
    has locked it.

    A running muster goes on with them, and they get its whole span. Where a seat stays free, the
    muster ends: everybody is asked again once the match is full.
    """
    free = [seat for seat in seats_of(session, match) if _is_free(seat)]
    for seat, entry in zip(free, _entries(session, match), strict=False):
        session.delete(entry)
        seat.player_id, seat.taken_at = entry.player_id, now
        if match.muster_until is not None and match.muster_seconds is not None:
            match.muster_until = max(
                match.muster_until, now + timedelta(seconds=match.muster_seconds)
            )
        session.flush()
        news: GatheringNews = "seated" if match.muster_until is None else "seated-muster"
        write_to_player(session, match, entry.player_id, news, seat=seat, now=now)
    note_people(session, match)
    show_change(match)
    if match.muster_until is not None and any(
        seat.player_id is None for seat in seats_of(session, match)
    ):
        end_muster(session, match)
        add_note(
            session,
            match,
            now,
            SERVICE,
            "ended the muster, as a seat is free; it begins anew once every seat is taken",
            news=AtOnce("Nobody has to confirm for now"),
        )


def end_muster(session: Session, match: Match) -> None:
    """Forget the muster of a match and what was confirmed; the caller has locked it."""
    match.muster_until = None
    for seat in seats_of(session, match):
        seat.confirmed_at = None


def write_to_player(
    session: Session,
    match: Match,
    player_id: int | None,
    what: GatheringNews,
    *,
    now: datetime,
    seat: Seat | None = None,
) -> None:
    """Write one person of a match that has not begun what happened; only to a player with an
    address who wants letters.
    """
    player = letter_reader(session, player_id)
    if player is None:
        return
    letter = GatheringLetter(
        match=match.name,
        uid=match.uid,
        game_key=match.game,
        game=about_of(match).title,
        seat=seat.name if seat else "",
        zone=player.zone,
        reply_token=of_seat(match, seat) if seat else None,
        what=what,
        until=match.muster_until,
        days=match.expire_days or 0,
    )
    about = outbox.LetterReference(match.id, seat.name if seat else None)
    outbox.write_to(session, player, letter, now=now, about=about)


def dismiss(session: Session, match: Match, what: GatheringNews, *, now: datetime) -> None:
    """Clear the waiting list of a match that the caller has locked, and write to everybody on
    it.
    """
    for entry in _entries(session, match):
        write_to_player(session, match, entry.player_id, what, now=now)
        session.delete(entry)
