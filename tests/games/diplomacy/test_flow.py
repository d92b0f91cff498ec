"""The flow of phases: a year by hand, skipped phases (R4), due seats, defaults (R7), unplayed
powers (R5).
"""

from dataclasses import replace

import pytest

from adjudicator.core.chance import ScriptedChance
from adjudicator.games.diplomacy.map.geography import STANDARD
from adjudicator.games.diplomacy.model import calendar
from adjudicator.games.diplomacy.model.events import (
    Closed,
    Counted,
    Done,
    Driven,
    Eliminated,
    Taken,
)
from adjudicator.games.diplomacy.model.orders import Hold, Move
from adjudicator.games.diplomacy.model.outcomes import Fate
from adjudicator.games.diplomacy.model.state import Homeless, State
from adjudicator.games.diplomacy.phases import flow
from tests.games.diplomacy.table import (
    everywhere,
    given,
    of_kind,
    opened,
    parse_order,
    play,
    position,
)


def phases(state: State, **orders: str) -> list[str]:
    """Return the phases that an adjudication closes, and the one it leads to."""
    done = play(state, **orders)
    return [*(event.phase for event in of_kind(done, Closed)), done.state.phase]


# --- a year


def test_a_year_goes_from_spring_to_spring() -> None:
    spring = play(
        opened(),
        FRANCE="A PAR - BUR; A MAR - SPA; F BRE - MAO",
        GERMANY="A MUN - RUH; F KIE - DEN",
        ITALY="A VEN - TYR",
        AUSTRIA="A BUD - SER",
    )
    assert spring.state.phase == "F1901M" and not of_kind(spring, Taken)
    fall = play(spring.state, FRANCE="A BUR - BEL; F MAO - POR", GERMANY="A RUH - HOL")
    assert fall.state.phase == "W1901A"
    assert [(event.province, event.by, event.of) for event in of_kind(fall, Taken)] == [
        ("BEL", "FRANCE", None),
        ("DEN", "GERMANY", None),
        ("HOL", "GERMANY", None),
        ("POR", "FRANCE", None),
        ("SER", "AUSTRIA", None),
        ("SPA", "FRANCE", None),
    ]
    assert flow.phase(fall.state).due == ("AUSTRIA", "FRANCE", "GERMANY")
    winter = play(fall.state, FRANCE="A PAR B; F BRE B; FRANCE WAIVE", GERMANY="A MUN B; A KIE B")
    assert winter.state.phase == "S1902M"
    assert winter.state.units["FRANCE"] == ("A BEL", "A PAR", "A SPA", "F BRE", "F POR")
    assert [
        len(winter.state.centres[power]) for power in ("AUSTRIA", "FRANCE", "GERMANY", "RUSSIA")
    ] == [4, 6, 5, 4]


def test_a_dislodged_unit_retreats_before_the_year_goes_on() -> None:
    state = position(
        "S1901M", "FRANCE A PAR, A MAR / GERMANY A BUR", "FRANCE PAR MAR / GERMANY MUN"
    )
    beaten = play(state, FRANCE="A PAR - BUR; A MAR S A PAR - BUR")
    assert of_kind(beaten, Driven) == [
        Driven(power="GERMANY", unit="A BUR", retreats=("BEL", "GAS", "MUN", "PIC", "RUH"))
    ]
    assert (beaten.state.phase, flow.phase(beaten.state).due) == ("S1901R", ("GERMANY",))
    assert beaten.state.units == {"FRANCE": ("A BUR", "A MAR")}
    home = play(beaten.state, GERMANY="A BUR R RUH")
    assert (home.state.phase, home.state.units["GERMANY"], home.state.homeless) == (
        "F1901M",
        ("A RUH",),
        (),
    )


def test_a_centre_changes_hands_after_the_retreats_of_the_fall() -> None:
    state = position(
        "F1901M", "FRANCE A PAR, A MAR / GERMANY A BUR", "FRANCE PAR MAR / GERMANY MUN"
    )
    beaten = play(state, FRANCE="A PAR - BUR; A MAR S A PAR - BUR")
    assert not of_kind(beaten, Taken) and not of_kind(beaten, Counted)
    home = play(beaten.state, GERMANY="A BUR R BEL")
    assert [(event.province, event.by) for event in of_kind(home, Taken)] == [("BEL", "GERMANY")]


