"""Every case of the Diplomacy Adjudicator Test Cases 3.0, by its number, and what the rule book of 1971/1976 does otherwise.

`datc.json` holds the cases of chapter 6 of that document, by Lucas Kruijswijk, who allows that chapter to be copied freely:
the orders, what becomes of each, the positions, the retreats. Where it leaves a board open the missing units are filled in.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adjudicator.games.diplomacy.exchange.exchange import rules_of
from adjudicator.games.diplomacy.exchange.lines import Position, read_position
from adjudicator.games.diplomacy.exchange.order_matching import standing, understand
from adjudicator.games.diplomacy.exchange.settling import Settled, settle, waiting
from adjudicator.games.diplomacy.map.geography import STANDARD, province_of
from adjudicator.games.diplomacy.resolve import resolve_adjustments

Case = Mapping[str, Any]

CASES: list[Case] = json.loads((Path(__file__).parent / "datc.json").read_text(encoding="utf-8"))

RESULTS = {
    "holds": {"held"},
    "moves": {"moved"},
    "bounces": {"bounced"},
    "given": {"supported", "convoyed"},
    "cut": {"cut"},
    "void": {"void"},
    "illegal": {"void"},
    "fails": {"void"},
    "no_convoy": {"void", "convoy disrupted"},
    "disrupted": {"convoy disrupted"},
    "paradox": {"convoy disrupted"},
    "retreats": {"retreated"},
    "disbanded": {"disbanded"},
    "builds": {"built"},
    "disbands": {"disbanded"},
    "removed_by_rule": {"disbanded"},
}
"""The document's words in ours; an order it calls dislodged is `dislodged`, whatever else it says of it."""

NOT_MOVED = {"no_convoy": {"no convoy", "convoy broken", "paradox"}, "paradox": {"paradox"}}
"""The reasons that go with its words where a convoy did not stand."""


def cases(phase: str) -> Any:
    """Return the cases of one phase as a parameter, by their numbers."""
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES if case["phase"] == phase])


def alternatives(phase: str) -> Any:
    """Return what edition 1976 has to do otherwise (R9), as a parameter, by the cases' numbers."""
    found = [
        (case, other) for case in CASES if case["phase"] == phase for other in case.get("alternatives", ()) if is_of_1976(other["rule"])
    ]
    return pytest.mark.parametrize(("case", "other"), [pytest.param(*pair, id=pair[0]["id"]) for pair in found])


def is_of_1976(rule: str) -> bool:
    return rule.startswith(("1971/1976", "4.A.5 a"))


def moved(case: Case, edition: str = "2023") -> Settled:
    """Return what comes of a case's movement."""
    return settle(rules_of("diplomacy", edition), read_position("S1901M", case["before"]), case["orders"])


def board(position: Position) -> dict[str, list[str]]:
    """Return the units of a position as the cases write them."""
    return {power: units for power in STANDARD.powers if (units := sorted(unit for unit, of in position.owner.items() if of == power))}


