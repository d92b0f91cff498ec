"""The worker's private keys: one file that only the worker reads, never in the database or its backups (SEAL/1, Keys)."""

import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from adjudicator.core.jcs import H
from adjudicator.platform import entropy
from adjudicator.seal import sealed_box

_KEY_BYTES = 32


class KeyFileError(RuntimeError):
    """The worker's key file is missing, damaged, or readable by others."""


@dataclass(frozen=True)
class PublicKeys:
    """The halves everybody may know, 32 raw bytes each."""

    signing: bytes  # Ed25519
    wrapping: bytes  # X25519: whatever only the worker may open
    inbox: bytes  # X25519: raw letters

    @property
    def document(self) -> dict[str, object]:
        """The JSON of `/.well-known/sealed-keys.json`, without its fingerprint."""
        return {"version": 1, "signing": self.signing.hex(), "wrapping": self.wrapping.hex(), "inbox": self.inbox.hex()}

    @property
    def fingerprint(self) -> str:
        """H("keys", document), the hex digits shown in every letter's footer."""
        return H("keys", self.document).hex()

    @classmethod
    def of(cls, document: dict[str, object]) -> "PublicKeys":
        """Read what `document` wrote."""
        return cls(*(bytes.fromhex(str(document[name])) for name in ("signing", "wrapping", "inbox")))


@dataclass(frozen=True, repr=False)
class Keyring:
    """The worker's private keys, 32 raw bytes each; it is never printed, stored or sent."""

    signing: bytes
    wrapping: bytes
    inbox: bytes

    @property
    def public(self) -> PublicKeys:
        """The public halves."""
        signing = Ed25519PrivateKey.from_private_bytes(self.signing).public_key().public_bytes_raw()
        return PublicKeys(signing, sealed_box.public_half(self.wrapping), sealed_box.public_half(self.inbox))

    def wrap(self, secret: bytes, *, bound_to: bytes) -> bytes:
        """Seal `secret` to this keyring itself."""
        return sealed_box.seal(sealed_box.public_half(self.wrapping), secret, bound_to=bound_to)

    def unwrap(self, box: bytes, *, bound_to: bytes) -> bytes:
        """Open what `wrap` (or anybody, to the public wrapping key) sealed; raises boxes.CannotOpen."""
        return sealed_box.unseal(self.wrapping, box, bound_to=bound_to)

    def sign(self, digest: bytes) -> bytes:
        """Sign a hash of SEAL/1: Ed25519 over `sealed/1/sig`, a newline and its 64 hex characters."""
        return Ed25519PrivateKey.from_private_bytes(self.signing).sign(_signed_text(digest))


def verify(public: bytes, digest: bytes, signature: bytes) -> None:
    """Raise cryptography's InvalidSignature unless `signature` is `public`'s over `digest`."""
    Ed25519PublicKey.from_public_bytes(public).verify(signature, _signed_text(digest))


def _signed_text(digest: bytes) -> bytes:
    return b"sealed/1/sig\n" + digest.hex().encode()


def load(path: Path) -> Keyring:
    """Read the key file; raises KeyFileError with a sentence when it is missing, damaged, or others may read it."""
    try:
        mode, text = path.stat().st_mode, path.read_bytes()
    except OSError as error:
        raise KeyFileError(f"The worker's key file {path} cannot be read: {error.strerror}.") from error
    if stat.S_IMODE(mode) & 0o077:
        raise KeyFileError(f"The worker's key file {path} can be read by others: run chmod 600 on it.")
    try:
        document = json.loads(text)
        keys = [bytes.fromhex(document[name]) for name in ("signing", "wrapping", "inbox")]
        if any(len(key) != _KEY_BYTES for key in keys):
            raise ValueError("a key is cut short")
        return Keyring(*keys)
    except (ValueError, KeyError, TypeError) as error:
        raise KeyFileError(f"The worker's key file {path} is damaged: restore it from its backup.") from error


def ensure(path: Path) -> Keyring:
    """Read the key file, making it (mode 0600, whole or not at all) where there is none yet; raises KeyFileError."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _write_new(path, _fresh())
    return load(path)


def _fresh() -> str:
    signing = entropy.token_bytes(_KEY_BYTES)
    keys = {"version": 1, "signing": signing.hex(), "wrapping": sealed_box.new_pair()[0].hex(), "inbox": sealed_box.new_pair()[0].hex()}
    return json.dumps(keys, indent=1) + "\n"


def _write_new(path: Path, text: str) -> None:
    """Write beside, then link: two workers that start at once end with the same file."""
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
