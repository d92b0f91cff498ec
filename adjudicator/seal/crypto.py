"""The worker's keys: what they open, sign and compute, and the one file that holds them (SEAL/1:
Keys).

Only the worker reads that file. It is never in the database or its backups.
"""

import fcntl
import hmac
import json
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from adjudicator.core.jcs import jcs
from adjudicator.platform import disk, entropy, failpoints
from adjudicator.seal.published import PublicKeys
from adjudicator.seal.sealed_box import BLOCK, CannotOpen, new_pair, public_half, seal, unseal

__all__ = [
    "BLOCK",
    "CannotOpen",
    "DamagedKeyFile",
    "KeyFile",
    "KeyFileError",
    "KeySet",
    "Keyring",
    "PublicKeys",
    "ensure_key_file",
    "hold_key_file",
    "is_signed_by",
    "load_key_file",
    "new_pair",
    "public_half",
    "rotate_key_file",
    "seal",
    "unseal",
    "verify_signature",
]

_KEY, _NONCE = 32, 12  # bytes


class KeyFileError(RuntimeError):
    """The worker's key file is missing, damaged, or readable by others."""


class DamagedKeyFile(KeyFileError):
    """The key file is there, and is no key file."""


@dataclass(frozen=True, repr=False)
class KeySet:
    """The private keys that a rotation replaces together, 32 raw bytes each."""

    signing: bytes
    wrapping: bytes
    inbox: bytes
    # salt of the key of the worker's own records; None: before the first rotation
    own: bytes | None = None

    @property
    def signer(self) -> bytes:
        """The public half of the signing key."""
        return Ed25519PrivateKey.from_private_bytes(self.signing).public_key().public_bytes_raw()

    @property
    def public(self) -> PublicKeys:
        """The public halves."""
        return PublicKeys(self.signer, public_half(self.wrapping), public_half(self.inbox))

    def sign(self, digest: bytes) -> bytes:
        """Sign a hash of SEAL/1: Ed25519 over `sealed/1/sig`, a newline and its 64 hex
        characters.
        """
        return _sign(self.signing, digest)


