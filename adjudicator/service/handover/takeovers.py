"""Taking over an open seat: by the link or the answer to a letter, by name, or on the match's page.
First come, first served.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from adjudicator.platform.words import display_seat, join_list, seat_verb
from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.press_rules import refuse_overseer
from adjudicator.service.base.rows import (
    by_uid,
    hold_player,
    lock_by_uid,
    may_run,
    seats_of,
    sitting,
)
from adjudicator.service.base.tables import FormerTenure, Match, Player, Seat
from adjudicator.service.letters import suppression
from adjudicator.service.matches import tenures
from adjudicator.service.people import accounts, reliability
from adjudicator.service.phases import reports
from adjudicator.service.requests.acts import act
from adjudicator.service.requests.rights import require_seat
from adjudicator.service.requests.seat_requests import Taker
from adjudicator.service.tokens.references import Reference, of_seat

GONE = "This seat looks for nobody any more: somebody has taken it, or its player is back."


@dataclass(frozen=True)
class Taken:
    """A seat that a player has got."""

    uid: str
    sentence: str
    address: Reference  # to the seat's mail address


@act
def take_seat(
    session: Session, uid: str, player_id: int, seat: str = "", *, now: datetime
) -> Taken:
    """Take over an open seat of a running match; `seat` may be "" where only one is open. Raises
    Refused with a sentence.

    Taking it again changes nothing. The player of the seat keeps it.
    """
    match = lock_by_uid(session, uid)
    own = sitting(seats_of(session, match), player_id)
    found = (
        own
        if own is not None and seat.upper() in ("", own.name.upper())
        else _seat_meant(session, match, seat)
    )
    return give_seat(session, match, found, Taker(player_id), now=now)


def _seat_meant(session: Session, match: Match, name: str) -> Seat:
    """Return the open seat that a player means."""
    require_running(match)
    free = [seat for seat in seats_of(session, match) if seat.open_since is not None]
    meant = [seat for seat in free if name.upper() in ("", seat.name.upper())]
    if not free or (name and not meant):
        raise NotNow(GONE if name else "No seat of this match looks for a player.")
    if len(meant) > 1:
        names = join_list([display_seat(seat.name) for seat in meant], "or")
        raise Refused(f"Several seats look for a player: say which one, {names}.", field="seat")
    return meant[0]


def seat_name(session: Session, uid: str, player_id: int) -> str:
    """Return the name of a player's seat in a match; raises NotAllowed for a player without one."""
    return require_seat(session, by_uid(session, uid), player_id).name


def give_seat(session: Session, match: Match, seat: Seat, taker: Taker, *, now: datetime) -> Taken:
    """Give an open seat to a player, in a match that the caller has locked, and write the first
    letter; raises Refused.
    """
    player_id = taker.player_id
    title = f"You {seat_verb(seat.name)} in {match.name}"
    if seat.player_id == player_id:
        tenures.come_back(session, match, seat, now=now)
        return Taken(match.uid, f"{title} already.", of_seat(match, seat))
    require_running(match)
    if seat.open_since is None:
        raise NotNow(GONE)
    require_newcomer(session, match, seat, player_id)
    reliability.require_admitted(session, match, player_id)
    # asked last, so that nobody learns it who could not have the seat
    if tenures.has_returned(session, seat):
        raise NotNow(GONE)
    accounts.join_as_oneself(session, match, player_id)
    tenures.take_over(session, match, seat, taker, now=now)
    reports.write_first_letter(session, match, seat, now=now)
    since = "again" if tenures.sat_before(session, seat, player_id) else "from now on"
    return Taken(
        match.uid,
        f"{title} {since}. A letter tells you the game so far, and what you owe.",
        of_seat(match, seat),
    )


def require_running(match: Match) -> None:
    """Raise NotNow unless a match is running, with a sentence that says why its seats cannot change
    hands.
    """
    reasons = {
        "ended": "This match is over.",
        "stuck": "This match stands still because of a fault; try again when it goes on.",
    }
    if match.status != "running":
        raise NotNow(
            reasons.get(match.status, "This match has not begun: its seats are taken with `join`.")
        )


def require_newcomer(session: Session, match: Match, seat: Seat, player_id: int) -> None:
    """Raise NotAllowed unless a player may have a seat of a match: with an address, and never in
    another seat of it.

    Who left a seat may come back to it, unless the master replaced them, they left it twice, or
    they run the match: a master who plays could else leave the seat for as long as it takes to do
    what only one who does not play may do.
    """
    hold_player(session, player_id)
    player = session.get_one(Player, player_id)
    if player.address is None:
        raise NotAllowed(
            "Seats of running matches are for players with an address: add yours in your account"
            " first."
        )
    suppression.refuse_blocked(session, player.address)
    if sitting(seats_of(session, match), player_id) is not None:
        raise NotAllowed("You have a seat in this match already.")
    refuse_overseer(match, player_id)
    resigned = 0
    former = select(FormerTenure).where(
        FormerTenure.match_id == match.id, FormerTenure.player_id == player_id
    )
    for tenure in session.exec(former.order_by(col(FormerTenure.id))):
        if tenure.seat_id != seat.id or tenure.why == "replaced":
            raise NotAllowed("You played in this match before, so you cannot take a seat of it.")
        resigned += tenure.why == "resigned"
        if resigned and may_run(session, match, player_id):
            raise NotAllowed("You left this seat, and run the match: somebody else has to take it.")
    if resigned > 1:
        raise NotAllowed("You left this seat twice, so somebody else has to take it.")
