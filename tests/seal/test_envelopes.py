"""Boxes, the key file, commitments and receipts: what opens, what does not, and the published test
vectors.
"""

import json
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.seal import commitments as envelopes
from adjudicator.seal import crypto
from adjudicator.seal.commitments import (
    Contents,
    Place,
    commit_parts,
    commitment,
    receipt_body,
    receipt_hash,
)
from adjudicator.seal.crypto import CannotOpen, KeyFileError, PublicKeys

VECTORS = json.loads((Path(__file__).parent.parent / "data" / "seal1.json").read_text())
PLACE = Place("m7", 3, "Red", 2)


@given(st.binary(max_size=2000), st.binary(max_size=40))
def test_a_box_opens_with_its_key_and_what_it_is_bound_to(text: bytes, bound: bytes) -> None:
    private, public = crypto.new_pair()
    assert crypto.unseal(private, crypto.seal(public, text, bound_to=bound), bound_to=bound) == text


@pytest.mark.parametrize("spoil", ["key", "binding", "first byte", "last byte", "cut", "empty"])
def test_anything_else_does_not_open(spoil: str) -> None:
    private, public = crypto.new_pair()
    box = crypto.seal(public, b"B3", bound_to=b"here")
    if spoil == "key":
        private = crypto.new_pair()[0]
    spoiled = {
        "first byte": bytes([box[0] ^ 1]) + box[1:],
        "last byte": box[:-1] + bytes([box[-1] ^ 1]),
        "cut": box[:50],
        "empty": b"",
    }
    with pytest.raises(CannotOpen):
        crypto.unseal(
            private, spoiled.get(spoil, box), bound_to=b"there" if spoil == "binding" else b"here"
        )


def test_a_box_tells_little_of_its_length() -> None:
    _, public = crypto.new_pair()
    lengths = {len(crypto.seal(public, bytes(length), bound_to=b"")) for length in range(0, 508)}
    assert len(lengths) == 1


def test_an_envelope_opens_only_in_its_own_place(tmp_path: Path) -> None:
    private, public = crypto.new_pair()
    parts = commit_parts(PLACE, ["B3", "W2 OR W1"], ready=True)
    sealed = envelopes.seal_contents(public, PLACE, Contents(parts, ("foo",)))
    commitments = [part.commitment for part in parts]
    assert envelopes.open_contents(private, PLACE, commitments, sealed) == Contents(parts, ("foo",))
    for place, bound in ((Place("m7", 3, "Blue", 2), commitments), (PLACE, commitments[::-1])):
        with pytest.raises(CannotOpen):
            envelopes.open_contents(private, place, bound, sealed)


def test_a_commitment_binds_every_word_and_its_place() -> None:
    given_ = {"part": 0, "orders": "B3", "ready": True, "nonce": "00" * 32}
    whole = commitment(PLACE, **given_)  # type: ignore[arg-type]
    others = [
        commitment(Place("m8", 3, "Red", 2), **given_),  # type: ignore[arg-type]
        commitment(Place("m7", 4, "Red", 2), **given_),  # type: ignore[arg-type]
        commitment(Place("m7", 3, "Blue", 2), **given_),  # type: ignore[arg-type]
        commitment(Place("m7", 3, "Red", 3), **given_),  # type: ignore[arg-type]
        *(
            commitment(PLACE, **given_ | change)
            for change in ({"part": 1}, {"orders": "B2"}, {"ready": False}, {"nonce": "01" * 32})
        ),  # type: ignore[arg-type]
    ]
    assert len({whole, *others}) == 9


def test_each_part_has_a_nonce_of_its_own() -> None:
    parts = commit_parts(PLACE, ["B3", "B3", "B3"], ready=False)
    assert len({part.nonce for part in parts}) == 3 and all(len(part.nonce) == 64 for part in parts)


def test_the_key_file_is_made_once_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "worker.key"
    first = crypto.ensure_key_file(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert crypto.ensure_key_file(path).public == first.public
    assert PublicKeys.of(first.public.document) == first.public
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        ("mode", "read by others"),
        ("text", "damaged"),
        ("bytes", "damaged"),
        ("short", "damaged"),
        ("gone", "cannot be read"),
    ],
)
def test_a_key_file_that_cannot_be_used_is_told_in_a_sentence(
    tmp_path: Path, spoil: str, says: str
) -> None:
    path = tmp_path / "worker.key"
    crypto.ensure_key_file(path)
    short = json.dumps({"signing": "00", "wrapping": "00", "inbox": "00"})
    spoils = {"text": b"{}", "bytes": b"\xff\xfe\x00", "short": short.encode()}
    if spoil in spoils:
        path.write_bytes(spoils[spoil])
    else:
        {"mode": lambda: path.chmod(0o644), "gone": path.unlink}[spoil]()
    with pytest.raises(KeyFileError, match=says):
        crypto.load_key_file(path)


def test_a_keyring_never_shows_itself() -> None:
    assert "0" * 8 not in repr(crypto.Keyring(bytes(32), bytes(32), bytes(32), bytes(32)))


def test_a_signature_is_over_the_hash_and_nothing_else(tmp_path: Path) -> None:
    keyring = crypto.ensure_key_file(tmp_path / "worker.key")
    signature = keyring.sign(bytes(32))
    crypto.verify_signature(keyring.public.signing, bytes(32), signature)
    with pytest.raises(InvalidSignature):
        crypto.verify_signature(keyring.public.signing, bytes(31) + b"1", signature)


def test_published_vectors_of_commitments_receipts_and_keys() -> None:
    for vector in VECTORS["commitments"]:
        assert commitment(Place(*vector["place"]), **vector["bound"]) == vector["commitment"]
    receipt = VECTORS["receipt"]
    at = datetime(2026, 11, 24, 19, 0, tzinfo=UTC)
    body = receipt_body(
        PLACE, channel="form", at=at, disposition="accepted", commitments=[(0, "aa" * 32)]
    )
    assert body == receipt["body"] and receipt_hash(body).hex() == receipt["hash"]
    keys = PublicKeys.of(VECTORS["keys"]["document"])
    assert keys.fingerprint == VECTORS["keys"]["fingerprint"]
    crypto.verify_signature(
        keys.signing, bytes.fromhex(receipt["hash"]), bytes.fromhex(receipt["signature"])
    )
