"""The possible retreats of dislodged units and the results of retreat orders (R2), for hand-written
battles.
"""

import pytest

from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.model.editions import EDITIONS
from adjudicator.games.diplomacy.model.outcomes import Attack, Battle, Fate
from adjudicator.games.diplomacy.model.state import Homeless
from adjudicator.games.diplomacy.resolve import resolve_retreats
from tests.games.diplomacy.table import parse_order


def ways(
    board: str, moved: str, *, convoyed: bool = False, contested: str = "", edition: str = "2023"
) -> dict[str, tuple[str, ...]]:
    """Return the possible retreats of each dislodged unit: on a board `ITALY F TYS, FRANCE F WES`,
    after moves `F TYS - WES`.
    """
    owner = {unit: power for power, _, unit in (each.partition(" ") for each in board.split(", "))}
    moves = dict(each.split(" - ") for each in moved.split(", "))
    ends = {to[:3]: unit for unit, to in moves.items()}
    driven = {
        unit: Attack(ends[unit[2:5]], convoyed)
        for unit in owner
        if unit not in moves and unit[2:5] in ends
    }
    battle = Battle(
        {unit: Fate("held") for unit in owner}, moves, driven, frozenset(contested.split())
    )
    return {
        each.unit: each.retreats
        for each in resolve_retreats.find_homeless(STANDARD, EDITIONS[edition], owner, battle)
    }


def fates(homeless: list[tuple[str, str]], *lines: str) -> dict[str, tuple[str, ...]]:
    """Return the results of orders for units with these possible retreats."""
    units = [
        Homeless(unit, "FRANCE", "A MUN", None, tuple(places.split())) for unit, places in homeless
    ]
    done = resolve_retreats.resolve(units, {each.unit: each for each in map(parse_order, lines)})  # type: ignore[union-attr, misc]
    return {unit: (fate.result, fate.why, *fate.by) for unit, fate in done.items()}


# --- possible retreats


def test_homeless_units_stand_in_the_order_of_power_and_unit_whatever_the_order_of_the_battle() -> (
    None
):
    board = (
        "ITALY F LYO, FRANCE F SPA/SC, FRANCE A BUR, ITALY F WES, GERMANY A MUN, ITALY A TUS,"
        " ENGLAND A PIE"
    )
    assert list(ways(board, "F WES - SPA/SC, A MUN - BUR, A PIE - TUS")) == [
        "A BUR",
        "F SPA/SC",
        "A TUS",
    ]


def test_r2_a_unit_goes_to_neighbours_that_are_empty_after_the_moves_and_not_to_where_its_dislodger_came_from() -> (
    None
):
    board = "FRANCE A BUR, GERMANY A MUN, GERMANY A RUH, FRANCE A PAR, FRANCE A MAR"
    assert ways(board, "A MUN - BUR, A PAR - PIC") == {"A BUR": ("BEL", "GAS", "PAR")}


def test_r2_a_province_that_was_left_is_free() -> None:
    assert (
        "RUH"
        in ways("FRANCE A BUR, GERMANY A MUN, GERMANY A RUH", "A MUN - BUR, A RUH - HOL")["A BUR"]
    )


def test_r2_a_province_left_vacant_by_a_standoff_is_barred() -> None:
    assert "PAR" not in ways("FRANCE A BUR, GERMANY A MUN", "A MUN - BUR", contested="PAR")["A BUR"]


def test_r2_both_coasts_of_a_province_count_as_one() -> None:
    board = "FRANCE F WES, ITALY F TYS"
    assert ways(board, "F TYS - WES", contested="SPA") == {"F WES": ("LYO", "MAO", "NAF", "TUN")}
    assert "SPA/SC" not in ways(f"{board}, FRANCE F SPA/NC", "F TYS - WES")["F WES"]
    assert "SPA/NC" not in ways("ENGLAND F POR, FRANCE F SPA/SC", "F SPA/SC - POR")["F POR"]


def test_r2_a_fleet_keeps_to_its_coast_and_an_army_to_the_land() -> None:
    assert ways("RUSSIA F STP/SC, GERMANY A LVN", "A LVN - STP") == {"F STP/SC": ("BOT", "FIN")}
    assert ways("ENGLAND A BRE, FRANCE A PIC", "A PIC - BRE") == {"A BRE": ("GAS", "PAR")}


@pytest.mark.parametrize(("edition", "free"), [("2023", True), ("via", True), ("1976", False)])
def test_r2_where_a_convoyed_attacker_came_from_is_free_in_some_editions(
    edition: str, free: bool
) -> None:
    found = ways("FRANCE A PIC, ENGLAND A BEL", "A BEL - PIC", convoyed=True, edition=edition)[
        "A PIC"
    ]
    assert ("BEL" in found) == free


def test_a_unit_with_nowhere_to_go_is_listed_with_no_retreats() -> None:
    assert ways("ENGLAND F POR, FRANCE F SPA/SC, FRANCE F MAO", "F SPA/SC - POR") == {"F POR": ()}


def test_homeless_units_carry_who_drove_them_out_and_what_they_are() -> None:
    owner = {"A BUR": "FRANCE", "A MUN": "GERMANY"}
    battle = Battle({}, {"A MUN": "BUR"}, {"A BUR": Attack("A MUN", convoyed=False)}, frozenset())
    (found,) = resolve_retreats.find_homeless(
        STANDARD, EDITIONS["1976"], owner, battle, traits={"A BUR": "Rock", "A MUN": "Paper"}
    )
    assert (found.power, found.by, found.barred, found.trait) == ("FRANCE", "A MUN", "MUN", "Rock")


# --- results


def test_r2_two_that_retreat_to_one_province_are_both_disbanded_whatever_the_coast() -> None:
    done = fates(
        [("F AEG", "BUL/SC GRE"), ("F BLA", "BUL/EC RUM"), ("A SER", "ALB")],
        "F AEG R BUL/SC",
        "F BLA R BUL/EC",
        "A SER R ALB",
    )
    assert done["F AEG"] == ("disbanded", "several retreats", "F BLA")
    assert done["F BLA"] == ("disbanded", "several retreats", "F AEG")
    assert done["A SER"] == ("retreated", "")


def test_r2_so_are_three_each_told_of_the_others_in_alphabetical_order() -> None:
    done = fates(
        [("F TRI", "ALB"), ("A SER", "ALB"), ("F GRE", "ALB")],
        "F TRI R ALB",
        "A SER R ALB",
        "F GRE R ALB",
    )
    assert done["A SER"] == ("disbanded", "several retreats", "F GRE", "F TRI")
    assert done["F GRE"] == ("disbanded", "several retreats", "A SER", "F TRI")


def test_r2_a_retreat_that_is_not_allowed_disbands_its_unit_and_stops_nobody() -> None:
    done = fates([("A SER", "ALB"), ("A BUD", "GAL TRI")], "A SER R TRI", "A BUD R TRI")
    assert done == {"A SER": ("disbanded", "not allowed"), "A BUD": ("retreated", "")}


def test_r7_a_unit_without_an_order_is_disbanded() -> None:
    assert fates([("A SER", "ALB"), ("F POR", ""), ("A BUD", "GAL")], "A BUD D") == {
        "A SER": ("disbanded", "no order"),
        "F POR": ("disbanded", "no retreat"),
        "A BUD": ("disbanded", ""),
    }
