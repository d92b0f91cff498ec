"""An answer in the local mailbox, in a real browser, handed to the service's real inbox."""

import pytest
from playwright.sync_api import Page, expect
from sqlmodel import col, select

from adjudicator.platform.db import Database
from adjudicator.service.base.tables import Incoming
from tests.browser import reload_until
from tests.hosting.service import Service
from tests.journeys.conftest import Visitor


def came_in(service: Service) -> list[tuple[str, str]]:
    """Return the kind of address and the channel of each stored letter."""
    database = Database(f"sqlite:///{service.folder / 'sealed.sqlite3'}")
    try:
        with database.read_tx() as session:
            return [
                (row.kind, row.via)
                for row in session.exec(select(Incoming).order_by(col(Incoming.id)))
            ]
    finally:
        database.engine.dispose()


def first_letter(page: Page, to: str) -> None:
    """Have a letter sent to somebody and open it."""
    page.goto("/sign-in")
    page.get_by_label("Your e-mail address").fill(to)
    page.get_by_role("button", name="Send me a link").click()
    page.goto(f"/mailbox?to={to}")
    reload_until(page, page.locator(".mail-line a"))
    page.locator(".mail-line a").first.click()


@pytest.mark.nightly
def test_a_letter_is_written_and_one_is_answered_at_the_mailbox(
    visitor: Visitor, service: Service
) -> None:
    page = visitor()
    page.goto("/mailbox")
    page.get_by_label("From").fill("fay@example.org")
    page.get_by_label("What it says").fill("help")
    page.get_by_role("button", name="Send the letter").click()
    expect(page.get_by_role("status")).to_contain_text("Your letter was handed to the inbox.")
    assert came_in(service) == [("service", "smtp")]
    first_letter(page, "fay@example.org")
    page.get_by_label("What fay@example.org writes").fill("status")
    page.get_by_role("button", name="Send the answer").click()
    expect(page.get_by_role("status")).to_contain_text("Your answer was handed to the inbox.")
    assert len(came_in(service)) == 2


@pytest.mark.nightly
def test_without_javascript_and_on_a_phone_it_works_alike(
    visitor: Visitor, service: Service
) -> None:
    page, before = visitor(javascript=False, width=360), len(came_in(service))
    first_letter(page, "gil@example.org")
    assert page.locator("#answer").bounding_box()["width"] <= 360  # type: ignore[index]
    page.get_by_label("What gil@example.org writes").fill("help")
    page.get_by_role("button", name="Send the answer").click()
    expect(page.get_by_text("Your answer was handed to the inbox.")).to_be_visible()
    assert len(came_in(service)) == before + 1


@pytest.mark.nightly
def test_the_letters_page_is_no_wider_than_a_phone(visitor: Visitor) -> None:
    page = visitor(width=360)
    first_letter(page, "hal@example.org")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.goto("/mailbox?handed=1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
