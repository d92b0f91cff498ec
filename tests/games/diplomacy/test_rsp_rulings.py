"""Rulings of `rsp` on movement: revealed characteristics (R5), no support (R6), convoys by edition
(R7), no order (R8).
"""

from random import Random

import pytest

from adjudicator.games.diplomacy.map.convoys import is_on_chain
from adjudicator.games.diplomacy.map.geography import STANDARD, province_at, province_of
from adjudicator.games.diplomacy.model.editions import EDITIONS
from adjudicator.games.diplomacy.model.orders import BEATS, Convoy, Move, MovementOrder, Support
from adjudicator.games.diplomacy.model.outcomes import Attack
from adjudicator.games.diplomacy.resolve.contests import resolve
from tests.games.diplomacy.arena import fight, reasons, results, settled
from tests.games.diplomacy.positions import random_position

LONDON = "ENGLAND Rock A LON - BEL"
NORTH_SEA = "ENGLAND Scissors F NTH C A LON - BEL"
CHANNEL = "ENGLAND Scissors F ENG C A LON - BEL"
EDITIONS_BY_NAME = pytest.mark.parametrize("edition", ["1976", "2023", "via"])

# --- R5: revealed only in conflict


def test_r5_a_lone_move_into_an_empty_province_shows_nothing():
    assert not fight("GERMANY Rock A PRU - SIL").clashes


def test_r5_a_defender_is_shown_with_all_its_contenders_of_whatever_powers():
    battle = fight(
        "GERMANY Rock A PRU - SIL",
        "GERMANY Paper A BOH - SIL",
        "RUSSIA Scissors A SIL H",
        "RUSSIA Rock A WAR H",
    )
    assert battle.clashes == {"SIL": ("A BOH", "A PRU", "A SIL")}


def test_r5_a_failed_ring_shows_its_units_an_unhindered_one_does_not():
    battle = fight(
        "GERMANY Rock A BER - PRU",
        "RUSSIA Rock A PRU - SIL",
        "FRANCE Rock A SIL - BER",
        "AUSTRIA Rock A GAL - SIL",
    )
    assert battle.clashes["BER"] == ("A BER", "A SIL")
    assert battle.clashes["PRU"] == ("A BER", "A PRU")


def test_r5_a_unit_driven_out_head_to_head_is_shown_where_it_stood_and_not_where_it_went():
    assert fight("GERMANY Rock A PRU - SIL", "RUSSIA Scissors A SIL - PRU").clashes == {
        "SIL": ("A PRU", "A SIL")
    }


def test_r5_a_convoying_fleet_is_a_defender_and_its_army_no_contender_once_the_convoy_is_broken():
    battle = fight(
        LONDON, NORTH_SEA, "GERMANY Rock F HEL - NTH", "GERMANY Rock A BEL H", edition="2023"
    )
    assert battle.clashes == {"NTH": ("F HEL", "F NTH")}


def test_r5_a_convoyed_army_that_gets_in_contends():
    assert fight(LONDON, NORTH_SEA, "GERMANY Scissors A BEL H").clashes == {
        "BEL": ("A BEL", "A LON")
    }


def test_r5_a_ring_that_moves_is_told_alike_whether_it_was_settled_or_chosen():
    """Rocks could as well all have stayed; Rock, Scissors and Paper each beat the next one in any
    case.
    """
    chosen = fight("GERMANY Rock A BER - PRU", "RUSSIA Rock A PRU - SIL", "FRANCE Rock A SIL - BER")
    sure = fight(
        "GERMANY Rock A BER - PRU", "RUSSIA Scissors A PRU - SIL", "FRANCE Paper A SIL - BER"
    )
    assert chosen == sure


# --- R6, R8: no support, no order


