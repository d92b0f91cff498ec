"""Pages that stay open in a real browser: news during input, two tabs, the back button, no network,
double clicks.
"""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.cast import ALICE, BOB, CHARLIE
from tests.waiting import wait_until
from tests.web.live import Live


def owes(page: Page, phase: str) -> None:
    """Expect a page whose head, board and form are of this phase."""
    expect(page.get_by_role("heading", name=f"You owe orders for {phase}")).to_be_visible()
    expect(page.locator(".match-head")).to_contain_text(phase)
    number = phase.rpartition(" ")[2]
    expect(page.locator("#choices input[name=phase]")).to_have_value(number)
    expect(
        page.get_by_role(
            "img",
            name=re.compile(f"round {int(number) - 1} of 9" if number != "1" else "before round 1"),
        )
    ).to_be_visible()


def pick(page: Page, piece: str) -> None:
    """Choose a piece in the form."""
    page.locator(f"label.pick:has(input[value={piece}])").click()


def seal(page: Page) -> None:
    page.locator("#choices").get_by_role("button", name="Seal and say ready").click()


def asked_for_news(page: Page) -> None:
    """Advance the clock to when a page with an open form polls for news."""
    with page.expect_response("**/news?**"):
        page.clock.fast_forward(15_500)


def test_an_open_form_is_offered_the_new_phase_and_nothing_is_swapped_under_a_hand(
    live: Live,
) -> None:
    uid = live.site.begin_match()
    page = live.context(CHARLIE).new_page()
    page.clock.install()
    page.goto(f"/matches/{uid}")
    pick(page, "C2")
    asked_for_news(page)
    expect(page.locator("#news")).to_be_empty()
    live.close_round(uid)
    asked_for_news(page)
    offer = page.get_by_role("button", name="Round 2 is open: show it")
    expect(offer).to_be_visible()
    expect(page.get_by_role("heading", name="You owe orders for Round 1")).to_be_visible()
    expect(page.locator("input[value=C2]")).to_be_checked()
    offer.click()
    owes(page, "Round 2")
    expect(page.get_by_text("What you had chosen for Round 1 was not handed in:")).to_be_visible()
    expect(page.locator(".notice pre")).to_have_text("C2")
    expect(page.locator("#choices input:checked")).to_have_count(0)
    expect(page.locator("#news")).to_be_empty()
    assert page.evaluate("window.scrollY") == 0


@pytest.mark.nightly
def test_what_is_chosen_stays_where_the_phase_is_the_same(live: Live) -> None:
    uid = live.site.begin_match()
    page = live.context(CHARLIE).new_page()
    page.clock.install()
    page.goto(f"/matches/{uid}")
    pick(page, "C2")
    page.get_by_text("Plan ahead").click()
    page.get_by_label("What to play in the phases after this one").fill("C1 OR B1")
    live.site.harness.order(uid, CHARLIE, "C3\nwait")  # by letter, for example
    asked_for_news(page)
    page.get_by_role("button", name="You sealed or said something elsewhere: show it").click()
    expect(page.get_by_role("heading", name="Sealed for Round 1")).to_be_visible()
    expect(page.locator("input[value=C2]")).to_be_checked()
    expect(page.get_by_label("What to play in the phases after this one")).to_have_value("C1 OR B1")


@pytest.mark.nightly
def test_a_page_whose_own_orders_close_the_phase_goes_on_by_itself(live: Live) -> None:
    uid = live.site.begin_match()
    live.site.harness.order(uid, ALICE, "B3")
    live.site.harness.order(uid, BOB, "W2")
    page = live.page(f"/matches/{uid}", CHARLIE)
    pick(page, "C1")
    seal(page)
    expect(page.get_by_role("heading", name="Sealed: Round 1")).to_be_visible()
    assert live.site.harness.close(uid)
    owes(page, "Round 2")


def test_a_page_that_waits_for_others_is_offered_what_they_did(live: Live) -> None:
    uid = live.site.begin_match()
    page = live.context(CHARLIE).new_page()
    page.clock.install()
    page.goto(f"/matches/{uid}")
    pick(page, "C1")
    seal(page)
    expect(page.get_by_role("heading", name="Sealed: Round 1")).to_be_visible()
    live.close_round(uid, CHARLIE)
    asked_for_news(page)
    page.get_by_role("button", name="Round 2 is open: show it").click()
    owes(page, "Round 2")


def test_orders_for_a_closed_phase_get_the_whole_page_of_the_new_one(live: Live) -> None:
    uid = live.site.begin_match()
    page = live.page(f"/matches/{uid}", CHARLIE)
    pick(page, "C2")
    live.close_round(uid)
    seal(page)
    expect(page.get_by_role("alert")).to_contain_text(
        "These orders were for another phase; Round 2 is open now."
    )
    owes(page, "Round 2")
    expect(page.locator(".notice pre")).to_have_text("C2")
    expect(page.locator("#choices input:checked")).to_have_count(0)
    expect(page.locator(".story")).to_contain_text("Round 1")


