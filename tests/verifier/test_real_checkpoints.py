"""Checkpoints, cosignatures, rotations and salts of the real service, as the verifier sees them in
its bundles (R02, R14, R22, R23).
"""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.jcs import H
from adjudicator.seal import crypto
from adjudicator.service.checkpoints import growing
from adjudicator.service.log import salts
from adjudicator.service.matches import masters
from adjudicator.service.upkeep import rotation
from adjudicator.service.views.records.log_bundle import export_bundle
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness
from tests.service.logs import Installation, checkpoint, grow, installation, public_log
from tests.service.test_witnesses import asks
from tests.verifier.made import inclusion, tree
from tests.verifier.running import broken, verify, write


@pytest.fixture
def two(tmp_path: Path) -> tuple[Installation, Installation]:
    """Two installations; the second witnesses the first."""
    one, other = installation(tmp_path, "a.example"), installation(tmp_path, "b.example")
    one.configure(witnesses=other.entry)
    other.configure(witness_for=public_log(one).log_key)
    return one, other


def played(one: Harness) -> str:
    """Play a round of a match beside another match; return its uid."""
    one.match(BOB)
    uid = one.match(ALICE, BOB, CHARLIE)
    one.round(uid, [(ALICE, "B3"), (BOB, "B2"), (CHARLIE, "W2")])
    return uid


def export(one: Harness, uid: str) -> Any:
    with one.database.read_tx() as session:
        return json.loads(json.dumps(export_bundle(session, uid)))


def check(
    folder: Path, capsys: pytest.CaptureFixture[str], bundle: Any, *arguments: str
) -> tuple[int, set[str], str]:
    code, lines = verify(capsys, write(folder, "log.json", bundle), *arguments)
    return code, broken(lines), "\n".join(lines)


