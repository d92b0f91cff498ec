"""Saved games of the research tools: their package loads ours, and we replay theirs."""

import json
import random
import warnings
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from adjudicator.core.options import complete_options
from adjudicator.games.diplomacy.exchange.exchange import answer_line, rules_of
from adjudicator.games.diplomacy.exchange.lines import LineFault
from adjudicator.games.diplomacy.exchange.loading import lines_of, transcript_of
from adjudicator.games.diplomacy.exchange.saving import save_match
from adjudicator.games.diplomacy.rules import DIPLOMACY, RSP_DIPLOMACY
from adjudicator.play import bots
from tools.playing import chance_of

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the package leaves a file open
    from diplomacy import Game
    from diplomacy.utils.export import from_saved_game_format, to_saved_game_format

Plain = dict[str, Any]


GAMES = {"standard": DIPLOMACY, "rsp": RSP_DIPLOMACY}


@cache
def ours(rule_set: str, year: int, phases: int = 40) -> Plain:
    """A match between house bots, saved."""
    game = GAMES[rule_set]
    seats, dice = game.about.seats[7], random.Random("saved")
    state = game.start(
        seats, complete_options(game.about, {"year_limit": year}, players=7), chance_of("saved", 0)
    )
    closed = []
    for number in range(1, phases):
        due = game.phase(state).due
        orders = {
            seat: (
                game.parse(
                    state, seat, bots.choose_at_random(game, state, seat, dice.choice)
                ).orders
            )
            for seat in due
        }
        if not due:
            break
        done = game.adjudicate(state, orders, chance_of("saved", number))
        closed.append((state, done.events))
        state = done.state
    saved: Plain = json.loads(json.dumps(save_match("match 1", closed, state)))
    return saved


@cache
def theirs(seed: int) -> Plain:
    """Four years of orders drawn by their package, without `VIA`, which it treats as a move by land
    if there is no convoy.
    """
    dice, game = random.Random(seed), Game()
    while int(game.get_current_phase()[1:5]) < 1905:
        possible = {
            at: [order for order in orders if " VIA" not in order]
            for at, orders in game.get_all_possible_orders().items()
        }
        for power in game.powers:
            game.set_orders(
                power,
                [
                    dice.choice(possible[at])
                    for at in game.get_orderable_locations(power)
                    if possible[at]
                ],
            )
        game.process()
    saved: Plain = json.loads(json.dumps(to_saved_game_format(game)))
    return saved


def sets(by_power: Mapping[str, Any]) -> dict[str, set[str]]:
    return {power: set(names) for power, names in by_power.items()}


# --- ours in their package


@pytest.mark.parametrize("rule_set", GAMES)
def test_R8_their_package_loads_a_match_phase_by_phase(rule_set: str) -> None:
    saved = ours(rule_set, 1904)
    loaded = from_saved_game_format(saved)
    assert loaded.is_game_done and [*map(str, loaded.state_history)] == [
        phase["name"] for phase in saved["phases"][:-1]
    ]
    for phase, state in zip(saved["phases"], loaded.state_history.values(), strict=False):
        assert sets(state["units"]) == sets(phase["state"]["units"]) and sets(
            state["centers"]
        ) == sets(phase["state"]["centers"])
    assert {
        power: list(orders or ()) for power, orders in loaded.order_history.first_value().items()
    } == saved["phases"][0]["orders"]


def test_R8_a_running_match_stands_there_at_the_phase_it_waits_for() -> None:
    saved = ours("standard", 1950, 6)
    loaded = from_saved_game_format(saved)
    assert loaded.get_current_phase() == saved["phases"][-1]["name"] and sets(
        loaded.get_units()
    ) == sets(saved["phases"][-1]["state"]["units"])


@pytest.mark.parametrize(("year", "phases", "told"), [(1950, 6, False), (1902, 40, True)])
def test_rsp_R9_characteristics_are_in_it_only_after_the_end(
    year: int, phases: int, told: bool
) -> None:
    text = json.dumps(ours("rsp", year, phases))
    assert ("Rock" in text or "Paper" in text or "Scissors" in text) is told


@pytest.mark.parametrize(
    ("rule_set", "game"), [("standard", "diplomacy"), ("rsp", "rsp-diplomacy")]
)
def test_what_is_saved_of_an_ended_match_is_adjudicated_again_as_it_was(
    rule_set: str, game: str
) -> None:
    rules = rules_of(game)
    lines = [line for line in lines_of(ours(rule_set, 1904), rules) if line["after"]]
    assert len(lines) > 8
    for line in lines:
        given = answer_line(rules, line)["after"]
        assert {key: given[key] for key in line["after"]} == line["after"], line["phase"]


