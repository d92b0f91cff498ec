"""What a player sees who checks an honest match."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import verify_match
from tests.verifier.made import (
    ANCHORS,
    ORIGIN,
    H,
    Json,
    Signer,
    World,
    at,
    chain_of,
    inclusion,
    played,
    tree,
    write_letter,
)
from tests.verifier.running import broken, evidence, verify, write

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("seat", ["A", "B", "C"])
def test_an_honest_match_breaks_no_rule_for_any_of_its_players(
    seat: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world, witness = played(), Signer("witness")
    bundle = write(tmp_path, "log.json", world.bundle(witness))
    key = witness.verifier_key("witness", "log", b"\4")
    given = ["--keys", world.signer.keys["fingerprint"], "--cosigned-by", key]
    code, lines = verify(capsys, bundle, *evidence(tmp_path, world, seat), *given)
    assert [line for line in lines if line.startswith("BROKEN")] == []
    assert code == 0
    checked = {line.split()[1] for line in lines if line.startswith("ok")}
    assert checked == set(verify_match.RULES) - {"R25"}


def test_the_report_says_what_was_not_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = played()
    plain = {**world.bundle(), "checkpoint": None}
    code, lines = verify(capsys, write(tmp_path, "log.json", plain))
    missing = "\n".join(line for line in lines if line.startswith("not checked"))
    assert code == 0
    for what in (
        "--keys",
        "--receipt",
        "no letter was given",
        "no report was given",
        "no checkpoint",
        "--replay",
    ):
        assert what in missing


def test_a_running_match_says_what_its_end_will_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = running()
    code, lines = verify(
        capsys, write(tmp_path, "log.json", world.bundle()), *evidence_until(world, tmp_path, "B")
    )
    assert code == 0
    assert any("it has not ended" in line for line in lines)


def running() -> World:
    """Return the match while phase 4 is open."""
    world = played()
    del world.bodies[world.place("close", 4) :]
    world.transcript = None
    return world


def evidence_until(world: World, folder: Path, seat: str) -> list[str]:
    world.letters[seat] = world.letters[seat][:4]
    return evidence(folder, world, seat)


def test_a_match_that_was_stopped_while_a_phase_was_open_is_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = stopped()
    code, lines = verify(capsys, write(tmp_path, "log.json", world.bundle()))
    assert [line for line in lines if line.startswith("BROKEN")] == []
    assert code == 0


def stopped() -> World:
    """Return the match as if its host had stopped it in phase 4."""
    world = played()
    audit, end = world.find("audit"), world.find("end")
    del world.bodies[world.place("close", 4) : world.place("audit")]
    audit["openings"] = []
    end["stopped"] = {"after": 3, "why": "master"}
    script = world.transcript or {}
    script["phases"] = [each for each in script["phases"] if each["number"] < 4]
    script["claims"]["phases"] = script["claims"]["phases"][:3]
    script["stopped"] = script["claims"]["stopped"] = end["stopped"]
    return world


def test_a_match_that_never_began_has_only_its_genesis(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = World(bodies=played().bodies[:1])
    code, _ = verify(capsys, write(tmp_path, "log.json", world.bundle()))
    assert code == 0


def test_receipts_of_bare_words_are_read_from_reports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """B's first word has no orders and so no letter of its own. Orders may not come in this way,
    unseen by their player.
    """
    world = World(bodies=played().bodies[:5])
    world.receipt("B", 1, 1, [], 2)
    world.receipt("B", 1, 2, ["b1"], 3)
    word, orders = (
        {"body": each["receipt"], "signature": each["signature"]} for each in world.receipts
    )
    told = {"match": world.match, "head": world.head()}
    log = write(tmp_path, "log.json", world.bundle())
    code, lines = verify(
        capsys, log, "--letter", write(tmp_path, "1.json", {**told, "receipts": [word]})
    )
    assert (code, broken(lines)) == (0, set()), lines
    assert any("whether you said `ready` or `wait` at 2026-11-24T19:02" in line for line in lines)
    code, lines = verify(
        capsys, log, "--letter", write(tmp_path, "2.json", {**told, "receipts": [word, orders]})
    )
    assert (code, broken(lines)) == (1, {"R15"})


def test_receipts_are_read_from_letters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    world = played()
    own = [each for each in world.receipts if each["receipt"]["seat"] == "B"]
    letter = write_letter(tmp_path / "receipt.eml", world.letters["B"][-1], *own)
    code, lines = verify(
        capsys, write(tmp_path, "log.json", world.bundle()), "--letter", str(letter)
    )
    assert code == 0
    assert not any("no receipt was given" in line for line in lines)


def test_a_saved_seal_json_and_a_saved_bundle_are_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = played()
    seal = write(tmp_path, "seal.json", world.letters["B"][-1])
    saved = write(tmp_path, "saved.json", running().bundle())
    code, lines = verify(
        capsys, write(tmp_path, "log.json", world.bundle()), "--letter", seal, "--checkpoint", saved
    )
    assert code == 0
    assert any(line.startswith("ok") and "R22" in line for line in lines)


def test_a_checkpoint_alone_is_compared_with_the_bundles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = played().bundle()
    (tmp_path / "note.txt").write_text(bundle["checkpoint"]["note"], "utf-8")
    code, lines = verify(
        capsys, write(tmp_path, "log.json", bundle), "--checkpoint", str(tmp_path / "note.txt")
    )
    assert code == 0
    assert any("it has no proof for this match" in line for line in lines)


@pytest.mark.parametrize("word", ["host", "new"])
def test_the_key_may_change_on_the_way(
    word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The fingerprint of an older letter is as good as that of a newer one."""
    code, lines = verify(
        capsys,
        write(tmp_path, "log.json", rotated(played())),
        "--keys",
        Signer(word).keys["fingerprint"],
    )
    assert (code, [line for line in lines if line.startswith("BROKEN")]) == (0, [])


