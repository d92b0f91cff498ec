"""Two people play Phoenix on the site: the waiting player plans the next turn, and later sees the
plan.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import Visitor
from tests.journeys.test_clicking import follow, open_orders


def come(page: Page) -> None:
    """Become a guest with a match, who may make and join others."""
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/matches/*")


def begin(first: Page, second: Page) -> None:
    """Have the first make a match of Phoenix for two, and the second take its open seat."""
    come(first)
    come(second)
    first.goto("/matches/new?game=phoenix")
    first.get_by_label("How many play").select_option("2")
    first.get_by_role("button", name="Make the match").click()
    expect(first.get_by_role("heading", name="Waiting for players")).to_be_visible()
    second.goto(first.url)
    second.get_by_role("button", name="Take a seat").click()
    for page in (first, second):
        follow(page, page.get_by_role("heading", name="You owe"))


@pytest.mark.nightly
def test_who_waits_plans_and_the_plan_is_played(visitor: Visitor) -> None:
    pages = visitor(), visitor(width=390)
    begin(*pages)
    due, waits = pages if pages[0].locator("#choices").count() else pages[::-1]
    waits.get_by_text("Plan ahead").click()
    waits.get_by_label("What you will order when it is your turn").fill(
        "place scissors OR place rock"
    )
    waits.get_by_role("button", name="Seal this plan").click()
    expect(waits.locator("#receipt")).to_contain_text("Sealed: your plan")

    waits.reload()
    expect(waits.locator("#sealed pre")).to_have_text("place scissors OR place rock")
    waits.get_by_text("Change your plan").click()
    expect(waits.get_by_label("What you will order when it is your turn")).to_have_value(
        "place scissors OR place rock"
    )

    open_orders(due)
    due.locator("#choices label.pick").first.click()
    due.locator("#choices").get_by_role("button", name="Seal and say ready").click()
    for page in pages:
        follow(page, page.locator(".story", has_text="Scissors on"))
