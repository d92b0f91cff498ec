"""The legality of orders (R1), and the chains of seas for convoys (rsp R7)."""

from itertools import combinations

import pytest

from adjudicator.games.diplomacy.map.convoys import find_chains, is_on_chain
from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.model.editions import EDITIONS
from adjudicator.games.diplomacy.model.orders import MovementOrder
from adjudicator.games.diplomacy.resolve.legality import find_fault
from tests.games.diplomacy.table import parse_order

BOARD = (
    "A PAR, A LVP, A YOR, A BUL, F MAO, F GAS, A MAR, F SPA/NC, F MAR, A MUN, F KIE, A RUH, F BLA,"
    " A RUM, A GAS, F IRI, F ENG, A LON"
)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("A PAR - BUR", ""),
        ("A PAR - MAR", "unreachable"),
        ("A LVP - IRI", "unreachable"),
        ("A YOR - HOL", ""),  # without a fleet to carry it the move is useless, not illegal (R1)
        ("A YOR - YOR", "unreachable"),
        ("A MAR - SEV", "unreachable"),  # no sea leads into the Black Sea
        ("A BUL - SEV", ""),
        ("A GAS - SPA/NC", "coast"),
        ("F MAO - SPA", "coast"),
        ("F GAS - SPA/SC", "coast"),
        ("F MAO - PAR", "unreachable"),
        ("F GAS S A MAR - SPA", ""),
        ("F SPA/NC S F MAR - LYO", "unreachable"),
        ("A MUN S F KIE - BER", ""),
        ("A RUH S F KIE - MUN", "not possible"),
        ("F BLA S A RUM - ARM", "not possible"),  # only this fleet could carry it (DATC 6.D.31)
        ("A MUN S A MUN", "not possible"),
        ("A MUN S A SIL", "no such unit"),
        ("F IRI C A LON - BEL", "not possible"),  # on no minimal route (DATC 6.F.12)
        ("F ENG C A LON - BEL", ""),
        ("F KIE C A LON - BEL", "not possible"),
        ("F ENG C F GAS - LON", "not possible"),
    ],
)
def test_r1_an_order_is_at_fault_if_its_unit_can_never_follow_it(text, why):
    owner = dict.fromkeys(BOARD.split(", "), "FRANCE")
    given_order = parse_order(text)
    assert isinstance(given_order, MovementOrder)
    assert find_fault(STANDARD, EDITIONS["2023"], owner, given_order) == why


@pytest.mark.parametrize(
    ("edition", "why"), [("2023", "not possible"), ("via", "not possible"), ("1976", "")]
)
@pytest.mark.parametrize("text", ["A PAR - BUR VIA", "A BUL - SER VIA", "A RUH - BEL VIA"])
def test_r1_an_army_never_goes_via_convoy_where_no_seas_lead_and_in_1976_these_words_are_ignored(
    text, edition, why
):
    order = parse_order(text)
    assert isinstance(order, MovementOrder)
    assert find_fault(STANDARD, EDITIONS[edition], {order.unit: "FRANCE"}, order) == why


def test_rsp_r7_a_chain_of_seas_has_no_link_too_many():
    assert find_chains(STANDARD, "LON", "BEL") == (frozenset({"ENG"}), frozenset({"NTH"}))
    assert frozenset({"IRI", "ENG", "NTH"}) in find_chains(STANDARD, "LVP", "EDI")
    assert not find_chains(STANDARD, "PAR", "LON")
    assert not is_on_chain(STANDARD, "WES", "MAR", "SPA")


def test_rsp_r7_no_chain_of_seas_holds_another_one():
    coasts = [code for code, place in STANDARD.places.items() if place.kind == "coast"]
    for frm, to in combinations(coasts, 2):
        found = find_chains(STANDARD, frm, to)
        assert set(found) == set(find_chains(STANDARD, to, frm))
        assert not any(one < other for one in found for other in found)
