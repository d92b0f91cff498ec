"""Access to rows that every use case shares: matches and their locks, seats, tokens. Holds no use case of its own."""

import hashlib
from collections.abc import Iterable

from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from adjudicator.core.game import Seat as SeatName
from adjudicator.platform import entropy
from adjudicator.service.base.errors import NotFound
from adjudicator.service.base.tables import Match, Player, Seat
from adjudicator.service.base.viewer import ANONYMOUS

_ADDRESS_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


def by_uid(session: Session, uid: str) -> Match:
    """Return the match of this public name; raises NotFound."""
    return _found(session, uid, select(Match).where(Match.uid == uid))


def locked(session: Session, uid: str) -> Match:
    """Return the match of this public name as it is now, locked until the transaction ends, its version raised; raises NotFound."""
    match = _found(session, uid, select(Match).where(Match.uid == uid).with_for_update().execution_options(populate_existing=True))
    match.version += 1
    session.flush()
    return match


def _found(session: Session, uid: str, wanted: SelectOfScalar[Match]) -> Match:
    match = session.exec(wanted).first() if "\0" not in uid else None  # PostgreSQL takes no NUL
    if match is None:
        raise NotFound("There is no match at this address.")
    return match


def lock_match(session: Session, match: Match) -> None:
    """Lock a match that is known already, see its newest values, and raise its version."""
    session.refresh(match, with_for_update=True)
    match.version += 1
    session.flush()


def seats_of(session: Session, match: Match) -> list[Seat]:
    """Return the seats of a match in seat order."""
    return list(session.exec(select(Seat).where(Seat.match_id == match.id).order_by(col(Seat.position))))


def house_players(session: Session, match: Match) -> set[int]:
    """Return the ids of the house bots who play in a match."""
    playing = select(Player.id).join(Seat, onclause=col(Seat.player_id) == col(Player.id))
    return {bot for bot in session.exec(playing.where(Seat.match_id == match.id, col(Player.house).is_(True))) if bot is not None}


def persons(session: Session, match: Match) -> tuple[SeatName, ...]:
    """Return the seats of people, in seat order: all but those of house bots; one that waits for a substitute is a person's."""
    bots = house_players(session, match)
    return tuple(seat.name for seat in seats_of(session, match) if seat.player_id not in bots)


def note_people(session: Session, match: Match) -> None:
    """Note whether somebody with a proved address plays; in an anonymous match this is not told, so it counts as such."""
    session.flush()
    proved = select(Seat.id).join(Player, onclause=col(Seat.player_id) == col(Player.id)).where(Seat.match_id == match.id)
    proved = proved.where(col(Player.house).is_(False), col(Player.address).is_not(None))
    match.with_people = bool(match.options.get(ANONYMOUS)) or session.exec(proved).first() is not None


def sitting(seats: Iterable[Seat], player_id: int | None) -> Seat | None:
    """Return the seat that a player has among these; None without one, and for nobody in particular."""
    return next((seat for seat in seats if player_id is not None and seat.player_id == player_id), None)


def token_hash(token: str) -> str:
    """Return what is stored of a secret token: enough to know it again, not enough to use it."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    """Return a fresh secret of 130 bits that may stand in an address of ours: mail servers are free to ignore its case."""
    return "".join(entropy.choose(_ADDRESS_LETTERS) for _ in range(26))


def known(session: Session, address: str) -> bool:
    """Whether there is a player of this address."""
    return session.exec(select(Player.id).where(Player.address == address)).first() is not None


def bound_to_phase(match: Match, number: int) -> bytes:
    """Return what a phase\'s wrapped private key is bound to."""
    return f"phase:{match.uid}:{number}".encode()
