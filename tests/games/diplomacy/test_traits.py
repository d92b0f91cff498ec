"""The characteristics of `rsp` in a match: rsp R1 to R5 and R8."""

from dataclasses import replace

from adjudicator.core.chance import ScriptedChance
from adjudicator.games.diplomacy.model.events import Assigned, Changed, Done, Revealed
from adjudicator.games.diplomacy.model.orders import Trait
from adjudicator.games.diplomacy.model.outcomes import Fate
from adjudicator.games.diplomacy.model.state import Homeless, Seen, State, owners_of
from adjudicator.games.diplomacy.phases import characteristics, flow
from adjudicator.games.diplomacy.phases.view import look
from tests.games.diplomacy.table import everywhere, of_kind, opened, play, position

LETTERS: dict[str, Trait] = {"R": "Rock", "S": "Scissors", "P": "Paper"}
SILESIA = {"A PRU": "Rock", "A SIL": "Scissors"}


def armed(phase: str, units: str, centres: str, **chosen: object) -> State:
    """Return a position of `rsp` in which each unit has the letter of its characteristic: `GERMANY
    R A PRU / RUSSIA S A SIL`.
    """
    plain = " / ".join(
        f"{power} {', '.join(unit[2:] for unit in rest.split(', '))}"
        for power, rest in _split(units)
    )
    known = {unit[2:]: LETTERS[unit[0]] for _, rest in _split(units) for unit in rest.split(", ")}
    return replace(
        position(phase, plain, centres, rule_set="rsp", edition="1976", **chosen), traits=known
    )


def _split(units: str) -> list[tuple[str, str]]:
    return [(part.partition(" ")[0], part.partition(" ")[2]) for part in units.split(" / ")]


def silesia(phase: str = "S1901M") -> State:
    """Return the source's second example: Rock in Prussia, Scissors in Silesia, and an uninvolved
    army.
    """
    return armed(phase, "GERMANY R A PRU / RUSSIA S A SIL, P A MOS", "GERMANY BER / RUSSIA MOS WAR")


# --- at the start


def test_rsp_r1_characteristics_are_drawn_in_secret_in_the_order_of_the_province_codes_unplayed_units_too() -> (
    None
):
    state = opened(6, "rsp", edition="1976")
    script = ScriptedChance(["Rock", "Scissors"] + ["Paper"] * 20)
    drawn = characteristics.draw_traits(owners_of(state), script)
    assert [draw.label for draw in script.draws][:4] == [
        "trait:ANK",
        "trait:BER",
        "trait:BRE",
        "trait:BUD",
    ]
    assert {draw.stream for draw in script.draws} == {"hidden"} and len(script.draws) == 22
    assert (drawn["F ANK"], drawn["A BER"], drawn["A ROM"]) == ("Rock", "Scissors", "Paper")


def test_rsp_r1_only_its_seat_learns_a_characteristic_and_of_an_unplayed_power_nobody() -> None:
    state = armed("S1901M", "GERMANY R A BER / ITALY P A ROM / RUSSIA S A WAR", "", seats=6)
    assert characteristics.tell_assigned(state, state.traits) == (
        Assigned(readers=("GERMANY",), power="GERMANY", traits={"A BER": "Rock"}),
        Assigned(readers=(), power="ITALY", traits={"A ROM": "Paper"}),
        Assigned(readers=("RUSSIA",), power="RUSSIA", traits={"A WAR": "Scissors"}),
    )


# --- changes


def test_rsp_r2_a_change_counts_in_that_adjudication_and_from_then_on() -> None:
    done = play(silesia(), GERMANY="A PRU - SIL", RUSSIA="Paper A SIL")
    assert done.state.units["GERMANY"] == ("A PRU",)  # Paper keeps Rock out
    assert done.state.traits["A SIL"] == "Paper"
    assert of_kind(done, Changed) == [Changed(readers=("RUSSIA",), unit="A SIL", trait="Paper")]


def test_rsp_r2_a_change_counts_whatever_becomes_of_the_order() -> None:
    done = play(silesia(), GERMANY="A PRU - ROM; Paper A PRU")
    assert (done.state.traits["A PRU"], everywhere(done.state)) == (
        "Paper",
        {"A MOS", "A PRU", "A SIL"},
    )


def test_rsp_r2_of_several_changes_the_last_holds_and_one_to_the_same_is_none() -> None:
    done = play(silesia(), GERMANY="Paper A PRU; Scissors A PRU", RUSSIA="Scissors A SIL")
    assert done.state.traits["A PRU"] == "Scissors"
    assert [event.unit for event in of_kind(done, Changed)] == ["A PRU"]


def test_rsp_r2_nobody_changes_a_unit_of_somebody_else() -> None:
    done = play(silesia(), GERMANY="Paper A SIL; Paper A NWY")
    assert done.state.traits == silesia().traits and not of_kind(done, Changed)


# --- conflicts


def test_rsp_r5_a_conflict_shows_the_characteristics_of_all_in_it_to_everybody() -> None:
    done = play(silesia(), GERMANY="A PRU - SIL")
    (shown,) = of_kind(done, Revealed)
    assert (shown.readers, shown.province, dict(shown.traits), dict(shown.powers)) == (
        None,
        "SIL",
        SILESIA,
        {"A PRU": "GERMANY", "A SIL": "RUSSIA"},
    )
    assert done.state.last is not None and done.state.last.revealed == SILESIA


