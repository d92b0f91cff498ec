"""Trials by clicking in a real browser: the picture and the text box stay in step, what if, and
addresses that are shared.
"""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from adjudicator.service.matches.creation import Wish
from tests.cast import ALICE, BOB
from tests.journeys.test_map import SPOT
from tests.sampling import sample
from tests.web.live import Live

OPENED = "A PAR - BUR\nA MAR S A PAR - BUR\nready"
BLANK = "/games/diplomacy/try"


def click(page: Page, *marks: str) -> None:
    """Click pieces and places of the map: `unit-PAR`, `at-BUR`."""
    for mark in marks:
        page.locator("svg.board").first.evaluate(
            "(board) => board.scrollIntoView({ block: 'start' })"
        )
        page.mouse.click(*page.locator(f"[id='diplomacy-{mark}']").evaluate(SPOT))


def box(page: Page) -> Locator:
    """Return the text box of the orders."""
    return page.get_by_label("Orders of any seats")


def play(live: Live) -> str:
    """Return a match of two with a closed Spring 1901, in which both powers of a border moved."""
    harness = live.site.harness
    uid = harness.match(
        ALICE, BOB, wish=Wish("diplomacy", "The Map", {}, players=2, seating="order")
    )
    orders = {"ENGLAND": OPENED, "GERMANY": "A VIE - TYR\nready"}  # each of them plays three powers
    for name in (ALICE, BOB):
        assert (
            harness.order(uid, name, orders[harness.page(uid, name).seat or ""]).disposition
            == "accepted"
        )
    assert harness.close(uid)
    return uid


@pytest.mark.parametrize("width", sample([390, 1280], 1))
def test_orders_of_any_power_are_clicked_on_the_picture_and_tried(live: Live, width: int) -> None:
    page = live.page(BLANK, viewport={"width": width, "height": 844})
    click(page, "unit-PAR", "at-BUR", "unit-MUN", "at-BUR")
    click(page, "unit-MAR")
    page.locator(".board-ways").get_by_role("button", name="Support a move").click()
    click(page, "unit-PAR", "at-BUR")
    expect(box(page)).to_have_value("A PAR - BUR\nA MUN - BUR\nA MAR S A PAR - BUR\n")
    expect(page.locator(".hint.way")).to_have_count(3)
    page.locator(".board-bar").get_by_role("button", name="Try these orders").click()
    outcome = page.locator("#trial")
    expect(outcome).to_contain_text(
        "Germany’s army Munich did not get into Burgundy: France’s army Paris got in, supported"
        " from Marseilles."
    )
    expect(outcome.locator("svg.board")).to_be_visible()
    click(page, "unit-MUN", "at-TYR")
    expect(box(page)).to_have_value("A PAR - BUR\nA MUN - TYR\nA MAR S A PAR - BUR\n")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.nightly
def test_what_is_typed_is_drawn_and_what_is_clicked_replaces_the_line_however_it_is_spelled(
    live: Live,
) -> None:
    page = live.page(BLANK)
    box(page).fill("FRANCE:\na par  -  bur\nArmy Marseilles to Spain\nA MUN H, F KIE H")
    ways = page.locator(".hint.way")
    expect(ways).to_have_count(1)
    page.locator("#written").get_by_role("button", name="Try these orders").click()
    expect(ways).to_have_count(2)
    click(page, "unit-MAR", "at-GAS", "unit-KIE", "at-DEN", "unit-PAR", "at-PIC")
    expect(box(page)).to_have_value("FRANCE:\nA PAR - PIC\nA MAR - GAS\nA MUN H\nF KIE - DEN")
    box(page).fill("")
    expect(ways).to_have_count(0)
    expect(page.locator(".slots-count")).to_have_text("0 of 22 are chosen.")


@pytest.mark.nightly
def test_a_click_replaces_the_line_that_counts_and_stands_before_what_is_for_later(
    live: Live,
) -> None:
    page = live.page(BLANK)
    box(page).fill("A MUN H\nA PAR - BUR\nA PAR H\nA PAR - BUR\nTHEN\nA BUR H")
    click(page, "unit-PAR", "at-PIC", "unit-MAR", "at-GAS")
    expect(box(page)).to_have_value(
        "A MUN H\nA PAR - BUR\nA PAR H\nA PAR - PIC\nA MAR - GAS\nTHEN\nA BUR H"
    )
    box(page).fill("A PAR - BUR THEN A BUR H # and then what")
    click(page, "unit-PAR", "at-PIC")
    expect(box(page)).to_have_value("A PAR - PIC\nTHEN A BUR H # and then what")


@pytest.mark.nightly
def test_a_choice_that_is_taken_back_shows_the_line_that_counts_now(live: Live) -> None:
    page = live.page(BLANK)
    box(page).fill("A PAR - BUR\nA PAR - PIC")
    page.locator("summary", has_text="All 22 in a list").click()
    field = page.get_by_role("combobox", name="France: Army Paris")
    expect(field).to_have_value("A PAR - PIC")
    field.select_option("")
    expect(box(page)).to_have_value("A PAR - BUR")
    expect(field).to_have_value("A PAR - BUR")


