"""The page of a match as a table: the whole board in the window, who plays, the story by seat, and
its weight.
"""

import gzip

import pytest
from playwright.sync_api import expect

from adjudicator import catalogue
from adjudicator.service.matches.creation import Wish
from adjudicator.service.views.table.story_parts import split_story
from tests.cast import ALICE, BOB, CHARLIE, PLAYERS
from tests.sampling import sample
from tests.web.live import Live, wait_in
from tests.web.site import Site, page_text

GAMES = {game.about.key: game for game in catalogue.every_game()}
HEAVIEST = 60_000  # bytes of a page with its board, compressed
BOARD = """() => {
    const box = document.querySelector(".board-frame svg.board").getBoundingClientRect();
    const { top, bottom, left, right, height } = box;
    return { top, bottom, left, right, height, wide: document.documentElement.scrollWidth };
}"""


def begin(site: Site, key: str) -> str:
    """Begin a match of Alice, Bob and house bots, with the most players that the game allows, and
    let its first phase pass.
    """
    most, harness = max(GAMES[key].about.seats), site.harness
    uid = harness.match(
        ALICE,
        BOB,
        wish=Wish(key, "The Long Table of Old Friends", {}, players=most, house=most - 2),
    )
    harness.later(hours=49)
    assert harness.close(uid)
    return uid


@pytest.mark.parametrize("key", sample(tuple(GAMES), 2))
def test_the_whole_board_is_in_the_window_and_as_large_as_that_allows(live: Live, key: str) -> None:
    uid = begin(live.site, key)
    page = live.page(f"/matches/{uid}", ALICE, viewport={"width": 1280, "height": 800})
    for width, height in ((1280, 800), (1920, 1080), (390, 844), (320, 640)):
        page.set_viewport_size({"width": width, "height": height})
        box = page.evaluate(BOARD)
        assert (
            box["top"] >= 0
            and box["bottom"] <= height
            and box["left"] >= 0
            and box["right"] <= width
        ), (width, box)
        assert box["wide"] <= width
        assert box["height"] >= height * 0.55 or box["right"] - box["left"] >= min(
            width - 24, 1100
        ), (width, box)
    assert page.locator(".match-name").bounding_box()["height"] <= 56  # type: ignore[index]  # it is shown


@pytest.mark.parametrize("width", sample([1280, 1920], 1))
def test_the_head_is_one_row_and_the_board_stays_while_the_story_is_read(
    live: Live, width: int
) -> None:
    uid = begin(live.site, "diplomacy")
    page = live.page(f"/matches/{uid}", ALICE, viewport={"width": width, "height": 800})
    head, main = (page.locator(each).bounding_box() for each in (".match-head", "main"))
    assert head is not None and main is not None
    assert head["height"] == 56 and main["width"] == min(width, 1600)
    before = page.evaluate(BOARD)
    assert page.evaluate("document.documentElement.scrollHeight") > 800 + 300, (
        "the story is longer than the window"
    )
    page.evaluate("window.scrollTo(0, 300)")
    now = page.evaluate(BOARD)
    assert 0 <= now["top"] < before["top"] - 40 and now["bottom"] <= 800, (
        "it goes up to the edge, and no further"
    )


@pytest.mark.nightly
def test_a_large_picture_is_dragged_with_a_mouse_and_that_is_no_click(live: Live) -> None:
    page = live.page(
        f"/matches/{begin(live.site, 'diplomacy')}", ALICE, viewport={"width": 1280, "height": 800}
    )
    mark = page.evaluate(
        "document.querySelector('#choices option[data-marks]').dataset.marks.split(' ')[0]"
    )
    page.locator(f"[id='{mark}']").hover()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -400)
    page.keyboard.up("Control")
    wait_in(page, "document.querySelector('.board-frame').classList.contains('large')")
    scrolled = (
        "(() => { const { scrollLeft, scrollTop } = document.querySelector('.board-scroll'); return"
        " [scrollLeft, scrollTop]; })()"
    )
    left, top = page.evaluate(scrolled)
    box = page.locator(f"[id='{mark}']").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y - 40, steps=6)
    page.mouse.up()
    assert page.evaluate(scrolled) == pytest.approx([left + 60, top + 40], abs=2)
    assert page.locator("[data-picking]").count() == 0
    page.mouse.click(x - 60, y - 40)
    expect(page.locator("[data-picking]")).to_have_count(1)


