"""The worker's keys, and boxes that only the holder of a private key can open (SEAL/1: Keys; At rest).

The private keys are in one file that only the worker reads, never in the database or its backups. A box is X25519,
HKDF-SHA256 and AES-256-GCM.
"""

import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from adjudicator.core.jcs import H
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
    return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def seal(public: bytes, text: bytes, *, bound_to: bytes) -> bytes:
    """Seal `text` to `public` under a fresh ephemeral key; the box opens only together with the same `bound_to` bytes.

    Layout: ephemeral public key (32), nonce (12), AES-256-GCM of length (4, big-endian), text and zeros to a multiple of 512.
    """
    ephemeral = X25519PrivateKey.from_private_bytes(entropy.token_bytes(_KEY))
    key = _derive(ephemeral, public, ephemeral.public_key().public_bytes_raw(), public)
    nonce = entropy.token_bytes(_NONCE)
    sealed = AESGCM(key).encrypt(nonce, _pad(text), bound_to)
    return ephemeral.public_key().public_bytes_raw() + nonce + sealed


def unseal(private: bytes, box: bytes, *, bound_to: bytes) -> bytes:
    """Return the text of `box`; raises CannotOpen for another key, other `bound_to` bytes, or an altered box."""
    sender, nonce, sealed = box[:_KEY], box[_KEY : _KEY + _NONCE], box[_KEY + _NONCE :]
    try:
        own = X25519PrivateKey.from_private_bytes(private)
        key = _derive(own, sender, sender, own.public_key().public_bytes_raw())
        return _unpad(AESGCM(key).decrypt(nonce, sealed, bound_to))
    except (InvalidTag, ValueError) as error:
        raise CannotOpen("this box was not sealed to this key, or it was altered") from error


def _derive(private: X25519PrivateKey, public: bytes, ephemeral: bytes, recipient: bytes) -> bytes:
    shared = private.exchange(X25519PublicKey.from_public_bytes(public))
    return HKDF(algorithm=SHA256(), length=_KEY, salt=ephemeral + recipient, info=b"sealed/1/box").derive(shared)


def _pad(text: bytes) -> bytes:
    framed = len(text).to_bytes(_LENGTH, "big") + text
    return framed + bytes(-len(framed) % BLOCK)


def _unpad(padded: bytes) -> bytes:
    return padded[_LENGTH : _LENGTH + int.from_bytes(padded[:_LENGTH], "big")]


class KeyFileError(RuntimeError):
    """The worker's key file is missing, damaged, or readable by others."""


@dataclass(frozen=True)
class PublicKeys:
    """The public halves of the worker's keys, 32 raw bytes each."""

    signing: bytes  # Ed25519
    wrapping: bytes  # X25519: for all that only the worker may open
    inbox: bytes  # X25519: raw letters

    @property
    def document(self) -> dict[str, object]:
        """The JSON of `/.well-known/sealed-keys.json`, without its fingerprint."""
        return {"version": 1, "signing": self.signing.hex(), "wrapping": self.wrapping.hex(), "inbox": self.inbox.hex()}

    @property
    def fingerprint(self) -> str:
        """H("keys", document) in hex, shown in every letter's footer."""
        return H("keys", self.document).hex()

    @classmethod
    def of(cls, document: dict[str, object]) -> "PublicKeys":
        """Parse what `document` returned."""
        return cls(*(bytes.fromhex(str(document[name])) for name in ("signing", "wrapping", "inbox")))


@dataclass(frozen=True, repr=False)
class Keyring:
    """The worker's private keys, 32 raw bytes each; never print, store or send them."""

    signing: bytes
    wrapping: bytes
    inbox: bytes

    @property
    def public(self) -> PublicKeys:
        """The public halves."""
        signing = Ed25519PrivateKey.from_private_bytes(self.signing).public_key().public_bytes_raw()
        return PublicKeys(signing, public_half(self.wrapping), public_half(self.inbox))

    def wrap(self, secret: bytes, *, bound_to: bytes) -> bytes:
        """Seal `secret` to this keyring's own wrapping key."""
        return seal(public_half(self.wrapping), secret, bound_to=bound_to)

    def unwrap(self, box: bytes, *, bound_to: bytes) -> bytes:
        """Open a box sealed to the wrapping key; raises CannotOpen."""
        return unseal(self.wrapping, box, bound_to=bound_to)

    def sign(self, digest: bytes) -> bytes:
        """Sign a hash of SEAL/1: Ed25519 over `sealed/1/sig`, a newline and its 64 hex characters."""
        return Ed25519PrivateKey.from_private_bytes(self.signing).sign(_signed_text(digest))


def verify_signature(public: bytes, digest: bytes, signature: bytes) -> None:
    """Raise cryptography's InvalidSignature unless `signature` is `public`'s over `digest`."""
    Ed25519PublicKey.from_public_bytes(public).verify(signature, _signed_text(digest))


def _signed_text(digest: bytes) -> bytes:
    return b"sealed/1/sig\n" + digest.hex().encode()


def load_key_file(path: Path) -> Keyring:
    """Read the key file; raises KeyFileError when it is missing, damaged, or readable by others."""
    try:
        mode, text = path.stat().st_mode, path.read_bytes()
    except OSError as error:
        raise KeyFileError(f"The worker's key file {path} cannot be read: {error.strerror}.") from error
    if stat.S_IMODE(mode) & 0o077:
        raise KeyFileError(f"The worker's key file {path} can be read by others: run chmod 600 on it.")
    try:
        document = json.loads(text)
        keys = [bytes.fromhex(document[name]) for name in ("signing", "wrapping", "inbox")]
        if any(len(key) != _KEY for key in keys):
            raise ValueError("a key is cut short")
        return Keyring(*keys)
    except (ValueError, KeyError, TypeError) as error:
        raise KeyFileError(f"The worker's key file {path} is damaged: restore it from its backup.") from error


def ensure_key_file(path: Path) -> Keyring:
    """Read the key file, or atomically create it with mode 0600; raises KeyFileError."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _write_new(path, _fresh())
    return load_key_file(path)


def _fresh() -> str:
    signing = entropy.token_bytes(_KEY)
    keys = {"version": 1, "signing": signing.hex(), "wrapping": new_pair()[0].hex(), "inbox": new_pair()[0].hex()}
    return json.dumps(keys, indent=1) + "\n"


def _write_new(path: Path, text: str) -> None:
    """Write a temporary file and hard-link it, so that two workers that start at once use the same key file."""
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(beside, path)
        except FileExistsError:
            return
    finally:
        beside.unlink()
