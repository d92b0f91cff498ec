"""The sentences on failed orders: standoffs, supports, convoys, dislodged units, retreats."""

from adjudicator.games.diplomacy.model.events import Closed, Done
from adjudicator.games.diplomacy.model.outcomes import Fate, Result, Why
from adjudicator.games.diplomacy.phases.view import look
from adjudicator.games.diplomacy.story.narration import tell_story
from tests.games.diplomacy.stories import of_characteristics, spring, told
from tests.games.diplomacy.table import opened, position

# --- moves


def test_a_standoff_of_three_is_told_once_and_the_reader_stands_first() -> None:
    state = spring("AUSTRIA A BOH / GERMANY A RUH / ITALY A TYR")
    lines = told(state, "ITALY", AUSTRIA="A BOH - MUN", GERMANY="A RUH - MUN", ITALY="A TYR - MUN")
    line = (
        "Your army Tyrolia, Austria’s army Bohemia and Germany’s army Ruhr all tried to enter"
        " Munich and stopped each other."
    )
    assert lines == (line,)


def test_the_loser_reads_who_got_in_and_who_had_supported() -> None:
    state = spring("FRANCE A PAR, A MAR / GERMANY A MUN")
    lines = told(state, "GERMANY", FRANCE="A PAR - BUR; A MAR S A PAR - BUR", GERMANY="A MUN - BUR")
    assert (
        lines[0]
        == "Your army Munich did not get into Burgundy: France’s army Paris got in, supported from"
        " Marseilles."
    )


def test_a_unit_that_stays_is_told_as_one_that_could_not_be_driven_out() -> None:
    lines = told(
        spring("FRANCE A BUR / GERMANY A MUN"), "GERMANY", FRANCE="A BUR H", GERMANY="A MUN - BUR"
    )
    assert (
        lines[0]
        == "Your army Munich did not get into Burgundy: France’s army could not be driven out."
    )


def test_an_own_unit_in_the_way_is_called_so() -> None:
    state = spring("FRANCE A BUR, A PAR / GERMANY A MUN, A RUH")
    lines = told(state, "FRANCE", FRANCE="A BUR H; A PAR - BUR", GERMANY="A MUN H; A RUH - MUN")
    assert "Your army Paris did not get into Burgundy: your own army stayed there." in lines
    assert "Germany’s army Ruhr did not get into Munich: Germany’s own army stayed there." in lines


def test_two_that_meet_head_on_are_told_once() -> None:
    lines = told(
        spring("FRANCE A BUR / GERMANY A MUN"),
        "FRANCE",
        FRANCE="A BUR - MUN",
        GERMANY="A MUN - BUR",
    )
    assert lines == (
        "Your army Burgundy and Germany’s army Munich met head on and stopped each other.",
    )


def test_standoffs_in_two_provinces_are_two_sentences() -> None:
    state = spring("FRANCE A BUR, A GAS / GERMANY A MUN / ITALY A PIE")
    lines = told(
        state,
        "FRANCE",
        FRANCE="A BUR - RUH; A GAS - MAR",
        GERMANY="A MUN - RUH",
        ITALY="A PIE - MAR",
    )
    assert lines == (
        (
            "Your army Burgundy and Germany’s army Munich both tried to enter Ruhr and stopped each"
            " other."
        ),
        (
            "Your army Gascony and Italy’s army Piedmont both tried to enter Marseilles and stopped"
            " each other."
        ),
    )


def test_a_support_that_was_cut_is_not_told_as_help() -> None:
    state = spring("FRANCE A PAR, A MAR, A GAS / GERMANY A BUR / ITALY A PIE")
    orders = "A PAR - BUR; A MAR S A PAR - BUR; A GAS S A PAR - BUR"
    lines = told(state, "GERMANY", FRANCE=orders, GERMANY="A BUR H", ITALY="A PIE - MAR")
    assert (
        lines[0]
        == "Your army Burgundy was driven out by France’s army Paris, supported from Gascony."
    )


# --- dislodged units