def test_a_centre_keeps_its_owner_until_somebody_else_stands_in_it_after_a_fall() -> None:
    state = position("F1901M", "FRANCE A PAR / GERMANY A MAR", "FRANCE BRE MAR PAR")
    assert play(state, GERMANY="A MAR H").state.centres == {
        "FRANCE": ("BRE", "PAR"),
        "GERMANY": ("MAR",),
    }
    assert play(replace(state, phase="S1901M"), GERMANY="A MAR H").state.centres == state.centres


def test_the_count_tells_centres_and_units_of_every_living_power() -> None:
    done = play(
        position("F1901M", "FRANCE A PAR / GERMANY A MUN, A RUH", "FRANCE BRE PAR / GERMANY MUN")
    )
    assert of_kind(done, Counted) == [
        Counted(centres={"FRANCE": 2, "GERMANY": 1}, units={"FRANCE": 1, "GERMANY": 2})
    ]


def test_the_last_phase_is_kept_as_everybody_may_read_it() -> None:
    last = play(opened(), FRANCE="A PAR - BUR").state.last
    assert last is not None
    assert (last.phase, last.units["FRANCE"]) == ("S1901M", ("A MAR", "A PAR", "F BRE"))
    assert [(told.unit, told.order, told.fate) for told in last.told if told.power == "FRANCE"] == [
        ("A MAR", "", Fate("held", "no order")),
        ("A PAR", "A PAR - BUR", Fate("moved")),
        ("F BRE", "", Fate("held", "no order")),
    ]


def test_what_was_contested_stands_in_alphabetical_order() -> None:
    state = position(
        "S1902M",
        "AUSTRIA A BUD, A VEN, A VIE / FRANCE A MAR, A PAR / RUSSIA A MOS, A WAR / TURKEY A RUM",
    )
    moves = {
        "AUSTRIA": "A BUD - GAL; A VIE - TYR; A VEN - TYR",
        "FRANCE": "A MAR - BUR; A PAR - BUR",
    }
    last = play(state, **moves, RUSSIA="A WAR - GAL; A MOS - UKR", TURKEY="A RUM - UKR").state.last
    assert last is not None and last.contested == ("BUR", "GAL", "TYR", "UKR")


def test_who_cut_a_support_is_told_in_alphabetical_order() -> None:
    state = position("S1902M", "ENGLAND A BEL, A RUH / FRANCE A GAS, A PAR / GERMANY A MUN, A BUR")
    done = play(
        state,
        GERMANY="A BUR S A MUN",
        FRANCE="A PAR - BUR; A GAS - BUR",
        ENGLAND="A RUH - BUR; A BEL - BUR",
    )
    assert [event.fate.by for event in of_kind(done, Done) if event.unit == "A BUR"] == [
        ("A BEL", "A GAS", "A PAR", "A RUH")
    ]


# --- skipped phases (R4)


def test_r4_phases_with_nothing_to_decide_are_passed_at_once_and_told() -> None:
    quiet = position("F1901M", "FRANCE A PAR / GERMANY A MUN", "FRANCE PAR / GERMANY MUN")
    assert phases(quiet) == ["F1901M", "S1902M"]
    forced = position(
        "F1901M", "FRANCE A PAR / GERMANY A MUN / ITALY A TYR", "FRANCE PAR / GERMANY MUN"
    )
    assert phases(forced) == ["F1901M", "W1901A", "S1902M"]
    assert of_kind(play(forced), Done)[-1].fate == Fate("disbanded", "civil disorder")


def test_r4_the_last_phase_stays_the_one_that_was_ordered() -> None:
    last = play(
        position(
            "F1901M", "FRANCE A PAR / GERMANY A MUN / ITALY A TYR", "FRANCE PAR / GERMANY MUN"
        ),
        FRANCE="A PAR - BUR",
    ).state.last
    assert last is not None and last.phase == "F1901M"


def test_r2_a_unit_with_no_retreat_is_disbanded_without_asking_and_the_phase_is_skipped() -> None:
    state = position("S1901M", "ENGLAND F POR / FRANCE F MAO, F SPA/SC", "ENGLAND LON / FRANCE BRE")
    done = play(state, FRANCE="F SPA/SC - POR; F MAO S F SPA/SC - POR")
    assert of_kind(done, Driven) == [Driven(power="ENGLAND", unit="F POR", retreats=())]
    assert (done.state.phase, everywhere(done.state)) == ("F1901M", {"F MAO", "F POR"})
    assert done.state.units["FRANCE"] == ("F MAO", "F POR")


