"""The bytes of web push: messages encrypted to one browser (RFC 8291, 8188), and the proof of who
sends them (VAPID, RFC 8292).
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from adjudicator.platform import entropy
from adjudicator.seal.crypto import Keyring

MOST_BYTES = 3000  # of a message; one record of RFC 8188 holds it
PROOF_LASTS = timedelta(hours=12)
_CURVE = ec.SECP256R1()
# of P-256 (FIPS 186-4, D.1.2.3)
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_RECORD = 4096
_KEY, _SECRET, _SALT = 65, 16, 16


@dataclass(frozen=True)
class BrowserKeys:
    """What a browser gives to those who may write to it: its public key (65 bytes, uncompressed)
    and a secret (16 bytes).
    """

    public: bytes
    secret: bytes

    @classmethod
    def read(cls, public: str, secret: str) -> "BrowserKeys":
        """Parse both from base64url; raises ValueError for anything that is no such key."""
        keys = cls(_decoded(public), _decoded(secret))
        if len(keys.public) != _KEY or len(keys.secret) != _SECRET:
            raise ValueError("a key of another length")
        ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, keys.public)
        return keys


def push_key(keyring: Keyring) -> ec.EllipticCurvePrivateKey:
    """Return the key that proves this service to push services; it follows from the first signing
    key of the key file.
    """
    drawn = HKDF(algorithm=SHA256(), length=48, salt=None, info=b"sealed/1/push").derive(
        keyring.first_signing
    )
    return ec.derive_private_key(int.from_bytes(drawn) % (_ORDER - 1) + 1, _CURVE)


def public_point(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return the public half of a key as browsers take it: 65 bytes, uncompressed."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encrypt_push(keys: BrowserKeys, text: bytes) -> bytes:
    """Encrypt a message of at most MOST_BYTES bytes to one browser, under a fresh key and salt."""
    fresh = ec.derive_private_key(
        int.from_bytes(entropy.token_bytes(48)) % (_ORDER - 1) + 1, _CURVE
    )
    return encrypt_with(keys, text, fresh, entropy.token_bytes(_SALT))


def encrypt_with(
    keys: BrowserKeys, text: bytes, fresh: ec.EllipticCurvePrivateKey, salt: bytes
) -> bytes:
    """Encrypt a message under this one-time key and salt: salt, record size, length of the key,
    key, AES-128-GCM of text and 2.
    """
    own = public_point(fresh)
    shared = fresh.exchange(
        ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, keys.public)
    )
    secret = _derive(keys.secret, shared, b"WebPush: info\0" + keys.public + own, 32)
    key, nonce = (
        _derive(salt, secret, b"Content-Encoding: " + name + b"\0", size)
        for name, size in ((b"aes128gcm", 16), (b"nonce", 12))
    )
    return (
        salt
        + _RECORD.to_bytes(4)
        + bytes([len(own)])
        + own
        + AESGCM(key).encrypt(nonce, text + b"\x02", None)
    )


def prove_sender(key: ec.EllipticCurvePrivateKey, origin: str, contact: str, now: datetime) -> str:
    """Return the header `Authorization` for a push service: a token for its origin that names whom
    to write to.
    """
    claims = {"aud": origin, "exp": int((now + PROOF_LASTS).timestamp()), "sub": contact}
    signed = ".".join(
        encoded(json.dumps(part, separators=(",", ":")).encode())
        for part in ({"typ": "JWT", "alg": "ES256"}, claims)
    )
    one, other = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(SHA256())))
    return (
        f"vapid t={signed}.{encoded(one.to_bytes(32) + other.to_bytes(32))},"
        f" k={encoded(public_point(key))}"
    )


def encoded(text: bytes) -> str:
    """Return bytes as base64url without padding."""
    return urlsafe_b64encode(text).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _derive(salt: bytes, key: bytes, info: bytes, size: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=size, salt=salt, info=info).derive(key)