def test_a_unit_driven_out_reads_by_whom_with_whose_help_and_where_it_may_go() -> None:
    state = spring("ENGLAND F NWY, F SKA / RUSSIA A FIN, F SWE")
    lines = told(
        state, "ENGLAND", RUSSIA="A FIN - NWY; F SWE S A FIN - NWY", ENGLAND="F NWY H; F SKA H"
    )
    assert (
        lines[1]
        == "Your fleet Norway was driven out by Russia’s army Finland, supported from Sweden."
    )
    assert (
        lines[-1]
        == "Your fleet Norway may retreat to the Barents Sea, the North Sea, the Norwegian Sea or"
        " St Petersburg (north coast), or disband."
    )


def test_the_readers_own_homeless_units_stand_before_others() -> None:
    state = of_characteristics(
        "AUSTRIA A VIE, A TYR / ITALY A VEN, A BOH",
        VIE="Scissors",
        BOH="Rock",
        VEN="Rock",
        TYR="Paper",
    )
    lines = told(state, "ITALY", AUSTRIA="A VIE H; A TYR - VEN", ITALY="A BOH - VIE; A VEN H")
    assert [line.partition(" may")[0] for line in lines[-2:]] == [
        "Your army Venice",
        "Austria’s army Vienna",
    ]


def test_what_a_unit_was_about_when_it_was_driven_out_is_told() -> None:
    state = of_characteristics("AUSTRIA A ALB / ITALY A TRI", ALB="Rock")
    lines = told(state, "AUSTRIA", AUSTRIA="A ALB - TRI", ITALY="A TRI - ALB")
    assert (
        lines[0]
        == "Your army Albania, on its way to Trieste, was driven out by Italy’s army Trieste."
    )
    state = spring("FRANCE A BUR, A PAR / GERMANY A MUN, A RUH")
    lines = told(
        state,
        "FRANCE",
        FRANCE="A BUR S A PAR - PIC; A PAR - PIC",
        GERMANY="A MUN - BUR; A RUH S A MUN - BUR",
    )
    assert (
        "Your army Burgundy, which was to support army Paris into Picardy, was driven out by"
        " Germany’s army Munich, supported from Ruhr." in lines
    )


def test_r2_a_unit_with_nowhere_to_go_is_told_as_disbanded() -> None:
    state = spring("AUSTRIA A TRI / ITALY A VEN, A TYR, A VIE, A BUD, A SER, A ALB")
    orders = "A VEN - TRI; A TYR S A VEN - TRI; A VIE H; A BUD H; A SER H; A ALB H"
    lines = told(state, "AUSTRIA", ITALY=orders, AUSTRIA="A TRI H")
    assert "Your army Trieste had nowhere to retreat and was disbanded." in lines


# --- supports


def test_a_support_that_was_cut_reads_by_whom() -> None:
    state = spring("FRANCE A PAR, A MAR / GERMANY A MUN / ITALY A PIE")
    lines = told(
        state,
        "FRANCE",
        FRANCE="A PAR - BUR; A MAR S A PAR - BUR",
        GERMANY="A MUN - BUR",
        ITALY="A PIE - MAR",
    )
    assert (
        "Your army Marseilles supported army Paris into Burgundy, but the support was cut by"
        " Italy’s army Piedmont." in lines
    )


def test_a_support_of_what_nobody_ordered_says_what_was_missing() -> None:
    state = spring("FRANCE A PAR, A MAR / GERMANY A MUN")
    lines = told(
        state, "FRANCE", FRANCE="A MAR S A MUN - BUR; A PAR S A MAR - BUR", GERMANY="A MUN H"
    )
    assert (
        "Your army Marseilles was to support Germany’s army Munich into Burgundy, but that army was"
        " not ordered to go there." in lines
    )
    state = spring("FRANCE A PAR, A BUR")
    lines = told(state, "FRANCE", FRANCE="A PAR S A BUR; A BUR - MUN")
    assert (
        "Your army Paris was to support army Burgundy, but that army was ordered to move." in lines
    )


