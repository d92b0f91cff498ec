"""The differences between the editions in standard movement (R9)."""

from dataclasses import replace

import pytest

from adjudicator.games.diplomacy.map.geography import STANDARD, Unit
from adjudicator.games.diplomacy.model.editions import EDITIONS
from adjudicator.games.diplomacy.model.orders import Convoy, Hold, Move, MovementOrder, Support
from adjudicator.games.diplomacy.model.outcomes import Fate
from adjudicator.games.diplomacy.resolve import movement
from tests.games.diplomacy.battlefields import fight


def test_r9_a_convoy_of_several_routes_stands_in_2023_while_one_is_whole_and_in_1976_only_while_all_are():
    lines = (
        "ENGLAND A LON - BEL; F ENG C A LON - BEL; F NTH C A LON - BEL",
        "FRANCE F MAO - ENG; F BRE S F MAO - ENG",
    )
    assert fight(*lines).moved["A LON"] == "BEL"
    assert fight(*lines, edition="1976").fates["A LON"] == Fate(
        "convoy disrupted", "convoy broken", ("F ENG",)
    )


def test_r9_in_1976_a_lost_fleet_on_no_whole_ordered_route_does_not_matter():
    lines = (
        "ENGLAND A LVP - EDI; F NAO C A LVP - EDI; F NWG C A LVP - EDI; F ENG C A LVP - EDI",
        "FRANCE F MAO - ENG; F BRE S F MAO - ENG",
    )
    russia = "RUSSIA A EDI - LVP"
    assert fight(*lines, russia, edition="1976").moved == {
        "A LVP": "EDI",
        "A EDI": "LVP",
        "F MAO": "ENG",
    }


@pytest.mark.parametrize(("edition", "moved"), [("2023", False), ("via", False), ("1976", True)])
def test_r9_only_in_1976_the_words_via_convoy_are_ignored(edition, moved):
    assert ("A PAR" in fight("FRANCE A PAR - BUR VIA", edition=edition).moved) == moved
    assert ("A BEL" in fight("FRANCE A BEL - HOL VIA", edition=edition).moved) == moved


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_r9_the_words_via_convoy_mean_nothing_to_a_fleet(edition):
    assert fight("FRANCE F BRE - ENG VIA", edition=edition).moved == {"F BRE": "ENG"}


@pytest.mark.parametrize(
    ("edition", "own", "foreign"),
    [("2023", True, False), ("via", False, False), ("1976", True, True)],
)
def test_r9_an_army_changes_places_with_its_neighbour_by_whose_fleet(edition, own, foreign):
    swap = ("ENGLAND A NWY - SWE", "RUSSIA A SWE - NWY")
    assert bool(fight(*swap, "ENGLAND F SKA C A NWY - SWE", edition=edition).moved) == own
    assert bool(fight(*swap, "GERMANY F SKA C A NWY - SWE", edition=edition).moved) == foreign


def test_r9_in_1976_a_broken_convoy_to_a_neighbour_leaves_the_way_by_land():
    broken = (
        "GERMANY F SKA C A NWY - SWE",
        "FRANCE F NTH - SKA; F DEN S F NTH - SKA",
        "RUSSIA A SWE - NWY",
    )
    alone = fight("ENGLAND A NWY - SWE", *broken, edition="1976")
    assert alone.fates["A NWY"] == Fate("bounced", "head to head", ("A SWE",))
    helped = fight("ENGLAND A NWY - SWE; F FIN S A NWY - SWE", *broken, edition="1976")
    assert helped.fates["A SWE"] == Fate("dislodged", "attacked", ("A NWY",))
    assert not helped.dislodged["A SWE"].convoyed


def test_r9_in_1976_an_army_goes_by_land_to_a_neighbour_that_does_not_come_the_other_way():
    battle = fight(
        "ENGLAND A NWY - SWE; F SKA C A NWY - SWE; F FIN S A NWY - SWE",
        "RUSSIA A SWE H",
        edition="1976",
    )
    assert not battle.dislodged["A SWE"].convoyed


def test_r9_in_1976_only_the_way_of_the_exchange_is_a_convoy():
    meeting = fight(
        "FRANCE A PAR - BUR VIA; A GAS S A PAR - BUR", "GERMANY A BUR - PAR", edition="1976"
    )
    assert meeting.fates["A BUR"] == Fate("dislodged", "attacked", ("A PAR",))
    leaving = ("RUSSIA A SWE - DEN", "GERMANY A DEN H")
    passing = fight(
        "ENGLAND A NWY - SWE; F SKA C A NWY - SWE; F FIN S A NWY - SWE", *leaving, edition="1976"
    )
    assert not passing.dislodged["A SWE"].convoyed


def test_r9_xii_5_in_1976_a_convoyed_army_does_not_cut_a_support_for_an_attack_on_its_own_convoy():
    lines = ("FRANCE A BRE - LON; F ENG C A BRE - LON", "ENGLAND F LON S F WAL - ENG; F WAL - ENG")
    by_1976 = fight(*lines, edition="1976")
    assert by_1976.fates["F LON"] == Fate("supported")
    assert by_1976.fates["A BRE"] == Fate("convoy disrupted", "convoy broken", ("F ENG",))
    assert fight(*lines).fates["A BRE"] == Fate("convoy disrupted", "paradox", ("F LON",))


def test_r9_xii_5_does_not_save_a_support_that_holds_a_fleet():
    battle = fight(
        "ENGLAND A LON - BEL; F NTH C A LON - BEL",
        "FRANCE F BEL S F NTH",
        "GERMANY F HEL - NTH; F SKA S F HEL - NTH",
        edition="1976",
    )
    assert battle.fates["A LON"].why == "paradox"


def test_another_edition_is_a_record_of_policies():
    mixed = replace(EDITIONS["2023"], convoy="all")
    owner = {
        "A LON": "ENGLAND",
        "F ENG": "ENGLAND",
        "F NTH": "ENGLAND",
        "F MAO": "FRANCE",
        "F BRE": "FRANCE",
    }
    orders: dict[Unit, MovementOrder] = {
        "A LON": Move("A LON", "BEL"),
        "F ENG": Convoy("F ENG", "A LON", "BEL"),
        "F NTH": Convoy("F NTH", "A LON", "BEL"),
        "F MAO": Move("F MAO", "ENG"),
        "F BRE": Support("F BRE", "F MAO", "ENG"),
    }
    assert (
        movement.resolve(STANDARD, mixed, owner, orders).fates["A LON"].result == "convoy disrupted"
    )
    assert (
        movement.resolve(STANDARD, mixed, owner, orders | {"F BRE": Hold("F BRE")})
        .fates["A LON"]
        .result
        == "moved"
    )
