"""The story of a phase: successes, holds and revealed characteristics; the reader's own powers
first (LOOK, rsp R5).
"""

from dataclasses import replace

import pytest

from adjudicator.games.diplomacy.model.events import Assigned, Closed, Done, Ended
from adjudicator.games.diplomacy.model.outcomes import Fate
from adjudicator.games.diplomacy.phases.view import look
from adjudicator.games.diplomacy.story.narration import tell_story
from tests.games.diplomacy.stories import of_characteristics, spring, told
from tests.games.diplomacy.table import opened, position

# --- successes


def test_all_moves_of_a_power_are_one_sentence_and_the_readers_own_come_first() -> None:
    lines = told(
        spring("AUSTRIA A VIE / FRANCE A PAR, F BRE"),
        "FRANCE",
        AUSTRIA="A VIE - TYR",
        FRANCE="A PAR - BUR; F BRE - MAO",
    )
    assert lines == (
        "You moved army Paris to Burgundy and fleet Brest to the Mid-Atlantic Ocean.",
        "Austria moved army Vienna to Tyrolia.",
    )


def test_an_observer_reads_of_every_power_by_its_name() -> None:
    assert told(spring("FRANCE A PAR"), None, FRANCE="A PAR - BUR") == (
        "France moved army Paris to Burgundy.",
    )


def test_a_seat_of_several_powers_reads_which_of_them_did_it() -> None:
    state = spring("ENGLAND F LON / RUSSIA A MOS, A WAR / GERMANY A BER", seats=2)
    lines = told(
        state, "ENGLAND", ENGLAND="F LON - NTH; A MOS - UKR; A WAR - SIL", GERMANY="A BER - SIL"
    )
    assert lines == (
        "As England you moved fleet London to the North Sea.",
        "As Russia you moved army Moscow to Ukraine.",
        (
            "Your Russian army Warsaw and Germany’s army Berlin both tried to enter Silesia and"
            " stopped each other."
        ),
    )


def test_a_seat_of_several_powers_reads_which_of_them_took_a_centre() -> None:
    state = position(
        "F1902M", "ENGLAND F NTH / GERMANY A BER", "ENGLAND LON / GERMANY BER", seats=2
    )
    assert "As England you took Norway." in told(state, "ENGLAND", ENGLAND="F NTH - NWY")


def test_supports_of_one_move_are_one_sentence_and_name_whose_it_is() -> None:
    state = spring("FRANCE A BUR, A RUH / GERMANY A MUN")
    lines = told(state, "FRANCE", GERMANY="A MUN - BOH", FRANCE="A BUR S A MUN - BOH; A RUH H")
    assert "Your army Ruhr held." in lines
    state = spring("FRANCE A BUR, A RUH, A TYR / ITALY A BOH")
    lines = told(
        state,
        "FRANCE",
        ITALY="A BOH - MUN",
        FRANCE="A BUR S A BOH - MUN; A RUH S A BOH - MUN; A TYR H",
    )
    assert (
        lines[0] == "Your army Burgundy and army Ruhr supported Italy’s army Bohemia into Munich."
    )


def test_a_supported_hold_is_told_without_a_destination() -> None:
    lines = told(spring("FRANCE A BUR, A PAR"), "FRANCE", FRANCE="A BUR H; A PAR S A BUR")
    assert lines == ("Your army Paris supported army Burgundy.", "Your army Burgundy held.")


def test_a_convoy_that_arrived_was_carried_and_one_that_was_stopped_had_stood_ready() -> None:
    state = spring("ENGLAND A YOR, F NTH")
    orders = "A YOR - BEL; F NTH C A YOR - BEL"
    assert told(state, "ENGLAND", ENGLAND=orders) == (
        "You moved army Yorkshire by convoy to Belgium.",
        "Your fleet North Sea carried army Yorkshire to Belgium.",
    )
    state = spring("ENGLAND A YOR, F NTH / GERMANY A RUH")
    assert told(state, "ENGLAND", ENGLAND=orders, GERMANY="A RUH - BEL") == (
        "Your fleet North Sea stood ready to carry army Yorkshire to Belgium.",
        (
            "Your army Yorkshire and Germany’s army Ruhr both tried to enter Belgium and stopped"
            " each other."
        ),
    )


