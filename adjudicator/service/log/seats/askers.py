"""Who asked for a change of a seat: what the worker can tell from a stored request, and nothing
else.
"""

from dataclasses import dataclass

from sqlmodel import Session, select

from adjudicator.seal import requests
from adjudicator.seal.crypto import CannotOpen, Keyring
from adjudicator.seal.requests import SignedRequest, who_of_address
from adjudicator.seal.tokens import same_token
from adjudicator.service.base.tables import Match, Offer, SeatRequest
from adjudicator.service.log.vouching import ALTERED, NO_SESSION, Vouching
from adjudicator.service.requests.bodies import seat_request
from adjudicator.service.requests.seat_requests import bound_to
from adjudicator.service.tokens.references import Opened, Reference, token_for

NO_LINK = "no letter has the link that was used"


@dataclass(frozen=True)
class Asker:
    """Who asked; `who` is None for the service itself, and where `why` says why nobody did."""

    who: str | None = None
    why: str = ""


class SeatAskers:
    """What the worker knows of those who ask for changes of the seats of one match."""

    def __init__(self, session: Session, keyring: Keyring, match: Match) -> None:
        self._session, self._keyring, self._match = session, keyring, match
        self._vouching = Vouching(session, keyring, match)

    def find(self, row: SeatRequest) -> Asker:
        """Return who asked for a change: by a session's signature, by the worker's word, or by the
        token of an offer.
        """
        address = self._find_address(row)
        request, given = seat_request(self._match.uid, row, address), row.request_signature or b""
        if row.box is not None:
            return self._find_by_token(row, request, address)
        if row.signer is None:
            good = requests.is_workers(self._keyring, request, given)
            return Asker(row.who) if good else Asker(why=ALTERED if given else NO_SESSION)
        known = self._vouching.find_session(
            row.signer, at=row.at, scope="act" if row.what == "replace" else "seat"
        )
        if known is None:
            return Asker(why=NO_SESSION)
        return (
            Asker(known.who)
            if requests.is_signed(row.signer, request, given)
            else Asker(why=ALTERED)
        )

    def find_asked(self, row: SeatRequest) -> str | None:
        """Return who was asked to be a substitute, None where that person was erased since."""
        address = self._find_address(row)
        return who_of_address(self._keyring, address) if address is not None else None

    def _find_address(self, row: SeatRequest) -> str | None:
        return (
            self._session.exec(select(Offer.address).where(Offer.uid == row.offer)).first()
            if row.offer is not None
            else None
        )

    def _find_by_token(
        self, row: SeatRequest, request: SignedRequest, address: str | None
    ) -> Asker:
        if row.offer is None or address is None:
            return Asker(why=NO_LINK)
        try:
            token = self._keyring.unwrap(row.box or b"", bound_to=bound_to(request)).decode()
        except (CannotOpen, UnicodeDecodeError):
            return Asker(why=NO_LINK)
        wanted = token_for(self._keyring, Reference("offer", row.offer), Opened(None, address))
        return (
            Asker(who_of_address(self._keyring, address))
            if same_token(wanted, token)
            else Asker(why=NO_LINK)
        )
