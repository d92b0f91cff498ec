"""DKIM (RFC 6376, RFC 8463): signatures verify after a real socket, and fail once a byte is
changed.
"""

import base64
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from dkim.canonicalization import Relaxed
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.mail.sending.signing import (
    OVERSIGNED,
    DkimKeyError,
    Signer,
    load_signer,
    relaxed_body,
)
from adjudicator.platform.config import read_settings
from adjudicator.service.people import sessions
from tests.mail.mail_harness import ALICE, BOB, CHARLIE, MailHarness
from tests.mail_sink import MailSink

# RFC 8463, appendix A: the message, its key, and its signature
DINNER = b"""From: Joe SixPack <joe@football.example.com>
To: Suzie Q <suzie@shopping.example.net>
Subject: Is dinner ready?
Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)
Message-ID: <20030712040037.46341.5F8J@football.example.com>

Hi.

We lost the game.  Are you hungry yet?

Joe.
""".replace(b"\n", b"\r\n")
SEED = base64.b64decode("nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=")
NAMES = ("From", "To", "Subject", "Date", "Message-ID", "From", "Subject", "Date")
SIGNATURE = (
    "/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11BusFa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw=="
)


def key_file(
    folder: Path, key: rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey
) -> Path:
    path = folder / "dkim.pem"
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    path.chmod(0o600)
    return path


