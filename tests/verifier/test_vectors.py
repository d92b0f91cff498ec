"""The published vectors of the log: the service, the verifier and a few lines of a test get the
same bytes.
"""

import json
from pathlib import Path

import pytest

import verify_match
from adjudicator.core import jcs
from adjudicator.seal import log
from adjudicator.seal.commitments import receipt_hash
from adjudicator.seal.crypto import Keyring
from tests.verifier.running import verify, write

VECTORS = json.loads((Path(__file__).parent.parent / "data" / "seal1.json").read_text("utf-8"))[
    "log"
]
KEYS = Keyring(signing=b"\1" * 32, wrapping=b"\2" * 32, inbox=b"\2" * 32, auth=b"\2" * 32)


@pytest.mark.parametrize("name", ["entry", "close"])
def test_an_entry_has_this_hash_and_this_signature(name: str) -> None:
    entry = VECTORS[name]
    bound = {part: entry[part] for part in ("index", "prev", "type", "body")}
    assert jcs.H("entry", bound).hex() == entry["hash"] == verify_match.H("entry", bound)
    assert KEYS.sign(bytes.fromhex(entry["hash"])).hex() == entry["sig"]


def test_the_leaves_of_a_close_have_this_root() -> None:
    body = VECTORS["close"]["body"]
    leaves = [verify_match.jcs(leaf) for leaf in body["leaves"]]
    assert log.hash_leaves(body["leaves"]) == body["root"] == verify_match.tree_root(leaves).hex()


def test_a_receipt_in_a_chain_has_this_hash_and_this_signature() -> None:
    receipt = VECTORS["receipt"]
    digest = receipt_hash(receipt["body"])
    assert digest.hex() == receipt["hash"] == verify_match.H("receipt", receipt["body"])
    assert KEYS.sign(digest).hex() == receipt["signature"]


def test_the_bundle_breaks_no_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = verify(capsys, write(tmp_path, "log.json", VECTORS["bundle"]))
    assert (code, lines[-1][:4]) == (0, "All "), lines
