"""Trials: orders of any powers on the board of a view, or on one in the text; they use and show no
secret.
"""

from dataclasses import replace
from typing import Any

import pytest

from adjudicator.core.game import Laid, Trial
from adjudicator.games.diplomacy.model.events import Changed, Closed, Done, Driven, Ended, Revealed
from adjudicator.games.diplomacy.model.orders import TRAITS
from adjudicator.games.diplomacy.model.state import Seen, State
from adjudicator.games.diplomacy.ordering import parsing
from adjudicator.games.diplomacy.ordering import position as ordering
from adjudicator.games.diplomacy.ordering.choices import slots
from adjudicator.games.diplomacy.ordering.position import LONGEST_LAID, MOST_REFUSED
from adjudicator.games.diplomacy.phases.view import BoardView, look
from adjudicator.games.diplomacy.trial import lay_board, try_orders
from tests.games.diplomacy.table import everywhere, opened, play, position


def tried(state: State, text: str, seat: str | None = None) -> Trial:
    """Return the trial of lines with `; ` between them, on the view of a seat."""
    done = try_orders(look(state, seat), text.replace("; ", "\n"))
    assert done is not None
    return done


def units(done: Trial) -> dict[str, tuple[str, ...]]:
    """Return the board afterwards."""
    assert isinstance(done.view, BoardView)
    return dict(done.view.units)


def outcomes(done: Trial) -> dict[str | None, str]:
    """Return the result of each order."""
    return {event.unit: event.fate.result for event in done.events if isinstance(event, Done)}


BORDER = "FRANCE A PAR, A MAR / GERMANY A BUR, A RUH"


# --- the phases


def test_orders_of_all_powers_are_tried_and_who_is_given_none_holds() -> None:
    done = tried(opened(), "A PAR - BUR; A MUN - BUR; F LON - NTH")
    assert outcomes(done) == {"A PAR": "bounced", "A MUN": "bounced", "F LON": "moved"}
    assert "A PAR" in units(done)["FRANCE"] and "F NTH" in units(done)["ENGLAND"]
    assert (done.refusals, done.remarks) == ((), ())


def test_who_stood_idle_is_told_of_only_where_it_mattered() -> None:
    done = tried(position("S1901M", "FRANCE A PAR, A MAR / GERMANY A BUR, A RUH"), "A PAR - BUR")
    assert outcomes(done) == {"A PAR": "bounced", "A BUR": "held"}


def test_a_trial_gives_what_the_match_would() -> None:
    state = position("S1901M", BORDER, "FRANCE PAR MAR / GERMANY MUN")
    match = play(state, FRANCE="A PAR - BUR; A MAR S A PAR - BUR", GERMANY="A RUH - BEL").state
    done = tried(state, "A PAR - BUR; A MAR S A PAR - BUR; A RUH - BEL")
    assert isinstance(done.view, BoardView)
    assert (done.view.phase, done.view.units, done.view.homeless, done.view.last) == (
        "S1901R",
        match.units,
        match.homeless,
        match.last,
    )
    assert [event.unit for event in done.events if isinstance(event, Driven)] == ["A BUR"]


def test_retreats_and_adjustments_are_tried_in_their_phases() -> None:
    state = position(
        "S1901M", "FRANCE A PAR, A MAR / GERMANY A BUR", "FRANCE PAR MAR / GERMANY MUN"
    )
    driven = play(state, FRANCE="A PAR - BUR; A MAR S A PAR - BUR").state
    assert units(tried(driven, "A BUR R RUH"))["GERMANY"] == ("A RUH",)
    assert "GERMANY" not in units(tried(driven, "A BUR D"))
    winter = position(
        "W1901A", "FRANCE A SPA / GERMANY A BUR, A RUH", "FRANCE PAR SPA BRE / GERMANY MUN"
    )
    done = tried(winter, "Build A PAR; B F BRE; Remove A BUR")
    assert units(done) == {"FRANCE": ("A PAR", "A SPA", "F BRE"), "GERMANY": ("A RUH",)}


