"""Lines of the exchange: results in the form of the recorded games, and a sentence for each
error.
"""

import json
from typing import Any

import pytest

from adjudicator.games.diplomacy.exchange.exchange import answer_line, rules_of
from adjudicator.games.diplomacy.exchange.lines import LineFault
from adjudicator.games.diplomacy.language.canonical import read_canonical
from adjudicator.games.diplomacy.language.spelling import read_line
from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.model.orders import Convoy, Hold, Move, Support

Line = dict[str, Any]


def line(phase: str, *, units: Line, orders: Line | None = None, **before: Any) -> Line:
    return {"phase": phase, "before": {"units": units, **before}, "orders": orders or {}}


def played(asked: Line, game: str = "diplomacy", edition: str | None = None) -> Line:
    return answer_line(rules_of(game, edition), asked)


# --- movement


def test_the_line_comes_back_with_everything_else_it_had() -> None:
    asked = line("S1901M", units={"FRANCE": ["A PAR"]}, orders={"FRANCE": ["A PAR - BUR"]}) | {
        "game": "club 7",
        "stray": [1],
    }
    answered = played(asked)
    assert {key: answered[key] for key in asked} == asked
    assert answered["after"] == {"units": {"FRANCE": ["A BUR"]}, "dislodged": {}, "centres": {}}
    assert answered["outcomes"] == {"A PAR": "moved"}


