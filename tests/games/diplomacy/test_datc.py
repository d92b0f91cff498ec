"""Every case of the Diplomacy Adjudicator Test Cases 3.0, by its number, and the different results
of the rule book of 1971/1976.

`datc.json` holds the cases of chapter 6 of that document, by Lucas Kruijswijk, who allows that
chapter to be copied freely: orders, results, positions and retreats. Units that a case does not
mention but needs are added.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adjudicator.games.diplomacy.exchange.exchange import rules_of
from adjudicator.games.diplomacy.exchange.lines import read_position
from adjudicator.games.diplomacy.map.geography import STANDARD, province_of
from adjudicator.games.diplomacy.matching.order_matching import understand_line
from adjudicator.games.diplomacy.matching.unit_lookup import Field
from adjudicator.games.diplomacy.model.editions import Rules
from adjudicator.games.diplomacy.model.state import Position
from tests.games.diplomacy.both_ways import VOID, Played, Texts, by_exchange, by_match

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
"""Our results by the document's words; a `dislodged` order has no other result."""

NOT_MOVED = {"no_convoy": {"no convoy", "convoy broken", "paradox"}, "paradox": {"paradox"}}
"""Our reasons by the document's words for failed convoys."""


def cases(phase: str) -> Any:
    """Return the cases of one phase as a parameter, by their numbers."""
    return pytest.mark.parametrize(
        "case", [pytest.param(case, id=case["id"]) for case in CASES if case["phase"] == phase]
    )


def alternatives(phase: str) -> Any:
    """Return the cases with another result in edition 1976 (R9), as a parameter, by their
    numbers.
    """
    found = [
        (case, other)
        for case in CASES
        if case["phase"] == phase
        for other in case.get("alternatives", ())
        if is_of_1976(other["rule"])
    ]
    return pytest.mark.parametrize(
        ("case", "other"), [pytest.param(*pair, id=pair[0]["id"]) for pair in found]
    )


def is_of_1976(rule: str) -> bool:
    return rule.startswith(("1971/1976", "4.A.5 a"))


BOTH_WAYS = pytest.mark.parametrize("play", [by_exchange, by_match])

Play = Callable[[Rules, Position, Texts], Played]


def moved(play: Play, case: Case, edition: str = "2023") -> Played:
    """Return the result of a case's movement phase."""
    return play(
        rules_of("diplomacy", edition), read_position("S1901M", case["before"]), case["orders"]
    )


def board(position: Position) -> dict[str, list[str]]:
    """Return the units of a position as the cases write them."""
    return {
        power: units
        for power in STANDARD.powers
        if (units := sorted(unit for unit, of in position.owner.items() if of == power))
    }


