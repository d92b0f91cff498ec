"""The orders of a text that count on a position."""

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.model.state import State
from adjudicator.games.diplomacy.ordering.parsing import parse
from tests.games.diplomacy.sheets import ROUT, RSP, SEA, START, WINTER, good, read, refused
from tests.games.diplomacy.table import opened

# --- orders that count


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
    assert [(refusal.line, refusal.piece) for refusal in parsed.refusals] == [
        ("nonsense", "nonsense"),
        ("A Mar - Lon 5", "5"),
    ]


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
    assert parsed.remarks[0].startswith(
        "The way by the English Channel is not part of the army’s order"
    )


def test_only_armies_are_convoyed_so_VIA_is_forgotten_for_a_fleet() -> None:
    assert good("F Mao - Por via", SEA) == "F MAO - POR"


def test_R5_a_seat_with_several_powers_orders_all_their_units() -> None:
    state = opened(2)
    assert (
        good("A Par - Bur\nF Edi - Nth\nA War - Ukr", state, "ENGLAND")
        == "A PAR - BUR, F EDI - NTH, A WAR - UKR"
    )


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


def test_G8_rsp_R2_the_change_of_a_line_that_was_replaced_counts_for_nothing_one_alone_stays() -> (
    None
):
    assert good("Rock A Par - Bur\nA Par H", RSP) == "A PAR H"
    assert good("Rock A Par\nA Par - Bur\nA Par H", RSP) == "Rock A PAR, A PAR H"


def test_G8_rsp_R2_the_remark_on_a_replaced_change_names_a_later_line_or_none() -> None:
    replaced = "Rock A PAR does not count: the line it stood in was replaced by a later one."
    for text in ("Rock A Par - Bur\nA Par H", "Paper A Par\nRock A Par - Bur\nA Par H"):
        assert read(text, RSP).remarks == (
            replaced,
            "A PAR - BUR does not count: the later line, A PAR H, does.",
        )
    assert read("Rock A Par\nPaper A Par", RSP).remarks == (
        "Rock A PAR does not count: the later line, Paper A PAR, does.",
    )


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
    assert refused("Rock A Hol", winter, "GERMANY").reason.startswith(
        "No characteristic is changed in Winter 1901 builds."
    )


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


@given(
    st.sampled_from((START, RSP, SEA, WINTER, ROUT)),
    st.lists(st.sampled_from(WORDS), max_size=9),
    st.integers(0, 6),
)
def test_any_words_give_orders_that_read_back_or_refusals_whose_remedies_are_good(
    state: State, words: list[str], at: int
) -> None:
    seat = STANDARD.powers[at]
    parsed = parse(state, seat, " ".join(words))
    assert parse(state, seat, "\n".join(map(str, parsed.orders))).orders == parsed.orders
    for refusal in parsed.refusals:
        assert refusal.reason.endswith(".") and bool(refusal.understood) == (
            refusal.kind == "illegal"
        )
        assert all(not parse(state, seat, remedy).refusals for remedy in refusal.remedies), refusal


def test_orders_for_units_of_any_kind_anywhere_never_raise() -> None:
    dice = random.Random(5)
    for state in (START, RSP, SEA, WINTER, ROUT):
        units = dice.choices(STANDARD.units, k=300)
        for unit, other in zip(units, reversed(units), strict=True):
            text = dice.choice(
                [
                    "{} H",
                    "{} - {to}",
                    "{} S {of}",
                    "{} S {of} - {to}",
                    "{} C {of} - {to}",
                    "{} R {to}",
                    "{} D",
                    "{} B",
                    "Rock {}",
                ]
            )
            line = text.format(unit, of=other, to=dice.choice(STANDARD.spots))
            assert len(read(line, state).orders) + len(read(line, state).refusals) >= 1
