"""Whom a seat's secret mail address speaks for: the seat, and its player when the letter came."""

from dataclasses import dataclass

from sqlmodel import Session, select

from adjudicator.service.base.tables import FormerTenure, Match, Player, Seat
from adjudicator.service.letters.incoming import LetterToRead
from adjudicator.service.people.accounts import Person, person
from adjudicator.service.tokens.references import Reference, of_seat


@dataclass(frozen=True)
class Sitter:
    """The seat that an address belongs to, and its player; the sender of the letter does not
    matter.
    """

    uid: str
    match: str
    game: str
    seat: str
    address: Reference | None  # to the seat's address; None for a former player
    player: Person
    tenure: int
    former: bool = False  # whether the seat changed hands after the letter came


def find_sitter(session: Session, claimed: LetterToRead) -> Sitter | None:
    """Return the seat that a letter went to and the player whose letter it is; None if nobody may
    write for the seat.

    A letter that was stored before the seat changed hands is its former player's.
    """
    seat = session.get_one(Seat, claimed.target.seat_id)
    match = session.get_one(Match, seat.match_id)
    tenure = claimed.target.tenure or seat.tenure
    player_id = seat.player_id if tenure == seat.tenure else _former_player(session, seat, tenure)
    player = session.get(Player, player_id) if player_id is not None else None
    former = tenure != seat.tenure
    if player is None:
        return None
    return Sitter(
        match.uid,
        match.name,
        match.game,
        seat.name,
        None if former else of_seat(match, seat),
        person(player),
        tenure,
        former,
    )


def _former_player(session: Session, seat: Seat, tenure: int) -> int | None:
    """Return who had a seat in an earlier tenure."""
    ended = select(FormerTenure.player_id).where(
        FormerTenure.seat_id == seat.id, FormerTenure.number == tenure
    )
    return session.exec(ended).first()