@dataclass(frozen=True, repr=False)
class Keyring:
    """The worker's private keys, 32 raw bytes each; never print, store or send them.

    It opens what was sealed to the keys of now, or to those before a rotation. What none of them
    opens is tried once more with the key file as it is then, since a rotation replaces it while
    workers run.
    """

    signing: bytes
    wrapping: bytes
    inbox: bytes
    auth: bytes  # of what the worker alone can compute, and of its own records; a rotation keeps it
    own: bytes | None = None
    former: tuple[KeySet, ...] = ()  # the keys before rotations, the newest first
    file: "KeyFile | None" = field(default=None, compare=False)

    @cached_property
    def current(self) -> KeySet:
        """The keys that sign, and to which all is sealed."""
        return KeySet(self.signing, self.wrapping, self.inbox, self.own)

    @property
    def sets(self) -> tuple[KeySet, ...]:
        """All keys of the file, the newest first."""
        return (self.current, *self.former)

    @cached_property
    def public(self) -> PublicKeys:
        """The public halves of the current keys."""
        return self.current.public

    @cached_property
    def signers(self) -> tuple[bytes, ...]:
        """The public halves of all signing keys, the newest first."""
        return tuple(each.signer for each in self.sets)

    def reread(self) -> "Keyring | None":
        """Return what the key file holds now, None if it was not replaced since this keyring was
        read, or cannot be used.
        """
        if self.file is None or not self.file.is_replaced():
            return None
        with suppress(KeyFileError):
            return load_key_file(self.file.path)
        return None

    def holding(self, signer: bytes) -> "Keyring":
        """Return this keyring, or the newer one in its file, with the signing key of this public
        half; else raise CannotOpen.
        """
        if signer in self.signers:
            return self
        newer = self.reread()
        if newer is None:
            raise CannotOpen("this was signed by a key that the worker's key file does not hold")
        return newer.holding(signer)

    def key_set(self, signer: bytes) -> KeySet:
        """Return the keys with the signing key of this public half; raises CannotOpen, and never
        reads the file.
        """
        found = dict(zip(self.signers, self.sets, strict=True)).get(signer)
        if found is None:
            raise CannotOpen("this was signed by a key that the worker's key file does not hold")
        return found

    def wrap(self, secret: bytes, *, bound_to: bytes) -> bytes:
        """Seal `secret` to this keyring's own wrapping key."""
        return seal(public_half(self.wrapping), secret, bound_to=bound_to)

    def unwrap(self, box: bytes, *, bound_to: bytes) -> bytes:
        """Open a box sealed to a wrapping key; raises CannotOpen."""
        return self._open(lambda keys: unseal(keys.wrapping, box, bound_to=bound_to))

    def unseal_letter(self, box: bytes, *, bound_to: bytes) -> bytes:
        """Open a box sealed to a key of the inbox; raises CannotOpen."""
        return self._open(lambda keys: unseal(keys.inbox, box, bound_to=bound_to))

    def authenticate(self, purpose: str, value: object) -> bytes:
        """Return A(purpose, value): HMAC-SHA256 under `auth` of "sealed/1/auth/", the purpose, a
        newline and the JCS; 32 bytes.
        """
        return hmac.digest(self.auth, f"sealed/1/auth/{purpose}\n".encode() + jcs(value), "sha256")

    def keep(self, secret: bytes, *, purpose: str, match: str, phase: int | None = None) -> bytes:
        """Return `secret` as one of the worker's own records: AES-256-GCM under a key that only the
        key file gives.
        """
        nonce = entropy.token_bytes(_NONCE)
        return nonce + _own_cipher(self.auth, self.own).encrypt(
            nonce, secret, _own_place(purpose, match, phase)
        )

    def recall(self, record: bytes, *, purpose: str, match: str, phase: int | None = None) -> bytes:
        """Return what `keep` was given; raises CannotOpen for a record of another place, another
        key file, or an altered one.
        """
        place = _own_place(purpose, match, phase)

        def decrypt(keys: KeySet) -> bytes:
            try:
                return _own_cipher(self.auth, keys.own).decrypt(
                    record[:_NONCE], record[_NONCE:], place
                )
            except (InvalidTag, ValueError) as error:
                raise CannotOpen(
                    "this is not a record that this worker made for this place"
                ) from error

        return self._open(decrypt)

    def renew(self, record: bytes, *, purpose: str, match: str, phase: int | None = None) -> bytes:
        """Return one of the worker's own records under the newest keys; raises CannotOpen."""
        return self.keep(
            self.recall(record, purpose=purpose, match=match, phase=phase),
            purpose=purpose,
            match=match,
            phase=phase,
        )

    def _open(self, decrypt: Callable[[KeySet], bytes]) -> bytes:
        fault = CannotOpen("the key file holds no keys")
        for keys in self.sets:
            try:
                return decrypt(keys)
            except CannotOpen as error:
                fault = error
        newer = self.reread()
        if newer is None:
            raise fault
        return newer._open(decrypt)

    @property
    def first_signing(self) -> bytes:
        """The signing key that the file began with, which the keys of the public log and of web
        push follow from.
        """
        return self.sets[-1].signing

    def log_key(self, purpose: str, number: int) -> bytes:
        """Return the Ed25519 seed for checkpoints of this installation's log of a number ("log"),
        or for its cosignatures ("witness").
        """
        info = "/".join(("sealed/1", purpose, *(() if number == 1 else (str(number),))))
        return HKDF(algorithm=SHA256(), length=_KEY, salt=None, info=info.encode()).derive(
            self.first_signing
        )

    def sign(self, digest: bytes) -> bytes:
        """Sign a hash of SEAL/1 with the newest signing key."""
        return self.current.sign(digest)

    def has_signed(self, digest: bytes, signature: bytes) -> bool:
        """Whether a signature over a hash is by one of these keys: Ed25519 makes the same one again
        (RFC 8032), in less time than verifying it takes.
        """
        return any(each.sign(digest) == signature for each in self.sets)