def test_a_bundle_without_the_former_keys_breaks_a_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = rotated(played())
    del bundle["former_keys"]
    code, lines = verify(capsys, write(tmp_path, "log.json", bundle))
    assert code == 1
    assert broken(lines) == {"R02", "R05", "R15", "R22"}


def ended_before(word: str) -> Json:
    """Return the bundle of a match that ended before its service changed keys; the keys of this
    word signed the change.
    """
    world, new = played(), Signer("new")
    change = Signer(word).sign(
        H("keys-change", {"former": world.signer.keys["fingerprint"], "keys": new.document})
    )
    # its keys stay
    log = {name: value for name, value in world.signer.public_log().items() if name != "signed"}
    later = {**new.keys, "signed_by_former": change}
    return {
        **world.bundle(),
        "later_keys": [later],
        "public_logs": [{**log, "signed": new.sign(H("log", log))}],
    }


def test_keys_may_change_after_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = verify(
        capsys,
        write(tmp_path, "log.json", ended_before("host")),
        "--keys",
        Signer("new").keys["fingerprint"],
    )
    assert (code, broken(lines)) == (0, set()), lines


def test_keys_that_the_former_ones_did_not_sign_break_a_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines = verify(capsys, write(tmp_path, "log.json", ended_before("new")))
    assert (code, broken(lines)) == (1, {"R02", "R22"})


def rotated(world: World) -> Json:
    """Return the bundle of a match whose service changes its keys before phase 4 opens."""
    new, former, place = Signer("new"), world.signer, world.place("open", 4)
    agreed = H("key", {"match": world.match, "index": place, "keys": new.document})
    world.bodies.insert(place, ("key", {"keys": new.document, "signed": new.sign(agreed)}))
    world.signers = {place + 1: new}
    return {**world.bundle(), "keys": new.keys, "former_keys": [former.keys]}


RESTORED_AT = "2026-11-24T19:20:00.000Z"
OTHER = {name: chain_of(f"after the restore {name}") for name in ("public", "hidden")}


class Restored:
    """The match after its service was restored from a backup that was made as phase 2 had opened,
    and what A keeps of before.

    Until the restore A had handed in orders, phase 2 had closed and A had got a report; all of that
    is lost.
    """

    def __init__(self, folder: Path) -> None:
        lost, self.world = played(), played()
        place = lost.place("deadline")
        del lost.bodies[place:], lost.receipts[4:], lost.letters["A"][2:]
        lost.add("master", by="host", what="told", time=at(7))
        lost.receipt("A", 2, 1, ["a9"], 8)
        leaves = [lost.sealed_leaf("A", 2, 1), *played().find("close", 2)["leaves"][1:]]
        counts = lost.close(2, 9, "ready", leaves)
        self.seal = {
            "match": lost.match,
            "head": lost.head(),
            "opened": [each for each in counts if each["seat"] == "A"],
        }
        self.letter = write_letter(folder / "lost.eml", self.seal)
        self.letter.write_bytes(
            self.letter.read_bytes().replace(b"20:00:00 +0000", b"19:10:00 +0000")
        )
        self.receipts = [
            write(folder, f"r{number}.json", lost.receipts[number]) for number in (0, 4)
        ]
        self.saved = write(
            folder, "saved.json", lost.bundle() | {"transcript": None, "receipts": []}
        )
        self._restore(place)

    def _restore(self, place: int) -> None:
        world = self.world
        note = Signer().note(7, bytes(range(32)))
        anchors = {name: chain[4096] for name, chain in OTHER.items()}
        world.bodies[place:place] = [
            ("restored", {"checkpoint": note, "phase": 2, "time": RESTORED_AT}),
            ("anchor", {"phase": 2, "anchors": anchors}),
        ]
        for number in range(2, 5):
            world.find("result", number)["public"] = OTHER["public"][4095 - number]
        world.find("deadline")["time"] = RESTORED_AT
        audit, chance = world.find("audit"), (world.transcript or {})["chance"]
        audit["former_chains"], audit["chains"] = (
            [audit["chains"]],
            {name: chain[0] for name, chain in OTHER.items()},
        )
        chance["former"] = [{**audit["former_chains"][0], "anchors": ANCHORS, "until": 2}]
        chance["chains"] = {**audit["chains"], "anchors": anchors}

    def bundle(self) -> Json:
        """Return the bundle; the tree of matches has begun anew as well."""
        origin = f"{ORIGIN}/2"
        plain, signer = self.world.bundle(), self.world.signer
        leaves = [bytes.fromhex(each["hash"]) for each in plain["entries"]]
        proof = {"index": len(leaves) - 1, "proof": inclusion(leaves, len(leaves) - 1)}
        plain["checkpoint"] = {
            "note": signer.note(len(leaves), tree(leaves), origin=origin),
            **proof,
        }
        plain["public_logs"] = [signer.public_log(), signer.public_log(origin)]
        return plain