@pytest.fixture(scope="module")
def rsa_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def test_the_example_of_rfc_8463_comes_out() -> None:
    example = Signer(
        "football.example.com", "brisbane", ed25519.Ed25519PrivateKey.from_private_bytes(SEED)
    )
    header = example.sign(DINNER, datetime.fromtimestamp(1528637909, UTC), NAMES)
    told = "".join(header.decode().split())
    assert "bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;" in told
    assert told.endswith(f";b={SIGNATURE}")
    assert example.record() == (
        "brisbane._domainkey.football.example.com",
        "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    )


def test_the_relaxed_body_is_that_of_rfc_6376() -> None:
    assert relaxed_body(b" C \r\nD \t E\r\n\r\n\r\n") == b" C\r\nD E\r\n"  # section 3.4.6
    assert relaxed_body(b"") == relaxed_body(b"\r\n \r\n") == b""  # 3.4.4
    assert relaxed_body(b"no end of line ") == b"no end of line\r\n"


@given(st.lists(st.sampled_from([b" ", b"\t", b"\r\n", b"a", b".", b"\xc3\xa9"])).map(b"".join))
def test_the_relaxed_body_is_that_of_dkimpy(body: bytes) -> None:
    assert relaxed_body(body + b"\r\n") == Relaxed.canonicalize_body(body + b"\r\n")


@given(
    fields=st.dictionaries(st.sampled_from(NAMES[1:5]), st.text("a: \t<", max_size=90)),
    fold=st.sampled_from(["\r\n ", "\r\n\t", " \r\n  "]),
)
def test_folded_headers_verify_by_dkimpy(
    rsa_key: rsa.RSAPrivateKey, fields: dict[str, str], fold: str
) -> None:
    signing = Signer("example.org", "autumn", rsa_key)
    fields["From"] = "Ann  <ann@example.org>"
    head = "".join(f"{name}:{value.replace('  ', fold)}x\r\n" for name, value in fields.items())
    letter = f"{head}\r\nHi.\r\n".encode()
    signed = signing.sign(letter, datetime(2026, 1, 1, tzinfo=UTC)) + letter
    assert dkim.verify(signed, dnsfunc=lambda name, timeout=5: signing.record()[1].encode())


def taken_over_a_socket(post_harness: MailHarness, key: Path) -> bytes:
    """Return a signed report letter as a mail server got it."""
    post_harness.now -= timedelta(days=365)  # verifiers reject signatures of the future
    with MailSink() as sink:
        post_harness.settings = read_settings(
            data_dir=post_harness.settings.data_dir,
            smtp_url=sink.url,
            mail_address="orders@example.org",
            site_url="https://orders.example.org",
            dkim_key_file=key,
            dkim_selector="autumn",
            inbox_url="lmtp://127.0.0.1:24",
        )
        post_harness.begin(
            ALICE, BOB, CHARLIE, name="Ein Abend mit .Punkten\u2026 und \u00dcberraschungen"
        )
        assert post_harness.post_all() == 3
    return sink.taken[0].content


def test_a_letter_verifies_after_its_way_to_a_mail_server_and_not_when_it_was_changed(
    post_harness: MailHarness, rsa_key: rsa.RSAPrivateKey, tmp_path: Path
) -> None:
    key = key_file(tmp_path, rsa_key)
    raw = taken_over_a_socket(post_harness, key)
    signing = load_signer(post_harness.settings)
    assert signing is not None
    name, record = signing.record()
    asked: list[bytes] = []

    def answer(name: bytes, timeout: int = 5) -> bytes:
        asked.append(name)
        return record.encode()

    assert dkim.verify(raw, dnsfunc=answer)
    assert asked == [f"{name}.".encode()]
    for old, new in (
        (b"Round 1", b"Round 2"),
        (b"\r\nSubject: ", b"\r\nSubject: Re: "),
        (b"Reply-To: ", b"Reply-To: evil@example.net, "),
        (b"DKIM-Signature: ", b"From: evil@example.net\r\nDKIM-Signature: "),
        (b"letters/stop/", b"letters/STOP/"),
        (b"List-Unsubscribe-Post: ", b"List-Unsubscribe-Post: x"),
    ):
        assert old in raw
        assert not dkim.verify(raw.replace(old, new, 1), dnsfunc=answer), new
    head = raw.partition(b"\r\n\r\n")[0]
    for added in OVERSIGNED:
        assert not dkim.verify(f"{added}: x\r\n".encode() + raw, dnsfunc=answer), added
        assert not dkim.verify(
            head + f"\r\n{added}: x".encode() + raw[len(head) :], dnsfunc=answer
        ), added


def test_no_header_can_be_added_to_a_letter_that_lacks_it(rsa_key: rsa.RSAPrivateKey) -> None:
    signing = Signer("football.example.com", "brisbane", rsa_key)
    signed = signing.sign(DINNER, datetime(2026, 1, 1, tzinfo=UTC)) + DINNER
    for added in ("", *OVERSIGNED):
        letter = f"{added}: x\r\n".encode() + signed if added else signed
        assert dkim.verify(
            letter, dnsfunc=lambda name, timeout=5: signing.record()[1].encode()
        ) is not bool(added), added


def test_a_letter_signed_with_ed25519_says_so(post_harness: MailHarness, tmp_path: Path) -> None:
    raw = taken_over_a_socket(
        post_harness, key_file(tmp_path, ed25519.Ed25519PrivateKey.generate())
    )
    assert raw.startswith(
        b"DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;\r\n d=example.org;"
    )
    assert max(map(len, raw.partition(b"\r\n\r\n")[0].split(b"\r\n"))) < 200


def test_nothing_is_signed_without_a_key(post_harness: MailHarness) -> None:
    assert load_signer(post_harness.settings) is None
    sessions.ask_link(post_harness.database, ALICE, zone="UTC", now=post_harness.now)
    assert post_harness.post_all() == 1
    assert (
        b"DKIM"
        not in (post_harness.mailbox.folder / f"{post_harness.rows()[-1].uid}.eml").read_bytes()
    )


def told_of(path: Path) -> str:
    with pytest.raises(DkimKeyError) as fault:
        load_signer(read_settings(dkim_key_file=path))
    return str(fault.value)


def test_a_key_that_cannot_be_used_is_one_sentence(
    tmp_path: Path, rsa_key: rsa.RSAPrivateKey
) -> None:
    path = key_file(tmp_path, rsa_key)
    path.chmod(0o644)
    assert told_of(path) == f"DKIM_KEY_FILE {path} can be read by others: run chmod 600 on it."
    assert (
        told_of(tmp_path / "none.pem")
        == f"DKIM_KEY_FILE {tmp_path / 'none.pem'} cannot be read: No such file or directory."
    )
    assert "it must be an RSA or an Ed25519 key" in told_of(
        key_file(tmp_path, ec.generate_private_key(ec.SECP256R1()))
    )
    assert "an RSA key of 1024 bits; at least 2048" in told_of(
        key_file(tmp_path, rsa.generate_private_key(65537, 1024))  # noqa: S505
    )
    path.write_bytes(path.read_bytes()[:-40])
    assert "holds no private key in PEM" in told_of(path)
