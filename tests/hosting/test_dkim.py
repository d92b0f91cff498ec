"""The DKIM key as a host sets it: `sealed check` prints its record."""

import base64
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from tests.hosting.conftest import SealedHere
from tests.servers import free_port


def key_file(folder: Path, key: rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey) -> Path:
    path = folder / "dkim.pem"
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    path.chmod(0o600)
    return path


def test_check_prints_the_record_for_the_dns(tmp_path: Path, sealed_here: SealedHere) -> None:
    key = rsa.generate_private_key(65537, 2048)
    signing = {"DKIM_KEY_FILE": str(key_file(tmp_path, key)), "DKIM_SELECTOR": "autumn"}
    told = sealed_here(
        "check", DATA_DIR=str(tmp_path), MAIL_ADDRESS="orders@play.example.org", **signing
    ).stdout
    public = base64.b64encode(
        key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    ).decode()
    assert f'autumn._domainkey.play.example.org. TXT "v=DKIM1; k=rsa; p={public}"' in told
    assert "PRIVATE" not in told


def test_check_says_what_is_wrong_with_the_key(tmp_path: Path, sealed_here: SealedHere) -> None:
    path = key_file(tmp_path, ed25519.Ed25519PrivateKey.generate())
    path.chmod(0o640)
    told = sealed_here("check", DATA_DIR=str(tmp_path), DKIM_KEY_FILE=str(path)).stdout
    assert f"WRONG  DKIM_KEY_FILE {path} can be read by others: run chmod 600 on it." in told
    assert (
        "DKIM_KEY_FILE is not set"
        in sealed_here(
            "check", DATA_DIR=str(tmp_path), SMTP_URL=f"smtp://127.0.0.1:{free_port()}"
        ).stdout
    )
    assert "DKIM" not in sealed_here("check", DATA_DIR=str(tmp_path)).stdout, (
        "nothing is signed that stays in the local mailbox"
    )
