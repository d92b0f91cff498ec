"""Remarks on valid orders that have no effect on the board, or that contradict other orders of the
seat.
"""

from dataclasses import replace

import pytest

from adjudicator.games.diplomacy.model.state import Homeless, State
from adjudicator.games.diplomacy.ordering.parsing import parse
from tests.games.diplomacy.table import opened, position

START = opened()
COAST = position(
    "S1903M",
    "FRANCE A BEL, A BRE, F ENG, F NTH, A GAS, F MAO / ENGLAND A LON, F IRI, F NWG / GERMANY A HOL,"
    " A RUH, F DEN",
)
LATE = position("S1903M", "FRANCE A BEL, F ENG / ENGLAND F NTH", edition="1976")
RSP = opened(rule_set="rsp")


def remarks(text: str, state: State = START, seat: str = "FRANCE") -> tuple[str, ...]:
    """Return the remarks on a text without refusals."""
    parsed = parse(state, seat, text.replace("; ", "\n"))
    assert parsed.refusals == ()
    return parsed.remarks


QUIET = [
    "A Par - Bur; A Mar S A Par - Bur; F Bre - Mao",
    "A Mar S A Par - Bur",  # Paris has no order yet
    "A Mar S A Ven - Pie",  # the order of another power's unit is not known
    "A Mar - Spa; F Bre - Gas; A Par H",
    "A Par - Bre; F Bre - Mao",
]


@pytest.mark.parametrize("text", QUIET)
def test_orders_that_fit_together_are_no_remark(text: str) -> None:
    assert remarks(text) == ()


CONTRADICTIONS = [
    (
        "A Mar S A Par - Bur; A Par - Pic",
        "A MAR S A PAR - BUR: A PAR is ordered A PAR - PIC, so there is no such move to support.",
    ),
    (
        "A Mar S A Par - Bur; A Par H",
        "A MAR S A PAR - BUR: A PAR is ordered A PAR H, so there is no such move to support.",
    ),
    (
        "A Par S F Bre; F Bre - Mao",
        (
            "A PAR S F BRE: F BRE is ordered F BRE - MAO, and a unit that moves is not supported to"
            " hold."
        ),
    ),
    (
        "A Par - Gas; A Mar - Gas",
        (
            "A PAR - GAS and A MAR - GAS keep each other out of Gascony, unless one of them is"
            " supported."
        ),
    ),
    (
        "A Par - Bre; F Bre H",
        "A PAR - BRE: your own F BRE is not ordered to leave, so this move cannot get in.",
    ),
]


@pytest.mark.parametrize(("text", "remark"), CONTRADICTIONS)
def test_orders_that_contradict_each_other_are_told(text: str, remark: str) -> None:
    assert remarks(text) == (remark,)


def test_two_to_one_province_are_no_remark_where_one_is_supported() -> None:
    state = position("S1902M", "FRANCE A PAR, A MAR, F BRE")
    assert remarks("A Par - Gas; A Mar - Gas; F Bre S A Par - Gas", state) == ()


def test_two_units_that_change_places_are_told_unless_a_convoy_may_be_there() -> None:
    state = position("S1902M", "FRANCE A BEL, A PIC, F ENG")
    swap = "A BEL - PIC and A PIC - BEL: two units change places only if one of them is convoyed."
    assert remarks("A Bel - Pic; A Pic - Bel", state) == (
        swap,
        "A PIC - BEL and A BEL - PIC: " + swap.partition(": ")[2],
    )
    assert remarks("A Bel - Pic via; A Pic - Bel; F Eng C A Bel - Pic", state) == ()
    assert remarks("A Bel - Pic; A Pic - Bel; F Eng C A Bel - Pic", state) == ()


CONVOYS = [
    ("A Bre - Yor", ()),
    ("A Bel - Nwy; F Nth C A Bel - Nwy", ()),
    (
        "A Bel - Nwy; F Nth H",
        ("A BEL - NWY: to convoy it your own F NTH is needed, which is ordered otherwise.",),
    ),
    (
        "A Bre - Yor; F Eng H",
        ("A BRE - YOR: to convoy it your own F ENG is needed, which is ordered otherwise.",),
    ),
    (
        "A Gas - Tun",
        (
            (
                "A GAS - TUN: no fleets on the board could convoy it there, so this move cannot be"
                " made."
            ),
        ),
    ),
    (
        "F Eng C A Bel - Bre; A Bel H",
        ("F ENG C A BEL - BRE: A BEL is ordered A BEL H, so there is no such move to convoy.",),
    ),
    ("F Mao C A Bre - Naf; A Bre - Naf", ()),
    (
        "F Mao C A Gas - Nap",
        (
            (
                "F MAO C A GAS - NAP: this convoy cannot succeed, other fleets that it needs are"
                " not on the board."
            ),
        ),
    ),
    ("F Eng C A Lon - Bel", ()),
]


@pytest.mark.parametrize(("text", "told"), CONVOYS)
def test_R1_a_convoy_that_cannot_be_given_is_told_and_taken(
    text: str, told: tuple[str, ...]
) -> None:
    assert remarks(text, COAST) == told


def test_R1_the_words_via_convoy_are_told_to_be_of_no_use_where_no_fleets_are() -> None:
    told = "A BEL - PIC VIA: no fleets on the board could convoy it there; VIA is of no use."
    assert remarks("A Bel - Pic via", position("S1902M", "FRANCE A BEL")) == (told,)


def test_R1_a_support_of_a_move_that_no_fleets_could_convoy_is_told_and_taken() -> None:
    state = position("S1902M", "FRANCE A GAS / ENGLAND A LON")
    told = (
        "A GAS S A LON - BRE: this support cannot succeed, no such move can be made: no fleets on"
        " the board could convoy it."
    )
    assert remarks("A Gas S A Lon - Bre", state) == (told,)


def test_R9_in_edition_1976_the_words_via_convoy_are_told_to_mean_nothing() -> None:
    state = position("S1902M", "FRANCE A BEL, F NTH", edition="1976")
    assert remarks("A Bel - Hol via; F Nth C A Bel - Hol", state) == (
        "A BEL - HOL VIA: in this match’s edition, 1976, the words via convoy are ignored.",
    )
    assert remarks("A Bel - Nwy via; F Nth C A Bel - Nwy", state) == ()


def test_units_of_two_powers_of_one_seat_are_not_in_each_other_s_way() -> None:
    state = opened(2)
    assert remarks("A Mun - Bur; A Vie - Boh", state, "GERMANY") == ()
    meeting = replace(state, units={**state.units, "AUSTRIA": ("A BOH",)})
    assert remarks("A Mun - Boh; A Boh H", meeting, "GERMANY") == ()


def test_rsp_two_units_to_one_province_are_no_remark_since_they_are_no_equals() -> None:
    assert remarks("A Par - Gas; A Mar - Gas", RSP) == ()


def test_R2_two_own_units_that_retreat_to_one_province_are_told() -> None:
    away = [
        Homeless("A BUR", "FRANCE", "A MUN", "MUN", ("GAS", "PAR")),
        Homeless("F MAO", "FRANCE", "F NAO", "NAO", ("GAS", "POR")),
    ]
    state = replace(position("S1902R", "FRANCE A BRE"), homeless=tuple(away))
    told = "A BUR R GAS and F MAO R GAS: units that retreat to one province are all disbanded."
    assert remarks("A Bur - Gas; F Mao - Gas", state) == (told,)
    assert remarks("A Bur - Par; F Mao - Gas", state) == ()
