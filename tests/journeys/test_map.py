"""Ordering on the map of Europe, in a real browser: what pieces do, what they are, a dry run, and the seal; on a phone and on a desk."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.conftest import Visitor
from tests.journeys.test_clicking import play


def mark(page: Page, key: str, name: str) -> Locator:
    """Return a piece or a place of the map by the end of its id: `unit-LON`, `at-NTH`."""
    return page.locator(f"[id='{key}-{name}']")


def order(page: Page, key: str, piece: str, *then: str) -> None:
    """Click a piece, then say what it does or click where."""
    mark(page, key, piece).click(force=True)
    for each in then:
        if each.startswith(("at-", "unit-")):
            mark(page, key, each).click(force=True)
        else:
            page.get_by_role("button", name=each, exact=True).click()


def pieces(page: Page) -> int:
    """Return how many pieces are to be ordered."""
    return page.locator("#choices .slot.line:not(.beside)").count()


@pytest.mark.parametrize("width", [390, 1280])
def test_pieces_are_ordered_on_the_map_tried_and_sealed(visitor: Visitor, width: int) -> None:
    page, key = visitor(width=width), "diplomacy"
    play(page, key)
    order(page, key, "unit-LON", "at-NTH")
    order(page, key, "unit-LVP", "Hold")
    order(page, key, "unit-EDI", "Support a move", "unit-LON", "at-NTH")
    expect(page.locator(".board-said")).to_contain_text(f"3 of {pieces(page)} are chosen.")
    page.locator("#choices").get_by_role("button", name="Try these orders").click()
    dry_run = page.locator("#trial")
    expect(dry_run).to_contain_text("nothing was sealed")
    expect(dry_run.locator("svg.board")).to_be_visible()
    page.locator(".board-bar").get_by_role("button", name="Seal these orders").click()
    expect(page.locator("#receipt .orders code")).to_have_text(["A LVP H", "F EDI S F LON - NTH", "F LON - NTH"])
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_what_a_piece_is_goes_with_what_it_does(visitor: Visitor) -> None:
    page, key = visitor(width=390), "rsp-diplomacy"
    play(page, key)
    order(page, key, "unit-LON", "Paper", "at-NTH")
    page.locator(".board-bar").get_by_role("button", name="Seal these orders").click()
    expect(page.locator("#receipt .orders code")).to_have_text(["F LON - NTH", "Paper F LON"])


def test_without_a_script_the_lists_alone_order_the_pieces(visitor: Visitor) -> None:
    page = visitor(javascript=False, width=390)
    page.goto("/")
    page.locator("button[name=game][value=diplomacy]").click()
    while not page.locator("#choices").count():
        page.wait_for_timeout(200)
        page.reload()
    page.get_by_label("England: Fleet London").last.select_option("F LON - NTH")
    page.locator("#choices").get_by_role("button", name="Try these orders").click()
    expect(page.locator(".story")).to_contain_text("North Sea")
    page.go_back()
    page.locator("#choices").get_by_role("button", name="Seal", exact=True).click()
    expect(page.locator("#receipt .orders code")).to_have_text(["F LON - NTH"])


def test_any_position_is_tried_with_orders_of_everybody(visitor: Visitor) -> None:
    page = visitor(width=390)
    play(page, "diplomacy")
    page.get_by_role("link", name="Try orders on this board").click()
    page.get_by_label("Orders of any seats").fill("A PAR - BUR\nA MUN - BUR\nA PAR - LON")
    page.get_by_role("button", name="Try these orders").click()
    expect(page.locator(".story")).to_contain_text("A PAR - LON")
    expect(page.locator(".story")).to_contain_text("Burgundy")
    page.get_by_role("button", name="Larger").click()
    expect(page.locator(".board-frame")).to_have_class("board-frame large")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