def test_builds_anywhere_follow_the_match() -> None:
    state = position("W1901A", "FRANCE A PAR", "FRANCE PAR SPA", build_anywhere=True)
    assert units(tried(state, "Build A SPA"))["FRANCE"] == ("A PAR", "A SPA")


def test_the_edition_of_the_match_counts() -> None:
    there = "ENGLAND A LON, F ENG, F NTH / FRANCE F BRE, F MAO"
    orders = (
        "A LON - BEL; F ENG C A LON - BEL; F NTH C A LON - BEL; F BRE - ENG; F MAO S F BRE - ENG"
    )
    found = {
        edition: outcomes(tried(position("S1901M", there, edition=edition), orders))["A LON"]
        for edition in ("2023", "1976")
    }
    assert found == {"2023": "moved", "1976": "convoy disrupted"}


# --- spelling


def test_names_of_powers_may_stand_over_the_orders_or_before_them() -> None:
    done = tried(opened(), "FRANCE:; A PAR - BUR; GERMANY: A MUN - RUH, F KIE - DEN")
    assert outcomes(done) == {"A PAR": "moved", "A MUN": "moved", "F KIE": "moved"}


def test_a_line_that_cannot_be_read_is_refused_and_the_others_are_tried() -> None:
    done = tried(opened(), "A PAR - LON; nonsense; A MUN - RUH")
    assert [refusal.line for refusal in done.refusals] == ["A PAR - LON", "nonsense"]
    assert outcomes(done) == {"A MUN": "moved"}


def test_one_power_against_another_is_no_mistake_but_its_own_contradictions_are_told() -> None:
    assert tried(opened(), "A PAR - BUR; A MUN - BUR").remarks == ()
    assert any("A MAR" in remark for remark in tried(opened(), "A PAR - BUR; A MAR - BUR").remarks)


def test_nobody_votes_or_gives_up_in_a_trial() -> None:
    done = tried(opened(), "DRAW; CONCEDE; A PAR - BUR")
    assert any("asks nobody for a draw" in remark for remark in done.remarks)
    assert (
        outcomes(done) == {"A PAR": "moved"}
        and isinstance(done.view, BoardView)
        and done.view.conceded == ()
    )


def test_powers_that_nobody_plays_can_be_given_orders() -> None:
    done = tried(opened(2, powers="one"), "A PAR - BUR; A VEN - TYR")
    assert outcomes(done) == {"A PAR": "moved", "A VEN": "moved"}
    assert isinstance(done.view, BoardView) and [realm.seat for realm in done.view.realms] == [
        "ENGLAND",
        "GERMANY",
    ]


def test_a_seat_that_gave_up_moves_in_a_trial() -> None:
    state = replace(opened(), conceded=("FRANCE",))
    assert outcomes(tried(state, "A PAR - BUR")) == {"A PAR": "moved"}


def test_a_victory_is_told_and_no_other_end() -> None:
    state = position(
        "F1901M", "FRANCE A BUR / GERMANY A RUH", "FRANCE PAR MAR / GERMANY KIE", victory_centres=3
    )
    won = tried(state, "A BUR - MUN")
    assert [event.winners for event in won.events if isinstance(event, Ended)] == [("FRANCE",)]
    alone = tried(position("S1901M", "FRANCE A BUR", "FRANCE PAR"), "A BUR - MUN")
    assert not any(isinstance(event, Ended) for event in alone.events)


def test_an_ended_match_can_be_tried_on() -> None:
    state = play(
        opened(),
        **dict.fromkeys(("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA"), "CONCEDE"),
    ).state
    assert state.end is not None
    assert outcomes(tried(state, "A CON - BUL")) == {"A CON": "moved"}


# --- a position in the text


