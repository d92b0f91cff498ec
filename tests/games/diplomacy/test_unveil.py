"""After the end of a match of `rsp` the characteristics of all units in all phases are public (rsp
R9).
"""

from dataclasses import replace

from adjudicator.games.diplomacy.drawing.draw import draw
from adjudicator.games.diplomacy.drawing.text_board import text_board
from adjudicator.games.diplomacy.model.events import Changed
from adjudicator.games.diplomacy.model.state import End, State
from adjudicator.games.diplomacy.rules import RSP_DIPLOMACY
from tests.games.diplomacy.table import of_kind, play
from tests.games.diplomacy.test_traits import silesia

READERS = ("GERMANY", "RUSSIA", None)


def after_a_change() -> State:
    """Return the adjudication of a phase without conflicts in which Russia's army in Moscow becomes
    Rock.
    """
    return play(silesia(), GERMANY="A PRU - BER", RUSSIA="Rock A MOS").state


def test_rsp_r9_while_the_match_goes_on_only_the_owner_sees_a_characteristic() -> None:
    views = [RSP_DIPLOMACY.view(after_a_change(), reader) for reader in READERS]
    assert [dict(view.traits) for view in views] == [
        {"A BER": "Rock"},
        {"A MOS": "Rock", "A SIL": "Scissors"},
        {},
    ]


def test_rsp_r9_once_it_has_ended_everybody_sees_all_of_an_earlier_phase() -> None:
    for reader in READERS:
        view = RSP_DIPLOMACY.view(after_a_change(), reader, reveal=True)
        assert dict(view.traits) == {"A BER": "Rock", "A MOS": "Rock", "A SIL": "Scissors"}
        assert "Moscow (Rock)" in text_board(view)
        assert "Russia’s army, Silesia; Scissors<" in draw(view)


def test_rsp_r9_the_view_of_the_end_is_open_already() -> None:
    over = replace(after_a_change(), end=End("draw", ("GERMANY", "RUSSIA")))
    assert all(
        RSP_DIPLOMACY.view(over, reader) == RSP_DIPLOMACY.view(over, reader, reveal=True)
        for reader in READERS
    )


def test_rsp_r9_dislodged_units_show_what_they_are() -> None:
    state = play(silesia(), GERMANY="A PRU - SIL", RUSSIA="A SIL H").state
    assert [each.trait for each in RSP_DIPLOMACY.view(state, "GERMANY").homeless] == [None]
    assert [each.trait for each in RSP_DIPLOMACY.view(state, "GERMANY", reveal=True).homeless] == [
        "Scissors"
    ]


def test_rsp_r9_a_change_is_told_with_whose_unit_it_was() -> None:
    done = play(silesia(), GERMANY="A PRU - BER", RUSSIA="Rock A MOS")
    changes = of_kind(done, Changed)
    told = [
        RSP_DIPLOMACY.story(RSP_DIPLOMACY.view(done.state, reader, reveal=True), changes)
        for reader in ("RUSSIA", "GERMANY", None)
    ]
    assert told == [
        (f"{owner} army Moscow is Rock from now on.",) for owner in ("Your", "Russia’s", "Russia’s")
    ]


def test_rsp_r9_orders_tried_on_an_earlier_phase_ask_for_no_characteristic_and_hide_none() -> None:
    view = RSP_DIPLOMACY.view(silesia(), None, reveal=True)
    trial = RSP_DIPLOMACY.trial(view, "A Pru - Sil")
    assert trial is not None and trial.refusals == ()
    assert dict(trial.view.traits) == {"A MOS": "Paper", "A SIL": "Rock"}
