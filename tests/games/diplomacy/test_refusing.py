"""The refusals of movement orders: the wrong piece, the reason, and what would be right."""

import pytest

from tests.games.diplomacy.sheets import SEA, good, read, refused
from tests.games.diplomacy.table import position

ILLEGAL = [
    ("F Par - Bur", "F PAR", "In Paris stands an army, no fleet.", ("A PAR - BUR",)),
    ("A Bur - Mun", "A BUR", "There is no unit in Burgundy.", ()),
    ("A Mun - Bur", "A MUN", "The army in Munich is Germany’s, not yours.", ()),
    (
        "A Par - Eng",
        "ENG",
        "The army in Paris cannot get to the English Channel: an army does not go to sea.",
        None,
    ),
    (
        "F Bre - Par",
        "PAR",
        "The fleet in Brest cannot get to Paris: a fleet does not go inland.",
        None,
    ),
    (
        "F Bre - Mar",
        "MAR",
        (
            "The fleet in Brest cannot get to Marseilles: a fleet moves to a neighbouring sea or"
            " along a coast."
        ),
        None,
    ),
    ("A Par - Par", "PAR", "The army in Paris is there already; to stay it holds.", ("A PAR H",)),
    (
        "A Mar S A Par",
        "PAR",
        "The army in Marseilles cannot support there: it could not go to Paris itself.",
        None,
    ),
    (
        "A Mar S A Mar",
        "A MAR",
        "The army in Marseilles cannot support itself; to stay it holds.",
        ("A MAR H",),
    ),
    ("A Mar S A Boh - Tyr", "A BOH", "There is no unit in Bohemia.", None),
    ("A Par S F Lon - Bur", "F LON - BUR", "The fleet in London could never make that move.", None),
    (
        "A Mar S A Mun - Tyr",
        "TYR",
        "The army in Marseilles cannot support there: it could not go to Tyrolia itself.",
        None,
    ),
    (
        "F Bre C A Par - Gas",
        "F BRE",
        "The fleet in Brest lies at a coast; only fleets at sea convoy.",
        None,
    ),
    (
        "A Par C A Mar - Gas",
        "A PAR",
        "The army in Paris cannot convoy; only fleets at sea do.",
        None,
    ),
    (
        "A Mar S Italian A Mun - Bur",
        "ITALY",
        "The army in Munich is Germany’s, not Italy’s.",
        ("A MAR S A MUN - BUR",),
    ),
    (
        "Germany: A Par - Bur",
        "GERMANY",
        "The army in Paris is France’s, not Germany’s.",
        ("A PAR - BUR",),
    ),
    (
        "Build A Par",
        "A PAR B",
        "Nothing is built in Spring 1901. Now units hold (H), move (-), support (S) or convoy (C).",
        None,
    ),
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
    assert (refusal.line, refusal.piece, refusal.kind, refusal.reason) == (
        text,
        piece,
        "illegal",
        reason,
    )
    assert refusal.remedies[:1] == remedies if remedies is not None else refusal.remedies
    assert refusal.understood


@pytest.mark.parametrize(
    ("text", "piece", "reason"),
    [
        (
            "F Eng C F Nth - Nwy",
            "F NTH",
            "Only armies are convoyed, and in the North Sea stands a fleet.",
        ),
        (
            "F Mao C A Bel - Lon",
            "F MAO",
            (
                "The fleet in the Mid-Atlantic Ocean is of no use to a convoy from Belgium to"
                " London: no way there needs it."
            ),
        ),
        ("F Eng C A Bel - Par", "A BEL - PAR", "No convoy leads from Belgium to Paris."),
        (
            "F Spa - Mar",
            "MAR",
            (
                "The fleet in Spain (north coast) cannot get to Marseilles: a fleet moves to a"
                " neighbouring sea or along a coast."
            ),
        ),
    ],
)
def test_rsp_R7_a_convoy_that_can_never_be_needed_is_refused(
    text: str, piece: str, reason: str
) -> None:
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
    refusal = refused("F Nth - Norw", SEA, "ENGLAND")
    assert (refusal.kind, refusal.piece, refusal.remedies) == (
        "ambiguous",
        "Norw",
        ("F NTH - NWG", "F NTH - NWY"),
    )


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A Liv - Yor", "A LVP - YOR"),
        ("F Edi - North", "F EDI - NTH"),
        ("A Livonia - Liv, A Liv - Edi", "A LVP - EDI"),
        ("F Edi S A Liv - Yor", "F EDI S A LVP - YOR"),
    ],
)
def test_of_a_name_of_several_places_the_one_that_is_possible_is_read_and_told(
    text: str, order: str
) -> None:
    done = read(text, seat="ENGLAND")
    assert [str(each) for each in done.orders] == [order]
    assert any(
        f"has several meanings, of which one is possible here: {order}." in remark
        for remark in done.remarks
    )


def test_no_remedy_stands_alone_while_another_place_resembles_the_word_as_much() -> None:
    assert refused("F Nth - norwai", SEA, "ENGLAND").remedies == ("F NTH - NWY", "F NTH - NWG")


def test_a_mistyped_name_is_refused_with_the_nearest_legal_spelling() -> None:
    refusal = refused("A Par - Burgindy")
    assert (refusal.kind, refusal.piece, refusal.remedies) == (
        "invalid",
        "Burgindy",
        ("A PAR - BUR",),
    )


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
