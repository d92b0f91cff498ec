"""Musters: before the first phase everybody confirms that they play. Who does not within the span
loses the seat.

In an anonymous match the muster always lasts its whole span: else a match of bots and one person
would begin at that person's word.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from adjudicator.platform import wakeups
from adjudicator.platform.db import Database
from adjudicator.platform.words import format_duration, plural
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.rows import (
    by_uid,
    house_players,
    lock_by_uid,
    seats_of,
    show_change,
    sitting,
)
from adjudicator.service.base.state import hides_players
from adjudicator.service.base.tables import Match, Seat
from adjudicator.service.letters import incoming
from adjudicator.service.matches.notes import SERVICE, add_note, in_utc
from adjudicator.service.matches.waiting_list import refill, vacate, write_to_player
from adjudicator.service.requests.acts import act
from adjudicator.service.requests.rights import require_seat


@dataclass(frozen=True)
class Muster:
    """A running muster as one viewer sees it."""

    until: datetime
    confirmed: bool | None  # whether the viewer has confirmed; None: the viewer has no seat
    count: int | None  # how many seats have confirmed; None where players are anonymous
    seats: int


def muster_of(session: Session, match: Match, player_id: int | None) -> Muster | None:
    """Return the running muster of a match for one viewer, None if there is none."""
    if match.status != "open" or match.muster_until is None:
        return None
    seats = seats_of(session, match)
    own = sitting(seats, player_id)
    count = None if hides_players(match) else sum(seat.confirmed_at is not None for seat in seats)
    return Muster(
        match.muster_until, own.confirmed_at is not None if own else None, count, len(seats)
    )


# --- its beginning


def to_muster(session: Session) -> list[str]:
    """Return the public names of full matches whose muster has to begin."""
    full = (Match.status == "open", col(Match.all_taken).is_(True))
    wanted = select(Match.uid).where(
        *full, col(Match.muster_seconds).is_not(None), col(Match.muster_until).is_(None)
    )
    return list(session.exec(wanted.order_by(col(Match.id))))


def to_end(session: Session, now: datetime) -> list[str]:
    """Return the public names of matches whose muster is over."""
    wanted = select(Match.uid).where(
        Match.status == "open",
        col(Match.muster_seconds).is_not(None),
        col(Match.muster_until) <= now,
    )
    return list(session.exec(wanted.order_by(col(Match.muster_until))))


def advance_muster(database: Database, uid: str, *, now: datetime) -> bool:
    """Begin the muster of a full match, or end one whose time is over; returns whether the match
    can begin. Idempotent.
    """
    with database.write_tx() as session:
        match = lock_by_uid(session, uid)
        if match.status != "open" or match.muster_seconds is None:
            return False
        seats = seats_of(session, match)
        if match.muster_until is None and all(seat.taken_at for seat in seats):
            _begin(session, match, timedelta(seconds=match.muster_seconds), now)
        elif match.muster_until is not None and match.muster_until <= now:
            _end(session, match, now)
        return _wake_if_ready(session, match, now)


def _wake_if_ready(session: Session, match: Match, now: datetime) -> bool:
    ready = may_begin(match, seats_of(session, match), now)
    if ready:
        wakeups.wake(session, wakeups.START, match.uid)
    return ready


def may_begin(match: Match, seats: list[Seat], now: datetime) -> bool:
    """Whether a match can begin: every seat is taken, and a muster, if it has one, is over for
    all.
    """
    if match.status != "open" or not all(seat.taken_at for seat in seats):
        return False
    if match.muster_seconds is None:
        return True
    if match.muster_until is None or not all(seat.confirmed_at for seat in seats):
        return False
    return not hides_players(match) or match.muster_until <= now


def _begin(session: Session, match: Match, span: timedelta, now: datetime) -> None:
    match.muster_until = now + span
    bots = house_players(session, match)
    note = f"asked everybody to confirm until {in_utc(match.muster_until)}"
    add_note(session, match, now, SERVICE, note)
    for seat in seats_of(session, match):
        seat.confirmed_at = now if seat.player_id in bots else None
        session.flush()
        write_to_player(session, match, seat.player_id, "muster", seat=seat, now=now)


# --- confirming


@act
def confirm(session: Session, uid: str, player_id: int, *, now: datetime) -> bool:
    """Confirm that a player plays; returns whether the match can begin. Idempotent, and in time as
    long as the seat is theirs.

    Raises NotAllowed for a player without a seat, NotNow where no muster runs.
    """
    match = lock_by_uid(session, uid)
    seat = require_seat(session, match, player_id)
    if match.status == "running":
        raise NotNow("This match has begun; there is nothing to confirm any more.")
    if match.status != "open" or match.muster_until is None:
        raise NotNow("This match asks nobody to confirm just now.")
    if seat.confirmed_at is None:
        seat.confirmed_at = now
        if not hides_players(match):  # there nobody may see even that somebody has confirmed
            show_change(match)
    return _wake_if_ready(session, match, now)


def gathers(session: Session, uid: str) -> bool:
    """Whether a match is open: prepared and not begun."""
    return by_uid(session, uid).status == "open"


def awaits(session: Session, uid: str, player_id: int) -> bool:
    """Whether the muster of a match runs and a player in a seat of it has not confirmed."""
    found = muster_of(session, by_uid(session, uid), player_id)
    return found is not None and found.confirmed is False


# --- its end


def _end(session: Session, match: Match, now: datetime) -> None:
    """Take the seats of those who did not confirm; letters that came in time are read first."""
    assert match.muster_until is not None  # noqa: S101 the caller looked
    late = [seat for seat in seats_of(session, match) if seat.confirmed_at is None]
    if not late or incoming.any_unread(session, match, match.muster_until):
        return
    for seat in late:
        player_id = seat.player_id
        vacate(seat)
        session.flush()
        write_to_player(session, match, player_id, "lapsed", now=now)
    one = "freed a seat that nobody confirmed within {span}"
    several = "freed {n} seats that nobody confirmed within {span}"
    add_note(
        session,
        match,
        now,
        SERVICE,
        plural(len(late), one, several, span=format_duration(match.muster_seconds or 0)),
    )
    refill(session, match, now=now)
