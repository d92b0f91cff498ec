"""Contests for a province under `rsp`: the source's examples, defenders, head to head, own units,
rings.
"""

import pytest

from adjudicator.games.diplomacy.model.outcomes import Attack
from tests.games.diplomacy.arena import fight, reasons, results

# --- the source's five examples


def test_example_1_rock_beats_scissors_to_an_empty_province_and_scissors_stays_where_it_was():
    battle = fight("GERMANY Rock A PRU - SIL", "AUSTRIA Scissors A GAL - SIL")
    assert battle.moved == {"A PRU": "SIL"}
    assert reasons(battle)["A GAL"] == "bounced, beaten: A PRU"
    assert not battle.dislodged


def test_example_2_head_to_head_rock_dislodges_scissors():
    battle = fight("GERMANY Rock A PRU - SIL", "RUSSIA Scissors A SIL - PRU")
    assert battle.moved == {"A PRU": "SIL"}
    assert battle.dislodged == {"A SIL": Attack("A PRU", convoyed=False)}


def test_example_3_the_defender_keeps_paper_out_and_is_dislodged_by_rock():
    battle = fight(
        "GERMANY Rock A PRU - SIL", "RUSSIA Scissors A SIL - PRU", "AUSTRIA Paper A GAL - SIL"
    )
    assert battle.moved == {"A PRU": "SIL"}
    assert reasons(battle)["A GAL"] == "bounced, defended: A SIL"
    assert set(battle.dislodged) == {"A SIL"}


def test_example_4_a_unit_that_leaves_has_no_part_in_the_contest():
    battle = fight(
        "GERMANY Rock A PRU - SIL", "RUSSIA Scissors A SIL - BOH", "AUSTRIA Paper A GAL - SIL"
    )
    assert battle.moved == {"A SIL": "BOH", "A GAL": "SIL"}
    assert reasons(battle)["A PRU"] == "bounced, beaten: A GAL"
    assert battle.clashes == {"SIL": ("A GAL", "A PRU")}


def test_example_5_two_that_beat_the_defender_stand_off_and_it_is_a_beleaguered_garrison():
    battle = fight(
        "GERMANY Rock A PRU - SIL", "RUSSIA Scissors A SIL - PRU", "AUSTRIA Rock A GAL - SIL"
    )
    assert not battle.moved
    assert not battle.dislodged
    assert reasons(battle) == {
        "A PRU": "bounced, standoff: A GAL",
        "A SIL": "bounced, head to head: A PRU",
        "A GAL": "bounced, standoff: A PRU",
    }


# --- without a defender


def test_a_lone_contender_moves_in():
    battle = fight("GERMANY Paper A PRU - SIL")
    assert reasons(battle) == {"A PRU": "moved"}
    assert not battle.contested


def test_equal_characteristics_stand_off_and_bar_retreats():
    battle = fight("GERMANY Rock A PRU - SIL", "AUSTRIA Rock A GAL - SIL")
    assert not battle.moved
    assert battle.contested == {"SIL"}


def test_several_of_the_strongest_stand_off_and_keep_the_weaker_out():
    battle = fight(
        "GERMANY Rock A PRU - SIL", "AUSTRIA Rock A GAL - SIL", "ITALY Scissors A BOH - SIL"
    )
    assert not battle.moved
    assert reasons(battle)["A BOH"] == "bounced, standoff: A GAL, A PRU"


def test_the_only_one_of_the_strongest_moves_in_past_several_weaker_ones():
    battle = fight(
        "GERMANY Rock A PRU - SIL", "AUSTRIA Scissors A GAL - SIL", "ITALY Scissors A BOH - SIL"
    )
    assert battle.moved == {"A PRU": "SIL"}


def test_all_three_characteristics_stand_off():
    battle = fight(
        "GERMANY Rock A PRU - SIL", "AUSTRIA Paper A GAL - SIL", "ITALY Scissors A BOH - SIL"
    )
    assert not battle.moved
    assert battle.contested == {"SIL"}
    assert reasons(battle)["A GAL"] == "bounced, standoff: A BOH, A PRU"


def test_a_fleet_and_an_army_contend_for_a_province_on_whatever_coast():
    battle = fight("FRANCE Rock F GAS - SPA/NC", "ITALY Paper F WES - SPA/SC")
    assert battle.moved == {"F WES": "SPA/SC"}
    assert battle.clashes == {"SPA": ("F GAS", "F WES")}


# --- with a defender


@pytest.mark.parametrize(
    ("attacker", "result"),
    [("Rock", "dislodged"), ("Scissors", "held"), ("Paper", "held")],
    ids=["beaten", "equal", "weaker"],
)
def test_a_defender_is_dislodged_only_by_what_beats_it(attacker: str, result: str):
    assert (
        results(fight(f"GERMANY {attacker} A PRU - SIL", "RUSSIA Scissors A SIL H"))["A SIL"]
        == result
    )