def test_r7_units_without_an_order_are_told_as_such_beside_those_that_held() -> None:
    lines = told(spring("FRANCE A PAR, F BRE, A MAR"), "FRANCE", FRANCE="A PAR H")
    assert lines == (
        "Your army Paris held.",
        "Your army Marseilles and fleet Brest had no order and held.",
    )


# --- Winter and centres


def test_builds_removals_and_builds_left_unused_are_told() -> None:
    state = position(
        "W1902A",
        "FRANCE A BUR / GERMANY A RUH, A HOL",
        "FRANCE BRE MAR PAR / GERMANY BER",
        seats=("FRANCE", "GERMANY"),
        powers="one",
    )
    assert told(state, "FRANCE", FRANCE="A PAR B", GERMANY="A HOL D") == (
        "You built army Paris.",
        "You left a build unused.",
        "Germany removed army Holland.",
    )


def test_r3_a_removal_by_civil_disorder_says_so() -> None:
    state = position(
        "W1902A",
        "FRANCE A BUR / GERMANY A RUH, A SPA",
        "FRANCE PAR / GERMANY BER",
        seats=("FRANCE", "GERMANY"),
        powers="one",
    )
    assert told(state, "GERMANY") == (
        "Your army Spain was removed by civil disorder, as too few removals were ordered.",
    )


def test_centres_taken_come_with_whose_they_were_and_with_what_is_due() -> None:
    state = position(
        "F1902M", "FRANCE A RUH / GERMANY A HOL, A TYR", "FRANCE PAR / GERMANY BEL BER MUN"
    )
    lines = told(state, "GERMANY", FRANCE="A RUH - MUN", GERMANY="A TYR - VIE; A HOL H")
    assert lines[-3:] == (
        "You took Holland and Vienna.",
        "France took Munich from you.",
        "Supply centres: France 2 and Germany 4; builds due: France 1 and Germany 2.",
    )


def test_a_power_with_nothing_left_is_out() -> None:
    state = position(
        "F1902M",
        "FRANCE A BUR, A RUH / GERMANY A HOL / ITALY F TUN",
        "FRANCE PAR MUN / GERMANY MUN / ITALY TUN",
    )
    assert "Germany has neither units nor supply centres any more and is out." in told(
        replace(
            state,
            units={**state.units, "GERMANY": ()},
            centres={"FRANCE": ("PAR",), "GERMANY": ("MUN",), "ITALY": ("TUN",)},
        ),
        "FRANCE",
        FRANCE="A RUH - MUN; A BUR H",
    )


# --- votes and the end


def test_votes_say_who_is_missing_and_that_all_are_needed() -> None:
    state = opened(("FRANCE", "GERMANY"), powers="one", unplayed="absent")
    assert told(state, "FRANCE", FRANCE="DRAW")[0] == "You agree to a draw; it also takes Germany."
    assert told(state, "GERMANY", FRANCE="DRAW")[0] == "France agrees to a draw; it also takes you."
    lines = told(state, "FRANCE", FRANCE="DRAW", GERMANY="DRAW")
    assert lines == (
        "You and Germany agree to a draw.",
        (
            "The match is over: a draw of you and Germany. Supply centres at the end: you 3 and"
            " Germany 3."
        ),
    )


