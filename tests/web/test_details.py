"""Details of the pages: icons and link previews, headings, tables, narrow screens, the visitor's
time zone, the focus.
"""

import itertools
import re
from email.message import EmailMessage
from email.utils import format_datetime

import pytest
from playwright.sync_api import expect

from adjudicator.core.game import About
from adjudicator.mail.sending.mailbox import LocalMailbox
from adjudicator.service.matches.creation import Wish
from adjudicator.service.views import game_info
from tests.cast import ALICE, BOB, CHARLIE
from tests.mail.composed import as_written
from tests.web.live import Live, wait_in
from tests.web.site import Site

HEADING = re.compile(r"<h([1-6])\b")
META = re.compile(r'<meta (?:name|property)="(description|og:\w+)" content="([^"]*)">')
TABS = ("", "/history", "/about", "/receipts", "/phases/0", "/phases/1")


def test_the_icon_is_where_every_browser_asks_for_it(small_site: Site) -> None:
    answer = small_site.visitor().get("/favicon.ico")
    assert (
        answer.status_code == 200
        and answer.data[:4] == b"\0\0\1\0"
        and "max-age" in answer.headers["Cache-Control"]
    )
    assert "Set-Cookie" not in answer.headers


def test_a_link_to_a_page_shows_what_it_is_and_nothing_hidden(small_site: Site) -> None:
    uid = small_site.begin_match()
    told = dict(META.findall(small_site.visitor().get(f"/matches/{uid}").text))
    assert told["og:title"] == "The Long Table · Sealed Orders"
    assert told["description"] == told["og:description"] and told["description"].startswith(
        "Rock Paper Pyramid, Round 1: under way."
    )
    assert re.fullmatch(r"http://localhost:\d+/static/card\.png\?v=\w+", told["og:image"])
    assert (
        small_site.visitor().get(told["og:image"].partition("8000")[2]).data[:8]
        == b"\x89PNG\r\n\x1a\n"
    )
    assert told == dict(META.findall(small_site.visitor(ALICE).get(f"/matches/{uid}").text))
    assert (
        "Long games of secret orders"
        in dict(META.findall(small_site.visitor().get("/").text))["description"]
    )


def test_no_page_of_a_match_skips_a_heading(small_site: Site) -> None:
    uid, alice = small_site.play_to_end(), small_site.visitor(ALICE)
    for path in (
        *(f"/matches/{uid}{tab}" for tab in TABS),
        "/",
        "/rules",
        *(f"/rules/{about.key}" for about in game_info.games()),
        "/account",
    ):
        levels = [int(level) for level in HEADING.findall(alice.get(path).text)]
        assert levels[0] == 1 and all(
            after <= before + 1 for before, after in itertools.pairwise(levels)
        ), (path, levels)


def test_press_skips_none_either(small_site: Site) -> None:
    wish = Wish("diplomacy", "Press", {"press": "private"}, players=3, seating="order")
    uid = small_site.harness.match(ALICE, BOB, CHARLIE, wish=wish)
    alice = small_site.visitor(ALICE)
    alice.post(f"/matches/{uid}/press", {"to": "everybody", "text": "Hello"})
    for visitor in (alice, small_site.visitor()):
        levels = [
            int(level) for level in HEADING.findall(visitor.get(f"/matches/{uid}/press").text)
        ]
        assert all(after <= before + 1 for before, after in itertools.pairwise(levels)), levels


@pytest.mark.parametrize("about", game_info.games(), ids=lambda about: about.key)
def test_every_table_of_the_rules_can_be_scrolled_with_the_keyboard(
    small_site: Site, about: About
) -> None:
    page = small_site.visitor().get(f"/rules/{about.key}").text
    framed = re.findall(
        r'<div class="scroll" role="region" tabindex="0" aria-label="[^"<>]+"><table', page
    )
    assert len(framed) == page.count("<table") > 0


@pytest.mark.nightly
def test_a_narrow_screen_holds_every_page(live: Live) -> None:
    live.site.harness.player(ALICE)
    uid = live.site.begin_match()
    for name in (ALICE, None):
        page = live.page("/", name, viewport={"width": 320, "height": 640})
        for path in (
            "/",
            f"/matches/{uid}",
            f"/matches/{uid}/history",
            f"/matches/{uid}/phases/0",
            "/rules",
            "/rules/diplomacy",
            "/matches/new",
            "/sign-in",
        ):
            page.goto(path)
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
            boxes = page.locator(".top a").evaluate_all(
                "all => all.map(each => each.getBoundingClientRect()).map(({ left, right }) =>"
                " [left, right])"
            )
            seen = [box for box in boxes if box[1] > box[0]]
            assert all(before[1] <= after[0] + 0.5 for before, after in itertools.pairwise(seen)), (
                path,
                seen,
            )


