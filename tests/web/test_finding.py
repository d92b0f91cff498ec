"""*Watch*, *Play*, the search and the small pictures of boards, as visitors and players see
them.
"""

import re

import pytest
from playwright.sync_api import expect

from adjudicator.games.kit.shapes import FILLS, STROKES
from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB
from tests.web.live import Live
from tests.web.site import Site, page_text
from web.site import boards

PICTURE = re.compile(r'<img src="(/matches/[^"]+\.svg\?v=\w+)"')


def test_everybody_watches_running_matches_and_those_that_have_ended(site: Site) -> None:
    ended, running = site.play_to_end(), site.begin_match()
    site.harness.later(minutes=3)
    visitor = site.visitor()
    now, over = visitor.get("/watch").text, visitor.get("/watch?ended=1&game=pyramid").text
    assert running in now and ended not in now and ended in over and running not in over
    assert "moved 3 minutes ago" in page_text(visitor.get("/watch"))
    assert "No public match of this game runs just now" in page_text(
        visitor.get("/watch?game=genesis")
    )
    wrong = visitor.get("/watch?game=chess")
    assert wrong.status_code == 400 and "There is no such choice" in wrong.text


@pytest.mark.parametrize("viewer", [None, ALICE])
@pytest.mark.nightly
def test_watch_and_play_are_in_the_head_of_every_page_on_every_screen(
    live: Live, viewer: str | None
) -> None:
    uid = live.site.begin_match()
    page = live.context(viewer).new_page()
    for width in (320, 390, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        for path in ("/", f"/matches/{uid}", "/rules/pyramid", "/sign-in"):
            page.goto(path)
            site = page.get_by_role("navigation", name="Site")
            for name in ("Watch", "Play"):
                expect(site.get_by_role("link", name=name, exact=True)).to_be_in_viewport(ratio=1)
    page.get_by_role("navigation", name="Site").get_by_role("link", name="Watch").click()
    expect(page).to_have_url(re.compile("/watch$"))


@pytest.mark.parametrize(
    ("path", "viewer"), [("/", None), ("/", ALICE), ("/watch", None), ("/play", BOB)]
)
@pytest.mark.nightly
def test_lists_take_the_width_of_a_large_screen(live: Live, path: str, viewer: str | None) -> None:
    live.site.begin_match()
    page = live.page(path, viewer, viewport={"width": 1920, "height": 1080})
    widths = [page.locator(part).bounding_box()["width"] for part in (".top", "main", ".bottom")]  # type: ignore[index]  # they are shown
    assert widths == [1600] * 3


def test_a_list_is_walked_page_after_page(
    small_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "adjudicator.service.views.finding.watching.watch_matches.__kwdefaults__", {"most": 1}
    )
    first, second = small_site.begin_match(), small_site.begin_match()
    visitor = small_site.visitor()
    page = visitor.get("/watch").text
    assert second in page and first not in page
    following = re.search(r'rel="next" href="([^"]+)"', page)
    assert following is not None and first in visitor.get(following[1]).text


def test_open_seats_are_found_by_what_they_ask(small_site: Site) -> None:
    easy, strict = (
        small_site.make_open_match(name="Easy"),
        small_site.make_open_match(name="Strict", least_reliability=95),
    )
    visitor = small_site.visitor(BOB)
    assert easy in visitor.get("/play").text and strict in visitor.get("/play").text
    found = visitor.get("/play?game=pyramid&asks=something").text
    assert strict in found and easy not in found and '<option value="something" selected>' in found
    assert "No open seat is like that" in page_text(visitor.get("/play?pace=live"))


def test_the_search_finds_a_match_and_says_what_it_does_not_find(small_site: Site) -> None:
    uid, visitor = small_site.begin_match(), small_site.visitor()
    assert uid in visitor.get("/search?q=the+long").text
    assert "Nothing begins with “<b>”" in page_text(visitor.get("/search?q=<b>")).replace(
        "&lt;", "<"
    ).replace("&gt;", ">")
    short = visitor.get("/search?q=a")
    assert short.status_code == 400 and 'aria-describedby="q-error"' in short.text


# --- pictures


def test_a_board_is_kept_for_good_and_depends_on_no_cookie(site: Site) -> None:
    uid = site.begin_match()
    for name in (ALICE, None):
        visitor = site.visitor(name)
        (address,) = PICTURE.findall(visitor.get("/watch").text)
        answer = visitor.get(address)
        assert (answer.status_code, answer.mimetype) == (
            200,
            "image/svg+xml",
        ) and answer.text.startswith("<svg ")
        assert answer.headers["Cache-Control"].endswith("max-age=31536000, immutable")
        assert "Cookie" not in answer.headers.get("Vary", "") and "Set-Cookie" not in answer.headers
        assert "immutable" not in visitor.get(address.partition("?")[0]).headers["Cache-Control"]
    assert address.startswith(f"/matches/{uid}/boards/0.svg")


def test_the_end_of_a_match_gives_its_boards_new_addresses(small_site: Site) -> None:
    uid, visitor = small_site.play_to_end(), small_site.visitor()
    (address,) = PICTURE.findall(visitor.get("/watch?ended=1").text)
    assert address.startswith(f"/matches/{uid}/boards/") and address.endswith("e")


def test_a_private_match_has_boards_for_its_people_alone(small_site: Site) -> None:
    wish = Wish("pyramid", "Hidden", {}, private=True, house=2)
    uid = small_site.harness.match(ALICE, wish=wish)
    path = f"/matches/{uid}/boards/0.svg"
    assert small_site.visitor(ALICE).get(path).status_code == 200
    assert {small_site.visitor(name).get(path).status_code for name in (BOB, None)} == {404}


def test_every_colour_of_a_picture_has_one_for_the_dark() -> None:
    style, _ = boards._dark_style()
    for name in (*FILLS, *STROKES, "sea-name", "land", "austria-land", "turkey-near"):
        assert f".{name}{{" in style, name


@pytest.mark.nightly
def test_pictures_are_dark_where_the_page_is(live: Live) -> None:
    live.site.begin_match()
    for scheme, lightest in (("light", 250), ("dark", 60)):
        page = live.page("/watch", color_scheme=scheme)
        image = page.locator(".thumb img")
        expect(image).to_be_visible()
        seen = image.evaluate("""async (image) => {
                await image.decode();
                const canvas = Object.assign(document.createElement("canvas"), { width: 20, height: 20 }), paper = canvas.getContext("2d");
                paper.drawImage(image, 0, 0, 20, 20);
                return Math.max(...paper.getImageData(1, 8, 1, 1).data.slice(0, 3));
            }""")
        assert (seen >= lightest) if scheme == "light" else (seen <= lightest), (scheme, seen)


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.nightly
def test_lists_fit_a_phone_and_every_link_can_be_hit(live: Live, width: int) -> None:
    live.site.begin_match()
    live.site.make_open_match()
    for path in ("/watch", "/play", "/search?q=the"):
        page = live.page(path, ALICE, viewport={"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        heights = page.locator(".top a, .picks a, main select, main button").evaluate_all(
            "all => all.map(each => each.getBoundingClientRect()).filter(box => box.width).map(box"
            " => Math.min(box.width, box.height))"
        )
        assert heights and min(heights) >= 24, path