def test_a_concession_says_what_becomes_of_the_units() -> None:
    state = opened(("FRANCE", "GERMANY", "ITALY"), powers="one", unplayed="absent")
    assert (
        told(state, "GERMANY", FRANCE="CONCEDE")[0]
        == "France conceded; France’s units only hold from now on."
    )
    assert (
        told(state, "FRANCE", FRANCE="CONCEDE")[0]
        == "You conceded; your units only hold from now on."
    )


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("victory", "The match is over: you won."),
        ("year", "The match is over: you won with 5 supply centres, the most after its last year."),
        ("conceded", "The match is over: you won, as all others conceded."),
        ("alone", "The match is over: you won, as nobody else has anything left."),
    ],
)
def test_the_end_says_how_it_came(how: str, said: str) -> None:
    event = Ended(how=how, winners=("FRANCE",), centres={"FRANCE": 5, "ITALY": 2})  # type: ignore[arg-type]
    assert tell_story(look(opened(), "FRANCE"), [event]) == (
        f"{said} Supply centres at the end: you 5 and Italy 2.",
    )


def test_seats_that_lose_all_they_had_at_once_draw() -> None:
    event = Ended(how="alone", winners=("ENGLAND", "ITALY"), centres={"ENGLAND": 0, "ITALY": 0})
    assert (
        "England and Italy lost all they had at once, a draw."
        in tell_story(look(opened(), "FRANCE"), [event])[0]
    )


# --- several phases at once


def test_r4_a_phase_that_nobody_had_to_decide_is_told_as_such() -> None:
    events = [
        Closed(phase="F1902M"),
        Done(power="FRANCE", unit="A PAR", order="A PAR H", fate=Fate("held")),
        Closed(phase="W1902A"),
        Done(power="ITALY", unit="A ROM", order="", fate=Fate("disbanded", "civil disorder")),
    ]
    assert tell_story(look(opened(), None), events) == (
        "France’s army Paris held.",
        "Winter 1902 builds followed at once, as nobody had anything to decide.",
        "Italy’s army Rome was removed by civil disorder, as too few removals were ordered.",
    )


# --- Rock, Scissors, Paper


def test_rsp_r5_a_fight_tells_the_characteristics_of_all_who_were_in_it() -> None:
    state = of_characteristics("AUSTRIA A GAL / GERMANY A PRU", PRU="Rock", GAL="Scissors")
    lines = told(state, "AUSTRIA", AUSTRIA="A GAL - SIL", GERMANY="A PRU - SIL")
    assert lines == (
        "Your army Galicia did not get into Silesia: Germany’s army Prussia got in.",
        "Germany moved army Prussia to Silesia.",
        "In the fight for Silesia, your army Galicia was Scissors and Germany’s army Prussia Rock.",
    )


def test_rsp_r5_alike_characteristics_are_told_together_and_no_other_is_told() -> None:
    state = of_characteristics("AUSTRIA A GAL, A VIE / GERMANY A PRU")
    lines = told(state, None, AUSTRIA="A GAL - SIL; A VIE - TYR", GERMANY="A PRU - SIL")
    assert (
        lines[-1]
        == "In the fight for Silesia, Austria’s army Galicia and Germany’s army Prussia were both"
        " Paper."
    )
    assert sum("Paper" in line for line in lines) == 1


def test_rsp_r2_a_change_is_told_to_its_owner_only() -> None:
    state = of_characteristics("AUSTRIA A GAL / GERMANY A PRU")
    assert (
        told(state, "GERMANY", GERMANY="Rock A PRU; A PRU H")[0]
        == "Your army Prussia is Rock from now on."
    )
    assert not any("Rock" in line for line in told(state, "AUSTRIA", GERMANY="Rock A PRU; A PRU H"))


def test_rsp_r1_what_was_drawn_is_one_sentence() -> None:
    event = Assigned(
        power="FRANCE", traits={"F BRE": "Rock", "A PAR": "Paper", "A MAR": "Scissors"}
    )
    line = "Your fleet Brest is Rock, army Marseilles Scissors and army Paris Paper."
    assert tell_story(look(opened(rule_set="rsp"), "FRANCE"), [event]) == (line,)