# --- convoys


def test_a_broken_convoy_reads_which_fleet_was_lost() -> None:
    state = spring("ENGLAND A YOR, F NTH / GERMANY F DEN, F HEL")
    lines = told(
        state,
        "ENGLAND",
        ENGLAND="A YOR - HOL; F NTH C A YOR - HOL",
        GERMANY="F DEN - NTH; F HEL S F DEN - NTH",
    )
    assert (
        "Your army Yorkshire did not get into Holland: its convoy broke when fleet North Sea was"
        " driven out." in lines
    )
    assert (
        lines[1]
        == "Your fleet North Sea, which was to carry army Yorkshire to Holland, was driven out by"
        " Germany’s fleet Denmark, supported from the Helgoland Bight."
    )


def test_a_convoy_that_nobody_made_is_told_on_both_sides() -> None:
    lines = told(spring("ENGLAND A YOR, F NTH"), "ENGLAND", ENGLAND="A YOR - HOL; F NTH H")
    assert (
        "Your army Yorkshire did not get into Holland: no whole chain of fleets was ordered to"
        " carry it." in lines
    )
    lines = told(spring("ENGLAND A YOR, F NTH"), "ENGLAND", ENGLAND="A YOR H; F NTH C A YOR - HOL")
    assert (
        "Your fleet North Sea was to carry army Yorkshire to Holland, but that army was not ordered"
        " to go there." in lines
    )


# --- retreats and adjustments, from events alone


def after(phase: str, *done: Done) -> tuple[str, ...]:
    return tell_story(look(opened(), "FRANCE"), [Closed(phase=phase), *done])


def one(order: str, result: Result, why: Why = "", by: tuple[str, ...] = ()) -> Done:
    return Done(
        power="FRANCE", unit=" ".join(order.split()[:2]), order=order, fate=Fate(result, why, by)
    )


def test_retreats_are_told_together_and_a_unit_given_up_is_not_removed() -> None:
    assert after("S1902R", one("A BUR R PAR", "retreated"), one("F BRE R GAS", "retreated")) == (
        "Your army Burgundy retreated to Paris and fleet Brest to Gascony.",
    )
    assert after("S1902R", one("A BUR D", "disbanded")) == ("You disbanded army Burgundy.",)


def test_r2_two_that_retreat_to_one_province_are_told_once() -> None:
    lines = after(
        "S1902R",
        one("A BUR R PAR", "disbanded", "several retreats", ("A PIC",)),
        one("A PIC R PAR", "disbanded", "several retreats", ("A BUR",)),
    )
    assert lines == (
        "Your army Burgundy and army Picardy both retreated to Paris, so both were disbanded.",
    )


def test_r7_a_unit_whose_retreat_nobody_ordered_is_told_so() -> None:
    silent = Done(power="FRANCE", unit="A BUR", order="", fate=Fate("disbanded", "no order"))
    assert after("S1902R", silent) == (
        "Your army Burgundy had no order to retreat and was disbanded.",
    )


def test_a_build_that_could_not_be_says_why() -> None:
    assert after("W1902A", one("A PAR B", "void", "too many")) == (
        "Your army Paris could not be built: no more were due.",
    )
    assert after("W1902A", one("A PAR B", "void", "not allowed")) == (
        "Your army Paris could not be built: it is not possible there.",
    )


def test_every_sentence_of_a_crowded_phase_ends_in_a_full_stop() -> None:
    state = position(
        "F1902M",
        "FRANCE A PAR, A MAR, F BRE / GERMANY A MUN, A RUH, F KIE",
        "FRANCE PAR / GERMANY BER",
    )
    lines = told(
        state,
        None,
        FRANCE="A PAR - BUR; F BRE S A MAR - GAS",
        GERMANY="A MUN - BUR; F KIE - HOL; A RUH - HOL",
    )
    assert len(lines) > 4
    assert all(
        line.endswith(".") and line[0].isupper() and "!" not in line and "  " not in line
        for line in lines
    )
