"""The keys are rotated beside a running service: its processes follow, and what players keep
verifies before and after.
"""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hosting.service import ROOT, Service, run_service
from tests.hosting.test_check import sealed
from tests.hosting.visitor import Visitor
from tests.waiting import LIMIT


def check_match(
    service: Service, uid: str, visitor: Visitor, folder: Path, fingerprint: str
) -> str:
    """Check a match with the stand-alone verifier and all letters of a player; return what it
    printed.
    """
    (folder / "log.json").write_text(visitor.get(f"/matches/{uid}/log.json"), "utf-8")
    words = [str(folder / "log.json"), "--keys", fingerprint]
    for number, letter in enumerate(
        each for each in visitor.letters("") if each["Sealed-Head"] and uid in each["Sealed-Head"]
    ):
        kept = folder / f"{number}.eml"
        kept.write_bytes(letter.as_bytes())
        words += ["--letter", str(kept)]
    done = subprocess.run(
        [sys.executable, str(ROOT / "verify_match.py"), *words],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def published(service: Service) -> dict[str, object]:
    found: dict[str, object] = json.loads(service.get("/.well-known/sealed-keys.json"))
    return found


@pytest.mark.parametrize("point", ["keys.in_batch"])
@pytest.mark.nightly
def test_a_running_service_follows_a_rotation_that_was_killed_and_run_again(
    point: str, database_url: str, tmp_path: Path
) -> None:
    environ = {"DATABASE_URL": database_url, "DATA_DIR": str(tmp_path / "var")}
    with run_service(
        tmp_path / "var", "serve", PYTHONPATH=str(ROOT), DATABASE_URL=database_url
    ) as service:
        alice = Visitor(service, "alice@example.org")
        alice.sign_in()
        uid = alice.play_bots("Two Keys")
        alice.post(f"/matches/{uid}/orders", phase="1", text="B3")
        alice.until(uid, "You owe orders for Round 2")
        report = alice.letter("Round 2: you owe orders")
        alice.post(f"/matches/{uid}/orders", phase="2", text="B2", says="wait")
        before = published(service)

        assert (
            sealed("keys", "rotate", **environ, SEALED_CRASH_AT=point).returncode == -signal.SIGKILL
        )
        told = sealed("keys", "rotate", **environ)
        assert told.returncode == 0 and "cut short" in told.stdout, told.stdout + told.stderr
        after = published(service)
        assert (
            after["fingerprint"] != before["fingerprint"]
            and str(after["fingerprint"]) in told.stdout
        )
        assert [each["fingerprint"] for each in after["former_keys"]] == [before["fingerprint"]]  # type: ignore[attr-defined]

        alice.answer(report, "ready\n")
        alice.until(uid, "You owe orders for Round 3")
        alice.get(f"/matches/{uid}")
        alice.post(f"/matches/{uid}/orders", phase="3", text="B1")
        alice.until(uid, "You owe orders for Round 4")
        alice.answer(alice.letter("Round 4: you owe orders"), "W3\n")
        alice.until(uid, "You owe orders for Round 5")
        bob = Visitor(service, "bob@example.org")
        bob.sign_in()
        assert str(after["fingerprint"]) in check_letters(alice), "letters name the new keys"
        for keys in (before, after):
            told_by_it = check_match(service, uid, alice, tmp_path, str(keys["fingerprint"]))
            assert (
                "ok           R05" in told_by_it
                and "signatures from before the keys changed" not in told_by_it
            )
    done = sealed("check", **environ)
    assert (
        f"its fingerprint is {after['fingerprint']}" in done.stdout
        and "rotation" not in done.stdout
    )


def check_letters(visitor: Visitor) -> str:
    """Return the newest report's text, without breaks."""
    return "".join(visitor.letter("Round 5").get_body(("plain",)).get_content().split())  # type: ignore[union-attr]
