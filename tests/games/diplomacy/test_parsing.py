"""What a text of orders comes to on its position: which orders count, and what is said of each that cannot be taken."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.game import Parsed, Refusal
from adjudicator.games.diplomacy.geography import STANDARD
from adjudicator.games.diplomacy.orders import Order
from adjudicator.games.diplomacy.parsing import parse
from adjudicator.games.diplomacy.state import Homeless, State
from tests.games.diplomacy.table import opened, position

START = opened()
RSP = opened(rule_set="rsp")
SEA = position("F1902M", "ENGLAND F NTH, F EDI / FRANCE A BEL, F ENG, F MAO, F SPA/NC / GERMANY A MUN, F KIE")
WINTER = position(
    "W1901A",
    "FRANCE A BUR, A MAR, F MAO / GERMANY A BER, A DEN, A HOL, F KIE / RUSSIA A MOS",
    "FRANCE BEL BRE MAR PAR SPA / GERMANY BER KIE MUN / RUSSIA MOS SEV STP WAR",
)
ROUT = replace(
    position("S1902R", "FRANCE A BUR / GERMANY A MUN / AUSTRIA A SER, F TRI"),
    homeless=(
        Homeless("A BUR", "GERMANY", "A PAR", "PAR", ("BEL", "RUH")),
        Homeless("F BUL/SC", "TURKEY", "A SER", "SER", ("AEG", "CON")),
        Homeless("F MAO", "ENGLAND", "F NAO", "NAO", ("IRI", "SPA/NC", "SPA/SC")),
    ),
    contested=("PIC",),
)


def read(text: str, state: State = START, seat: str = "FRANCE") -> Parsed[Order]:
    """Read a text."""
    return parse(state, seat, text)


def good(text: str, state: State = START, seat: str = "FRANCE") -> str:
    """Return the orders of a text without a fault, in canonical spelling."""
    parsed = read(text, state, seat)
    assert parsed.refusals == ()
    return ", ".join(str(order) for order in parsed.orders)


def refused(text: str, state: State = START, seat: str = "FRANCE") -> Refusal:
    """Return the one refusal of a text that gives no order."""
    parsed = read(text, state, seat)
    assert parsed.orders == () and len(parsed.refusals) == 1, parsed
    return parsed.refusals[0]


# --- what counts


def test_several_orders_in_many_spellings_are_read_and_the_slots_left_are_told() -> None:
    parsed = read("France: A Par-Bur; par-Bur, f brest to mao")
    assert [str(order) for order in parsed.orders] == ["A PAR - BUR", "F BRE - MAO"]
    assert (parsed.refusals, parsed.remarks, parsed.open) == ((), (), ("MAR",))


def test_G8_of_two_orders_for_one_unit_the_later_counts_with_a_remark() -> None:
    parsed = read("A Par-Bur\nA Mar H\nA Par-Pic")
    assert [str(order) for order in parsed.orders] == ["A MAR H", "A PAR - PIC"]
    assert parsed.remarks == ("A PAR - BUR does not count: the later line, A PAR - PIC, does.",)


def test_G8_the_same_order_twice_is_no_remark() -> None:
    assert good("A Par-Bur\nA Par - Burgundy") == "A PAR - BUR"
    assert read("A Par-Bur\nA Par - Burgundy").remarks == ()


def test_G2_a_bad_line_is_refused_and_the_good_ones_are_kept() -> None:
    parsed = read("A Par-Bur\nnonsense\nA Mar - Lon 5")
    assert [str(order) for order in parsed.orders] == ["A PAR - BUR"]
    assert [(refusal.line, refusal.piece) for refusal in parsed.refusals] == [("nonsense", "nonsense"), ("A Mar - Lon 5", "5")]


def test_votes_and_a_concession_stand_beside_the_orders_and_the_last_vote_counts() -> None:
    parsed = read("draw\nA Par H\nno draw")
    assert [str(order) for order in parsed.orders] == ["A PAR H", "NO DRAW"]
    assert read("concede").open == ()


def test_a_unit_may_be_named_without_its_kind_and_a_fleet_without_its_coast() -> None:
    assert good("Spa - Gas\nMao S Spa - Gas", SEA) == "F SPA/NC - GAS, F MAO S F SPA/NC - GAS"


def test_DATC_6B10_the_coast_a_unit_is_not_on_is_read_as_the_one_it_is_on() -> None:
    parsed = read("F Spa(sc) - Gas", SEA)
    assert [str(order) for order in parsed.orders] == ["F SPA/NC - GAS"]
    assert parsed.remarks == ("F SPA/SC was read as F SPA/NC, which is the coast it is on.",)


def test_the_way_of_a_convoy_is_read_as_VIA_and_binds_nobody() -> None:
    parsed = read("A Bel-Eng-Lon", SEA)
    assert [str(order) for order in parsed.orders] == ["A BEL - LON VIA"]
    assert parsed.remarks[0].startswith("The way by the English Channel is not part of the army’s order")


def test_only_armies_are_convoyed_so_VIA_is_forgotten_for_a_fleet() -> None:
    assert good("F Mao - Por via", SEA) == "F MAO - POR"


def test_R5_a_seat_with_several_powers_orders_all_their_units() -> None:
    state = opened(2)
    assert good("A Par - Bur\nF Edi - Nth\nA War - Ukr", state, "ENGLAND") == "A PAR - BUR, F EDI - NTH, A WAR - UKR"


# --- refusals of movement orders

ILLEGAL = [
    ("F Par - Bur", "F PAR", "In Paris stands an army, no fleet.", ("A PAR - BUR",)),
    ("A Bur - Mun", "A BUR", "There is no unit in Burgundy.", ()),
    ("A Mun - Bur", "A MUN", "The army in Munich is Germany’s, not yours.", ()),
    ("A Par - Eng", "ENG", "The army in Paris cannot get to the English Channel: an army does not go to sea.", None),
    ("F Bre - Par", "PAR", "The fleet in Brest cannot get to Paris: a fleet does not go inland.", None),
    ("F Bre - Mar", "MAR", "The fleet in Brest cannot get to Marseilles: a fleet moves to a neighbouring sea or along a coast.", None),
    ("A Par - Par", "PAR", "The army in Paris is there already; to stay it holds.", ("A PAR H",)),
    ("A Mar S A Par", "PAR", "The army in Marseilles cannot support there: it could not go to Paris itself.", None),
    ("A Mar S A Mar", "A MAR", "The army in Marseilles cannot support itself; to stay it holds.", ("A MAR H",)),
    ("A Mar S A Boh - Tyr", "A BOH", "There is no unit in Bohemia.", None),
    ("A Par S F Lon - Bur", "F LON - BUR", "The fleet in London could never make that move.", None),
    ("A Mar S A Mun - Tyr", "TYR", "The army in Marseilles cannot support there: it could not go to Tyrolia itself.", None),
    ("F Bre C A Par - Gas", "F BRE", "The fleet in Brest lies at a coast; only fleets at sea convoy.", None),
    ("A Par C A Mar - Gas", "A PAR", "The army in Paris cannot convoy; only fleets at sea do.", None),
    ("A Mar S Italian A Mun - Bur", "ITALY", "The army in Munich is Germany’s, not Italy’s.", ("A MAR S A MUN - BUR",)),
    ("Germany: A Par - Bur", "GERMANY", "The army in Paris is France’s, not Germany’s.", ("A PAR - BUR",)),
    ("Build A Par", "A PAR B", "Nothing is built in Spring 1901. Now units hold (H), move (-), support (S) or convoy (C).", None),
    (
        "A Par R Bur",
        "A PAR R BUR",
        "No unit retreats in Spring 1901. Now units hold (H), move (-), support (S) or convoy (C).",
        ("A PAR - BUR",),
    ),
]


@pytest.mark.parametrize(("text", "piece", "reason", "remedies"), ILLEGAL)
def test_R1_what_can_never_be_obeyed_is_refused_with_the_piece_the_reason_and_a_way_out(
    text: str, piece: str, reason: str, remedies: tuple[str, ...] | None
) -> None:
    refusal = refused(text)
    assert (refusal.line, refusal.piece, refusal.kind, refusal.reason) == (text, piece, "illegal", reason)
    assert refusal.remedies[:1] == remedies if remedies is not None else refusal.remedies
    assert refusal.understood


@pytest.mark.parametrize(
    ("text", "piece", "reason"),
    [
        ("F Eng C F Nth - Nwy", "F NTH", "Only armies are convoyed, and in the North Sea stands a fleet."),
        (
            "F Mao C A Bel - Lon",
            "F MAO",
            "The fleet in the Mid-Atlantic Ocean is of no use to a convoy from Belgium to London: no way there needs it.",
        ),
        ("F Eng C A Bel - Par", "A BEL - PAR", "No convoy leads from Belgium to Paris."),
        (
            "F Spa - Mar",
            "MAR",
            "The fleet in Spain (north coast) cannot get to Marseilles: a fleet moves to a neighbouring sea or along a coast.",
        ),
    ],
)
def test_rsp_R7_a_convoy_that_can_never_be_needed_is_refused(text: str, piece: str, reason: str) -> None:
    refusal = refused(text, SEA)
    assert (refusal.piece, refusal.kind, refusal.reason) == (piece, "illegal", reason)


def test_R1_a_fleet_that_can_reach_two_coasts_has_to_name_one() -> None:
    refusal = refused("F Mao - Spa", SEA)
    assert (refusal.kind, refusal.piece, refusal.understood) == ("ambiguous", "SPA", "")
    assert refusal.remedies == ("F MAO - SPA/NC", "F MAO - SPA/SC")


def test_R1_a_fleet_that_can_reach_one_coast_need_not_name_it_and_may_not_name_the_other() -> None:
    state = position("S1902M", "FRANCE F GAS")
    assert good("F Gas - Spa", state) == "F GAS - SPA/NC"
    refusal = refused("F Gas - Spa/sc", state)
    assert (refusal.kind, refusal.remedies) == ("illegal", ("F GAS - SPA/NC",))


def test_a_name_of_two_places_is_refused_with_both() -> None:
    refusal = refused("A Liv - Yor", seat="ENGLAND")
    assert (refusal.kind, refusal.piece, refusal.remedies) == ("ambiguous", "Liv", ("A LVP - YOR",))


def test_a_mistyped_name_is_refused_with_the_nearest_legal_spelling() -> None:
    refusal = refused("A Par - Burgandy")
    assert (refusal.kind, refusal.piece, refusal.remedies) == ("invalid", "Burgandy", ("A PAR - BUR",))


def test_a_line_with_words_too_many_is_refused_with_the_order_that_is_most_like_it() -> None:
    refusal = refused("A Par-Bur (expecting a bounce)")
    assert (refusal.piece, refusal.remedies[0]) == ("expecting", "A PAR - BUR")


def test_a_plan_for_a_unit_that_is_not_there_yet_is_illegal_and_understood_never_invalid() -> None:
    for text in (
        "A Bur - Mun",
        "F Spa - Lyo",
        "Spa - Lyo",
        "A Bur S A Par",
        "A Spa R Gas",
        "Build A Par",
        "waive",
        "A Par D",
        "F Lyo C A Mar - Tus",
    ):
        refusal = refused(text)
        assert refusal.kind == "illegal"
        assert refused(refusal.understood).understood == refusal.understood


def test_a_huge_line_is_refused_in_few_words() -> None:
    parsed = read("x" * 100_000 + "\n" + "y " * 50_000)
    assert [len(refusal.piece) <= 40 for refusal in parsed.refusals] == [True, True]


# --- rsp


def test_rsp_R6_a_support_is_refused_with_a_message_that_there_is_none() -> None:
    refusal = refused("A Mar S A Par - Bur", RSP)
    assert (refusal.kind, refusal.remedies[:1]) == ("invalid", ("A MAR H",))
    assert refusal.reason.startswith("There is no support in this game")


def test_rsp_R2_a_change_is_written_with_the_order_or_alone() -> None:
    assert good("Rock A Par - Bur\nPaper A Mar", RSP) == "Rock A PAR, A PAR - BUR, Paper A MAR"
    assert read("Paper A Mar", RSP).open == ("MAR", "PAR", "BRE"), "it is no order"


def test_rsp_R2_of_several_changes_the_last_written_holds() -> None:
    assert good("Rock A Par - Bur\nPaper A Par", RSP) == "A PAR - BUR, Paper A PAR"
    assert good("Paper A Par\nRock A Par - Bur", RSP) == "Rock A PAR, A PAR - BUR"


def test_G8_rsp_R2_the_change_of_a_line_that_was_replaced_counts_for_nothing_one_alone_stays() -> None:
    assert good("Rock A Par - Bur\nA Par H", RSP) == "A PAR H"
    assert good("Rock A Par\nA Par - Bur\nA Par H", RSP) == "Rock A PAR, A PAR H"


def test_rsp_R2_a_refused_line_changes_nothing() -> None:
    refusal = refused("Rock A Par - Lon", RSP)
    assert (refusal.understood, refusal.unconditional) == ("Rock A PAR\nA PAR - LON", True)


def test_a_characteristic_is_refused_where_there_are_none() -> None:
    refusal = refused("Rock A Par - Bur")
    assert (refusal.kind, refusal.piece) == ("invalid", "Rock")
    assert refusal.remedies[0] == "A PAR - BUR"


def test_rsp_R3_a_build_may_name_the_characteristic_a_removal_may_not() -> None:
    winter = replace(WINTER, setup=RSP.setup)
    assert good("Rock A Par B", winter) == "Rock A PAR B"
    assert refused("Rock A Hol D", winter, "GERMANY").piece == "Rock"
    assert refused("Rock A Hol", winter, "GERMANY").reason.startswith("No characteristic is changed in Winter 1901 builds.")


# --- retreats


def test_R2_retreats_are_written_as_moves_or_as_retreats() -> None:
    assert good("A Bur - Bel", ROUT, "GERMANY") == good("A Bur R Bel", ROUT, "GERMANY") == "A BUR R BEL"
    assert good("Bul - Con", ROUT, "TURKEY") == "F BUL/SC R CON"
    assert good("F Mao R Spa/sc", ROUT, "ENGLAND") == "F MAO R SPA/SC"


@pytest.mark.parametrize(
    ("text", "seat", "why"),
    [
        ("A Bur - Par", "GERMANY", "its attacker came from there"),
        ("A Bur - Mun", "GERMANY", "a unit stands there"),
        ("A Bur - Pic", "GERMANY", "a standoff left it vacant"),
        ("A Bur - Ber", "GERMANY", "it is not next to it"),
    ],
)
def test_R2_a_retreat_that_is_not_allowed_is_refused_with_those_that_are(text: str, seat: str, why: str) -> None:
    refusal = refused(text, ROUT, seat)
    assert refusal.reason.endswith(f": {why}.")
    assert refusal.remedies == ("A BUR R BEL", "A BUR R RUH", "A BUR D")


def test_R2_a_retreat_to_a_province_with_two_coasts_names_one() -> None:
    refusal = refused("F Mao - Spa", ROUT, "ENGLAND")
    assert (refusal.kind, refusal.remedies) == ("ambiguous", ("F MAO R SPA/NC", "F MAO R SPA/SC"))


def test_only_dislodged_units_are_ordered_in_a_retreat_phase() -> None:
    assert refused("A Mun H", ROUT, "GERMANY").reason.startswith("Units do not move or hold in Spring 1902 retreats.")
    assert refused("A Mun - Ber", ROUT, "GERMANY").reason == "The unit in Munich was not dislodged; only dislodged units are ordered now."
    assert refused("A Bur - Bel", ROUT, "FRANCE").reason == "You have nothing to decide in Spring 1902 retreats."


# --- builds and removals


@pytest.mark.parametrize("text", ["Build A Par", "A Par B", "B Par", "builds army Paris", "build an army in paris"])
def test_R3_builds_in_every_spelling(text: str) -> None:
    assert good(text.replace("an ", ""), WINTER) == "A PAR B"


@pytest.mark.parametrize(
    ("text", "seat", "piece", "reason"),
    [
        ("A Mar B", "FRANCE", "A MAR", "A unit stands in Marseilles, so nothing can be built there."),
        ("A Spa B", "FRANCE", "A SPA", "Spain is no home supply centre of France; units are built at home only."),
        ("A Bur B", "FRANCE", "A BUR", "Burgundy is no supply centre; nothing is built there."),
        ("A Mun B", "FRANCE", "A MUN", "Munich is not your supply centre."),
        ("F Par B", "FRANCE", "F PAR", "What can be built there is A PAR B."),
        ("A Bur D", "FRANCE", "A BUR D", "France has 3 units and 5 supply centres, so no unit has to go."),
        ("A Mun B", "GERMANY", "A MUN B", "Germany has 4 units and 3 supply centres, so nothing is built."),
        ("Waive", "GERMANY", "WAIVE", "You have no build that could be waived."),
        ("A Par D", "GERMANY", "A PAR", "There is no unit in Paris."),
    ],
)
def test_R3_what_cannot_be_built_or_removed_is_refused(text: str, seat: str, piece: str, reason: str) -> None:
    refusal = refused(text, WINTER, seat)
    assert (refusal.piece, refusal.kind, refusal.reason) == (piece, "illegal", reason)


@pytest.mark.parametrize(
    ("text", "seat", "remedies"),
    [("Build Bre", "FRANCE", ("A BRE B", "F BRE B")), ("Build F Stp", "RUSSIA", ("F STP/NC B", "F STP/SC B"))],
)
def test_R3_a_build_says_army_or_fleet_and_the_coast(text: str, seat: str, remedies: tuple[str, ...]) -> None:
    refusal = refused(text, WINTER, seat)
    assert (refusal.kind, refusal.remedies) == ("ambiguous", remedies)


def test_R3_one_more_than_are_due_is_refused() -> None:
    parsed = read("A Par B\nwaive\nF Bre B", WINTER)
    assert [str(order) for order in parsed.orders] == ["A PAR B", "FRANCE WAIVE"]
    assert parsed.refusals[0].reason.startswith("France may build 2 units, and as many lines stand before this one")
    assert read("A Hol D\nA Den D", WINTER, "GERMANY").refusals[0].reason.startswith("Germany has to remove 1 unit")


def test_R3_a_waive_takes_no_build_from_the_one_centre_that_is_free() -> None:
    state = position("W1901A", "FRANCE A BUR", "FRANCE BEL PAR SPA")
    assert [str(order) for order in read("waive\nA Par B", state).orders] == ["FRANCE WAIVE", "A PAR B"]


def test_R3_a_second_build_in_one_place_is_taken_as_written_and_told_to_come_to_nothing() -> None:
    parsed = read("F Bre B\nA Bre B", WINTER)
    assert [str(order) for order in parsed.orders] == ["F BRE B", "A BRE B"]
    assert parsed.remarks == ("A BRE B comes to nothing: another line builds there already; this build stays unused.",)


def test_R3_a_waive_of_a_seat_with_several_powers_says_whose_build() -> None:
    state = replace(opened(2), phase="W1901A", units={"FRANCE": ("A BUR",), "RUSSIA": ("A UKR",)})
    refusal = refused("waive", state, "ENGLAND")
    assert (refusal.kind, refusal.remedies) == ("ambiguous", ("ENGLAND WAIVE", "FRANCE WAIVE", "RUSSIA WAIVE"))
    assert good("France: waive", state, "ENGLAND") == "FRANCE WAIVE"


# --- any text

WORDS = [
    *STANDARD.places,
    "A",
    "F",
    "-",
    "S",
    "C",
    "H",
    "VIA",
    "R",
    "D",
    "B",
    "WAIVE",
    "Rock",
    "/SC",
    "/NC",
    "FRANCE",
    "draw",
    "Liv",
    "Spain",
    ",",
]


@settings(deadline=None)
@given(st.sampled_from((START, RSP, SEA, WINTER, ROUT)), st.lists(st.sampled_from(WORDS), max_size=9), st.integers(0, 6))
def test_any_words_give_orders_that_read_back_or_refusals_whose_remedies_are_good(state: State, words: list[str], at: int) -> None:
    seat = STANDARD.powers[at]
    parsed = parse(state, seat, " ".join(words))
    assert parse(state, seat, "\n".join(map(str, parsed.orders))).orders == parsed.orders
    for refusal in parsed.refusals:
        assert refusal.reason.endswith(".") and bool(refusal.understood) == (refusal.kind == "illegal")
        assert all(not parse(state, seat, remedy).refusals for remedy in refusal.remedies), refusal


def test_orders_for_units_of_any_kind_anywhere_never_raise() -> None:
    dice = random.Random(5)
    for state in (START, RSP, SEA, WINTER, ROUT):
        units = dice.choices(STANDARD.units, k=300)
        for unit, other in zip(units, reversed(units), strict=True):
            text = dice.choice(
                ["{} H", "{} - {to}", "{} S {of}", "{} S {of} - {to}", "{} C {of} - {to}", "{} R {to}", "{} D", "{} B", "Rock {}"]
            )
            line = text.format(unit, of=other, to=dice.choice(STANDARD.spots))
            assert len(read(line, state).orders) + len(read(line, state).refusals) >= 1
