"""The board as text: blocks of powers, the reader's first, in 72 columns."""

from dataclasses import replace

from adjudicator.games.diplomacy.drawing.text_board import WIDTH, text_board
from adjudicator.games.diplomacy.model.state import End, Homeless, Seen, State
from adjudicator.games.diplomacy.phases.view import look
from tests.games.diplomacy.stories import of_characteristics
from tests.games.diplomacy.table import opened, position


def text(state: State, reader: str | None = None) -> str:
    return text_board(look(state, reader))


def test_a_power_is_its_centres_and_its_units() -> None:
    assert (
        "Russia: 4 centres, 4 units\n"
        "  centres:  Moscow, Sevastopol, St Petersburg, Warsaw\n"
        "  armies:   Moscow, Warsaw\n"
        "  fleets:   Sevastopol, St Petersburg (south coast)\n" in text(opened())
    )


def test_the_readers_own_powers_stand_first_and_say_so() -> None:
    blocks = text(opened(3), "FRANCE").split("\n\n")
    assert [block.partition(":")[0] for block in blocks[1:4]] == [
        "France (you)",
        "Turkey (you)",
        "Austria (played by England)",
    ]


def test_the_heading_says_the_phase_and_what_wins() -> None:
    assert text(opened()).startswith("Spring 1901\n18 supply centres win the match.\n\nAustria: ")


def test_r6_who_agrees_to_a_draw_and_who_conceded_is_said_while_the_match_goes_on() -> None:
    state = replace(opened(), voted=("FRANCE", "ITALY"), conceded=("TURKEY",))
    assert "For a draw: France and Italy.\nConceded: Turkey.\n" in text(state)
    assert "For a draw" not in text(replace(state, end=End("draw", ("FRANCE", "ITALY"))))


def test_r5_a_power_that_nobody_plays_is_called_so_and_an_absent_one_is_not_there() -> None:
    assert "Italy (nobody plays it): 3 centres, 3 units" in text(opened(6))
    absent = text(opened(6, unplayed="absent"))
    assert "Italy" not in absent and "Naples" in absent.partition("neutral:")[2]


def test_a_homeless_unit_says_where_it_may_go_and_what_is_barred_is_said() -> None:
    homeless = Homeless("F NWY", "ENGLAND", "A FIN", None, ("BAR", "NTH"))
    state = position("S1902R", "ENGLAND F EDI / RUSSIA A NWY", "ENGLAND EDI / RUSSIA STP")
    written = text(replace(state, homeless=(homeless,), contested=("BUR",)))
    assert "  homeless: fleet Norway may retreat to the Barents Sea or the North Sea\n" in written
    assert written.endswith("  barred:   Burgundy (a standoff left it vacant)")


def test_rsp_r5_own_characteristics_are_told_and_those_of_others_as_they_were_last_seen() -> None:
    state = of_characteristics("AUSTRIA A GAL, A VIE / RUSSIA F SEV, F STP/SC, A WAR", GAL="Rock")
    state = replace(
        state, seen={"A GAL": Seen("Scissors", "F1901M"), "F STP/SC": Seen("Rock", "S1901M")}
    )
    assert "  armies:   Galicia (Rock), Vienna (Paper)\n" in text(state, "AUSTRIA")
    assert "  armies:   Galicia (Scissors, seen Fall 1901), Vienna\n" in text(state, "RUSSIA")
    assert "St Petersburg (south coast; Rock, seen Spring 1901)" in text(state, "AUSTRIA")


def test_no_line_is_wider_than_a_letter_or_breaks_a_name_in_two() -> None:
    units = ", ".join(
        f"A {code}"
        for code in (
            "BUL",
            "CON",
            "GAS",
            "GRE",
            "MAR",
            "NAF",
            "RUM",
            "SER",
            "SPA",
            "STP",
            "TRI",
            "TUN",
            "VEN",
        )
    )
    state = position(
        "S1902M",
        f"ITALY {units}",
        "ITALY STP TUN VEN TRI SER SPA SMY SEV RUM ROM POR NWY NAP MOS LVP",
    )
    state = replace(state, seen={unit: Seen("Scissors", "F1901M") for unit in state.units["ITALY"]})
    lines = text(state).splitlines()
    assert max(map(len, lines)) <= WIDTH and all(line == line.rstrip() for line in lines)
    assert "Scissors, seen Fall 1901" in text(state) and not any(
        line.strip().startswith("Africa") for line in lines
    )


def test_names_with_hyphens_and_homeless_characteristics_of_ones_own_are_whole() -> None:
    fleets = ", ".join(f"F {code}" for code in ("ADR", "AEG", "BAL", "BOT", "MAO", "NTH"))
    state = position("S1902R", f"ITALY {fleets}", "ITALY ROM", rule_set="rsp", edition="1976")
    state = replace(state, homeless=(Homeless("A TUN", "ITALY", "A NAF", None, ("TYS",), "Rock"),))
    assert all(
        line.rstrip().endswith("Mid-Atlantic Ocean")
        or "Mid-" not in line
        or "Mid-Atlantic Ocean," in line
        for line in text(state).splitlines()
    )
    assert "homeless: army Tunis (Rock) may" in text(state, "ITALY")
    assert "homeless: army Tunis may" in text(state, "FRANCE")


def test_barred_provinces_and_neutral_centres_stand_at_the_end() -> None:
    assert (
        text(opened()).rpartition("\n\n")[2].startswith("  neutral:  Belgium, Bulgaria, Denmark,")
    )