def test_two_that_beat_a_holding_defender_stand_off_and_a_third_that_does_not_is_defended_against():
    battle = fight(
        "GERMANY Rock A PRU - SIL",
        "RUSSIA Scissors A SIL H",
        "AUSTRIA Rock A GAL - SIL",
        "ITALY Paper A BOH - SIL",
    )
    assert reasons(battle) == {
        "A PRU": "bounced, standoff: A GAL",
        "A SIL": "held",
        "A GAL": "bounced, standoff: A PRU",
        "A BOH": "bounced, defended: A SIL",
    }
    assert not battle.contested


def test_a_unit_whose_move_fails_defends():
    battle = fight(
        "GERMANY Rock A PRU - SIL", "RUSSIA Scissors A SIL - BOH", "AUSTRIA Scissors A BOH H"
    )
    assert set(battle.dislodged) == {"A SIL"}
    assert reasons(battle)["A SIL"] == "dislodged, attacked: A PRU"


def test_a_unit_dislodged_by_another_one_still_contends():
    battle = fight(
        "RUSSIA Rock A SIL - BOH", "AUSTRIA Rock A VIE - BOH", "GERMANY Paper A MUN - SIL"
    )
    assert set(battle.dislodged) == {"A SIL"}
    assert reasons(battle)["A VIE"] == "bounced, standoff: A SIL"
    assert battle.contested == {"BOH"}


def test_a_unit_dislodged_by_its_head_to_head_opponent_is_no_contender():
    battle = fight("RUSSIA Rock A SIL - PRU", "GERMANY Paper A PRU - SIL", "ITALY Rock A BER - PRU")
    assert battle.moved == {"A PRU": "SIL", "A BER": "PRU"}
    assert set(battle.dislodged) == {"A SIL"}
    assert battle.clashes == {"SIL": ("A PRU", "A SIL")}


def test_a_standoff_does_not_name_a_unit_that_was_driven_out_head_to_head():
    battle = fight(
        "RUSSIA Rock A SIL - PRU",
        "GERMANY Paper A PRU - SIL",
        "ITALY Rock A BER - PRU",
        "TURKEY Rock A WAR - PRU",
    )
    assert reasons(battle)["A BER"] == "bounced, standoff: A WAR"
    assert battle.contested == {"PRU"}


def test_head_to_head_equals_both_stay():
    battle = fight("GERMANY Rock A PRU - SIL", "RUSSIA Rock A SIL - PRU")
    assert reasons(battle) == {
        "A PRU": "bounced, head to head: A SIL",
        "A SIL": "bounced, head to head: A PRU",
    }


# --- own units


def test_a_power_never_dislodges_its_own_unit():
    battle = fight("GERMANY Rock A PRU - SIL", "GERMANY Scissors A SIL H")
    assert reasons(battle) == {"A PRU": "bounced, own unit: A SIL", "A SIL": "held"}


def test_an_own_attacker_that_would_not_have_beaten_the_defender_is_told_so():
    assert (
        reasons(fight("GERMANY Paper A PRU - SIL", "GERMANY Scissors A SIL H"))["A PRU"]
        == "bounced, defended: A SIL"
    )


def test_an_own_attacker_still_stands_off_others():
    battle = fight(
        "GERMANY Rock A PRU - SIL", "GERMANY Scissors A SIL H", "AUSTRIA Rock A GAL - SIL"
    )
    assert not battle.dislodged
    assert reasons(battle)["A GAL"] == "bounced, standoff: A PRU"


def test_an_own_unit_that_does_not_beat_the_defender_stands_off_nobody():
    battle = fight(
        "GERMANY Paper A PRU - SIL", "GERMANY Scissors A SIL H", "AUSTRIA Rock A GAL - SIL"
    )
    assert battle.moved == {"A GAL": "SIL"}


def test_two_own_units_head_to_head_both_stay():
    assert not fight("GERMANY Rock A PRU - SIL", "GERMANY Scissors A SIL - PRU").moved


# --- chains and rings


def test_a_chain_moves_when_its_head_does():
    battle = fight(
        "GERMANY Rock A BER - PRU", "GERMANY Rock A PRU - SIL", "GERMANY Rock A SIL - GAL"
    )
    assert set(results(battle).values()) == {"moved"}


def test_a_chain_stops_when_its_head_does():
    battle = fight(
        "GERMANY Rock A BER - PRU",
        "GERMANY Rock A PRU - SIL",
        "GERMANY Rock A SIL - GAL",
        "AUSTRIA Rock A GAL H",
    )
    assert not battle.moved


