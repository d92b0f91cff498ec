"""Orders on the map of Europe in a real browser: actions and kinds of pieces, a dry run, and
sealing; on a phone and on a large screen.
"""

from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.browser import reload_until
from tests.journeys.conftest import Visitor
from tests.journeys.test_clicking import open_orders, play
from tests.sampling import sample

FIND = """(heading) => {
    const slots = [...document.querySelectorAll("#choices .slot.line:not(.beside)")].filter((slot) => !slot.dataset.taken);
    const found = slots.map((slot) => slot.querySelector(`optgroup[label="${heading}"] option`)).find(Boolean);
    found.closest(".slot").dataset.taken = "yes";
    return { text: found.value, marks: found.dataset.marks.split(" ") };
}"""
# A point where a click hits the place or piece itself: the middle of its box may belong to a
# neighbour.
SPOT = """(place) => {
    const box = place.getBoundingClientRect();
    const steps = [...Array(20).keys()].map((step) => (step + 0.5) / 20);
    const points = steps.flatMap((down) => steps.map((along) => [box.x + along * box.width, box.y + down * box.height]));
    const open = points.filter(([x, y]) => document.elementFromPoint(x, y)?.closest("[id]") === place);
    return open[Math.floor(open.length / 2)];
}"""


@dataclass(frozen=True)
class Wanted:
    """One of the form's choices: its heading, the order's text and its click path."""

    heading: str
    text: str
    marks: tuple[str, ...]


def find(page: Page, heading: str) -> Wanted:
    """Return the first choice under a heading, of a piece not returned before."""
    found = page.evaluate(FIND, heading)
    return Wanted(heading, found["text"], tuple(found["marks"]))


def click(page: Page, mark: str) -> None:
    """Click a piece or a place of the map."""
    element = page.locator(f"[id='{mark}']")
    page.locator("svg.board").first.evaluate("(board) => board.scrollIntoView({ block: 'start' })")
    page.mouse.click(*element.evaluate(SPOT))


def order(page: Page, wanted: Wanted) -> None:
    """Click a piece, its action, and its target if the action has one."""
    first, *others = wanted.marks
    click(page, first)
    page.locator(".board-ways").get_by_role("button", name=wanted.heading, exact=True).click()
    for mark in others:
        if mark != first:
            click(page, mark)


def pieces(page: Page) -> int:
    """Return the number of pieces that need orders."""
    return page.locator("#choices .slot.line:not(.beside)").count()


@pytest.mark.parametrize("width", sample([390, 1280], 1))
def test_pieces_are_ordered_on_the_map_tried_and_sealed(visitor: Visitor, width: int) -> None:
    page = visitor(width=width)
    play(page, "diplomacy")
    wanted = [find(page, heading) for heading in ("Support a move", "Move", "Hold")]
    for each in wanted:
        order(page, each)
    expect(page.locator(".slots-count")).to_have_text(f"3 of {pieces(page)} are chosen.")
    open_orders(page)
    page.locator("#choices").get_by_role("button", name="Try these orders").click()
    expect(page.locator("#trial")).to_contain_text("nothing was sealed")
    expect(page.locator("#trial svg.board")).to_be_visible()
    open_orders(page)
    page.locator("#choices").get_by_role("button", name="Seal only").click()
    expect(page.locator("#receipt .orders code")).to_have_count(3)
    assert set(page.locator("#receipt .orders code").all_text_contents()) == {
        each.text for each in wanted
    }
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.reload()
    expect(page.locator(".slots-count")).to_have_text(f"3 of {pieces(page)} are chosen.")
    expect(page.locator(".hint.way")).to_have_count(2)


@pytest.mark.nightly
def test_what_a_piece_is_goes_with_what_it_does(visitor: Visitor) -> None:
    page = visitor(width=390)
    play(page, "rsp-diplomacy")
    wanted = find(page, "Move")
    order(page, wanted)
    page.locator(".board-natures").get_by_role("button", name="Paper").click()
    page.locator(".board-bar").get_by_role("button", name="Seal and say ready").click()
    expect(page.locator("#receipt .orders code")).to_have_count(2)
    assert wanted.text in page.locator("#receipt .orders code").all_text_contents()
    expect(page.locator("#receipt .orders")).to_contain_text(
        f"Paper {' '.join(wanted.text.split()[:2])}"
    )


@pytest.mark.nightly
def test_without_a_script_the_lists_alone_order_the_pieces(visitor: Visitor) -> None:
    page = visitor(javascript=False, width=390)
    page.goto("/")
    page.locator("button[name=game][value=diplomacy]").click()
    reload_until(page, page.locator("#choices"))
    first = page.locator("#choices select").first
    text = (
        page.locator("#choices select optgroup[label=Move] option").first.get_attribute("value")
        or ""
    )
    first.select_option(text)
    page.locator("#choices").get_by_role("button", name="Try these orders").click()
    expect(page.get_by_label("Orders of any seats")).to_have_value(text)
    expect(page.get_by_role("heading", name="What would come of it")).to_be_visible()
    page.go_back()
    page.locator("#choices").get_by_role("button", name="Seal only").click()
    expect(page.locator("#receipt .orders code")).to_have_text([text])


@pytest.mark.nightly
def test_any_position_is_tried_with_orders_of_everybody(visitor: Visitor) -> None:
    page = visitor(width=390)
    play(page, "diplomacy")
    page.get_by_role("link", name="Try orders on this board").click()
    page.locator("#trial").wait_for(state="attached")  # the page before it has a dock, too
    page.wait_for_load_state()
    open_orders(page)
    page.get_by_label("Orders of any seats").fill("A PAR - BUR\nA MUN - BUR\nA PAR - LON")
    page.locator("#written").get_by_role("button", name="Try these orders").click()
    expect(page.locator("#trial")).to_contain_text("A PAR - LON")
    expect(page.locator("#trial")).to_contain_text("Burgundy")
    page.get_by_role("button", name="Larger").first.click()
    expect(page.locator(".board-frame").first).to_have_class("board-frame large")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
