"""What a server does that can sign anything, and how a test has the verifier look for it.

A test gives the verifier what one player kept of the honest match: receipts, first letter, reports.
Then the server changes the match and signs all of it anew, with the right keys and a transcript
that agrees with the log. `docs/sealing.md` names the rules.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.verifier.made import MATCH, H, Json, World, nonce, played, root_of
from tests.verifier.running import evidence, rules, verify, write


@dataclass(frozen=True)
class Attack:
    """What a server does, the rule that must be named, and whose receipts and letters are given."""

    change: Callable[[World], None]
    rule: str
    seat: str


class Attacks(list[Attack]):
    """The attacks of one file."""

    def add(
        self, rule: str, seat: str = "B"
    ) -> Callable[[Callable[[World], None]], Callable[[World], None]]:
        """Register what the decorated function does."""

        def register(change: Callable[[World], None]) -> Callable[[World], None]:
            self.append(Attack(change, rule, seat))
            return change

        return register

    @property
    def names(self) -> list[str]:
        """The attacks as their functions are called."""
        return [each.change.__name__ for each in self]


def verify_attack(attack: Attack, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Assert that the verifier names the rule that an attack breaks."""
    world = played()
    kept = evidence(folder, world, attack.seat)
    attack.change(world)
    found = verify(capsys, write(folder, "log.json", world.bundle()), *kept)
    assert attack.rule in rules(found)["broken"], found
    assert found[0] == 1


# --- changes that agree with each other


def put_orders(world: World, phase: int, seat: str, orders: str, *, seq: int | None = None) -> None:
    """Let other orders count for a seat, everywhere: leaf, root, opening, bundle's receipts and
    transcript.
    """
    leaf, opening = world.leaf(phase, seat), world.opening(phase, seat)
    receipt = copy.deepcopy(world.receipt_of(seat, leaf["phase"], leaf["seq"]))
    opening |= {"orders": orders, "seq": seq or leaf["seq"]}
    leaf |= {"seq": opening["seq"], "commitment": world.commit(opening)}
    receipt["receipt"]["seq"] = opening["seq"]
    receipt["receipt"]["parts"][leaf["part"]]["commitment"] = leaf["commitment"]
    receipt["signature"] = world.signer.sign(H("receipt", receipt["receipt"]))
    same = (seat, leaf["phase"], opening["seq"])
    world.receipts = [
        each
        for each in world.receipts
        if tuple(each["receipt"][name] for name in ("seat", "phase", "seq")) != same
    ]
    world.receipts.append(receipt)
    reroot(world, phase)
    told = [each for each in world.find("result", phase)["orders"] if each["seat"] == seat]
    for each in told:
        each["orders"] = orders
    retell(world, phase, seat, orders)


def retell(world: World, phase: int, seat: str, orders: str | None) -> None:
    """Change the transcript's orders."""
    script = world.transcript or {}
    for told in (
        script["claims"]["phases"][phase - 1]["orders"],
        *(each["orders"] for each in script["phases"] if each["number"] == phase),
    ):
        told.pop(seat, None)
        told |= {seat: orders} if orders is not None else {}


def reroot(world: World, phase: int) -> None:
    close = world.find("close", phase)
    close["root"] = root_of(close["leaves"])


def recount(world: World, phase: int, seat: str, **changed: Json) -> None:
    """Commit to another count of receipts."""
    count = next(
        each
        for letter in world.letters[seat]
        for each in letter.get("opened", [])
        if each["phase"] == phase
    )
    of_seat = next(each for each in world.find("close", phase)["receipts"] if each["seat"] == seat)
    of_seat["receipts"] = H("receipts", {"match": MATCH, **count, **changed})


def silence(world: World) -> None:
    blind = nonce("silent B")
    blinded = H("silent", {"match": MATCH, "phase": 2, "seat": "B", "nonce": blind})
    world.find("close", 2)["leaves"][1] = {"seat": "B", "kind": "silent", "blinded": blinded}
    reroot(world, 2)
    result, audit = world.find("result", 2), world.find("audit")
    result["openings"] = result["openings"][:1]
    result["orders"].insert(0, {"seat": "B", "orders": "pass"})
    audit["silent"].append({"phase": 2, "seat": "B", "nonce": blind})
    retell(world, 2, "B", "pass")
    (world.transcript or {})["phases"][1]["orders"].pop("B")
