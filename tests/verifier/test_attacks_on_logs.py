"""A server whose log or transcript disagrees with itself is found, with no evidence but the log."""

from pathlib import Path

import pytest

from tests.verifier import test_attacks_on_players
from tests.verifier.attacking import Attack, Attacks, reroot, retell, verify_attack
from tests.verifier.made import CHAINS, H, World, at, chain_of, nonce

ATTACKS = Attacks()


@ATTACKS.add("R07")
def leaves_out_a_leaf(world: World) -> None:
    world.find("close", 2)["leaves"].pop()
    reroot(world, 2)


@ATTACKS.add("R07")
def puts_leaves_in_another_order(world: World) -> None:
    world.find("close", 2)["leaves"].reverse()
    reroot(world, 2)


@ATTACKS.add("R07")
def signs_another_root(world: World) -> None:
    world.find("close", 2)["root"] = nonce("root")


@ATTACKS.add("R07")
def leaves_out_a_count_of_receipts(world: World) -> None:
    world.find("close", 2)["receipts"].pop()


@ATTACKS.add("R08")
def closes_before_the_deadline(world: World) -> None:
    world.find("deadline")["deadline"] = at(32)


@ATTACKS.add("R08")
def closes_by_a_deadline_where_there_is_none(world: World) -> None:
    world.find("deadline")["deadline"] = None


@ATTACKS.add("R08")
def turns_the_clock_back(world: World) -> None:
    world.find("close", 4)["time"] = at(30)


@ATTACKS.add("R09")
def calls_a_seat_idle_that_owed_orders(world: World) -> None:
    world.find("close", 2)["leaves"][2] = {"seat": "C", "kind": "idle"}
    reroot(world, 2)


@ATTACKS.add("R09")
def takes_orders_from_a_seat_that_owed_none(world: World) -> None:
    world.find("open", 2)["due"].remove("B")


@ATTACKS.add("R09")
def counts_a_submission_twice(world: World) -> None:
    world.find("close", 4)["leaves"][0] = world.sealed_leaf("A", 1, 1, 1)
    reroot(world, 4)


@ATTACKS.add("R09")
def counts_orders_from_a_later_phase(world: World) -> None:
    world.find("close", 2)["leaves"][1] = world.sealed_leaf("B", 4, 1)
    reroot(world, 2)


@ATTACKS.add("R10")
def opens_other_orders_than_were_sealed(world: World) -> None:
    world.opening(2, "B")["orders"] = "b9"


@ATTACKS.add("R10")
def opens_a_submission_twice(world: World) -> None:
    world.find("audit")["openings"].append(world.opening(2, "B"))


@ATTACKS.add("R10")
def opens_what_did_not_count(world: World) -> None:
    world.find("audit")["openings"].append(world.opening_of(world.sealed_leaf("B", 1, 1)))


@ATTACKS.add("R10")
def picks_an_alternative_that_was_not_given(world: World) -> None:
    world.find("result", 4)["orders"][0]["orders"] = "b9"
    retell(world, 4, "B", "b9")


@ATTACKS.add("R10")
def tells_forced_orders_in_two_ways(world: World) -> None:
    world.find("result", 3)["orders"][0]["orders"] = "a9"


@ATTACKS.add("R10")
def tells_orders_of_a_seat_twice(world: World) -> None:
    world.find("audit")["orders"].append({"phase": 2, "seat": "C", "orders": "other"})


@ATTACKS.add("R11")
def never_opens_an_order(world: World) -> None:
    world.find("audit")["openings"] = []


@ATTACKS.add("R11")
def never_tells_forced_orders(world: World) -> None:
    world.find("audit")["orders"] = []


@ATTACKS.add("R11")
def never_shows_that_a_seat_was_silent(world: World) -> None:
    world.find("audit")["silent"] = []


@ATTACKS.add("R11")
def opens_a_silent_seat_that_was_none(world: World) -> None:
    world.find("audit")["silent"][0]["nonce"] = nonce("else")


@ATTACKS.add("R12")
def opens_another_position(world: World) -> None:
    world.find("result", 2)["state"]["state"] = {"turn": 9}


@ATTACKS.add("R12")
def never_opens_a_position(world: World) -> None:
    world.find("audit")["states"].pop()


@ATTACKS.add("R12")
def fixes_no_position(world: World) -> None:
    world.find("open", 3)["state"] = None
    world.find("audit")["states"].pop(0)


@ATTACKS.add("R13")
def draws_from_another_chain(world: World) -> None:
    world.find("result", 2)["public"] = chain_of("other")[4093]


@ATTACKS.add("R13")
def draws_with_the_element_of_another_phase(world: World) -> None:
    world.find("result", 3)["public"] = CHAINS["public"][4091]


