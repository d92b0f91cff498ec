"""A player's page: shown by choice alone; no private match is on it, and no anonymous one before its end."""

from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB, CHARLIE, address
from tests.web.site import Site, page_text, without_tokens
from tests.web.test_security import show_profile

SAVED = {"name": ALICE, "zone": "UTC", "letters": "1"}


def end(site: Site, uid: str) -> None:
    """End a match as it stands, as the host does."""
    masters.end_match(site.harness.database, uid, None, "It is late", now=site.harness.now)
    assert site.harness.close(uid)


def test_nobody_has_a_page_before_choosing_it_and_nobody_after_taking_it_back(site: Site) -> None:
    alice, stranger = site.visitor(ALICE), site.visitor()
    assert "/players/" not in alice.get("/account").text
    assert stranger.get("/players/None").status_code == stranger.get("/players/").status_code == 404
    page = alice.post("/account", SAVED | {"profile": "1"}, follow=True).text
    path = "/players/" + page.partition('href="/players/')[2].partition('"')[0]
    assert ALICE in page_text(stranger.get(path)) and 'name="profile" value="1" checked' in page
    alice.post("/account", SAVED)
    assert stranger.get(path).status_code == 404
    assert path not in alice.post("/account", SAVED | {"profile": "1"}, follow=True).text, "it has another address now"


def test_it_lists_running_and_ended_matches_with_their_results_by_game_and_seat(site: Site) -> None:
    done, running = site.play_to_end(), site.harness.match(ALICE, BOB, wish=Wish("pyramid", "The Short Table", {}, house=1))
    path = f"/players/{show_profile(site, ALICE)}"
    told = page_text(site.visitor().get(path))
    standing = next(each for each in site.harness.page(done).standing if each.player == ALICE)
    assert (standing.seat, standing.outcome) == ("1", "drew")
    assert "Running matches The Short Table , Rock Paper Pyramid as seat 1 By game" in told
    assert f"drew, score {standing.score}" in told and "New here." in told
    assert f"/matches/{running}" in site.visitor().get(path).text and address(ALICE) not in site.visitor().get(path).text
    assert "Rock Paper Pyramid 1 1 0 1 Ended matches" in told


def test_a_private_match_is_never_on_it(small_site: Site) -> None:
    wish = Wish("pyramid", "Hidden Table", {}, house=1, private=True, invited=(address(BOB),))
    uid, path = small_site.harness.match(ALICE, BOB, wish=wish), f"/players/{show_profile(small_site, ALICE)}"
    for name in (None, ALICE, BOB):
        assert "Hidden" not in small_site.visitor(name).get(path).text
    end(small_site, uid)
    for name in (None, ALICE, BOB):
        page = small_site.visitor(name).get(path)
        assert "Hidden" not in page.text and "No public match yet" in page_text(page)


def test_no_byte_of_it_changes_by_an_anonymous_match_before_its_end(small_site: Site) -> None:
    harness, path = small_site.harness, f"/players/{show_profile(small_site, ALICE)}"
    empty = without_tokens(small_site.visitor().get(path).text)
    uid = harness.match(ALICE, CHARLIE, wish=Wish("diplomacy", "The Masked Ball", {"anonymous": True}, house=5))
    assert without_tokens(small_site.visitor().get(path).text) == empty
    harness.later(hours=60)
    assert harness.close(uid)
    harness.order(uid, ALICE, "hold")
    assert without_tokens(small_site.visitor().get(path).text) == empty
    end(small_site, uid)
    assert "The Masked Ball" in small_site.visitor().get(path).text


def test_an_address_with_nul_is_nobodys(small_site: Site) -> None:
    assert small_site.visitor().get("/players/a%00b").status_code == 404
