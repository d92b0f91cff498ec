"""`sealed replay` with receipts, keys and anchors: a rewritten transcript whose claims were made
anew fails against them.
"""

import copy
import email
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from adjudicator.commands.replay import command
from adjudicator.play.replay import read_transcript, replay_transcript
from adjudicator.service.views.records.log_bundle import export_bundle
from tests.harness import Harness
from tests.verifier.running import write
from tests.verifier.test_real_matches import Player


@dataclass(frozen=True)
class Played:
    """An ended match that Alice played: its bundle, and her receipts."""

    bundle: dict[str, Any]
    receipts: list[dict[str, Any]]


class Kept:
    """A copy of what Alice has, which a test may change."""

    def __init__(self, played: Played, folder: Path) -> None:
        self.folder, self.bundle, self.receipts = (
            folder,
            copy.deepcopy(played.bundle),
            copy.deepcopy(played.receipts),
        )
        self.transcript = copy.deepcopy(self.bundle["transcript"])
        self.keys = write(folder, "keys.json", self.bundle["keys"])

    def replay(self, *options: str) -> Result:
        return CliRunner().invoke(
            command, [write(self.folder, "transcript.json", self.transcript), *options]
        )

    def given(self) -> list[str]:
        return [
            word
            for number, each in enumerate(self.receipts)
            for word in ("--receipts", write(self.folder, f"r{number}.json", each))
        ]

    def rewrite(self) -> tuple[int, str]:
        """Change the first orders for which there is a receipt, and make the claims anew. Return
        their phase and seat.
        """
        body = next(
            each["receipt"]
            for each in self.receipts
            if each["receipt"]["disposition"] == "accepted" and each["parts"][0]["orders"]
        )
        entry = next(each for each in self.transcript["phases"] if each["number"] == body["phase"])
        entry["orders"][body["seat"]] = "W1" if entry["orders"].get(body["seat"]) != "W1" else "B1"
        claims = replay_transcript(read_transcript({**self.transcript, "claims": None})).output
        self.transcript["claims"] = claims
        return body["phase"], body["seat"]


@pytest.fixture(scope="module")
def played(shared_sqlite_url: str, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Play a match to its end, once for all tests of this process."""
    folder = tmp_path_factory.mktemp("played")
    with Harness(shared_sqlite_url) as harness:
        player = Player(harness, folder, seed=1)
        uid = player.play("pyramid")
        with harness.database.read_tx() as session:
            bundle = export_bundle(session, uid)
        letters = [email.message_from_bytes(path.read_bytes()) for path in player.letters]
        parts = [
            part
            for letter in letters
            for part in letter.walk()
            if part.get_filename() == "receipt.json"
        ]
        return Played(bundle, [json.loads(bytes(part.get_payload(decode=True))) for part in parts])


@pytest.fixture
def kept(played: Played, tmp_path: Path) -> Kept:
    return Kept(played, tmp_path)


def test_an_honest_transcript_agrees_with_receipts_keys_and_anchors(kept: Kept) -> None:
    anchors = write(kept.folder, "log.json", kept.bundle)
    done = kept.replay(*kept.given(), "--keys", kept.keys, "--anchors", anchors)
    assert (done.exit_code, done.stderr) == (0, "")
    fingerprint = kept.bundle["keys"]["fingerprint"]
    assert kept.replay("--receipts", anchors, "--keys", fingerprint).exit_code == 0


def test_a_rewrite_with_new_claims_fails_against_receipts(kept: Kept) -> None:
    phase, seat = kept.rewrite()
    assert kept.replay().exit_code == 0, "it agrees with itself"
    done = kept.replay(*kept.given(), "--keys", kept.keys)
    assert done.exit_code == 1
    assert (
        f"Phase {phase}: seat {seat} played other orders than those of its receipt." in done.stderr
    )


def test_other_chances_fail_against_anchors(kept: Kept) -> None:
    anchors = write(kept.folder, "anchors.json", {"public": "00" * 32, "hidden": "11" * 32})
    done = kept.replay("--anchors", anchors)
    assert done.exit_code == 1
    assert "the public chance of this file does not lead to the anchor that you gave" in done.stderr


@pytest.mark.parametrize("spoil", ["signature", "orders", "match", "fingerprint"])
def test_spoiled_evidence_is_named(kept: Kept, spoil: str) -> None:
    options, receipt = ["--keys", kept.keys], kept.receipts[0]
    if spoil == "signature":
        receipt["signature"] = "00" * 64
    elif spoil == "orders":
        receipt["parts"][0]["orders"] = "W1"
    elif spoil == "match":
        kept.transcript["match"] = "another"
    else:
        options = ["--receipts", write(kept.folder, "log.json", kept.bundle), "--keys", "00" * 32]
    done = kept.replay(*kept.given(), *options)
    named = {
        "signature": "not signed",
        "orders": "beside the receipt",
        "match": "another match",
        "fingerprint": "not the one that you gave",
    }
    assert done.exit_code == 1
    assert named[spoil] in done.stderr


def test_what_is_not_compared_is_said(kept: Kept) -> None:
    del kept.transcript["claims"]
    done = kept.replay(*kept.given())
    assert done.exit_code == 0
    assert "The receipts were not compared: their signatures need the keys" in done.stderr
    assert (
        "Not compared, because the file claims nothing about them: its beginning, its phases, its"
        " result." in done.stderr
    )


@pytest.mark.parametrize("plain", [[], {}, {"receipt": 3, "signature": "00"}, {"entries": []}])
def test_files_that_are_no_evidence_are_named(kept: Kept, plain: Any) -> None:
    strange = write(kept.folder, "strange.json", plain)
    for options in (
        ["--receipts", strange, "--keys", kept.keys],
        ["--anchors", strange],
        ["--keys", strange],
    ):
        done = kept.replay(*options)
        assert done.exit_code in (0, 1, 2) and "Traceback" not in done.output
        assert not isinstance(done.exception, Exception) or isinstance(
            done.exception, SystemExit
        ), done.exception
