"""The possible orders of a seat, slot by slot: complete, useful, clickable, and not too many."""

import random
from dataclasses import replace

import pytest

from adjudicator.core.game import AnyGame, Choice, Slot
from adjudicator.games.diplomacy.map.convoys import find_chains
from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.matching.unit_lookup import field_of
from adjudicator.games.diplomacy.model.state import Homeless, State
from adjudicator.games.diplomacy.ordering.choices import slots
from adjudicator.games.diplomacy.ordering.parsing import parse
from adjudicator.games.diplomacy.ordering.ways import Ways
from adjudicator.games.diplomacy.rules import DIPLOMACY, RSP_DIPLOMACY
from adjudicator.play import bots
from tests.games.diplomacy.table import opened, position
from tests.sampling import examples

START = opened()
RSP = opened(rule_set="rsp")
COAST = position(
    "S1903M", "FRANCE A BEL, F ENG, F MAO / ENGLAND A LON, F IRI / GERMANY A HOL, F DEN"
)
WINTER = position(
    "W1901A",
    "FRANCE A BUR, F MAO / GERMANY A BER, A DEN, A HOL",
    "FRANCE BRE MAR PAR SPA / GERMANY BER / RUSSIA STP",
)
ROUT = replace(
    position("S1902R", "FRANCE A BUR / GERMANY A MUN"),
    homeless=(
        Homeless("A BUR", "GERMANY", "A PAR", "PAR", ("BEL", "RUH")),
        Homeless("F SPA/SC", "ENGLAND", "F LYO", "LYO", ("WES",)),
    ),
)


def slot(name: str, state: State = START, seat: str = "FRANCE") -> Slot:
    """Return a seat's slot of this name."""
    return next(slot for slot in slots(state, seat) if slot.name == name)


def texts(name: str, state: State = START, seat: str = "FRANCE", *, group: str = "") -> set[str]:
    """Return the orders of a slot, of one group or all."""
    return {
        choice.text for choice in slot(name, state, seat).choices if group in ("", choice.group)
    }


def choice(text: str, state: State = START, seat: str = "FRANCE") -> Choice:
    """Return the choice whose order is `text`."""
    return next(
        choice for slot in slots(state, seat) for choice in slot.choices if choice.text == text
    )


# --- movement


def test_every_unit_has_a_slot_named_by_its_province_and_the_vote_stands_beside() -> None:
    assert [(each.name, each.title) for each in slots(START, "RUSSIA")] == [
        ("MOS", "Army Moscow"),
        ("WAR", "Army Warsaw"),
        ("SEV", "Fleet Sevastopol"),
        ("STP", "Fleet St Petersburg (south coast)"),
        ("draw", "Do you agree to a draw?"),
    ]


def test_a_seat_with_several_powers_reads_whose_unit_it_is() -> None:
    assert slot("PAR", opened(2), "ENGLAND").title == "France: Army Paris"


def test_the_orders_of_a_unit_are_grouped_as_a_menu() -> None:
    assert texts("PAR", group="Hold") == {"A PAR H"}
    assert texts("PAR", group="Move") == {
        "A PAR - BRE",
        "A PAR - BUR",
        "A PAR - GAS",
        "A PAR - PIC",
    }
    assert texts("PAR", group="Support to hold") == {"A PAR S F BRE"}
    assert texts("PAR", group="Support a move") == {
        "A PAR S A MAR - BUR",
        "A PAR S A MAR - GAS",
        "A PAR S A MUN - BUR",
        "A PAR S F BRE - GAS",
        "A PAR S F BRE - PIC",
    }


def test_a_fleet_moves_to_a_named_coast_and_its_move_is_supported_whatever_the_coast() -> None:
    state = position("S1902M", "FRANCE F MAO, A GAS")
    assert {"F MAO - SPA/NC", "F MAO - SPA/SC"} <= texts("MAO", state)
    assert texts("GAS", state, group="Support a move") == {
        "A GAS S F MAO - BRE",
        "A GAS S F MAO - SPA",
    }


