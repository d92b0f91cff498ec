"""A refused line has no effect in the exchange, in a match and in a trial (R1, R3, rsp R2, rsp
R3).
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from adjudicator.core.chance import ScriptedChance
from adjudicator.games.diplomacy.exchange.exchange import Played, play_phase
from adjudicator.games.diplomacy.model.editions import EDITIONS, Rules
from adjudicator.games.diplomacy.model.state import Position, RuleSet, State, position_of
from adjudicator.games.diplomacy.ordering.parsing import parse
from adjudicator.games.diplomacy.phases import flow
from adjudicator.games.diplomacy.phases.view import look
from adjudicator.games.diplomacy.resolve.resolve_retreats import homeless_on
from adjudicator.games.diplomacy.trial import try_orders
from tests.games.diplomacy.table import everywhere, position

UNITS = {
    "S1902M": "ENGLAND A LON, F NTH / FRANCE A BEL, A GAL, A PAR, F MAO / GERMANY A MUN, A RUM",
    "S1902R": "ENGLAND A LON, F NTH / FRANCE A GAL, A PAR / GERMANY A MUN, A RUM",
    "W1902A": "ENGLAND A LON / FRANCE A BEL, A PAR, F MAO / GERMANY A BER, A KIE, A MUN",
}
CENTRES = "FRANCE BEL BRE MAR PAR SPA / GERMANY BER MUN / ENGLAND EDI LON LVP"
LOST = {"A BEL": "FRANCE", "F MAO": "FRANCE"}

ALWAYS = [
    ("S1902M", "Paper A GAL - SEV"),
    ("S1902M", "Germany: A PAR - BUR"),
    ("S1902M", "A PAR - BUR via convoy"),
    ("S1902M", "F MAO C Italian A BEL - LON"),
    ("S1902R", "Paper A BEL - RUH"),
    ("S1902R", "Germany: A BEL R RUH"),
    ("W1902A", "Paper A PAR B"),
    ("W1902A", "Rock F BEL B"),
    ("W1902A", "Germany: A MAR B"),
    ("W1902A", "Rock A PAR D"),
    ("W1902A", "Germany: waive"),
]
RSP = [
    ("S1902M", "Paper A GAL - RUM via convoy"),
    ("S1902M", "Paper A PAR S A BEL"),
    ("S1902M", "England: Paper A PAR"),
    ("W1902A", "Paper A SPA B"),
]
STANDARD = [("S1902M", "Rock A PAR - BUR"), ("S1902M", "Rock A PAR"), ("W1902A", "Rock A MAR B")]
CASES = [
    *((rule_set, phase, line) for rule_set in ("standard", "rsp") for phase, line in ALWAYS),
    *(("rsp", phase, line) for phase, line in RSP),
    *(("standard", phase, line) for phase, line in STANDARD),
]
EVERY_LINE = pytest.mark.parametrize(("rule_set", "phase", "line"), CASES)


def scene(rule_set: RuleSet, phase: str) -> tuple[State, Position]:
    """Return one position of edition 2023 in the form of a match and of the exchange; under `rsp`
    every unit is Scissors.
    """
    state = position(phase, UNITS[phase], CENTRES, rule_set=rule_set, edition="2023")
    traits: Any = dict.fromkeys(everywhere(state), "Scissors") if rule_set == "rsp" else {}
    if phase[5] == "R":
        gone: Any = dict.fromkeys(LOST, "Scissors") if rule_set == "rsp" else {}
        homeless = homeless_on(
            position_of(state).owner, LOST, contested=frozenset(), barred={}, traits=gone
        )
        state = replace(state, homeless=tuple(homeless.values()))
    state = replace(state, traits=traits)
    return state, position_of(state)


def told(played: Played) -> tuple[Position, Mapping[str, str]]:
    return played.after, played.revealed


@EVERY_LINE
def test_a_refused_line_does_nothing_in_the_exchange(
    rule_set: RuleSet, phase: str, line: str
) -> None:
    _, there = scene(rule_set, phase)
    rules = Rules(rule_set, EDITIONS["2023"])
    assert told(play_phase(rules, there, {"FRANCE": [line]})) == told(play_phase(rules, there, {}))


@EVERY_LINE
def test_a_refused_line_does_nothing_in_a_match(rule_set: RuleSet, phase: str, line: str) -> None:
    state, _ = scene(rule_set, phase)
    read = parse(state, "FRANCE", line)
    assert (read.orders, len(read.refusals)) == ((), 1)


@EVERY_LINE
def test_a_refused_line_does_nothing_in_a_trial(rule_set: RuleSet, phase: str, line: str) -> None:
    state, _ = scene(rule_set, phase)
    view = look(state, "FRANCE")
    tried, idle = try_orders(view, line), try_orders(view, "")
    assert tried and idle
    if "Germany:" not in line and "England:" not in line:  # a trial accepts orders of any power
        assert len(tried.refusals) == 1
        assert (tried.view, tried.events) == (idle.view, idle.events)


def test_rsp_R3_of_two_builds_in_one_place_only_the_one_that_is_built_names_the_characteristic() -> (
    None
):
    _, there = scene("rsp", "W1902A")
    played = play_phase(
        Rules("rsp", EDITIONS["1976"]), there, {"FRANCE": ["Rock A MAR B", "Paper A MAR B"]}
    )
    assert played.after.traits["A MAR"] == "Rock"


@pytest.mark.parametrize(
    ("edition", "trait"), [("2023", "Scissors"), ("via", "Scissors"), ("1976", "Paper")]
)
def test_rsp_R2_an_inland_army_via_convoy_is_refused_with_its_change_but_in_1976_the_words_are_ignored(
    edition: str, trait: str
) -> None:
    state, there = scene("rsp", "S1902M")
    line = "Paper A GAL - BUD via convoy"
    played = play_phase(Rules("rsp", EDITIONS[edition]), there, {"FRANCE": [line]})
    read = parse(replace(state, setup=replace(state.setup, edition=edition)), "FRANCE", line)
    assert bool(read.refusals) == (edition != "1976")
    assert played.after.traits["A BUD" if edition == "1976" else "A GAL"] == trait


def test_R1_an_army_via_convoy_without_a_sea_is_offered_the_way_by_land() -> None:
    state, _ = scene("standard", "S1902M")
    (refusal,) = parse(state, "FRANCE", "A PAR - BUR via convoy").refusals
    assert refusal.remedies == ("A PAR - BUR",)
    assert (
        refusal.reason
        == "The army in Paris cannot go to Burgundy by convoy, no seas lead there; without these"
        " words it goes by land."
    )


def test_G8_where_a_later_line_is_refused_the_earlier_one_counts() -> None:
    _, there = scene("rsp", "S1902M")
    played = play_phase(
        Rules("rsp", EDITIONS["2023"]),
        there,
        {"FRANCE": ["Rock A GAL - BUD", "Paper A GAL - RUM via convoy"]},
    )
    assert played.after.traits["A BUD"] == "Rock"


def test_R3_a_build_without_a_kind_is_the_only_one_that_can_stand_there() -> None:
    _, there = scene("standard", "W1902A")
    anywhere = Rules("standard", EDITIONS["2023"])
    free = replace(
        there, owner={unit: power for unit, power in there.owner.items() if unit != "A PAR"}
    )
    assert "A PAR" in play_phase(anywhere, free, {"FRANCE": ["Build Par"]}).after.owner
    # Germany removes one
    assert (
        len(play_phase(anywhere, free, {"FRANCE": ["Build Mar"]}).after.owner)
        == len(free.owner) - 1
    )


def test_R3_a_waive_before_the_builds_takes_none_from_them_in_a_match_either() -> None:
    state, _ = scene("standard", "W1902A")
    orders = parse(state, "FRANCE", "waive\nA Mar B\nF Bre B").orders
    after = flow.adjudicate(state, {"FRANCE": orders}, ScriptedChance(())).state
    assert after.units["FRANCE"] == ("A BEL", "A MAR", "A PAR", "F BRE", "F MAO")
