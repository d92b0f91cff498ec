"""Features of the site's script in a real browser: receipts in place, forms that fill themselves,
steps through the history.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import reload_until
from tests.journeys.conftest import Visitor
from tests.journeys.test_clicking import open_orders

TEXT = "Your orders, as a letter would carry them"


def play_now(page: Page) -> str:
    """Press Play now and wait for the first round; returns the address of the match."""
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    expect(page.get_by_role("heading", name="You owe orders for Round 1")).to_be_visible()
    return page.url


def write(page: Page, orders: str) -> None:
    """Seal orders as text, without being ready."""
    open_orders(page)
    page.get_by_text("Write them instead").click()
    page.get_by_label(TEXT).fill(orders)
    page.get_by_role("button", name="Seal this text only").click()


@pytest.mark.nightly
def test_the_receipt_is_there_at_once_and_its_signature_a_moment_later(visitor: Visitor) -> None:
    page = visitor()
    play_now(page)
    write(page, "B3\nTHEN\nC2 OR C1")
    receipt = page.locator("#receipt")
    expect(receipt).to_contain_text("Sealed: Round 1")
    expect(receipt).to_contain_text("C2 OR C1")
    receipt.get_by_text("The seal", exact=True).click()
    expect(receipt).to_contain_text("Signed by the service")


@pytest.mark.nightly
def test_what_was_sealed_comes_back_into_the_form(visitor: Visitor) -> None:
    page = visitor()
    match = play_now(page)
    write(page, "W2\nTHEN\nB1")
    expect(page.locator("#receipt")).to_contain_text("Sealed: Round 1")
    page.goto(match)
    expect(page.locator("#sealed pre").first).to_have_text("W2")
    page.get_by_text("Change these orders").click()
    expect(page.locator("#choices input[value=W2]")).to_be_checked()
    expect(page.locator("#plan")).to_have_value("B1")


@pytest.mark.nightly
def test_a_refused_line_is_mended_by_a_click(visitor: Visitor) -> None:
    page = visitor(width=390)
    play_now(page)
    write(page, "blak large")
    expect(page.locator("#receipt")).to_contain_text("“blak” is neither a colour nor a size.")
    expect(page.get_by_label(TEXT)).to_have_value("blak large")
    page.get_by_role("button", name="B3", exact=True).click()
    expect(page.locator("#receipt")).to_contain_text("Sealed: Round 1")


@pytest.mark.nightly
def test_the_history_is_walked_by_keys_and_slider(visitor: Visitor) -> None:
    page = visitor()
    match = play_now(page)
    for number in (1, 2):
        expect(
            page.get_by_role("heading", name=f"You owe orders for Round {number}")
        ).to_be_visible()
        page.locator("#choices label.pick").first.click()
        page.locator("#choices").get_by_role("button", name="Seal and say ready").click()
    expect(page.get_by_role("heading", name="You owe orders for Round 3")).to_be_visible()
    page.goto(f"{match}/phases/0")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
    expect(page).to_have_url(f"{match}/phases/1")
    page.get_by_role("slider").fill("2")
    expect(page.get_by_role("heading", name="Round 2", exact=True)).to_be_visible()
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("heading", name="Start", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()


@pytest.mark.nightly
def test_a_piece_on_the_board_chooses_its_card(visitor: Visitor) -> None:
    page = visitor()
    play_now(page)
    page.locator("#pyramid-1-C2").click()
    expect(page.locator("#choices input[value=C2]")).to_be_checked()


@pytest.mark.nightly
def test_a_letter_in_the_mailbox_leads_on_in_the_whole_window(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/sign-in")
    page.get_by_label("Your e-mail address").fill("erin@example.org")
    page.get_by_role("button", name="Send me a link").click()
    page.goto("/mailbox?to=erin@example.org")
    reload_until(page, page.locator(".mail-line a"))
    page.locator(".mail-line a").first.click()
    page.frame_locator("iframe.mail-frame").get_by_role("link", name="Sign in").first.click()
    for _ in range(2):  # a mail scanner that opens the link signs nobody in
        page.reload()
    expect(page.get_by_role("navigation").get_by_role("link", name="Sign in")).to_be_visible()
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name="erin")).to_be_visible()


@pytest.mark.nightly
def test_no_page_is_wider_than_a_phone(visitor: Visitor) -> None:
    page = visitor(width=360)
    match = play_now(page)
    articles = (
        "/rules/redeux",
        "/rules/phoenix",
        "/rules/genesis",
        "/rules/genesis/ru",
        "/matches/new?game=phoenix",
    )
    for path in (
        "/",
        "/rules",
        "/rules/pyramid",
        *articles,
        "/sign-in",
        "/account",
        "/matches/new",
        "/mailbox",
        "/nothing",
    ):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
    for path in ("", "/history", "/phases/0", "/about", "/receipts"):
        page.goto(match + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