def test_r6_a_support_order_counts_as_a_hold():
    owner = {"A PRU": "GERMANY", "A SIL": "RUSSIA", "A BER": "GERMANY"}
    orders: dict[str, MovementOrder] = {
        "A PRU": Move("A PRU", "SIL"),
        "A BER": Support("A BER", "A PRU", "SIL"),
    }
    battle = resolve(
        STANDARD,
        EDITIONS["1976"],
        owner,
        orders,
        {"A PRU": "Rock", "A SIL": "Rock", "A BER": "Rock"},
    )
    assert reasons(battle) == {
        "A PRU": "bounced, defended: A SIL",
        "A SIL": "held, no order",
        "A BER": "held",
    }


def test_r8_a_unit_without_an_order_holds_with_its_characteristic():
    battle = resolve(
        STANDARD,
        EDITIONS["1976"],
        {"A PRU": "GERMANY", "A SIL": "RUSSIA"},
        {"A PRU": Move("A PRU", "SIL")},
        {"A PRU": "Rock", "A SIL": "Scissors"},
    )
    assert battle.dislodged == {"A SIL": Attack("A PRU", convoyed=False)}


# --- R7: convoys


@EDITIONS_BY_NAME
def test_r7_a_convoyed_army_dislodges_what_it_beats(edition: str):
    battle = fight(LONDON, NORTH_SEA, "GERMANY Scissors A BEL H", edition=edition)
    assert battle.dislodged == {"A BEL": Attack("A LON", convoyed=True)}
    assert reasons(battle)["F NTH"] == "convoyed"


@EDITIONS_BY_NAME
def test_r7_a_move_without_an_ordered_route_is_void_and_the_army_defends(edition: str):
    battle = fight(LONDON, "ENGLAND Rock F NTH H", "FRANCE Paper F ENG - LON", edition=edition)
    assert battle.dislodged == {"A LON": Attack("F ENG", convoyed=False)}
    assert reasons(fight(LONDON, edition=edition)) == {"A LON": "void, no convoy"}


@EDITIONS_BY_NAME
def test_r7_a_fleet_that_is_attacked_and_stays_is_not_lost(edition: str):
    battle = fight(LONDON, NORTH_SEA, "GERMANY Scissors F HEL - NTH", edition=edition)
    assert battle.moved == {"A LON": "BEL"}


@EDITIONS_BY_NAME
def test_r7_a_beleaguered_fleet_is_not_lost(edition: str):
    battle = fight(
        LONDON, NORTH_SEA, "GERMANY Rock F HEL - NTH", "RUSSIA Rock F DEN - NTH", edition=edition
    )
    assert battle.moved == {"A LON": "BEL"}


@EDITIONS_BY_NAME
def test_r7_an_army_whose_only_convoy_is_broken_holds(edition: str):
    battle = fight(LONDON, NORTH_SEA, "GERMANY Rock F HEL - NTH", edition=edition)
    assert reasons(battle) == {
        "A LON": "convoy disrupted, convoy broken: F NTH",
        "F NTH": "dislodged, attacked: F HEL",
        "F HEL": "moved",
    }


@pytest.mark.parametrize(("edition", "moved"), [("1976", False), ("2023", True), ("via", True)])
def test_r7_of_two_routes_one_is_enough_but_in_edition_1976(edition: str, moved: bool):
    battle = fight(LONDON, NORTH_SEA, CHANNEL, "GERMANY Rock F HEL - NTH", edition=edition)
    assert ("A LON" in battle.moved) == moved
    # whether the convoy succeeded or not (DATC 6.C.5, 6.H.12)
    assert reasons(battle)["F ENG"] == "convoyed"


@EDITIONS_BY_NAME
def test_r7_a_lost_fleet_on_no_ordered_route_does_not_matter(edition: str):
    route = (
        "ENGLAND Rock A LON - GAS",
        "ENGLAND Rock F ENG C A LON - GAS",
        "ENGLAND Rock F MAO C A LON - GAS",
    )
    battle = fight(
        *route, "ENGLAND Scissors F NWG C A LON - GAS", "RUSSIA Rock F NWY - NWG", edition=edition
    )
    assert results(battle) == {
        "A LON": "moved",
        "F ENG": "convoyed",
        "F MAO": "convoyed",
        "F NWG": "dislodged",
        "F NWY": "moved",
    }


