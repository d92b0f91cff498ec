"""Entries, keys, receipts and checkpoints that were not signed, or not by whom it seems."""

import copy
from pathlib import Path

import pytest

from tests.verifier.attacking import silence
from tests.verifier.made import (
    MATCH,
    ZEROS,
    H,
    Json,
    Signer,
    World,
    at,
    inclusion,
    nonce,
    played,
    tree,
)
from tests.verifier.running import evidence, verify, write


def found_in(
    folder: Path, capsys: pytest.CaptureFixture[str], bundle: Json, *arguments: str
) -> set[str]:
    code, lines = verify(capsys, write(folder, "log.json", bundle), *arguments)
    assert code == 1
    return {line.split()[1] for line in lines if line.startswith("BROKEN  ")}


def test_an_entry_that_was_changed_has_another_hash(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = played().bundle()
    bundle["entries"][3]["body"]["draws"] = []
    assert "R03" in found_in(tmp_path, capsys, bundle)


def test_an_entry_that_was_taken_out_breaks_the_chain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = played().bundle()
    del bundle["entries"][8]
    assert "R04" in found_in(tmp_path, capsys, bundle)


def test_an_entry_of_another_key_is_not_signed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = played()
    world.signers = {12: Signer("thief")}
    assert "R05" in found_in(tmp_path, capsys, world.bundle())


def test_keys_that_the_log_did_not_change_to_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world, thief = played(), Signer("thief")
    place = world.place("open", 2)
    signed = thief.sign(H("key", {"match": MATCH, "index": place, "keys": thief.document}))
    world.bodies.insert(place, ("key", {"keys": thief.document, "signed": signed}))
    world.signers = {place: thief}
    bundle = {**world.bundle(), "keys": thief.keys, "former_keys": [world.signer.keys]}
    assert "R05" in found_in(tmp_path, capsys, bundle)


def test_new_keys_that_did_not_agree_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world, new = played(), Signer("new")
    place = world.place("open", 2)
    world.bodies.insert(
        place, ("key", {"keys": new.document, "signed": world.signer.sign(nonce("else"))})
    )
    world.signers = {place + 1: new}
    bundle = {**world.bundle(), "keys": new.keys, "former_keys": [world.signer.keys]}
    assert "R05" in found_in(tmp_path, capsys, bundle)


def test_keys_that_are_not_the_known_ones_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world, known = played(), Signer().keys["fingerprint"]
    world.signer = Signer("thief")
    assert found_in(tmp_path, capsys, world.bundle(), "--keys", known) >= {"R02", "R15"}


def test_a_fingerprint_of_other_keys_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = played().bundle()
    bundle["keys"]["inbox"] = "33" * 32
    assert "R02" in found_in(tmp_path, capsys, bundle)


def test_a_receipt_that_nobody_signed_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = played()
    receipt = copy.deepcopy(world.receipt_of("B", 2, 1))
    receipt["receipt"]["seq"] = 7
    assert found_in(
        tmp_path, capsys, world.bundle(), "--receipt", write(tmp_path, "r.json", receipt)
    ) == {"R15"}


def test_a_receipt_beside_other_orders_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = played()
    receipt = copy.deepcopy(world.receipt_of("B", 2, 1))
    receipt["parts"][0]["orders"] = "b9"
    assert found_in(
        tmp_path, capsys, world.bundle(), "--receipt", write(tmp_path, "r.json", receipt)
    ) == {"R15"}


@pytest.mark.parametrize("prev", ["fork", "beginning"])
def test_receipts_that_fork_are_named(
    prev: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A server that gave a player two histories of his own orders signed both."""
    world = played()
    forked = copy.deepcopy(world.receipt_of("B", 4, 1))
    if prev == "beginning":
        forked["receipt"]["prev"] = ZEROS
    forked["receipt"] |= {"seq": 2, "time": at(38)}
    forked["signature"] = world.signer.sign(H("receipt", forked["receipt"]))
    arguments = [
        *evidence(tmp_path, world, "B"),
        "--receipt",
        write(tmp_path, "forked.json", forked),
    ]
    assert "R16" in found_in(tmp_path, capsys, world.bundle(), *arguments)


def test_a_checkpoint_of_a_tree_without_the_match_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = played()
    leaves = [bytes.fromhex(nonce("other", number)) for number in range(9)]
    bundle = world.bundle()
    bundle["checkpoint"] = {
        "note": world.signer.note(9, tree(leaves)),
        "index": 8,
        "proof": inclusion(leaves, 8),
    }
    assert found_in(tmp_path, capsys, bundle) == {"R22"}


def test_a_checkpoint_that_another_key_signed_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = played()
    bundle = world.bundle()
    bundle["checkpoint"] = played_by("thief").bundle()["checkpoint"]
    assert "R22" in found_in(tmp_path, capsys, bundle)


def played_by(word: str) -> World:
    world = played()
    world.signer = Signer(word)
    return world


def test_a_log_that_is_not_the_one_of_a_saved_checkpoint_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = played()
    saved = write(tmp_path, "saved.json", world.bundle())
    silence(world)
    assert found_in(tmp_path, capsys, world.bundle(), "--checkpoint", saved) == {"R22"}


def test_two_checkpoints_of_one_size_are_a_fork(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = played()
    bundle = world.bundle()
    size = int(bundle["checkpoint"]["note"].splitlines()[1])
    (tmp_path / "saved.txt").write_text(world.signer.note(size, bytes(32)), "utf-8")
    assert found_in(tmp_path, capsys, bundle, "--checkpoint", str(tmp_path / "saved.txt")) == {
        "R22"
    }


def test_a_witness_that_did_not_cosign_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    witness, thief = Signer("witness"), Signer("thief")
    key = witness.verifier_key("witness", "log", b"\4")
    thief.word = "witness"  # another key under the name
    other = Signer("other")
    assert found_in(tmp_path, capsys, played().bundle(), "--cosigned-by", key) == {"R23"}
    assert found_in(tmp_path, capsys, played().bundle(other), "--cosigned-by", key) == {"R23"}
    assert found_in(tmp_path, capsys, played().bundle(other), "--cosigned-by", "no+key") == {"R23"}