def test_convoys_are_offered_only_where_fleets_on_the_board_make_a_chain() -> None:
    assert texts("BEL", COAST, group="Move by convoy") >= {
        "A BEL - LON",
        "A BEL - NAF",
        "A BEL - LVP",
        "A BEL - PIC VIA",
    }
    assert "A BEL - NWY" not in texts("BEL", COAST)
    assert "F MAO C A BEL - NAF" in texts("MAO", COAST, group="Convoy")
    assert "F MAO C A BEL - LON" not in texts("MAO", COAST), "no way there needs it"
    assert texts("DEN", COAST, "GERMANY", group="Convoy") == set()


def test_a_support_of_a_convoyed_move_is_offered_but_not_by_the_fleet_that_carries_it() -> None:
    state = position("S1902M", "FRANCE A PIC, F ENG / ENGLAND A LON")
    assert "A PIC S A LON - BRE" in texts("PIC", state)
    assert "F ENG S A LON - BRE" not in texts("ENG", state)


def test_R9_in_edition_1976_no_choice_says_VIA() -> None:
    state = replace(COAST, setup=replace(COAST.setup, edition="1976"))
    assert not [text for text in texts("BEL", state) if text.endswith("VIA")]


@pytest.mark.parametrize(
    ("text", "label", "marks"),
    [
        ("A PAR H", "holds", ("diplomacy-unit-PAR", "diplomacy-unit-PAR")),
        ("A PAR - BUR", "to Burgundy", ("diplomacy-unit-PAR", "diplomacy-at-BUR")),
        ("A PAR S F BRE", "supports Brest", ("diplomacy-unit-PAR", "diplomacy-unit-BRE")),
        (
            "A PAR S A MUN - BUR",
            "supports Munich to Burgundy",
            ("diplomacy-unit-PAR", "diplomacy-unit-MUN", "diplomacy-at-BUR"),
        ),
    ],
)
def test_a_choice_has_words_for_people_and_what_is_clicked_for_it(
    text: str, label: str, marks: tuple[str, ...]
) -> None:
    found = choice(text)
    assert (found.label, found.marks) == (label, marks)


def test_a_convoy_is_clicked_by_the_army_and_its_destination() -> None:
    assert choice("F ENG C A BEL - LON", COAST).marks == (
        "diplomacy-unit-ENG",
        "diplomacy-unit-BEL",
        "diplomacy-at-LON",
    )
    assert choice("F ENG C A BEL - LON", COAST).label == "convoys Belgium to London"


def test_rsp_R6_no_support_is_offered() -> None:
    assert {each.group for slot in slots(RSP, "FRANCE") for each in slot.choices} == {
        "Hold",
        "Move",
        "",
    }


def test_rsp_R2_each_unit_has_a_second_slot_for_its_characteristic_which_may_be_left_empty() -> (
    None
):
    second = slot("PAR-is", replace(RSP, traits={"A PAR": "Rock"}))
    assert [each.text for each in second.choices] == ["Rock A PAR", "Scissors A PAR", "Paper A PAR"]
    assert (second.optional, second.aside, second.hint) == (
        True,
        False,
        "It is Rock; left empty, it stays so.",
    )


def test_R6_the_vote_is_beside_the_game_and_its_hint_tells_how_to_concede() -> None:
    vote = slot("draw")
    assert (vote.optional, vote.aside, [each.text for each in vote.choices]) == (
        True,
        True,
        ["DRAW", "NO DRAW"],
    )
    assert "CONCEDE" in vote.hint and vote.hint.startswith("You do not agree")
    assert slot("draw", replace(START, voted=("FRANCE",))).hint.startswith("You agree")


def test_house_bots_never_vote() -> None:
    dice = random.Random(1)
    assert not any(
        "DRAW" in bots.choose_at_random(DIPLOMACY, START, "FRANCE", dice.choice) for _ in range(20)
    )


# --- retreats, builds, removals


def test_a_homeless_unit_retreats_or_is_disbanded() -> None:
    assert [each.text for each in slot("BUR", ROUT, "GERMANY").choices] == [
        "A BUR R BEL",
        "A BUR R RUH",
        "A BUR D",
    ]
    assert slot("SPA", ROUT, "ENGLAND").choices[0].marks == (
        "diplomacy-homeless-SPA-SC",
        "diplomacy-at-WES",
    )
    assert slots(ROUT, "FRANCE") == ()