@pytest.mark.parametrize("key", sample(tuple(GAMES), 3))
def test_a_page_with_its_board_is_light(small_site: Site, key: str) -> None:
    uid = begin(small_site, key)
    assert len(gzip.compress(small_site.visitor(ALICE).get(f"/matches/{uid}").data, 6)) < HEAVIEST


def test_who_plays_has_what_becomes_of_the_score(small_site: Site) -> None:
    uid, harness = small_site.begin_match(), small_site.harness
    harness.round(uid, [(ALICE, "B3"), (BOB, "B2"), (CHARLIE, "W2")])
    strip = (
        small_site.visitor()
        .get(f"/matches/{uid}")
        .text.partition('class="strip"')[2]
        .partition("</ul>")[0]
        .split("</li>")
    )
    scores = harness.page(uid).scores
    for seat, name, line in zip("123", PLAYERS, strip, strict=False):
        assert name in line and f"score: </span>{scores[seat]}</span>" in line


def test_a_diplomacys_strip_counts_supply_centres(small_site: Site) -> None:
    uid = begin(small_site, "diplomacy")
    strip = (
        small_site.visitor()
        .get(f"/matches/{uid}")
        .text.partition('class="strip"')[2]
        .partition("</ul>")[0]
        .split("</li>")
    )
    centres = {
        line.partition('class="mark">')[2].partition("<")[0]: line.partition(
            "supply centres: </span>"
        )[2][:1]
        for line in strip[:-1]
    }
    assert centres == dict.fromkeys(
        ("Austria", "England", "France", "Germany", "Italy", "Turkey"), "3"
    ) | {"Russia": "4"}


# --- the story by seat

PLAYS = {"FRANCE": ("FRANCE",), "TURKEY": ("TURKEY", "ITALY"), "RUSSIA": ("RUSSIA",)}
LINES = (
    "Russia (House B) handed in no orders in time.",
    "You moved army Paris to Burgundy.",
    "Your fleet Brest held.",
    "Italy’s army Rome held.",
    "Turkey moved army Smyrna to Ankara.",
    "Russia’s army Moscow held.",
    "In the fight for Munich, your army Paris was Paper.",
    "Russia and Turkey agree to a draw.",
    "Supply centres: France 3.",
)


def test_a_long_story_begins_with_its_reader_and_has_a_part_for_each_other_power() -> None:
    parts = split_story(LINES, PLAYS, "FRANCE")
    assert [(part.name, part.own, len(part.lines)) for part in parts] == [
        ("", True, 2),
        ("", False, 3),
        ("Turkey", False, 1),
        ("Italy", False, 1),
        ("Russia", False, 2),
    ]
    assert sorted(line for part in parts for line in part.lines) == sorted(LINES)
    assert parts[-1].gist == "Russia’s army Moscow held.", "that nothing was handed in is told last"


def test_who_looks_on_has_no_part_of_their_own_and_a_short_story_stays_whole() -> None:
    told = tuple(line.replace("You ", "France ").replace("Your", "France’s") for line in LINES)
    assert [part.name for part in split_story(told, PLAYS, None)] == [
        "",
        "France",
        "Turkey",
        "Italy",
        "Russia",
    ]
    assert [part.lines for part in split_story(LINES[:8], PLAYS, "FRANCE")] == [LINES[:8]]
    numbered = ("Seat 1 won.", "Seat 12 won.", *("Nobody moved.",) * 8)
    assert split_story(numbered, {"1": ("1",), "12": ("12",)}, "1")[0].lines == ("Seat 1 won.",)


def test_the_page_folds_the_others(small_site: Site) -> None:
    uid = begin(small_site, "diplomacy")
    page = small_site.visitor(ALICE).get(f"/matches/{uid}")
    assert page.text.count('<details class="story-part">') >= 5 and "Spring 1901" in page_text(page)