def test_units_are_laid_on_the_board_before_the_orders() -> None:
    done = tried(
        opened(),
        "units; FRANCE: A PAR, army Marseilles; Germany: A BUR; orders; A PAR - BUR; A MAR S A PAR"
        " - BUR; A BUR - MUN",
    )
    assert (
        units(done) == {"FRANCE": ("A BUR", "A MAR"), "GERMANY": ("A MUN",)} and done.refusals == ()
    )


def test_the_orders_begin_where_no_units_are_told_any_more() -> None:
    for between in ("\n\n", "\n"):
        done = tried(opened(), f"Units:\nFRANCE: A PAR{between}A PAR - BUR")
        assert outcomes(done) == {"A PAR": "moved"}


def test_a_typed_position_has_a_phase_of_movement_whatever_the_match_waits_for() -> None:
    winter = position("W1901A", "FRANCE A SPA", "FRANCE PAR SPA BRE")
    closed = [
        event.phase
        for event in tried(winter, "units; FRANCE: A PAR; orders; A PAR - BUR").events
        if isinstance(event, Closed)
    ]
    assert closed[0] == "F1901M"


def test_what_cannot_stand_on_the_board_is_refused_with_what_can() -> None:
    done = tried(
        opened(), "units; FRANCE: F PAR, A MAR, F MAR, rubbish; RUSSIA: F STP; orders; A MAR - SPA"
    )
    refused = {refusal.line: refusal.remedies for refusal in done.refusals}
    assert refused == {
        "F PAR": ("A PAR",),
        "F MAR": (),
        "rubbish": ("FRANCE: A PAR, F BRE",),
        "F STP": ("A STP", "F STP/NC", "F STP/SC"),
    }
    assert outcomes(done) == {"A MAR": "moved"}


FALL = """units Fall 1903 retreats; FRANCE: A BUR, F SPA/SC; GERMANY: A MUN; centres; FRANCE: PAR, Brest; GERMANY: MUN;
dislodged; GERMANY: A RUH from BUR, A TYR; standoffs: BEL; rules: 1976, 20 centres, build anywhere"""


def laid(text: str, seat: str | None = None, rule_set: str = "standard") -> Laid[BoardView]:
    """Return the board of lines with `; ` between them, on the opening."""
    return lay_board(
        look(opened(rule_set=rule_set), seat), text.replace(";\n", "\n").replace("; ", "\n")
    )


def test_a_typed_position_may_have_all_that_is_on_a_board() -> None:
    board = laid(FALL)
    view = board.view
    assert (board.refusals, board.orders) == ((), "")
    assert (view.phase, view.title, view.edition, view.victory_centres, view.build_anywhere) == (
        "F1903R",
        "Fall 1903 retreats",
        "1976",
        20,
        True,
    )
    assert view.units == {
        "FRANCE": ("A BUR", "F SPA/SC"),
        "GERMANY": ("A MUN",),
    } and view.contested == ("BEL",)
    assert (
        view.centres == {"FRANCE": ("BRE", "PAR"), "GERMANY": ("MUN",)}
        and view.scores["FRANCE"] == 2
    )
    retreats = {each.unit: set(each.retreats) for each in view.homeless}
    assert retreats == {"A RUH": {"HOL", "KIE"}, "A TYR": {"BOH", "PIE", "TRI", "VEN", "VIE"}}
    assert lay_board(look(opened(), None), board.position) == board


def test_a_typed_phase_of_builds_counts_typed_centres() -> None:
    winter = (
        "units Winter 1902 builds; FRANCE: A MAR; GERMANY: A MUN, A BUR; centres; FRANCE: PAR, MAR;"
        " GERMANY: MUN; orders; B A PAR"
    )
    done = tried(opened(), winter)
    assert (
        units(done) == {"FRANCE": ("A MAR", "A PAR"), "GERMANY": ("A MUN",)}
        and done.view.title == "Spring 1903"
    )  # type: ignore[attr-defined]
    assert [slot.name for slot in laid(winter).slots] == ["FRANCE-build-1", "GERMANY-remove-1"]