def as_board(units: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {power: sorted(own) for power, own in units.items() if own}


def check_orders(case: Case, settled: Settled) -> None:
    """Check the result of every order, and its reason as far as the document gives one."""
    for told in case["orders"]:
        unit = standing(read_units(case), understand(told["order"]).unit or "")
        fate = settled.fates[unit]
        if "dislodged_by" in told:
            assert fate.result == "dislodged", (told, fate)
            assert [province_of(other) for other in fate.by] == [told["dislodged_by"]], (told, fate)
        else:
            assert fate.result in RESULTS[told["outcome"]] | case.get("homeless", {}).get(unit, frozenset()), (told, fate)
            assert fate.why in NOT_MOVED.get(told["outcome"], {fate.why}), (told, fate)


def read_units(case: Case) -> dict[str, str]:
    return {unit: power for power, units in case["units"].items() for unit in units}


def as_checked(case: Case) -> Case:
    """Return the orders with their outcomes, and the units they were written for."""
    return {"orders": case["expected"]["orders"], "units": case["before"]["units"]}


def check_dislodged(case: Case, settled: Settled) -> None:
    """Check who was driven out by whom, how, and where to; and where there was a standoff."""
    after, expected = settled.after, case["expected"]
    assert sorted(after.lost) == sorted(expected["dislodged"])
    assert sorted(after.contested) == expected["contested"]
    for unit, told in expected["dislodged"].items():
        assert after.lost[unit] == told["power"]
        assert after.barred.get(province_of(unit)) == (None if told["by_convoy"] else told["by"])
        assert sorted(waiting(after)[unit].retreats) == sorted(told["retreats"])


@cases("movement")
def test_datc_movement(case: Case) -> None:
    settled = moved(case)
    check_orders(as_checked(case), settled)
    check_dislodged(case, settled)
    assert board(settled.after) == as_board(case["expected"]["after"])


@cases("retreat")
def test_datc_retreats(case: Case) -> None:
    before = moved(case)
    check_orders(as_checked(case), before)
    check_dislodged(case, before)
    position = replace(before.after, phase="S1901R")
    settled = settle(rules_of("diplomacy"), position, case["retreat"]["orders"])
    assert {unit: sorted(each.retreats) for unit, each in waiting(position).items()} == {
        unit: sorted(spots) for unit, spots in case["retreat"]["options"].items()
    }
    check_orders(
        {
            "orders": case["retreat"]["expected"]["orders"],
            "units": {power: [*board(position).get(power, ()), *own] for power, own in lost(position).items()},
            "homeless": dict.fromkeys(position.lost, frozenset({"disbanded"})),  # what a homeless unit is ordered in vain disbands it
        },
        settled,
    )
    assert board(settled.after) == as_board(case["retreat"]["expected"]["after"])


def lost(position: Position) -> dict[str, list[str]]:
    """Return the dislodged units by power."""
    return {power: sorted(unit for unit, of in position.lost.items() if of == power) for power in STANDARD.powers}


def accounted(case: Case, power: str, edition: str) -> resolve_adjustments.Account:
    """Return what a power has in a case's Winter."""
    units = case["before"]["units"]
    return resolve_adjustments.Account(
        world=STANDARD,
        edition=rules_of("diplomacy", edition).edition,
        power=power,
        owned=tuple(case["before"]["supply_centres"][power]),
        units=tuple(units[power]),
        occupied=frozenset(province_of(unit) for own in units.values() for unit in own),
    )


@cases("build")
def test_datc_builds_and_removals(case: Case) -> None:
    for power, texts in case["orders"].items():
        account = accounted(case, power, "2023")
        settled = resolve_adjustments.resolve(account, [understand(text).orders[0] for text in texts])
        told = [order for order in case["expected"]["orders"] if order["power"] == power]
        assert [order["unit"] for order in told if "unit" in order] == list(settled.removed)
        for order, fate in zip([order for order in told if order["order"]], settled.fates, strict=True):
            assert fate.result in RESULTS[order["outcome"]], (order, fate)
        assert sorted(settled.units) == sorted(case["expected"]["after"].get(power, []))


@alternatives("movement")
def test_datc_movement_by_the_rules_of_1976(case: Case, other: Case) -> None:
    settled = moved(case, "1976")
    if "after" in other:
        moves = {province_of(unit) for unit, fate in settled.fates.items() if fate.result == "moved"}
        assert moves == set(other["moves"])
        assert {province_of(unit) for unit in settled.after.lost} == set(other["dislodged"])
        assert board(settled.after) == as_board(other["after"])


@alternatives("retreat")
def test_datc_retreats_by_the_rules_of_1976(case: Case, other: Case) -> None:
    settled = moved(case, "1976")
    assert board(settled.after) == as_board(other["after"])
    assert {province_of(unit) for unit in settled.after.lost} == set(other["dislodged"])
    (unit,) = case["retreat"]["options"].keys() & {"A MAR", "A LVP"}
    assert case["expected"]["dislodged"][unit]["by"] not in waiting(settled.after)[unit].retreats


@alternatives("build")
def test_datc_removals_by_the_rules_of_1976(case: Case, other: Case) -> None:
    for power, left in other["after"].items():
        texts = case["orders"][power]
        settled = resolve_adjustments.resolve(accounted(case, power, "1976"), [understand(text).orders[0] for text in texts])
        assert sorted(settled.units) == sorted(left)


def test_all_of_the_document_is_here() -> None:
    assert len(CASES) == len({case["id"] for case in CASES}) == 165
