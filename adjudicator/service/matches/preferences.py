"""Seats by preference: the players' wishes before a match begins, the assignment, and the sentences
about both.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from adjudicator.core.game import Seat as SeatName
from adjudicator.platform.words import display_seat, join_list, seat_verb
from adjudicator.play import seat_allocation
from adjudicator.play.seat_allocation import Lot
from adjudicator.service.base.errors import NotNow
from adjudicator.service.base.rows import by_uid, seats_of, sitting, why_expired
from adjudicator.service.base.state import MatchChains, about_of
from adjudicator.service.base.tables import Match, Seat
from adjudicator.service.matches.creation import wished
from adjudicator.service.requests.acts import act
from adjudicator.service.requests.rights import lock_own_seat


@act
def save_wishes(session: Session, uid: str, player_id: int, wishes: Sequence[str]) -> str:
    """Replace the seats that a player prefers, best first; () removes all preferences. Returns the
    reply to the player.

    Raises Refused with a sentence, NotNow once the match has begun, NotAllowed for a player without
    a seat.
    """
    match, seat = lock_own_seat(session, uid, player_id)
    if match.status not in ("making", "open"):
        raise NotNow(
            why_expired(match)
            if match.status == "expired"
            else "This match has begun, and its seats are given."
        )
    keep_wishes(session, match, seat, wishes)
    return told(session, uid, player_id)


def keep_wishes(session: Session, match: Match, seat: Seat, wishes: Sequence[str]) -> None:
    """Store the wishes of a seat's player, in a match that the caller has locked; raises
    Refused.
    """
    seat.wishes = list(
        wished(about_of(match), seats_to_give(session, match), wishes, seating=match.seating)
    )


def seats_to_give(session: Session, match: Match) -> tuple[SeatName, ...]:
    """Return the names of a match's seats, or before it begins by preference those that can be
    wished for: places only have numbers.
    """
    names = tuple(seat.name for seat in seats_of(session, match))
    return about_of(match).offered(len(names)) if unsettled(match) else names


def unsettled(match: Match) -> bool:
    """Whether the seats are still to be assigned."""
    return match.seating == "preference" and match.lots is None


# --- as the match begins


def draw_lots(
    match: Match, places: Sequence[Seat], chains: MatchChains, clients: str | None
) -> tuple[Lot, ...]:
    """Return the assigned seat of each place, in the order of places; () where no seats are to be
    assigned.

    The draw comes from the public chance of phase 0 under its own label, so it changes none of the
    game's draws. `clients` is the hash of the salts given before.
    """
    if not unsettled(match):
        return ()
    offered = about_of(match).offered(len(places))
    return seat_allocation.draw_seats(
        [place.wishes for place in places], offered, chains.of_phase(match.uid, 0, clients).public
    )


def give_seats(session: Session, match: Match, given: Sequence[Lot]) -> None:
    """Rename every place to its assigned seat and sort by seat order; player, invitation and mail
    address stay with the row.
    """
    if not given:
        return
    order = about_of(match).in_seat_order([lot.seat for lot in given])
    for place, lot in zip(seats_of(session, match), given, strict=True):
        place.name, place.position = lot.seat, order.index(lot.seat)
    match.lots = [{"wishes": list(lot.wishes), "seat": lot.seat} for lot in given]
    session.flush()


# --- in words


def said(match: Match, seat: SeatName) -> list[str]:
    """Return the sentence that tells a seat what it plays and by which wish, when the match begins;
    [] if no seats were assigned.
    """
    given = drawn(match)
    mine = next((lot for lot in given if lot.seat == seat), None)
    if mine is None:
        return []
    powers = plays(match, [lot.seat for lot in given])[seat]
    others = (
        f" You command {join_list([display_seat(power) for power in powers])}."
        if len(powers) > 1
        else ""
    )
    return [f"You {seat_verb(seat)}, {mine.said}.{others}"]


def drawn(match: Match) -> tuple[Lot, ...]:
    """Return the wishes and assigned seat of every place, in the order of places; () if no seats
    were assigned (yet).
    """
    return tuple(Lot(tuple(each["wishes"]), each["seat"]) for each in match.lots or ())


def plays(match: Match, names: Collection[SeatName]) -> Mapping[SeatName, tuple[str, ...]]:
    """Return the powers that each seat plays, its own first; before the seats are assigned, the
    seats are those of the game.
    """
    about = about_of(match)
    return about.plays(
        about.seats[len(names)] if unsettled(match) else about.in_seat_order(names), match.options
    )


def in_words(match: Match, places: Collection[SeatName]) -> tuple[str, ...]:
    """Return display names of the seats to be assigned: `France`, or `England (with Germany and
    Austria)`.

    Where players choose from more names than there are seats, it is one phrase: `2 of Red, Blue,
    Pink and Green`.
    """
    offered = about_of(match).offered(len(places))
    if len(offered) > len(places):
        return (f"{len(places)} of {join_list([display_seat(name) for name in offered])}",)
    return tuple(map(_in_words, plays(match, places).values()))


def shared(match: Match, names: Collection[SeatName]) -> tuple[str, ...]:
    """Return display names of the seats if any seat plays several powers, else ()."""
    played = plays(match, names)
    return (
        tuple(map(_in_words, played.values()))
        if any(len(powers) > 1 for powers in played.values())
        else ()
    )


def given_later(match: Match, places: Sequence[Seat]) -> tuple[str, ...]:
    """Return `in_words` of the seats that are still to be assigned; () if there are none."""
    return in_words(match, [place.name for place in places]) if unsettled(match) else ()


def _in_words(powers: tuple[str, ...]) -> str:
    own, *others = map(display_seat, powers)
    return f"{own} (with {join_list(others)})" if others else own


@dataclass(frozen=True)
class SeatPreferences:
    """The seats still to be assigned, for the page of a match that has not begun."""

    seats: tuple[SeatName, ...]
    # display names of the seats, with all powers of each, as `in_words` returns them
    titles: tuple[str, ...]
    mine: tuple[SeatName, ...]  # the viewer's wishes, best first


def of_match(session: Session, match: Match, player_id: int | None) -> SeatPreferences | None:
    """Return the seats still to be assigned and the viewer's wishes; None if no seats are to be
    assigned.
    """
    if not unsettled(match):
        return None
    places = seats_of(session, match)
    mine = sitting(places, player_id)
    return SeatPreferences(
        seats_to_give(session, match),
        given_later(match, places),
        tuple(mine.wishes) if mine else (),
    )


def told(session: Session, uid: str, player_id: int) -> str:
    """Return the reply to a player who took a seat or changed wishes: the seat or how it will be
    assigned, and when the match begins.
    """
    match = by_uid(session, uid)
    seats = seats_of(session, match)
    seat = next(seat for seat in seats if seat.player_id == player_id)
    full = (
        "every seat is taken"
        if match.muster_seconds is None
        else "every seat is taken and everybody has confirmed"
    )
    begins = f"It begins when {full}; its first letter then asks for your orders."
    if not unsettled(match):
        return f"You {seat_verb(seat.name)} in {match.name}. {begins}"
    return f"You have a seat in {match.name}. {outlook(match, seat, seats)} {begins}"


def outlook(match: Match, seat: Seat, places: Sequence[Seat]) -> str:
    """Return how the seats of a match will be assigned and what the player of `seat` wished for; ""
    if no seats are to be assigned.
    """
    if not unsettled(match):
        return ""
    wishes = ", then ".join(map(display_seat, seat.wishes))
    mine = (
        f"You wished for {wishes}."
        if wishes
        else f"You wished for nothing yet: `prefer {match.uid}` and names, the dearest first."
    )
    return (
        f"{join_list(list(given_later(match, places)))} are given as it begins: by wishes, and by"
        f" lot where they meet. {mine}"
    )


def outlook_of(session: Session, uid: str, player_id: int) -> str:
    """Return `outlook` for a player's seat in the match with this public name."""
    match = by_uid(session, uid)
    seats = seats_of(session, match)
    return outlook(match, next(seat for seat in seats if seat.player_id == player_id), seats)