def test_what_is_no_part_of_a_board_is_refused_with_a_sentence() -> None:
    wrong = {
        "units Summer 1903; FRANCE: A PAR": "“Summer 1903” is no phase.",
        "units; FRANCE: A PAR; centres; FRANCE: BUR": "Burgundy is no supply centre.",
        "units; FRANCE: A PAR; centres; FRANCE: Atlantis": "“Atlantis” names no province.",
        "units; FRANCE: A PAR; dislodged; GERMANY: A BUR": (
            "Only in a phase of retreats there are dislodged units"
        ),
        "units Fall 1903 retreats; FRANCE: A ROM; dislodged; ITALY: A ROM from Atlantis": (
            "“Atlantis” names no province."
        ),
        "units; FRANCE: A PAR; rules: 2024": (
            "Rules are written so: rules: 2023, 18 centres, build anywhere;"
        ),
        "units; FRANCE: A PAR; seen Fall 1903: A PAR": (
            "What was seen is written so: seen Fall 1903: Rock A PAR."
        ),
    }
    for text, why in wrong.items():
        assert [refusal.reason[: len(why)] for refusal in laid(text).refusals] == [why]


def test_a_dislodged_unit_without_a_retreat_is_off_the_board() -> None:
    board = laid(
        "units Fall 1903 retreats; FRANCE: A TUN, F WES, F TYS, F ION, A NAF; dislodged; ITALY:"
        " F TUN"
    )
    assert board.view.homeless == () and [refusal.line for refusal in board.refusals] == ["F TUN"]


def test_of_a_hostile_position_not_every_piece_is_refused() -> None:
    hostile = laid("; ".join(["units", *["FRANCE: " + "x," * 900] * 10]))
    assert [refusal.line for refusal in hostile.refusals] == ["x"] * (MOST_REFUSED + 1)
    assert "from here on the position was not looked at" in hostile.refusals[-1].reason


