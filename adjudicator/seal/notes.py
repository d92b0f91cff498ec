"""Signed notes and cosignatures: text that several keys sign (C2SP signed-note 1.0.0 and
tlog-cosignature; Ed25519 keys only).
"""

import binascii
import hashlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

# types of keys: a signature over the text; one over the text and a time
SIGNATURE, COSIGNATURE = 0x01, 0x04
MOST_BYTES = 128 * 1024  # of a note: 16 signatures of 5 kilobytes have to fit
MOST_SIGNATURES = 64
_KEY, _ID, _TIME, _SIGNED = 32, 4, 8, 64
_DASH = "\u2014"


class NoteError(ValueError):
    """A note, a signature line or a verifier key is malformed, or a signature fails; the text is a
    sentence.
    """


@dataclass(frozen=True)
class VerifierKey:
    """A public Ed25519 key with its name and type; `str` writes it as `name+hash+base64`."""

    name: str
    kind: int  # SIGNATURE or COSIGNATURE
    public: bytes

    @classmethod
    def read(cls, text: str) -> "VerifierKey":
        """Parse `name+hash+base64`; raises NoteError."""
        name, _, rest = text.partition("+")
        claimed, _, encoded = rest.partition("+")
        material = decode_base64(encoded)
        if len(material) != 1 + _KEY or material[0] not in (SIGNATURE, COSIGNATURE):
            raise NoteError("That is no verifier key of Ed25519: it reads NAME+HASH+KEY.")
        key = cls(check_name(name), material[0], material[1:])
        if claimed != key.key_id.hex():
            raise NoteError(
                f"The verifier key of {name} does not have the hash that it names; copy it once"
                " more."
            )
        return key

    @property
    def key_id(self) -> bytes:
        """The first four bytes of SHA-256(name, newline, type, public key)."""
        return hashlib.sha256(
            self.name.encode() + b"\n" + bytes([self.kind]) + self.public
        ).digest()[:_ID]

    def __str__(self) -> str:
        """Write the key as other tools take it."""
        return f"{self.name}+{self.key_id.hex()}+{b64encode(bytes([self.kind]) + self.public).decode()}"


@dataclass(frozen=True, repr=False)
class NoteSigner:
    """A private Ed25519 key with its name and type."""

    name: str
    kind: int
    private: bytes

    @property
    def verifier(self) -> VerifierKey:
        """The key that verifies its signatures."""
        return VerifierKey(self.name, self.kind, self._key.public_key().public_bytes_raw())

    @property
    def _key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.private)

    def sign(self, text: str) -> str:
        """Return the signature line over a note's text, for a key of type SIGNATURE."""
        if self.kind != SIGNATURE:
            raise ValueError("a key for cosignatures signs no notes")
        return self._line(self._key.sign(text.encode()))

    def cosign(self, text: str, seconds: int) -> str:
        """Return the cosignature line over a checkpoint's text at a POSIX time, for a key of type
        COSIGNATURE.
        """
        if self.kind != COSIGNATURE:
            raise ValueError("a key for notes makes no cosignatures")
        return self._line(seconds.to_bytes(_TIME) + self._key.sign(_cosigned(text, seconds)))

    def _line(self, signature: bytes) -> str:
        return f"{_DASH} {self.name} {b64encode(self.verifier.key_id + signature).decode()}\n"


@dataclass(frozen=True)
class NoteSignature:
    """One signature line, not verified: the key's name and id, the signature's bytes, and the line
    as it was written.
    """

    name: str
    key_id: bytes
    signature: bytes
    line: str  # with its newline


@dataclass(frozen=True)
class Verified:
    """A signature that verifies; `seconds` is a cosignature's POSIX time, None for another
    signature.
    """

    key: VerifierKey
    line: str
    seconds: int | None