@EDITIONS_BY_NAME
def test_r7_a_fleet_beside_the_ordered_routes_carried_nobody(edition: str):
    route = (
        "ENGLAND Rock A LON - GAS",
        "ENGLAND Rock F ENG C A LON - GAS",
        "ENGLAND Rock F MAO C A LON - GAS",
    )
    assert (
        reasons(fight(*route, "ENGLAND Scissors F NWG C A LON - GAS", edition=edition))["F NWG"]
        == "void, no convoy: A LON"
    )


@EDITIONS_BY_NAME
def test_r7_a_convoy_of_another_move_carries_nobody(edition: str):
    battle = fight(LONDON, "ENGLAND Rock F NTH C A LON - HOL", edition=edition)
    assert reasons(battle) == {"A LON": "void, no convoy", "F NTH": "void, no such order: A LON"}


@EDITIONS_BY_NAME
def test_r7_a_convoy_of_an_army_that_holds_is_void(edition: str):
    assert (
        reasons(fight("ENGLAND Rock A LON H", NORTH_SEA, edition=edition))["F NTH"]
        == "void, no such order: A LON"
    )


@EDITIONS_BY_NAME
def test_r7_a_part_of_a_chain_is_no_route(edition: str):
    battle = fight("ENGLAND Rock A LON - GAS", "ENGLAND Rock F ENG C A LON - GAS", edition=edition)
    assert reasons(battle) == {"A LON": "void, no convoy", "F ENG": "void, no convoy: A LON"}


# --- R7: by convoy to a neighbouring coast

SWAP = ("RUSSIA Rock A NWY - SWE", "GERMANY Rock A SWE - NWY")


@pytest.mark.parametrize(("edition", "moved"), [("1976", True), ("2023", False), ("via", False)])
def test_r7_two_armies_change_places_by_anyones_convoy_in_edition_1976_alone(
    edition: str, moved: bool
):
    battle = fight(*SWAP, "ENGLAND Rock F SKA C A NWY - SWE", edition=edition)
    assert battle.moved == ({"A NWY": "SWE", "A SWE": "NWY"} if moved else {})


def test_r7_an_own_fleet_is_enough_in_edition_2023_but_not_in_via():
    lines = (*SWAP, "RUSSIA Rock F SKA C A NWY - SWE")
    assert len(fight(*lines, edition="2023").moved) == 2
    assert not fight(*lines, edition="via").moved


@pytest.mark.parametrize("edition", ["2023", "via"])
def test_r7_via_convoy_takes_anyones_fleets(edition: str):
    battle = fight(
        "RUSSIA Rock A NWY - SWE VIA", SWAP[1], "ENGLAND Rock F SKA C A NWY - SWE", edition=edition
    )
    assert len(battle.moved) == 2


@pytest.mark.parametrize(
    ("edition", "fate"),
    [("1976", "moved"), ("2023", "void, no convoy"), ("via", "void, no convoy")],
)
def test_r7_via_convoy_without_one_is_void_but_ignored_in_edition_1976(edition: str, fate: str):
    assert reasons(fight("RUSSIA Rock A NWY - SWE VIA", edition=edition))["A NWY"] == fate


@EDITIONS_BY_NAME
def test_r7_a_fleet_goes_by_itself_whatever_words_it_is_sent_with(edition: str):
    assert fight("FRANCE Rock F BRE - PIC VIA", edition=edition).moved == {"F BRE": "PIC"}


def test_r7_via_convoy_inland_is_ignored_in_edition_1976():
    assert fight("GERMANY Rock A MUN - BOH VIA").moved == {"A MUN": "BOH"}


