"""The rules of each game: a table of contents, a search, and a box that says how orders are
read.
"""

import re

import pytest
from playwright.sync_api import expect

from adjudicator.service.views import game_info
from tests.cast import ALICE
from tests.sampling import sample
from tests.web.live import Live
from tests.web.site import Site, page_text
from web.site.rules import outline

PAGES = [
    f"/rules/{about.key}/{language}" for about in game_info.games() for language in about.languages
]


@pytest.mark.parametrize("path", PAGES)
def test_the_contents_lead_to_every_heading_and_each_id_is_there_once(
    small_site: Site, path: str
) -> None:
    page = small_site.visitor().get(path).text
    ids = re.findall(r'\bid="([^"]+)"', page)
    (contents,) = re.findall(r'<nav class="book-contents".*?</nav>', page, re.DOTALL)
    linked = re.findall(r'href="#([^"]+)"', contents)
    assert (
        len(linked) > 5
        and len(linked) == len(set(linked))
        and len(ids) == len(set(ids))
        and set(linked) <= set(ids)
    )
    assert "Play now" in contents
    regions = re.findall(r'role="region"[^>]*aria-label="([^"]+)"', page)
    assert len(regions) == len(set(regions))


@pytest.mark.parametrize("viewer", sample([None, ALICE], 1))
def test_play_now_leads_to_the_tile_of_the_game_on_the_home_page(
    live: Live, viewer: str | None
) -> None:
    live.site.begin_match()  # Alice has matches, so her home page begins with them
    page = live.page("/rules/redeux", viewer)
    page.get_by_role("link", name="Play now").first.click()
    tile = page.locator(".tile:target")
    expect(tile).to_be_in_viewport()
    assert tile.evaluate("(each) => getComputedStyle(each).outlineStyle") == "solid"
    tile.get_by_role("button", name="Play RPS Redeux against house bots").click()
    expect(page).to_have_url(re.compile("/matches/"))


def test_the_contents_stay_while_the_rules_are_read(live: Live) -> None:
    page = live.page("/rules/diplomacy", viewport={"width": 1280, "height": 800})
    page.evaluate("window.scrollTo(0, 4000)")
    box = page.locator(".book-contents").bounding_box()
    assert box is not None
    assert (
        page.evaluate("window.scrollY") == 4000
        and 0 <= box["y"] <= 40
        and box["y"] + box["height"] <= 800
    )
    expect(
        page.get_by_role("navigation", name="Contents").get_by_role("link", name="Play now")
    ).to_be_in_viewport()


def test_headings_of_one_name_get_ids_of_their_own() -> None:
    article, headings = outline(
        '<h2>Moves</h2><h3>Of <em>pawns</em></h3><h2 id="orders">Orders</h2><h2>Moves</h2>'
    )
    assert [(each.id, each.level) for each in headings] == [
        ("moves", 2),
        ("of-pawns", 3),
        ("orders", 2),
        ("moves-3", 2),
    ]
    assert [each.id for each in outline('<h3>Orders</h3><h2 id="orders">Writing</h2>')[1]] == [
        "orders-0",
        "orders",
    ]
    assert [each.title for each in headings] == [
        "Moves",
        "Of pawns",
        "Orders",
        "Moves",
    ] and '<h2 id="moves-3">' in article


@pytest.mark.parametrize("key", [about.key for about in game_info.games()])
def test_the_example_of_every_game_is_understood_and_nonsense_is_explained(
    small_site: Site, key: str
) -> None:
    visitor = small_site.visitor()
    (example,) = re.findall(r'placeholder="([^"]+)"', visitor.get(f"/rules/{key}/orders").text)
    assert "Understood:" in page_text(
        visitor.get(f"/rules/{key}/orders", query_string={"text": example, "part": "1"})
    )
    refused = visitor.get(f"/rules/{key}/orders", query_string={"text": "<b>quux</b>"})
    assert (
        refused.status_code == 200
        and "&lt;b&gt;quux" in refused.text
        and "bad-line" in refused.text
    )


def test_orders_are_read_as_those_of_the_chosen_seat(small_site: Site) -> None:
    asked = {"text": "A PAR - BUR", "seat": "FRANCE", "part": "1"}
    assert "Understood:" in page_text(
        small_site.visitor().get("/rules/diplomacy/orders", query_string=asked)
    )
    others = small_site.visitor().get(
        "/rules/diplomacy/orders", query_string=asked | {"seat": "TURKEY"}
    )
    assert "Understood:" not in page_text(others)


def test_the_answer_has_one_sentence_to_be_said(small_site: Site) -> None:
    answer = small_site.visitor().get(
        "/rules/pyramid/orders", query_string={"text": "B3\nX9", "part": "1"}
    )
    assert 'data-spelled="1 line was not understood."' in answer.text


def test_a_long_text_is_refused_and_the_answers_are_rationed(small_site: Site) -> None:
    visitor = small_site.visitor()
    assert (
        visitor.get("/rules/pyramid/orders", query_string={"text": "B3\n" * 700}).status_code == 400
    )
    assert {visitor.get("/rules/pyramid/orders?text=B3").status_code for _ in range(61)} == {
        200,
        429,
    }


def test_a_search_marks_what_it_finds_and_orders_are_answered_without_leaving_the_page(
    live: Live,
) -> None:
    page = live.page("/rules/pyramid")
    page.get_by_label("Search this page").fill("solo")
    expect(page.locator(".rules mark").first).to_have_text("Solo")
    expect(page.locator(".book-contents .found").first).to_be_visible()
    page.get_by_label("Search this page").press("Enter")
    expect(page.locator("mark.here")).to_be_in_viewport()
    page.get_by_label("Orders, one a line").fill("B3")
    page.get_by_role("button", name="Try them").click()
    expect(page.locator(".spelled")).to_contain_text("Understood:")
    assert page.url.endswith("/rules/pyramid") and live.posts() == []
