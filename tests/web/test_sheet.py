"""A match on a phone: the sheet with the orders owed never covers the board, which two fingers
enlarge; and what waits at the table.
"""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from adjudicator.service.base.rows import by_uid
from adjudicator.service.base.state import PROGRESS_KINDS
from adjudicator.service.base.tables import AbsenceUse
from adjudicator.service.matches.creation import Wish
from adjudicator.service.press.messages import PressDraft, write_press
from tests.cast import ALICE, BOB, CHARLIE
from tests.sampling import sample
from tests.web.live import Live, wait_in
from tests.web.site import Site

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
FIRST_MOVE = """() => {
    const option = document.querySelector('#choices optgroup[label="Move"] option');
    return { text: option.value, marks: option.dataset.marks.split(" "), slot: option.closest("select").name };
}"""
APART = (
    "document.querySelector('svg.board').getBoundingClientRect().bottom <="
    " document.querySelector('.dock').offsetTop + 1"
)
SEEN = """(mark) => {
    const unit = document.getElementById(mark).getBoundingClientRect();
    const view = document.querySelector(".board-scroll").getBoundingClientRect();
    const [x, y] = [unit.x + unit.width / 2, unit.y + unit.height / 2];
    return { inside: x > view.left && x < view.right && y > view.top && y < view.bottom, least: Math.min(unit.width, unit.height) };
}"""

CUT = (
    "(element) => Math.max(element.scrollWidth - element.clientWidth, element.scrollHeight -"
    " element.clientHeight)"
)
COVERED = """() => {
    const here = document.activeElement, box = here.getBoundingClientRect(), dock = document.querySelector(".dock");
    if (!dock.contains(here) && box.bottom > dock.getBoundingClientRect().top) return here.outerHTML.slice(0, 120);
    return here.matches(".bottom-links a:last-of-type") ? "at the end" : "";
}"""


def europe(site: Site, **changes: Any) -> str:
    """Begin a Diplomacy of three."""
    options = {"press": "private"}
    return site.harness.match(
        ALICE,
        BOB,
        CHARLIE,
        wish=Wish("diplomacy", "Europe", options, players=3, seating="order", **changes),
    )