def test_rsp_r5_what_was_seen_goes_with_the_unit() -> None:
    done = play(silesia(), GERMANY="A PRU - SIL")
    # Rock is there now; Scissors has to retreat
    assert done.state.seen == {"A SIL": Seen("Rock", "S1901M")}
    gone = play(done.state, RUSSIA="A SIL R GAL")
    assert gone.state.seen == {"A SIL": Seen("Rock", "S1901M"), "A GAL": Seen("Scissors", "S1901M")}
    assert gone.state.traits == {"A SIL": "Rock", "A GAL": "Scissors", "A MOS": "Paper"}
    away = play(gone.state, GERMANY="A SIL - BOH; Paper A SIL")
    assert (away.state.traits["A BOH"], away.state.seen["A BOH"]) == (
        "Paper",
        Seen("Rock", "S1901M"),
    )


def test_rsp_r5_a_unit_that_is_disbanded_takes_its_entry_away() -> None:
    gone = play(play(silesia(), GERMANY="A PRU - SIL").state, RUSSIA="A SIL D")
    assert set(gone.state.seen) == {"A SIL"} and set(gone.state.traits) == {"A SIL", "A MOS"}


def test_rsp_r5_no_published_order_tells_a_characteristic() -> None:
    done = play(silesia(), GERMANY="A PRU - SIL; Rock A PRU", RUSSIA="Paper A MOS")
    assert {event.order for event in of_kind(done, Done)} == {"A PRU - SIL", ""}
    assert done.state.last is not None and {told.order for told in done.state.last.told} == {
        "A PRU - SIL",
        "",
    }


def test_rsp_r6_a_support_is_no_order_here() -> None:
    done = play(silesia(), GERMANY="A PRU S A SIL")
    assert [
        (event.order, event.fate) for event in of_kind(done, Done) if event.unit == "A PRU"
    ] == [("", Fate("held", "no order"))]


# --- what others may know


def test_rsp_r5_others_see_what_was_revealed_and_the_owner_its_own() -> None:
    state = play(silesia(), GERMANY="A PRU - SIL").state
    assert look(state, "GERMANY").traits == {"A SIL": "Rock"}
    assert (
        look(state, "RUSSIA").traits == {"A MOS": "Paper"}
        and look(state, "RUSSIA").homeless[0].trait == "Scissors"
    )
    assert look(state, None).traits == {} and look(state, "GERMANY").homeless[0].trait is None
    assert look(state, None).seen == {"A SIL": Seen("Rock", "S1901M")}


def test_rsp_r9_at_the_end_everybody_sees_everything() -> None:
    done = play(
        armed("S1901M", "ENGLAND R A LON / GERMANY S A BER", "", seats=2), ENGLAND="CONCEDE"
    )
    assert look(done.state, None).traits == {"A BER": "Scissors", "A LON": "Rock"}


# --- builds


def winter() -> State:
    return armed(
        "W1901A", "FRANCE P A BUR / GERMANY R A RUH", "FRANCE BRE MAR PAR / GERMANY BER KIE"
    )


def test_rsp_r3_a_built_unit_is_what_its_order_names_else_drawn_in_the_order_of_province_codes() -> (
    None
):
    done = play(
        winter(), FRANCE="Rock F BRE B; A PAR B", GERMANY="F KIE B", script=("Scissors", "Paper")
    )
    assert done.state.traits == {
        "A BUR": "Paper",
        "A RUH": "Rock",
        "F BRE": "Rock",
        "F KIE": "Scissors",
        "A PAR": "Paper",
    }
    assert of_kind(done, Assigned) == [
        Assigned(readers=("FRANCE",), power="FRANCE", traits={"A PAR": "Paper", "F BRE": "Rock"}),
        Assigned(readers=("GERMANY",), power="GERMANY", traits={"F KIE": "Scissors"}),
    ]
    assert {event.order for event in of_kind(done, Done)} == {"F BRE B", "A PAR B", "F KIE B"}


def test_rsp_r3_a_build_that_is_not_allowed_draws_nothing() -> None:
    script = ScriptedChance(())
    done = flow.adjudicate(
        replace(winter(), centres={"FRANCE": ("PAR", "SPA"), "GERMANY": ("MUN",)}), {}, script
    )
    assert (done.state.traits, script.draws) == ({"A BUR": "Paper", "A RUH": "Rock"}, ())


def test_rsp_r4_characteristics_decide_nothing_in_retreats() -> None:
    homeless = (
        Homeless("A BUR", "FRANCE", "A MUN", "MUN", ("GAS", "PIC"), "Rock"),
        Homeless("A BEL", "GERMANY", "A HOL", "HOL", ("PIC",), "Scissors"),
        Homeless("A PAR", "ITALY", "A BRE", "BRE", ("GAS", "PIC"), "Paper"),
    )
    state = replace(
        armed("S1902R", "FRANCE R A MAR / GERMANY P A KIE / ITALY S A ROM", "FRANCE MAR"),
        homeless=homeless,
    )
    done = play(state, FRANCE="A BUR R PIC", GERMANY="A BEL R PIC", ITALY="A PAR R GAS")
    assert everywhere(done.state) == {"A MAR", "A KIE", "A ROM", "A GAS"}
    other = play(state, FRANCE="A BUR R PIC", GERMANY="A BEL R RUH", ITALY="A PAR R GAS")
    assert everywhere(other.state) == {"A MAR", "A KIE", "A ROM", "A GAS", "A PIC"}
    assert (other.state.traits["A PIC"], other.state.traits["A GAS"]) == ("Rock", "Paper")


def test_rsp_r8_silent_units_keep_their_characteristics_and_a_removed_one_is_forgotten() -> None:
    state = armed("W1901A", "FRANCE P A BUR, S A GAS / GERMANY R A RUH", "FRANCE PAR / GERMANY MUN")
    done = play(replace(state, seen={"A BUR": Seen("Rock", "F1901M")}))
    assert (done.state.traits, done.state.seen) == ({"A GAS": "Scissors", "A RUH": "Rock"}, {})
