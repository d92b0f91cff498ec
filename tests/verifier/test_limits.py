"""What no rule finds, as docs/sealing.md says. Each test shows a server that does it, and that
everybody's evidence breaks no rule.
"""

from pathlib import Path

import pytest

from tests.verifier.attacking import silence
from tests.verifier.made import CHAINS, H, World, chain_of, played
from tests.verifier.running import broken, evidence, verify, write


def check(folder: Path, capsys: pytest.CaptureFixture[str], world: World) -> tuple[int, set[str]]:
    """Check a match with the receipts, first letters and reports that all its players have."""
    given: list[str] = []
    for seat in "ABC":
        (folder / seat).mkdir(exist_ok=True)
        given += evidence(folder / seat, world, seat)
    code, lines = verify(capsys, write(folder, "log.json", world.bundle()), *given)
    return code, broken(lines)


HOLDS: tuple[int, set[str]] = (0, set())


def test_orders_that_an_accomplice_seals_late_are_not_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The host reads A's and B's orders a minute before the close, tells C, and C seals the answer
    to them in time.
    """
    world = played(last=("the answer to a4 and b4", 39))
    others = [
        world.receipt_of(seat, 4, seq)["receipt"]["time"] for seat, seq in (("A", 2), ("B", 1))
    ]
    assert (
        max(others)
        < world.receipt_of("C", 4, 1)["receipt"]["time"]
        < world.find("close", 4)["time"]
    )
    assert check(tmp_path, capsys, world) == HOLDS


def test_orders_that_a_host_enters_for_a_seat_it_plays_itself_are_not_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who the players are is blinded. To others the host's own seat looks like any seat, whenever
    it sealed its orders.
    """
    world = played(last=("the answer to a4 and b4", 40))
    assert world.receipt_of("C", 4, 1)["receipt"]["time"] == world.find("close", 4)["time"]
    assert check(tmp_path, capsys, world) == HOLDS


def test_a_receipt_that_was_refused_is_not_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """B handed in orders and got no receipt; without one they look like orders that never came."""
    world = played(refused=True)
    assert world.leaf(2, "B")["kind"] == "silent"
    assert check(tmp_path, capsys, world) == HOLDS


def test_a_receipt_that_was_given_cannot_be_taken_back_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The limit ends where the receipt is in B's hands."""
    world = played()
    silence(world)
    code, wrong = check(tmp_path, capsys, world)
    assert code == 1 and "R17" in wrong


def test_orders_that_were_read_early_leave_no_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The holder of the key opens orders as they arrive. Nothing that anybody gets depends on it:
    the bytes are the same.
    """
    honest, world = played(), played()
    read = [part["orders"] for each in world.receipts for part in each["parts"]]
    assert (
        "b4 OR b5" in read and world.bundle() == honest.bundle() and world.letters == honest.letters
    )
    assert check(tmp_path, capsys, world) == HOLDS


def test_dice_that_a_host_knew_before_anybody_are_not_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A host draws chains until it likes its first die, and then founds the match. Afterwards it is
    as bound to them as anybody.
    """
    public = next(
        chain
        for chain in (chain_of(f"try {number}") for number in range(50))
        if int(H("die", chain[4094])[:8], 16) % 6 == 5
    )
    assert (
        check(tmp_path, capsys, played(chains={"public": public, "hidden": CHAINS["hidden"]}))
        == HOLDS
    )


def test_a_restore_that_a_host_pretends_is_told_and_not_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What players keep from the time that it calls lost is told as lost. The entry itself is there
    for all to see.
    """
    kept, world = evidence(tmp_path, played(), "B")[:6], played(refused=True)
    place, time = world.place("close", 2), "2026-11-24T19:31:00.000Z"
    anchors = {name: chain_of(f"new {name}") for name in CHAINS}
    ends = {name: chain[4096] for name, chain in anchors.items()}
    world.bodies[place:place] = [
        ("restored", {"checkpoint": "", "time": time, "phase": 2}),
        ("anchor", {"phase": 2, "anchors": ends}),
    ]
    for phase in (2, 3, 4):
        world.find("result", phase)["public"] = anchors["public"][4095 - phase]
    audit, chance = world.find("audit"), (world.transcript or {})["chance"]
    audit |= {
        "former_chains": [audit["chains"]],
        "chains": {name: chain[0] for name, chain in anchors.items()},
    }
    chance |= {"former": [{**audit["former_chains"][0], "anchors": world.ends(4096), "until": 2}]}
    chance |= {"chains": {**audit["chains"], "anchors": ends}}
    code, lines = verify(capsys, write(tmp_path, "log.json", world.bundle()), *kept)
    assert (code, broken(lines)) == HOLDS, lines
    assert any(f"lost by the restore of {time}" in line for line in lines)