@pytest.mark.nightly
def test_orders_are_tried_with_the_keyboard_alone(live: Live) -> None:
    page = live.page(BLANK)
    page.locator("summary", has_text="All 22 in a list").focus()
    page.keyboard.press("Enter")
    field = page.get_by_role("combobox", name="France: Army Paris")
    field.focus()
    page.keyboard.type("to Burg")
    expect(field).to_have_value("A PAR - BUR")
    expect(box(page)).to_have_value("A PAR - BUR\n")
    box(page).focus()
    for _ in range(2):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#trial")).to_contain_text("France moved army Paris to Burgundy.")


def test_what_if_begins_with_the_opened_orders_and_compares(live: Live) -> None:
    uid = play(live)
    page = live.page(f"/matches/{uid}/phases/1", ALICE)
    page.get_by_role("link", name="Try other orders in Spring 1901").click()
    expect(box(page)).to_contain_text("A PAR - BUR")
    expect(page.locator(".hint.way")).not_to_have_count(0)
    click(page, "unit-PAR", "at-PIC")
    page.locator(".board-bar").get_by_role("button", name="Try these orders").click()
    outcome = page.locator("#trial")
    expect(
        outcome.get_by_role("heading", name="What came of it in the match instead")
    ).to_be_visible()
    expect(outcome).to_contain_text("army Paris to Picardy")
    page.get_by_role("link", name="← What happened in Spring 1901").click()
    expect(page.get_by_role("heading", name="Orders as opened")).to_be_visible()


def test_the_address_of_a_trial_is_copied_and_opens_in_a_fresh_browser(live: Live) -> None:
    uid = play(live)
    context = live.context(ALICE)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"/matches/{uid}/phases/1/try")
    page.locator("#written").get_by_role("button", name="Try these orders").click()
    page.get_by_role("button", name="Copy the address").click()
    expect(page.locator("[data-copied]")).to_have_text("Copied.")
    address = urlsplit(str(page.evaluate("navigator.clipboard.readText()")))
    assert uid not in address.query and parse_qs(address.query)["position"][0].startswith(
        "units Spring 1901\n"
    )
    stranger = live.page(f"{address.path}?{address.query}")
    expect(box(stranger)).to_contain_text("A PAR - BUR")
    expect(stranger.locator("#trial")).to_contain_text("What would come of it")
    click(stranger, "unit-PAR", "at-PIC")
    expect(box(stranger)).to_have_value(re.compile("^A PAR - PIC$", re.MULTILINE))


@pytest.mark.nightly
def test_the_address_can_be_copied_by_hand_where_the_clipboard_is_closed(live: Live) -> None:
    page = live.page(f"{BLANK}?orders=A+PAR+-+BUR")
    page.evaluate(
        "() => { navigator.clipboard.writeText = () => Promise.reject(); document.execCommand = ()"
        " => false; }"
    )
    page.get_by_role("button", name="Copy the address").click()
    expect(page.locator("[data-copied]")).to_contain_text("copy it with the keyboard")
    field = page.get_by_label("The address of this trial")
    assert field.evaluate(
        "(field) => field.selectionEnd - field.selectionStart === field.value.length &&"
        " field.value.length > 300"
    )


@pytest.mark.nightly
def test_without_scripts_a_position_is_laid_and_orders_are_chosen_in_the_list_or_written(
    live: Live,
) -> None:
    page = live.page(BLANK, java_script_enabled=False)
    page.locator("summary", has_text="Lay another position").click()
    page.get_by_label("The position", exact=True).fill(
        "units\nFRANCE: A PAR\nGERMANY: A BUR\nITALY: A ROM"
    )
    page.get_by_role("button", name="Lay this position").click()
    page.wait_for_url("**position=**")
    assert parse_qs(urlsplit(page.url).query)["position"] == [
        "units\r\nFRANCE: A PAR\r\nGERMANY: A BUR\r\nITALY: A ROM"
    ]
    page.locator("summary", has_text="All 3 in a list").click()
    page.get_by_role("combobox", name="France: Army Paris").select_option("A PAR - PIC")
    page.get_by_role("button", name="Try what is chosen in the list").click()
    expect(page.locator("#trial")).to_contain_text("France moved army Paris to Picardy.")
    expect(box(page)).to_have_value("A PAR - PIC")
    box(page).fill("A PAR - PIC\nA BUR to Paris\nnonsense")
    page.locator("summary", has_text="All 3 in a list").click()
    page.get_by_role("combobox", name="Italy: Army Rome").select_option("A ROM - TUS")
    page.get_by_role("button", name="Try what is chosen in the list").click()
    expect(box(page)).to_have_value("A PAR - PIC\nA BUR to Paris\nnonsense\nA ROM - TUS")
    box(page).fill("A BUR - PAR")
    page.get_by_role("button", name="Try these orders").first.click()
    expect(page.locator("#trial")).to_contain_text("Germany’s army Burgundy did not get into Paris")
    expect(page.get_by_label("The address of this trial")).to_be_visible()