def test_each_build_is_a_slot_with_every_unit_that_may_be_built_and_none() -> None:
    assert [each.name for each in slots(WINTER, "FRANCE")] == ["build-1", "build-2"]
    assert [each.text for each in slot("build-1", WINTER).choices] == [
        "A BRE B",
        "A MAR B",
        "A PAR B",
        "F BRE B",
        "F MAR B",
        "FRANCE WAIVE",
    ]
    assert [each.text for each in slot("build-1", WINTER, "RUSSIA").choices] == [
        "A STP B",
        "F STP/NC B",
        "F STP/SC B",
        "RUSSIA WAIVE",
    ]


def test_each_removal_is_a_slot_with_every_unit() -> None:
    assert [each.title for each in slots(WINTER, "GERMANY")] == ["Removal 1 of 2", "Removal 2 of 2"]
    assert texts("remove-2", WINTER, "GERMANY") == {"A BER D", "A DEN D", "A HOL D"}


def test_slots_of_several_powers_are_named_by_them() -> None:
    state = replace(
        opened(2),
        phase="W1901A",
        units={
            **opened(2).units,
            "FRANCE": ("A BUR", "A SPA"),
            "RUSSIA": ("A MOS", "A SEV", "A WAR"),
        },
    )
    assert [each.name for each in slots(state, "ENGLAND")] == ["FRANCE-build-1", "RUSSIA-build-1"]
    assert parse(state, "ENGLAND", "A Par B").open == ("RUSSIA-build-1",)


def test_nobody_has_slots_in_a_match_that_is_over_or_given_up() -> None:
    assert slots(replace(START, conceded=("FRANCE",)), "FRANCE") == ()


# --- all of them


@pytest.mark.parametrize("game", [DIPLOMACY, RSP_DIPLOMACY], ids=lambda game: game.about.key)
@pytest.mark.parametrize(
    "state", [START, COAST, WINTER, ROUT], ids=["start", "coast", "winter", "rout"]
)
def test_every_choice_is_taken_as_it_is_written_without_a_remark(
    game: AnyGame, state: State
) -> None:
    state = replace(state, setup=RSP.setup) if game is RSP_DIPLOMACY else state
    for seat in STANDARD.powers:
        for each in (each for slot in slots(state, seat) for each in slot.choices):
            read = parse(state, seat, each.text)
            assert ("\n".join(map(str, read.orders)), read.refusals, read.remarks) == (
                each.text,
                (),
                (),
            )


def test_the_fullest_board_has_no_more_choices_than_a_page_can_show() -> None:
    seas = [f"F {place.code}" for place in STANDARD.places.values() if place.kind == "sea"]
    state = replace(
        START,
        units={
            "FRANCE": ("A BRE", "A LON", "A SPA", *seas[:14]),
            "ITALY": ("A ROM", "A VEN", "F NAP"),
        },
    )
    assert sum(len(slot.choices) for slot in slots(state, "FRANCE")) < 1500


def test_the_routes_of_armies_are_all_chains_with_a_fleet_in_each_sea() -> None:
    dice, coasts = (
        random.Random("routes"),
        [p for p in STANDARD.places.values() if p.kind == "coast"],
    )
    seas = [code for code, place in STANDARD.places.items() if place.kind == "sea"]
    for _ in range(examples(60, 600)):
        fleets = dice.sample(seas, dice.randint(0, len(seas)))
        armies = [place.code for place in dice.sample(coasts, 8)]
        units = ", ".join([*(f"F {sea}" for sea in fleets), *(f"A {code}" for code in armies)])
        found = Ways(field_of(position("S1903M", f"FRANCE {units}"), "FRANCE")).routes
        for code in armies:
            chains = {to: find_chains(STANDARD, code, to) for to in STANDARD.places}
            whole = {
                to: tuple(each for each in known if each <= set(fleets))
                for to, known in chains.items()
            }
            assert found.get(f"A {code}", {}) == {to: each for to, each in whole.items() if each}