@ATTACKS.add("R13")
def opens_another_hidden_chain(world: World) -> None:
    world.find("audit")["chains"]["hidden"] = nonce("hidden")
    (world.transcript or {})["chance"]["chains"]["hidden"] = nonce("hidden")


@ATTACKS.add("R14")
def binds_chance_to_a_salt_of_its_own(world: World) -> None:
    world.find("open", 2)["salts"].append("three")


@ATTACKS.add("R14")
def sorts_salts_until_it_likes_the_draw(world: World) -> None:
    opened = world.find("open", 2)
    opened["salts"].reverse()
    opened["clients"] = H("salts", opened["salts"])
    (world.transcript or {})["phases"][1]["clients"] = opened["clients"]


@ATTACKS.add("R06")
def skips_a_phase(world: World) -> None:
    for kind in ("open", "close", "result"):
        del world.bodies[world.place(kind, 3)]


@ATTACKS.add("R06")
def begins_a_second_time(world: World) -> None:
    world.bodies.insert(3, world.bodies[0])


@ATTACKS.add("R06")
def goes_on_after_the_end(world: World) -> None:
    world.add("master", time=at(50), by="host", what="more")


@ATTACKS.add("R06")
def closes_a_phase_twice(world: World) -> None:
    world.bodies.insert(world.place("result", 2), world.bodies[world.place("close", 2)])


@ATTACKS.add("R06")
def moves_the_deadline_of_a_closed_phase(world: World) -> None:
    world.bodies.insert(
        world.place("audit"),
        ("deadline", {"phase": 2, "time": at(40), "deadline": at(60), "grace": 0}),
    )


@ATTACKS.add("R06")
def ends_without_an_audit(world: World) -> None:
    del world.bodies[world.place("audit")]


@ATTACKS.add("R06")
def never_ends_after_the_audit(world: World) -> None:
    world.bodies.pop()
    world.transcript = None


@ATTACKS.add("R06")
def numbers_tenures_anew(world: World) -> None:
    world.find("tenure")["n"] = 1


@ATTACKS.add("R06")
def stops_after_a_phase_that_it_closed(world: World) -> None:
    world.find("end")["stopped"] = {"after": 2, "why": "master"}


@ATTACKS.add("R06")
def gives_the_result_of_other_seats(world: World) -> None:
    world.find("end")["result"].pop("C")


@ATTACKS.add("R15")
def shows_no_receipt_of_what_counted(world: World) -> None:
    world.receipts = [each for each in world.receipts if each["receipt"]["seat"] != "C"]


# --- transcripts


@ATTACKS.add("R24")
def tells_other_orders_in_the_transcript(world: World) -> None:
    retell(world, 2, "B", "b9")


@ATTACKS.add("R24")
def tells_other_orders_of_a_plan(world: World) -> None:
    retell(world, 2, "A", "a9")


@ATTACKS.add("R24")
def tells_an_alternative_that_did_not_count(world: World) -> None:
    retell(world, 4, "B", "b4")


@ATTACKS.add("R24")
def leaves_a_phase_out_of_the_transcript(world: World) -> None:
    (world.transcript or {})["phases"].pop(1)


@ATTACKS.add("R24")
def tells_another_draw(world: World) -> None:
    (world.transcript or {})["claims"]["phases"][1]["draws"][1][2] = 6


@ATTACKS.add("R24")
def tells_another_result(world: World) -> None:
    (world.transcript or {})["claims"]["result"]["A"]["place"] = 2


@ATTACKS.add("R24")
def tells_other_options(world: World) -> None:
    (world.transcript or {})["options"]["red"] = True


@ATTACKS.add("R24")
def tells_other_chains(world: World) -> None:
    (world.transcript or {})["chance"]["chains"]["hidden"] = nonce("hidden")


@ATTACKS.add("R24")
def tells_that_it_was_stopped(world: World) -> None:
    (world.transcript or {})["stopped"] = {"after": 4, "why": "master"}


@ATTACKS.add("R24")
def tells_that_others_owed_orders(world: World) -> None:
    (world.transcript or {})["claims"]["phases"][1]["due"].remove("C")


@ATTACKS.add("R24")
def tells_other_salts(world: World) -> None:
    (world.transcript or {})["phases"][1]["clients"] = nonce("salts")


@ATTACKS.add("R24")
def hides_the_transcript(world: World) -> None:
    world.transcript = None


@pytest.mark.parametrize("attack", ATTACKS, ids=ATTACKS.names)
def test_the_verifier_names_the_rule(
    attack: Attack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verify_attack(attack, tmp_path, capsys)


def test_there_are_as_many_attacks_as_the_issue_asks_for() -> None:
    names = [*ATTACKS.names, *test_attacks_on_players.ATTACKS.names]
    assert len(set(names)) == len(names) > 70
