"""A player's page: shown by choice alone; no private match is on it, and no anonymous one before
its end.
"""

import re
from xml.etree import ElementTree

from adjudicator.service.matches import masters
from adjudicator.service.matches.creation import Wish
from adjudicator.service.ratings import counting
from tests.cast import ALICE, BOB, CHARLIE, PLAYERS, address
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
    page = alice.post("/account", SAVED | {"shown": "page"}, follow=True).text
    path = "/players/" + page.partition('href="/players/')[2].partition('"')[0]
    assert ALICE in page_text(stranger.get(path)) and 'name="shown" value="page" checked' in page
    alice.post("/account", SAVED | {"shown": "name"})
    assert stranger.get(path).status_code == 404
    assert path not in alice.post("/account", SAVED | {"shown": "page"}, follow=True).text, (
        "it has another address now"
    )


def test_it_lists_running_and_ended_matches_with_their_results_by_game_and_seat(site: Site) -> None:
    done, running = (
        site.play_to_end(),
        site.harness.match(ALICE, BOB, wish=Wish("pyramid", "The Short Table", {}, house=1)),
    )
    path = f"/players/{show_profile(site, ALICE)}"
    told = page_text(site.visitor().get(path))
    standing = next(each for each in site.harness.page(done).standing if each.player == ALICE)
    assert (standing.seat, standing.outcome) == ("1", "drew")
    assert "Running matches The Short Table , Rock Paper Pyramid as seat 1 Ended matches" in told
    assert f"drew, score {standing.score}" in told and "New here." in told
    assert (
        f"/matches/{running}" in site.visitor().get(path).text
        and address(ALICE) not in site.visitor().get(path).text
    )
    assert "By game and seat Game Seat Ended Won Shared Rock Paper Pyramid 1 1 0 1" in told


def test_a_private_match_is_never_on_it(small_site: Site) -> None:
    wish = Wish("pyramid", "Hidden Table", {}, house=1, private=True, invited=(address(BOB),))
    uid, path = (
        small_site.harness.match(ALICE, BOB, wish=wish),
        f"/players/{show_profile(small_site, ALICE)}",
    )
    for name in (None, ALICE, BOB):
        assert "Hidden" not in small_site.visitor(name).get(path).text
    end(small_site, uid)
    for name in (None, ALICE, BOB):
        page = small_site.visitor(name).get(path)
        assert "Hidden" not in page.text and "No public match yet" in page_text(page)


def test_no_byte_of_it_changes_by_an_anonymous_match_before_its_end(small_site: Site) -> None:
    harness, path = small_site.harness, f"/players/{show_profile(small_site, ALICE)}"
    empty = without_tokens(small_site.visitor().get(path).text)
    uid = harness.match(
        ALICE, CHARLIE, wish=Wish("diplomacy", "The Masked Ball", {"anonymous": True}, house=5)
    )
    assert without_tokens(small_site.visitor().get(path).text) == empty
    harness.later(hours=60)
    assert harness.close(uid)
    harness.order(uid, ALICE, "hold")
    assert without_tokens(small_site.visitor().get(path).text) == empty
    end(small_site, uid)
    assert "The Masked Ball" in small_site.visitor().get(path).text


def test_an_address_with_nul_is_nobodys(small_site: Site) -> None:
    assert small_site.visitor().get("/players/a%00b").status_code == 404


def play(site: Site, name: str, **options: object) -> str:
    """Play two rounds of a match of Pyramid between people, end it and let it count."""
    uid = site.harness.match(*PLAYERS, wish=Wish("pyramid", name, {}, **options))  # type: ignore[arg-type]
    site.harness.later(hours=60)
    assert site.harness.close(uid)
    site.harness.order(uid, ALICE, site.harness.page(uid, ALICE).owed.slots[0].choices[0].text)  # type: ignore[union-attr]
    site.harness.later(hours=60)
    assert site.harness.close(uid)
    end(site, uid)
    counting.count_waiting(site.harness.database, now=site.harness.now)
    return uid


