"""Builds and removals of one power: R3, R7 and R9, and the test cases 6.I and 6.J."""

from typing import Any

from adjudicator.games.diplomacy.resolve.resolve_adjustments import account_of, resolve
from tests.games.diplomacy.table import parse_order, position


def settled(
    power: str, units: str, centres: str, *lines: str, **chosen: Any
) -> tuple[list[tuple[str, str]], tuple[str, ...]]:
    """Return the fates of the orders and the units after them."""
    state = position("W1901A", f"{power} {units}" if units else "", f"{power} {centres}", **chosen)
    done = resolve(account_of(state, power), [parse_order(line) for line in lines])  # type: ignore[misc]
    return [(fate.result, fate.why) for fate in done.fates], done.units


def gone(power: str, units: str, centres: str, **chosen: Any) -> tuple[str, ...]:
    """Return the units that civil disorder removes, in order."""
    state = position(
        "W1901A", f"{power} {units}", f"{power} {centres}" if centres else "", **chosen
    )
    return resolve(account_of(state, power), []).removed


# --- builds


def test_r3_builds_are_taken_one_by_one_as_written() -> None:
    fates, units = settled(
        "GERMANY", "A BER, A HOL, F BAL", "BER HOL KIE MUN", "A WAR B", "A KIE B", "A MUN B"
    )
    assert fates == [("void", "not allowed"), ("built", ""), ("void", "too many")]
    assert units == ("A BER", "A HOL", "A KIE", "F BAL")


def test_r3_a_fleet_is_not_built_inland_nor_on_a_coast_left_unnamed() -> None:
    fates, units = settled(
        "RUSSIA", "A WAR", "MOS SEV STP WAR", "F MOS B", "F STP B", "A STP/NC B", "F STP/NC B"
    )
    assert fates == [("void", "not allowed")] * 3 + [("built", "")]
    assert units == ("A WAR", "F STP/NC")


def test_r3_nothing_is_built_where_a_unit_stands_or_was_just_built() -> None:
    fates, _ = settled(
        "RUSSIA", "A WAR, F SEV", "MOS SEV STP WAR", "A WAR B", "A MOS B", "A MOS B", "F SEV B"
    )
    assert [result for result, _ in fates] == ["void", "built", "void", "void"]


def test_r3_nothing_is_built_in_a_home_centre_that_was_lost_or_a_centre_that_is_no_home() -> None:
    assert (
        settled("GERMANY", "A HOL", "DEN HOL KIE", "A BER B", "A DEN B")[0]
        == [("void", "not allowed")] * 2
    )


def test_with_build_anywhere_every_empty_own_centre_is_good_for_a_build() -> None:
    fates, units = settled(
        "GERMANY", "A HOL", "DEN HOL KIE", "A BER B", "F DEN B", "A KIE B", build_anywhere=True
    )
    assert fates == [("void", "not allowed"), ("built", ""), ("built", "")]
    assert units == ("A HOL", "A KIE", "F DEN")


def test_builds_are_due_for_as_many_centres_as_are_free_to_build_in() -> None:
    state = position("W1901A", "FRANCE A PAR", "FRANCE BEL BRE HOL PAR SPA")
    assert (account_of(state, "FRANCE").due, account_of(state, "FRANCE").buildable) == (
        1,
        ("A BRE", "F BRE"),
    )


def test_nothing_can_be_built_where_no_build_is_due() -> None:
    state = position("W1901A", "FRANCE A GAS, A PAR / ITALY A PIE", "FRANCE BRE PAR / ITALY ROM")
    assert account_of(state, "FRANCE").buildable == account_of(state, "ITALY").buildable == ()


def test_a_waived_build_is_used_up() -> None:
    fates, units = settled(
        "FRANCE",
        "A BUR",
        "BEL BRE MAR PAR",
        "A PAR B",
        "FRANCE WAIVE",
        "FRANCE WAIVE",
        "FRANCE WAIVE",
    )
    assert fates == [("built", ""), ("waived", ""), ("waived", ""), ("void", "too many")]
    assert units == ("A BUR", "A PAR")


def test_r3_a_waive_uses_up_what_is_due_only_after_the_builds_of_the_same_list() -> None:
    orders = ("FRANCE WAIVE", "FRANCE WAIVE", "A PAR B", "A PAR B", "F BRE B")
    fates, units = settled("FRANCE", "A BUR", "BEL BRE MAR PAR", *orders)
    assert fates == [
        ("waived", ""),
        ("void", "too many"),
        ("built", ""),
        ("void", "not allowed"),
        ("built", ""),
    ]
    assert units == ("A BUR", "A PAR", "F BRE")


