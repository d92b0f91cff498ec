"""One seat's sealed orders: commitments, the envelope's bytes and the body of the signed receipt
(SEAL/1, Parts and commitments).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from adjudicator.core.jcs import H, format_timestamp, jcs
from adjudicator.platform import entropy
from adjudicator.seal import crypto

NONCE_BYTES = 32


@dataclass(frozen=True)
class Place:
    """Where a submission belongs: `match` is the match's public name, `seq` counts the seat's
    submissions in this phase from 1.
    """

    match: str
    phase: int
    seat: str
    seq: int


@dataclass(frozen=True)
class SealedPart:
    """One part of a submission with its nonce and commitment (both hex); `orders` is the canonical
    text.
    """

    part: int
    orders: str
    ready: bool
    nonce: str
    commitment: str
    place: Place  # the place it was sealed in; a plan's part keeps it in later phases

    @property
    def bound(self) -> str:
        """The canonical JSON whose tagged hash is the commitment; it suffices to check the
        commitment.
        """
        return jcs(
            _bound_values(
                self.place, part=self.part, orders=self.orders, ready=self.ready, nonce=self.nonce
            )
        ).decode()


def commitment(place: Place, *, part: int, orders: str, ready: bool, nonce: str) -> str:
    """Return H("commit", {match, phase, seat, seq, part, orders, ready, nonce}) in hex."""
    return H(
        "commit", _bound_values(place, part=part, orders=orders, ready=ready, nonce=nonce)
    ).hex()


def _bound_values(place: Place, **rest: object) -> dict[str, object]:
    return {"match": place.match, "phase": place.phase, "seat": place.seat, "seq": place.seq} | rest


def commit_parts(place: Place, texts: Sequence[str], *, ready: bool) -> tuple[SealedPart, ...]:
    """Return a commitment with a fresh nonce for each text: the first is for this phase, the others
    follow a THEN.
    """
    return tuple(_bind(place, number, text, ready) for number, text in enumerate(texts))


def _bind(place: Place, number: int, text: str, ready: bool) -> SealedPart:
    nonce = entropy.token_hex(NONCE_BYTES)
    return SealedPart(
        number,
        text,
        ready,
        nonce,
        commitment(place, part=number, orders=text, ready=ready, nonce=nonce),
        place,
    )


@dataclass(frozen=True)
class Contents:
    """What an envelope holds: the parts, this phase's first unless all are for later phases, and
    the refused lines.
    """

    parts: tuple[SealedPart, ...]
    refusals: tuple[str, ...] = ()


def seal_contents(public: bytes, place: Place, contents: Contents) -> bytes:
    """Seal `contents` to the phase's public key."""
    body = {"parts": [_plain(part) for part in contents.parts], "refusals": list(contents.refusals)}
    return crypto.seal(
        public,
        json.dumps(body).encode(),
        bound_to=_bound(place, [part.commitment for part in contents.parts]),
    )


def open_contents(
    private: bytes, place: Place, commitments: Sequence[str], sealed: bytes
) -> Contents:
    """Open an envelope; raises crypto.CannotOpen where the place, the commitments or the bytes
    differ from those it was sealed with.
    """
    body = json.loads(crypto.unseal(private, sealed, bound_to=_bound(place, commitments)))
    return Contents(tuple(_part(plain) for plain in body["parts"]), tuple(body["refusals"]))


def _bound(place: Place, commitments: Sequence[str]) -> bytes:
    bound = {"match": place.match, "phase": place.phase, "seat": place.seat, "seq": place.seq}
    return jcs(bound | {"commitments": list(commitments)})


def _plain(part: SealedPart) -> dict[str, object]:
    return {
        name: getattr(part, name) for name in ("part", "orders", "ready", "nonce", "commitment")
    } | {"place": [part.place.match, part.place.phase, part.place.seat, part.place.seq]}


def _part(plain: dict[str, object]) -> SealedPart:
    place = plain.pop("place")
    return SealedPart(**plain, place=Place(*place))  # type: ignore[arg-type, misc]  # our own JSON, authenticated


def receipt_body(
    place: Place,
    *,
    channel: str,
    at: datetime,
    disposition: str,
    commitments: Sequence[tuple[int, str]],
    head: str | None = None,
    chained: tuple[int, str] | None = None,
) -> dict[str, object]:
    """Return what a receipt's signature covers: everything but the nonces, which only the seat
    gets.

    In a match with a log, `chained` is the seat's tenure and the hash of that tenure's receipt
    before, and `head` that of the newest entry.
    """
    parts = [{"part": part, "commitment": value} for part, value in commitments]
    bound: dict[str, object] = {
        "match": place.match,
        "phase": place.phase,
        "seat": place.seat,
        "seq": place.seq,
    }
    bound |= {"tenure": chained[0], "prev": chained[1]} if chained is not None else {}
    return bound | {
        "channel": channel,
        "time": format_timestamp(at),
        "disposition": disposition,
        "parts": parts,
        "head": head,
    }


def salts_hash(salts: Sequence[str]) -> str | None:
    """Return H("salts", salts) in hex, to which the chance of a phase is bound; None where no
    player gave any.
    """
    return H("salts", list(salts)).hex() if salts else None


def phase_key_hash(match: str, phase: int, public: bytes) -> bytes:
    """Return H("phase-key", {match, phase, public}), which the worker signs as it opens a phase."""
    return H("phase-key", {"match": match, "phase": phase, "public": public.hex()})


@lru_cache(maxsize=4096)  # asked for each submission of a phase
def signs_phase_key(
    signing: bytes, match: str, phase: int, public: bytes, signature: bytes
) -> bool:
    """Whether `signature` is that of the worker's signing key over the public key of a phase."""
    return crypto.is_signed_by(signing, phase_key_hash(match, phase, public), signature)


def receipt_hash(body: dict[str, object]) -> bytes:
    """Return H("receipt", body), which the worker signs."""
    return H("receipt", body)
