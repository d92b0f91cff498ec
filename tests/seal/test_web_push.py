"""Web push: the example of RFC 8291, proofs of the sender that their public key verifies, keys that
are refused.
"""

import json
from base64 import urlsafe_b64decode
from datetime import UTC, datetime

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from adjudicator.seal.web_push import (
    BrowserKeys,
    encrypt_with,
    prove_sender,
    public_point,
    push_key,
)
from tests.harness import fresh_keys

# RFC 8291, section 5 and appendix A
PUBLIC = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"
FRESH = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4M"
    "qgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def test_rfc_8291_section_5() -> None:
    fresh = ec.derive_private_key(int.from_bytes(decoded(FRESH)), ec.SECP256R1())
    text = b"When I grow up, I want to be a watermelon"
    assert encrypt_with(BrowserKeys.read(PUBLIC, SECRET), text, fresh, decoded(SALT)) == decoded(
        BODY
    )


def test_rfc_8292_a_proof_names_the_push_service_and_whom_to_write_to_and_ends() -> None:
    key, now = push_key(fresh_keys()), datetime(2026, 11, 24, tzinfo=UTC)
    scheme, _, rest = prove_sender(
        key, "https://push.example.net", "mailto:orders@example.org", now
    ).partition(" ")
    token, public = (part.partition("=")[2] for part in rest.split(", "))
    said, _, signature = token.rpartition(".")
    head, claims = (json.loads(decoded(part)) for part in said.split("."))
    assert (scheme, decoded(public)) == ("vapid", public_point(key)) and head == {
        "typ": "JWT",
        "alg": "ES256",
    }
    assert claims == {
        "aud": "https://push.example.net",
        "exp": int(now.timestamp()) + 12 * 3600,
        "sub": "mailto:orders@example.org",
    }
    raw = decoded(signature)
    der = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    key.public_key().verify(der, said.encode(), ec.ECDSA(SHA256()))
    with pytest.raises(InvalidSignature):
        key.public_key().verify(der, said.encode() + b"x", ec.ECDSA(SHA256()))


def test_the_key_follows_from_the_key_file() -> None:
    keyring = fresh_keys()
    assert (
        public_point(push_key(keyring))
        == public_point(push_key(keyring))
        != public_point(push_key(fresh_keys()))
    )


_NO_KEYS = [
    ("", ""),
    (PUBLIC, SECRET[:-2]),
    (PUBLIC[:-2], SECRET),
    ("B" + "A" * 86, SECRET),
    ("ü", ""),
]


@pytest.mark.parametrize(("public", "secret"), _NO_KEYS)
def test_what_is_no_key_is_refused(public: str, secret: str) -> None:
    with pytest.raises(ValueError):
        BrowserKeys.read(public, secret)