def test_a_visitor_reads_times_in_the_zone_of_the_device_and_without_scripts_in_a_named_one(
    live: Live,
) -> None:
    uid = live.site.begin_match()
    page = live.page(f"/matches/{uid}", timezone_id="America/New_York", locale="de-DE")
    expect(page.locator("#owed time").first).to_have_text(
        re.compile(r"^Wed 4 Nov( 2026)? 07:00 \(New York\)$")
    )
    expect(page.get_by_role("contentinfo")).to_contain_text("Times are told in America/New_York.")
    plain = live.page(f"/matches/{uid}", timezone_id="America/New_York", java_script_enabled=False)
    expect(plain.locator("#owed time").first).to_have_text("Wed 4 Nov 12:00 (UTC)")
    expect(plain.get_by_role("contentinfo")).to_contain_text("Times are told in UTC.")
    player = live.page(f"/matches/{uid}", BOB, timezone_id="America/New_York")
    expect(player.locator("#owed time").first).to_have_text("Wed 4 Nov 12:00 (UTC)")


@pytest.mark.nightly
def test_the_history_keeps_the_focus_and_says_where_the_slider_is(live: Live) -> None:
    uid = live.site.play_to_end()
    page = live.page(f"/matches/{uid}/phases/0")
    slider = page.get_by_role("slider", name="Phase")
    expect(slider).to_have_attribute("aria-valuetext", "Start")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
    expect(slider).to_be_focused()
    expect(slider).to_have_attribute("aria-valuetext", "Round 1")
    expect(page.locator("output[data-slider-name]")).to_have_text("Round 1")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("heading", name="Round 2", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Stop")).to_be_focused()


@pytest.mark.nightly
def test_sealed_orders_are_told_in_words_after_a_reload_too(live: Live) -> None:
    wish = Wish("diplomacy", "Europe", {}, players=3, seating="order")
    uid = live.site.harness.match(ALICE, BOB, CHARLIE, wish=wish)
    seat = live.site.harness.page(uid, ALICE).seat
    unit, place = {
        "AUSTRIA": ("VIE", "Bohemia"),
        "ENGLAND": ("LVP", "Wales"),
        "FRANCE": ("PAR", "Picardy"),
    }.get(seat, ("VIE", "Bohemia"))
    page = live.page(f"/matches/{uid}", ALICE)
    page.locator(f"select[name=slot-{unit}]").select_option(label=f"to {place}")
    page.locator("#choices").get_by_role("button", name="Seal only").click()
    expect(page.locator("#receipt .orders")).to_contain_text(f"to {place}")
    page.reload()
    expect(page.locator("#sealed .orders")).to_contain_text(f"to {place}")
    page.get_by_text("Change these orders").click()
    expect(page.locator(f"select[name=slot-{unit}] option:checked")).to_have_text(f"to {place}")


def test_the_link_on_the_first_picture_says_where_it_leads(small_site: Site) -> None:
    uid = small_site.begin_match()
    small_site.harness.round(uid, [(name, "B3") for name in (ALICE, BOB, CHARLIE)])
    page = small_site.visitor().get("/").text
    assert 'aria-label="The Long Table, now in Round 2: look on"' in page


@pytest.mark.nightly
def test_a_letter_s_frame_is_as_high_as_the_letter(live: Live) -> None:
    message = EmailMessage()
    message["To"], message["Subject"], message["Message-ID"] = (
        "bob@example.org",
        "A long one",
        "<long@localhost>",
    )
    message["Date"] = format_datetime(live.site.harness.now)
    message.set_content("Long.")
    lines = "".join(f"<p>Line {number}</p>" for number in range(80))
    message.add_alternative(
        f"<!doctype html><html><head></head><body>{lines}<script>alert(1)</script></body></html>",
        subtype="html",
    )
    LocalMailbox(live.site.app.extensions["settings"].data_dir / "mailbox").post(
        as_written(message)
    )
    page = live.page("/mailbox/long")
    page.on("dialog", lambda _: pytest.fail("a script of the letter ran"))
    expect(page.frame_locator(".mail-frame").get_by_text("Line 79")).to_be_visible()
    wait_in(page, "document.querySelector('.mail-frame').clientHeight > 2500")
    inside = page.frame_locator(".mail-frame").locator("html")
    assert inside.evaluate("html => html.scrollHeight - html.clientHeight") <= 0