def test_it_plots_the_ratings_and_says_the_same_in_words(small_site: Site) -> None:
    path = f"/players/{show_profile(small_site, ALICE)}"
    play(small_site, "One")
    assert '<svg class="plot' not in small_site.visitor().get(path).text, "one match makes no line"
    play(small_site, "Two")
    page = small_site.visitor().get(path)
    picture = re.search(r"<svg class=\"plot rating\".*?</svg>", page.text, re.DOTALL)
    assert picture is not None
    drawn = ElementTree.fromstring(picture[0])
    assert drawn.get("role") == "img" and re.search(
        r"now \d+ points, at most \d+ and at least \d+", drawn.get("aria-label") or ""
    )
    assert len(drawn.findall("circle")) == 2 and "style=" not in picture[0]
    told = page_text(page)
    assert "points after 2 rated matches, provisional" in told and re.search(
        r"Two , \w+ \d+ Nov 2026: \d+ points One ,", told
    )


def test_opponents_are_named_where_they_show_a_page_themselves(small_site: Site) -> None:
    path = f"/players/{show_profile(small_site, ALICE)}"
    play(small_site, "One")
    assert "Common opponents" not in small_site.visitor().get(path).text
    other = show_profile(small_site, BOB)
    page = small_site.visitor().get(path)
    assert f'href="/players/{other}"><bdi>{BOB}</bdi></a>' in page.text and CHARLIE not in page.text
    assert re.search(r"Bob 1 [01] [01]", page_text(page))


def test_names_in_a_match_lead_to_the_page_but_not_in_private_or_running_anonymous_ones(
    small_site: Site,
) -> None:
    link = f"/players/{show_profile(small_site, ALICE)}"
    open_match = small_site.harness.match(*PLAYERS)
    hidden = small_site.harness.match(
        *PLAYERS,
        wish=Wish("pyramid", "Hidden", {}, private=True, invited=(address(BOB), address(CHARLIE))),
    )
    masked = small_site.harness.match(
        ALICE, CHARLIE, wish=Wish("diplomacy", "The Masked Ball", {"anonymous": True}, house=5)
    )
    visitor, bob = small_site.visitor(), small_site.visitor(BOB)
    assert link in visitor.get(f"/matches/{open_match}").text
    assert (
        "Hidden" in bob.get(f"/matches/{hidden}").text
        and link not in bob.get(f"/matches/{hidden}").text
    )
    assert not [
        page
        for page in ("", "/about", "/history")
        if link in visitor.get(f"/matches/{masked}{page}").text
    ]
    small_site.harness.later(hours=60)
    assert small_site.harness.close(masked)
    end(small_site, masked)
    assert link in visitor.get(f"/matches/{masked}").text


def test_a_player_is_erased_after_saying_so_twice(small_site: Site) -> None:
    alice, path = small_site.visitor(ALICE), f"/players/{show_profile(small_site, ALICE)}"
    uid = play(small_site, "One")
    assert (
        "/account/erase" in alice.get("/account").text
        and "Erase me for good" in alice.get("/account/erase").text
    )
    refused = alice.post("/account/erase", {})
    assert refused.status_code == 400 and "Nothing was erased" in page_text(refused)
    assert ALICE in small_site.visitor().get(f"/matches/{uid}").text
    erased = alice.post("/account/erase", {"sure": "1"})
    assert "storage" in erased.headers["Clear-Site-Data"] and "Your account is erased" in page_text(
        alice.get(erased.headers["Location"])
    )
    assert small_site.visitor().get(path).status_code == 404 and "Sign in" in page_text(
        alice.get("/")
    )
    for page in (
        f"/matches/{uid}",
        f"/matches/{uid}/about",
        f"/matches/{uid}/history",
        f"/matches/{uid}.json",
        "/",
        "/ladder/pyramid",
    ):
        assert ALICE not in small_site.visitor().get(page).text, page
    assert "a former player" in page_text(small_site.visitor().get(f"/matches/{uid}"))