@dataclass(frozen=True)
class SignedNote:
    """A note's text, with its final newline, and its signatures."""

    text: str
    signatures: tuple[NoteSignature, ...]

    @classmethod
    def read(cls, note: bytes) -> "SignedNote":
        """Parse a note without verifying anything; raises NoteError."""
        if len(note) > MOST_BYTES:
            raise NoteError(f"That note is longer than {MOST_BYTES} bytes.")
        try:
            written = note.decode()
        except UnicodeDecodeError as error:
            raise NoteError("That note is no UTF-8.") from error
        if any(char < " " and char != "\n" for char in written):
            raise NoteError("That note holds control characters.")
        text, blank, lines = written.rpartition("\n\n")
        if not blank or not lines.endswith("\n"):
            raise NoteError("That is no signed note: its signatures follow an empty line.")
        return cls(f"{text}\n", tuple(read_signatures(lines)))

    def __str__(self) -> str:
        """Write the note."""
        return f"{self.text}\n" + "".join(each.line for each in self.signatures)

    def verify(self, keys: Iterable[VerifierKey]) -> list[Verified]:
        """Return the signatures of these keys, one for each key that signed, in the note's order;
        those of other keys are ignored.

        Raises NoteError where none of these keys signed, or one of their signatures fails.
        """
        known = {(key.name, key.key_id): key for key in keys}
        found: dict[VerifierKey, Verified] = {}
        for each in self.signatures:
            key = known.get((each.name, each.key_id))
            if key is not None:
                found.setdefault(key, _verify(key, self.text, each))
        if not found:
            raise NoteError("No key that is trusted here signed that note.")
        return list(found.values())


def read_signatures(lines: str) -> list[NoteSignature]:
    """Parse signature lines, each with its newline; raises NoteError."""
    written = [f"{line}\n" for line in lines.removesuffix("\n").split("\n")]
    if not lines.endswith("\n") or len(written) > MOST_SIGNATURES:
        raise NoteError(
            f"A note has at most {MOST_SIGNATURES} signature lines, each with a newline."
        )
    return [_read_signature(line) for line in written]


def _read_signature(line: str) -> NoteSignature:
    dash, name, encoded = [*line.removesuffix("\n").split(" "), "", "", ""][:3]
    if dash != _DASH or line.count(" ") != 2:
        raise NoteError("A signature line reads — NAME SIGNATURE.")
    signature = decode_base64(encoded)
    if len(signature) <= _ID:
        raise NoteError("A signature is too short.")
    return NoteSignature(check_name(name), signature[:_ID], signature[_ID:], line)


def _verify(key: VerifierKey, text: str, given: NoteSignature) -> Verified:
    signature, signed, seconds = given.signature, text.encode(), None
    if key.kind == COSIGNATURE:
        seconds, signature = int.from_bytes(signature[:_TIME]), signature[_TIME:]
        signed = _cosigned(text, seconds)
    try:
        if len(signature) != _SIGNED or (seconds is not None and not 0 < seconds < 2**63):
            raise InvalidSignature
        Ed25519PublicKey.from_public_bytes(key.public).verify(signature, signed)
    except (InvalidSignature, ValueError) as error:
        raise NoteError(f"The signature of {key.name} on that note is wrong.") from error
    return Verified(key, given.line, seconds)


def _cosigned(text: str, seconds: int) -> bytes:
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def write_note(text: str, lines: Sequence[str]) -> str:
    """Return a note of a text, which ends in a newline, and signature lines."""
    return "\n".join((text, "".join(lines)))


def check_name(name: str) -> str:
    """Return a key's name; raises NoteError for an empty one and one with spaces or a plus."""
    if not name or "+" in name or any(char.isspace() or not char.isprintable() for char in name):
        raise NoteError("A key’s name is not empty and holds neither spaces nor a plus sign.")
    return name


def decode_base64(text: str) -> bytes:
    """Return the bytes of standard base64 (RFC 4648, 4), padded and in the one way that they are
    written; raises NoteError.
    """
    try:
        found = b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise NoteError("That is no base64.") from error
    if b64encode(found).decode() != text:
        raise NoteError("That base64 is not written in its one way.")
    return found
