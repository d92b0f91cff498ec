"""Boxes that only the holder of a private key can open (SEAL/1, At rest): X25519, HKDF-SHA256 and
AES-256-GCM.
"""

from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from adjudicator.platform import entropy

BLOCK = 512  # bytes; every sealed text is padded to a multiple of it, to hide its length
_KEY, _NONCE, _LENGTH = 32, 12, 4


class CannotOpen(ValueError):
    """A box was sealed to another key or other `bound_to` bytes, or it was altered."""


def new_pair() -> tuple[bytes, bytes]:
    """Return a fresh X25519 pair: private and public half, 32 raw bytes each."""
    private = X25519PrivateKey.from_private_bytes(entropy.token_bytes(_KEY))
    return private.private_bytes_raw(), private.public_key().public_bytes_raw()


def public_half(private: bytes) -> bytes:
    """Return the public half of a private X25519 key, both 32 raw bytes."""
    return _pair_of(private)[1]


@lru_cache(maxsize=64)  # a phase's key opens several envelopes; as many phases close together
def _pair_of(private: bytes) -> tuple[X25519PrivateKey, bytes]:
    own = X25519PrivateKey.from_private_bytes(private)
    return own, own.public_key().public_bytes_raw()


def seal(public: bytes, text: bytes, *, bound_to: bytes) -> bytes:
    """Seal `text` to `public` under a fresh ephemeral key; the box opens only together with the
    same `bound_to` bytes.

    Layout: ephemeral public key (32), nonce (12), AES-256-GCM of length (4, big-endian), text and
    zeros to a multiple of 512.
    """
    ephemeral = X25519PrivateKey.from_private_bytes(entropy.token_bytes(_KEY))
    sender = ephemeral.public_key().public_bytes_raw()
    nonce = entropy.token_bytes(_NONCE)
    sealed = AESGCM(_derive(ephemeral, public, sender, public)).encrypt(nonce, _pad(text), bound_to)
    return sender + nonce + sealed


def unseal(private: bytes, box: bytes, *, bound_to: bytes) -> bytes:
    """Return the text of `box`; raises CannotOpen for another key, other `bound_to` bytes, or an
    altered box.
    """
    sender, nonce, sealed = box[:_KEY], box[_KEY : _KEY + _NONCE], box[_KEY + _NONCE :]
    try:
        own, recipient = _pair_of(private)
        key = _derive(own, sender, sender, recipient)
        return _unpad(AESGCM(key).decrypt(nonce, sealed, bound_to))
    except (InvalidTag, ValueError) as error:
        raise CannotOpen("this box was not sealed to this key, or it was altered") from error


_public_key = lru_cache(maxsize=64)(X25519PublicKey.from_public_bytes)  # most serve several boxes


def _derive(private: X25519PrivateKey, public: bytes, ephemeral: bytes, recipient: bytes) -> bytes:
    shared = private.exchange(_public_key(public))
    return HKDF(
        algorithm=SHA256(), length=_KEY, salt=ephemeral + recipient, info=b"sealed/1/box"
    ).derive(shared)


def _pad(text: bytes) -> bytes:
    framed = len(text).to_bytes(_LENGTH, "big") + text
    return framed + bytes(-len(framed) % BLOCK)


def _unpad(padded: bytes) -> bytes:
    return padded[_LENGTH : _LENGTH + int.from_bytes(padded[:_LENGTH], "big")]
