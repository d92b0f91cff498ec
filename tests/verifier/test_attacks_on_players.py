"""A server that exchanges orders, receipts or history, and signs all anew: one player’s receipts
and letters find it.
"""

from pathlib import Path

import pytest

from tests.verifier.attacking import (
    Attack,
    Attacks,
    put_orders,
    recount,
    reroot,
    retell,
    silence,
    verify_attack,
)
from tests.verifier.made import CHAINS, SEATS, H, Signer, World, at, chain_of, nonce

ATTACKS = Attacks()


# --- other orders than a player gave


@ATTACKS.add("R17")
def puts_other_orders_in_a_players_place(world: World) -> None:
    put_orders(world, 2, "B", "b9")


@ATTACKS.add("R17")
def puts_other_orders_beside_alternatives(world: World) -> None:
    put_orders(world, 4, "B", "b9")


@ATTACKS.add("R17")
def rolls_a_player_back_to_earlier_orders(world: World) -> None:
    world.find("close", 1)["leaves"][1] = world.sealed_leaf("B", 1, 1)
    world.find("result", 1)["openings"][1] = world.opening_of(world.leaf(1, "B"))
    reroot(world, 1)
    retell(world, 1, "B", "b0")


@ATTACKS.add("R17")
def enters_later_orders_for_a_player(world: World) -> None:
    put_orders(world, 2, "B", "b9", seq=2)


@ATTACKS.add("R18")
def enters_later_orders_for_a_player_and_counts_them(world: World) -> None:
    put_orders(world, 2, "B", "b9", seq=2)
    newest = next(
        each["receipt"]
        for each in world.receipts
        if each["receipt"]["seq"] == 2 and each["receipt"]["phase"] == 2
    )
    recount(world, 2, "B", count=4, head=H("receipt", newest))


@ATTACKS.add("R18", "C")
def enters_orders_for_a_player_who_gave_none(world: World) -> None:
    world.receipt("C", 2, 1, ["c9"], 9)
    world.find("close", 2)["leaves"][2] = world.sealed_leaf("C", 2, 1)
    reroot(world, 2)
    result, audit = world.find("result", 2), world.find("audit")
    result["openings"].append(world.opening_of(world.leaf(2, "C")))
    result["orders"], audit["silent"] = [], []
    retell(world, 2, "C", "c9")


@ATTACKS.add("R17")
def says_that_a_player_was_silent(world: World) -> None:
    silence(world)


@ATTACKS.add("R17")
def says_that_a_players_orders_were_forced(world: World) -> None:
    close, result = world.find("close", 2), world.find("result", 2)
    close |= {
        "why": "forced",
        "leaves": [{"seat": seat, "kind": "forced", "orders": "pass"} for seat in SEATS],
    }
    reroot(world, 2)
    result |= {"openings": [], "orders": [{"seat": seat, "orders": "pass"} for seat in SEATS]}
    world.find("audit")["silent"] = []
    for seat in SEATS:
        retell(world, 2, seat, "pass")
    script = world.transcript or {}
    script["phases"] = [each for each in script["phases"] if each["number"] != 2]


@ATTACKS.add("R17", "A")
def follows_another_plan(world: World) -> None:
    put_orders(world, 2, "A", "a9")


@ATTACKS.add("R17", "A")
def follows_a_plan_instead_of_newer_orders(world: World) -> None:
    world.receipt_of("A", 1, 1)["parts"].append(
        world.receipt_of("A", 1, 1)["parts"][1] | {"part": 2}
    )
    world.find("close", 4)["leaves"][0] |= {"phase": 1, "seq": 1, "part": 1}


@ATTACKS.add("R17")
def exchanges_two_players_orders(world: World) -> None:
    put_orders(world, 2, "B", "a2")
    put_orders(world, 2, "A", "b2")


@ATTACKS.add("R17", "A")
def counts_a_refused_submission(world: World) -> None:
    world.receipt_of("A", 4, 1)["receipt"]["disposition"] = "accepted"
    world.find("close", 4)["leaves"][0] = world.sealed_leaf("A", 4, 1)
    reroot(world, 4)
    world.find("result", 4)["openings"][0] = world.opening_of(world.leaf(4, "A"))
    retell(world, 4, "A", "x")


@ATTACKS.add("R18")
def hides_that_a_receipt_was_given(world: World) -> None:
    recount(world, 4, "B", count=2)


@ATTACKS.add("R18")
def counts_a_receipt_that_was_never_sent(world: World) -> None:
    recount(world, 4, "B", count=5, head=nonce("never sent"))


@ATTACKS.add("R16")
def shows_another_receipt_of_the_same_submission(world: World) -> None:
    receipt = world.receipt_of("B", 2, 1)
    receipt["receipt"]["time"] = at(9)
    receipt["signature"] = world.signer.sign(H("receipt", receipt["receipt"]))


# --- another history


@ATTACKS.add("R20")
def draws_again_until_it_likes_the_draw(world: World) -> None:
    world.find("result", 4)["draws"] = [["roll", 6]]
    (world.transcript or {})["claims"]["phases"][3]["draws"][1] = ["public", "roll", 6]


@ATTACKS.add("R20")
def shortens_the_log(world: World) -> None:
    del world.bodies[world.place("audit") :]
    world.transcript = None


@ATTACKS.add("R19")
def drops_an_entry_that_a_receipt_names(world: World) -> None:
    del world.bodies[world.place("deadline")]


@ATTACKS.add("R19")
def closes_before_it_says_that_it_took_orders(world: World) -> None:
    receipt = world.receipt_of("B", 2, 1)
    first, last = world.place("close", 2), world.place("open", 2)
    assert receipt["receipt"]["head"] == world.entries()[first - 1]["hash"]
    world.bodies.insert(last + 1, world.bodies.pop(first))


@ATTACKS.add("R21")
def exchanges_the_chains_before_the_first_orders(world: World) -> None:
    other = {name: chain_of(f"other {name}") for name in CHAINS}
    anchors, firsts = ({name: chain[place] for name, chain in other.items()} for place in (4096, 0))
    world.find("genesis")["anchors"] = anchors
    world.find("audit")["chains"] = firsts
    (world.transcript or {})["chance"]["chains"] = {**firsts, "anchors": anchors}
    for phase in range(5):
        world.find("result", phase)["public"] = other["public"][4095 - phase]


@ATTACKS.add("R21")
def changes_the_options_after_the_first_letters(world: World) -> None:
    world.find("open", 0)["options"]["red"] = True


@ATTACKS.add("R21")
def founds_the_match_anew(world: World) -> None:
    world.find("genesis")["game"] = "other"


@ATTACKS.add("R21")
def seats_somebody_else(world: World) -> None:
    world.find("open", 0)["tenures"][1]["tenure"] = nonce("somebody else")


@ATTACKS.add("R20")
def gives_the_match_another_name(world: World) -> None:
    world.match = "k3v9other"
    world.find("genesis")["match"] = world.match


@ATTACKS.add("R15")
def signs_with_other_keys(world: World) -> None:
    world.signer = Signer("thief")


@ATTACKS.add("R16", "C")
def takes_back_that_a_seat_changed_hands(world: World) -> None:
    del world.bodies[world.place("tenure")]


@pytest.mark.parametrize("attack", ATTACKS, ids=ATTACKS.names)
def test_the_verifier_names_the_rule(
    attack: Attack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verify_attack(attack, tmp_path, capsys)