def test_every_unit_has_an_outcome_even_without_orders_of_its_power() -> None:
    answered = played(
        line(
            "S1901M",
            units={"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]},
            orders={"FRANCE": ["A PAR - BUR"]},
        )
    )
    assert answered["outcomes"] == {"A MUN": "held", "A PAR": "moved"}


def test_R2_a_dislodged_unit_comes_with_where_its_attacker_came_from_and_what_was_contested() -> (
    None
):
    units = {
        "GERMANY": ["A PRU", "A BER"],
        "RUSSIA": ["A SIL"],
        "AUSTRIA": ["A VIE"],
        "ITALY": ["A TYR"],
    }
    orders = {
        "GERMANY": ["A PRU - SIL", "A BER S A PRU - SIL"],
        "AUSTRIA": ["A VIE - BOH"],
        "ITALY": ["A TYR - BOH"],
    }
    answered = played(line("S1901M", units=units, orders=orders))
    assert answered["after"]["dislodged"] == {"RUSSIA": ["A SIL"]}
    assert answered["after"]["attackers"] == {"SIL": "PRU"} and answered["after"]["contested"] == [
        "BOH"
    ]
    assert answered["outcomes"]["A SIL"] == "dislodged"


@pytest.mark.parametrize(("edition", "attackers"), [("2023", {}), ("1976", {"NWY": "LON"})])
def test_R9_a_convoyed_attacker_is_named_where_nobody_may_go_back_to_it(
    edition: str, attackers: Line
) -> None:
    units = {"ENGLAND": ["A LON", "F NTH", "F SKA"], "RUSSIA": ["A NWY"]}
    orders = {"ENGLAND": ["A LON - NWY", "F NTH C A LON - NWY", "F SKA S A LON - NWY"]}
    assert (
        played(line("S1901M", units=units, orders=orders), edition=edition)["after"]["attackers"]
        == attackers
    )


def test_R1_an_order_that_can_never_be_obeyed_is_void_and_its_unit_holds() -> None:
    answered = played(
        line("S1901M", units={"FRANCE": ["A PAR"]}, orders={"FRANCE": ["A PAR - MOS"]})
    )
    assert answered["outcomes"] == {"A PAR": "void"} and answered["after"]["units"] == {
        "FRANCE": ["A PAR"]
    }


@pytest.mark.parametrize(
    ("own", "outcome"), [([], "void"), (["F LON - WAL"], "moved"), (["F LON - MOS"], "void")]
)
@pytest.mark.parametrize("powers", [("ENGLAND", "GERMANY"), ("GERMANY", "ENGLAND")])
def test_what_a_stranger_orders_is_void_and_no_order_of_its_owner_is_touched_by_it(
    powers: tuple[str, str], own: list[str], outcome: str
) -> None:
    orders = {"ENGLAND": own, "GERMANY": ["F LON - NTH"]}
    answered = played(
        line(
            "S1901M",
            units={"ENGLAND": ["F LON"]},
            orders={power: orders[power] for power in powers},
        )
    )
    assert answered["outcomes"] == {"F LON": outcome}


@pytest.mark.parametrize(
    "text",
    ["army dances", "dances", "from here to there", "a few words", "FINlandA RMY", "half RUMour"],
)
def test_no_unit_is_made_of_letters_inside_a_word(text: str) -> None:
    answered = played(line("S1901M", units={"FRANCE": ["A PAR"]}, orders={"FRANCE": [text]}))
    assert answered["outcomes"] == {"A PAR": "held"} and answered["unread"] == {"FRANCE": [text]}


def test_an_order_for_a_unit_that_is_not_there_is_void() -> None:
    assert played(line("S1901M", units={}, orders={"FRANCE": ["A PAR - BUR"]}))["outcomes"] == {
        "A PAR": "void"
    }


def test_the_last_order_for_a_unit_counts_if_it_can_be_obeyed() -> None:
    orders = {"FRANCE": ["A PAR - BUR", "A PAR - PIC", "A PAR - MOS"]}
    assert played(line("S1901M", units={"FRANCE": ["A PAR"]}, orders=orders))["after"]["units"] == {
        "FRANCE": ["A PIC"]
    }


def test_a_text_that_is_no_order_is_handed_back_and_its_unit_holds() -> None:
    answered = played(
        line("S1901M", units={"FRANCE": ["A PAR"]}, orders={"FRANCE": ["A PAR jumps"]})
    )
    assert answered["unread"] == {"FRANCE": ["A PAR jumps"]} and answered["outcomes"] == {
        "A PAR": "void"
    }


@pytest.mark.parametrize(
    "text", ["F SPA - LYO", "f spa/nc - lyo", "spa-gol", "Fleet Spain to Gulf of Lyon"]
)
def test_orders_are_read_in_any_spelling_and_the_coast_where_a_unit_stands_from_the_board(
    text: str,
) -> None:
    assert played(line("S1901M", units={"FRANCE": ["F SPA/SC"]}, orders={"FRANCE": [text]}))[
        "after"
    ]["units"] == {"FRANCE": ["F LYO"]}


def test_the_only_coast_a_fleet_can_reach_need_not_be_named() -> None:
    assert played(line("S1901M", units={"FRANCE": ["F GAS"]}, orders={"FRANCE": ["F GAS - SPA"]}))[
        "after"
    ]["units"] == {"FRANCE": ["F SPA/NC"]}


@pytest.mark.parametrize("unit", STANDARD.units)
def test_canonical_orders_read_back_as_themselves_and_as_players_write_them(unit: str) -> None:
    orders = [
        Hold(unit),
        Support(unit, "F STP/SC"),
        Support(unit, "A PAR", "BUR"),
        Convoy(unit, "A LON", "NWY"),
    ]
    orders += [Move(unit, to, via) for to in STANDARD.reach[unit] for via in (False, True)]
    assert [read_canonical(str(order)) for order in orders] == orders
    assert [getattr(read_line(str(order), STANDARD), "orders", ()) for order in orders] == [
        (order,) for order in orders
    ]


@pytest.mark.parametrize(
    "text",
    [
        "A PAR",
        "a par h",
        "A NTH H",
        "A PAR - XYZ",
        "A PAR S A XYZ",
        "A PAR H H",
        "A PAR - BUR VIA ",
        "F STP H",
    ],
)
def test_what_is_not_canonical_is_left_to_the_reader_of_spellings(text: str) -> None:
    assert read_canonical(text) is None


# --- centres


@pytest.mark.parametrize(("phase", "owner"), [("S1901M", {}), ("F1901M", {"FRANCE": ["SPA"]})])
def test_centres_are_taken_at_the_end_of_a_fall(phase: str, owner: Line) -> None:
    asked = line(phase, units={"FRANCE": ["A MAR"]}, orders={"FRANCE": ["A MAR - SPA"]}, centres={})
    assert played(asked)["after"]["centres"] == owner


def test_centres_wait_for_the_retreats_of_a_fall() -> None:
    units = {"FRANCE": ["A MAR", "F LYO"], "ITALY": ["A SPA"]}
    asked = line(
        "F1901M",
        units=units,
        orders={"FRANCE": ["A MAR - SPA", "F LYO S A MAR - SPA"]},
        centres={"ITALY": ["SPA"]},
    )
    moved = played(asked)["after"]
    assert moved["centres"] == {"ITALY": ["SPA"]}
    retreated = played({"phase": "F1901R", "before": moved, "orders": {"ITALY": ["A SPA R POR"]}})[
        "after"
    ]
    assert (
        retreated["centres"] == {"FRANCE": ["SPA"], "ITALY": ["POR"]}
        and retreated["dislodged"] == {}
    )


# --- retreats


def retreats(orders: Line, **more: Any) -> Line:
    units = {"GERMANY": ["A SIL"], "AUSTRIA": ["A GAL"]}
    return played(
        line("S1901R", units=units, dislodged={"RUSSIA": ["A SIL"]}, orders=orders, **more)
    )


def test_the_outcomes_of_a_retreat_phase_are_those_of_the_dislodged_units() -> None:
    answered = retreats({"RUSSIA": ["A SIL - WAR"]})
    assert answered["outcomes"] == {"A SIL": "retreated"}
    assert answered["after"]["units"] == {
        "AUSTRIA": ["A GAL"],
        "GERMANY": ["A SIL"],
        "RUSSIA": ["A WAR"],
    }


@pytest.mark.parametrize("to", ["GAL", "PRU", "BOH", "MOS"])
def test_R2_a_unit_that_may_not_go_there_is_disbanded(to: str) -> None:
    answered = retreats({"RUSSIA": [f"A SIL R {to}"]}, attackers={"SIL": "PRU"}, contested=["BOH"])
    assert answered["outcomes"] == {"A SIL": "disbanded"}


@pytest.mark.parametrize(
    ("orders", "outcome", "home"),
    [
        (["A SIL R WAR", "A SIL R BOH"], "retreated", "A BOH"),
        (["A SIL R WAR", "A SIL R MOS"], "retreated", "A WAR"),
        (["A SIL R MOS", "A SIL R WAR"], "retreated", "A WAR"),
        (["A SIL R WAR", "A SIL D"], "disbanded", ""),
    ],
)
def test_of_several_orders_for_a_dislodged_unit_the_last_that_is_allowed_counts(
    orders: list[str], outcome: str, home: str
) -> None:
    answered = retreats({"RUSSIA": orders})
    assert answered["outcomes"] == {"A SIL": outcome}
    assert answered["after"]["units"].get("RUSSIA", [""]) == [home]


def test_R7_a_unit_without_a_retreat_is_disbanded() -> None:
    assert retreats({})["outcomes"] == {"A SIL": "disbanded"}


def test_an_order_for_a_unit_that_is_not_dislodged_is_void() -> None:
    assert retreats({"AUSTRIA": ["A GAL - BUD"]})["outcomes"] == {
        "A GAL": "void",
        "A SIL": "disbanded",
    }


# --- adjustments


def test_R3_builds_waives_and_removals() -> None:
    centres = {"FRANCE": ["BRE", "MAR", "PAR", "SPA"], "ITALY": ["NAP"]}
    units = {"FRANCE": ["A SPA"], "ITALY": ["A ROM", "F NAP"]}
    orders = {"FRANCE": ["A PAR B", "WAIVE", "Waive"], "ITALY": ["A ROM D"]}
    answered = played(line("W1901A", units=units, orders=orders, centres=centres))
    assert answered["outcomes"] == {
        "A PAR": "built",
        "FRANCE WAIVE": "waived",
        "FRANCE WAIVE 2": "waived",
        "A ROM": "disbanded",
    }
    assert answered["after"]["units"] == {"FRANCE": ["A PAR", "A SPA"], "ITALY": ["F NAP"]}


def test_R3_of_too_many_builds_the_first_count_and_the_others_are_void() -> None:
    orders = {"FRANCE": ["A MAR B", "A MAR B", "F BRE B", "F PAR B"]}
    answered = played(line("W1901A", units={}, orders=orders, centres={"FRANCE": ["MAR"]}))
    assert answered["outcomes"] == {"A MAR": "built", "F BRE": "void", "F PAR": "void"}


def test_R7_civil_disorder_removes_what_nobody_removed() -> None:
    answered = played(
        line("W1901A", units={"RUSSIA": ["A LVN", "A SWE"]}, centres={"RUSSIA": ["STP"]})
    )
    assert answered["outcomes"] == {"A SWE": "disbanded"}


# --- rsp


def test_rsp_characteristics_decide_are_carried_along_and_come_to_light() -> None:
    units = {"GERMANY": ["A PRU"], "RUSSIA": ["A SIL"], "ITALY": ["A ROM"]}
    asked = line(
        "S1901M",
        units=units,
        orders={"GERMANY": ["Rock A PRU - SIL"], "ITALY": ["A ROM - TUS", "Paper A ROM"]},
        characteristics={"A PRU": "Paper", "A SIL": "Scissors", "A ROM": "Rock"},
    )
    answered = played(asked, "rsp-diplomacy")
    assert answered["outcomes"] == {"A PRU": "moved", "A ROM": "moved", "A SIL": "dislodged"}
    assert answered["after"]["characteristics"] == {
        "A SIL": "Rock",
        "A TUS": "Paper",
        "*A SIL": "Scissors",
    }
    assert answered["revealed"] == {"A PRU": "Rock", "A SIL": "Scissors"}
    gone = played(
        {"phase": "S1901R", "before": answered["after"], "orders": {"RUSSIA": ["A SIL R GAL"]}},
        "rsp-diplomacy",
    )
    assert gone["after"]["characteristics"] == {
        "A GAL": "Scissors",
        "A SIL": "Rock",
        "A TUS": "Paper",
    }


@pytest.mark.parametrize(
    ("text", "outcome", "trait"),
    [
        ("Paper A PRU S A SIL", "void", "Rock"),
        ("Paper A PRU - PAR", "void", "Rock"),
        ("Paper A PRU - SWE", "void", "Paper"),
        ("Paper A PRU H", "held", "Paper"),
        ("Paper A PRU", "held", "Paper"),
    ],
)
def test_rsp_R2_a_line_that_is_refused_changes_nothing_a_void_move_does(
    text: str, outcome: str, trait: str
) -> None:
    traits = {"A PRU": "Rock", "A SIL": "Paper"}
    asked = line(
        "S1901M",
        units={"GERMANY": ["A PRU", "A SIL"]},
        orders={"GERMANY": [text]},
        characteristics=traits,
    )
    answered = played(asked, "rsp-diplomacy")
    assert answered["outcomes"] == {"A PRU": outcome, "A SIL": "held"}
    assert answered["after"]["characteristics"] == {"A PRU": trait, "A SIL": "Paper"}


@pytest.mark.parametrize(
    ("orders", "trait"),
    [
        (["Rock A PRU - BER", "A PRU - SIL"], "Paper"),
        (["Rock A PRU", "A PRU - SIL"], "Rock"),
        (["Scissors A PRU - SIL", "Rock A PRU"], "Rock"),
        (["Rock A PRU", "Scissors Army Prussia - Silesia"], "Scissors"),
        (["Scissors A PRU - SIL", "Rock A PRU - MOS"], "Scissors"),
    ],
)
def test_rsp_R2_of_several_changes_in_the_lines_that_count_the_last_holds(
    orders: list[str], trait: str
) -> None:
    asked = line(
        "S1901M",
        units={"GERMANY": ["A PRU"]},
        orders={"GERMANY": orders},
        characteristics={"A PRU": "Paper"},
    )
    assert list(played(asked, "rsp-diplomacy")["after"]["characteristics"].values()) == [trait]


def test_rsp_R3_a_build_has_the_characteristic_it_names() -> None:
    asked = line(
        "W1901A",
        units={},
        orders={"FRANCE": ["Paper A PAR B", "A MAR B"]},
        centres={"FRANCE": ["MAR", "PAR"]},
    )
    assert played(asked, "rsp-diplomacy")["after"]["characteristics"] == {"A PAR": "Paper"}


def test_rsp_a_unit_without_a_characteristic_is_named() -> None:
    with pytest.raises(LineFault, match="A SIL has no characteristic"):
        played(line("S1901M", units={"GERMANY": ["A SIL"]}), "rsp-diplomacy")


# --- errors in a line


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ([], "A line has to be an object"),
        ({}, "The phase is “None”"),
        ({"phase": "X1901M"}, "it would be like S1901M"),
        ({"phase": "W1901M"}, "it would be like S1901M"),
        ({"phase": "S1901M"}, "“before” has to be an object"),
        (line("S1901M", units={"FRANCE": ["A XYZ"]}), "FRANCE has “A XYZ” in “units”"),
        (line("S1901M", units={"FRANCE": ["F STP"]}), "no unit is called"),
        (line("S1901M", units={"FRANCE": "A PAR"}), "has to be a list of texts"),
        (line("S1901M", units={"GAUL": ["A PAR"]}), "“GAUL” in “units” is no power"),
        (
            line("S1901M", units={"FRANCE": ["A BRE"], "ENGLAND": ["F BRE"]}),
            "A BRE and F BRE are in the same province",
        ),
        (line("S1901M", units={"FRANCE": ["A BRE", "A BRE"]}), "A BRE is twice"),
        (line("S1901M", units={}, dislodged={"FRANCE": ["A PAR"]}), "only in a retreat phase"),
        (line("S1901M", units={}, centres={"FRANCE": ["BUR"]}), "no supply centre"),
        (
            line("S1901M", units={}, centres={"FRANCE": ["PAR"], "ITALY": ["PAR"]}),
            "PAR is a centre of FRANCE and of ITALY",
        ),
        (
            line("S1901R", units={}, attackers={"PAR": "HELL"}),
            "“HELL” in “attackers” is no province",
        ),
        (line("S1901R", units={}, contested="PAR"), "“contested” has to be a list"),
        (line("W1901A", units={}), "A Winter needs “centres”"),
        (line("S1901M", units={}, orders={"GAUL": []}), "“GAUL” in “orders” is no power"),
        (
            line("S1901M", units={}, orders={"FRANCE": "A PAR H"}),
            "The orders of FRANCE have to be a list",
        ),
        (
            line("S1901M", units={}, characteristics={"A PAR": "Well"}),
            "it would be Rock, Scissors or Paper",
        ),
    ],
)
def test_what_is_wrong_in_a_line_is_said(asked: object, sentence: str) -> None:
    with pytest.raises(LineFault) as fault:
        answer_line(rules_of("diplomacy"), asked)
    assert sentence in str(fault.value) and str(fault.value).endswith(".")


@pytest.mark.parametrize(
    "wrong", [None, 7, "x", [7], {"FRANCE": 7}, {"FRANCE": [7]}, {"FRANCE": {"A": 1}}, {"7": [[]]}]
)
@pytest.mark.parametrize(
    "key", ["units", "dislodged", "centres", "attackers", "contested", "characteristics"]
)
def test_values_of_any_kind_are_told_never_raised_otherwise(key: str, wrong: object) -> None:
    asked = {"phase": "S1901R", "before": {"units": {}} | {key: wrong}, "orders": wrong}
    try:
        assert json.dumps(answer_line(rules_of("diplomacy"), asked))
    except LineFault as fault:
        assert str(fault)


def test_there_is_no_fourth_edition() -> None:
    with pytest.raises(LineFault, match="There is no edition “1666”"):
        rules_of("diplomacy", "1666")
