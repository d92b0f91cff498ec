"""The rows of seats beside what the worker knows of them: whether they differ, and putting them
right.
"""

from collections.abc import Collection
from datetime import datetime

from sqlmodel import Session, col, select

from adjudicator.core.jcs import format_timestamp
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.requests import Tenure, tenure_proof
from adjudicator.service.base.memory import forget_read
from adjudicator.service.base.phase_records import KnownMatch, KnownSeat
from adjudicator.service.base.rows import note_people, seats_of, show_change
from adjudicator.service.base.tables import FormerTenure, Match, Seat
from adjudicator.service.matches.tenures import has_returned
from adjudicator.service.requests.identities import find_player, find_who


def any_differs(session: Session, keyring: Keyring, match: Match, known: KnownMatch) -> bool:
    """Whether a seat's row says something else than the worker knows, or tells a tenure that it has
    not seen.
    """
    rows, seats = SeatRows(session, keyring, match), known.seats
    return seats is not None and any(
        rows.differs(seat, seats.get(seat.name), known.vacant) for seat in seats_of(session, match)
    )


def plain_time(at: datetime | None) -> str | None:
    """Return a time as the worker's record has it."""
    return format_timestamp(at) if at is not None else None


class SeatRows:
    """The seats of one match as they are stored."""

    def __init__(self, session: Session, keyring: Keyring, match: Match) -> None:
        self._session, self._keyring, self._match = session, keyring, match

    def differs(self, seat: Seat, known: KnownSeat | None, vacant: Collection[str]) -> bool:
        """Whether a seat has another tenure, player, owner or span than is known, or looks for a
        player without a reason.
        """
        if known is None or seat.tenure != known.n:
            return known is not None
        if known.who is None:
            return seat.player_id is not None or seat.open_since is None
        stored = (
            plain_time(seat.taken_at),
            seat.tenure_nonce,
            plain_time(seat.returns_at),
            seat.owner_id is not None,
        )
        if seat.player_id is None or stored != (
            known.since,
            known.nonce,
            known.until,
            known.owner is not None,
        ):
            return True
        if seat.tenure_proof != self._prove(seat, known):
            return True
        return (
            seat.open_since is not None
            and seat.name not in vacant
            and not has_returned(self._session, seat)
        )

    def _prove(self, seat: Seat, known: KnownSeat) -> bytes:
        return tenure_proof(
            self._keyring, Tenure(self._match.uid, seat.name, known.n, known.since), known.who or ""
        )

    def begin(self, seat: Seat, known: KnownSeat) -> None:
        """Vouch in a seat's row for a tenure that began, if the row has the right player in it."""
        stored = (seat.tenure, plain_time(seat.taken_at))
        if (
            stored != (known.n, known.since)
            or seat.player_id is None
            or seat.tenure_nonce is not None
        ):
            return
        if find_who(self._session, self._keyring, seat.player_id) == known.who:
            self._vouch(seat, known)

    def _vouch(self, seat: Seat, known: KnownSeat) -> None:
        seat.tenure_nonce, seat.tenure_who, seat.tenure_proof = (
            known.nonce,
            known.who,
            self._prove(seat, known),
        )

    def restore(self, seat: Seat, known: KnownSeat, *, vacant: bool, now: datetime) -> None:
        """Give a seat's row what is known of the seat; a tenure that never ended goes on, with its
        address.
        """
        ended = self._take_back(seat, known.n)
        since = datetime.fromisoformat(known.since) if known.since is not None else None
        if seat.tenure != known.n and ended is not None:
            seat.token_n = ended.token_n
            seat.token_hash = ended.token_hash or None
            seat.earlier_hash = ended.earlier_hash
        likely = (seat.player_id, ended.player_id if ended is not None else None, seat.owner_id)
        looks = vacant or known.who is None
        seat.tenure, seat.taken_at = known.n, since if known.who is not None else seat.taken_at
        seat.player_id = (
            find_player(self._session, self._keyring, known.who, likely)
            if known.who is not None
            else None
        )
        seat.owner_id = (
            find_player(self._session, self._keyring, known.owner, likely)
            if known.owner is not None
            else None
        )
        seat.returns_at = datetime.fromisoformat(known.until) if known.until is not None else None
        seat.open_since = seat.open_since or now if looks else None
        seat.next_ask_at = seat.next_ask_at or now if looks else None
        if known.who is not None:
            self._vouch(seat, known)
        else:
            seat.tenure_nonce = seat.tenure_who = seat.tenure_proof = None
        self._session.flush()
        forget_read(self._session)
        note_people(self._session, self._match)
        show_change(self._match)

    def _take_back(self, seat: Seat, n: int) -> FormerTenure | None:
        """Delete the rows of tenures from `n` on, which have not ended; returns that of tenure `n`,
        if there was one.
        """
        rows = select(FormerTenure).where(
            FormerTenure.seat_id == seat.id, col(FormerTenure.number) >= n
        )
        found = {row.number: row for row in self._session.exec(rows)}
        for row in found.values():
            self._session.delete(row)
        return found.get(n)