def test_r4_retreats_of_powers_that_nobody_plays_are_passed_over_and_disband() -> None:
    state = position(
        "S1901M",
        "FRANCE A PIE, A TUS / GERMANY A MUN / ITALY A VEN",
        "FRANCE PAR / GERMANY MUN / ITALY ROM",
        seats=6,
    )
    done = play(state, FRANCE="A PIE - VEN; A TUS S A PIE - VEN")
    assert [event.phase for event in of_kind(done, Closed)] == ["S1901M", "S1901R"]
    assert of_kind(done, Done)[-1] == Done(
        power="ITALY", unit="A VEN", order="", fate=Fate("disbanded", "no order")
    )
    assert (done.state.phase, "ITALY" in done.state.units) == ("F1901M", False)


def test_a_match_in_which_nobody_can_ever_order_again_is_drawn() -> None:
    state = position("F1901M", "FRANCE A BUR / GERMANY A MUN", "FRANCE SER / GERMANY GRE")
    nobody = replace(state, units={}, phase="W1901A")
    done = flow.adjudicate(nobody, {}, ScriptedChance(()))
    assert done.state.end is not None and (done.state.end.how, done.state.end.winners) == (
        "draw",
        ("FRANCE", "GERMANY"),
    )


# --- due seats


def test_due_are_the_seats_with_a_unit_a_retreat_or_something_to_build_or_to_choose() -> None:
    assert flow.phase(opened()).due == STANDARD.powers
    assert flow.seats_due(position("F1901M", "FRANCE A PAR", "FRANCE PAR / GERMANY MUN")) == (
        "FRANCE",
    )
    winter = position(
        "W1901A",
        "FRANCE A PAR / GERMANY A BER, A KIE / ITALY A TYR",
        "FRANCE BRE PAR / GERMANY MUN / AUSTRIA SER",
    )
    assert flow.seats_due(winter) == ("FRANCE", "GERMANY")


def test_phases_are_named_for_people() -> None:
    assert flow.phase(opened()).name == "Spring 1901"
    assert [calendar.phase_name(code) for code in ("F1902R", "W1903A")] == [
        "Fall 1902 retreats",
        "Winter 1903 builds",
    ]


def test_retreats_and_builds_take_the_short_deadline() -> None:
    assert [
        flow.phase(replace(opened(), phase=code)).pace for code in ("S1901M", "F1901R", "W1901A")
    ] == ["main", "short", "short"]


# --- defaults (R7)


def test_r7_a_silent_seat_holds_disbands_waives_and_removes_by_civil_disorder() -> None:
    assert flow.default(opened(), "FRANCE") == (Hold("A MAR"), Hold("A PAR"), Hold("F BRE"))
    homeless = (Homeless("A BUR", "FRANCE", "A MUN", "MUN", ("PAR",)),)
    retreat = replace(position("S1901R", "FRANCE A PAR"), homeless=homeless)
    assert flow.default(retreat, "FRANCE") == (parse_order("A BUR D"),)
    assert flow.default(retreat, "GERMANY") == ()
    winter = position(
        "W1901A", "FRANCE A BUR / GERMANY A HOL, A LVN", "FRANCE BRE MAR PAR / GERMANY KIE"
    )
    assert flow.default(winter, "FRANCE") == (
        parse_order("FRANCE WAIVE"),
        parse_order("FRANCE WAIVE"),
    )
    assert flow.default(winter, "GERMANY") == (parse_order("A LVN D"),)


def test_builds_that_were_not_ordered_are_told_as_waived() -> None:
    done = play(
        position("W1901A", "FRANCE A BUR / GERMANY A MUN", "FRANCE BRE MAR PAR / GERMANY MUN"),
        FRANCE="A PAR B",
    )
    assert [(event.unit, event.fate) for event in of_kind(done, Done)] == [
        ("A PAR", Fate("built")),
        (None, Fate("waived", "no order")),
    ]


# --- unplayed powers (R5)


def test_r5_a_seat_orders_all_powers_it_plays() -> None:
    done = play(opened(2), ENGLAND="A PAR - BUR; A WAR - GAL; A LVP - YOR")
    assert {"A BUR", "A GAL", "A YOR"} <= everywhere(done.state)