# --- theirs here


@pytest.mark.parametrize("seed", range(3))
def test_their_phases_come_out_as_their_package_has_them(seed: int) -> None:
    rules = rules_of("diplomacy", "via")
    for line in (line for line in lines_of(theirs(seed), rules) if line["after"]):
        given = answer_line(rules, line)["after"]
        assert {key: given[key] for key in line["after"]} == line["after"], line["phase"]


def test_their_game_is_a_transcript_that_comes_to_the_same_position() -> None:
    from adjudicator.play.replay import read_transcript, replay_transcript

    saved = theirs(2)
    transcript = transcript_of(saved, DIPLOMACY)
    assert [entry["name"] for entry in transcript["phases"]] == [
        phase["name"] for phase in saved["phases"][:-1]
    ]
    played = replay_transcript(read_transcript(transcript)).output["phases"]
    centres = {
        power: len(codes) for power, codes in saved["phases"][-1]["state"]["centers"].items()
    }
    assert len(played) == len(transcript["phases"]) and played[-1]["scores"] == centres


def test_where_their_file_keeps_units_from_retreating_is_kept() -> None:
    state = {
        "name": "F1901R",
        "units": {"ITALY": ["A VIE"], "AUSTRIA": ["*A VIE"]},
        "retreats": {"AUSTRIA": {"A VIE": ["BOH", "GAL"]}},
    }
    (line,) = lines_of(
        {"phases": [{"name": "F1901R", "state": state, "orders": {"AUSTRIA": ["A VIE R TYR"]}}]},
        rules_of("diplomacy"),
    )
    assert answer_line(rules_of("diplomacy"), line)["outcomes"] == {"A VIE": "disbanded"}


def test_a_retreat_phase_that_they_left_out_is_put_in() -> None:
    before = {
        "name": "F1901M",
        "units": {
            "ITALY": ["A TYR", "A VEN"],
            "AUSTRIA": ["A TRI", "A ALB", "A SER", "A BUD", "A VIE"],
        },
    }
    after = {
        "name": "W1901A",
        "units": {"ITALY": ["A TRI", "A VEN"]},
        "centers": {"ITALY": ["TRI"]},
    }
    units = {
        "ITALY": ["A TYR", "A VEN"],
        "AUSTRIA": ["A TRI"],
        "TURKEY": ["A ALB", "A SER", "A BUD", "A VIE"],
    }
    before["units"], after["units"] = (
        units,
        {
            "ITALY": ["A TRI", "A VEN"],
            "TURKEY": units["TURKEY"],
        },
    )
    orders = {"ITALY": ["A TYR - TRI", "A VEN S A TYR - TRI"]}
    phases = [
        {"name": "F1901M", "state": before, "orders": orders},
        {"name": "W1901A", "state": after, "orders": {}},
    ]
    assert [line["phase"] for line in lines_of({"phases": phases}, rules_of("diplomacy"))] == [
        "F1901M",
        "F1901R",
        "W1901A",
    ]


@pytest.mark.parametrize(
    ("saved", "sentence"),
    [
        ([], "A saved game has to be"),
        ({"phases": []}, "A saved game has to be"),
        ({"phases": [{"name": "S1901M"}]}, "a “name” and a “state”"),
        (
            {"phases": [{"name": "S1901M", "state": {}}], "map": "ancmed"},
            "only “standard” is known",
        ),
        (
            {"phases": [{"name": "S1901M", "state": {}, "orders": {"FRANCE": [7]}}]},
            "have to be texts",
        ),
        (
            {
                "phases": [
                    {
                        "name": "S1901R",
                        "state": {"units": {"FRANCE": ["*A PAR"]}, "retreats": {"FRANCE": 1}},
                    }
                ]
            },
            "“retreats”",
        ),
    ],
)
def test_what_is_no_saved_game_is_said(saved: object, sentence: str) -> None:
    with pytest.raises(LineFault, match=sentence):
        list(lines_of(saved, rules_of("diplomacy")))


def test_a_transcript_needs_the_opening() -> None:
    with pytest.raises(LineFault, match="begins with the opening"):
        transcript_of({"phases": [{"name": "S1905M", "state": {}}]}, DIPLOMACY)