@lru_cache(maxsize=8)
def _signing_key(private: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(private)


@lru_cache(maxsize=4096)  # a closing asks for what was signed before, often by this process
def _sign(private: bytes, digest: bytes) -> bytes:
    return _signing_key(private).sign(signed_text(digest))


@lru_cache(maxsize=8)
def _own_cipher(auth: bytes, salt: bytes | None) -> AESGCM:
    """Return the cipher of the worker's own records under the keys with this salt."""
    return AESGCM(
        HKDF(algorithm=SHA256(), length=_KEY, salt=salt, info=b"sealed/1/own").derive(auth)
    )


@lru_cache(maxsize=1024)
def _own_place(purpose: str, match: str, phase: int | None) -> bytes:
    return jcs({"purpose": purpose, "match": match, "phase": phase})


def verify_signature(public: bytes, digest: bytes, signature: bytes) -> None:
    """Raise cryptography's InvalidSignature unless `signature` is `public`'s over `digest`."""
    Ed25519PublicKey.from_public_bytes(public).verify(signature, signed_text(digest))


@lru_cache(maxsize=4096)  # what is current is asked for again and again
def is_signed_by(public: bytes, digest: bytes, signature: bytes) -> bool:
    """Whether `signature` is `public`'s over `digest`."""
    try:
        verify_signature(public, digest, signature)
    except InvalidSignature:
        return False
    return True


def signed_text(digest: bytes) -> bytes:
    """Return the bytes that a signature over a hash of SEAL/1 covers."""
    return b"sealed/1/sig\n" + digest.hex().encode()


@dataclass(frozen=True)
class KeyFile:
    """A key file as it was read; a rotation replaces it by another one."""

    path: Path
    mark: tuple[int, int, int]  # inode, time of the change in ns, size

    def is_replaced(self) -> bool:
        """Whether another file has its place by now."""
        try:
            return _mark(self.path.stat()) != self.mark
        except OSError:
            return False


def _mark(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_ino, found.st_mtime_ns, found.st_size


def load_key_file(path: Path) -> Keyring:
    """Read the key file; raises KeyFileError when it is missing, damaged, or readable by others."""
    try:
        found, text = path.stat(), path.read_bytes()
    except OSError as error:
        raise KeyFileError(
            f"The worker's key file {path} cannot be read: {error.strerror}."
        ) from error
    if stat.S_IMODE(found.st_mode) & 0o077:
        raise KeyFileError(
            f"The worker's key file {path} can be read by others: run chmod 600 on it."
        )
    try:
        document = json.loads(text)
        now, *before = [_read_set(each) for each in (document, *document.get("former", []))]
        auth = (
            _read_key(document, "auth") if "auth" in document else _auth_of_older_file(now.signing)
        )
        return Keyring(
            now.signing,
            now.wrapping,
            now.inbox,
            auth,
            now.own,
            tuple(before),
            KeyFile(path, _mark(found)),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DamagedKeyFile(
            f"The worker's key file {path} is damaged: restore it from its backup."
        ) from error


def _read_set(document: dict[str, object]) -> KeySet:
    signing, wrapping, inbox = (
        _read_key(document, name) for name in ("signing", "wrapping", "inbox")
    )
    return KeySet(
        signing, wrapping, inbox, _read_key(document, "own") if "own" in document else None
    )


def _read_key(document: dict[str, object], name: str) -> bytes:
    key = bytes.fromhex(str(document[name]))
    if len(key) != _KEY:
        raise ValueError(f"the key {name} is cut short")
    return key


def _auth_of_older_file(signing: bytes) -> bytes:
    """Return the `auth` of a key file that has none, because it was made before there was one: it
    follows from its signing key.
    """
    return HKDF(algorithm=SHA256(), length=_KEY, salt=None, info=b"sealed/1/auth").derive(signing)


def ensure_key_file(path: Path) -> Keyring:
    """Read the key file, or atomically create it with mode 0600; raises KeyFileError."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        signing = entropy.token_bytes(_KEY)
        fresh = KeySet(signing, new_pair()[0], new_pair()[0])
        _put_file(path, _write_keys(fresh, entropy.token_bytes(_KEY), ()), os.link)
    return load_key_file(path)


def rotate_key_file(path: Path) -> Keyring:
    """Replace the key file atomically by one with fresh keys, in which the present ones are the
    newest former keys.

    The caller holds the file (`hold_key_file`), and it keeps its owner.
    """
    ring, found = load_key_file(path), path.stat()
    # by a process that was killed before it could put it there
    for left in path.parent.glob(f"{path.name}.[0-9]*"):
        left.unlink()
    fresh = KeySet(
        entropy.token_bytes(_KEY), new_pair()[0], new_pair()[0], entropy.token_bytes(_KEY)
    )
    _put_file(
        path,
        _write_keys(fresh, ring.auth, ring.sets),
        os.replace,
        owner=(found.st_uid, found.st_gid),
    )
    return load_key_file(path)


@contextmanager
def hold_key_file(path: Path) -> Iterator[None]:
    """Keep every other rotation of this file waiting during the block; raises KeyFileError where
    its folder cannot be read.
    """
    try:
        folder = os.open(path.parent, os.O_RDONLY)
    except OSError as error:
        raise KeyFileError(
            f"The worker's key file {path} cannot be read: {error.strerror}."
        ) from error
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _write_keys(now: KeySet, auth: bytes, former: tuple[KeySet, ...]) -> str:
    keys = {"version": 1, **_plain(now), "auth": auth.hex()}
    if former:
        keys["former"] = [_plain(each) for each in former]
    return json.dumps(keys, indent=1) + "\n"


def _plain(keys: KeySet) -> dict[str, object]:
    return {name: key.hex() for name, key in vars(keys).items() if isinstance(key, bytes)}


def _put_file(
    path: Path,
    text: str,
    put: Callable[[Path, Path], None],
    *,
    owner: tuple[int, int] | None = None,
) -> None:
    """Write a temporary file and link or move it to its place, on disk before this returns.

    Of two workers that start at once, only one can link, and both use its file.
    """
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "w") as file:
            if owner is not None and owner != (os.geteuid(), os.getegid()):
                os.fchown(handle, *owner)  # root may rotate the keys of the service's user
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        failpoints.kill_here("keys.before_file")
        with suppress(FileExistsError):
            put(beside, path)
        disk.sync(path.parent)
    finally:
        beside.unlink(missing_ok=True)