def test_three_units_rotate_and_show_nothing():
    battle = fight(
        "GERMANY Rock A BER - PRU", "RUSSIA Paper A PRU - SIL", "FRANCE Paper A SIL - BER"
    )
    assert len(battle.moved) == 3
    assert not battle.clashes
    assert set(reasons(battle).values()) == {"moved"}


def test_a_ring_stops_where_an_outsider_beats_one_of_its_units_to_the_place():
    battle = fight(
        "GERMANY Rock A BER - PRU",
        "RUSSIA Rock A PRU - SIL",
        "FRANCE Rock A SIL - BER",
        "AUSTRIA Rock A GAL - SIL",
    )
    assert not battle.moved
    assert battle.clashes["SIL"] == ("A GAL", "A PRU", "A SIL")
    assert not battle.contested


def test_a_ring_rotates_past_an_outsider_that_is_beaten():
    battle = fight(
        "GERMANY Rock A BER - PRU",
        "RUSSIA Rock A PRU - SIL",
        "FRANCE Rock A SIL - BER",
        "AUSTRIA Scissors A GAL - SIL",
    )
    assert set(battle.moved) == {"A BER", "A PRU", "A SIL"}
    assert reasons(battle)["A GAL"] == "bounced, beaten: A PRU"
    assert battle.clashes == {"SIL": ("A GAL", "A PRU")}


def test_two_units_do_not_swap_by_land_even_of_one_power():
    assert not fight("GERMANY Rock A BER - PRU", "GERMANY Rock A PRU - BER").moved


def test_a_ring_without_a_consistent_result_fails_and_who_waits_for_it_meets_the_units_that_stayed():
    battle = fight(
        "FRANCE Scissors A SIL - BER",
        "ITALY Scissors A BER - PRU",
        "GERMANY Rock A PRU - SIL",
        "AUSTRIA Paper A GAL - SIL",
    )
    assert not battle.moved
    assert not battle.dislodged
    assert reasons(battle) == {
        "A SIL": "bounced, defended: A BER",
        "A BER": "bounced, defended: A PRU",
        "A PRU": "bounced, defended: A SIL",
        "A GAL": "bounced, defended: A SIL",
    }
    assert battle.clashes["SIL"] == ("A GAL", "A PRU", "A SIL")


def test_a_ring_with_two_results_takes_the_one_in_which_more_of_its_moves_succeed():
    battle = fight(
        "GERMANY Paper A PRU - BER",
        "GERMANY Rock A BER - SIL",
        "RUSSIA Scissors A SIL - PRU",
        "AUSTRIA Paper A GAL - SIL",
        "TURKEY Rock A WAR - PRU",
    )
    assert battle.moved == {"A PRU": "BER", "A BER": "SIL", "A WAR": "PRU"}
    assert set(battle.dislodged) == {"A SIL"}


def test_a_ring_with_two_results_of_equally_many_successes_fails():
    battle = fight(
        "GERMANY Paper A MUN - BER",
        "GERMANY Rock A BER - PRU",
        "RUSSIA Scissors A PRU - SIL",
        "RUSSIA Scissors A SIL - MUN",
        "TURKEY Paper A WAR - PRU",
        "ITALY Rock A TYR - MUN",
    )
    assert not battle.moved
    assert not battle.dislodged
    assert not battle.contested
    assert reasons(battle)["A BER"] == "bounced, defended: A PRU"


def test_moves_that_wait_for_a_ring_are_settled_after_it():
    ring = ("GERMANY Rock A BER - PRU", "RUSSIA Rock A PRU - SIL", "FRANCE Rock A SIL - BER")
    battle = fight(
        *ring, "AUSTRIA Scissors A GAL - SIL", "ITALY Rock A VIE - GAL", "TURKEY Paper A TRI - VIE"
    )
    assert set(battle.moved) == {"A BER", "A PRU", "A SIL", "A VIE", "A TRI"}
    assert set(battle.dislodged) == {"A GAL"}


def test_a_ring_with_a_move_that_has_the_same_result_in_any_case_follows_from_that():
    """Rock enters Prussia whether the unit there leaves or stays. So Berlin becomes free, and then
    Silesia.
    """
    battle = fight(
        "GERMANY Rock A BER - PRU",
        "RUSSIA Scissors A PRU - SIL",
        "FRANCE Rock A SIL - BER",
        "AUSTRIA Rock A GAL - SIL",
    )
    assert battle.moved == {"A BER": "PRU", "A SIL": "BER", "A GAL": "SIL"}
    assert set(battle.dislodged) == {"A PRU"}
