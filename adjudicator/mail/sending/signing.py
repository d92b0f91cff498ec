"""DKIM (RFC 6376, RFC 8463): letters are signed for the domain of MAIL_ADDRESS, so that nobody else
can send in its name.
"""

import base64
import hashlib
import re
import stat
import textwrap
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)

from adjudicator.mail import addresses
from adjudicator.platform.config import Settings
from adjudicator.platform.errors import WrongSetting

# Signed once more than a letter has them, so that none can be added (RFC 6376, 8.15): programs show
# the first or the last of two.
OVERSIGNED = (
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "Reply-To",
    "Content-Type",
    "List-Unsubscribe",
    "List-Unsubscribe-Post",
)
SIGNED = (*OVERSIGNED, "In-Reply-To", "References", "Auto-Submitted", "MIME-Version", *OVERSIGNED)
SHORTEST_RSA = 2048  # bits (RFC 8301)


class DkimKeyError(WrongSetting):
    """The DKIM key cannot be used; the message says why and what to do."""


@dataclass(frozen=True)
class Signer:
    """Signs letters for one domain with one key."""

    domain: str
    selector: str
    key: RSAPrivateKey | Ed25519PrivateKey

    def sign(self, letter: bytes, at: datetime, names: tuple[str, ...] = SIGNED) -> bytes:
        """Return the header `DKIM-Signature` for exactly these bytes; it is to be sent before them.

        A header that the letter lacks is listed only if `names` has it twice: then none can be
        added.
        """
        head, _, body = letter.partition(b"\r\n\r\n")
        there = _headers(head)
        listed = [name.lower() for name in names if name.lower() in there or names.count(name) > 1]
        digest = base64.b64encode(hashlib.sha256(relaxed_body(body)).digest()).decode()
        algorithm = "rsa-sha256" if isinstance(self.key, RSAPrivateKey) else "ed25519-sha256"
        value = (
            f"v=1; a={algorithm}; c=relaxed/relaxed;\r\n d={self.domain}; i=@{self.domain};\r\n"
            f" q=dns/txt; s={self.selector}; t={int(at.timestamp())};\r\n"
            f" h={_folded(' : '.join(listed))};\r\n bh={digest};\r\n b="
        )
        signature = base64.b64encode(
            self._signature(_signed_headers(there, listed, value))
        ).decode()
        return (
            f"DKIM-Signature: {value}{_folded(' '.join(textwrap.wrap(signature, 64)))}\r\n".encode()
        )

    def _signature(self, content: bytes) -> bytes:
        if isinstance(self.key, RSAPrivateKey):
            return self.key.sign(content, PKCS1v15(), hashes.SHA256())
        return self.key.sign(hashlib.sha256(content).digest())  # RFC 8463: of the hash

    def record(self) -> tuple[str, str]:
        """Return the name and the text of the DNS TXT record with the public key."""
        if isinstance(self.key, RSAPrivateKey):
            public = self.key.public_key().public_bytes(
                Encoding.DER, PublicFormat.SubjectPublicKeyInfo
            )
        else:
            public = self.key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        kind = "rsa" if isinstance(self.key, RSAPrivateKey) else "ed25519"
        return (
            f"{self.selector}._domainkey.{self.domain}",
            f"v=DKIM1; k={kind}; p={base64.b64encode(public).decode()}",
        )


def load_signer(settings: Settings) -> Signer | None:
    """Return the signer of the settings, None where no key is set; raises DkimKeyError with one
    sentence.
    """
    path = settings.dkim_key_file
    if path is None:
        return None
    return Signer(addresses.mail_host(settings), settings.dkim_selector, _read_key(path))


def _read_key(path: Path) -> RSAPrivateKey | Ed25519PrivateKey:
    name = f"DKIM_KEY_FILE {path}"
    try:
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise DkimKeyError(f"{name} can be read by others: run chmod 600 on it.")
        key = load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        raise DkimKeyError(f"{name} cannot be read: {error.strerror}.") from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise DkimKeyError(
            f"{name} holds no private key in PEM without a password; `openssl genrsa 2048` makes"
            " one."
        ) from error
    if isinstance(key, RSAPrivateKey) and key.key_size < SHORTEST_RSA:
        raise DkimKeyError(
            f"{name} holds an RSA key of {key.key_size} bits; at least {SHORTEST_RSA} are needed."
        )
    if not isinstance(key, RSAPrivateKey | Ed25519PrivateKey):
        raise DkimKeyError(
            f"{name} holds a key that letters cannot be signed with: it must be an RSA or an"
            " Ed25519 key."
        )
    return key


# --- the relaxed canonical form (RFC 6376, 3.4.2 and 3.4.4)


def relaxed_body(body: bytes) -> bytes:
    """Return a body without trailing empty lines, trailing spaces and repeated spaces or tabs;
    lines end in CRLF.
    """
    lines = [line.rstrip(b" ") for line in _spaced(body).split(b"\r\n")]
    while lines and not lines[-1]:
        lines.pop()
    return b"".join(line + b"\r\n" for line in lines)


def _relaxed_header(name: str, value: bytes) -> bytes:
    return name.lower().encode() + b":" + _spaced(value.replace(b"\r\n", b"")).strip(b" ")


def _spaced(text: bytes) -> bytes:
    return re.sub(rb"[ \t]+", b" ", text)


# --- what is signed


def _headers(head: bytes) -> dict[str, bytes]:
    """Return the folded values of headers by lower-case name; our letters have each header once."""
    fields = (field.partition(b":") for field in re.split(rb"\r\n(?![ \t])", head))
    return {name.decode("ascii", "replace").strip().lower(): value for name, _, value in fields}


def _signed_headers(there: dict[str, bytes], listed: list[str], own: str) -> bytes:
    """Return the input of the signature: the listed headers that the letter has, then its own
    without a line end.
    """
    fields = [_relaxed_header(name, there[name]) for name in dict.fromkeys(listed) if name in there]
    return b"\r\n".join([*fields, _relaxed_header("DKIM-Signature", own.encode())])


def _folded(text: str) -> str:
    return "\r\n ".join(textwrap.wrap(text, 70, break_long_words=False, break_on_hyphens=False))
