"""Substitutes: a player lends the seat to somebody for a span, named to all; then the seat
returns.
"""

import re
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlmodel import Session, col, select

from adjudicator.platform import failpoints
from adjudicator.platform.db import Database
from adjudicator.platform.words import seat_phrase
from adjudicator.service.base.errors import NotAllowed, NotNow, Refused
from adjudicator.service.base.names import PlayerName, unlinked
from adjudicator.service.base.rows import count_rows, lock_by_uid, seats_of, show_change
from adjudicator.service.base.state import hides_players
from adjudicator.service.base.tables import Match, Offer, Player, Seat
from adjudicator.service.handover.standbys import write_offer
from adjudicator.service.handover.takeovers import Taken, require_newcomer, require_running
from adjudicator.service.letters import suppression
from adjudicator.service.matches import tenure_letters, tenures
from adjudicator.service.matches.notes import add_note, in_utc
from adjudicator.service.matches.tenure_letters import AtOnce, News
from adjudicator.service.people import accounts
from adjudicator.service.phases import reports
from adjudicator.service.requests.acts import act
from adjudicator.service.requests.rights import lock_own_seat
from adjudicator.service.requests.seat_requests import Taker, add_request, add_taking
from adjudicator.service.requests.sent_forms import make_once
from adjudicator.service.tokens.references import of_seat

LONGEST = timedelta(days=60)
MOST_A_DAY = 5  # substitutes whom one player asks within a day
MOST_TO_ONE = 3  # such letters to one address within a day, from all players
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def read_until(text: str, zone: str) -> datetime:
    """Read the last day of a span, `2026-12-20`, and return its end in an IANA zone; raises Refused
    with a sentence.
    """
    try:
        day = (
            datetime.strptime(text.strip(), "%Y-%m-%d").date()  # noqa: DTZ007 a day has no zone
            if _DAY.fullmatch(text.strip())
            else None
        )
    except ValueError:
        day = None
    if day is None or day.year > 9000:
        raise Refused(
            f"“{text[:40]}” does not read as a day: write it like 2026-12-20.", field="until"
        )
    return datetime.combine(day + timedelta(days=1), time(), ZoneInfo(zone)).astimezone(UTC)


# --- asking somebody


@act
def ask_substitute(
    session: Session, uid: str, player_id: int, address: str, until: datetime, *, now: datetime
) -> str:
    """Ask somebody by letter to play a player's seat until a moment; the seat changes hands when
    that person accepts.

    Returns the sentence for the player. Raises Refused with a sentence.
    """
    seat = make_once(session, lambda: _ask(session, uid, player_id, address, until, now=now))
    clean = accounts.clean_address(address)
    return (
        f"{clean} is asked by letter to play {seat_phrase(seat)} until {in_utc(until)}. The seat is"
        " yours until the answer comes."
    )


def _ask(
    session: Session, uid: str, player_id: int, address: str, until: datetime, *, now: datetime
) -> str:
    """Write the letter that asks, and return the name of the player's seat."""
    clean = accounts.clean_address(address)
    match, seat = lock_own_seat(session, uid, player_id)
    require_running(match)
    if seat.owner_id is not None:
        raise NotAllowed(
            "You are a substitute yourself; only the seat’s player can name another one."
        )
    if not now < until <= now + LONGEST + timedelta(days=1):
        raise Refused(
            f"A substitute plays until a day within the next {LONGEST.days} days.", field="until"
        )
    asker = session.get_one(Player, player_id)
    known = session.exec(select(Player).where(Player.address == clean)).first()
    _require_may_ask(session, asker, clean, now)
    # in an anonymous match a refusal would tell who plays
    if known is not None and not hides_players(match):
        _require_other(session, match, seat, known)
    name = "" if hides_players(match) else unlinked(asker.name)
    offer = write_offer(
        session,
        match,
        seat,
        clean,
        now=now,
        player=known,
        asker=asker,
        asker_name=name,
        returns_at=until,
    )
    if offer is not None:
        add_request(session, match, seat, "ask", now, player_id=player_id, offer=offer)
    return seat.name


def _require_may_ask(session: Session, asker: Player, address: str, now: datetime) -> None:
    """Raise Refused where the player has no address, the address wants no letters, or too many were
    asked within a day.
    """
    if asker.address is None:
        raise NotAllowed(
            "Only a player with an address can name a substitute: add yours in your account first."
        )
    made = (col(Offer.asker_id).is_not(None), Offer.made_at > now - timedelta(days=1))
    to_one = count_rows(session, Offer, *made, Offer.address == address)
    if suppression.why_suppressed(session, address) or to_one >= MOST_TO_ONE:
        raise Refused(f"No such letter goes to {address} now. Ask somebody else.", field="address")
    if count_rows(session, Offer, *made, Offer.asker_id == asker.id) >= MOST_A_DAY:
        raise NotNow(
            f"You asked {MOST_A_DAY} people within a day, which is the most. Try again tomorrow.",
            field="address",
        )


