"""Whether stored requests come from who they say: what the worker looks at before it signs, opens
or adjudicates anything.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from adjudicator.core.jcs import H, format_timestamp
from adjudicator.seal import requests
from adjudicator.seal.crypto import Keyring
from adjudicator.seal.requests import SignedRequest, Tenure
from adjudicator.service.base.phase_records import asks_for_signatures
from adjudicator.service.base.rows import phase_numbered, seats_of
from adjudicator.service.base.tables import (
    Envelope,
    FormerTenure,
    LogEntry,
    Match,
    Player,
    Receipt,
    Seat,
)
from adjudicator.service.log.entries import former_tenure, is_own_entry, tenure_of
from adjudicator.service.requests.confirming import KnownSession, find_sessions
from adjudicator.service.requests.identities import find_who

NO_SESSION = "no session that the worker knows signed it"
OTHERS = "another's session signed it"
ALTERED = "its signature is not over what is stored"


def receipt_request(uid: str, receipt: Receipt) -> SignedRequest:
    """Return the request that a submission's row, or a bare word's, holds: all that its receipt
    will say.
    """
    body: dict[str, Any] = {
        "tenure": receipt.tenure,
        "channel": receipt.channel,
        "time": format_timestamp(receipt.at),
        "disposition": receipt.disposition,
        "parts": [[part, commitment] for part, commitment in receipt.commitments],
        "says": receipt.says,
        "complete": receipt.complete,
        "letter": receipt.letter,
    }
    kind: requests.Kind = "orders" if receipt.commitments else "say"
    return SignedRequest(kind, uid, receipt.phase_number, receipt.seat, receipt.seq, body)


def plan_request(uid: str, phase: int, envelope: Envelope, *, ready: bool) -> SignedRequest:
    """Return what the worker vouches for as it carries a plan on; `ready` is whether that makes the
    seat ready.
    """
    body = {
        "parts": list(envelope.commitments),
        "tenure": envelope.tenure,
        "for_later": envelope.for_later,
        "ready": ready,
    }
    return SignedRequest("plan", uid, phase, envelope.seat, 0, body)


def carried_on(keyring: Keyring, uid: str, phase: int, envelope: Envelope) -> bool | None:
    """Return whether a plan that the worker carried on makes its seat ready; None where the worker
    did not carry it on.
    """
    for ready in (True, False):
        if requests.is_workers(
            keyring, plan_request(uid, phase, envelope, ready=ready), envelope.proof or b""
        ):
            return ready
    return None


# --- tenures


@dataclass(frozen=True)
class _StoredTenure:
    """A tenure and the worker's proof of who has it; without one it began before there were any."""

    tenure: Tenure
    proof: bytes | None
    nonce: str | None = None

    def is_of(self, keyring: Keyring, who: str) -> bool:
        """Whether the worker vouches that `who` has it."""
        return (
            self.proof is not None
            and requests.tenure_proof(keyring, self.tenure, who) == self.proof
        )


