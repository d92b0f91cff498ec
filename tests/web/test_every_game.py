"""Every game of the catalogue on the site: rules, form, receipt and a closed phase."""

import pytest

from adjudicator import catalogue
from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB
from tests.web.site import Site, page_text

GAMES = {game.about.key: game for game in catalogue.every_game()}


@pytest.mark.parametrize("key", GAMES)
def test_the_first_phase_is_played_by_the_form(small_site: Site, key: str) -> None:
    fewest, harness = min(GAMES[key].about.seats), small_site.harness
    uid = harness.match(
        ALICE, BOB, wish=Wish(key, "On the site", {}, players=fewest, house=fewest - 2)
    )
    for name in (ALICE, BOB):
        owed = harness.page(uid, name).owed
        if owed is None:
            continue
        visitor = small_site.visitor(name)
        page = visitor.get(f"/matches/{uid}")
        chosen = {
            f"slot-{slot.name}": slot.choices[0].text for slot in owed.slots if not slot.optional
        }
        assert f"You owe orders for {owed.phase}" in page_text(page) and all(
            f'name="{name}"' in page.text for name in chosen
        )
        assert f"Sealed: {owed.phase}" in page_text(
            visitor.post(f"/matches/{uid}/orders", {"phase": "1", **chosen})
        )
    harness.later(hours=49)
    assert harness.close(uid)
    assert small_site.visitor(ALICE).get(f"/matches/{uid}/phases/1").status_code == 200


@pytest.mark.parametrize("key", GAMES)
def test_the_rules_are_told_with_a_picture(small_site: Site, key: str) -> None:
    page = small_site.visitor().get(f"/rules/{key}")
    assert page.status_code == 200
    assert GAMES[key].about.title in page_text(page) and "<figure><svg" in page.text.replace(
        "\n", ""
    ).replace("> <", "><")