def test_pieces_beyond_the_limit_are_neither_read_nor_laid(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(ordering, "_read_unit", lambda piece: asked.append(piece) or ("", None))
    laid("; ".join(["units", *["FRANCE: " + "x," * 900] * 10]))
    assert len(asked) == MOST_REFUSED + 1


def test_a_position_has_no_more_pieces_than_a_limit() -> None:
    board = laid(
        "; ".join(
            ["units; FRANCE: A PAR; centres", *["FRANCE: " + "Par, " * 150] * 4, "GERMANY: Bel"]
        )
    )
    assert [refusal.reason for refusal in board.refusals] == [
        "A position has 500 pieces at most; what follows this one was not looked at."
    ]
    assert board.view.centres == {"FRANCE": ("PAR",)}


@pytest.mark.parametrize(
    "pattern",
    [
        "units a{}b",
        "units {}",
        "units{}:",
        "units\nFRANCE{}x",
        "units\nFRANCE: a{}b",
        "units\nrules{}x",
        "units\ncentres{}x",
        "units\nFRANCE: A PAR\norders{}x",
        "units\nrules{}:{}x{}",
    ],
)
def test_a_run_of_blanks_is_read_like_one_blank(pattern: str) -> None:
    for blank in (" ", "\t", "\u2003"):
        assert (
            lay_board(look(opened(), None), pattern.replace("{}", blank * 1900)).position
            == lay_board(look(opened(), None), pattern.replace("{}", " ")).position
        )
        lay_board(look(opened(), None), pattern.replace("{}", blank * 20_000))


def test_a_line_that_is_too_long_lays_nothing() -> None:
    assert laid("units; FRANCE: A PAR" + " " * LONGEST_LAID).view.units == {}
    assert laid("FRANCE: A PAR" + " " * LONGEST_LAID).orders != ""


def test_what_may_be_built_where_is_as_in_the_match_unless_the_position_says_it() -> None:
    anywhere = look(position("W1901A", "FRANCE A PAR", "FRANCE PAR SPA", build_anywhere=True), None)
    for rules, built in (
        ("", True),
        ("rules: 2023", True),
        ("rules: build at home", False),
        ("rules: build anywhere", True),
    ):
        assert lay_board(anywhere, f"units\nFRANCE: A PAR\n{rules}").view.build_anywhere is built
    text = lay_board(
        anywhere, "units Winter 1901 builds\nFRANCE: A PAR\nrules: build at home"
    ).position
    assert not lay_board(anywhere, text).view.build_anywhere, (
        "a position that is written out keeps its rule on any board"
    )


def test_the_choices_are_looked_up_once_for_a_text_however_many_lines_are_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[State] = []
    monkeypatch.setattr(
        parsing, "slots", lambda state, seat: looked.append(state) or slots(state, seat)
    )
    laid("; ".join(["A PAR - MOS"] * 50))
    assert looked == []


def test_every_power_is_offered_its_orders_and_no_vote() -> None:
    board = laid("FRANCE:; army Paris to Burgundy; A MUN H, F KIE H; rubbish")
    assert len(board.slots) == 22 and {"France: Army Paris", "Turkey: Fleet Ankara"} <= {
        slot.title for slot in board.slots
    }
    assert board.given == (
        ("army Paris to Burgundy", "A PAR - BUR"),
        ("A MUN H, F KIE H", "A MUN H"),
        ("A MUN H, F KIE H", "F KIE H"),
    )


def test_a_laid_board_is_the_same_whatever_the_others_really_are() -> None:
    worlds = [secret(SIL=first, GAL=second) for first in TRAITS for second in TRAITS]
    for seat in (None, "GERMANY"):
        assert len({str(lay_board(look(world, seat), "A PRU - SIL")) for world in worlds}) == 1
    assert "Rock A PRU" in lay_board(look(secret(), "GERMANY"), "").position
    assert not any(trait in lay_board(look(secret(), None), "").position for trait in TRAITS)


def test_what_was_seen_is_part_of_a_position() -> None:
    state = replace(secret(), seen={"A SIL": Seen("Scissors", "F1900M")})
    again = lay_board(look(opened(rule_set="rsp"), None), lay_board(look(state, None), "").position)
    assert again.view.seen == state.seen and again.refusals == ()


# --- characteristics (rsp)


def secret(**known: str) -> State:
    """Return three powers around Silesia, every unit a Rock but for `PRU="Paper"`."""
    state = position(
        "S1901M", "AUSTRIA A GAL / GERMANY A PRU, A MUN / RUSSIA A SIL", rule_set="rsp"
    )
    traits: dict[str, Any] = {unit: known.get(unit[2:], "Rock") for unit in everywhere(state)}
    return replace(state, traits=traits)


def test_a_conflict_asks_for_the_characteristics_that_nobody_wrote_and_the_view_does_not_know() -> (
    None
):
    done = tried(secret(), "A PRU - SIL; A MUN - BER", "GERMANY")
    assert [(refusal.line, refusal.remedies) for refusal in done.refusals] == [
        ("A SIL", ("Rock A SIL", "Scissors A SIL", "Paper A SIL"))
    ]
    assert done.events == () and units(done)["RUSSIA"] == ("A SIL",)


def test_a_written_characteristic_decides() -> None:
    state = secret()
    results = [
        outcomes(tried(state, f"A PRU - SIL; {trait} A SIL", "GERMANY"))["A PRU"]
        for trait in TRAITS
    ]
    assert results == ["bounced", "moved", "bounced"]


def test_the_own_characteristic_may_be_changed_in_a_trial_and_only_there() -> None:
    done = tried(secret(), "Paper A PRU - SIL; Rock A SIL", "GERMANY")
    assert outcomes(done)["A PRU"] == "moved"
    assert not any(isinstance(event, Changed) for event in done.events)


def test_what_was_seen_last_is_assumed_and_said() -> None:
    state = replace(secret(), seen={"A SIL": Seen("Scissors", "F1900M")})
    done = tried(state, "A PRU - SIL", "GERMANY")
    assert outcomes(done)["A PRU"] == "moved"
    assert done.remarks == ("A SIL was taken for Scissors, as it was last seen in Fall 1900.",)
    assert outcomes(tried(state, "A PRU - SIL; Paper A SIL", "GERMANY"))["A PRU"] == "bounced"


def test_units_in_no_conflict_need_no_characteristic() -> None:
    done = tried(secret(), "A GAL - BUD; A SIL - WAR; A PRU - SIL")
    assert done.refusals == () and set(outcomes(done).values()) == {"moved"}


def test_a_trial_is_the_same_whatever_the_others_really_are() -> None:
    worlds = [secret(SIL=first, GAL=second) for first in TRAITS for second in TRAITS]
    for text in (
        "A PRU - SIL; A GAL - SIL",
        "A PRU - SIL; Rock A SIL; Paper A GAL - SIL",
        "A MUN - BER; A SIL - WAR",
    ):
        assert len({str(tried(world, text, "GERMANY")) for world in worlds}) == 1


def test_the_view_after_a_trial_shows_no_guessed_characteristic() -> None:
    done = tried(secret(), "A SIL - WAR; A GAL - BUD")
    assert isinstance(done.view, BoardView) and done.view.traits == {} and done.view.seen == {}
    winter = replace(
        position("W1901A", "FRANCE A SPA", "FRANCE PAR SPA BRE", rule_set="rsp"),
        traits={"A SPA": "Paper"},
    )
    built = tried(winter, "B A PAR; Rock B F BRE", "FRANCE")
    assert isinstance(built.view, BoardView) and built.view.traits == {
        "A SPA": "Paper",
        "F BRE": "Rock",
    }


def test_what_a_conflict_would_show_is_told() -> None:
    done = tried(secret(), "A PRU - SIL; Paper A SIL", "GERMANY")
    assert [dict(event.traits) for event in done.events if isinstance(event, Revealed)] == [
        {"A PRU": "Rock", "A SIL": "Paper"}
    ]


def test_a_typed_position_may_name_characteristics() -> None:
    done = tried(
        secret(), "units; FRANCE: Rock A PAR; GERMANY: Scissors A BUR; orders; A PAR - BUR"
    )
    assert outcomes(done)["A PAR"] == "moved" and done.refusals == ()


# --- any text


def test_nothing_that_is_typed_raises() -> None:
    hostile = (
        "",
        "units",
        "units\nFRANCE:",
        "units\nFRANCE: ,;,",
        "FRANCE:" * 50,
        "\x00",
        "A PAR -" * 200,
        "units\nFRANCE: A PAR\norders\nunits\n",
        (
            "units Fall 9999 retreats\ndislodged\nFRANCE: from, A PAR from from, from"
            " PAR\nstandoffs:\nseen\nrules"
        ),
        (
            "units W1901A\ncentres\nFRANCE: PAR\ncentres\nGERMANY: PAR\ndislodged\nFRANCE: A PAR"
            " from PAR\nseen Fall 1901: Rock"
        ),
        (
            "units Fall 1901 retreats\ndislodged\nFRANCE: A PAR, A PAR, F PAR\nstandoffs: PAR, x,"
            " \ufdfd"
        ),
    )
    for rule_set in ("standard", "rsp"):
        for text in hostile:
            view = look(opened(rule_set=rule_set), None)  # type: ignore[arg-type]  # two of two
            assert try_orders(view, text) is not None
            again = lay_board(view, text)
            assert lay_board(view, again.position).position == again.position