def edges(page: Page, selector: str) -> tuple[float, float]:
    """Return the top and bottom of an element in the window."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["y"], box["y"] + box["height"]


def click_board(page: Page, mark: str) -> None:
    """Click the middle of a unit, or a place by its letters."""
    box = page.locator(f"[id='{mark}']").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.parametrize("key", sample(["diplomacy", "pyramid"], 1))
def test_the_sheet_never_covers_the_board(live: Live, key: str) -> None:
    uid = live.site.begin_match() if key == "pyramid" else europe(live.site)
    for width, height in ((390, 844), (320, 640)):
        page = live.page(
            f"/matches/{uid}", ALICE, **PHONE | {"viewport": {"width": width, "height": height}}
        )
        toggle = page.locator(".dock-toggle")
        expect(toggle).to_have_attribute("aria-expanded", "false")
        expect(page.locator("#choices")).to_be_hidden()
        assert edges(page, "svg.board")[1] <= edges(page, ".dock")[0]
        toggle.click()
        expect(page.locator("#choices")).to_be_visible()
        wait_in(
            page,
            "document.querySelector('svg.board').getBoundingClientRect().bottom <="
            " document.querySelector('.dock').offsetTop + 1",
        )
        assert edges(page, "svg.board")[0] >= 0
        page.locator("#choices :is(input, select, button)").first.focus()
        page.keyboard.press("Escape")
        expect(toggle).to_be_focused()
        expect(page.locator("#choices")).to_be_hidden()


@pytest.mark.nightly
def test_what_has_the_focus_is_never_behind_the_sheet(live: Live) -> None:
    page = live.page(f"/matches/{europe(live.site)}", ALICE, **PHONE)
    page.locator(".dock-toggle").click()
    page.locator("#choices select").first.focus()
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    covered = []
    for _ in range(60):
        page.keyboard.press("Tab")
        covered.append(page.evaluate(COVERED))
        if covered[-1] == "at the end":
            break
    assert "at the end" in covered and set(covered) == {"", "at the end"}


@pytest.mark.nightly
def test_larger_opens_at_the_unit_that_was_chosen_and_what_was_ordered_is_an_arrow(
    live: Live,
) -> None:
    page = live.page(f"/matches/{europe(live.site)}", ALICE, **PHONE)
    move = page.evaluate(FIRST_MOVE)
    click_board(page, move["marks"][0])
    page.get_by_role("button", name="Larger").click()
    unit = page.evaluate(SEEN, move["marks"][0])
    assert unit["inside"] and unit["least"] >= 24
    page.locator(".board-ways").get_by_role("button", name="Move", exact=True).click()
    page.evaluate(
        "(mark) => document.getElementById(mark).scrollIntoView({ block: 'center', inline:"
        " 'center' })",
        move["marks"][1],
    )
    page.get_by_role("button", name="Smaller").click()
    page.locator(".dock-toggle").click()
    page.locator(f"select[name='{move['slot']}']").select_option(move["text"])
    expect(page.locator("path.hint.way")).to_have_count(1)
    expect(page.locator("polygon.hint.end")).to_have_count(1)


def test_two_fingers_enlarge_the_picture_where_they_are(live: Live) -> None:
    page = live.page(f"/matches/{europe(live.site)}", ALICE, **PHONE)
    wide = page.locator("svg.board").evaluate("(board) => board.clientWidth")
    touch = page.context.new_cdp_session(page)
    for kind, apart in (
        ("touchStart", 40),
        ("touchMove", 60),
        ("touchMove", 80),
        ("touchEnd", None),
    ):
        points = [{"x": 195 + side * apart, "y": 320} for side in (-1, 1)] if apart else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert page.locator("svg.board").evaluate("(board) => board.clientWidth") == pytest.approx(
        2 * wide, rel=0.1
    )
    assert page.evaluate("document.querySelector('.board-scroll').scrollLeft") > 0
    assert page.evaluate("[document.documentElement.scrollWidth, visualViewport.scale]") == [390, 1]


@pytest.mark.nightly
def test_without_a_script_the_orders_follow_the_board(live: Live) -> None:
    page = live.page(f"/matches/{europe(live.site)}", ALICE, java_script_enabled=False, **PHONE)
    expect(page.locator("#choices")).to_be_visible()
    expect(page.locator(".dock-toggle")).to_be_hidden()
    assert edges(page, "svg.board")[1] <= edges(page, "#owed")[0]


# --- who plays


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.nightly
def test_neither_a_name_nor_what_is_owed_is_cut(live: Live, width: int) -> None:
    uid, harness = europe(live.site), live.site.harness
    write_press(
        harness.database, uid, harness.player(BOB), PressDraft((), "Hello"), now=harness.now
    )
    page = live.page(
        f"/matches/{uid}", ALICE, **PHONE | {"viewport": {"width": width, "height": 844}}
    )
    beside = page.locator(".seat:has(.new-press) .seat-who")
    expect(beside).to_have_text("Bob")
    assert beside.evaluate(CUT) <= 0
    page.goto(f"/matches/{uid}/press")
    assert (
        page.locator("#owes").evaluate(CUT) <= 0 and page.locator(".match-state").evaluate(CUT) <= 0
    )


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.nightly
def test_no_tab_of_a_match_is_cut(live: Live, width: int) -> None:
    page = live.page(
        f"/matches/{europe(live.site)}",
        ALICE,
        **PHONE | {"viewport": {"width": width, "height": 844}},
    )
    expect(page.locator(".tabs a")).to_have_count(5)
    assert page.locator(".tabs").evaluate(CUT) <= 0


def test_press_is_new_until_it_was_looked_at(live: Live) -> None:
    uid, harness = europe(live.site), live.site.harness
    seat = harness.page(uid, ALICE).seat
    page = live.page(f"/matches/{uid}", ALICE)
    expect(page.locator(".new-press")).to_have_count(0)
    write_press(
        harness.database,
        uid,
        harness.player(BOB),
        PressDraft((seat,), "Shall we?"),
        now=harness.now,
    )
    page.reload()
    expect(page.locator(".new-press")).to_be_visible()
    # it tells the service that the text was read
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.locator(".new-press").click()
    expect(page.locator(".said")).to_have_text("Shall we?")
    page.goto(f"/matches/{uid}")
    expect(page.locator(".new-press")).to_have_count(0)
    assert not harness.page(uid, CHARLIE).unread_press and not harness.page(uid).unread_press, (
        "others know nothing of it"
    )


@pytest.mark.parametrize("progress", PROGRESS_KINDS)
def test_who_is_away_is_shown_where_progress_is_shown_by_seat(
    small_site: Site, progress: str
) -> None:
    uid, harness = europe(small_site, progress=progress), small_site.harness
    with harness.database.write_tx() as session:
        match = by_uid(session, uid)
        session.add(
            AbsenceUse(
                match_id=match.id, player_id=harness.people[BOB], phase_number=1, year=2026, days=3
            )
        )
    away = harness.page(uid, ALICE).away
    assert away == ((harness.page(uid, BOB).seat,) if progress == "seats" else ())
    assert ('class="amber">away' in small_site.visitor().get(f"/matches/{uid}").text) == bool(away)