def test_two_tabs_tell_each_other(live: Live) -> None:
    uid = live.site.begin_match()
    context = live.context(CHARLIE)
    first, second = context.new_page(), context.new_page()
    second.clock.install()
    for page in (first, second):
        page.goto(f"/matches/{uid}")
    pick(first, "C1")
    seal(first)
    expect(first.get_by_role("heading", name="Sealed: Round 1")).to_be_visible()
    asked_for_news(second)
    expect(
        second.get_by_role("button", name="You sealed or said something elsewhere: show it")
    ).to_be_visible()
    live.close_round(uid, CHARLIE)
    pick(second, "C3")
    seal(second)
    owes(second, "Round 2")


@pytest.mark.nightly
def test_the_back_button_shows_what_is_open_and_keeps_what_was_chosen(live: Live) -> None:
    uid = live.site.begin_match()
    page = live.page(f"/matches/{uid}", CHARLIE)
    pick(page, "C2")
    page.get_by_role("link", name="History").click()
    page.go_back()
    expect(page.locator("input[value=C2]")).to_be_checked()
    page.get_by_role("link", name="History").click()
    live.close_round(uid)
    page.go_back()
    owes(page, "Round 2")
    expect(page.locator(".notice pre")).to_have_text("C2")


def test_a_page_from_the_browsers_own_store_asks_for_news_at_once(live: Live) -> None:
    uid = live.site.begin_match()
    page = live.page(f"/matches/{uid}", CHARLIE)
    live.close_round(uid)
    page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.get_by_role("button", name="Round 2 is open: show it")).to_be_visible()


def test_offline_the_form_stays_and_goes_out_when_the_connection_is_back(live: Live) -> None:
    uid = live.site.begin_match()
    page = live.page(f"/matches/{uid}", CHARLIE)
    pick(page, "C2")
    page.context.set_offline(True)
    seal(page)
    expect(page.get_by_role("alert")).to_contain_text("You are offline, and nothing was sent yet.")
    expect(page.locator("input[value=C2]")).to_be_checked()
    assert live.posts() == []
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="Sealed: Round 1")).to_be_visible()
    assert live.posts().count(f"/matches/{uid}/orders") == 1


@pytest.mark.nightly
def test_a_site_that_cannot_be_reached_leaves_the_form_and_a_second_press_sends_it(
    live: Live,
) -> None:
    uid = live.site.begin_match()
    page = live.page(f"/matches/{uid}", CHARLIE)
    pick(page, "C2")
    page.route("**/orders", lambda route: route.abort())
    seal(page)
    expect(page.get_by_role("alert")).to_contain_text(
        "The site could not be reached. What you chose is still here"
    )
    page.unroute("**/orders")
    seal(page)
    expect(page.get_by_role("heading", name="Sealed: Round 1")).to_be_visible()


@pytest.mark.nightly
def test_offline_no_form_leads_away_from_what_was_written(live: Live) -> None:
    page = live.page("/matches/new", ALICE)
    page.get_by_label("Name of the match").fill("Kept")
    page.context.set_offline(True)
    page.get_by_role("button", name="Make the match").click()
    expect(page.get_by_role("alert")).to_contain_text("You are offline, and nothing was sent.")
    expect(page.get_by_label("Name of the match")).to_have_value("Kept")


def hold(page: Page, path: str) -> list[Route]:
    """Hold requests back, as on a slow network; returns the held ones."""
    held: list[Route] = []
    page.route(path, lambda route: held.append(route))
    return held


def test_two_clicks_on_a_slow_network_send_orders_once_and_the_button_is_busy(live: Live) -> None:
    uid = live.site.begin_match()
    page = live.page(f"/matches/{uid}", CHARLIE)
    pick(page, "C2")
    held = hold(page, "**/orders")
    page.locator("#choices").get_by_role("button", name="Seal and say ready").dblclick()
    expect(page.locator("#owed")).to_have_attribute("aria-busy", "true")
    expect(page.locator("#owed .sending")).to_have_text("Sending …")
    page.get_by_role("button", name="Seal only").click()
    assert len(held) == 1
    held[0].continue_()
    expect(page.get_by_role("heading", name="Sealed: Round 1")).to_be_visible()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert live.posts().count(f"/matches/{uid}/orders") == 1


def test_two_clicks_on_a_slow_site_make_one_match(live: Live) -> None:
    page = live.page("/", BOB)
    live.gates["/play"] = lambda: wait_until(
        lambda: ("GET", "/robots.txt") in live.asked, "the second click"
    )
    page.evaluate("""() => {
        const button = document.querySelector("form[action='/play'] .button");
        setTimeout(() => { button.click(); fetch("/robots.txt"); }, 0);
        button.click();
    }""")
    expect(page.get_by_role("heading", name="Being set up")).to_be_visible()
    assert live.posts() == ["/play"]