def as_board(units: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {power: sorted(own) for power, own in units.items() if own}


def check_orders(case: Case, position: Position, played: Played) -> None:
    """Check the result of every order, and its reason if the document gives one."""
    field = Field(rules_of("diplomacy"), position, ())
    for told in case["orders"]:
        unit = field.meant(understand_line(told["order"]).unit or "")
        fate = played.fates[unit]
        if "dislodged_by" in told:
            assert fate.result == "dislodged", (told, fate)
            assert [province_of(other) for other in fate.by] == [told["dislodged_by"]], (told, fate)
        else:
            assert fate.result in RESULTS[told["outcome"]] | case.get("homeless", {}).get(
                unit, frozenset()
            ), (told, fate)
            assert fate.why in NOT_MOVED.get(told["outcome"], {fate.why}) or fate == VOID, (
                told,
                fate,
            )


def check_movement(case: Case, played: Played) -> None:
    """Check every order, the dislodged units with their attackers and retreats, and the
    standoffs.
    """
    check_orders(case["expected"], read_position("S1901M", case["before"]), played)
    after, expected = played.after, case["expected"]
    assert sorted(after.homeless) == sorted(expected["dislodged"])
    for unit, told in expected["dislodged"].items():
        each = after.homeless[unit]
        assert (each.power, sorted(each.retreats)) == (told["power"], sorted(told["retreats"]))
        if each.retreats:
            assert each.barred == (None if told["by_convoy"] else told["by"])
    if any(each.retreats for each in after.homeless.values()):
        assert sorted(after.contested) == expected["contested"]


@BOTH_WAYS
@cases("movement")
def test_datc_movement(case: Case, play: Play) -> None:
    played = moved(play, case)
    check_movement(case, played)
    assert board(played.after) == as_board(case["expected"]["after"])


@cases("movement")
def test_datc_standoffs(case: Case) -> None:
    """A match keeps standoffs only while some unit may retreat; the exchange always has them."""
    assert sorted(moved(by_exchange, case).after.contested) == case["expected"]["contested"]


@BOTH_WAYS
@cases("retreat")
def test_datc_retreats(case: Case, play: Play) -> None:
    before = moved(play, case)
    check_movement(case, before)
    position = replace(before.after, phase="S1901R")
    assert {unit: sorted(each.retreats) for unit, each in position.homeless.items()} == {
        unit: sorted(spots) for unit, spots in case["retreat"]["options"].items()
    }
    played = play(rules_of("diplomacy"), position, case["retreat"]["orders"])
    # an impossible order disbands a dislodged unit
    in_vain = dict.fromkeys(position.homeless, frozenset({"disbanded"}))
    check_orders(
        {"orders": case["retreat"]["expected"]["orders"], "homeless": in_vain}, position, played
    )
    assert board(played.after) == as_board(case["retreat"]["expected"]["after"])


def adjusted(play: Play, case: Case, edition: str = "2023") -> Played:
    """Return the result of a case's Winter."""
    before = {"units": case["before"]["units"], "centres": case["before"]["supply_centres"]}
    return play(rules_of("diplomacy", edition), read_position("W1901A", before), case["orders"])


@BOTH_WAYS
@cases("build")
def test_datc_builds_and_removals(case: Case, play: Play) -> None:
    played = adjusted(play, case)
    expected: dict[str, list[str]] = {}
    for told in case["expected"]["orders"]:
        expected.setdefault(told.get("unit") or understand_line(told["order"]).unit, []).append(
            told["outcome"]
        )
    assert played.fates.keys() == expected.keys()
    # of two orders for one unit the effective one has the result
    for unit, outcomes in expected.items():
        assert (
            played.fates[unit].result
            in RESULTS[next((word for word in outcomes if word != "fails"), "fails")]
        ), unit
    assert board(played.after) == as_board(case["expected"]["after"])


@BOTH_WAYS
@alternatives("movement")
def test_datc_movement_by_the_rules_of_1976(case: Case, other: Case, play: Play) -> None:
    played = moved(play, case, "1976")
    if "after" in other:
        moves = {province_of(unit) for unit, fate in played.fates.items() if fate.result == "moved"}
        assert moves == set(other["moves"])
        assert {province_of(unit) for unit in played.after.homeless} == set(other["dislodged"])
        assert board(played.after) == as_board(other["after"])


@BOTH_WAYS
@alternatives("retreat")
def test_datc_retreats_by_the_rules_of_1976(case: Case, other: Case, play: Play) -> None:
    played = moved(play, case, "1976")
    assert board(played.after) == as_board(other["after"])
    assert {province_of(unit) for unit in played.after.homeless} == set(other["dislodged"])
    (unit,) = case["retreat"]["options"].keys() & {"A MAR", "A LVP"}
    assert case["expected"]["dislodged"][unit]["by"] not in played.after.homeless[unit].retreats


@BOTH_WAYS
@alternatives("build")
def test_datc_removals_by_the_rules_of_1976(case: Case, other: Case, play: Play) -> None:
    assert board(adjusted(play, case, "1976").after) == as_board(other["after"])


def test_all_of_the_document_is_here() -> None:
    assert len(CASES) == len({case["id"] for case in CASES}) == 165
