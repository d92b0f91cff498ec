"""Orders for each game by clicking the board and by the form alone, in a real browser; both seal
the same text.
"""

from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import reload_until
from tests.journeys.conftest import Visitor
from tests.sampling import sample

LONGEST = """() => {
    const fields = [...document.querySelectorAll("#choices [data-marks]")].map((field) => ({
        text: field.value, words: window.sealed.words(field),
        slot: field.name || field.closest("select").name, marks: field.dataset.marks.split(" ") }));
    return fields.sort((one, other) => other.marks.length - one.marks.length)[0];
}"""


@dataclass(frozen=True)
class Wanted:
    """A choice of the form: its slot's field, its text, the words that the form shows for it, and
    its click path.
    """

    slot: str
    text: str
    words: str
    marks: tuple[str, ...]


def play(page: Page, key: str) -> None:
    """Begin a match against house bots and wait until it is the visitor's turn."""
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/matches/*")
    page.goto("/")
    page.locator(f"button[name=game][value={key}]").click()
    follow(page, page.get_by_role("heading", name="You owe orders"))


def follow(page: Page, wanted: Locator) -> None:
    """Take what the bar offers until the page has what is wanted."""
    offer = page.locator("#news button")
    while not wanted.first.is_visible():
        expect(wanted.or_(offer).first).to_be_visible()
        if offer.is_visible():
            offer.click()
            expect(offer).to_have_count(0)


def open_orders(page: Page) -> None:
    """Open the sheet of a phone that contains the form; nothing where the form stands beside the
    board.
    """
    toggle = page.locator(".dock-toggle")
    if toggle.is_visible() and toggle.get_attribute("aria-expanded") == "false":
        toggle.click()


def wanted(page: Page) -> Wanted:
    """Return a choice with the longest click path."""
    found = page.evaluate(LONGEST)
    return Wanted(found["slot"], found["text"], found["words"], tuple(found["marks"]))


def click(page: Page, choice: Wanted) -> None:
    """Click the path of a choice on the board."""
    for mark in choice.marks:
        page.locator(f"[id='{mark}']").click(force=True)


def choose(page: Page, choice: Wanted) -> None:
    """Choose in the form, without the board."""
    open_orders(page)
    page.get_by_text("Change these orders").click()
    field = page.locator(f"#choices [name='{choice.slot}']")
    if field.first.evaluate("(field) => field.tagName") == "SELECT":
        field.select_option("")
        field.select_option(choice.text)
    else:
        page.locator(f"#choices label.pick:has(input[value='{choice.text}'])").click()


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("key", "width"),
    sample([("pyramid", 390), ("redeux", 1280), ("phoenix", 390), ("genesis", 1280)], 1),
)
def test_the_board_and_the_form_seal_the_same(visitor: Visitor, key: str, width: int) -> None:
    page = visitor(width=width)
    play(page, key)
    choice = wanted(page)
    sealed = page.locator("#receipt .orders code").first
    click(page, choice)
    assert choice.text.casefold() in choice.words.casefold()
    expect(page.locator(".board-said")).to_have_text(f"Chosen: {choice.words}.")
    open_orders(page)
    page.get_by_role("button", name="Seal only").click()
    expect(sealed).to_have_text(choice.text)
    choose(page, choice)
    page.locator("#choices").get_by_role("button", name="Seal only").click()
    expect(page.locator("#receipt .proof")).to_contain_text("Submission 2")
    expect(sealed).to_have_text(choice.text)


@pytest.mark.nightly
@pytest.mark.parametrize("key", sample(["pyramid", "redeux", "phoenix", "genesis"], 1))
def test_a_phone_plays_on_from_the_board_alone(visitor: Visitor, key: str) -> None:
    page = visitor(width=390)
    play(page, key)
    choice = wanted(page)
    click(page, choice)
    assert page.evaluate("window.scrollY") == 0, "the board is where the page begins"
    page.locator(".board-bar").get_by_role("button", name="Seal and say ready").click()
    expect(page.locator("#receipt .orders code").first).to_have_text(choice.text)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.nightly
def test_without_a_script_the_lists_alone_order_the_births_of_genesis(visitor: Visitor) -> None:
    page = visitor(javascript=False)
    page.goto("/")
    page.locator("button[name=game][value=genesis]").click()
    reload_until(page, page.locator("#choices"))
    births = page.locator("#choices select").first
    text = births.locator("option").nth(1).get_attribute("value")
    births.select_option(text)
    page.get_by_role("button", name="Seal only").click()
    expect(page.locator("#receipt .orders code").first).to_have_text(text or "")