def test_the_tree_that_the_worker_grows_proves_a_match(
    two: tuple[Installation, Installation], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = two
    uid = played(one)
    before = export(one, uid)
    assert "there is no checkpoint" in check(tmp_path, capsys, before)[2]
    grow(one)
    assert one.collect(asks(other)) == 1
    bundle = export(one, uid)
    given = [
        "--cosigned-by",
        public_log(other).witness_key,
        "--keys",
        one.keyring.public.fingerprint,
    ]
    code, wrong, told = check(tmp_path, capsys, bundle, *given)
    assert (code, wrong) == (0, set()), told
    assert "ok           R22" in told and "ok           R23" in told


def test_a_witness_that_cosigned_nothing_is_named(
    two: tuple[Installation, Installation], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = two
    uid = played(one)
    grow(one)
    assert check(
        tmp_path, capsys, export(one, uid), "--cosigned-by", public_log(other).witness_key
    )[:2] == (1, {"R23"})


def test_a_note_and_a_bundle_that_somebody_saved_prove_a_longer_log(
    two: tuple[Installation, Installation], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, _ = two
    uid = played(one)
    grow(one)
    saved, note = write(tmp_path, "saved.json", export(one, uid)), tmp_path / "checkpoint.txt"
    note.write_text(checkpoint(one).note, "utf-8")
    one.round(uid, [(ALICE, "B2"), (BOB, "B3"), (CHARLIE, "W1")])
    grow(one)
    code, wrong, told = check(
        tmp_path, capsys, export(one, uid), "--checkpoint", saved, "--checkpoint", str(note)
    )
    assert (code, wrong) == (0, set()), told
    assert (
        "saved.json: entries after" in told
        and "checkpoint.txt: it has no proof for this match" in told
    )


@pytest.mark.parametrize("what", ["the log's key", "its signature", "its origin", "no keys"])
def test_keys_of_the_tree_that_the_service_did_not_publish_are_named(
    what: str,
    two: tuple[Installation, Installation],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A site that has taken over the tree alone does not have the signing key."""
    one, other = two
    uid = played(one)
    grow(one)
    bundle = export(one, uid)
    [published] = bundle["public_logs"]
    if what == "the log's key":
        published["log"] = public_log(other).log_key
    elif what == "its signature":
        published["signed"] = "00" * 64
    elif what == "its origin":
        published["origin"] = "other.example/log"
    else:
        bundle["public_logs"] = []
    assert check(tmp_path, capsys, bundle)[:2] == (1, {"R22"})


def test_a_tree_of_another_history_that_the_service_signed_is_a_fork(
    two: tuple[Installation, Installation], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, _ = two
    uid = played(one)
    kept = grow(one)
    bundle, log = export(one, uid), public_log(one)
    head = bytes.fromhex(bundle["entries"][-1]["hash"])
    leaves = [bytes(32)] * (kept.head.size - 1) + [head]
    text = f"{log.origin}\n{kept.head.size}\n{b64encode(tree(leaves)).decode()}\n"
    note = f"{text}\n{growing.log_signer(one.keyring, log).sign(text)}"
    forked = bundle | {
        "checkpoint": {
            "note": note,
            "index": len(leaves) - 1,
            "proof": inclusion(leaves, len(leaves) - 1),
        }
    }
    assert check(tmp_path, capsys, forked)[:2] == (0, set()), "alone it agrees with itself"
    assert check(tmp_path, capsys, forked, "--checkpoint", write(tmp_path, "saved.json", bundle))[
        :2
    ] == (1, {"R22"})


def test_what_the_service_serves_about_its_log_is_what_bundles_have(
    two: tuple[Installation, Installation],
) -> None:
    one, _ = two
    log, [told] = public_log(one), export(one, played(one))["public_logs"]
    assert told == {
        "origin": "a.example/log",
        "log": log.log_key,
        "witness": log.witness_key,
        "signed": log.signature.hex(),
    }
    digest = H("log", {name: told[name] for name in ("origin", "log", "witness")})
    assert one.keyring.sign(digest).hex() == told["signed"]


def test_an_ended_match_leads_to_the_keys_of_now(
    sqlite_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "keys" / "worker.key"
    with Harness(sqlite_url, crypto.ensure_key_file(file)) as harness:
        growing.begin_log(harness.database, harness.keyring, "a.example/log", now=harness.now)
        ended, running = played(harness), played(harness)
        masters.end_match(harness.database, ended, None, "It is late", now=harness.now)
        assert harness.close(ended)
        first = harness.keyring.public.fingerprint
        rotation.rotate_keys(harness.database, file, now=lambda: harness.now)
        harness.keyring = crypto.load_key_file(file)
        harness.round(running, [(ALICE, "B2"), (BOB, "B3"), (CHARLIE, "W1")])
        grow(harness)
        for uid, name in ((ended, "later_keys"), (running, "former_keys")):
            bundle = export(harness, uid)
            assert {"former_keys", "later_keys"} & bundle.keys() == {name}
            for fingerprint in (first, harness.keyring.public.fingerprint):
                code, wrong, told = check(tmp_path, capsys, bundle, "--keys", fingerprint)
                assert (code, wrong) == (0, set()), told


def test_salts_that_players_gave_are_bound_to_the_chance(
    two: tuple[Installation, Installation], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, _ = two
    uid = one.match(ALICE, BOB, CHARLIE)
    for who, words in ((ALICE, "three red cars"), (BOB, "7:5")):
        salts.give_salt(one.database, uid, one.player(who), words, now=one.now)
    for pieces in (("B3", "B2", "W2"), ("B2", "B3", "W1")):
        one.round(uid, list(zip((ALICE, BOB, CHARLIE), pieces, strict=True)))
    masters.end_match(one.database, uid, None, "It is late", now=one.now)
    assert one.close(uid)
    bundle = export(one, uid)
    assert [entry["body"]["salts"] for entry in bundle["entries"] if entry["type"] == "open"][
        2
    ] == ["7:5", "three red cars"]
    code, wrong, told = check(tmp_path, capsys, bundle)
    assert (code, wrong) == (0, set()), told
    del bundle["transcript"]["phases"][1]["clients"]
    assert check(tmp_path, capsys, bundle)[:2] == (1, {"R24"})
