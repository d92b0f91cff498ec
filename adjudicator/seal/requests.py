"""What vouches for a request: the key of a session, or the worker's own secret (SEAL/1,
Requests).
"""

import base64
import binascii
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Literal, Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from adjudicator.core.jcs import H
from adjudicator.seal import crypto
from adjudicator.seal.crypto import Keyring

Kind = Literal[
    "orders",
    "say",
    "plan",
    "reading",
    "vote",
    "propose",
    "act",
    "seat",
    "address",
    "appoint",
    "salt",
]
COOKIE_BYTES = 32


@dataclass(frozen=True)
class SignedRequest:
    """What somebody asks for. `body` holds commitments and what is public, never a text: signatures
    would let texts be guessed.
    """

    kind: Kind
    match: str  # public name, "" for none
    phase: int  # 0 where no phase is open
    seat: str  # "" for none
    seq: int
    body: Mapping[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> bytes:
        """H("request", {kind, match, phase, seat, seq, body})."""
        return H("request", self.plain)

    @property
    def plain(self) -> dict[str, Any]:
        """The values that the hash covers."""
        bound = {
            "kind": self.kind,
            "match": self.match,
            "phase": self.phase,
            "seat": self.seat,
            "seq": self.seq,
        }
        return bound | {"body": dict(self.body)}


class Voucher(Protocol):
    """Whoever vouches for a request."""

    @property
    def public(self) -> bytes | None:
        """The public half of a session's key; None for the worker."""
        ...

    def sign(self, request: SignedRequest) -> bytes:
        """Vouch for a request."""
        ...


@dataclass(frozen=True, repr=False)
class SessionKey:
    """The key of a session, which only the cookie in its browser gives."""

    seed: bytes

    @classmethod
    def of_cookie(cls, cookie: str) -> "SessionKey":
        """Return the key of a cookie: the seed is H("session", its bytes). Raises ValueError where
        it holds other than 32 bytes.
        """
        try:
            secret = base64.urlsafe_b64decode(cookie + "=" * (-len(cookie) % 4))
        except (binascii.Error, ValueError) as error:
            raise ValueError("this is not the cookie of a session") from error
        if len(secret) != COOKIE_BYTES:
            raise ValueError("this is not the cookie of a session")
        return cls(H("session", secret))

    @cached_property
    def _private(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.seed)

    @cached_property
    def public(self) -> bytes:
        """The public half, 32 raw bytes."""
        return self._private.public_key().public_bytes_raw()

    def sign(self, request: SignedRequest) -> bytes:
        """Return the Ed25519 signature over a request, 64 bytes."""
        return self._private.sign(crypto.signed_text(request.digest))


@dataclass(frozen=True, repr=False)
class WorkerSigner:
    """The worker, which vouches for what it read itself: letters, house bots' orders, plans that it
    carried on.
    """

    keyring: Keyring
    public: None = None

    def sign(self, request: SignedRequest) -> bytes:
        """Return A("worker", request), 32 bytes."""
        return self.keyring.authenticate("worker", request.plain)


def is_signed(public: bytes, request: SignedRequest, signature: bytes) -> bool:
    """Whether `signature` is that of a session's key over a request."""
    try:
        crypto.verify_signature(public, request.digest, signature)
    except (InvalidSignature, ValueError):
        return False
    return True


def is_workers(keyring: Keyring, request: SignedRequest, signature: bytes) -> bool:
    """Whether the worker vouched for a request."""
    return hmac.compare_digest(WorkerSigner(keyring).sign(request), signature)


# --- who


def who_of_address(keyring: Keyring, address: str) -> str:
    """Return A("who", address) in hex: by it the worker knows a person, and nobody else can compute
    it.
    """
    return keyring.authenticate("who", address).hex()


def who_of_bot(keyring: Keyring, player_id: int) -> str:
    """Return the same of a house bot."""
    return keyring.authenticate("who", {"player": player_id}).hex()


def who_of_guest(public: bytes) -> str:
    """Return H("who", public half) in hex: a guest is who holds the key of the first session."""
    return H("who", public.hex()).hex()


# --- the worker's marks on stored rows


@dataclass(frozen=True)
class Tenure:
    """One player's time in a seat. `since` is when the seat was taken, as
    `core.jcs.format_timestamp` writes it.
    """

    match: str
    seat: str
    n: int
    since: str | None


@lru_cache(maxsize=8192)  # asked for at each receipt and closing
def tenure_proof(keyring: Keyring, tenure: Tenure, who: str) -> bytes:
    """Return A("tenure", {match, seat, n, who, since})."""
    return keyring.authenticate("tenure", {**vars(tenure), "who": who})


def session_proof(keyring: Keyring, *, public: bytes, who: str, scopes: str, until: str) -> bytes:
    """Return A("session", {public, who, scopes, until})."""
    return keyring.authenticate(
        "session", {"public": public.hex(), "who": who, "scopes": scopes, "until": until}
    )