def test_r3_a_waived_build_leaves_the_others_even_where_fewer_centres_are_free_than_builds_are_due() -> (
    None
):
    orders = ("FRANCE WAIVE", "A BRE B", "FRANCE WAIVE", "FRANCE WAIVE", "FRANCE WAIVE")
    fates, units = settled("FRANCE", "A PAR", "BEL BRE HOL PAR SPA", *orders)
    assert [result for result, _ in fates] == ["waived", "built", "waived", "waived", "void"]
    assert units == ("A BRE", "A PAR")


def test_builds_that_nobody_orders_are_left_over() -> None:
    state = position("W1901A", "FRANCE A BUR", "FRANCE BRE MAR PAR")
    assert resolve(account_of(state, "FRANCE"), [parse_order("A PAR B")]).unused == 1  # type: ignore[list-item]


def test_who_has_neither_builds_nor_removals_can_order_none() -> None:
    assert (
        settled("FRANCE", "A BUR", "PAR", "A PAR B", "A BUR D", "FRANCE WAIVE")[0]
        == [("void", "too many")] * 3
    )


# --- removals


def test_r3_removals_are_taken_one_by_one_as_written() -> None:
    fates, units = settled("FRANCE", "A PAR, A PIC", "PAR", "F LYO D", "A PIC D", "A PAR D")
    assert fates == [("void", "no such unit"), ("disbanded", ""), ("void", "too many")]
    assert units == ("A PAR",)


def test_r3_a_unit_is_removed_once_and_civil_disorder_takes_the_rest() -> None:
    fates, units = settled("FRANCE", "A PAR, A PIC, A SPA", "PAR", "A PAR D", "A PAR D")
    assert fates == [("disbanded", ""), ("void", "no such unit")]
    assert units == ("A PIC",)


def test_nothing_is_built_by_who_has_to_remove() -> None:
    assert settled("FRANCE", "A BUR, A SPA", "PAR", "A PAR B", "A BUR D")[0] == [
        ("void", "too many"),
        ("disbanded", ""),
    ]


def test_r3_civil_disorder_takes_the_farthest_first() -> None:
    assert gone("RUSSIA", "A LVN, A SWE", "STP") == ("A SWE",)
    assert gone("RUSSIA", "F BER, F SKA", "STP") == ("F BER",)


def test_r3_armies_and_fleets_are_counted_alike_over_land_and_sea() -> None:
    assert gone("ITALY", "A GRE, A PIE", "NAP") == ("A PIE",)
    assert gone("RUSSIA", "A TYR, F BAL", "WAR") == ("A TYR",)


def test_r3_fleets_go_before_armies_that_are_as_far() -> None:
    assert gone("RUSSIA", "A BOH, F NTH, F SKA", "STP WAR") == ("F NTH",)


def test_r3_then_the_full_english_name_decides_not_the_code() -> None:
    assert gone("RUSSIA", "F BOT, F NTH", "MUN") == ("F BOT",)  # Gulf of Bothnia, North Sea
    assert gone("ITALY", "F ION, F LYO", "ROM") == ("F LYO",)  # Gulf of Lyon, Ionian Sea


def test_r9_edition_2023_counts_from_owned_centres_and_1976_from_home_ones_whoever_owns_them() -> (
    None
):
    assert gone("ITALY", "A TUS, A WAR", "WAR", edition="2023") == ("A TUS",)
    assert gone("ITALY", "A TUS, A WAR", "WAR", edition="1976") == ("A WAR",)


def test_who_has_no_centre_loses_everything_in_either_edition() -> None:
    assert gone("ITALY", "A TUS, F ION", "", edition="2023") == ("F ION", "A TUS")
    assert gone("ITALY", "A TUS, F ION", "", edition="1976") == ("F ION", "A TUS")


def test_there_is_a_choice_where_some_units_stay_and_none_where_all_go() -> None:
    assert account_of(position("W1901A", "ITALY A TUS, F ION", "ITALY NAP"), "ITALY").has_choice()
    assert not account_of(position("W1901A", "ITALY A TUS, F ION"), "ITALY").has_choice()
    assert account_of(position("W1901A", "ITALY A NAP", "ITALY NAP VEN"), "ITALY").has_choice()
    assert not account_of(position("W1901A", "ITALY A NAP", "ITALY NAP BUD"), "ITALY").has_choice()
