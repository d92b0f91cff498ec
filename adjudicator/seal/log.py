"""The entries of a match's public log: a chain of signed hashes (SEAL/1, The match's log)."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from adjudicator.core.jcs import H, jcs
from adjudicator.seal.crypto import Keyring, is_signed_by

# what the first entry of a log and the first receipt of a tenure name as the hash before them
BEGINNING = "0" * 64
EntryType = Literal[
    "genesis",
    "open",
    "close",
    "result",
    "tenure",
    "deadline",
    "master",
    "audit",
    "end",
    "key",
    "anchor",
    "restored",
    "tampering",
]


@dataclass(frozen=True)
class SignedEntry:
    """One entry of a log. `prev` and `hash` are 64 hex characters, `sig` is raw."""

    index: int
    prev: str
    type: str
    body: Mapping[str, Any]
    hash: str
    sig: bytes

    @property
    def plain(self) -> dict[str, Any]:
        """The entry as a bundle has it."""
        return {
            **_bound(self.index, self.prev, self.type, self.body),
            "hash": self.hash,
            "sig": self.sig.hex(),
        }


@dataclass(frozen=True)
class LogHead:
    """The newest entry of a log: its index and its hash in hex."""

    index: int
    hash: str


def make_entry(
    keyring: Keyring, head: LogHead | None, kind: EntryType, body: Mapping[str, Any]
) -> SignedEntry:
    """Return the signed entry that follows `head` (None: the first of a log); raises NotCanonical
    for a body that JSON cannot hold.
    """
    index, prev = (head.index + 1, head.hash) if head is not None else (0, BEGINNING)
    digest = H("entry", _bound(index, prev, kind, body))
    return SignedEntry(index, prev, kind, body, digest.hex(), keyring.sign(digest))


def is_authentic(entry: SignedEntry, signing: bytes) -> bool:
    """Whether an entry has the hash of its content, signed by the holder of this public key."""
    digest = _digest(entry)
    return digest.hex() == entry.hash and is_signed_by(signing, digest, entry.sig)


def is_own(entry: SignedEntry, keyring: Keyring) -> bool:
    """Whether an entry has the hash of its content, signed by a key of this keyring."""
    digest = _digest(entry)
    return digest.hex() == entry.hash and keyring.has_signed(digest, entry.sig)


def _digest(entry: SignedEntry) -> bytes:
    return H("entry", _bound(entry.index, entry.prev, entry.type, entry.body))


def _bound(index: int, prev: str, kind: str, body: Mapping[str, Any]) -> dict[str, Any]:
    return {"index": index, "prev": prev, "type": kind, "body": dict(body)}


# --- what bodies hold


def hash_leaves(leaves: Sequence[Mapping[str, Any]]) -> str:
    """Return the RFC 6962 root over the JCS of a close entry's leaves, in hex."""
    return _tree([hashlib.sha256(b"\0" + jcs(dict(leaf))).digest() for leaf in leaves]).hex()


def _tree(hashes: Sequence[bytes]) -> bytes:
    if not hashes:
        return hashlib.sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    # the largest power of two below the number of leaves
    split = 1 << ((len(hashes) - 1).bit_length() - 1)
    return hashlib.sha256(b"\1" + _tree(hashes[:split]) + _tree(hashes[split:])).digest()


def draw_nonce(keyring: Keyring, purpose: str, match: str, phase: int, seat: str = "") -> str:
    """Return the nonce that blinds one value of a log: only the key file gives it, so that it need
    not be stored; 64 hex characters.
    """
    return keyring.authenticate(
        "nonce", {"purpose": purpose, "match": match, "phase": phase, "seat": seat}
    ).hex()
