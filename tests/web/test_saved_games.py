"""A match in the saved-game format of other programs: on the history page, for everybody, if the
game has such a format.
"""

import json

import pytest

from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB
from tests.web.site import Site, page_text


def running(site: Site, game: str) -> str:
    uid = site.harness.match(ALICE, BOB, wish=Wish(game, "The Map", {"anonymous": True}, house=5))
    site.harness.later(days=9)
    site.harness.close(uid)
    return uid


@pytest.mark.parametrize("game", ["diplomacy", "rsp-diplomacy"])
def test_a_running_match_gives_its_closed_phases_and_the_position(site: Site, game: str) -> None:
    uid = running(site, game)
    answer = site.visitor().get(f"/matches/{uid}/saved.json")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{uid}-saved.json"'
    saved = json.loads(answer.data)
    assert [phase["name"] for phase in saved["phases"]] == ["S1901M", "F1901M"] and saved[
        "id"
    ] == uid
    assert saved["phases"][1]["state"]["units"]["FRANCE"] == ["A MAR", "A PAR", "F BRE"]


def test_it_tells_no_name_and_rsp_R5_no_characteristic(site: Site) -> None:
    text = site.visitor().get(f"/matches/{running(site, 'rsp-diplomacy')}/saved.json").text
    assert not any(word in text for word in (ALICE, BOB, "Rock", "Scissors", "Paper"))


def test_the_history_leads_to_it(site: Site) -> None:
    uid = running(site, "diplomacy")
    page = site.visitor().get(f"/matches/{uid}/history")
    assert "Saved game" in page_text(page) and f"/matches/{uid}/saved.json" in page.text


def test_other_games_have_no_such_form(site: Site) -> None:
    uid = site.begin_match()
    assert site.visitor().get(f"/matches/{uid}/saved.json").status_code == 404
    assert "Saved game" not in page_text(site.visitor().get(f"/matches/{uid}/history"))


def test_before_the_first_phase_there_is_nothing_to_save(site: Site) -> None:
    uid = site.make_open_match(game="diplomacy")
    assert site.visitor().get(f"/matches/{uid}/saved.json").status_code == 409