def test_r5_units_of_unplayed_powers_hold_and_keep_their_centres() -> None:
    state = opened(6)
    done = play(play(state, FRANCE="A MAR - PIE").state)
    assert done.state.units["ITALY"] == state.units["ITALY"] and done.state.centres["ITALY"] == (
        "NAP",
        "ROM",
        "VEN",
    )


def test_r5_unplayed_powers_lose_units_by_civil_disorder_and_build_nothing() -> None:
    state = position(
        "F1901M",
        "FRANCE A PIE, A TUN / GERMANY A MUN / ITALY A APU, F ROM",
        "FRANCE MAR / GERMANY MUN / ITALY ROM VEN",
        seats=6,
    )
    done = play(state, FRANCE="A PIE - VEN")
    winter = play(done.state, FRANCE="FRANCE WAIVE")
    assert winter.state.units["ITALY"] == ("F ROM",)


def test_an_order_for_somebody_elses_unit_counts_as_not_given() -> None:
    done = play(opened(), GERMANY="A PAR - BUR; A MUN - BUR")
    assert {"A PAR", "A BUR"} <= everywhere(done.state) and "A MUN" not in everywhere(done.state)


def test_nobody_sends_a_homeless_unit_of_somebody_else() -> None:
    homeless = (Homeless("A BUR", "GERMANY", "A PAR", "PAR", ("BEL", "RUH")),)
    state = replace(
        position("S1901R", "FRANCE A MAR / GERMANY A MUN", "FRANCE MAR / GERMANY MUN"),
        homeless=homeless,
    )
    done = play(state, FRANCE="A BUR R BEL", GERMANY="A BUR R RUH")
    assert done.state.units["GERMANY"] == ("A MUN", "A RUH")
    assert play(state, FRANCE="A BUR R BEL").state.units["GERMANY"] == ("A MUN",)


def test_r5_in_winter_each_order_is_carried_out_for_one_power_of_a_seat() -> None:
    state = position(
        "W1901A",
        "ENGLAND A YOR / FRANCE A GAS, A SPA / RUSSIA A FIN",
        "ENGLAND EDI LON / FRANCE PAR / RUSSIA MOS WAR",
        seats=2,
    )
    done = play(state, ENGLAND="A LON B; A SPA D; RUSSIA WAIVE")
    assert [(event.power, event.order, event.fate.result) for event in of_kind(done, Done)] == [
        ("ENGLAND", "A LON B", "built"),
        ("FRANCE", "A SPA D", "disbanded"),
        ("RUSSIA", "RUSSIA WAIVE", "waived"),
    ]


# --- arbitrary orders


@pytest.mark.parametrize(
    "text",
    [
        "A PAR - LON",  # out of reach
        "A ROM - VEN",  # of another power
        "A XYZ - BUR",  # nowhere
        "A PAR R BUR",  # of another phase
        "A PAR B; A PAR D; ENGLAND WAIVE",
        "Rock A PAR",  # of another rule set
        "F BRE - SPA",  # no coast, and out of reach
    ],
)
def test_r1_what_can_not_be_ordered_counts_as_not_given(text: str) -> None:
    done = play(opened(), FRANCE=text)
    assert done.state.units == opened().units
    assert {event.fate for event in of_kind(done, Done)} == {Fate("held", "no order")}


def test_of_several_orders_for_a_unit_the_last_counts() -> None:
    assert "A GAS" in everywhere(play(opened(), FRANCE="A PAR - BUR; A PAR - GAS").state)


def test_an_ended_match_stays_as_it_is() -> None:
    done = play(opened(2), ENGLAND="CONCEDE")
    again = play(done.state, GERMANY="A MUN - RUH")
    assert (again.state, again.events) == (done.state, ())
    assert flow.phase(again.state).due == () and flow.phase(again.state).name == "The end"


def test_every_closed_phase_begins_with_its_name() -> None:
    done = play(opened(), FRANCE="A PAR - BUR; DRAW")
    assert done.events[0] == Closed(phase="S1901M")
    assert given({"FRANCE": "A PAR - BUR"}) == {"FRANCE": (Move("A PAR", "BUR"),)}
    assert not of_kind(done, Eliminated)