def test_what_a_restore_lost_is_told_as_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    restored = Restored(tmp_path)
    receipts = [word for each in restored.receipts for word in ("--receipt", each)]
    given = [*receipts, "--letter", str(restored.letter), "--checkpoint", restored.saved]
    code, lines = verify(capsys, write(tmp_path, "log.json", restored.bundle()), *given)
    assert (code, broken(lines)) == (0, set()), lines
    told = [line for line in lines if line.endswith(f"lost by the restore of {RESTORED_AT}")]
    for what in (
        "r4.json, phase 2, seat A, submission 1",
        "lost.eml: entry",
        "lost.eml, phase 2, seat A",
        "saved.json",
    ):
        assert any(what in line for line in told), (what, lines)
    assert not any("r0.json, phase 1, seat A, submission 1: lost" in line for line in told), (
        "it is from before the backup"
    )


def test_a_restore_excuses_nothing_from_before_the_backup(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    restored = Restored(tmp_path)
    restored.world.find("close", 1)["why"] = "master"
    given = [
        "--receipt",
        restored.receipts[1],
        "--letter",
        write(tmp_path, "seal.json", played().letters["A"][1]),
    ]
    saved = write(tmp_path, "before.json", World(bodies=played().bodies[:7]).bundle())
    code, lines = verify(
        capsys, write(tmp_path, "log.json", restored.bundle()), *given, "--checkpoint", saved
    )
    assert code == 1
    assert broken(lines) >= {"R20", "R22"}, lines


def test_chance_that_begins_anew_without_a_restore_breaks_a_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    restored = Restored(tmp_path)
    del restored.world.bodies[restored.world.place("restored")]
    code, lines = verify(capsys, write(tmp_path, "log.json", restored.bundle()))
    assert code == 1
    assert "R06" in broken(lines)


@pytest.mark.parametrize("what", ["the chains before", "an anchor of its own"])
def test_chains_of_before_a_restore_are_opened_too(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    restored = Restored(tmp_path)
    audit = restored.world.find("audit")
    if what == "the chains before":
        del audit["former_chains"]
    else:
        audit["former_chains"] = [audit["chains"]]
    code, lines = verify(capsys, write(tmp_path, "log.json", restored.bundle()))
    assert (code, broken(lines)) == (1, {"R13", "R24"})


def test_it_runs_as_a_command_without_the_service(tmp_path: Path) -> None:
    alone = tmp_path / "verify_match.py"
    alone.write_text((ROOT / "verify_match.py").read_text("utf-8"), "utf-8")
    bundle = write(tmp_path, "log.json", played().bundle())
    done = subprocess.run(
        [sys.executable, "-P", str(alone), bundle],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1].startswith("All ")


def test_the_verifier_can_be_read_in_one_sitting() -> None:
    """Counted in statements, whatever the formatter makes of them."""
    tree = ast.parse((ROOT / "verify_match.py").read_text("utf-8"))
    assert _statements(tree) < 600
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    assert all(_statements(function) <= 30 for function in functions)


def _statements(tree: ast.AST) -> int:
    return sum(isinstance(node, ast.stmt) for node in ast.walk(tree)) - isinstance(tree, ast.stmt)


def test_the_verifier_imports_the_standard_library_and_ed25519_alone() -> None:
    source = (ROOT / "verify_match.py").read_text("utf-8")
    assert "adjudicator" not in source
    outside = [
        line
        for line in source.splitlines()
        if line.startswith(("import", "from")) and "cryptography" in line
    ]
    assert outside == [
        "from cryptography.exceptions import InvalidSignature",
        "from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey",
    ]


def test_verifier_keys_of_the_test_are_those_of_the_note() -> None:
    world = played()
    note = world.bundle()["checkpoint"]["note"]
    assert verify_match.is_noted(note, world.signer.verifier_key(ORIGIN, "log", b"\1"))
    assert not verify_match.is_noted(note, Signer("other").verifier_key(ORIGIN, "log", b"\1"))
