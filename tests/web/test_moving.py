"""The history in motion: keys, play, pieces that move from board to board, and the moving picture
to share.
"""

import json
import re
import xml.etree.ElementTree as ET

import pytest
from playwright.sync_api import Page, expect

from adjudicator.games.diplomacy.model.orders import TRAITS
from adjudicator.service.matches.creation import Wish
from adjudicator.service.views.table import frames
from adjudicator.service.views.table.story_parts import sum_up
from tests.cast import ALICE, BOB, CHARLIE
from tests.web.live import Live, wait_in
from tests.web.site import Site

# Counts the pieces that begin to move, since a move may be over before the test looks.
COUNTED = """(() => {
  const animate = Element.prototype.animate;
  window.moved = 0;
  Element.prototype.animate = function (frames, ...more) {
    if (this.closest("svg.board") && frames[0].translate) window.moved += 1;
    return animate.call(this, frames, ...more);
  };
})()"""
# in the words of a unit on the map; which ones are dealt is up to chance
CHARACTERISTIC = re.compile(f"; (?:{'|'.join(TRAITS)})")
BADGE = '<circle cx="15" cy="-14"'  # that a unit has where its characteristic is drawn


def begin_diplomacy(site: Site) -> str:
    """Begin a Diplomacy of three in which two moves of Spring 1901 succeed, and the other seats
    stay silent.
    """
    uid, harness = (
        site.harness.match(
            ALICE, BOB, CHARLIE, wish=Wish("diplomacy", "Europe", {}, players=3, seating="order")
        ),
        site.harness,
    )
    for name in (ALICE, BOB, CHARLIE):
        owed = harness.page(uid, name).owed
        assert owed is not None
        moves = [
            choice.text
            for slot in owed.slots
            for choice in slot.choices
            if choice.text in ("F LON - NTH", "A MOS - UKR")
        ]
        if moves:
            assert harness.order(uid, name, "\n".join([*moves, "ready"])).disposition == "accepted"
    harness.later(hours=49)
    assert harness.close(uid)
    return uid


def shown(page: Page, name: str) -> None:
    """Wait until the phase of this name is shown."""
    expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()


def test_units_move_along_their_arrows_unless_motion_is_unwanted(live: Live) -> None:
    uid = begin_diplomacy(live.site)
    for wanted in ("no-preference", "reduce"):
        page = live.context(reduced_motion=wanted).new_page()
        page.add_init_script(COUNTED)
        page.goto(f"/matches/{uid}/phases/0")
        page.keyboard.press("ArrowRight")
        shown(page, "Spring 1901")
        page.locator("[data-from='diplomacy-unit-LON']").wait_for()
        if wanted == "reduce":
            assert page.evaluate("window.moved") == 0
        else:
            wait_in(page, "window.moved > 0")


@pytest.mark.nightly
def test_keys_lead_to_the_phase_pressed_last_however_fast_and_a_phase_stays_until_another_comes(
    live: Live,
) -> None:
    uid = live.site.play_to_end()
    page = live.page(f"/matches/{uid}/phases/4")
    for key, name, number in (
        ("Home", "Start", 0),
        ("ArrowRight", "Round 1", 1),
        ("End", "Round 9", 9),
        ("ArrowLeft", "Round 8", 8),
    ):
        page.keyboard.press(key)
        shown(page, name)
        wait_in(page, f"location.pathname.endsWith('/phases/{number}')")
    assert page.locator(".ticks text").all_text_contents() == [
        str(number) for number in range(1, 10)
    ]
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    shown(page, "Round 5")
    live.busy.add(f"/matches/{uid}/phases/4")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("alert")).to_contain_text("this phase is still shown")
    expect(page.locator("output[data-slider-name]")).to_have_text("Round 5")
    shown(page, "Round 5")


@pytest.mark.nightly
def test_the_walk_by_keys_is_said_in_one_sentence_and_rests_in_a_background_tab(live: Live) -> None:
    page = live.page(f"/matches/{live.site.play_to_end()}/phases/1")
    said = page.get_by_role("status").filter(has_text=" of 10")
    for key, sentence in (("ArrowRight", "Round 2, 3 of 10"), ("Home", "Start, 1 of 10")):
        page.keyboard.press(key)
        expect(said).to_have_text(sentence)
    page.get_by_role("button", name="Play").click()
    page.evaluate("""() => {
        Object.defineProperty(document, "hidden", { value: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }""")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


