"""What stands where on screens of many sizes: nothing is cut, too wide or too narrow, and what
seals orders is always in sight.
"""

import pytest
from playwright.sync_api import Page, expect

from adjudicator import catalogue
from adjudicator.service.matches.creation import Wish
from adjudicator.service.orders import bot_orders
from adjudicator.service.orders.submission import Submission
from adjudicator.service.orders.submitting import submit_orders
from adjudicator.service.press.messages import PressDraft, write_press
from tests.cast import ALICE, BOB, CHARLIE
from tests.harness import Harness
from tests.sampling import sample
from tests.service.tournament_play import begun
from tests.web.live import Live
from tests.web.site import Site, page_text

CUT = (
    "(element) => Math.max(element.scrollWidth - element.clientWidth, element.scrollHeight -"
    " element.clientHeight)"
)


def box(page: Page, selector: str) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of an element in the window."""
    found = page.locator(selector).first.bounding_box()
    assert found is not None, selector
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


def table(site: Site, key: str) -> str:
    """Begin a match of a game for Alice, Bob and as many house bots as it takes."""
    least = max(min(catalogue.game(key).about.seats), 2)
    return site.harness.match(
        ALICE, BOB, wish=Wish(key, "The Long Table", {}, players=least, house=least - 2)
    )


@pytest.mark.parametrize("texts", [1, 12])
@pytest.mark.nightly
def test_no_tab_is_cut_by_the_number_of_new_texts(live: Live, texts: int) -> None:
    harness = live.site.harness
    wish = Wish("diplomacy", "The Long Table", {"press": "private"}, players=3, seating="order")
    uid = harness.match(ALICE, BOB, CHARLIE, wish=wish)
    for number in range(texts):
        write_press(
            harness.database,
            uid,
            harness.player(BOB),
            PressDraft((), f"Text {number}"),
            now=harness.now,
        )
    page = live.page(f"/matches/{uid}", ALICE, viewport={"width": 320, "height": 640})
    expect(page.locator(".tabs .unread-count")).to_have_text(str(texts))
    assert page.locator(".tabs").evaluate(CUT) <= 0
    left, _, right, _ = box(page, ".tabs a:last-child")
    assert 0 <= left < right <= 320
    beside, number = box(page, ".tabs a:nth-child(4)"), box(page, ".tabs .unread-count")
    assert number[2] <= beside[0] + 8, "it covers no other tab"


@pytest.mark.parametrize("key", sample([game.about.key for game in catalogue.every_game()], 2))
def test_orders_are_sealed_without_scrolling(live: Live, key: str) -> None:
    site = live.site
    uid = table(site, key)
    due = next(name for name in (ALICE, BOB) if site.harness.page(uid, name).owed)
    for width, height in ((1280, 800), (1920, 1080)):
        page = live.page(f"/matches/{uid}", due, viewport={"width": width, "height": height})
        button = "#choices > .row .button"
        assert box(page, button)[3] <= height, width
        top = page.locator("#choices .slot-title").first.bounding_box()
        assert top is not None and top["y"] + 40 < box(page, button)[1], (
            "a choice is in sight above it"
        )


@pytest.mark.nightly
def test_what_has_the_focus_is_never_behind_the_buttons(live: Live) -> None:
    page = live.page(
        f"/matches/{table(live.site, 'diplomacy')}", ALICE, viewport={"width": 1280, "height": 800}
    )
    page.locator("#choices select").first.focus()
    for _ in range(8):
        page.keyboard.press("Tab")
        covered = page.evaluate(
            "() => { const here = document.activeElement, row = document.querySelector('#choices >"
            " .row'); return !row.contains(here) && row.parentElement.contains(here) &&"
            " here.getBoundingClientRect().bottom > row.getBoundingClientRect().top + 1; }"
        )
        assert not covered


@pytest.mark.nightly
def test_the_summary_of_a_new_match_leaves_a_phone_its_screen(live: Live) -> None:
    for width, height in ((320, 640), (390, 844)):
        page = live.page(
            "/matches/new?game=diplomacy", ALICE, viewport={"width": width, "height": height}
        )
        expect(page.locator(".summary dl")).to_be_visible()
        _, top, _, bottom = box(page, ".summary")
        assert bottom - top <= 0.18 * height, (width, bottom - top)
        expect(page.locator(".summary .button")).to_be_in_viewport()


@pytest.mark.nightly
def test_the_form_for_press_is_no_wider_than_is_read_well(live: Live) -> None:
    wish = Wish("diplomacy", "The Long Table", {"press": "private"}, players=3, seating="order")
    uid = live.site.harness.match(ALICE, BOB, CHARLIE, wish=wish)
    page = live.page(
        f"/matches/{uid}/press?to=FRANCE", ALICE, viewport={"width": 1920, "height": 1080}
    )
    left, _, right, _ = box(page, ".talk-form textarea")
    assert 600 <= right - left <= 900


@pytest.mark.nightly
def test_forms_and_lists_use_the_width(live: Live) -> None:
    uid = begun(live.site.harness, ALICE, BOB)
    page = live.context(ALICE, viewport={"width": 1920, "height": 1080}).new_page()
    for path, selector in (
        ("/archive", ".form"),
        ("/archive/statistics/redeux", "main"),
        ("/rules", ".games"),
        ("/account", ".account-halves"),
        ("/ladder/redeux", ".split"),
        (f"/tournaments/{uid}", ".split"),
        ("/tournaments", ".cards-list"),
    ):
        page.goto(path)
        left, _, right, _ = box(page, selector)
        assert right - left >= 880, path
    assert box(page, ".card")[2] - box(page, ".card")[0] >= 300
    page.goto(f"/tournaments/{uid}")
    assert box(page, ".split > aside")[0] > box(page, ".split > div")[2], (
        "what it is stands beside its rounds"
    )


# --- beside a narrow board


def test_the_phases_before_the_last_are_summed_up_beside_the_board(small_site: Site) -> None:
    uid, harness = small_site.begin_match(), small_site.harness
    for piece in ("B3", "B2", "W1", "W2"):
        harness.round(uid, [(name, piece) for name in (ALICE, BOB, CHARLIE)])
        harness.later(minutes=1)
    page = small_site.visitor(ALICE).get(f"/matches/{uid}")
    told = page.text.partition('<ul class="earlier"')[2].partition("</ul>")[0]
    assert [f">Round {number}</a>" in told for number in (1, 2, 3, 4)] == [True, True, True, False]
    assert told.index("Round 3") < told.index("Round 2") < told.index("Round 1")
    assert "The game in short" not in page.text


def test_a_young_match_tells_its_game_in_short(small_site: Site) -> None:
    uid = small_site.begin_match()
    page = small_site.visitor(ALICE).get(f"/matches/{uid}")
    assert (
        "Three players show one hidden pyramid each" in page_text(page)
        and 'class="earlier"' not in page.text
    )


# --- a game of turns against house bots


@pytest.mark.nightly
def test_the_turn_of_a_house_bot_comes_by_itself(live: Live) -> None:
    harness = live.site.harness
    uid = harness.match(ALICE, wish=Wish("genesis", "The Long Table", {}, players=2, house=1))
    while not (harness.page(uid, ALICE).owed or harness.page(uid).card.status == "ended"):
        play_bots(harness, uid)
    harness.order(uid, ALICE, harness.page(uid, ALICE).owed.slots[0].choices[0].text)  # type: ignore[union-attr]  # it is owed
    assert harness.close(uid) and harness.page(uid, ALICE).owed is None
    page = live.page(f"/matches/{uid}", ALICE)
    expect(page.get_by_role("heading", name="You owe nothing now")).to_be_visible()
    while harness.page(uid, ALICE).owed is None:
        play_bots(harness, uid)
    expect(page.locator("#choices")).to_be_visible()
    assert page.locator("#news").text_content() == ""


def test_the_turn_of_another_player_is_offered(live: Live) -> None:
    harness = live.site.harness
    uid = harness.match(ALICE, BOB, wish=Wish("genesis", "The Long Table", {}, players=2))
    waits, due = sorted((ALICE, BOB), key=lambda name: harness.page(uid, name).owed is not None)
    page = live.page(f"/matches/{uid}", waits)
    assert page.locator("#owed[data-soon]").count() == 0
    harness.order(uid, due, harness.page(uid, due).owed.slots[0].choices[0].text)  # type: ignore[union-attr]  # it is owed
    assert harness.close(uid)
    page.reload()
    assert live.page(f"/matches/{uid}", due).locator("#owed[data-soon]").count() == 0


def play_bots(harness: Harness, uid: str) -> None:
    """Submit the orders of the house bots that owe some, and close the phase."""
    with harness.database.read_tx() as session:
        turns = bot_orders.house_turns(session, uid)
    for turn in turns:
        text = turn.orders(lambda choices: choices[0])
        submit_orders(
            harness.database,
            Submission(uid, turn.player_id, text, "house", harness.now, turn.phase),
        )
    assert turns and harness.close(uid)


@pytest.mark.nightly
def test_on_a_phone_what_was_chosen_in_the_form_is_sealed_from_the_head_of_the_sheet(
    live: Live,
) -> None:
    uid = live.site.begin_match()
    page = live.page(
        f"/matches/{uid}", ALICE, viewport={"width": 390, "height": 844}, has_touch=True
    )
    page.locator(".dock-toggle").click()
    page.locator("label.pick:has(input[value=B2])").click()
    expect(page.locator(".dock-head .board-said")).to_have_text("Chosen: Black medium · B2.")
    page.locator(".dock-head").get_by_role("button", name="Seal and say ready").click()
    expect(page.get_by_role("heading", name="Sealed: Round 1")).to_be_visible()


@pytest.mark.nightly
def test_sealing_on_a_computer_leaves_the_board_in_sight(live: Live) -> None:
    uid = live.site.begin_match()
    page = live.page(f"/matches/{uid}", ALICE, viewport={"width": 1280, "height": 800})
    page.locator("label.pick:has(input[value=B2])").click()
    page.locator("#choices > .row").get_by_role("button", name="Seal and say ready").click()
    expect(page.get_by_role("heading", name="Sealed: Round 1")).to_be_visible()
    _, top, _, bottom = box(page, ".board-frame svg.board")
    assert top >= 0 and bottom <= 800


SHIFTED = """async () => {
    let sum = 0;
    const watch = new PerformanceObserver((list) => { for (const { value } of list.getEntries()) sum += value; });
    watch.observe({ type: "layout-shift", buffered: true });
    await document.fonts.ready;
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    await new Promise(setTimeout);  // what was observed is told in a task of its own
    return sum;
}"""


@pytest.mark.nightly
def test_the_contents_of_the_rules_fold_on_a_phone_without_a_jump(live: Live) -> None:
    page = live.page("/rules/diplomacy", viewport={"width": 390, "height": 844})
    expect(page.locator(".book-contents summary")).to_be_visible()
    assert page.evaluate(SHIFTED) < 0.1
    page.locator(".book-contents summary").click()
    expect(page.locator(".book-contents li a").first).to_be_visible()
    plain = live.page(
        "/rules/diplomacy", viewport={"width": 390, "height": 844}, java_script_enabled=False
    )
    expect(plain.locator(".book-contents li a").first).to_be_visible()


@pytest.mark.nightly
def test_no_example_of_the_rules_has_to_be_scrolled(live: Live) -> None:
    page = live.context(viewport={"width": 320, "height": 640}).new_page()
    for game in catalogue.every_game():
        page.goto(f"/rules/{game.about.key}")
        assert (
            page.locator(".book-text pre").evaluate_all(
                "(all) => all.filter((each) => each.scrollWidth > each.clientWidth).length"
            )
            == 0
        )
