"""Retreats, builds and removals in every spelling, and their refusals."""

from dataclasses import replace

import pytest

from tests.games.diplomacy.sheets import ROUT, WINTER, good, read, refused
from tests.games.diplomacy.table import opened, position

# --- retreats


def test_R2_retreats_are_written_as_moves_or_as_retreats() -> None:
    assert (
        good("A Bur - Bel", ROUT, "GERMANY")
        == good("A Bur R Bel", ROUT, "GERMANY")
        == "A BUR R BEL"
    )
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
def test_R2_a_retreat_that_is_not_allowed_is_refused_with_those_that_are(
    text: str, seat: str, why: str
) -> None:
    refusal = refused(text, ROUT, seat)
    assert refusal.reason.endswith(f": {why}.")
    assert refusal.remedies == ("A BUR R BEL", "A BUR R RUH", "A BUR D")


def test_R2_a_retreat_to_a_province_with_two_coasts_names_one() -> None:
    refusal = refused("F Mao - Spa", ROUT, "ENGLAND")
    assert (refusal.kind, refusal.remedies) == ("ambiguous", ("F MAO R SPA/NC", "F MAO R SPA/SC"))


def test_only_dislodged_units_are_ordered_in_a_retreat_phase() -> None:
    assert refused("A Mun H", ROUT, "GERMANY").reason.startswith(
        "Units do not move or hold in Spring 1902 retreats."
    )
    assert (
        refused("A Mun - Ber", ROUT, "GERMANY").reason
        == "The unit in Munich was not dislodged; only dislodged units are ordered now."
    )
    assert (
        refused("A Bur - Bel", ROUT, "FRANCE").reason
        == "You have nothing to decide in Spring 1902 retreats."
    )


# --- builds and removals


@pytest.mark.parametrize(
    "text", ["Build A Par", "A Par B", "B Par", "builds army Paris", "build an army in paris"]
)
def test_R3_builds_in_every_spelling(text: str) -> None:
    assert good(text.replace("an ", ""), WINTER) == "A PAR B"


@pytest.mark.parametrize(
    ("text", "seat", "piece", "reason"),
    [
        (
            "A Mar B",
            "FRANCE",
            "A MAR",
            "A unit stands in Marseilles, so nothing can be built there.",
        ),
        (
            "A Spa B",
            "FRANCE",
            "A SPA",
            "Spain is no home supply centre of France; units are built at home only.",
        ),
        ("A Bur B", "FRANCE", "A BUR", "Burgundy is no supply centre; nothing is built there."),
        ("A Mun B", "FRANCE", "A MUN", "Munich is not your supply centre."),
        ("F Par B", "FRANCE", "F PAR", "What can be built there is A PAR B."),
        (
            "A Bur D",
            "FRANCE",
            "A BUR D",
            "France has 3 units and 5 supply centres, so no unit has to go.",
        ),
        (
            "A Mun B",
            "GERMANY",
            "A MUN B",
            "Germany has 4 units and 3 supply centres, so nothing is built.",
        ),
        ("Waive", "GERMANY", "WAIVE", "You have no build that could be waived."),
        ("A Par D", "GERMANY", "A PAR", "There is no unit in Paris."),
    ],
)
def test_R3_what_cannot_be_built_or_removed_is_refused(
    text: str, seat: str, piece: str, reason: str
) -> None:
    refusal = refused(text, WINTER, seat)
    assert (refusal.piece, refusal.kind, refusal.reason) == (piece, "illegal", reason)


@pytest.mark.parametrize(
    ("text", "seat", "remedies"),
    [
        ("Build Bre", "FRANCE", ("A BRE B", "F BRE B")),
        ("Build F Stp", "RUSSIA", ("F STP/NC B", "F STP/SC B")),
    ],
)
def test_R3_a_build_says_army_or_fleet_and_the_coast(
    text: str, seat: str, remedies: tuple[str, ...]
) -> None:
    refusal = refused(text, WINTER, seat)
    assert (refusal.kind, refusal.remedies) == ("ambiguous", remedies)


def test_R3_one_more_than_are_due_is_refused() -> None:
    parsed = read("A Par B\nwaive\nwaive", WINTER)
    assert [str(order) for order in parsed.orders] == ["A PAR B", "FRANCE WAIVE"]
    assert parsed.refusals[0].reason.startswith(
        "France may build 2 units, and as many lines stand before this one"
    )
    assert (
        read("A Hol D\nA Den D", WINTER, "GERMANY")
        .refusals[0]
        .reason.startswith("Germany has to remove 1 unit")
    )


def test_R3_a_waive_before_the_builds_takes_none_from_them() -> None:
    parsed = read("waive\nA Par B\nF Bre B", WINTER)
    assert [str(order) for order in parsed.orders] == ["A PAR B", "F BRE B"]
    assert [refusal.line for refusal in parsed.refusals] == ["waive"]
    assert "builds come before what is waived" in parsed.refusals[0].reason


def test_R3_a_build_that_is_not_legal_at_its_turn_uses_up_nothing() -> None:
    parsed = read("A Par B\nA Par B\nF Bre B", WINTER)
    assert [str(order) for order in parsed.orders] == ["A PAR B", "A PAR B", "F BRE B"]
    assert (parsed.refusals, parsed.open) == ((), ())
    assert read("A Par B\nA Par B", WINTER).open == ("build-2",)


def test_R3_a_waive_takes_no_build_from_the_one_centre_that_is_free() -> None:
    state = position("W1901A", "FRANCE A BUR", "FRANCE BEL PAR SPA")
    assert [str(order) for order in read("waive\nA Par B", state).orders] == [
        "FRANCE WAIVE",
        "A PAR B",
    ]


def test_R3_a_second_build_in_one_place_is_taken_as_written_and_told_to_come_to_nothing() -> None:
    parsed = read("F Bre B\nA Bre B", WINTER)
    assert [str(order) for order in parsed.orders] == ["F BRE B", "A BRE B"]
    assert parsed.remarks == ("A BRE B comes to nothing: another line builds there already.",)


def test_R3_a_waive_of_a_seat_with_several_powers_says_whose_build() -> None:
    state = replace(opened(2), phase="W1901A", units={"FRANCE": ("A BUR",), "RUSSIA": ("A UKR",)})
    refusal = refused("waive", state, "ENGLAND")
    assert (refusal.kind, refusal.remedies) == (
        "ambiguous",
        ("ENGLAND WAIVE", "FRANCE WAIVE", "RUSSIA WAIVE"),
    )
    assert good("France: waive", state, "ENGLAND") == "FRANCE WAIVE"


def test_G8_a_replaced_vote_is_remarked_on_in_a_winter_too() -> None:
    parsed = read("draw\nA Par B\nno draw\nwaive", WINTER)
    assert [str(order) for order in parsed.orders] == ["A PAR B", "NO DRAW", "FRANCE WAIVE"]
    assert parsed.remarks == ("DRAW does not count: the later line, NO DRAW, does.",)
    assert read("draw\ndraw", WINTER).remarks == ()