@pytest.mark.nightly
def test_the_controls_are_one_row(live: Live) -> None:
    page = live.page(
        f"/matches/{live.site.play_to_end()}/phases/4", viewport={"width": 1280, "height": 800}
    )
    assert page.locator(".walk").bounding_box()["height"] <= 60  # type: ignore[index]  # it is shown
    box = page.locator("svg.board").bounding_box()
    assert box is not None and box["y"] + box["height"] <= 800


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.nightly
def test_the_slider_has_a_tick_where_each_year_begins(live: Live, scripts: bool) -> None:
    uid, harness = begin_diplomacy(live.site), live.site.harness
    while "1903" not in harness.page(uid).card.phase:
        harness.later(hours=49)
        assert harness.close(uid)
    page = live.page(
        f"/matches/{uid}/phases/1",
        java_script_enabled=scripts,
        viewport={"width": 1280, "height": 800},
    )
    names = page.locator("#number").get_attribute("data-names") or ""
    closed = json.loads(names)
    years = {
        year: next(place for place, name in enumerate(closed) if year in name)
        for year in ("1901", "1902")
    }
    track = page.locator("#number").bounding_box()
    assert track is not None
    assert page.locator(".ticks text").all_text_contents() == list(years)
    for label, line in zip(years, page.locator(".ticks line").all(), strict=True):
        box = line.bounding_box()
        assert box is not None
        assert box["x"] == pytest.approx(
            track["x"] + track["width"] * years[label] / (len(closed) - 1), abs=10
        ), "the thumb's half width"
        assert box["y"] >= track["y"]


# --- the moving picture


def test_the_moving_picture_has_every_closed_phase_and_never_the_open_one(small_site: Site) -> None:
    uid, visitor = small_site.begin_match(), small_site.visitor(ALICE)
    small_site.harness.round(uid, [(ALICE, "B3"), (BOB, "B2"), (CHARLIE, "W2")])
    before = visitor.get(f"/matches/{uid}/moving.svg")
    assert (
        before.headers["Content-Disposition"] == f'attachment; filename="{uid}.svg"'
        and before.mimetype == "image/svg+xml"
    )
    titles = [
        each.text
        for each in ET.fromstring(before.data).iter()
        if each.get("class", "").startswith("t")
    ]
    assert titles == ["Start", "Round 1"]
    small_site.harness.order(uid, ALICE, "W3")
    assert visitor.get(f"/matches/{uid}/moving.svg").data == before.data


def test_what_only_one_seat_may_know_is_not_in_it(small_site: Site) -> None:
    wish = Wish("rsp-diplomacy", "Traits", {}, players=2, seating="order")
    uid, harness = small_site.harness.match(ALICE, BOB, wish=wish), small_site.harness
    harness.later(hours=49)
    assert harness.close(uid)
    own = harness.page(uid, ALICE)
    files = {
        small_site.visitor(name).get(f"/matches/{uid}/moving.svg").text
        for name in (ALICE, BOB, None)
    }
    assert len(files) == 1
    assert CHARACTERISTIC.search(own.picture) and BADGE in own.picture, (
        "Alice sees the characteristics of her own units on the page"
    )
    assert BADGE not in files.pop(), "the moving picture has no words for units, but badges"
    with harness.database.read_tx() as session:
        assert not any(
            CHARACTERISTIC.search(picture) for _, picture in frames.closed_boards(session, uid)
        )


def test_before_the_start_there_is_none_and_a_private_match_shows_none_to_strangers(
    small_site: Site,
) -> None:
    assert (
        small_site.visitor().get(f"/matches/{small_site.make_open_match()}/moving.svg").status_code
        == 409
    )
    assert small_site.visitor().get("/matches/nothing/moving.svg").status_code == 404


def test_boards_share_what_is_alike_and_the_oldest_go_where_it_is_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def board(*parts: str) -> str:
        drawn = "".join(f'<g class="{part}"><path d="M0 0"/></g>' for part in parts)
        return f'<svg viewBox="0 0 10 10"><rect width="10" height="10"/>{drawn}</svg>'

    boards = [("One", board("a", "b")), ("Two", board("a", "c")), ("Three", board("a", "b", "c"))]
    moving = frames.animate(boards)
    ET.fromstring(moving)
    assert [moving.count(f'<g class="{part}">') for part in "abc"] == [1, 1, 1]
    assert "prefers-reduced-motion" in moving and "<script" not in moving
    monkeypatch.setattr(frames, "MOST_BYTES", len(moving.encode()) - 1)
    shorter = frames.animate(boards)
    assert "One" not in shorter and ">Three<" in shorter and len(shorter) < len(moving)


def test_a_phase_is_summed_up_by_who_took_what_else_by_its_first_deed() -> None:
    silent, moved, took = (
        "Italy (Bob) handed in no orders in time.",
        "You moved army Paris to Gascony.",
        "You took Spain.",
    )
    assert sum_up((silent, moved, took)) == (took,)
    assert sum_up((silent, moved)) == (moved,)
    assert sum_up(()) == sum_up((silent,)) == ()