def _require_other(session: Session, match: Match, seat: Seat, known: Player) -> None:
    """Raise Refused where the substitute may not have the seat."""
    try:
        require_newcomer(session, match, seat, known.id)
    except NotAllowed as refused:
        raise Refused(
            "This person cannot be a substitute in this match. Ask somebody else.", field="address"
        ) from refused


# --- lending and returning


def lend_seat(
    session: Session, match: Match, seat: Seat, offer: Offer, taker: Taker, *, now: datetime
) -> Taken:
    """Give a seat to the substitute who accepts, in a match that the caller has locked; everybody
    is told. Raises Refused.
    """
    require_running(match)
    substitute_id = taker.player_id
    until, asker_id = offer.returns_at, offer.asker_id
    if (
        seat.tenure != offer.tenure
        or seat.player_id != asker_id
        or asker_id is None
        or until is None
        or until <= now
    ):
        raise NotNow("This is no longer asked for.")
    require_newcomer(session, match, seat, substitute_id)
    accounts.join_as_oneself(session, match, substitute_id)
    owner = tenure_letters.public_name(session, match, asker_id, seat)
    tenures.end_tenure(session, match, seat, "lent", now=now)
    tenures.sit_down(session, match, seat, substitute_id, now=now)
    seat.owner_id, seat.returns_at = asker_id, until
    add_taking(session, match, seat, "substitute", now, taker)
    more = "The substitute can read the press that was written to the seat."
    plays = f"plays {seat_phrase(seat.name)} as a substitute"
    hidden = hides_players(match)
    name = PlayerName(session.get_one(Player, substitute_id))
    sentences = () if hidden else (f"{tenure_letters.capitalize(name)} {plays}.",)
    add_note(
        session,
        match,
        now,
        owner,
        f"lent {seat_phrase(seat.name)} to a substitute until {in_utc(until)}",
        news=AtOnce("A substitute plays", (*sentences, more), but=(substitute_id, asker_id)),
    )
    if not hidden:
        add_note(session, match, now, name, plays)
    stays = (
        f"You lent {seat_phrase(seat.name)} until {in_utc(until)}. Write `back {match.uid}` to have"
        " it back before."
    )
    tenure_letters.tell_player(
        session, match, asker_id, News("Your substitute plays", (stays,)), now=now
    )
    tenures.resume_deserted(session, match, now)
    reports.write_first_letter(session, match, seat, now=now)
    sentence = (
        f"You play {seat_phrase(seat.name)} in {match.name} until {in_utc(until)}. A letter tells"
        " you the game so far."
    )
    return Taken(match.uid, sentence, of_seat(match, seat))


def return_seats(database: Database, uid: str, *, now: datetime) -> int:
    """Return the seats of a match whose span is over to their players; returns how many."""
    with failpoints.killable_tx(database, "return") as session:
        match = lock_by_uid(session, uid)
        due = [
            seat
            for seat in seats_of(session, match)
            if seat.returns_at is not None and seat.returns_at <= now
        ]
        for seat in due:
            return_seat(session, match, seat, None, now=now)
    return len(due)


def return_seat(
    session: Session, match: Match, seat: Seat, asks: int | None, *, now: datetime
) -> None:
    """Return a lent seat to its player, in a match that the caller has locked. Nobody is told after
    the match has ended.

    `asks`: the substitute or the player who wants it now; None where its span is over.
    """
    owner_id, substitute_id = seat.owner_id, seat.player_id
    if owner_id is None:
        seat.returns_at = None
        return
    if match.status != "ended":
        add_request(session, match, seat, "return", now, player_id=asks)
    tenures.end_tenure(session, match, seat, "returned", now=now)
    tenures.sit_down(session, match, seat, owner_id, now=now)
    if match.status == "ended":
        show_change(match)
        return
    add_note(
        session,
        match,
        now,
        tenure_letters.public_name(session, match, owner_id, seat),
        f"has {seat_phrase(seat.name)} back, and can read the press that was written to it",
        news=AtOnce(tenures.back_title(seat), but=(owner_id, substitute_id)),
    )
    over = (
        f"{tenure_letters.capitalize(seat_phrase(seat.name))} is its player’s again. Thank you for"
        " playing."
    )
    tenure_letters.tell_player(
        session, match, substitute_id, News("Your time as a substitute is over", (over,)), now=now
    )
    reports.write_first_letter(session, match, seat, now=now)