class Vouching:
    """What the worker knows of one match while it looks at requests; it reads each kind of row
    once.
    """

    def __init__(self, session: Session, keyring: Keyring, match: Match) -> None:
        self._session, self._keyring, self._match = session, keyring, match
        self._sessions: dict[bytes, KnownSession] = {}
        self._phases: dict[int, bool] = {}
        self._tenures: dict[tuple[str, int], _StoredTenure] | None = None

    def reject(self, receipt: Receipt) -> str:
        """Return why the worker does not sign a receipt, "" where it does."""
        if not self._asks(receipt.phase_number):
            return ""
        request, given = receipt_request(self._match.uid, receipt), receipt.request_signature or b""
        if receipt.signer is None:
            if not requests.is_workers(self._keyring, request, given):
                return ALTERED if given else NO_SESSION
            return (
                OTHERS
                if receipt.channel == "house" and not self.is_bots(receipt.seat, receipt.tenure)
                else ""
            )
        return self.reject_signed(
            request, receipt.signer, given, at=receipt.at, scope="orders", tenure=receipt.tenure
        )

    def reject_signed(
        self,
        request: SignedRequest,
        signer: bytes,
        given: bytes,
        *,
        at: datetime,
        scope: str,
        tenure: int,
    ) -> str:
        """Return why a request that a session signed `at` a time is not that of a seat's tenure, ""
        where it is.
        """
        known = self.find_session(signer, at=at, scope=scope)
        if known is None:
            return NO_SESSION
        if not requests.is_signed(signer, request, given):
            return ALTERED
        return "" if self.has_seat(known.who, request.seat, tenure) else OTHERS

    def prepare(self, signers: Iterable[bytes | None]) -> None:
        """Read the sessions with these keys, all at once."""
        self._sessions |= find_sessions(
            self._session, self._keyring, {each for each in signers if each is not None}
        )

    def find_session(self, signer: bytes, *, at: datetime, scope: str) -> KnownSession | None:
        """Return the session of a key, None where the worker does not vouch that it could sign this
        `at` a time.
        """
        known = self._known(signer)
        return known if known is not None and known.until >= at and scope in known.scopes else None

    def has_had_a_seat(self, who: str) -> bool:
        """Whether the worker vouches that `who` has or had any seat of the match."""
        return any(self.has_seat(who, seat, tenure) for seat, tenure in self._stored())

    def _known(self, public: bytes) -> KnownSession | None:
        if public not in self._sessions:
            self.prepare([public])
        return self._sessions.get(public)

    def has_seat(self, who: str, seat: str, tenure: int) -> bool:
        """Whether the worker vouches that `who` has, or had, this tenure; in a match without a log,
        whether the rows say so.
        """
        if not self._match.sealing:
            return self._has_row(who, seat, tenure)
        stored = self._stored().get((seat, tenure))
        if stored is None:
            return False
        return stored.is_of(self._keyring, who) or (
            stored.proof is None and self._is_logged(stored, who)
        )

    def _has_row(self, who: str, seat: str, tenure: int) -> bool:
        row = next(
            (each for each in seats_of(self._session, self._match) if each.name == seat), None
        )
        if row is None or row.player_id is None or row.tenure != tenure:
            return False
        return find_who(self._session, self._keyring, row.player_id) == who

    def _is_logged(self, stored: _StoredTenure, who: str) -> bool:
        """Whether the match's log holds a tenure of `who` that began before tenures had proofs of
        their own.
        """
        place = stored.tenure
        hashed = H(
            "tenure",
            {
                "match": place.match,
                "seat": place.seat,
                "n": place.n,
                "who": who,
                "nonce": stored.nonce,
            },
        ).hex()
        wanted = (LogEntry.match_id == self._match.id, col(LogEntry.type).in_(("open", "tenure")))
        for row in self._session.exec(
            select(LogEntry).where(*wanted).order_by(col(LogEntry.index).desc())
        ):
            tenures = [row.body] if row.type == "tenure" else row.body.get("tenures", ())
            if any(
                each["seat"] == place.seat and each["n"] == place.n and each["tenure"] == hashed
                for each in tenures
            ):
                return is_own_entry(self._keyring, self._match, row)
        return False

    def is_bots(self, seat: str, tenure: int) -> bool:
        """Whether the worker vouches that a house bot has this tenure."""
        player = self._session.exec(
            select(Player)
            .join(Seat, onclause=col(Seat.player_id) == col(Player.id))
            .where(Seat.match_id == self._match.id, Seat.name == seat)
        ).first()
        return player is not None and self.has_seat(
            requests.who_of_bot(self._keyring, player.id or 0), seat, tenure
        )

    def _asks(self, number: int) -> bool:
        """Whether requests for a phase are signed: not in one that was open before they were, nor
        in a match without a log.
        """
        if not self._match.sealing:
            return False
        if number not in self._phases:
            phase = phase_numbered(self._session, self._match, number)
            self._phases[number] = phase is None or asks_for_signatures(
                self._keyring, self._match, phase
            )
        return self._phases[number]

    def _stored(self) -> dict[tuple[str, int], _StoredTenure]:
        if self._tenures is None:
            seats = seats_of(self._session, self._match)
            self._tenures = {
                (each.name, each.tenure): _StoredTenure(
                    tenure_of(self._match, each), each.tenure_proof, each.tenure_nonce
                )
                for each in seats
            }
            if any(each.tenure > 1 for each in seats):
                self._tenures |= self._former()
        return self._tenures

    def _former(self) -> dict[tuple[str, int], _StoredTenure]:
        rows = self._session.exec(
            select(FormerTenure).where(FormerTenure.match_id == self._match.id)
        )
        return {
            (row.seat, row.number): _StoredTenure(former_tenure(self._match, row), row.tenure_proof)
            for row in rows
        }