@pytest.mark.parametrize(
    ("edition", "fate"), [("1976", "moved"), ("2023", "convoy disrupted, convoy broken: F SKA")]
)
def test_r7_a_broken_convoy_to_a_neighbour_leaves_the_way_by_land_in_edition_1976_alone(
    edition: str, fate: str
):
    lines = (
        "RUSSIA Paper A NWY - SWE",
        "GERMANY Rock A SWE - NWY",
        "RUSSIA Scissors F SKA C A NWY - SWE",
        "ENGLAND Rock F NTH - SKA",
    )
    battle = fight(*lines, edition=edition)
    assert reasons(battle)["F SKA"] == "dislodged, attacked: F NTH"
    assert reasons(battle)["A NWY"] == fate


def test_r7_in_edition_1976_an_army_goes_by_land_where_the_unit_there_does_not_come_the_other_way():
    """The loss of its fleet does not matter, since the convoy was not used."""
    battle = fight(
        "RUSSIA Rock A NWY - SWE", "RUSSIA Scissors F SKA C A NWY - SWE", "ENGLAND Rock F NTH - SKA"
    )
    assert results(battle) == {"A NWY": "moved", "F SKA": "dislodged", "F NTH": "moved"}
    calm = fight(
        "RUSSIA Rock A NWY - SWE", "RUSSIA Scissors F SKA C A NWY - SWE", "GERMANY Scissors A SWE H"
    )
    assert calm.dislodged == {"A SWE": Attack("A NWY", convoyed=False)}
    assert reasons(calm)["F SKA"] == "void, no such order: A NWY"


def test_r7_a_unit_that_comes_the_other_way_by_convoy_is_not_met_head_to_head():
    lines = (
        "RUSSIA Rock A NWY - SWE",
        "GERMANY Scissors A SWE - NWY",
        "ENGLAND Rock F SKA C A SWE - NWY",
    )
    assert fight(*lines).moved == {"A NWY": "SWE", "A SWE": "NWY"}
    assert set(fight(*lines, edition="via").dislodged) == {"A SWE"}


# --- independence of the order of writing


def test_a_result_never_depends_on_the_order_of_writing():
    chance = Random(20)
    for _ in range(400):
        position = random_position(chance)
        units = chance.sample(sorted(position.owner), len(position.owner))
        shuffled = resolve(
            STANDARD,
            position.edition,
            {unit: position.owner[unit] for unit in units},
            {unit: position.orders[unit] for unit in reversed(units)},
            {unit: position.traits[unit] for unit in chance.sample(units, len(units))},
        )
        assert shuffled == settled(position), str(position)


def test_after_every_battle_the_board_makes_sense():
    chance = Random(21)
    for _ in range(400):
        position = random_position(chance)
        battle = settled(position)
        stood = [
            province_of(unit)
            for unit in position.owner
            if unit not in battle.moved and unit not in battle.dislodged
        ]
        places = [*stood, *map(province_at, battle.moved.values())]
        assert len(places) == len(set(places)), str(position)
        assert not battle.contested & set(places), str(position)
        for unit, attack in battle.dislodged.items():
            assert province_at(battle.moved[attack.by]) == province_of(unit), str(position)
            assert BEATS[position.traits[attack.by]] == position.traits[unit], str(position)
            assert position.owner[attack.by] != position.owner[unit], str(position)


def test_a_board_full_of_convoys_is_settled():
    seas = [place.code for place in STANDARD.places.values() if place.kind == "sea"]
    carriers = [f"F {sea}" for sea in seas if is_on_chain(STANDARD, sea, "STP", "SYR")]
    owner = dict.fromkeys(carriers, "ENGLAND") | {"A STP": "RUSSIA"}
    orders: dict[str, MovementOrder] = {fleet: Convoy(fleet, "A STP", "SYR") for fleet in carriers}
    orders["A STP"] = Move("A STP", "SYR")
    battle = resolve(STANDARD, EDITIONS["1976"], owner, orders, dict.fromkeys(owner, "Rock"))
    assert set(results(battle).values()) == {"convoyed", "moved"}
    assert len(carriers) > 9
